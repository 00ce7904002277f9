"""A person decides how files of one bank and layout are read: shown first, kept for the next, and earlier uploads only when asked."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from interlock.workflows.statements.doubt.interpretation import Decision, joined
from interlock.workflows.statements.tables import statement_interpretations
from interlock.workflows.statements.uploads.storing import keep_decision
from tests.statements.api.place import KIND, Place

HEAD = "Orchard Card,,\n\nDate,Description,Amount (GBP)\n"
"""Charges are printed positive, and nothing says so."""
BALANCES = HEAD.replace(",,\n\n", ",,\nOpening balance,,-100.00\nClosing balance,,-145.00\n\n")


def card(*rows: tuple[str, str], head: str = HEAD) -> bytes:
    return (head + "".join(f"{day},Shop {day},{amount}\n" for day, amount in rows)).encode()


JANUARY = card(("13/01/2024", "20.00"), ("14/01/2024", "25.00"))
FEBRUARY = card(("13/02/2024", "15.00"), ("14/02/2024", "30.00"))
MARCH = card(("13/03/2024", "44.00"), ("14/03/2024", "1.00"))


def amounts(place: Place, upload_id: str) -> list[str]:
    return [one["amount"] for one in place.show(upload_id, "transactions")["transactions"]]


def patch(place: Place, upload_id: str, **body: Any) -> Any:
    answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def imported(place: Place, content: bytes) -> str:
    upload_id = place.upload(content)
    place.app.drain()
    return upload_id


def test_the_reading_that_reconciles_is_taken_and_the_others_are_kept_with_their_closing_balances(
    place: Place,
) -> None:
    upload_id = imported(place, card(("13/01/2024", "20.00"), ("14/01/2024", "25.00"), head=BALANCES))
    answer = place.show(upload_id, "readings")
    found = {(one["signs"], one["closing_balance"]): one["reconciles"] for one in answer["readings"]}
    assert (answer["reconciled"], found) == (
        "yes",
        {("as_read", "-145.00"): "yes", ("turned", "-55.00"): "no"},
    )
    assert [one["is_current"] for one in answer["readings"]] == [True, False]
    assert amounts(place, upload_id) == ["-20.00", "-25.00"]


def test_where_no_reading_reconciles_the_upload_is_not_and_a_person_chooses(place: Place) -> None:
    upload_id = imported(place, card(("13/01/2024", "20.00"), ("14/01/2024", "26.00"), head=BALANCES))
    answer = place.show(upload_id, "readings")
    assert (answer["reconciled"], {one["reconciles"] for one in answer["readings"]}) == ("no", {"no"})


def test_a_decision_is_looked_at_first_and_nothing_moves(place: Place) -> None:
    earlier, upload_id = imported(place, JANUARY), imported(place, FEBRUARY)
    before = place.app.get(KIND, upload_id)
    answer = patch(place, upload_id, signs="turned")
    assert [(one["before"]["amount"], one["after"]["amount"]) for one in answer["changes"]] == [
        ("15.00", "-15.00"),
        ("30.00", "-30.00"),
    ]
    assert [one["upload_id"] for one in answer["earlier_uploads"]] == [earlier]
    assert (answer["applied"], answer["total_before"], answer["total_after"]) == (False, "45.00", "-45.00")
    assert place.app.get(KIND, upload_id) == before
    with place.app.database.read() as tx:
        assert tx.execute(select(statement_interpretations)).all() == []


def test_an_applied_decision_is_ledgered_and_used_for_this_and_the_next_file_of_the_layout(
    place: Place,
) -> None:
    earlier, upload_id = imported(place, JANUARY), imported(place, FEBRUARY)
    answer = patch(place, upload_id, signs="turned", apply=True, reason="charges are positive")
    assert (answer["applied"], answer["parsed_again"]) == (True, [upload_id])
    place.app.drain()
    following = imported(place, MARCH)
    assert amounts(place, upload_id) == ["-15.00", "-30.00"]
    assert amounts(place, following) == ["-44.00", "-1.00"]
    assert amounts(place, earlier) == ["20.00", "25.00"]
    states = {one: place.app.get(KIND, one)["reconciled"] for one in (earlier, upload_id, following)}
    assert set(states.values()) == {"unknown"}
    counts = {one: place.app.get(KIND, one)["warnings_count"] for one in (earlier, upload_id, following)}
    assert counts == {earlier: 1, upload_id: 0, following: 0}
    move = place.app.ledger.history(KIND, upload_id)[5]
    assert (move.new, move.reason) == ("queued_for_parse", "charges are positive")
    with place.app.database.read() as tx:
        (kept,) = tx.execute(select(statement_interpretations)).mappings().all()
    assert (kept["decision"], kept["reason"]) == (
        {"signs": "turned", "made_for": {"signs": [upload_id]}},
        "charges are positive",
    )


def test_earlier_uploads_are_parsed_again_only_when_asked(place: Place) -> None:
    earlier, upload_id = imported(place, JANUARY), imported(place, FEBRUARY)
    answer = patch(place, upload_id, signs="turned", apply=True, earlier=True, reason="charges are positive")
    place.app.drain()
    assert answer["parsed_again"] == [upload_id, earlier]
    assert amounts(place, earlier) == ["-20.00", "-25.00"]


def test_currency_dates_and_columns_can_be_decided_and_are_no_assumptions_then(place: Place) -> None:
    head = "Date,Description,Value,Amount\n"
    upload_id = imported(place, card(("03/04/2024", "1.00,20.00"), ("05/04/2024", "2.00,25.00"), head=head))
    assert place.app.get(KIND, upload_id)["warnings_count"] == 3
    patch(
        place,
        upload_id,
        currency="SGD",
        date_order="dmy",
        columns={"amount": "Value"},
        account="Joint",
        apply=True,
        reason="a branch in Singapore",
    )
    place.app.drain()
    found = place.show(upload_id, "transactions")["transactions"]
    assert [(one["date"], one["amount"], one["currency"], one["account"]) for one in found] == [
        ("2024-04-03", "1.00", "SGD", "Joint"),
        ("2024-04-05", "2.00", "SGD", "Joint"),
    ]
    assert place.app.get(KIND, upload_id)["warnings_count"] == 0


def test_a_decision_about_a_file_whose_rows_could_not_all_be_read_retries_it(place: Place) -> None:
    text = (
        "Date,Description,Amount,Booked (GBP)\n13/04/2024,Cafe,n/a?9,-60.00\n14/04/2024,Pay,12.00,1000.00\n"
    )
    upload_id = imported(place, text.encode())
    failed = place.app.get(KIND, upload_id)
    assert (failed["status"], failed["error_code"]) == ("error", "PARTIAL_PARSE")
    body = {"columns": {"amount": "Booked (GBP)"}, "currency": "GBP"}
    answer = patch(place, upload_id, **body, apply=True, reason="the other column is what was booked")
    place.app.drain()
    assert (answer["applied"], amounts(place, upload_id)) == (True, ["-60.00", "1000.00"])
    stored = place.app.get(KIND, upload_id)
    assert (stored["status"], stored["error_code"]) == ("normalized", None)
    moves = place.app.ledger.history(KIND, upload_id)
    left = [(move.new, move.origin, move.reason) for move in moves if move.old == "error"]
    assert left == [
        ("error", "amend", "the other column is what was booked"),
        ("queued_for_parse", "retry", "the other column is what was booked"),
    ]


TWO = "Orchard,,\nOpening balance,,100.00\nClosing balance,,110.00\n\nDate,Description,Booked (GBP),Amount (GBP)\n"
"""Two columns could be the amounts; only `Booked` leads from one balance to the other."""
TWO_ROWS = "13/04/2024,Cafe,-4.00,-5.00\n14/04/2024,Pay,20.00,25.00\n15/04/2024,Shop,-6.00,-7.00\n"


def test_what_comes_out_by_other_columns_is_shown_before_it_is_decided_and_is_what_then_comes_out(
    place: Place,
) -> None:
    upload_id = imported(place, (TWO + TWO_ROWS).encode())
    before, files = place.app.get(KIND, upload_id), place.files()
    history = len(place.app.ledger.history(KIND, upload_id))
    assert (before["reconciled"], amounts(place, upload_id)) == ("no", ["-5.00", "25.00", "-7.00"])
    for file in files:
        file.rename(file.with_suffix(".away"))  # who previews opens no file
    shown = patch(place, upload_id, columns={"amount": "booked (gbp)"})
    reading = shown["reading"]
    assert (reading["rows"], reading["unread"], reading["total"], reading["reconciles"]) == (
        3,
        0,
        "10.00",
        "yes",
    )
    assert [(one["date"], one["amount"], one["description"]) for one in reading["first_rows"]] == [
        ("2024-04-13", "-4.00", "Cafe"),
        ("2024-04-14", "20.00", "Pay"),
        ("2024-04-15", "-6.00", "Shop"),
    ]
    assert (shown["applied"], shown["total_before"], shown["total_after"]) == (False, "13.00", "10.00")
    assert place.app.get(KIND, upload_id) == before
    assert len(place.app.ledger.history(KIND, upload_id)) == history
    for file in files:
        file.with_suffix(".away").rename(file)
    tried = {str(one["columns"]): one["reconciles"] for one in place.show(upload_id, "readings")["columns"]}
    assert tried["{'amount': 'Booked (GBP)'}"] == "yes"
    applied = patch(
        place, upload_id, columns={"amount": "Booked (GBP)"}, apply=True, reason="the booked value"
    )
    assert applied["reading"] == reading
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["reconciled"], amounts(place, upload_id)) == ("yes", ["-4.00", "20.00", "-6.00"])
    assert place.show(upload_id, "readings")["columns"] == []


def test_columns_that_were_not_tried_promise_nothing(place: Place) -> None:
    upload_id = imported(place, (TWO + TWO_ROWS).encode())
    for decided in (
        {"columns": {"amount": "Booked (GBP)", "description": "Date"}},
        {"columns": {"amount": "Amount (GBP)"}, "signs": "turned"},
    ):
        shown = patch(place, upload_id, **decided)
        known = {name: shown[name] for name in ("reading", "total_after", "closing_balance_after", "changes")}
        assert known == {"reading": None, "total_after": None, "closing_balance_after": None, "changes": []}
    with_currency = patch(place, upload_id, columns={"amount": "Booked (GBP)"}, currency="EUR")["reading"]
    assert {one["currency"] for one in with_currency["first_rows"]} == {"EUR"}


DOTTED = (
    "Date,Description,Booked (EUR),Amount (EUR)\n03/04/2024,Cafe,4.000,5.00\n05/04/2024,Shop,6.500,7.00\n"
)
TURNED_BY_THEM = TWO + "13/04/2024,Cafe,4.00,-5.00\n14/04/2024,Pay,-20.00,25.00\n15/04/2024,Shop,6.00,-7.00\n"
"""The balances turn the signs of `Booked` round."""


@pytest.mark.parametrize(
    ("text", "column", "decided"),
    [
        (TWO + TWO_ROWS, "Booked (GBP)", {"signs": "as_read"}),
        (TWO + TWO_ROWS, "Booked (GBP)", {"signs": "turned"}),
        (TWO + TWO_ROWS, "Booked (GBP)", {"date_order": "dmy", "signs": "turned", "currency": "EUR"}),
        (TURNED_BY_THEM, "Booked (GBP)", {}),
        (TURNED_BY_THEM, "Booked (GBP)", {"signs": "as_read"}),
        (TURNED_BY_THEM, "Booked (GBP)", {"signs": "turned"}),
        (DOTTED, "Booked (EUR)", {"date_order": "dmy"}),
        (DOTTED, "Booked (EUR)", {"decimal": "."}),
        (DOTTED, "Booked (EUR)", {"decimal": ",", "signs": "turned", "date_order": "mdy"}),
    ],
)
def test_columns_with_signs_decimals_and_dates_show_what_then_comes_out(
    place: Place, text: str, column: str, decided: dict[str, str]
) -> None:
    upload_id = imported(place, text.encode())
    body = {"columns": {"amount": column}, **decided}
    shown = patch(place, upload_id, **body)["reading"]
    applied = patch(place, upload_id, **body, apply=True, reason="as the branch says")
    assert applied["reading"] == shown
    place.app.drain()
    found = place.show(upload_id, "transactions")["transactions"]
    kept = [(one["date"], one["currency"], Decimal(one["amount"])) for one in found]
    first = shown["first_rows"]
    assert [(one["date"], one["currency"], Decimal(one["amount"])) for one in first] == kept
    assert (shown["rows"], Decimal(shown["total"])) == (len(found), sum(amount for _, _, amount in kept))
    row = place.app.get(KIND, upload_id)
    assert row["status"] == "normalized"
    if shown["reconciles"] != "unknown":
        assert row["reconciled"] == shown["reconciles"]


UNKNOWN = "Mizar Trust,,\n\nBooking dae,Whoto,Monee\n13/04/2024,Cafe,-4.00\n14/04/2024,Pay,20.00\n15/04/2024,Shop,-6.00\n"
"""A table of which no name is known."""


def test_a_table_that_nobody_can_read_is_read_by_the_columns_that_a_person_names(place: Place) -> None:
    upload_id = imported(place, UNKNOWN.encode())
    failed = place.app.get(KIND, upload_id)
    assert (failed["status"], failed["error_code"]) == ("error", "LAYOUT_MISMATCH")
    assert place.show(upload_id, "readings")["column_names"] == ["Booking dae", "Whoto", "Monee"]
    body = {"columns": {"date": "Booking dae", "description": "Whoto", "amount": "Monee"}, "currency": "GBP"}
    answer = patch(place, upload_id, **body, apply=True, reason="the headings of a small bank")
    place.app.drain()
    assert answer["applied"]
    following = imported(place, UNKNOWN.replace("/04/", "/05/").encode())
    for one, month in ((upload_id, "04"), (following, "05")):
        found = place.show(one, "transactions")["transactions"]
        assert [(row["date"], row["amount"], row["currency"], row["description"]) for row in found] == [
            (f"2024-{month}-13", "-4.00", "GBP", "Cafe"),
            (f"2024-{month}-14", "20.00", "GBP", "Pay"),
            (f"2024-{month}-15", "-6.00", "GBP", "Shop"),
        ]
        assert place.app.get(KIND, one)["status"] == "normalized"
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.old == "error"]
    assert reasons == ["the headings of a small bank"] * 2, "one more try, and the try"


def test_columns_by_which_an_unknown_table_cannot_be_read_leave_it_refused(place: Place) -> None:
    upload_id = imported(place, UNKNOWN.encode())
    patch(place, upload_id, columns={"date": "Whoto", "amount": "Monee"}, apply=True, reason="a guess")
    place.app.drain()
    failed = place.app.get(KIND, upload_id)
    assert (failed["status"], failed["error_code"]) == ("error", "LAYOUT_MISMATCH")
    assert place.show(upload_id, "transactions")["transactions"] == []
    refused = place.asker.ask(
        "PATCH", f"/uploads/{upload_id}/interpretation", json={"columns": {"amount": "Nope"}}
    )
    assert refused.status_code == 400


def test_a_file_whose_rows_could_not_all_be_read_shows_what_another_column_would_give(place: Place) -> None:
    text = (
        "Date,Description,Amount,Booked (GBP)\n13/04/2024,Cafe,n/a?9,-60.00\n14/04/2024,Pay,12.00,1000.00\n"
    )
    upload_id = imported(place, text.encode())
    assert place.app.get(KIND, upload_id)["error_code"] == "PARTIAL_PARSE"
    reading = patch(place, upload_id, columns={"amount": "Booked (GBP)"})["reading"]
    assert (reading["rows"], reading["unread"], reading["total"], reading["reconciles"]) == (
        2,
        0,
        "940.00",
        "unknown",
    )


def test_what_signs_would_give_is_shown_with_the_number_of_rows_and_whether_balances_agree(
    place: Place,
) -> None:
    upload_id = imported(place, card(("13/01/2024", "20.00"), ("14/01/2024", "26.00"), head=BALANCES))
    reading = patch(place, upload_id, signs="turned")["reading"]
    assert (reading["rows"], reading["total"], reading["reconciles"]) == (2, "-46.00", "no")
    assert [one["amount"] for one in reading["first_rows"]] == ["-20.00", "-26.00"]
    plain = imported(place, JANUARY)
    assert patch(place, plain, signs="turned")["reading"]["reconciles"] == "unknown"


@pytest.mark.parametrize(
    "body",
    [{}, {"currency": "XXX"}, {"date_order": "ydm"}, {"decimal": ";"}, {"columns": {"money": "Amount"}}],
)
def test_what_is_no_decision_is_refused(place: Place, body: dict[str, Any]) -> None:
    upload_id = imported(place, JANUARY)
    answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=body)
    assert answer.status_code == 400, answer.text


OWED = "Date,Description,Amount (GBP),Balance\n13/{0}/2024,Shop A,20.00,120.00\n14/{0}/2024,Shop B,25.00,{1}\n15/{0}/2024,Shop C,5.00,{2}\n"
"""No amount has a sign, and balances rise as they would by money in and as what is owed would by money out."""


def owed(month: str, *balances: str) -> bytes:
    return OWED.format(month, *(balances or ("145.00", "150.00"))).encode()


def test_signs_confirmed_as_read_end_the_doubt_for_this_file_and_in_the_next_without_a_bank_until_it_is_looked_at(
    place: Place,
) -> None:
    upload_id = imported(place, owed("01"))
    before = place.app.get(KIND, upload_id)
    assert (before["reconciled"], before["warnings_count"]) == ("unknown", 1)
    shown = patch(place, upload_id, signs="as_read")
    assert (shown["applied"], shown["decision"], shown["changes"]) == (False, {"signs": "as_read"}, [])
    answer = patch(place, upload_id, signs="as_read", apply=True, reason="a savings plan")
    place.app.drain()
    following = imported(place, owed("02"))
    assert (answer["applied"], answer["parsed_again"]) == (True, [upload_id])
    for one, proved in ((upload_id, ("yes", 0)), (following, ("unknown", 1))):
        row = place.app.get(KIND, one)
        assert (row["status"], row["reconciled"], row["warnings_count"]) == ("normalized", *proved)
        assert amounts(place, one) == ["20.00", "25.00", "5.00"]
    move = place.app.ledger.history(KIND, upload_id)[5]
    assert (move.new, move.reason) == ("queued_for_parse", "a savings plan")
    with place.app.database.read() as tx:
        (kept,) = tx.execute(select(statement_interpretations)).mappings().all()
    assert kept["decision"] == {
        "signs": "as_read",
        "confirmed": [upload_id],
        "made_for": {"signs": [upload_id]},
    }


def test_signs_confirmed_as_read_leave_every_other_doubt(place: Place) -> None:
    upload_id = imported(place, owed("01"))
    patch(place, upload_id, signs="as_read", apply=True, reason="a savings plan")
    place.app.drain()
    broken = imported(place, owed("02", "145.00", "155.00"))
    row = place.app.get(KIND, broken)
    assert (row["reconciled"], row["warnings_count"] > 0) == ("no", True)
    undated = OWED.replace("13/{0}", "03/{0}").replace("14/{0}", "03/{0}").replace("15/{0}", "03/{0}")
    open_dates = imported(place, undated.format("04", "145.00", "150.00").encode())
    row, log = place.app.get(KIND, open_dates), place.show(open_dates, "warnings")
    assert row["reconciled"] == "unknown"
    assert any("day and month" in one["message"] for one in log["warnings"])


def test_signs_are_confirmed_as_they_are_shown_also_where_a_decision_had_turned_them(place: Place) -> None:
    upload_id = imported(place, owed("01"))
    patch(place, upload_id, signs="turned", apply=True, reason="a card")
    place.app.drain()
    assert amounts(place, upload_id) == ["-20.00", "-25.00", "-5.00"]
    patch(place, upload_id, signs="as_read", apply=True, reason="yes, a card")
    place.app.drain()
    assert amounts(place, upload_id) == ["-20.00", "-25.00", "-5.00"]
    patch(place, upload_id, signs="turned", apply=True, reason="no, a savings plan")
    place.app.drain()
    assert amounts(place, upload_id) == ["20.00", "25.00", "5.00"]
    with place.app.database.read() as tx:
        (kept,) = tx.execute(select(statement_interpretations)).mappings().all()
    assert (kept["decision"], kept["reason"]) == (
        {"signs": "as_read", "made_for": {"signs": [upload_id]}},
        "no, a savings plan",
    )


def test_signs_that_a_person_confirmed_are_not_turned_by_balances(place: Place) -> None:
    plain = card(("13/01/2024", "20.00"), ("14/01/2024", "25.00"))
    upload_id = imported(place, plain)
    patch(place, upload_id, signs="as_read", apply=True, reason="vouchers that are paid in")
    place.app.drain()
    following = imported(place, card(("13/02/2024", "20.00"), ("14/02/2024", "25.00"), head=BALANCES))
    row = place.app.get(KIND, following)
    assert (row["reconciled"], amounts(place, following)) == ("no", ["20.00", "25.00"])


def test_dotted_dates_in_doubt_are_settled_by_a_decision_that_is_kept_for_the_layout(place: Place) -> None:
    head = "Date,Description,Amount (USD),Balance (USD)\n"
    first = imported(place, f"{head}03.04.2025,Shop,-5.00,95.00\n05.04.2025,Cafe,-5.00,90.00\n".encode())
    before = place.app.get(KIND, first)
    assert (before["reconciled"], before["warnings_count"]) == ("unknown", 1)
    orders = {one["date_order"] for one in place.show(first, "readings")["readings"]}
    assert orders == {None, "mdy"}
    patch(place, first, date_order="mdy", apply=True, reason="an American program")
    place.app.drain()
    second = imported(place, f"{head}06.07.2025,Shop,-5.00,85.00\n06.08.2025,Cafe,-5.00,80.00\n".encode())
    patch(place, second, date_order="mdy", apply=True, reason="the same program")
    place.app.drain()
    for one, expected in ((first, ["2025-03-04", "2025-05-04"]), (second, ["2025-06-07", "2025-06-08"])):
        row = place.app.get(KIND, one)
        assert (row["reconciled"], row["warnings_count"]) == ("yes", 0)
        assert [found["date"] for found in place.show(one, "transactions")["transactions"]] == expected
    move = place.app.ledger.history(KIND, first)[5]
    assert (move.new, move.reason) == ("queued_for_parse", "an American program")


FIRST_OPEN = (
    "Date,Description,Amount (GBP),Balance\n13/{0}/2024,Thing A,5.00,{1}\n14/{0}/2024,Thing B,6.00,101.00\n"
    "15/{0}/2024,Thing C,7.00,94.00\n"
)
"""No amount has a sign; the balance shows it for all rows but the first."""


def test_a_guessed_sign_of_one_row_is_confirmed_for_this_upload_and_open_again_in_the_next(
    place: Place,
) -> None:
    upload_id = imported(place, FIRST_OPEN.format("01", "95.00").encode())
    assert place.app.get(KIND, upload_id)["warnings_count"] == 2
    patch(place, upload_id, signs="as_read", apply=True, reason="all three were looked at")
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["reconciled"], row["warnings_count"]) == ("yes", 0)
    assert amounts(place, upload_id) == ["-5.00", "6.00", "-7.00"]
    following = imported(place, FIRST_OPEN.format("02", "95.00").encode())
    row = place.app.get(KIND, following)
    assert (row["reconciled"], row["warnings_count"]) == ("unknown", 2), "a guess, and no bank is named"
    assert place.show(following, "warnings")["warnings"][-1]["row_id"] == 0
    patch(place, following, signs="as_read", apply=True, earlier=True, reason="these too")
    place.app.drain()
    for one in (upload_id, following):
        assert place.app.get(KIND, one)["reconciled"] == "yes"
    reasons = [move.reason for move in place.app.ledger.history(KIND, following) if move.reason]
    assert reasons == ["these too"]
    with place.app.database.read() as tx:
        (kept,) = tx.execute(select(statement_interpretations)).mappings().all()
    assert kept["decision"] == {
        "signs": "as_read",
        "confirmed": [upload_id, following],
        "made_for": {"signs": [upload_id, following]},
    }


def test_signs_confirmed_as_read_leave_rows_that_no_balance_checks_in_doubt(place: Place) -> None:
    text = f"{OWED.format('01', '145.00', '150.00')}16/01/2024,Shop D,5.00,\n"
    upload_id = imported(place, text.encode())
    patch(place, upload_id, signs="as_read", apply=True, reason="a savings plan")
    place.app.drain()
    row, log = place.app.get(KIND, upload_id), place.show(upload_id, "warnings")
    assert (row["reconciled"], row["warnings_count"]) == ("unknown", 1)
    assert [one["message"] for one in log["warnings"] if one["severity"] == "warning"] == [
        "balances prove 3 of 4 rows; the others are not checked",
    ]


def test_a_second_decision_leaves_what_it_does_not_name(place: Place) -> None:
    head = HEAD.replace("Description,Amount (GBP)", "Details,Amount")
    upload_id = imported(place, card(("13/01/2024", "20.00"), ("14/01/2024", "25.00"), head=head))
    patch(place, upload_id, signs="turned", account="Orchard", apply=True, reason="charges are positive")
    place.app.drain()
    patch(place, upload_id, currency="EUR", apply=True, reason="billed in euros")
    place.app.drain()
    following = imported(place, card(("13/03/2024", "44.00"), ("14/03/2024", "1.00"), head=head))
    for one, expected in ((upload_id, ["-20.00", "-25.00"]), (following, ["-44.00", "-1.00"])):
        found = place.show(one, "transactions")["transactions"]
        assert [row["amount"] for row in found] == expected
        assert {(row["currency"], row["account"]) for row in found} == {("EUR", "Orchard")}
    with place.app.database.read() as tx:
        (kept,) = tx.execute(select(statement_interpretations)).mappings().all()
    assert kept["decision"] == {
        "signs": "turned",
        "currency": "EUR",
        "account": "Orchard",
        "made_for": {part: [upload_id] for part in ("signs", "currency", "account")},
    }


def test_a_column_of_amounts_takes_the_place_of_earlier_ones_and_of_what_was_said_of_their_signs() -> None:
    before = Decision(
        signs="turned", date_order="dmy", columns={"amount": "Value", "date": "Booked"}, confirmed=("UL_1",)
    )
    after = joined(before, Decision(columns={"debit": "Out", "credit": "In"}))
    assert after == Decision(date_order="dmy", columns={"date": "Booked", "debit": "Out", "credit": "In"})
    assert joined(before, Decision(columns={"date": "Valued"})) == Decision(
        signs="turned", columns={"amount": "Value", "date": "Valued"}, confirmed=("UL_1",)
    )


@pytest.mark.parametrize("apply", [False, True])
@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (
            {"amount": "Nope", "date": "date"},
            "the file has no column 'Nope'; it has 'Date', 'Description', 'Amount (GBP)'",
        ),
        ({"amount": ""}, "columns names no column for amount"),
        ({"amount": " "}, "columns names no column for amount"),
    ],
)
def test_columns_that_the_file_does_not_have_are_refused(
    place: Place, columns: dict[str, str], why: str, apply: bool
) -> None:
    upload_id = imported(place, JANUARY)
    before, entries = place.app.get(KIND, upload_id), len(place.app.ledger.history(KIND, upload_id))
    body = {"columns": columns, "apply": apply, "reason": "a slip of the pen"}
    answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=body)
    assert (answer.status_code, answer.json()["detail"]) == (400, why)
    assert place.app.get(KIND, upload_id) == before
    assert len(place.app.ledger.history(KIND, upload_id)) == entries
    with place.app.database.read() as tx:
        assert tx.execute(select(statement_interpretations)).all() == []


def test_a_file_that_is_no_table_has_no_columns_to_decide_on(place: Place) -> None:
    text = "OFXHEADER:100\n<OFX><STMTRS><CURDEF>EUR<STMTTRN><TRNAMT>5.00<DTPOSTED>20240101<NAME>x</STMTTRN></STMTRS></OFX>"
    upload_id = place.upload(text.encode(), "a.ofx")
    place.app.drain()
    body = {"columns": {"amount": "Amount"}}
    answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=body)
    assert (answer.status_code, "is no table" in answer.text) == (400, True)
    assert place.app.get(KIND, upload_id)["status"] == "normalized"


def test_columns_that_the_file_does_not_have_decide_nothing_and_are_said(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    before = place.show(upload_id, "warnings")["warnings"]
    row = place.app.get(KIND, upload_id)
    with place.app.database.write() as tx:
        keep_decision(
            tx,
            row["layout"],
            "",
            {"columns": {"amount": "Nope"}},
            by="ann",
            reason="kept by an earlier version, which did not look at the names",
            at=row["created_at"],
        )
    place.asker.ask("POST", f"/uploads/{upload_id}/reparse", json={"reason": "again"})
    place.app.drain()
    row, now = place.app.get(KIND, upload_id), place.show(upload_id, "warnings")["warnings"]
    assert (row["reconciled"], row["warnings_count"]) == ("unknown", 2)
    assert next(one for one in before if one["severity"] == "warning") in now
    assert any("no such columns as were decided on: 'Nope'" in one["message"] for one in now)
    assert amounts(place, upload_id) == ["20.00", "25.00"]


def test_an_account_that_is_decided_is_kept_in_one_line_and_a_blank_one_decides_nothing(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    answer = patch(place, upload_id, account="Joint\n\x1b[31m card", apply=True, reason="ours")
    assert answer["decision"] == {"account": "Joint [31m card"}
    place.app.drain()
    assert place.show(upload_id)["account"] == "Joint [31m card"
    refused = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json={"account": " \n"})
    assert (refused.status_code, "nothing is decided" in refused.text) == (400, True)


def test_a_currency_that_is_no_code_is_said_of_its_rows_and_breaks_nothing(place: Place) -> None:
    text = "OFXHEADER:100\n<OFX><STMTRS><CURDEF>DOUBLOON<STMTTRN><TRNAMT>5.00<DTPOSTED>20240101<NAME>x</STMTTRN></STMTRS></OFX>"
    upload_id = place.upload(text.encode(), "a.ofx")
    place.app.drain()
    shown = place.show(upload_id)
    assert (shown["status"], shown["error_code"], shown["currency"]) == (
        "error",
        "normalization_failed",
        None,
    )
    assert place.show(upload_id, "warnings")["errors"][0]["error_code"] == "CURRENCY_UNKNOWN"


PARTIAL = "Date,Description,Amount,Booked (GBP),Note (GBP)\n13/04/2024,Cafe,n/a?9,-60.00,x\n14/04/2024,Pay,12.00,1000.00,y\n"


def test_decisions_on_a_file_that_failed_use_up_no_retries(place: Place) -> None:
    upload_id = imported(place, PARTIAL.encode())
    for number in range(4):
        patch(place, upload_id, columns={"date": "Date"}, apply=True, reason=f"wrong {number}")
        place.app.drain()
        assert place.app.get(KIND, upload_id)["status"] == "error"
    row = place.app.get(KIND, upload_id)
    assert row["max_retries"] - row["retry_count"] == 3
    patch(place, upload_id, columns={"amount": "Booked (GBP)"}, apply=True, reason="right")
    place.app.drain()
    assert (place.app.get(KIND, upload_id)["status"], amounts(place, upload_id)) == (
        "normalized",
        ["-60.00", "1000.00"],
    )
    moves = place.app.ledger.history(KIND, upload_id)
    assert [move.reason for move in moves if move.old == "error" and move.new == "queued_for_parse"] == [
        *(f"wrong {number}" for number in range(4)),
        "right",
    ]


def test_plain_retries_are_still_counted_beside_decisions(place: Place) -> None:
    upload_id = imported(place, PARTIAL.encode())
    for _ in range(3):
        assert place.asker.ask("POST", f"/uploads/{upload_id}/retry").status_code == 200
        place.app.drain()
    refused = place.asker.ask("POST", f"/uploads/{upload_id}/retry")
    assert (refused.status_code, refused.json()["code"]) == (409, "ILK-207")
    patch(place, upload_id, columns={"date": "Date"}, apply=True, reason="wrong")
    place.app.drain()
    assert place.asker.ask("POST", f"/uploads/{upload_id}/retry").status_code == 409
    patch(place, upload_id, columns={"amount": "Booked (GBP)"}, apply=True, reason="right")
    place.app.drain()
    assert place.app.get(KIND, upload_id)["status"] == "normalized"
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.old == "error"]
    assert [one for one in reasons if one in ("wrong", "right")] == ["wrong", "wrong", "right", "right"]


def test_columns_by_which_nothing_can_be_read_are_an_error_that_another_decision_mends(place: Place) -> None:
    upload_id = imported(place, PARTIAL.encode())
    patch(place, upload_id, columns={"amount": "Note (GBP)"}, apply=True, reason="wrong")
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["status"], row["error_code"] in ("LAYOUT_MISMATCH", "PARTIAL_PARSE")) == ("error", True)
    following = imported(place, PARTIAL.replace("/04/", "/05/").encode())
    assert place.app.get(KIND, following)["status"] == "error"
    for one in (upload_id, following):
        patch(place, one, columns={"amount": "Booked (GBP)"}, apply=True, reason="right")
        place.app.drain()
        assert (place.app.get(KIND, one)["status"], amounts(place, one)) == (
            "normalized",
            ["-60.00", "1000.00"],
        )
        assert place.app.ledger.history(KIND, one)[-1].new == "normalized"


def test_a_file_of_which_no_row_became_a_transaction_can_be_decided_about(place: Place) -> None:
    text = "OFXHEADER:100\n<OFX><STMTRS><CURDEF>DOUBLOON<STMTTRN><TRNAMT>5.00<DTPOSTED>20240101<NAME>x</STMTTRN></STMTRS></OFX>"
    upload_id = place.upload(text.encode(), "a.ofx")
    place.app.drain()
    assert place.app.get(KIND, upload_id)["error_code"] == "normalization_failed"
    patch(place, upload_id, currency="EUR", apply=True, reason="no doubloons here")
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["status"], row["error_code"]) == ("normalized", None)
    assert [one["currency"] for one in place.show(upload_id, "transactions")["transactions"]] == ["EUR"]
    moves = [(move.old, move.new) for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert moves == [("error", "error"), ("error", "parsed"), ("parsed", "queued_for_parse")]


def test_a_decision_under_a_key_is_applied_once_and_answered_the_same(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    path = f"/uploads/{upload_id}/interpretation"
    body = {"signs": "turned", "apply": True, "reason": "charges are positive"}
    tag = place.asker.get(f"/uploads/{upload_id}").headers["etag"]
    headers = {"Idempotency-Key": "once", "If-Match": tag}
    first = place.asker.ask("PATCH", path, json=body, headers=headers)
    place.app.drain()
    second = place.asker.ask("PATCH", path, json=body, headers=headers)
    assert (first.status_code, second.status_code) == (200, 200), second.text
    assert first.json() == second.json()
    assert first.json()["changes"][0]["after"]["amount"] == "-20.00"
    place.app.drain()
    assert amounts(place, upload_id) == ["-20.00", "-25.00"]
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert reasons == ["charges are positive"]
    other = place.asker.ask("PATCH", path, json={**body, "signs": "as_read"}, headers=headers)
    assert other.status_code in (409, 422), "the key is another decision's"


def test_a_decision_at_another_version_changes_nothing(place: Place) -> None:
    upload_id = imported(place, JANUARY)
    body = {"signs": "turned", "apply": True, "reason": "charges are positive"}
    for headers in ({"If-Match": '"1"'}, {"If-Match": '"1"', "Idempotency-Key": "old"}):
        answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=body, headers=headers)
        assert answer.status_code == 412, answer.text
    assert place.app.get(KIND, upload_id)["status"] == "normalized"
    assert len(place.app.ledger.history(KIND, upload_id)) == 5
    with place.app.database.read() as tx:
        assert tx.execute(select(statement_interpretations)).all() == []


@pytest.mark.parametrize(
    ("content", "before", "expected"),
    [
        (owed("01"), [], ("yes", "-150.00")),
        (owed("01"), ["turned"], ("yes", "150.00")),
        (card(("13/01/2024", "20.00"), ("14/01/2024", "25.00"), head=BALANCES), [], ("no", "-55.00")),
        (card(("13/01/2024", "20.00"), ("14/01/2024", "26.00"), head=BALANCES), [], ("no", "-146.00")),
    ],
)
def test_readings_previews_and_what_comes_out_agree_about_signs_that_are_turned_round(
    place: Place, content: bytes, before: list[str], expected: tuple[str, str]
) -> None:
    upload_id = imported(place, content)
    for signs in before:
        patch(place, upload_id, signs=signs, apply=True, reason="at first")
        place.app.drain()
    listed = next(one for one in place.show(upload_id, "readings")["readings"] if one["signs"] == "turned")
    assert (listed["reconciles"], listed["closing_balance"]) == expected
    shown = patch(place, upload_id, signs="turned", apply=True, reason="a card")
    assert (shown["reading"]["reconciles"], shown["closing_balance_after"]) == expected
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert row["reconciled"] == expected[0]
    if expected[0] == "yes":
        assert row["closing_balance"] == expected[1]
    assert [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason][-1] == "a card"
