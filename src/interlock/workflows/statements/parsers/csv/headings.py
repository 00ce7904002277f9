"""Headings among the rows of a table: whether those under them are booked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .lines import BESIDE_THE_TABLE, HEADER, Bad, Line, Skipped
from .table import Row
from .words import BOOKED_HEADING, NO_HEADING, PENDING_HEADING

if TYPE_CHECKING:
    from .reading import Reading

HEADINGS = (*BESIDE_THE_TABLE, "pending")
"""Why lines are skipped that may be headings."""
MOST_WORDS = 6
"""A heading has no more."""


def note_heading(reading: Reading, row: Row, result: Line | Skipped | Bad) -> None:
    """Keep whether the rows that come are booked, where a line of one cell or a second header says so."""
    if result is HEADER:
        is_pending: bool | None = True if reading.is_pending and not reading.pending else None
    elif isinstance(result, Skipped) and result.reason in HEADINGS:
        is_pending = is_pending_heading(row.cells)
    else:
        return
    if is_pending is None and reading.is_pending:
        reading.ended_pending = row.line if reading.pending else 0
    if is_pending is not None or reading.pending:
        reading.is_pending, reading.pending = bool(is_pending), 0


def is_pending_heading(cells: Sequence[str]) -> bool | None:
    """Whether a line is the heading of rows that are not booked (True) or of booked ones (False); None where it is neither."""
    filled = [cell for cell in cells if cell]
    if len(filled) != 1 or len(filled[0].split()) > MOST_WORDS or NO_HEADING.search(filled[0]):
        return None
    if PENDING_HEADING.search(filled[0]):
        return True
    return False if BOOKED_HEADING.search(filled[0]) else None
