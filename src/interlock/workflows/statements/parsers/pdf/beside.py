"""Tables that stand beside each other: one of them while it is read, and a line cut into what belongs to each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .drafts import Draft
from .lines import Line
from .money import cells_of
from .tables import Entry, Table

REACH = 1.75  # heights of a letter between a row and the line that continues it


@dataclass
class Half:
    """One of the tables, with its rows of this page."""

    table: Table
    drafts: list[Draft] = field(default_factory=list)
    last: Line | None = None

    def begin(self, draft: Draft, line: Line) -> None:
        self.drafts.append(draft)
        self.last = line

    def goes_on(self, line: Line) -> bool:
        """Whether words alone on this line continue the row above; checks have no descriptions to continue."""
        last = self.last
        near = (
            last is not None
            and last.page == line.page
            and line.y - last.y <= REACH * max(line.height, last.height)
        )
        inside = self.table.described and line.x0 >= self.table.description_place - 3
        if not (self.drafts and near and inside):
            return False
        self.last = line
        return True


def cut(entry: Entry, halves: Sequence[Half]) -> Iterator[tuple[Half, Entry]]:
    """What stands under each of the tables; those under which nothing does are left out."""
    edges = [
        (before.table.labels[-1].x1 + after.table.labels[0].x0) / 2 for before, after in pairwise(halves)
    ]
    for half, low, high in zip(halves, [float("-inf"), *edges], [*edges, float("inf")], strict=True):
        words = [word for word in entry.line.words if low <= (word.x0 + word.x1) / 2 < high]
        if words:
            line = Line(entry.line.page, entry.line.y, words, entry.line.place, whole=entry.line.whole)
            yield half, Entry(line, cells_of(line))
