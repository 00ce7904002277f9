# ruff: noqa: E501 tables stay as long as the banks write them
"""Columns of balances and states that a known bank's table has beside those of its layout are read too."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.reading import money, read, said

PAYPAL = (
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Balance"\n'
    "05/01/2023,10:00:00,PDT,Bob,Payment,Completed,USD,-10.00,0.00,-10.00,a,b,1,90.00\n"
    "05/02/2023,10:00:00,PDT,Sale,Payment,Completed,USD,100.00,-3.20,96.80,a,b,2,186.80\n"
    "05/13/2023,10:00:00,PDT,Sale,Payment,Completed,USD,50.00,-1.20,48.80,a,b,3,{}\n"
)
CHASE = (
    "Transaction Date,Post Date,Description,Category,Type,Amount,Balance\n"
    "03/04/2025,03/04/2025,SHOP,food,Sale,-4.00,{}\n03/16/2025,03/16/2025,PAY,x,Payment,500.00,{}\n"
)


@pytest.mark.parametrize(
    ("text", "bank", "reconciled"),
    [
        (PAYPAL.format("235.60"), "PayPal", "yes"),
        (PAYPAL.format("486.80"), "PayPal", "no"),
        (CHASE.format("96.00", "596.00"), "Chase", "yes"),
        (CHASE.format("104.00", "-396.00"), "Chase", "yes"),
        (CHASE.format("96.00", "1000.00"), "Chase", "no"),
    ],
)
def test_balances_beside_the_rows_of_a_known_bank_are_held_against_them(
    text: str, bank: str, reconciled: str
) -> None:
    parsed = read(text)
    assert (parsed.institution, judge(parsed).reconciled) == (bank, reconciled), said(parsed)
    assert bool(judge(parsed).warnings) == (reconciled == "no")


def test_a_balance_that_counts_lines_which_are_left_out_is_a_doubt_and_contradicts_nothing() -> None:
    held = "05/12/2023,10:00:00,PDT,,Account Hold,Completed,USD,-251.20,0.00,-251.20,a,b,4,435.60\n05/13"
    parsed = read(PAYPAL.format("486.80").replace("05/13", held))
    assert [f"{money(row)}" for row in parsed.rows] == ["-10.00", "96.80", "48.80"]
    assert judge(parsed).reconciled == "unknown"
    assert "“balance” does not follow" in said(parsed)


STATES = ["Declined", "Cancelled", "Failed", "Voided", "Pending", "Rejected"]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "text",
    [
        "Status,Date,Description,Debit,Credit\nCleared,03/14/2025,SHOP,4.00,\n{},03/15/2025,HOTEL,500.00,\n",
        "Date,Description,Amount,Check #,Status\n03/14/2025,SHOP,-4.00,,Posted\n03/15/2025,HOTEL,-500.00,,{}\n",
        "Transaction Date,Post Date,Description,Category,Type,Amount,Status\n03/14/2025,03/14/2025,SHOP,food,Sale,-4.00,Posted\n03/15/2025,03/15/2025,HOTEL,x,Sale,-500.00,{}\n",
        "Trans. Date,Post Date,Description,Amount,Category,Status\n03/14/2025,03/14/2025,SHOP,4.00,food,Posted\n03/15/2025,03/15/2025,HOTEL,500.00,x,{}\n",
    ],
    ids=["citi", "wells fargo", "chase", "discover"],
)
def test_rows_that_a_known_bank_did_not_book_are_no_transactions(text: str, state: str) -> None:
    parsed = read(text.format(state))
    assert parsed.source_type != "csv"
    assert [f"{money(row)}" for row in parsed.rows] == ["-4.00"]
    assert parsed.rows_skipped == 1


def test_a_state_that_is_not_known_is_said_of_a_known_bank_too() -> None:
    parsed = read(
        "Status,Date,Description,Debit,Credit\nCleared,03/14/2025,SHOP,4.00,\nUnder review,03/15/2025,HOTEL,500.00,\n"
    )
    assert parsed.institution == "Citi"
    assert "rows with the state Under review are taken as booked" in said(parsed)
    assert judge(parsed).warnings
