"""What a file itself shows wins over what a person decided about another file of its layout."""

from __future__ import annotations

from datetime import date
from decimal import Decimal as Number

import pytest

from interlock.workflows.statements.doubt.evidence import borne_out
from interlock.workflows.statements.doubt.interpretation import Decision, decision_from
from interlock.workflows.statements.doubt.reconcile import issuer_of, layout_key
from interlock.workflows.statements.parsed import Balance, ObservedRow, Parsed, Remark
from interlock.workflows.statements.parsers.csv.signs import words_contradict
from interlock.workflows.statements.tables import statement_interpretations
from tests.statements.api.place import KIND, Place
from tests.statements.api.test_interpretation import amounts, imported, patch
from tests.statements.pdf.layouts.boa import DATE, MONEY, entry, head, title
from tests.statements.pdf.layouts.sheets import Sheet

HEADER = "Day,Narrative,Amount,Balance,Currency\n"
CARD = (
    HEADER
    + "2024-01-13,Thing A,20.00,120.00,GBP\n2024-01-14,Thing B,-5.00,115.00,GBP\n2024-01-15,Thing C,25.00,140.00,GBP\n"
)
CHECKING = (
    HEADER
    + "2024-02-13,RENT,-50.00,950.00,GBP\n2024-02-14,SALARY,500.00,1450.00,GBP\n2024-02-15,MARKET,-15.00,1435.00,GBP\n"
)


def warned(place: Place, upload_id: str) -> list[str]:
    log = place.show(upload_id, "warnings")["warnings"]
    return [one["message"] for one in log if one["severity"] == "warning"]


def test_signs_that_were_turned_on_one_file_leave_another_whose_balances_prove_them(place: Place) -> None:
    first = imported(place, CARD.encode())
    patch(place, first, signs="turned", apply=True, reason="a card")
    place.app.drain()
    assert amounts(place, first) == ["-20.00", "5.00", "-25.00"]
    second = imported(place, CHECKING.encode())
    row = place.app.get(KIND, second)
    assert amounts(place, second) == ["-50.00", "500.00", "-15.00"]
    assert (row["opening_balance"], row["closing_balance"], row["reconciled"]) == (
        "1000.00",
        "1435.00",
        "unknown",
    )
    assert [one for one in warned(place, second) if "not turned" in one]
    assert {move.reason for move in place.app.ledger.history(KIND, second)} == {None}


def test_a_decision_holds_for_files_of_the_same_name_and_of_no_other(place: Place) -> None:
    first = imported(place, f"Bramble Card January 2024,,,,\n\n{CARD}".encode())
    patch(place, first, signs="turned", apply=True, reason="a card")
    place.app.drain()
    other = imported(place, f"Orchard Savings,,,,\n\n{CHECKING}".encode())
    following = imported(place, f"Bramble Card February 2024,,,,\n\n{CARD.replace('-01-', '-02-')}".encode())
    rows = {one: place.app.get(KIND, one) for one in (first, other, following)}
    assert rows[first]["layout"] == rows[following]["layout"] != rows[other]["layout"]
    assert amounts(place, following) == amounts(place, first) == ["-20.00", "5.00", "-25.00"]
    assert (amounts(place, other), warned(place, other)) == (["-50.00", "500.00", "-15.00"], [])
    assert (rows[other]["reconciled"], rows[following]["reconciled"]) == ("yes", "yes")
    assert {move.reason for move in place.app.ledger.history(KIND, other)} == {None}


def test_what_is_said_of_one_file_can_be_said_of_another_too(place: Place) -> None:
    first, second = imported(place, CARD.encode()), imported(place, CHECKING.encode())
    patch(place, first, signs="turned", apply=True, reason="a card")
    place.app.drain()
    patch(place, second, signs="turned", apply=True, reason="this one as well")
    place.app.drain()
    assert amounts(place, first) == ["-20.00", "5.00", "-25.00"]
    assert amounts(place, second) == ["50.00", "-500.00", "15.00"]
    reasons = [move.reason for move in place.app.ledger.history(KIND, second) if move.reason]
    assert reasons == ["this one as well"]


def test_words_that_contradict_signs_by_a_decision_about_another_file_are_in_doubt(place: Place) -> None:
    head = "Orchard,,\n\nDate,Details,Amount (GBP)\n"
    first = imported(place, f"{head}13/01/2024,Thing,20.00\n14/01/2024,Other,25.00\n".encode())
    patch(place, first, signs="turned", apply=True, reason="a card")
    place.app.drain()
    text = f"{head}13/02/2024,SALARY ORCHARD,900.00\n14/02/2024,Other,25.00\n"
    second = imported(place, text.encode())
    assert amounts(place, second) == ["-900.00", "-25.00"]
    assert [one for one in warned(place, second) if "words name income" in one]
    patch(place, second, signs="as_read", apply=True, reason="paid back")
    place.app.drain()
    assert amounts(place, second) == ["-900.00", "-25.00"]
    assert warned(place, second) == []
    reasons = [move.reason for move in place.app.ledger.history(KIND, second) if move.reason]
    assert reasons == ["paid back"]


