"""Judges regular expressions before they are used: one that could run for ever is refused, and what each needs in a text is found out."""

from __future__ import annotations

import importlib
import re
from typing import Any

LONGEST_PATTERN = 500
LONGEST_INPUT = 160
"""A text is cut before it is searched: with at most two open repeats the worst case is this length cubed, some hundredths of a second."""
OPEN_REPEATS, OPTIONAL_PARTS = 2, 12

_parser: Any = importlib.import_module("re._parser")
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_REFUSED = {"GROUPREF": "a reference to a group", "GROUPREF_EXISTS": "a condition on a group"}


def problem(pattern: str) -> str | None:
    """Why this expression may not be used, or None."""
    if len(pattern) > LONGEST_PATTERN:
        return f"it is longer than {LONGEST_PATTERN} characters"
    try:
        re.compile(pattern)
        tree = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"it is not a regular expression: {error}"
    counts = {"open": 0, "optional": 0}
    found = _search(tree, counts, repeated=False)
    if found is not None:
        return found
    if counts["open"] > OPEN_REPEATS:
        return f"it has more than {OPEN_REPEATS} open repeats (* + {{n,}}); bound them, e.g. {{1,8}}"
    return (
        f"it has more than {OPTIONAL_PARTS} optional parts" if counts["optional"] > OPTIONAL_PARTS else None
    )


def _search(tree: Any, counts: dict[str, int], *, repeated: bool) -> str | None:
    """The first thing in a parsed expression that can explode."""
    for operator, argument in tree:
        name = str(operator)
        if name in _REFUSED:
            return f"it has {_REFUSED[name]}"
        if name == "BRANCH" and repeated:
            return "it has alternatives inside a repeat, which can take for ever"
        found = (
            _inside_repeat(argument, counts, repeated)
            if name in _REPEATS
            else _inside(argument, counts, repeated)
        )
        if found is not None:
            return found
    return None


def _inside_repeat(argument: Any, counts: dict[str, int], repeated: bool) -> str | None:
    least, most, body = int(argument[0]), int(argument[1]), argument[2]
    if least != most:
        if repeated:
            return "it has a repeat inside a repeat, which can take for ever"
        counts["optional" if most - least <= 8 else "open"] += 1
    return _search(body, counts, repeated=repeated or most > 1)


def _inside(argument: Any, counts: dict[str, int], repeated: bool) -> str | None:
    for part in _subpatterns(argument):
        found = _search(part, counts, repeated=repeated)
        if found is not None:
            return found
    return None


def _subpatterns(argument: Any) -> list[Any]:
    if isinstance(argument, _parser.SubPattern):
        return [argument]
    if isinstance(argument, list | tuple):
        return [found for part in argument for found in _subpatterns(part)]
    return []


def needed(pattern: str) -> tuple[str, ...]:
    """Texts of which one must occur wherever the expression does; empty if none can be named. They spare most searches."""
    return _needed(_parser.parse(pattern))


def _needed(tree: Any) -> tuple[str, ...]:
    best: tuple[str, ...] = ()
    run = ""
    for operator, argument in [*tree, (None, None)]:
        name = str(operator)
        if name == "LITERAL" and chr(argument).isascii():
            run += chr(argument).upper()
            continue
        best, run = _better(best, (run,)), ""
        if name == "SUBPATTERN":
            best = _better(best, _needed(argument[3]))
        elif name == "BRANCH":
            choices = [_needed(branch) for branch in argument[1]]
            best = _better(best, tuple(one for choice in choices for one in choice) if all(choices) else ())
        elif name in _REPEATS and argument[0] > 0:
            best = _better(best, _needed(argument[2]))
    return best


def _better(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The choice whose shortest text is longer."""
    return (
        max(one, other, key=lambda choice: min((len(text) for text in choice), default=0))
        if any(other)
        else one
    )
