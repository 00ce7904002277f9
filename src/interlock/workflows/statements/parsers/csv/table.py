"""Finds where a table begins in a file: its delimiter, its header, and what is printed before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from ...parsed import ParseFault
from ..amounts import amount_of
from ..dates import read_date
from .columns import Columns, plain_names
from .mapping import CsvMapping
from .split import DELIMITERS, Row, declared_delimiter, rows

_AMOUNT = re.compile(r"[-+]?\d+[.,]\d{2}", re.ASCII)
MOST_ROWS_BEFORE = 80
"""The header is looked for in so many rows; no bank prints a longer preamble."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows after `line` are the table's own; those up to it are the preamble."""

    delimiter: str
    line: int
    columns: Columns
    preamble: list[Row] = field(default_factory=list)


@lru_cache(maxsize=8)
def first_rows(head: str, delimiter: str) -> tuple[Row, ...]:
    """Asked by every mapping during detection, read once."""
    try:
        return tuple(islice(rows(head, delimiter), MOST_ROWS_BEFORE))
    except ParseFault:
        return ()


def delimiters(head: str, mapping_delimiter: str = "") -> Sequence[str]:
    """The delimiter that mapping or file declare, else those that occur in the text."""
    declared = mapping_delimiter or declared_delimiter(head)
    return (declared,) if declared else _occurring(head)


@lru_cache(maxsize=8)
def _occurring(head: str) -> tuple[str, ...]:
    return tuple(one for one in DELIMITERS if one in head)


def find_table(head: str, mapping: CsvMapping) -> Table | None:
    """Where this mapping's table begins, or None if it is not in the file."""
    for delimiter in delimiters(head, mapping.delimiter):
        table = (
            _with_header(head, delimiter, mapping)
            if mapping.header
            else _without_header(first_rows(head, delimiter), delimiter, mapping)
        )
        if table is not None:
            return table
    return None


def _with_header(head: str, delimiter: str, mapping: CsvMapping) -> Table | None:
    names = _names_in_head(head, delimiter)
    if not all(any(name in names for name in plain_names(reference)) for reference in mapping.header):
        return None
    for place, columns in _possible_headers(head, delimiter):
        if all(columns.has(name) for name in mapping.header):
            rows = first_rows(head, delimiter)
            return Table(delimiter, rows[place].line, columns, list(rows[:place]))
    return None


@lru_cache(maxsize=8)
def _possible_headers(head: str, delimiter: str) -> tuple[tuple[int, Columns], ...]:
    """Each of the first rows that has at least two cells and no plain amount, read as a header; every mapping asks for them."""
    return tuple(
        (place, Columns(row.cells))
        for place, row in enumerate(first_rows(head, delimiter))
        if len(row.cells) > 1 and not any(_AMOUNT.fullmatch(cell) for cell in row.cells)
    )


@lru_cache(maxsize=8)
def _names_in_head(head: str, delimiter: str) -> frozenset[str]:
    """Every cell of the possible headers, plain: a mapping that names none of them need not look at each row."""
    return frozenset(name for _, columns in _possible_headers(head, delimiter) for name in columns.names)


def _without_header(found: Sequence[Row], delimiter: str, mapping: CsvMapping) -> Table | None:
    """Most rows must have the right width, a date and an amount where they belong; one before them may be anything."""
    columns = Columns(mapping.columns)
    fitting = [row for row in found if _fits(row, columns, mapping)]
    if not fitting or len(fitting) < len(found) * 0.8 - 1:
        return None
    first = fitting[0]
    return Table(delimiter, first.line - 1, columns, [row for row in found if row.line < first.line])


def _fits(row: Row, columns: Columns, mapping: CsvMapping) -> bool:
    if len(row.cells) < len(mapping.columns) or not columns.holds(row.cells, mapping.fits):
        return False
    day = any(read_date(columns.cell(row.cells, mapping.date), order) for order in mapping.dates)
    amounts = [text for leg in mapping.legs if (text := columns.cell(row.cells, leg.amount))]
    return (
        day and bool(amounts) and all(amount_of(text, mapping.decimal or ".") is not None for text in amounts)
    )
