"""Routes draws the line of every move between placed boxes; it must never move a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from interlock.machine.definition import Machine
from interlock.machine.edge import Edge, State
from interlock.machine.layout import Placed
from interlock.machine.lettering import NOTE_SIZE, width_of
from interlock.machine.ranks import Pair, Slot

Point = tuple[float, float]
_LANE = 24.0
_CORNER = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """One move as drawn: the path, and where its word stands."""

    source: State
    edge: Edge
    path: str
    word_at: Point
    reach: tuple[float, float]  # lowest and highest y that the line touches


def draw_lines(machine: Machine, placed: Placed) -> list[Line]:
    """Forward lines as curves between the columns, backward lines as lanes above or below them."""
    edges = {(state, edge.to): edge for state, edge in machine.pairs()}
    forward = [
        _forward_line(pair, edges[pair], placed, ports)
        for ports in [_ports(placed)]
        for pair in placed.ranked.routes
    ]
    lanes = _Lanes(placed)
    back = sorted(
        (pair for pair in edges if pair in placed.ranked.back), key=lambda pair: _span(placed, pair)
    )
    for pair in back:
        lanes.take(pair, edges[pair])
    return forward + lanes.lines()


def _span(placed: Placed, pair: Pair) -> tuple[float, float]:
    source, target = placed.boxes[pair[0]], placed.boxes[pair[1]]
    return (source.x - target.x, source.y)


def _ports(placed: Placed) -> dict[tuple[Pair, bool], float]:
    """Where a forward line leaves (True) or enters (False) its box: lines share a side without touching."""
    sides: dict[tuple[State, bool], list[tuple[float, int, Pair]]] = {}
    for number, (pair, route) in enumerate(placed.ranked.routes.items()):
        sides.setdefault((pair[0], True), []).append((placed.heights[route[1]], number, pair))
        sides.setdefault((pair[1], False), []).append((placed.heights[route[-2]], number, pair))
    ports = {}
    for (state, leaves), lines in sides.items():
        box = placed.boxes[state]
        step = min(12.0, (box.height - 16) / max(1, len(lines) - 1))
        for index, (_, _, pair) in enumerate(sorted(lines)):
            ports[pair, leaves] = box.middle + (index - (len(lines) - 1) / 2) * step
    return ports


def _forward_line(pair: Pair, edge: Edge, placed: Placed, ports: dict[tuple[Pair, bool], float]) -> Line:
    source, target = placed.boxes[pair[0]], placed.boxes[pair[1]]
    passing: Sequence[Slot] = placed.ranked.routes[pair][1:-1]
    points: list[Point] = [(source.right, ports[pair, True])]
    for slot in passing:
        left, right = placed.borders[slot.rank]
        points += [(left, placed.heights[slot]), (right, placed.heights[slot])]
    points.append((target.x, ports[pair, False]))
    path = f"M{_at(points[0])}"
    for index, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
        bend = (x + to_x) / 2
        path += (
            f" L{_at((to_x, to_y))}"
            if index % 2
            else f" C{_at((bend, y))} {_at((bend, to_y))} {_at((to_x, to_y))}"
        )
    (x, y), (to_x, to_y) = points[-2:]
    heights = [height for _, height in points]
    return Line(pair[0], edge, path, ((x + to_x) / 2 - 4, (y + to_y) / 2 - 7), (min(heights), max(heights)))


def _at(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


@dataclass(slots=True)
class _Lane:
    pair: Pair
    edge: Edge
    below: bool
    left: float
    right: float
    y: float


class _Lanes:
    """Horizontal lanes for backward lines; two that share a stretch never share a height."""

    def __init__(self, placed: Placed) -> None:
        self.placed = placed
        self.taken: list[_Lane] = []
        states = [[slot for slot in column if slot.is_state] for column in placed.ranked.columns]
        self.ranks = {slot.source: slot.rank for column in states for slot in column}
        self.outermost = {
            True: {column[-1].source for column in states},
            False: {column[0].source for column in states},
        }
        self.limits = {
            True: [max(self._reach(slot, True) for slot in column) for column in placed.ranked.columns],
            False: [min(self._reach(slot, False) for slot in column) for column in placed.ranked.columns],
        }

    def take(self, pair: Pair, edge: Edge) -> None:
        below = self._cost(pair, True) + (0 if edge.kind == "retry" else 8) < self._cost(pair, False)
        source, target = self.placed.boxes[pair[0]], self.placed.boxes[pair[1]]
        left, right = min(target.x, source.x) - 16, max(source.right, target.right) + 16
        sign = 1 if below else -1
        y = self._edge_of_columns(pair, below) + sign * _LANE
        for lane in self.taken:
            if lane.below == below and lane.left < right and left < lane.right:
                y = max(y, lane.y + _LANE) if below else min(y, lane.y - _LANE)
        self.taken.append(_Lane(pair, edge, below, left, right, y))

    def _edge_of_columns(self, pair: Pair, below: bool) -> float:
        first, last = sorted(self.ranks[state] for state in pair)
        reaches = self.limits[below][first : last + 1]
        return max(reaches) if below else min(reaches)

    def _reach(self, slot: Slot, below: bool) -> float:
        if not slot.is_state:
            return self.placed.heights[slot]
        box = self.placed.boxes[slot.source]
        return box.bottom if below else box.y

    def _cost(self, pair: Pair, below: bool) -> float:
        """The way from both ends to the lane, a detour around other boxes, and the lanes that are there already."""
        end = self._edge_of_columns(pair, below)
        away = sum(abs(self.placed.boxes[state].middle - end) for state in pair)
        detours = sum(state not in self.outermost[below] for state in pair)
        return away + 80 * detours + 6 * sum(lane.below == below for lane in self.taken)

    def lines(self) -> list[Line]:
        return [self._line(lane) for lane in self.taken]

    def _line(self, lane: _Lane) -> Line:
        points = [*self._leaving(lane), *self._entering(lane)]
        middle = (points[-3][0] + points[2][0]) / 2 if len(points) > 5 else (points[1][0] + points[-2][0]) / 2
        middle = max(middle, min(points[1][0], points[-2][0]) + width_of(lane.edge.words, NOTE_SIZE) / 2)
        heights = [y for _, y in points] + [lane.y - 12]
        return Line(
            lane.pair[0], lane.edge, _rounded(points), (middle, lane.y - 5), (min(heights), max(heights))
        )

    def _leaving(self, lane: _Lane) -> list[Point]:
        box = self.placed.boxes[lane.pair[0]]
        if lane.pair[0] in self.outermost[lane.below]:
            x = self._port(lane, lane.pair[0], leaves=True)
            return [(x, box.bottom if lane.below else box.y), (x, lane.y)]
        beside = self._beside(lane, 0)
        channel = self.placed.borders[self.ranks[lane.pair[0]]][1] + 12 + 7 * beside
        y = box.middle + max(0.0, box.height / 2 - 7 - 5 * beside) * (1 if lane.below else -1)
        return [(box.right, y), (channel, y), (channel, lane.y)]

    def _entering(self, lane: _Lane) -> list[Point]:
        box = self.placed.boxes[lane.pair[1]]
        if lane.pair[1] in self.outermost[lane.below]:
            x = self._port(lane, lane.pair[1], leaves=False)
            return [(x, lane.y), (x, box.bottom if lane.below else box.y)]
        beside = self._beside(lane, 1)
        channel = self.placed.borders[self.ranks[lane.pair[1]]][0] - 18 - 7 * beside
        y = box.middle + max(0.0, box.height / 2 - 7 - 5 * beside) * (1 if lane.below else -1)
        return [(channel, lane.y), (channel, y), (box.x, y)]

    def _beside(self, lane: _Lane, end: int) -> int:
        """How many earlier lanes already go down the same channel between two columns."""
        column = self.ranks[lane.pair[end]]
        earlier = self.taken[: self.taken.index(lane)]
        return sum(
            self.ranks[other.pair[end]] == column and other.pair[end] not in self.outermost[other.below]
            for other in earlier
        )

    def _port(self, lane: _Lane, state: State, leaves: bool) -> float:
        """Along the box, from left: lines that leave, near lanes first; then lines that enter, far lanes first."""

        def far(other: _Lane) -> float:
            return abs(other.y)

        here = [other for other in self.taken if other.below == lane.below]
        leaving = sorted((other for other in here if other.pair[0] == state), key=far)
        entering = sorted((other for other in here if other.pair[1] == state), key=far, reverse=True)
        order = [(other.pair, True) for other in leaving] + [(other.pair, False) for other in entering]
        box = self.placed.boxes[state]
        return box.x + box.width * (order.index((lane.pair, leaves)) + 1) / (len(order) + 1)


def _rounded(points: list[Point]) -> str:
    """A path along the points with its corners rounded."""
    path = f"M{_at(points[0])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path += f" L{_at(_towards(corner, before))} Q{_at(corner)} {_at(_towards(corner, after))}"
    return path + f" L{_at(points[-1])}"


def _towards(corner: Point, other: Point) -> Point:
    """A point near the corner, at most half the way to the other one."""
    across, down = other[0] - corner[0], other[1] - corner[1]
    length = abs(across) + abs(down)
    share = min(_CORNER, length / 2) / length if length else 0.0
    return (corner[0] + across * share, corner[1] + down * share)
