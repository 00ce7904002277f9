"""Two versions of a text, word by word: beside each other, or as one text with what goes and what comes."""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Literal, NamedTuple

BREAK = "\n"
"""Stands between the members of a list, each of which has its own line."""
Change = Literal["same", "gone", "new"]


class Piece(NamedTuple):
    """Words that stay, go or come, on one line; `ends` says that the line ends behind them."""

    change: Change
    text: str
    ends: bool = False


class Compared(NamedTuple):
    """One field of a payload: what was approved, what is proposed, and both as one text."""

    name: str
    is_same: bool
    old: list[Piece]
    new: list[Piece]
    both: list[Piece]


def compare(name: str, old: Any, new: Any, has_before: bool) -> Compared:
    """One field, word by word; without a text before it, all of it is simply what is proposed."""
    left, right = words_of(old), words_of(new)
    if not has_before:
        shown = pieces_of([("same", word) for word in right])
        return Compared(name, False, [], shown, shown)
    both: list[tuple[Change, str]] = []
    for step, start, end, to_start, to_end in SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        if step == "equal":
            both += [("same", word) for word in left[start:end]]
        else:
            both += [("gone", word) for word in left[start:end]]
            both += [("new", word) for word in right[to_start:to_end]]
    return Compared(
        name,
        left == right,
        pieces_of([one for one in both if one[0] != "new"]),
        pieces_of([one for one in both if one[0] != "gone"]),
        pieces_of(both),
    )


def pieces_of(words: list[tuple[Change, str]]) -> list[Piece]:
    """Neighbouring words of one change as one piece, cut where a line ends."""
    pieces: list[Piece] = []
    for (change, is_break), run in groupby(words, key=lambda one: (one[0], one[1] == BREAK)):
        if not is_break:
            pieces.append(Piece(change, " ".join(word for _, word in run)))
        elif pieces:
            pieces[-1] = pieces[-1]._replace(ends=True)
    return pieces


def words_of(value: Any) -> list[str]:
    """A value as words; the members of a list have a break between them."""
    if value is None:
        return []
    if isinstance(value, list):
        lines = [words_of(one) for one in value]
        return [word for place, line in enumerate(lines) for word in ([BREAK] if place else []) + line]
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split()
