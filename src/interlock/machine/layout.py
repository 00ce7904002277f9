"""Layout gives every state of a machine its box and every move its line; it must never write markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interlock.errors import spoken
from interlock.machine.definition import Machine
from interlock.machine.edge import Edge, State
from interlock.machine.lettering import NOTE_SIZE, lines_of, width_of
from interlock.machine.ranks import Pair, Ranked, Slot, rank

LINE = 17.0
_GAP_ACROSS = 64.0
_GAP_DOWN = 26.0
_PASSING = 14.0
_PASSES = 25


@dataclass(frozen=True, slots=True)
class Box:
    """A state as drawn: its place, the lines of its name, and a note below them."""

    state: State
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    note: str

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Placed:
    """Boxes by state, the height at which each slot is passed, and the left and right border of each column."""

    boxes: dict[State, Box]
    heights: dict[Slot, float]
    borders: tuple[tuple[float, float], ...]
    ranked: Ranked


def box_of(machine: Machine, state: State, counts: Mapping[State, int] | None) -> Box:
    """A box of the right size, not yet at its place."""
    lines = tuple(lines_of(spoken(state)))
    words = ["start"] if state == machine.initial else []
    words += ["final"] if machine.is_terminal(state) else []
    words += [f"{counts.get(state, 0):,}"] if counts is not None else []
    note = " · ".join(words)
    widest = max([*map(width_of, lines), width_of(note, NOTE_SIZE)])
    return Box(
        state, 0, 0, max(84.0, round(widest + 30)), 24 + LINE * (len(lines) + bool(note)) - 2, lines, note
    )


def moved(box: Box, x: float, y: float) -> Box:
    """The same box elsewhere."""
    return Box(box.state, x, y, box.width, box.height, box.lines, box.note)


def place(machine: Machine, counts: Mapping[State, int] | None) -> Placed:
    """Columns from left to right, each slot near the ones it is joined to."""
    ranked = rank(machine)
    sized = {state: box_of(machine, state, counts) for state in machine.states}
    heights = _heights(ranked, sized)
    borders = _borders(ranked, sized, machine.edges)
    boxes = {}
    for slot in (slot for column in ranked.columns for slot in column if slot.is_state):
        box = sized[slot.source]
        left, right = borders[slot.rank]
        boxes[slot.source] = moved(box, (left + right - box.width) / 2, heights[slot] - box.height / 2)
    return Placed(boxes, heights, borders, ranked)


def _borders(
    ranked: Ranked, sized: dict[State, Box], edges: Mapping[State, tuple[Edge, ...]]
) -> tuple[tuple[float, float], ...]:
    words: dict[Pair, str] = {(state, edge.to): edge.words for state, ways in edges.items() for edge in ways}
    borders, x = [], 0.0
    for number, column in enumerate(ranked.columns):
        width = max(sized[slot.source].width for slot in column if slot.is_state)
        borders.append((x, x + width))
        labels = [
            words[pair]
            for pair, route in ranked.routes.items()
            if route[-1].rank == number + 1 and words[pair]
        ]
        labels_wide = max((width_of(label, NOTE_SIZE) + 44 for label in labels), default=0.0)
        x += width + max(_GAP_ACROSS, labels_wide)
    return tuple(borders)


def _heights(ranked: Ranked, sized: dict[State, Box]) -> dict[Slot, float]:
    """Middles of the slots: each column is drawn to its neighbours and then spread until nothing overlaps."""
    near: dict[Slot, list[Slot]] = {}
    for route in ranked.routes.values():
        for left, right in pairwise(route):
            near.setdefault(left, []).append(right)
            near.setdefault(right, []).append(left)
    heights = dict.fromkeys((slot for column in ranked.columns for slot in column), 0.0)
    for sweep in range(_PASSES):
        for column in ranked.columns if sweep % 2 == 0 else reversed(ranked.columns):
            wanted = [
                _mean([(heights[other], _weight(slot, other)) for other in near.get(slot, [slot])])
                for slot in column
            ]
            sizes = [sized[slot.source].height if slot.is_state else _PASSING for slot in column]
            for slot, height in zip(column, _spread(column, wanted, sizes), strict=True):
                heights[slot] = height
    return heights


def _spread(column: Sequence[Slot], wanted: list[float], sizes: list[float]) -> list[float]:
    middles: list[float] = []
    for index, want in enumerate(wanted):
        least = middles[-1] + (sizes[index - 1] + sizes[index]) / 2 + _GAP_DOWN if middles else want
        middles.append(max(want, least))
    shift = _mean(
        [
            (want - middle, _weight(slot, slot))
            for slot, want, middle in zip(column, wanted, middles, strict=True)
        ]
    )
    return [middle + shift for middle in middles]


def _weight(slot: Slot, other: Slot) -> float:
    """Short moves between states are kept straight before long ones that pass others by."""
    return 6.0 if slot.is_state and other.is_state else 1.0


def _mean(weighted: list[tuple[float, float]]) -> float:
    return sum(number * weight for number, weight in weighted) / sum(weight for _, weight in weighted)
