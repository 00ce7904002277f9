"""Which other columns of a table could be its amounts or its days: what a person may decide where the parser could not tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from ..contract import Document
from ..dates import is_date
from .finding import RecognisedTable, table_in
from .roles import column, is_number

MOST_BYTES = 100_000
"""A larger table is not read several times."""
MOST = 12
ENOUGH = 0.5
"""Of a column's cells: so many must be numbers, or days."""


def other_columns(document: Document) -> list[dict[str, str]]:
    """Choices of columns that differ from those that the parser took, the simplest first: one of amounts, a pair of money out and money in
    of which each row has one, and one of days."""
    if len(document.content) > MOST_BYTES or not document.text_head:
        return []
    _, found = table_in(document.text_head, document.text_head)
    if found is None:
        return []
    roles, names, every = found.roles, found.names, range(len(found.names))
    cells = [column(found.body, place) for place in every]
    days = [place for place in every if _are(cells[place], is_date)]
    numbers = [place for place in every if place not in days and _are(cells[place], is_number)]
    return [
        *({"amount": names[place]} for place in numbers if place != roles.amount),
        *(
            {"debit": names[out], "credit": names[into]}
            for out, into in permutations(numbers, 2)
            if (out, into) != (roles.debit, roles.credit) and _take_turns(found, out, into)
        ),
        *({"date": names[place]} for place in days if place != roles.date),
    ][:MOST]


def _are(cells: Sequence[str], is_one: Callable[[str], bool]) -> bool:
    return bool(cells) and sum(map(is_one, cells)) >= ENOUGH * len(cells)


def _take_turns(found: RecognisedTable, out: int, into: int) -> bool:
    """Whether no row has both, and each has some."""
    filled = [
        (bool(cells[out].strip("0.,- ")), bool(cells[into].strip("0.,- ")))
        for cells in found.body
        if max(out, into) < len(cells)
    ]
    return (True, True) not in filled and (True, False) in filled and (False, True) in filled