def test_a_currency_that_a_file_names_is_kept_against_a_decision_about_another_file(place: Place) -> None:
    head = "Day,Narrative,Amount,Currency\n"
    first = imported(place, f"{head}2024-01-13,Thing,-20.00,GBP\n2024-01-14,Other,-25.00,GBP\n".encode())
    patch(place, first, currency="SGD", apply=True, reason="a slip of the bank")
    place.app.drain()
    second = imported(place, f"{head}2024-02-13,Thing,-20.00,EUR\n2024-02-14,Other,-25.00,EUR\n".encode())
    assert {one["currency"] for one in place.show(first, "transactions")["transactions"]} == {"SGD"}
    assert {one["currency"] for one in place.show(second, "transactions")["transactions"]} == {"EUR"}
    assert [one for one in warned(place, second) if "SGD" in one and "EUR" in one]
    assert {move.reason for move in place.app.ledger.history(KIND, second)} == {None}


def test_an_order_of_dates_is_kept_where_the_file_proves_it(place: Place) -> None:
    head = "Date,Details,Amount (USD)\n"
    first = imported(place, f"{head}03/04/2024,Thing,-20.00\n05/04/2024,Other,-25.00\n".encode())
    patch(place, first, date_order="dmy", apply=True, reason="a branch in Kenya")
    place.app.drain()
    second = imported(place, f"{head}03/04/2024,Thing,-20.00\n05/24/2024,Other,-25.00\n".encode())
    open_too = imported(place, f"{head}06/07/2024,Thing,-20.00\n08/07/2024,Other,-25.00\n".encode())
    days = {
        one: [row["date"] for row in place.show(one, "transactions")["transactions"]]
        for one in (first, second, open_too)
    }
    assert days == {
        first: ["2024-04-03", "2024-04-05"],
        second: ["2024-03-04", "2024-05-24"],
        open_too: ["2024-07-06", "2024-07-08"],
    }
    assert [one for one in warned(place, second) if "order of dates dmy was decided" in one]
    assert [one for one in warned(place, open_too) if "no bank is named" in one and first in one]
    assert {move.reason for move in place.app.ledger.history(KIND, second)} == {None}


def test_what_was_decided_under_a_key_of_an_earlier_version_breaks_nothing(place: Place) -> None:
    upload_id = imported(place, CHECKING.encode())
    before = place.app.get(KIND, upload_id)
    kept = {"signs": "turned", "confirmed": [upload_id], "of_another_version": 1}
    with place.app.database.write() as tx:
        tx.execute(
            statement_interpretations.insert().values(
                layout="0" * 64,
                institution="",
                decision=kept,
                decided_by="ann",
                reason="old",
                decided_at=before["created_at"],
            )
        )
    place.asker.ask("POST", f"/uploads/{upload_id}/reparse", json={"reason": "again"})
    place.app.drain()
    assert amounts(place, upload_id) == ["-50.00", "500.00", "-15.00"]
    assert decision_from(kept) == Decision(signs="turned", confirmed=(upload_id,))
    assert [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason] == ["again"]


def table(title: str = "", institution: str = "", account_type: str = "", **more: object) -> Parsed:
    rows = [ObservedRow(0, "2024-02-13", "Thing", "20.00"), ObservedRow(1, "2024-02-14", "Other", "5.00")]
    parsed = Parsed("csv:generic", "1", "csv", "text/csv", rows=rows, layout="csv , a|b", **more)  # type: ignore[arg-type]
    parsed.title, parsed.institution, parsed.account_type = title, institution, account_type
    return parsed


def test_files_of_one_layout_are_told_apart_by_their_title_and_their_type_of_account() -> None:
    january, march = (
        layout_key(table("Bramble Card •1234 January 2024")),
        layout_key(table("BRAMBLE CARD, March 24")),
    )
    assert january == march
    assert issuer_of(table("Bramble Card •1234 January 2024")) == "bramble card"
    others = [
        table("Orchard Savings"),
        table("", "Orchard Bank"),
        table("", "Orchard Bank", "credit_card"),
        table(),
    ]
    assert len({january, *map(layout_key, others)}) == 5
    inferred = table("", "Orchard Bank", "credit_card", layout_is_inferred=True)
    assert layout_key(inferred) == layout_key(table("", "Orchard Bank")), "its signs may be what is decided"


