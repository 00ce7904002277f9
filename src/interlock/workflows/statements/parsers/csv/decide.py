"""Decides from a table's first rows what its mapping leaves open: decimal mark, order of dates, which way a column's sign goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..amounts import amount_of, decimal_mark
from ..dates import shown_order
from .columns import Columns
from .mapping import CsvMapping, Leg
from .split import Row

Sign = Literal[1, -1]


@dataclass(frozen=True, slots=True)
class Decisions:
    decimal: str
    order: str
    order_is_a_guess: bool
    signs: tuple[Sign, ...]


def decide(mapping: CsvMapping, columns: Columns, sample: Sequence[Row]) -> Decisions:
    decimal = mapping.decimal or decimal_mark(
        text
        for row in sample
        for name in (*(leg.amount for leg in mapping.legs), mapping.balance)
        if (text := columns.cell(row.cells, name))
    )
    texts = [text for row in sample if (text := columns.cell(row.cells, mapping.date))]
    order, guess = shown_order(texts, mapping.dates)
    return Decisions(
        decimal, order, guess, tuple(_sign(leg, columns, sample, decimal) for leg in mapping.legs)
    )


def _sign(leg: Leg, columns: Columns, sample: Sequence[Row], decimal: str) -> Sign:
    if leg.flow in ("printed", "balance"):
        return 1
    if leg.flow == "inverted":
        return -1
    negative = _mostly_negative(leg, columns, sample, decimal)
    if leg.flow == "in":
        return (
            -1 if negative else 1
        )  # some exports print a minus in the credit column; the column's name is what counts
    return 1 if negative else -1


def _mostly_negative(leg: Leg, columns: Columns, sample: Sequence[Row], decimal: str) -> bool:
    balance = 0
    for row in sample:
        text = columns.cell(row.cells, leg.amount)
        if text and columns.holds(row.cells, leg.when):
            value = amount_of(text, decimal)
            balance += 0 if not value else 1 if value > 0 else -1
    return balance < 0
