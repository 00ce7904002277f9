"""Panels beside a table: what stands on the same line and left of all its columns is another column of the page, and no part of a row."""

from __future__ import annotations

from .columns import Label
from .lines import Line
from .money import cells_of
from .places import Word
from .tables import Entry

WIDE = 60.0  # so much room left of a table's first column is room for something else
BEGINS, UNDER = 14.0, 6.0  # how far from the names of their columns dates and descriptions begin


def without_panels(entries: list[Entry]) -> list[Entry]:
    """The same lines; those of tables that do not begin at the page's left edge without what stands beside them."""
    left = min((entry.line.x0 for entry in entries), default=0.0)
    for entry in entries:
        if entry.table is not None and entry.table.flows and not entry.head:
            own = _own(entry.line.words, entry.table.labels, left)
            if len(own) < len(entry.line.words):
                entry.line = Line(
                    entry.line.page, entry.line.y, own, entry.line.place, whole=entry.line.whole
                )
                entry.cells = cells_of(entry.line)
    return entries


def _own(words: list[Word], labels: list[Label], left: float) -> list[Word]:
    """The words of the table; all of them where the line is no row with something beside it, but a heading or a total."""
    first = labels[0]
    if first.role not in ("date", "posted") or first.x0 - left < WIDE:
        return words
    own = [word for word in words if word.x1 >= first.x0 - UNDER]
    described = next((label.x0 for label in labels if label.role == "description"), first.x0)
    begins = bool(own) and (abs(own[0].x0 - first.x0) <= BEGINS or abs(own[0].x0 - described) <= UNDER)
    return own if begins else words
