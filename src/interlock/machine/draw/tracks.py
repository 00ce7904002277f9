"""Tracks turn routes into coordinates: lines of a channel get places beside each other, gutters the width that their lines need."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from interlock.machine.draw.place import Cell
from interlock.machine.draw.route import Channel, Grid, Leg, Point, Route

TrackKey = tuple[Channel, Hashable]
_TRACK, _SIDE, _EDGE = 13.0, 20.0, 12.0
_BEND = 12.0
"""How much of a corner is cut off at 45 degrees."""


class Turn(NamedTuple):
    """Where a line turns, to which side (-1 up or left, 1 down or right), into which track, and whether it arrives from there."""

    at: float
    side: int
    track: TrackKey
    arrives: bool


@dataclass(slots=True)
class Track:
    """What one owner does in one channel: how far its line reaches in the coarse grid, and where the lines beside it turn to."""

    low: float
    high: float
    turns: list[Turn] = field(default_factory=list)
    ends_in_box: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Pixels: one width for all boxes, a height for each row, and space above each row that text needs."""

    width: float
    heights: Sequence[float]
    above: Sequence[float]
    gap_across: float
    gap_down: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Left borders of columns, upper borders of rows, the whole size, and the points of each route."""

    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    width: float
    height: float
    lines: tuple[tuple[Point, ...], ...]


def lay_out(grid: Grid, routes: Sequence[Route], sizes: Sizes) -> Plan:
    """Return where everything is."""
    tracks = _collect(routes)
    numbers: dict[TrackKey, int] = {}
    counts: dict[Channel, int] = {}
    for kind in ("gutter-row", "gutter-column"):
        for channel in sorted(channel for channel in tracks if channel.kind == kind):
            levels = _stack(_in_order(tracks[channel]))
            counts[channel] = 1 + max(levels.values())
            numbers |= {(channel, owner): level for owner, level in levels.items()}
    for kind in ("row", "column"):
        for channel in sorted(channel for channel in tracks if channel.kind == kind):
            order = _slots(tracks[channel], numbers)
            counts[channel] = len(order)
            numbers |= {(channel, owner): slot for slot, owner in enumerate(order)}
    return _measure(grid, routes, sizes, tracks, numbers, counts)


def _collect(routes: Sequence[Route]) -> dict[Channel, dict[Hashable, Track]]:
    tracks: dict[Channel, dict[Hashable, Track]] = {}
    for route in routes:
        for number, (leg, owner) in enumerate(zip(route.legs, route.owners, strict=True)):
            along = 0 if leg.channel.is_horizontal else 1
            start, end = leg.start[along], leg.end[along]
            track = tracks.setdefault(leg.channel, {}).setdefault(owner, Track(start, start))
            track.low, track.high = min(track.low, start, end), max(track.high, start, end)
            for at, beside, arrives in ((start, number - 1, True), (end, number + 1, False)):
                if not 0 <= beside < len(route.legs):
                    track.ends_in_box.append(at)
                    continue
                other = route.legs[beside]
                far = other.start[1 - along] if arrives else other.end[1 - along]
                side = 1 if far > leg.start[1 - along] else -1
                track.turns.append(Turn(at, side, (other.channel, route.owners[beside]), arrives))
    return tracks


def _in_order(tracks: Mapping[Hashable, Track]) -> list[tuple[Hashable, Track]]:
    """Return the lines of a gutter from its upper or left border on: first those that turn back to it, the short ones innermost."""

    def key(one: tuple[Hashable, Track]) -> tuple[float, ...]:
        track = one[1]
        sides = {turn.side for turn in track.turns}
        length = track.high - track.low
        if sides == {-1}:
            return (0, length, track.low)
        if sides == {1}:
            return (2, -length, track.low)
        before = _mean([turn.at for turn in track.turns if turn.side < 0])
        behind = _mean([turn.at for turn in track.turns if turn.side > 0])
        return (1, 0 if behind > before else 1, -before if behind > before else before, length)

    return sorted(tracks.items(), key=key)


def _stack(ordered: Sequence[tuple[Hashable, Track]]) -> dict[Hashable, int]:
    """Return a track for each line; lines that do not touch share one."""
    levels: dict[Hashable, int] = {}
    placed: list[tuple[Track, int]] = []
    for owner, track in ordered:
        level = 1 + max(
            (level for other, level in placed if other.low <= track.high and track.low <= other.high),
            default=-1,
        )
        levels[owner] = level
        placed.append((track, level))
    return levels


def _slots(tracks: Mapping[Hashable, Track], numbers: Mapping[TrackKey, int]) -> list[Hashable]:
    """Return the owners at a side of a box in the order of their places: the first to turn off outermost, straight lines in the middle."""

    def key(one: tuple[Hashable, Track]) -> tuple[float, ...]:
        track = one[1]
        sides = {turn.side for turn in track.turns}
        if len(sides) != 1:
            return (1, 0, 0)
        reach = max(_reach(track, turn, numbers) for turn in track.turns)
        arrives = any(turn.arrives for turn in track.turns)
        return (0, reach, not arrives) if sides == {-1} else (2, -reach, arrives)

    return [owner for owner, _ in sorted(tracks.items(), key=key)]


def _reach(track: Track, turn: Turn, numbers: Mapping[TrackKey, int]) -> float:
    """Return how far from its box a line turns off, in the coarse grid and by the track it turns into."""
    box = min(track.ends_in_box, key=lambda end: abs(end - turn.at), default=track.low)
    return abs(turn.at - box) + 0.01 * numbers.get(turn.track, 0) * (1 if turn.at >= box else -1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _measure(
    grid: Grid,
    routes: Sequence[Route],
    sizes: Sizes,
    tracks: Mapping[Channel, Mapping[Hashable, Track]],
    numbers: Mapping[TrackKey, int],
    counts: Mapping[Channel, int],
) -> Plan:
    gutters_across = [
        _gutter(
            counts.get(Channel("gutter-column", number), 0), sizes.gap_across, number in (0, grid.columns)
        )
        for number in range(grid.columns + 1)
    ]
    gutters_down = [
        _gutter(counts.get(Channel("gutter-row", number), 0), sizes.gap_down, number in (0, grid.rows))
        + (sizes.above[number] if number < grid.rows else 0.0)
        for number in range(grid.rows + 1)
    ]
    lefts, x = [], 0.0
    for number in range(grid.columns):
        x += gutters_across[number]
        lefts.append(x)
        x += sizes.width
    tops, y = [], 0.0
    for number in range(grid.rows):
        y += gutters_down[number]
        tops.append(y)
        y += sizes.heights[number]
    place = _Places(sizes, lefts, tops, gutters_across, gutters_down, tracks, numbers, counts)
    lines = tuple(tuple(place.points(grid, route)) for route in routes)
    return Plan(tuple(lefts), tuple(tops), x + gutters_across[-1], y + gutters_down[-1], lines)


def _gutter(count: int, least: float, outside: bool) -> float:
    if count == 0:
        return 0.0 if outside else least
    return max(0.0 if outside else least, 2 * _SIDE + (count - 1) * _TRACK)


@dataclass(slots=True)
class _Places:
    sizes: Sizes
    lefts: Sequence[float]
    tops: Sequence[float]
    gutters_across: Sequence[float]
    gutters_down: Sequence[float]
    tracks: Mapping[Channel, Mapping[Hashable, Track]]
    numbers: Mapping[TrackKey, int]
    counts: Mapping[Channel, int]
    _offsets: dict[Channel, list[float]] = field(default_factory=dict)

    def points(self, grid: Grid, route: Route) -> Iterable[Point]:
        """Yield the corners of a line from border to border."""
        at = [self.position(leg.channel, owner) for leg, owner in zip(route.legs, route.owners, strict=True)]
        first, last = route.legs[0], route.legs[-1]
        yield self._port(grid.cells[route.link.source], first.channel, at[0], first, leaves=True)
        for (leg, one), other in zip(zip(route.legs, at, strict=True), at[1:], strict=False):
            yield (other, one) if leg.channel.is_horizontal else (one, other)
        yield self._port(grid.cells[route.link.target], last.channel, at[-1], last, leaves=False)

    def _port(self, cell: Cell, channel: Channel, at: float, leg: Leg, *, leaves: bool) -> Point:
        column, row = cell
        other = leg.end if leaves else leg.start
        own = leg.start if leaves else leg.end
        if channel.is_horizontal:
            return (self.lefts[column] + (self.sizes.width if other[0] > own[0] else 0.0), at)
        return (at, self.tops[row] + (self.sizes.heights[row] if other[1] > own[1] else 0.0))

    def position(self, channel: Channel, owner: Hashable) -> float:
        """Return the height of a horizontal line or the distance of a vertical one."""
        number, count = self.numbers[channel, owner], self.counts[channel]
        if channel.kind == "gutter-row":
            row = channel.number
            end = self.tops[row] if row < len(self.tops) else self.tops[-1] + self.sizes.heights[-1]
            above = self.sizes.above[row] if row < len(self.tops) else 0.0
            start = end - self.gutters_down[row] if row < len(self.tops) else end
            room = self.gutters_down[row] - above
            return start + room / 2 + (number - (count - 1) / 2) * _TRACK
        if channel.kind == "gutter-column":
            column = channel.number
            start = (
                self.lefts[column] - self.gutters_across[column]
                if column < len(self.lefts)
                else self.lefts[-1] + self.sizes.width
            )
            return start + self.gutters_across[column] / 2 + (number - (count - 1) / 2) * _TRACK
        if channel not in self._offsets:
            self._offsets[channel] = self._spread(channel)
        offset = self._offsets[channel][number]
        if channel.kind == "row":
            return self.tops[channel.number] + self.sizes.heights[channel.number] / 2 + offset
        return self.lefts[channel.number] + self.sizes.width / 2 + offset

    def _spread(self, channel: Channel) -> list[float]:
        """Return how far each place along a side is from its middle; straight lines stay as near to it as the others allow."""
        is_row = channel.kind == "row"
        room = (self.sizes.heights[channel.number] if is_row else self.sizes.width) - 2 * _EDGE
        owners = sorted(self.tracks[channel], key=lambda owner: self.numbers[channel, owner])
        count = len(owners)
        if count == 1:
            return [0.0]
        step = min(28.0 if is_row and count == 2 else 18.0 if is_row else 46.0, room / (count - 1))
        straight = [number for number, owner in enumerate(owners) if not self.tracks[channel][owner].turns]
        centre = (straight[0] + straight[-1]) / 2 if straight else (count - 1) / 2
        low, high = -centre * step, (count - 1 - centre) * step
        shift = max(0.0, -room / 2 - low) - max(0.0, high - room / 2)
        return [(number - centre) * step + shift for number in range(count)]


def cut_corners(points: Sequence[Point]) -> list[Point]:
    """Return the line with each right angle replaced by a slope of 45 degrees."""
    line = [points[0]]
    for number in range(1, len(points) - 1):
        before, corner, behind = points[number - 1], points[number], points[number + 1]
        lengths = [_length(before, corner), _length(corner, behind)]
        shares = [1.0 if end in (0, len(points) - 1) else 0.5 for end in (number - 1, number + 1)]
        size = min(
            _BEND, *(max(0.0, length * share - 1) for length, share in zip(lengths, shares, strict=True))
        )
        if size <= 0:
            line.append(corner)
            continue
        line += [_towards(corner, before, size), _towards(corner, behind, size)]
    return [*line, points[-1]]


def _length(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _towards(corner: Point, other: Point, size: float) -> Point:
    across, down = other[0] - corner[0], other[1] - corner[1]
    length = abs(across) + abs(down)
    return (corner[0] + across / length * size, corner[1] + down / length * size)
