"""Files that end too early: every beginning of a file, and whether a reader was told that something is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ParseFault

from .reading import read

STEP = 5


def beginnings(text: str) -> Iterator[str]:
    """The file up to each of its lines, with and without the line's end, and up to every fifth character."""
    ends = [place for place, letter in enumerate(text) if letter == "\n"]
    places = {*ends, *(end + 1 for end in ends), *range(0, len(text), STEP)} - {len(text)}
    return (text[:place] for place in sorted(places))


def looks_clean(text: str, name: str) -> int | None:
    """How many rows it has where nothing is said against it; None where it is refused, has errors or has warnings."""
    try:
        parsed = read(text, name=name)
    except ParseFault:
        return None
    return None if parsed.errors or judge(parsed).warnings else len(parsed.rows)
