"""Labels get places beside the lines they belong to, off the boxes and off each other where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from interlock.machine.draw.route import Point, Route
from interlock.machine.draw.text import NOTE_SIZE, width_of

Rectangle = tuple[float, float, float, float]
_HEIGHT = 13.0
_BLOCKED, _CROSSED = 60, 5
"""A label on a box or on another label is so much worse than one near another line, and one on a line so much."""
_NEAR = 8.0
"""A label that is so near to another line could be taken for that line's."""


class Label(NamedTuple):
    """A number and words beside a line; x is where the text begins or its middle, by `anchor`."""

    x: float
    y: float
    anchor: str
    number: str
    words: str

    @property
    def rectangle(self) -> Rectangle:
        """Left, top, right and bottom of the text."""
        width = width_of(self.number + self.words, NOTE_SIZE)
        left = self.x - (0 if self.anchor == "start" else width / 2)
        return (left, self.y - _HEIGHT + 3, left + width, self.y + 3)


def place_labels(
    boxes: Sequence[Rectangle], lines: Iterable[tuple[Route, Sequence[Point], tuple[str, str]]]
) -> list[Label | None]:
    """Return the label of each line, None for a line without words."""
    used = list(boxes)
    every = list(lines)
    pieces = [_thin(*piece) for _, points, _ in every for piece in pairwise(points)]
    labels: list[Label | None] = []
    for route, points, (number, words) in every:
        own = {_thin(*piece) for piece in pairwise(points)}
        others = [piece for piece in pieces if piece not in own]
        best: Label | None = None
        fewest = 1_000_000
        for label in _candidates(route, points, number, words) if number or words else ():
            cost = _BLOCKED * _overlaps(label.rectangle, used)
            if cost < fewest:
                cost += _CROSSED * _overlaps(label.rectangle, pieces)
            if cost < fewest:
                cost += _overlaps(_widened(label.rectangle), others)
            if cost < fewest:
                best, fewest = label, cost
            if not fewest:
                break
        labels.append(best)
        if best is not None:
            used.append(best.rectangle)
    return labels


def _thin(start: Point, end: Point) -> Rectangle:
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return (left - 2, top - 2, right + 2, bottom + 2)


def _widened(one: Rectangle) -> Rectangle:
    return (one[0] - _NEAR, one[1], one[2] + _NEAR, one[3])


def _overlaps(one: Rectangle, others: Iterable[Rectangle]) -> int:
    return sum(
        one[0] < right and left < one[2] and one[1] < bottom and top < one[3]
        for left, top, right, bottom in others
    )


def _candidates(route: Route, points: Sequence[Point], number: str, words: str) -> Iterable[Label]:
    """Yield places along the piece of the line that belongs to it alone: where it leaves, or where it arrives if it parted from others."""
    pieces = list(pairwise(points))
    pieces = pieces if route.link.joins else [(end, start) for start, end in reversed(pieces)]
    width = width_of(number + words, NOTE_SIZE)
    for start, end in pieces:
        if start[1] == end[1]:
            for share in (0.5, 0.3, 0.7):
                x = start[0] + (end[0] - start[0]) * share
                forward = (end[0] > start[0]) == route.link.joins
                heights = (start[1] - 9, start[1] + 17) if forward else (start[1] + 17, start[1] - 9)
                for y in heights:
                    yield Label(x, y, "middle", number, words)
        else:
            down = 1 if end[1] > start[1] else -1
            length = abs(end[1] - start[1])
            for beside in (9.0, 5.0):
                for distance in (26.0, 40.0, length / 2, length - 8):
                    y = start[1] + down * min(distance, length) + 4
                    yield Label(start[0] + beside, y, "start", number, words)
                    yield Label(start[0] - beside - width, y, "start", number, words)
