"""Columns that mislead, what stands before and below a table, and what a row keeps beside its amount."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interlock.workflows.statements.doubt.reconcile import facts_of, judge
from interlock.workflows.statements.normalize.normalizing import normalize
from interlock.workflows.statements.parsed import ParseFault
from interlock.workflows.statements.rules import builtin_rules

from ..reading import TODAY, money, read, rows, said

EMPTY_AMOUNT = """\
Date,Description,Amount,Debit,Credit,Currency,Balance
13/04/2024,Cafe,,60.00,,GBP,940.00
14/04/2024,Employer,,,1000.00,GBP,1940.00
"""
PREAMBLE = """\
Hang Seng Bank,,
Account number:,123-456789-882,
Currency:,HKD,
Opening balance,,100.00
Closing balance,,145.00

Date,Details,Amount
13/04/2024,Cafe,-5.00
14/04/2024,Employer,50.00
,Account Total,45.00
"""
ACTION = """\
Date\tReference\tAction\tAmount\tType\tCategory\tCurrency
2024-04-13\tR10000001\tBought a coffee\t5.00\tDEBIT\tEating out\tEUR
2024-04-14\tR10000002\tPaid by ORCHARD LABS\t50.00\tCREDIT\tPay\tEUR
"""


def test_an_empty_amount_column_never_beats_filled_debits_and_credits() -> None:
    parsed = read(EMPTY_AMOUNT)
    assert rows(parsed) == [("2024-04-13", "Cafe", "-60.00"), ("2024-04-14", "Employer", "1000.00")]
    assert judge(parsed).reconciled == "yes"


def test_currency_account_and_bank_are_read_from_before_the_table_and_a_total_below_it_is_skipped() -> None:
    parsed = read(PREAMBLE)
    facts = facts_of(parsed, judge(parsed))
    assert rows(parsed) == [("2024-04-13", "Cafe", "-5.00"), ("2024-04-14", "Employer", "50.00")]
    assert {name: facts[name] for name in ("reconciled", "currency", "account", "institution")} == {
        "reconciled": "yes",
        "currency": "HKD",
        "account": "123-456789-882",
        "institution": "Hang Seng Bank",
    }
    assert (facts["opening_balance"], facts["closing_balance"]) == ("100.00", "145.00")
    assert "USD" not in said(parsed)


def test_an_action_describes_where_nothing_better_does_and_reference_and_category_are_kept() -> None:
    parsed = read(ACTION)
    assert [(row.reference, row.source_category) for row in parsed.rows] == [
        ("R10000001", "Eating out"),
        ("R10000002", "Pay"),
    ]
    assert ["Bought a coffee" in parsed.rows[0].description, len(parsed.rows)] == [True, 2]
    assert [amount for _, _, amount in rows(parsed)] == ["-5.00", "50.00"]


def test_dated_lines_without_any_amount_are_a_fault_and_not_an_empty_statement() -> None:
    head = "Date,Description,Amount,Balance\n"
    with pytest.raises(ParseFault, match="2 lines with a date") as fault:
        read(head + "13/04/2024,Cafe,,940.00\n14/04/2024,Pay,,1940.00\n")
    assert fault.value.code == "LAYOUT_MISMATCH"
    empty = read(head)
    assert (empty.rows, empty.is_stated_empty) == ([], True)


def test_trades_keep_symbol_quantity_and_price_and_those_without_cash_are_no_transactions() -> None:
    parsed = read(
        "Date,Action,Symbol,Quantity,Price,Amount\n"
        "01/15/2024,Buy,ORCH,2,$25.00,-$50.00\n01/16/2024,Journaled Shares,ORCH,5,,\n01/17/2024,Wire received,,,,$100.00\n"
    )
    assert [(row.kind, dict(row.trade).get("symbol", "")) for row in parsed.rows] == [
        ("trade", "ORCH"),
        ("position", "ORCH"),
        ("cash", ""),
    ]
    assert dict(parsed.rows[0].trade) == {
        "action": "Buy",
        "symbol": "ORCH",
        "quantity": "2",
        "price": "$25.00",
    }
    assert parsed.errors == []
    made = normalize("UL_a", parsed.rows, builtin_rules(), today=TODAY, at=datetime(2030, 1, 1, tzinfo=UTC))
    assert ([one.amount for one in made.canonicals], made.failures) == (["-50.00", "100.00"], [])


def test_each_amount_is_in_the_currency_of_its_own_sign() -> None:
    parsed = read(
        "Date,Description,Debit,Credit\n2025-03-13,a,£1.00,\n2025-03-14,b,€2.00,\n2025-03-15,c,,€3.00\n"
    )
    assert [(f"{money(row)}", row.currency) for row in parsed.rows] == [
        ("-1.00", "GBP"),
        ("-2.00", "EUR"),
        ("3.00", "EUR"),
    ]


def test_a_dollar_beside_other_signs_is_in_doubt_and_one_balance_for_all_of_them_proves_nothing() -> None:
    parsed = read(
        "Date,Description,Amount,Balance\n2025-03-13,a,-$1.00,$99.00\n2025-03-14,b,-€2.00,€97.00\n2025-03-15,c,£3.00,£100.00\n"
    )
    assert [row.currency for row in parsed.rows] == ["USD", "EUR", "GBP"]
    judged = judge(parsed)
    assert judged.reconciled == "unknown"
    messages = [one.message for one in judged.remarks if one.severity == "warning"]
    assert any("USD is assumed for it" in message for message in messages)
    assert any("one balance for all of them" in message for message in messages)


@pytest.mark.parametrize(("symbol", "code"), [("$", "MXN"), ("kr", "SEK"), ("Rs.", "INR"), ("$", "JMD")])
def test_a_sign_that_the_stated_currency_has_too_changes_nothing(symbol: str, code: str) -> None:
    parsed = read(
        f"Currency: {code}\nDate,Description,Amount\n2025-03-13,a,-{symbol}1.00\n2025-03-14,b,{symbol}2.00\n"
    )
    assert {row.currency for row in parsed.rows} == {code}
