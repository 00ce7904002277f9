"""Finds the columns that a mapping names in the header of a table, and reads a row's cells through them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from .mapping import When


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """A column's name for comparison: case, spaces, quotes and a byte order mark do not matter."""
    return " ".join(
        unicodedata.normalize("NFKC", name).casefold().replace("\ufeff", "").strip(" \t\"'*").split()
    )


@lru_cache(maxsize=4096)
def plain_names(reference: str) -> tuple[str, ...]:
    """The names of a reference `A|B`, each plain."""
    return tuple(plain(name) for name in reference.split("|")) if reference else ()


class Columns:
    """The header of one table. Every name that is asked for is looked up once."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = [plain(name) for name in names]
        self._first = list(names[:3])
        self._places: dict[str, int] = {}
        for place, name in enumerate(self.names):
            if name:
                self._places.setdefault(name, place)
        self._known: dict[str, tuple[int, ...]] = {}

    def places(self, reference: str) -> tuple[int, ...]:
        """Where the columns `A|B` stand, in that order; those the table lacks are left out."""
        known = self._known.get(reference)
        if known is None:
            known = self._known[reference] = tuple(
                self._places[name] for name in plain_names(reference) if name in self._places
            )
        return known

    def is_header(self, cells: Sequence[str]) -> bool:
        """Whether a row is the header once more, as where several exports were put into one file."""
        return len(cells) > 2 and cells[0] == self._first[0] and cells[:3] == self._first

    def has(self, reference: str) -> bool:
        return bool(self.places(reference))

    def cell(self, cells: Sequence[str], reference: str) -> str:
        """The first of these columns that is not empty in this row."""
        known = self._known.get(reference)
        for place in self.places(reference) if known is None else known:
            if place < len(cells) and cells[place]:
                return cells[place]
        return ""

    def reaches(self, cells: Sequence[str], reference: str) -> bool:
        """Whether the row is long enough to have one of these columns."""
        return any(place < len(cells) for place in self.places(reference))

    def holds(self, cells: Sequence[str], rules: Sequence[When]) -> bool:
        return all(
            re.fullmatch(rule.pattern, self.cell(cells, rule.column), re.IGNORECASE | re.DOTALL)
            for rule in rules
        )

    def can_hold(self, rule: When) -> bool:
        """Whether the table has the column, or its absence fulfils the rule."""
        return self.has(rule.column) or re.fullmatch(rule.pattern, "", re.IGNORECASE | re.DOTALL) is not None
