"""Ranks sorts the states of a machine into columns for a drawing; it must never know about pixels."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from interlock.machine.definition import Machine
from interlock.machine.edge import State
from interlock.machine.graph import reach, walk

Pair = tuple[State, State]
_SWEEPS = 12


class Slot(NamedTuple):
    """A place in a column: a state itself (source = target), or where a long edge passes by."""

    source: State
    target: State
    rank: int

    @property
    def is_state(self) -> bool:
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class Ranked:
    """Columns of slots from left to right, the slots each forward edge passes, and the edges that go back."""

    columns: tuple[tuple[Slot, ...], ...]
    routes: dict[Pair, tuple[Slot, ...]]
    back: frozenset[Pair]


def rank(machine: Machine) -> Ranked:
    """Longest-path ranks without the back edges, then fewer crossings by barycentres."""
    back = _back_edges(machine)
    level = _levels(machine, back)
    routes = {
        (old, edge.to): (
            Slot(old, old, level[old]),
            *(Slot(old, edge.to, step) for step in range(level[old] + 1, level[edge.to])),
            Slot(edge.to, edge.to, level[edge.to]),
        )
        for old, edge in machine.pairs()
        if (old, edge.to) not in back
    }
    columns: list[list[Slot]] = [[] for _ in range(max(level.values()) + 1)]
    for state in machine.states:
        columns[level[state]].append(Slot(state, state, level[state]))
    for route in routes.values():
        for slot in route[1:-1]:
            columns[slot.rank].append(slot)
    return Ranked(_with_few_crossings(columns, routes), routes, back)


def _back_edges(machine: Machine) -> frozenset[Pair]:
    """Plain moves decide which way is forward; retries and operators go back wherever they would close a circle."""
    plain = {
        state: [edge.to for edge in edges if edge.kind in ("plain", "timer") and edge.to != machine.initial]
        for state, edges in machine.edges.items()
    }
    _, circles = walk(plain, machine.states)
    forward = {
        state: [to for to in targets if (state, to) not in circles] for state, targets in plain.items()
    }
    back = set(circles)
    for state, edge in machine.pairs():
        if edge.to == machine.initial or (
            edge.kind not in ("plain", "timer") and state in reach(forward, edge.to)
        ):
            back.add((state, edge.to))
        elif edge.kind not in ("plain", "timer"):
            forward[state].append(edge.to)
    return frozenset(back)


def _levels(machine: Machine, back: frozenset[Pair]) -> dict[State, int]:
    forward = {
        state: [edge.to for edge in edges if (state, edge.to) not in back]
        for state, edges in machine.edges.items()
    }
    order, _ = walk(forward, machine.states)
    level = dict.fromkeys(machine.states, 0)
    for state in reversed(order):
        for target in forward[state]:
            level[target] = max(level[target], level[state] + 1)
    return level


def _with_few_crossings(
    columns: list[list[Slot]], routes: dict[Pair, tuple[Slot, ...]]
) -> tuple[tuple[Slot, ...], ...]:
    before: dict[Slot, list[Slot]] = {}
    after: dict[Slot, list[Slot]] = {}
    for route in routes.values():
        for left, right in pairwise(route):
            after.setdefault(left, []).append(right)
            before.setdefault(right, []).append(left)
    best, fewest = [list(column) for column in columns], _crossings(columns, after)
    for sweep in range(_SWEEPS):
        rightward = sweep % 2 == 0
        turned = columns if rightward else columns[::-1]
        for fixed, column in pairwise(turned):
            _sort_by_barycentre(column, fixed, before if rightward else after)
        crossings = _crossings(columns, after)
        if crossings < fewest:
            best, fewest = [list(column) for column in columns], crossings
    return tuple(tuple(column) for column in best)


def _sort_by_barycentre(column: list[Slot], fixed: list[Slot], neighbours: dict[Slot, list[Slot]]) -> None:
    place = {
        slot: (index + 0.5) / len(other) for other in (fixed, column) for index, slot in enumerate(other)
    }

    def barycentre(slot: Slot) -> float:
        near = neighbours.get(slot)
        return sum(place[other] for other in near) / len(near) if near else place[slot]

    column.sort(key=barycentre)


def _crossings(columns: list[list[Slot]], after: dict[Slot, list[Slot]]) -> int:
    place = {slot: index for column in columns for index, slot in enumerate(column)}
    total = 0
    for column in columns:
        ends: list[int] = []
        for start in column:
            here = [place[right] for right in after.get(start, ())]
            total += sum(len(ends) - bisect_right(ends, end) for end in here)
            for end in here:
                insort(ends, end)
    return total
