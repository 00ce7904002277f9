"""Items of an operation that came to the same, as ranges of their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any


def alike_in_a_row(items: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
    """(first number, last number, values) of items, each a number and its values, that follow each other and have the same values."""
    first = last = 0
    values: tuple[Any, ...] | None = None
    for one in sorted(items, key=itemgetter(0)):
        number, rest = one[0], tuple(one[1:])
        if number == last + 1 and rest == values:
            last = number
            continue
        if values is not None:
            yield first, last, values
        first = last = number
        values = rest
    if values is not None:
        yield first, last, values
