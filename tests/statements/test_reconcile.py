"""Whether the rows of a file are proved by its own balances: yes, no or unknown, and why."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from interlock.workflows.statements.doubt.reconcile import facts_of, judge
from interlock.workflows.statements.parsed import Balance, ObservedRow, Parsed, Remark, RowError

from .reading import read

ROWS = [
    ObservedRow(0, "2024-01-05", "SHOP", "-10.00", account="1"),
    ObservedRow(1, "2024-01-06", "PAY", "30.00", account="1"),
]


def parsed(*balances: Balance, rows: list[ObservedRow] | None = None, **more: object) -> Parsed:
    made = Parsed("p", "1", "csv", "text/csv", rows=ROWS if rows is None else rows, balances=list(balances))
    for name, value in more.items():
        setattr(made, name, value)
    return made


def balance(ending: str = "120", rows: int = 2, proves: bool = True, beginning: str = "100") -> Balance:
    return Balance("1", Decimal(beginning), Decimal(ending), Decimal(20), rows, proves)


def test_balances_that_prove_every_row_are_a_yes() -> None:
    assert judge(parsed(balance())).reconciled == "yes"
    assert judge(parsed(balance())).remarks == []


@pytest.mark.parametrize(
    ("made", "reconciled", "why"),
    [
        (parsed(balance("120.02")), "no", ""),
        (parsed(balance(), errors=[RowError("AMOUNT_UNPARSABLE", "?", 2)]), "no", ""),
        (parsed(), "unknown", "no balances"),
        (parsed(balance(rows=1)), "unknown", "1 of 2 rows"),
        (parsed(balance(proves=False)), "unknown", "no balances"),
        (parsed(balance(), assumptions=[Remark("USD is assumed")]), "unknown", "USD is assumed"),
        (parsed(balance(), warnings=[Remark("odd")]), "unknown", "odd"),
        (parsed(balance(), warnings=[Remark("by the way", severity="info")]), "yes", "by the way"),
        (
            parsed(balance(), rows=[ROWS[0], ObservedRow(1, "d", "x", "1", "EUR", account="1")]),
            "unknown",
            "EUR, USD",
        ),
        (
            parsed(
                balance(), rows=[ROWS[0], ObservedRow(1, "d", "x", "1", account="1", warnings=("odd sign",))]
            ),
            "unknown",
            "odd sign",
        ),
        (parsed(rows=[]), "unknown", "no balances"),
        (parsed(rows=[], is_stated_empty=True), "yes", ""),
        (parsed(Balance("1", Decimal(5), Decimal(5), Decimal(0)), rows=[]), "yes", ""),
    ],
)
def test_whatever_is_not_proved_is_not_a_yes_and_the_reason_is_there(
    made: Parsed, reconciled: str, why: str
) -> None:
    judgement = judge(made)
    assert judgement.reconciled == reconciled
    assert why in "\n".join(remark.message for remark in judgement.remarks)


def test_a_layout_that_was_inferred_needs_proof_and_a_known_one_only_lacks_it() -> None:
    assert judge(parsed()).warnings == 0
    assert judge(parsed(layout_is_inferred=True)).warnings == 1


def test_the_facts_are_those_of_the_only_account_and_currency() -> None:
    made = parsed(balance(), institution="Orchard Bank", period=(date(2024, 1, 1), date(2024, 1, 31)))
    facts = facts_of(made, judge(made))
    assert facts == {
        "reconciled": "yes",
        "opening_balance": "100",
        "closing_balance": "120",
        "statement_from": "2024-01-01",
        "statement_to": "2024-01-31",
        "currency": "USD",
        "account": "1",
        "account_type": None,
        "institution": "Orchard Bank",
        "rows_skipped": 0,
        "warnings_count": 0,
    }
    two = parsed(rows=[ROWS[0], ObservedRow(1, "d", "x", "1", "EUR", account="2")])
    assert [facts_of(two, judge(two))[name] for name in ("currency", "account")] == [None, None]
    assert facts_of(two, judge(two), account="Joint")["account"] == "Joint"


def test_one_row_beside_one_running_balance_proves_nothing() -> None:
    head = "Date,Description,Amount (GBP),Balance (GBP)\n"
    one = read(head + "13/04/2024,Cafe,-60.00,940.00\n")
    two = read(head + "13/04/2024,Cafe,-60.00,940.00\n14/04/2024,Pay,100.00,1040.00\n")
    assert (judge(one).reconciled, judge(two).reconciled) == ("unknown", "yes")
