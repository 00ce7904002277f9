"""Routing chooses for every line the channels it runs through: gutters between columns and rows, and empty cells."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from interlock.machine.draw.place import Cell

Key = Any
"""Names a box; anything that can be a key of a dict."""
Point = tuple[float, float]
_BEND, _CROSSING, _NEW_TRACK, _ROW = 0.5, 1.3, 0.7, 0.7
_TRIED = 6
"""Of so many candidates, the shortest, crossings are counted."""


class Channel(NamedTuple):
    """Where a straight piece of a line runs.

    - `gutter-row` n is above row n, `gutter-column` n left of column n; `at` is not used.
    - `row` n is inside row n, right of the box in column `at` (-1: left of the first); `column` n likewise below the box in row `at`.
    """

    kind: str
    number: int
    at: int = -1

    @property
    def is_horizontal(self) -> bool:
        return self.kind in ("gutter-row", "row")


class Leg(NamedTuple):
    """A straight piece in a channel, between two points of the coarse grid: cells are odd numbers, gutters even ones."""

    channel: Channel
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Link:
    """A line to draw. Lines of one `group` share tracks: they join before a common target (`joins`), or part after a common source."""

    source: Key
    target: Key
    kind: str
    group: Hashable
    joins: bool
    to_failure: bool = False
    from_failure: bool = False
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """The legs of one line, and who owns the track of each."""

    link: Link
    legs: tuple[Leg, ...]
    owners: tuple[Hashable, ...]


@dataclass(slots=True)
class Grid:
    """Cells with boxes in them."""

    cells: Mapping[Any, Cell]
    boxes: frozenset[Cell] = field(init=False)
    columns: int = field(init=False)
    rows: int = field(init=False)
    _in_row: dict[int, list[int]] = field(init=False)
    _in_column: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.boxes = frozenset(self.cells.values())
        self.columns = 1 + max(column for column, _ in self.boxes)
        self.rows = 1 + max(row for _, row in self.boxes)
        self._in_row, self._in_column = {}, {}
        for column, row in sorted(self.boxes):
            self._in_row.setdefault(row, []).append(column)
            self._in_column.setdefault(column, []).append(row)

    def beside(self, cell: Cell, side: str) -> Channel:
        """Return the channel that begins at one side of a box."""
        column, row = cell
        if side == "right":
            return Channel("row", row, column)
        if side == "bottom":
            return Channel("column", column, row)
        if side == "left":
            return Channel("row", row, max((one for one in self._in_row[row] if one < column), default=-1))
        return Channel(
            "column", column, max((one for one in self._in_column[column] if one < row), default=-1)
        )

    def is_free_row(self, row: int, start: int, end: int) -> bool:
        """Return whether no box is in this row from column start to end, both included."""
        low, high = sorted((start, end))
        return not any(low <= column <= high for column in self._in_row.get(row, ()))

    def is_free_column(self, column: int, start: int, end: int) -> bool:
        """Return whether no box is in this column from row start to end, both included."""
        low, high = sorted((start, end))
        return not any(low <= row <= high for row in self._in_column.get(column, ()))


def route_links(grid: Grid, links: Sequence[Link]) -> list[Route]:
    """Return the route of each link, in the order of the links: the straight ones are laid first, then short before long."""
    chosen: dict[int, Route] = {}
    laid = _Laid()
    straight: dict[int, tuple[Leg, ...]] = {}
    for number, link in enumerate(links):
        direct = _direct(grid, link)
        if direct is not None:
            straight[number] = direct
    for number, legs in straight.items():
        chosen[number] = laid.lay(links[number], legs)
    rest = sorted(
        (number for number in range(len(links)) if number not in chosen),
        key=lambda number: (_distance(grid, links[number]), number),
    )
    for number in rest:
        link = links[number]
        tried = sorted(
            ((_cost(link, legs), index, legs) for index, legs in enumerate(_candidates(grid, link))),
            key=lambda one: one[:2],
        )[:_TRIED]
        best = min(tried, key=lambda one: (one[0] + laid.cost(link, one[2]), one[1]))
        chosen[number] = laid.lay(link, best[2])
    return [chosen[number] for number in range(len(links))]


def _distance(grid: Grid, link: Link) -> float:
    (column, row), (to_column, to_row) = grid.cells[link.source], grid.cells[link.target]
    return abs(column - to_column) + abs(row - to_row)


def _owners(link: Link, count: int) -> tuple[Hashable, ...]:
    alone: Hashable = (link.source, link.target, link.kind)
    if count == 1:
        return (alone,)
    return (alone, *(link.group,) * (count - 1)) if link.joins else (*(link.group,) * (count - 1), alone)


class _Laid:
    """The legs that are there already, to count crossings and to find tracks that can be shared."""

    def __init__(self) -> None:
        self.across: list[tuple[float, float, float, Hashable]] = []
        self.down: list[tuple[float, float, float, Hashable]] = []
        self.tracks: dict[Channel, set[Hashable]] = {}

    def lay(self, link: Link, legs: tuple[Leg, ...]) -> Route:
        owners = _owners(link, len(legs))
        for leg, owner in zip(legs, owners, strict=True):
            self.tracks.setdefault(leg.channel, set()).add(owner)
            if leg.channel.is_horizontal:
                low, high = sorted((leg.start[0], leg.end[0]))
                self.across.append((leg.start[1], low, high, owner))
            else:
                low, high = sorted((leg.start[1], leg.end[1]))
                self.down.append((leg.start[0], low, high, owner))
        return Route(link, legs, owners)

    def cost(self, link: Link, legs: tuple[Leg, ...]) -> float:
        """Return what crossings and new tracks add."""
        total = 0.0
        for leg, owner in zip(legs, _owners(link, len(legs)), strict=True):
            there = self.tracks.get(leg.channel, ())
            if owner not in there:
                total += _NEW_TRACK + 0.12 * len(there)
            if leg.channel.is_horizontal:
                at, (low, high), others = leg.start[1], sorted((leg.start[0], leg.end[0])), self.down
            else:
                at, (low, high), others = leg.start[0], sorted((leg.start[1], leg.end[1])), self.across
            total += _CROSSING * sum(
                low < place < high and first < at < last and other != owner
                for place, first, last, other in others
            )
        return total


def _cost(link: Link, legs: tuple[Leg, ...]) -> float:
    """Return the length, the bends and what a reader does not expect: forward moves leave at the right, failures below."""
    total = _BEND * (len(legs) - 1)
    for leg in legs:
        total += abs(leg.start[0] - leg.end[0]) + _ROW * abs(leg.start[1] - leg.end[1])
    leaves_by_side = legs[0].channel.is_horizontal
    if link.to_failure:
        total += 1.2 if leaves_by_side else 0.0
        total += 1.5 if not leaves_by_side and legs[0].end[1] < legs[0].start[1] else 0.0
    elif link.is_back and link.from_failure:
        total += 0.6 if legs[0].end[1] < legs[0].start[1] else 0.0
    elif link.is_back:
        total += 1.4 if legs[0].end[1] > legs[0].start[1] else 0.0
    return total


def _direct(grid: Grid, link: Link) -> tuple[Leg, ...] | None:
    """Return one straight leg between neighbours in a row or column."""
    source, target = grid.cells[link.source], grid.cells[link.target]
    start, end = _middle(source), _middle(target)
    if source[1] == target[1]:
        side, low, high = (
            ("right", source[0], target[0]) if source[0] < target[0] else ("left", target[0], source[0])
        )
        if high - low == 1 or grid.is_free_row(source[1], low + 1, high - 1):
            return (Leg(grid.beside(source, side), start, end),)
    if source[0] == target[0]:
        side, low, high = (
            ("bottom", source[1], target[1]) if source[1] < target[1] else ("top", target[1], source[1])
        )
        if high - low == 1 or grid.is_free_column(source[0], low + 1, high - 1):
            return (Leg(grid.beside(source, side), start, end),)
    return None


def _middle(cell: Cell) -> Point:
    return (2 * cell[0] + 1.0, 2 * cell[1] + 1.0)


def _candidates(grid: Grid, link: Link) -> Iterable[tuple[Leg, ...]]:
    source, target = grid.cells[link.source], grid.cells[link.target]
    yield from _one_bend(grid, source, target)
    yield from _two_bends(grid, source, target)
    yield from _three_bends(grid, source, target)


def _one_bend(grid: Grid, source: Cell, target: Cell) -> Iterable[tuple[Leg, ...]]:
    """Yield routes through empty cells: out at a side and in from above or below, or the reverse."""
    (column, row), (to_column, to_row) = source, target
    if column == to_column or row == to_row:
        return
    start, end = _middle(source), _middle(target)
    step = 1 if to_column > column else -1
    down = 1 if to_row > row else -1
    corner = (end[0], start[1])
    if grid.is_free_row(row, column + step, to_column) and grid.is_free_column(to_column, row, to_row - down):
        yield (
            Leg(grid.beside(source, "right" if step > 0 else "left"), start, corner),
            Leg(grid.beside(target, "top" if down > 0 else "bottom"), corner, end),
        )
    corner = (start[0], end[1])
    if grid.is_free_column(column, row + down, to_row) and grid.is_free_row(to_row, column, to_column - step):
        yield (
            Leg(grid.beside(source, "bottom" if down > 0 else "top"), start, corner),
            Leg(grid.beside(target, "left" if step > 0 else "right"), corner, end),
        )


def _two_bends(grid: Grid, source: Cell, target: Cell) -> Iterable[tuple[Leg, ...]]:
    """Yield routes through one gutter that both boxes touch."""
    (column, row), (to_column, to_row) = source, target
    start, end = _middle(source), _middle(target)
    if column != to_column:
        for gutter in sorted({row, row + 1} & {to_row, to_row + 1}):
            first, last = (start[0], 2.0 * gutter), (end[0], 2.0 * gutter)
            yield (
                Leg(grid.beside(source, "top" if gutter == row else "bottom"), start, first),
                Leg(Channel("gutter-row", gutter), first, last),
                Leg(grid.beside(target, "top" if gutter == to_row else "bottom"), last, end),
            )
    if row != to_row:
        for gutter in sorted({column, column + 1} & {to_column, to_column + 1}):
            first, last = (2.0 * gutter, start[1]), (2.0 * gutter, end[1])
            yield (
                Leg(grid.beside(source, "left" if gutter == column else "right"), start, first),
                Leg(Channel("gutter-column", gutter), first, last),
                Leg(grid.beside(target, "left" if gutter == to_column else "right"), last, end),
            )


def _three_bends(grid: Grid, source: Cell, target: Cell) -> Iterable[tuple[Leg, ...]]:
    """Yield routes through a gutter between rows and one between columns; they exist for every pair."""
    (column, row), (to_column, to_row) = source, target
    start, end = _middle(source), _middle(target)
    for across in (row, row + 1):
        for down in (to_column, to_column + 1):
            first, corner, last = (start[0], 2.0 * across), (2.0 * down, 2.0 * across), (2.0 * down, end[1])
            yield (
                Leg(grid.beside(source, "top" if across == row else "bottom"), start, first),
                Leg(Channel("gutter-row", across), first, corner),
                Leg(Channel("gutter-column", down), corner, last),
                Leg(grid.beside(target, "left" if down == to_column else "right"), last, end),
            )
    for down in (column, column + 1):
        for across in (to_row, to_row + 1):
            first, corner, last = (2.0 * down, start[1]), (2.0 * down, 2.0 * across), (end[0], 2.0 * across)
            yield (
                Leg(grid.beside(source, "left" if down == column else "right"), start, first),
                Leg(Channel("gutter-column", down), first, corner),
                Leg(Channel("gutter-row", across), corner, last),
                Leg(grid.beside(target, "top" if across == to_row else "bottom"), last, end),
            )
