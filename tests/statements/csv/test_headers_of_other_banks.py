# ruff: noqa: E501 tables stay as long as the banks write them
"""A header of words that any bank uses, with more or other columns, or with another currency, is not that of a known bank."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.reading import day, money, read

ABROAD = {
    "Citi": "Date,Description,Debit,Credit,Status,Currency\n03/04/2025,LIDL,4.00,,Posted,EUR\n05/06/2025,PAY,,500.00,Posted,EUR\n",
    "Citi in its order": "Status,Date,Description,Debit,Credit,Currency,Account\nCleared,03/04/2025,LIDL,4.00,,EUR,DE89370400440532013000\nCleared,05/06/2025,SIXT,,500.00,EUR,DE89370400440532013000\n",
    "Chase": "Transaction Date,Post Date,Description,Category,Type,Amount,Currency\n03/04/2025,03/04/2025,LIDL,food,Sale,-4.00,EUR\n05/06/2025,05/06/2025,PAY,x,Payment,500.00,EUR\n",
    "Discover": "Trans Date,Post Date,Description,Amount,Category,Currency\n03/04/2025,03/04/2025,LIDL,-4.00,food,EUR\n05/06/2025,05/06/2025,REFUND,500.00,x,EUR\n",
    "Wells Fargo": "Date,Description,Amount,Check Number,Status,Currency\n03/04/2025,LIDL,-4.00,,Posted,EUR\n05/06/2025,PAY,500.00,,Posted,EUR\n",
    "American Express": "Date,Description,Card Member,Amount,Currency\n03/04/2025,LIDL,J DOE,-4.00,EUR\n05/06/2025,SALARY,J DOE,500.00,EUR\n",
    "Bank of America": "Date,Description,Amount,Running Bal.,Currency\n03/04/2025,LIDL,-4.00,96.00,EUR\n05/06/2025,PAY,500.00,596.00,EUR\n",
    "Bank of America card": "Posted Date,Reference Number,Payee,Address,Amount,Currency\n03/04/2025,1,LIDL,x,-4.00,EUR\n05/06/2025,2,PAY,x,500.00,EUR\n",
    "Ally": "Date,Time,Type,Description,Amount,Currency\n03/04/2025,10:00,Card,COFFEE,-4.00,EUR\n05/06/2025,11:00,Transfer,PAY,500.00,EUR\n",
    "Ally with balances": "Date,Time,Type,Description,Amount,Balance,Currency\n03/04/2025,10:00,Card,COFFEE,-4.00,96.00,EUR\n05/06/2025,11:00,Transfer,PAY,500.00,596.00,EUR\n",
    "Nubank": "Date,Category,Title,Amount,Currency\n03/04/2025,food,COFFEE,-4.00,EUR\n05/06/2025,x,PAY,500.00,EUR\n",
}  # fmt: skip


@pytest.mark.parametrize("text", ABROAD.values(), ids=ABROAD)
def test_a_table_that_states_another_currency_is_no_bank_of_this_one(text: str) -> None:
    parsed = read(text)
    assert [(f"{money(row)}", row.currency) for row in parsed.rows] == [("-4.00", "EUR"), ("500.00", "EUR")]
    assert parsed.institution == ""
    assert parsed.source_type == "csv"
    judged = judge(parsed)
    assert judged.reconciled == "unknown"
    assert "dates" in {remark.topic for remark in judged.remarks if remark.severity == "warning"}


@pytest.mark.parametrize(
    "text",
    [
        "Date,Description,Debit,Credit,Status\n03/04/2025,LIDL,4.00,,Posted\n05/06/2025,PAY,,500.00,Posted\n",
        "Status,Date,Description,Debit,Credit,Fee\nPosted,03/04/2025,LIDL,4.00,,0.50\nPosted,05/06/2025,PAY,,500.00,0.00\n",
        "Date,Time,Type,Description,Amount,Balance\n03/04/2025,10:00,Card,COFFEE,-4.00,96.00\n05/06/2025,11:00,Transfer,PAY,500.00,596.00\n",
    ],
)
def test_common_names_in_another_order_or_among_others_prove_no_order_of_dates(text: str) -> None:
    parsed = read(text)
    assert parsed.institution == ""
    assert {"dates", "currency"} <= {remark.topic for remark in judge(parsed).remarks}


@pytest.mark.parametrize(
    ("bank", "text"),
    [
        ("Citi", "Status,Date,Description,Debit,Credit,Member Name\nCleared,03/14/2025,LIDL,4.00,,J\n"),
        ("Chase", "Transaction Date,Post Date,Description,Category,Type,Amount,Currency\n03/04/2025,03/04/2025,SHOP,food,Sale,-4.00,USD\n"),
        ("Ally Bank", "Date, Time, Amount, Type, Description\n2025-03-04,10:00,-4.00,Withdrawal,SHOP\n2025-03-05,10:00,14.00,Deposit,PAY\n"),
    ],
)  # fmt: skip
def test_the_banks_own_header_is_still_known(bank: str, text: str) -> None:
    parsed = read(text)
    assert (parsed.institution, {row.currency for row in parsed.rows}) == (bank, {"USD"})


def test_a_currency_that_rows_state_wins_over_that_of_a_bank_which_a_person_named() -> None:
    parsed = read(ABROAD["Chase"], source_type="chase_csv")
    assert {row.currency for row in parsed.rows} == {"EUR"}
    assert [day(row) for row in parsed.rows] == ["2025-03-04", "2025-05-06"]


@pytest.mark.parametrize(
    "text",
    [
        "Status,Date,Description,Debit,Credit\nCleared,03/04/2025,LIDL,€4.00,\nCleared,05/06/2025,PAY,,€500.00\n",
        "Transaction Date,Post Date,Description,Category,Type,Amount\n03/04/2025,03/04/2025,LIDL,food,Sale,-€4.00\n05/06/2025,05/06/2025,PAY,x,Payment,€500.00\n",
    ],
)
def test_signs_of_another_currency_beside_the_amounts_are_another_banks(text: str) -> None:
    parsed = read(text)
    assert (parsed.institution, {row.currency for row in parsed.rows}) == ("", {"EUR"})
    assert "dates" in {remark.topic for remark in judge(parsed).remarks}


@pytest.mark.parametrize(
    "text",
    [
        "Status,Date,Description,Debit,Credit\nCleared,25/04/2025,LIDL,4.00,\nCleared,26/06/2025,PAY,,500.00\n",
        "Date,Time,Amount,Type,Description\n25/03/2025,10:00,-4.00,Withdrawal,SHOP\n26/03/2025,10:00,500.00,Deposit,PAY\n",
    ],
)
def test_days_that_a_bank_does_not_write_so_are_another_banks(text: str) -> None:
    parsed = read(text)
    assert parsed.institution == ""
    assert [f"{money(row)}" for row in parsed.rows] == ["-4.00", "500.00"]
    assert day(parsed.rows[0])[5:] in ("03-25", "04-25")
