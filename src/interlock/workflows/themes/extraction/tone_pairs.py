"""Verbs whose object decides whether they are good news: a ban that is lifted, a contract that is landed, production that is halted."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

REACH: Final = 6
"""Words. How far behind its verb an object is looked for."""
_AUXILIARY: Final = frozenset({"is", "are", "was", "were", "be", "been", "being", "gets", "got"})
_BETWEEN: Final = frozenset({"to", "now", "finally", "soon", "also", "not", "partly"})
"""What may stand between an object and the auxiliary of a passive, or between that and its verb."""
_STOPS: Final = frozenset(
    {
        "on",
        "over",
        "amid",
        "after",
        "by",
        "due",
        "despite",
        "because",
        "as",
        "and",
        "than",
        "from",
        "if",
        "of",
    }
)
"""Behind these is no object of the verb before them."""
_NO_OBJECT: Final = frozenset(
    {"truce", "pause", "relief", "exemption", "exemptions", "deal", "deadline", "refunds", "hopes"}
)
"""A burden before one of these is part of another thing: `the tariff truce`."""


@dataclass(frozen=True)
class Pair:
    """Verbs and objects that mean something together, and what it weighs."""

    verbs: frozenset[str]
    objects: frozenset[str]
    value: float
    is_passive: bool
    """Whether the object may stand before the verb: `the ban was lifted`."""


@dataclass(frozen=True, slots=True)
class PairMatch:
    """A verb with its object in a sentence, from the first of their words to behind the last."""

    verb: int
    first: int
    last: int
    value: float


@cache
def bundled_pairs() -> tuple[Pair, ...]:
    """Return the pairs that come with the package."""
    data = tomllib.loads(files(__package__).joinpath("tone_pairs.toml").read_text(encoding="utf-8"))
    objects = {name: value.split() for name, value in data["objects"].items()}
    return tuple(
        Pair(
            frozenset(one["verbs"].split()),
            frozenset(word for name in one["objects"].split() for word in objects.get(name, [name])),
            float(one["value"]),
            one.get("passive", True),
        )
        for one in data["pair"]
    )


def find_pairs(words: Sequence[str], clauses: Sequence[int]) -> Iterator[PairMatch]:
    """Yield the verbs with their objects in a sentence; they do not overlap."""
    behind = 0
    for place, word in enumerate(words):
        for pair in bundled_pairs():
            if place < behind or word not in pair.verbs:
                continue
            if (at := _object_behind(place, pair, words, clauses)) is not None:
                behind = at + 1
                yield PairMatch(place, place, behind, pair.value)
            elif pair.is_passive and (at := _object_before(place, pair, words, clauses)) is not None:
                behind = place + 1
                yield PairMatch(place, at, behind, pair.value)


def _object_behind(place: int, pair: Pair, words: Sequence[str], clauses: Sequence[int]) -> int | None:
    for one in range(place + 1, min(len(words), place + 1 + REACH)):
        if clauses[one] != clauses[place] or words[one] in _STOPS:
            return None
        if words[one] in pair.objects:
            after = words[one + 1] if one + 1 < len(words) else ""
            return None if after in _NO_OBJECT else one
    return None


def _object_before(place: int, pair: Pair, words: Sequence[str], clauses: Sequence[int]) -> int | None:
    """Return where the object of a passive is: before an auxiliary before the verb."""
    at, is_passive = place - 1, False
    while at >= 0 and clauses[at] == clauses[place] and (words[at] in _AUXILIARY or words[at] in _BETWEEN):
        is_passive |= words[at] in _AUXILIARY
        at -= 1
    is_object = is_passive and at >= 0 and clauses[at] == clauses[place] and words[at] in pair.objects
    return at if is_object else None
