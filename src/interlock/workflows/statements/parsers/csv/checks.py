"""Holds the rows of a table against the balances that the file itself prints; a mismatch is said, never hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from ...parsed import Balance, Parsed, Remark
from ..amounts import amount_of
from .labels import Summary
from .mapping import CsvMapping
from .steps import Step, follow


CHARGES = re.compile(r"\bcharges?\b", re.IGNORECASE)
"""Only cards have a column of charges; a balance beside it may be what is owed."""


def check_balances(
    parsed: Parsed,
    mapping: CsvMapping,
    steps: dict[str, list[Step]],
    summary: Summary,
    edges: dict[str, str],
    decimal: str,
    account: str,
) -> None:
    """Checked is the block before the table, else the first and last balances, else the running balance; breaks of it are always named."""
    every = [step for group in steps.values() for step in group]
    total = sum((step.value for step in every), Decimal(0))
    beginning, ending = summary.beginning, summary.ending
    if mapping.beginning and "beginning" in edges and "ending" in edges:
        beginning, ending = amount_of(edges["beginning"], decimal), amount_of(edges["ending"], decimal)
    if beginning is not None and ending is not None and len(steps) <= 1:
        parsed.balances.append(Balance(account, beginning, ending, total, sum(step.rows for step in every)))
        _check_totals(parsed, every, summary)
    for key, group in steps.items():
        balance, remark = follow(key, group)
        if remark is not None and any(CHARGES.search(leg.amount) for leg in mapping.legs):
            owed = [replace(step, balance=None if step.balance is None else -step.balance) for step in group]
            other, break_ = follow(key, owed)
            balance, remark = (other, None) if break_ is None else (balance, remark)
        if balance is not None and not (beginning is not None and ending is not None and len(steps) <= 1):
            parsed.balances.append(balance)
        if remark is not None:
            parsed.warnings.append(remark)
    parsed.warnings.extend(
        Remark(_mismatch(balance), topic="balance") for balance in parsed.balances if not balance.agrees
    )


def _mismatch(balance: Balance) -> str:
    where = f" of account {balance.account}" if balance.account else ""
    return f"balances{where} do not agree: beginning {balance.beginning} plus transactions {balance.total} is not ending {balance.ending}"


def _check_totals(parsed: Parsed, every: list[Step], summary: Summary) -> None:
    credits = sum((step.value for step in every if step.value > 0), Decimal(0))
    debits = sum((step.value for step in every if step.value < 0), Decimal(0))
    for name, said, sums in (("credits", summary.credits, credits), ("debits", summary.debits, debits)):
        if said is not None and abs(abs(said) - abs(sums)) > Decimal("0.01"):
            parsed.warnings.append(
                Remark(f"total {name} do not agree: the file says {said}, its rows sum to {sums}")
            )
