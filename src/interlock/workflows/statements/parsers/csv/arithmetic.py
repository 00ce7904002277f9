"""Finds columns by what they add up to: an amount, or money out and money in, that leads from each balance to the next."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from ..amounts import amount_of
from ..dates import likeliest_order, read_date

MARKS = (".", ",")
FEWEST, MOST_COLUMNS, MOST_ROWS = 3, 7, 200
Values = list[Decimal | None]


def amount_to_balance(
    numbers: Sequence[int], date: int, body: Sequence[Sequence[str]]
) -> tuple[int, int] | None:
    """The column of amounts and that of the balance after each row. −1 where the balance stands before the row, which the days of the
    rows prove; None where nothing adds up."""
    for columns in _columns(numbers, body):
        for amount, balance in permutations(numbers, 2):
            moves, ends = columns[amount], columns[balance]
            if not any(moves) or not all(value is not None for value in (*moves, *ends)):
                continue
            if _leads(moves, ends):
                return amount, balance
            if _leads([None, *moves[:-1]], ends, down_only=True) and _goes_down(date, body):
                return amount, -1
    return None


def flows_to_balance(numbers: Sequence[int], body: Sequence[Sequence[str]]) -> tuple[int, int, int] | None:
    """The columns of money out, money in and balance, where each row has one of the first two and the third follows."""
    for columns in _columns(numbers, body):
        for out, into, balance in permutations(numbers, 3):
            pairs = list(zip(columns[out], columns[into], strict=True))
            if not any(columns[out]) or not any(columns[into]) or any(one and other for one, other in pairs):
                continue
            moves: Values = [abs(gain or Decimal(0)) - abs(loss or Decimal(0)) for loss, gain in pairs]
            if None not in columns[balance] and _leads(moves, columns[balance]):
                return out, into, balance
    return None


def _columns(numbers: Sequence[int], body: Sequence[Sequence[str]]) -> list[dict[int, Values]]:
    """The columns' numbers, once for each decimal mark."""
    if not 2 <= len(numbers) <= MOST_COLUMNS or len(body) < FEWEST:
        return []
    return [
        {
            place: [
                amount_of(cells[place], mark) if place < len(cells) else None for cells in body[:MOST_ROWS]
            ]
            for place in numbers
        }
        for mark in MARKS
    ]


def _leads(moves: Values, balances: Values, *, down_only: bool = False) -> bool:
    """Whether every balance is the one before it and the row's amount, down the page or up."""
    steps = list(zip(moves, balances, strict=True))
    down = all(before[1] + after[0] == after[1] for before, after in pairwise(steps))  # type: ignore[operator]
    up = not down_only and all(after[1] + before[0] == before[1] for before, after in pairwise(steps))  # type: ignore[operator]
    return down or up


def _goes_down(date: int, body: Sequence[Sequence[str]]) -> bool:
    """Whether days become later down the page, and never earlier."""
    texts = [cells[date] for cells in body if 0 <= date < len(cells)]
    order, _ = likeliest_order(texts, ("ymd", "mdy", "dmy"))
    days = [day for text in texts if (day := read_date(text, order))]
    return len(set(days)) > 1 and all(one <= other for one, other in pairwise(days))
