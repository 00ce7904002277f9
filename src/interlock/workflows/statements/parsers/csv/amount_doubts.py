"""Amounts that a table leaves in doubt: fees that are not read, and columns of money in or out with and without a minus."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from ...parsed import Parsed, Remark, assume
from ..amounts import amount_of, says_direction
from .checks import newest_first
from .lines import Line, Money
from .mapping import Columns, CsvMapping, plain
from .words import ANY_FEE

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
