"""A paper of several accounts: each row has the number under whose heading it stands, and each account its own balances."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import Sheet

FIRST = (("03/13/2025", "Baker", "-10.00"), ("100.00", "90.00"))
SECOND = (("03/14/2025", "Employer", "20.00"), ("500.00", "520.00"))


def paper(
    *headings: str, parts: tuple[tuple[tuple[str, str, str], tuple[str, str]], ...] = (FIRST, SECOND)
) -> Sheet:
    made = Sheet()
    made.row((40, "Northwind Bank, Richmond, VA 23285, United States"), step=16)
    made.row((40, "Statement period 01 March 2025 to 31 March 2025"), step=30)
    for heading, (row, (opening, closing)) in zip(headings, parts, strict=True):
        made.row((40, heading), step=14)
        made.row((40, f"Opening balance USD {opening}"), step=14)
        made.row((40, f"Closing balance USD {closing}"), step=22)
        made.row((40, "Date"), (120, "Description"), (450, "Amount", "right"))
        made.row((40, row[0]), (120, row[1]), (450, row[2], "right"), step=36)
    return made


def read(made: Sheet) -> Parsed:
    return GenericPdf().parse(Document("s.pdf", made.pdf()))


def warned(parsed: Parsed) -> str:
    return "\n".join(remark.message for remark in judge(parsed).remarks if remark.severity == "warning")


@pytest.mark.parametrize(
    ("headings", "numbers"),
    [
        (("Checking account number: 12345678", "Savings account number: 87654321"), ("12345678", "87654321")),
        (("Checking account number: 12345678", "Savings account number: 99995678"), ("12345678", "99995678")),
        (("Card number **** **** **** 1111", "Card number **** **** **** 2222"), ("1111", "2222")),
        (("Everyday 38-9004-0447110-00", "Online Call 38-9004-0447110-02"), ("0447110-00", "0447110-02")),
        (("Compte Courant n° 11 447 82 F 037", "Livret A n° 0 447 109 332 K"), ("82 F 037", "332 K")),
    ],
)
def test_rows_have_the_account_under_whose_heading_they_stand(
    headings: tuple[str, str], numbers: tuple[str, str]
) -> None:
    parsed = read(paper(*headings))
    assert [row.amount for row in parsed.rows] == ["-10.00", "20.00"]
    for row, balance, number in zip(parsed.rows, parsed.balances, numbers, strict=True):
        assert row.account.endswith(number)
        assert balance.account == row.account
    assert [(f"{one.beginning}", f"{one.ending}") for one in parsed.balances] == [FIRST[1], SECOND[1]]
    assert (judge(parsed).reconciled, parsed.account_type) == ("yes", "")


def test_a_members_accounts_are_known_by_their_short_codes() -> None:
    made = Sheet()
    made.row((40, "REDWOOD FEDERAL CREDIT UNION   Member Number: 441234"), step=16)
    made.row((40, "Statement Period 01/01/2025 to 01/31/2025"), step=30)
    parts = (
        ("S01 PRIMARY SHARE", "25.00", "-5.00", "20.00"),
        ("S10 FREE CHECKING", "50.00", "7.00", "57.00"),
    )
    for heading, opening, amount, closing in parts:
        made.row((40, heading))
        made.row((40, "Date"), (110, "Description"), (450, "Amount", "right"), (550, "Balance", "right"))
        made.row((40, "01/01"), (110, "Beginning Balance"), (550, opening, "right"))
        made.row((40, "01/20"), (110, "Grocer"), (450, amount, "right"), (550, closing, "right"))
        made.row((40, "01/31"), (110, "Ending Balance"), (550, closing, "right"), step=24)
    parsed = read(made)
    assert [(row.account, row.amount) for row in parsed.rows] == [
        ("441234 S01", "-5.00"),
        ("441234 S10", "7.00"),
    ]
    assert judge(parsed).reconciled == "yes"


def test_balances_of_several_accounts_without_numbers_are_in_doubt() -> None:
    parsed = read(paper("Your first pot", "Your second pot"))
    assert [row.amount for row in parsed.rows] == ["-10.00", "20.00"]
    assert judge(parsed).reconciled == "unknown"
    assert "balances of several accounts stand under one number or none" in warned(parsed)


def test_a_number_in_a_description_begins_no_account() -> None:
    made = paper("Account number: 12345678", parts=((FIRST[0], ("100.00", "110.00")),))
    made.y -= 24
    made.row((120, "to account 87654321"), step=12)
    made.row((40, "03/15/2025"), (120, "Employer"), (450, "20.00", "right"))
    parsed = read(made)
    assert {row.account for row in parsed.rows} == {"12345678"}
    assert judge(parsed).reconciled == "yes"


def test_a_summary_of_all_accounts_is_not_the_beginning_of_the_first() -> None:
    made = Sheet()
    made.row((40, "Harbour Credit Union, routing number 256074974"), step=16)
    made.row((40, "Statement Period 04/06/23 - 05/05/23"), step=24)
    made.row((240, "Previous Balance"), (470, "Ending Balance"))
    made.row((40, "Savings"), (300, "$4,410.21", "right"), (540, "$4,310.21", "right"))
    made.row((40, "3081174402"), step=16)
    made.row((40, "Checking"), (300, "$388.40", "right"), (540, "$488.40", "right"))
    made.row((40, "7044182236"), step=24)
    parts = (
        ("Checking - 7044182236", "388.40", "100.00", "488.40"),
        ("Savings - 3081174402", "4,410.21", "100.00-", "4,310.21"),
    )
    for heading, opening, amount, closing in parts:
        made.row((40, heading))
        made.row(
            (40, "Date"),
            (110, "Transaction Detail"),
            (450, "Amount($)", "right"),
            (550, "Balance($)", "right"),
        )
        made.row((40, "04-06"), (110, "Beginning Balance"), (550, opening, "right"))
        made.row((40, "04-15"), (110, "Transfer"), (450, amount, "right"), (550, closing, "right"))
        made.row((40, "05-05"), (110, "Ending Balance"), (550, closing, "right"), step=24)
    parsed = read(made)
    assert [(row.account, row.amount) for row in parsed.rows] == [
        ("7044182236", "100.00"),
        ("3081174402", "100.00-"),
    ]
    assert [balance.agrees for balance in parsed.balances] == [True, True]
    assert judge(parsed).reconciled == "yes"


def test_a_paper_whose_first_rows_are_missing_does_not_agree_with_its_summary() -> None:
    made = Sheet()
    made.row((40, "Harbour Bank, routing number 256074974"), step=16)
    made.row((40, "Statement Period 04/06/23 - 05/05/23"), step=24)
    made.row((40, "Beginning balance  $100.00"))
    made.row((40, "Ending balance  $500.00"), step=24)
    made.row((40, "Checking - 7044182236"))
    made.row((40, "Date"), (110, "Transaction"), (450, "Amount($)", "right"), (550, "Balance($)", "right"))
    made.row((40, "04-10"), (110, "Balance brought forward"), (550, "300.00", "right"))
    made.row((40, "04-15"), (110, "Transfer"), (450, "100.00", "right"), (550, "400.00", "right"))
    made.row((40, "04-16"), (110, "Transfer"), (450, "100.00", "right"), (550, "500.00", "right"))
    parsed = read(made)
    assert [row.amount for row in parsed.rows] == ["100.00", "100.00"]
    assert judge(parsed).reconciled == "no"


@pytest.mark.parametrize("first", ["", "Opening balance USD 600.00", "Opening balance USD 100.00"])
def test_rows_under_two_numbers_with_one_balance_have_their_numbers_and_are_in_doubt(first: str) -> None:
    made = Sheet()
    made.row((40, "Northwind Bank, Richmond, VA 23285, United States"), step=16)
    made.row((40, "Statement period 01 March 2025 to 31 March 2025, all amounts in USD"), step=20)
    made.row((40, "Primary account number: 12345678"), step=16)
    if first:
        made.row((40, first), step=14)
        made.row((40, first.replace("Opening", "Closing").replace("00.00", "10.00")), step=24)
    for heading, row in (
        ("Checking account number: 12345678", FIRST[0]),
        ("Savings account number: 87654321", SECOND[0]),
    ):
        made.row((40, heading), step=14)
        made.row((40, "Date"), (120, "Description"), (450, "Amount", "right"))
        made.row((40, row[0]), (120, row[1]), (450, row[2], "right"), step=36)
    parsed = read(made)
    assert [(row.account, row.amount) for row in parsed.rows] == [
        ("12345678", "-10.00"),
        ("87654321", "20.00"),
    ]
    assert judge(parsed).reconciled == "unknown"
    assert "rows under the headings of 12345678 and 87654321" in warned(parsed)
