"""Paths write routes as SVG strokes; where lines of a group run together the line is drawn once, so that dashes stay dashes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

from interlock.machine.draw.route import Channel, Point, Route
from interlock.machine.draw.tracks import cut_corners

_HEAD, _HALF = 8.5, 5.0
_TIP = 1.0
"""Between the tip of an arrow and the border of the box."""


class Stroke(NamedTuple):
    """A path, and the path of its arrow; the arrow is empty where another line of the group has it."""

    path: str
    head: str


def strokes_of(
    routes: Sequence[Route], lines: Sequence[Sequence[Point]], flows: Sequence[int | None]
) -> list[Stroke]:
    """Return the stroke of each route; the busiest line of a group is drawn whole, the others until they meet it."""
    drawn: dict[tuple[Channel, Hashable], list[tuple[float, float]]] = {}
    strokes: dict[int, Stroke] = {}
    order = sorted(
        range(len(routes)), key=lambda number: (-(flows[number] or 0), -_length(lines[number]), number)
    )
    for number in order:
        strokes[number] = _stroke(routes[number], lines[number], drawn)
    return [strokes[number] for number in range(len(routes))]


def _length(points: Sequence[Point]) -> float:
    return sum(abs(one[0] - other[0]) + abs(one[1] - other[1]) for one, other in pairwise(points))


def _stroke(
    route: Route, points: Sequence[Point], drawn: dict[tuple[Channel, Hashable], list[tuple[float, float]]]
) -> Stroke:
    """Return the stroke without the end (or the beginning) that other lines of its group have drawn already."""
    legs = len(route.legs)
    line = cut_corners(points)
    first, last = 0, legs  # legs that are drawn, as indexes of points
    if route.link.joins:
        while last > 1 and _is_covered(route, points, last - 1, drawn):
            last -= 1
    else:
        while first < legs - 1 and _is_covered(route, points, first, drawn):
            first += 1
    for number in range(first, last):
        key = (route.legs[number].channel, route.owners[number])
        drawn.setdefault(key, []).append(_interval(route, points, number))
    has_head = last == legs
    if last < legs:  # ends with the slope onto the line that is there
        line = _until_slope(points, last)
    if first > 0:
        line = _until_slope(list(reversed(points)), legs - first)[::-1]
    if not has_head:
        return Stroke(_path(line), "")
    tip, before = _step_back(line[-1], line[-2], _TIP), line[-2]
    end = _step_back(line[-1], before, _TIP + _HEAD - 1.5)
    return Stroke(_path([*line[:-1], end]), _head(tip, before))


def _until_slope(points: Sequence[Point], corner: int) -> list[Point]:
    """Return the line up to the end of the slope at this corner."""
    cut = cut_corners(points)
    whole = cut_corners(points[: corner + 2])
    return whole[:-1] if len(whole) > 2 and corner + 1 < len(points) else cut


def _interval(route: Route, points: Sequence[Point], number: int) -> tuple[float, float]:
    along = 0 if route.legs[number].channel.is_horizontal else 1
    low, high = sorted((points[number][along], points[number + 1][along]))
    return low, high


def _is_covered(
    route: Route,
    points: Sequence[Point],
    number: int,
    drawn: dict[tuple[Channel, Hashable], list[tuple[float, float]]],
) -> bool:
    low, high = _interval(route, points, number)
    there = drawn.get((route.legs[number].channel, route.owners[number]), ())
    return any(first <= low + 0.01 and high <= last + 0.01 for first, last in there)


def _path(line: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)


def _step_back(end: Point, before: Point, size: float) -> Point:
    across, down = before[0] - end[0], before[1] - end[1]
    length = max(abs(across) + abs(down), 0.01)
    return (end[0] + across / length * size, end[1] + down / length * size)


def _head(tip: Point, before: Point) -> str:
    base = _step_back(tip, before, _HEAD)
    if abs(before[0] - tip[0]) > abs(before[1] - tip[1]):
        return f"M{tip[0]:.1f} {tip[1]:.1f}L{base[0]:.1f} {base[1] - _HALF:.1f}V{base[1] + _HALF:.1f}z"
    return f"M{tip[0]:.1f} {tip[1]:.1f}L{base[0] - _HALF:.1f} {base[1]:.1f}H{base[0] + _HALF:.1f}z"