OWED = [Balance("", Number(100), Number(125), Number(25), 2)]


@pytest.mark.parametrize(
    ("parsed", "decision", "is_turned"),
    [
        (table("Bramble Card", balances=OWED), Decision(signs="turned", is_owed=True), True),
        (table("", "Bramble Bank", balances=OWED), Decision(signs="turned", is_owed=True), True),
        (table(balances=OWED), Decision(signs="turned", is_owed=True), False),
        (table("Bramble Card", balances=OWED), Decision(signs="turned"), False),
        (
            table("Bramble Card", balances=OWED, warnings=[Remark("a doubt", topic="signs")]),
            Decision(signs="turned"),
            True,
        ),
        (table("Bramble Card"), Decision(signs="turned"), True),
        (table(balances=OWED), Decision(signs="turned").made_on("UL_now"), True),
    ],
)
def test_balances_that_agree_are_turned_where_they_were_what_is_owed_of_the_same_bank(
    parsed: Parsed, decision: Decision, is_turned: bool
) -> None:
    applied, remarks = borne_out(parsed, decision, "UL_now")
    assert (applied.signs == "turned", len(remarks)) == (is_turned, 0 if is_turned else 1)


def test_words_of_income_and_of_spending_are_weighed() -> None:
    rows = [ObservedRow(0, "2024-02-13", "SALARY", "-20.00"), ObservedRow(1, "2024-02-14", "Other", "5.00")]
    assert words_contradict(rows)
    assert not words_contradict([ObservedRow(0, "2024-02-13", "SALARY", "20.00")])


def january() -> bytes:
    """A statement whose days could be read both ways, and lie in the month that it states only with the month first."""
    sheet = Sheet()
    sheet.row((DATE, "Bank of Somewhere"), (MONEY, "January 1, 2024 to January 31, 2024", "right"), step=30)
    sheet.row((DATE, "Beginning balance"), (MONEY, "$100.00", "right"), step=16)
    title(sheet, "Deposits and other additions")
    head(sheet)
    for day, text, amount in (("01/02/24", "PAYROLL", "2,500.00"), ("01/05/24", "REFUND", "18.20")):
        entry(sheet, day, amount, text)
    sheet.row((DATE, "Ending balance"), (MONEY, "$2,618.20", "right"), step=16)
    return sheet.pdf()


def test_an_order_of_dates_by_which_rows_leave_the_stated_period_is_no_reading(place: Place) -> None:
    upload_id = place.upload(january(), "january.pdf")
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["statement_from"], row["statement_to"]) == ("2024-01-01", "2024-01-31")
    assert {one["date_order"] for one in place.show(upload_id, "readings")["readings"]} == {None}


def test_days_far_outside_of_the_stated_period_are_in_doubt_whoever_decided_them(place: Place) -> None:
    upload_id = place.upload(january(), "january.pdf")
    place.app.drain()
    patch(place, upload_id, currency="USD", apply=True, reason="of the United States")
    place.app.drain()
    assert (place.app.get(KIND, upload_id)["reconciled"], warned(place, upload_id)) == ("yes", [])
    patch(place, upload_id, date_order="dmy", apply=True, reason="a slip")
    place.app.drain()
    days = [one["date"] for one in place.show(upload_id, "transactions")["transactions"]]
    assert days == ["2024-02-01", "2024-05-01"]
    assert place.app.get(KIND, upload_id)["reconciled"] == "unknown"
    assert "1 row lies outside the statement's period, 2024-01-01 to 2024-01-31" in warned(place, upload_id)
    patch(place, upload_id, date_order="mdy", apply=True, reason="as it was")
    place.app.drain()
    assert (place.app.get(KIND, upload_id)["reconciled"], warned(place, upload_id)) == ("yes", [])
    reasons = [move.reason for move in place.app.ledger.history(KIND, upload_id) if move.reason]
    assert reasons == ["of the United States", "a slip", "as it was"]


def test_an_order_that_was_decided_on_another_file_moves_no_row_out_of_the_period() -> None:
    rows = [ObservedRow(0, "01/02/24", "Thing", "20.00", date_format="mdy")]
    parsed = table("Bramble", warnings=[Remark("open", topic="dates")])
    parsed.rows, parsed.period = rows, (date(2024, 1, 1), date(2024, 1, 31))
    applied, (remark,) = borne_out(parsed, Decision(date_order="dmy"), "UL_now")
    assert (applied.date_order, "outside of the period" in remark.message) == ("", True)
    parsed.period = (None, None)
    applied, remarks = borne_out(parsed, Decision(date_order="dmy"), "UL_now")
    assert (applied.date_order, remarks) == ("dmy", [])
