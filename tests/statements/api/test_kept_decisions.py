"""Decisions can be seen and withdrawn; what they decide, and what they show before they do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from interlock.workflows.statements.tables import statement_interpretations
from tests.service.asking import Asker
from tests.service.conftest import make_key
from tests.statements.api.place import KIND, Place
from tests.statements.api.test_interpretation import (
    FEBRUARY,
    JANUARY,
    MARCH,
    PARTIAL,
    amounts,
    card,
    imported,
    patch,
)


def decisions(place: Place) -> list[dict[str, Any]]:
    answer = place.asker.get("/interpretations")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["decisions"])


def test_a_decision_is_listed_and_withdrawn_and_what_was_read_by_it_stays(place: Place) -> None:
    assert decisions(place) == []
    older, upload_id = imported(place, JANUARY), imported(place, FEBRUARY)
    patch(place, upload_id, signs="turned", account="Card", apply=True, reason="charges are positive")
    place.app.drain()
    following = imported(place, MARCH)
    (kept,) = decisions(place)
    assert (kept["decision"], kept["made_on"], kept["reason"]) == (
        {"signs": "turned", "account": "Card"},
        [upload_id],
        "charges are positive",
    )
    assert place.asker.ask("DELETE", f"/interpretations/{kept['key']}").status_code in (400, 422)
    answer = place.asker.ask("DELETE", f"/interpretations/{kept['key'][:10]}?reason=another%20bank")
    assert answer.status_code == 200, answer.text
    assert {one["upload_id"] for one in answer.json()["uploads"]} == {upload_id, following}
    assert (answer.json()["withdrawn_because"], decisions(place)) == ("another bank", [])
    assert amounts(place, upload_id) == ["-15.00", "-30.00"]
    entry = place.app.ledger.history(KIND, upload_id)[-1]
    assert (entry.origin, entry.reason, entry.facts["decision_withdrawn"]["signs"]) == (
        "amend",
        "another bank",
        "turned",
    )
    assert place.app.get(KIND, upload_id)["status"] == "normalized"
    with place.app.database.read() as tx:
        (row,) = tx.execute(select(statement_interpretations)).mappings().all()
    assert (row["reason"], row["decision"]["withdrawn"]["signs"]) == ("another bank", "turned")
    next_one = imported(place, card(("13/04/2024", "7.00"), ("14/04/2024", "8.00")))
    assert amounts(place, next_one) == ["7.00", "8.00"]
    place.asker.ask("POST", f"/uploads/{upload_id}/reparse", json={"reason": "as it is read now"})
    place.app.drain()
    assert amounts(place, upload_id) == ["15.00", "30.00"]
    assert amounts(place, older) == ["20.00", "25.00"]


def test_a_decision_that_does_not_hold_cannot_be_withdrawn(place: Place) -> None:
    for key, status in (("0123456789", 404), ("nothing!", 400)):
        assert place.asker.ask("DELETE", f"/interpretations/{key}?reason=why").status_code == status
    upload_id = imported(place, JANUARY)
    patch(place, upload_id, signs="turned", apply=True, reason="charges are positive")
    place.app.drain()
    (kept,) = decisions(place)
    viewer = Asker(place.asgi, make_key(place.app, "viewer"))
    assert viewer.ask("DELETE", f"/interpretations/{kept['key']}?reason=why").status_code == 403
    viewer.close()
    assert len(decisions(place)) == 1
    assert place.app.ledger.history(KIND, upload_id)[-1].new == "normalized"


def test_the_type_of_an_account_is_decided_and_kept_for_the_layout(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    shown = patch(place, upload_id, account="Orchard", account_type="credit_card")
    before_and_after = [
        shown[f"{name}_{when}"] for name in ("account", "account_type") for when in ("before", "after")
    ]
    assert before_and_after == [None, "Orchard", None, "credit_card"]
    patch(place, upload_id, account="Orchard", account_type="credit_card", apply=True, reason="it is a card")
    place.app.drain()
    following = imported(place, FEBRUARY)
    for one in (upload_id, following):
        row = place.app.get(KIND, one)
        assert (row["account"], row["account_type"]) == ("Orchard", "credit_card")
        assert {t["account_type"] for t in place.show(one, "transactions")["transactions"]} == {"credit_card"}
    refused = place.asker.ask(
        "PATCH", f"/uploads/{upload_id}/interpretation", json={"account_type": "pocket"}
    )
    assert (refused.status_code, "credit_card" in refused.text) == (400, True)
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert reasons == ["it is a card"]


def test_an_account_that_is_decided_twice_is_the_second_one(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    for name in ("Joint", "Mine"):
        patch(place, upload_id, account=name, apply=True, reason=f"it is {name}")
        place.app.drain()
        assert place.app.get(KIND, upload_id)["account"] == name
        assert {t["account"] for t in place.show(upload_id, "transactions")["transactions"]} == {name}
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert reasons == ["it is Joint", "it is Mine"]


def test_all_changes_are_counted_beside_the_first_of_them(place: Place) -> None:
    upload_id = imported(place, card(*(("13/01/2024", f"{number}.00") for number in range(1, 602))))
    shown = patch(place, upload_id, signs="turned")
    assert (len(shown["changes"]), shown["changes_total"]) == (500, 601)


def test_other_uploads_that_would_change_are_listed_whenever_they_came(place: Place) -> None:
    older = imported(place, JANUARY)
    place.app.advance(timedelta(minutes=1))
    upload_id = imported(place, FEBRUARY)
    place.app.advance(timedelta(minutes=1))
    later = imported(place, MARCH)

    def listed(**decided: str) -> list[str]:
        return [one["upload_id"] for one in patch(place, upload_id, **decided)["earlier_uploads"]]

    assert listed(signs="turned") == [older, later]
    assert listed(account_type="credit_card") == [older, later]
    assert listed(decimal=",") == [older, later], "20.00 is 2000 then"
    assert listed(decimal=".") == []
    assert place.app.get(KIND, older)["status"] == "normalized"
    done = patch(place, older, signs="turned", apply=True, earlier=True, reason="charges are positive")
    place.app.drain()
    assert done["parsed_again"] == [older, upload_id, later]
    found = {one: amounts(place, one) for one in (older, upload_id, later)}
    assert set(map(tuple, found.values())) == {
        ("-20.00", "-25.00"),
        ("-15.00", "-30.00"),
        ("-44.00", "-1.00"),
    }
    reasons = [move.reason for move in place.app.ledger.history(KIND, later) if move.reason]
    assert reasons == ["charges are positive"]


def test_who_decided_before_is_answered_where_a_decision_replaces_or_turns_back_his(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    assert patch(place, upload_id, signs="turned")["replaces"] is None
    patch(place, upload_id, signs="turned", account="Card", apply=True, reason="charges are positive")
    place.app.drain()
    shown = patch(place, upload_id, signs="turned")
    replaced = shown["replaces"]
    assert (replaced["decision"], replaced["reason"]) == ({"signs": "turned"}, "charges are positive")
    assert replaced["decided_by"]
    assert shown["version"] == place.app.get(KIND, upload_id)["version"]
    assert patch(place, upload_id, account="Other")["replaces"]["decision"] == {"account": "Card"}
    assert patch(place, upload_id, signs="as_read")["replaces"] is None
    assert patch(place, upload_id, currency="EUR")["replaces"] is None
    assert amounts(place, upload_id) == ["-20.00", "-25.00"]
    moves = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert moves == ["charges are positive"]


def test_older_uploads_of_the_layout_that_failed_are_read_again_too(place: Place) -> None:
    older = imported(place, PARTIAL.encode())
    place.app.advance(timedelta(minutes=1))
    upload_id = imported(place, PARTIAL.replace("/04/", "/05/").encode())
    body = {"columns": {"amount": "Booked (GBP)"}, "apply": True, "earlier": True, "reason": "as booked"}
    answer = patch(place, upload_id, **body)
    place.app.drain()
    assert answer["parsed_again"] == [upload_id, older]
    for one in (upload_id, older):
        assert place.app.get(KIND, one)["status"] == "normalized"
        reasons = [move.reason for move in place.app.ledger.history(KIND, one) if move.reason]
        assert reasons == ["as booked", "as booked"]


@pytest.mark.parametrize(("decided", "count"), [({"account": "Joint"}, 0), ({"signs": "turned"}, 2)])
def test_changes_are_those_of_rows(place: Place, decided: dict[str, str], count: int) -> None:
    upload_id = imported(place, JANUARY)
    assert patch(place, upload_id, **decided)["changes_total"] == count


@pytest.mark.parametrize(
    ("amount", "present", "others"),
    [
        ("$20.00", "USD", ["CAD", "AUD", "NZD", "SGD", "HKD", "MXN"]),
        ("20.00", "GBP", ["USD", "EUR", "CAD", "AUD"]),
        ("GBP 20.00", "GBP", []),
    ],
)
def test_a_currency_that_nothing_names_can_be_another_likely_one(
    place: Place, amount: str, present: str, others: list[str]
) -> None:
    head = "Date,Details,Amount\n"
    upload_id = imported(place, card(("13/01/2024", amount), ("14/01/2024", amount), head=head))
    assert place.app.get(KIND, upload_id)["currency"] == present
    offered = place.show(upload_id, "readings")["readings"]
    assert [one["currency"] for one in offered if one["currency"]] == others
    if not others:
        return
    patch(place, upload_id, currency=others[0], apply=True, reason="of another country")
    place.app.drain()
    assert place.app.get(KIND, upload_id)["currency"] == others[0]
    assert {one["currency"] for one in place.show(upload_id, "readings")["readings"]} == {None}
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert reasons == ["of another country"]
