"""The quick walk along the chains: it says that all is in order, or that it is in doubt; what is wrong, and where, `chains` tells.

It may be quick because every doubt counts: a text that hashes to the stored hash is the text that was hashed, however it was come by.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import Any, NamedTuple

from ..entry import GENESIS
from ..guarded import CLOSING
from ..records.known_machines import Known
from .chains import AXIS, KIND, NEW, OLD, ORIGIN, REMEMBERED, SCOPE, Row, shape_of

NULLABLE = (3, 4, 6, 7)
Details = Callable[
    [list[bytes]], dict[bytes, bool]
]  # of these digests: those that have their detail, and whether it fits
Erased = Callable[[set[str]], set[tuple[str, str]]]  # of these ids: the records that were erased


class Doubt(Exception):
    """Something is not as it should be, or is too odd for the quick way."""


class Shape(NamedTuple):
    """What all entries of one shape have in common."""

    place: tuple[str, str, str]
    old: str | None
    new: str | None
    begins: bool
    follows: bool
    closes: bool
    before_at: str
    before_detail: str
    before_id: str
    before_token: str


def columns(text: str) -> Row:
    """The ten columns that a shape's text was made of: one text costs ten objects less for each entry."""
    if text.startswith("["):
        return tuple(json.loads(text))
    parts: list[str | None] = list(text.split("\1"))
    if len(parts) != 10:
        raise Doubt(text)
    for index in NULLABLE:
        said = str(parts[index])
        parts[index] = said[1:] if said[0] == "=" else None
    return tuple(parts)


class Shapes(dict[str, Shape]):
    """Shapes by their text; the memory of them is bounded."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        self.known = known
        self.places: dict[tuple[str, str, str], tuple[str, str, str]] = {}

    def __missing__(self, text: str) -> Shape:
        if len(self) >= REMEMBERED:
            self.clear()
            self.places.clear()
        row = columns(text)
        before_at, before_detail, before_id, before_token, problem, begins = shape_of(row, self.known)
        place = (row[KIND], row[AXIS], row[SCOPE])
        found = Shape(
            self.places.setdefault(place, place),
            row[OLD],
            row[NEW],
            begins,
            problem is None,
            row[ORIGIN] in CLOSING,
            before_at,
            before_detail,
            before_id,
            before_token,
        )
        self[text] = found
        return found


def skim(batches: Iterable[list[Row]], known: Known, details: Details, erased: Erased) -> tuple[int, int]:
    """How many entries and chains there are, all in order; else `Doubt`. A row is (shape, id, version, at, token, detail, hash)."""
    walk, entries, records, fine = Skim(known), 0, 0, set[bytes | None]((None,))
    for rows in batches:
        records += walk.take(rows)
        entries += len(rows)
        unknown = {row[5] for row in rows} - fine
        if unknown:
            found = details(list(unknown))
            missing = unknown - found.keys()
            whose = (
                {(walk.shapes[row[0]].place[0], row[1]) for row in rows if row[5] in missing}
                if missing
                else set()
            )
            if not all(found.values()) or whose - (erased({id for _, id in whose}) if whose else set()):
                raise Doubt("a detail")
            fine = {None, *found} if len(fine) > REMEMBERED else fine | found.keys()
    return entries, records


class Skim:
    """Remembers the entry before; a tuple for each shape and plain local names make it quick."""

    def __init__(self, known: Known) -> None:
        self.shapes = Shapes(known)
        self.before: tuple[Any, ...] = (None, None, "", -1, None, False, b"")

    def take(self, rows: list[Row]) -> int:
        """The next entries; how many chains begin among them."""
        shapes, records = self.shapes, 0
        here, id, named, last, state, closed, previous = self.before
        for shape, record_id, version, at, token, detail, hash_ in rows:
            place, old, new, begins, follows, closes, before_at, before_detail, before_id, before_token = (
                shapes[shape]
            )
            if record_id == id and place == here:
                if not follows or closed or version != last + 1 or old != state:
                    raise Doubt(id)
            else:
                if not begins or version != 0:
                    raise Doubt(record_id)
                here, id, named, previous, records = place, record_id, quoted(record_id), GENESIS, records + 1
            digest = "null" if detail is None else f'"{detail.hex()}"'
            mark = "null" if token is None else quoted(token)
            # An instant holds no sign that JSON would escape, so one that does cannot hash to what was hashed.
            text = f'{before_at}"{at}"{before_detail}{digest}{before_id}{named}{before_token}{mark},"version":{version}}}'
            previous = sha256(previous + text.encode()).digest()
            if previous != hash_:
                raise Doubt(id)
            last, state, closed = version, new, closes
        self.before = (here, id, named, last, state, closed, previous)
        return records
