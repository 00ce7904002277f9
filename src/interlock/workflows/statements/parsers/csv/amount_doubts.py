"""Amounts that a table leaves in doubt: those without a sign, fees that are not read, and columns of money in or out with and without a
minus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ...parsed import SIGN_IS_GUESSED, Parsed, Remark, assume
from ..amounts import amount_of, says_direction
from .checks import newest_first, signs_by_balance
from .lines import Line, Money
from .mapping import Columns, CsvMapping, Sign, plain
from .words import ANY_FEE, INCOME

if TYPE_CHECKING:
    from .reading import Reading

MOST_KEPT = 100
"""Rows of one kind that are kept to be looked at once all are read."""


def fees_not_read(mapping: CsvMapping, columns: Columns) -> list[str]:
    """The columns of fees that the mapping does not read."""
    read = {plain(leg.amount) for leg in mapping.legs}
    return [name for name in columns.names if ANY_FEE.fullmatch(name) and name not in read]


def note_sign(reading: Reading, money: Money) -> None:
    """Keep whether an amount in a column of money in or of money out has a minus, unless CR or DR stands beside it."""
    if money.leg.flow not in ("in", "out") or money.leg.only_if_not_zero or not money.value:
        return
    if not says_direction(money.text, reading.decisions.decimal):
        rows = reading.printed.setdefault(money.leg, {True: [], False: []})[money.value * money.sign > 0]
        if len(rows) < MOST_KEPT:
            rows.append(reading.next_id)


def note_fees(reading: Reading, line: Line) -> None:
    """Keep a row with a fee that is not read; not where a third number of its line, or the price of what was traded, shows that the fee
    is part of the amount."""
    if reading.mapping.layout != "generic" or not reading.unread_fees:
        return
    decimal = reading.decisions.decimal
    for name in reading.unread_fees:
        fee = abs(amount_of(reading.table.columns.cell(line.cells, name), decimal) or Decimal(0))
        amounts = {abs(money.value) for money in line.money}
        if not fee or not amounts:
            continue
        others = {
            abs(value) for cell in line.cells if cell and (value := amount_of(cell, decimal)) is not None
        }
        others |= {abs(quantity * price) for quantity, price in _trades(reading, line)}
        whole = {one + sign * fee for one in amounts for sign in (1, -1)}
        rows = reading.fees.setdefault(name, [])
        if whole.isdisjoint(others - amounts - {fee}) and len(rows) < MOST_KEPT:
            rows.append(reading.next_id - 1)


def _trades(reading: Reading, line: Line) -> Iterator[tuple[Decimal, Decimal]]:
    """Quantity and price of a trade."""
    columns, decimal = dict(reading.mapping.trade), reading.decisions.decimal
    values = [
        amount_of(reading.table.columns.cell(line.cells, columns.get(name, "")), decimal)
        for name in ("quantity", "price")
    ]
    if values[0] is not None and values[1] is not None:
        yield values[0], values[1]


def doubt_fees(reading: Reading, *, is_stated: bool) -> None:
    """Say where fees are not read and no balance shows that they are part of the amounts."""
    for name, charged in reading.fees.items():
        tested = set(charged) - (set() if is_stated else _oldest(reading))
        if charged and not (tested and is_covered(reading.parsed)):
            number = f"{len(charged)} row{'s have' if len(charged) > 1 else ' has'}"
            reading.parsed.warnings.append(
                Remark(
                    f"{number} a fee in the column “{name}” that is not read; it may not be part of the amount"
                )
            )


def doubt_mixed_signs(reading: Reading, *, is_stated: bool) -> None:
    """Say where a column of money in or of money out has amounts with and without a minus, and balances do not prove those of either."""
    for leg, printed in reading.printed.items():
        if not all(printed.values()):
            continue
        untested = set() if is_stated else _oldest(reading)
        are_both_tested = all(set(row_ids) - untested for row_ids in printed.values())
        if not (are_both_tested and is_covered(reading.parsed)):
            assume(
                reading.parsed,
                f"the column “{leg.amount}” has amounts with a minus and without, and nothing shows which of them go the other way",
                "signs",
            )


def _oldest(reading: Reading) -> set[int]:
    """The oldest row of each account: no balance stands before it, so that its own balance does not check its amount."""
    oldest = set()
    for steps in reading.steps.values():
        ordered = reversed(steps) if newest_first(steps) else steps
        first = next((step.row_id for step in ordered if step.row_id is not None), None)
        oldest |= set() if first is None else {first}
    return oldest


def is_covered(parsed: Parsed) -> bool:
    """Whether balances lead to each other to the cent and cover all rows."""
    covered = sum(one.rows for one in parsed.balances if one.proves and one.agrees and not one.difference)
    return covered >= len(parsed.rows) and all(one.agrees for one in parsed.balances)


def sign_by_balance(reading: Reading) -> None:
    """Amounts printed without sign get it from the balance beside them; the first row, which has none before it, from the words."""
    if not any(leg.flow == "balance" for leg in reading.mapping.legs):
        return
    told: dict[int, Sign] = {}
    for steps in reading.steps.values():
        told.update(signs_by_balance(steps))
    for place, row in enumerate(reading.parsed.rows):
        sign, sure = (told[row.row_id], True) if row.row_id in told else _sign_by_words(row.description)
        warnings = row.warnings if sure else (*row.warnings, SIGN_IS_GUESSED)
        reading.parsed.rows[place] = replace(row, sign=sign, warnings=warnings)
        told[row.row_id] = sign
    for steps in reading.steps.values():
        for step in steps:
            step.value *= told.get(step.row_id, 1) if step.row_id is not None else 1


def doubt_first_sign(reading: Reading, *, is_stated: bool) -> None:
    """Where no amount of the only column has a minus, balances prove that all go the same way, and not which: what an account has rises
    by money in as what is owed does by money out. Words that name income decide it, but not for the oldest row: no balance stands before
    it, so that only its own words or a stated beginning tell its way."""
    legs = reading.mapping.legs
    if reading.mapping.layout != "generic" or len(legs) != 1 or legs[0].flow not in ("printed", "inverted"):
        return
    rows = reading.parsed.rows
    for steps in reading.steps.values():
        signs = {step.value > 0 for step in steps if step.value}
        unsigned = not any(set("-−(") & set(row.amount) for row in rows)
        income = {row.row_id for row in rows if INCOME.search(row.description)}
        ordered = reversed(steps) if newest_first(steps) else steps
        oldest = next((step.row_id for step in ordered if step.row_id is not None), None)
        is_income = signs == {True} and bool(income) and (is_stated or oldest in income)
        has_balances = is_stated or any(step.balance is not None for step in steps)
        if len(signs) == 1 and unsigned and has_balances and not is_income:
            assume(
                reading.parsed,
                "no amount has a sign, and no balance shows which way all of them went",
                "signs",
            )


def _sign_by_words(description: str) -> tuple[Sign, bool]:
    words = description.casefold()
    if any(
        word in words
        for word in (
            "deposit",
            "payroll",
            "salary",
            "interest paid",
            "refund",
            "credit",
            "gutschrift",
            "gehalt",
            "abono",
            "virement reçu",
        )
    ):
        return 1, True
    return -1, any(
        word in words
        for word in ("withdraw", "purchase", "debit", "fee", "payment to", "lastschrift", "check ", "atm")
    )
