"""Placing gives every state of a machine a cell of a grid: columns by how far a record has come, failures in rows below; no pixels here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from interlock.machine.definition import Machine
from interlock.machine.edge import State
from interlock.machine.graph import reach, walk

Pair = tuple[State, State]
Cell = tuple[int, int]
"""Column and row."""
FORWARD_KINDS = ("plain", "timer")


def place_states(machine: Machine, failures: Collection[State], across: int) -> dict[State, Cell]:
    """Return the cell of each state. Longer machines continue in a new band below after `across` columns, as a text does."""
    back = back_edges(machine)
    main = [state for state in machine.states if state not in failures]
    if not main:
        return place_in_rows(machine.states, across)
    forward = _forward_between(machine, main, back)
    level = _levels(main, forward)
    rows = _rows(machine, main, forward, level)
    return _fold(
        {state: (level[state], rows[state]) for state in main}, _by_failure(machine, failures), across
    )


def place_in_rows(states: Sequence[State], across: int) -> dict[State, Cell]:
    """Return cells one after the other, for machines whose moves are not drawn."""
    return {state: (number % across, number // across) for number, state in enumerate(states)}


def back_edges(machine: Machine) -> frozenset[Pair]:
    """Return the moves that lead back. Plain moves and timers decide which direction is forward; retries and moves by people lead back
    wherever they would close a circle."""
    plain: dict[State, list[State]] = {
        state: [edge.to for edge in edges if edge.kind in FORWARD_KINDS and edge.to != machine.initial]
        for state, edges in machine.edges.items()
    }
    _, circles = walk(plain, (machine.initial, *machine.states))
    forward = {
        state: [to for to in targets if (state, to) not in circles] for state, targets in plain.items()
    }
    back = set(circles)
    for state, edge in machine.pairs():
        if edge.to == machine.initial:
            back.add((state, edge.to))
        elif edge.kind not in FORWARD_KINDS:
            if edge.kind == "retry" or state in reach(forward, edge.to):
                back.add((state, edge.to))
            else:
                forward[state].append(edge.to)
    return frozenset(back)


def _forward_between(
    machine: Machine, main: Sequence[State], back: Collection[Pair]
) -> dict[State, list[State]]:
    """Return the forward moves between the states that are no failures; what is reached only through a failure follows what failed."""
    known = set(main)
    every = {
        state: [edge.to for edge in edges if (state, edge.to) not in back]
        for state, edges in machine.edges.items()
    }
    forward = {state: [to for to in every[state] if to in known] for state in main}
    entered = {to for targets in forward.values() for to in targets}
    for state in main:
        for failure in (to for to in every[state] if to not in known):
            for to in every[failure]:
                if to in known and to not in entered and state not in reach(forward, to):
                    forward[state].append(to)
    return forward


def _levels(main: Sequence[State], forward: Mapping[State, Sequence[State]]) -> dict[State, int]:
    """Return for each state the length of the longest path that leads to it."""
    order, _ = walk(forward, main)
    level = dict.fromkeys(main, 0)
    for state in reversed(order):
        for target in forward[state]:
            level[target] = max(level[target], level[state] + 1)
    return level


def _rows(
    machine: Machine,
    main: Sequence[State],
    forward: Mapping[State, Sequence[State]],
    level: Mapping[State, int],
) -> dict[State, int]:
    """Return rows: the longest path from the initial state is row 0, each branch stays as near to where it left as there is room."""
    rows = dict.fromkeys(_spine(machine.initial, main, forward), 0)
    used = {(level[state], row) for state, row in rows.items()}
    before: dict[State, list[State]] = {}
    for state, targets in forward.items():
        for target in targets:
            before.setdefault(target, []).append(state)
    for state in sorted(main, key=lambda one: level[one]):
        if state in rows:
            continue
        near = [rows[other] for other in before.get(state, ()) if other in rows]
        wanted = sum(near) / len(near) if near else 0.0
        row = min(
            (row for row in range(len(main) + 1) if (level[state], row) not in used),
            key=lambda row: (abs(row - wanted), -row),
        )
        rows[state] = row
        used.add((level[state], row))
    return rows


def _spine(initial: State, main: Sequence[State], forward: Mapping[State, Sequence[State]]) -> list[State]:
    order, _ = walk(forward, main)
    ahead: dict[State, int] = {}
    for state in order:  # what a state leads to was left before it
        ahead[state] = max((ahead[to] + 1 for to in forward[state]), default=0)
    spine = [initial if initial in ahead else main[0]]
    while forward[spine[-1]]:
        spine.append(max(forward[spine[-1]], key=lambda to: ahead[to]))
    return spine


def _by_failure(machine: Machine, failures: Collection[State]) -> dict[State, list[State]]:
    """Return for each failure where it comes from, or where it leads to if it comes from nowhere that is drawn above it."""
    sources: dict[State, list[State]] = {state: [] for state in machine.states if state in failures}
    for old, edge in machine.pairs():
        if edge.to in sources and old not in sources and edge.kind in FORWARD_KINDS:
            sources[edge.to].append(old)
    for old, edge in machine.pairs():
        if old in sources and not sources[old] and edge.to not in sources:
            sources[old].append(edge.to)
    return sources


def _fold(
    main: Mapping[State, Cell], failures: Mapping[State, Sequence[State]], across: int
) -> dict[State, Cell]:
    """Return all cells, with a band of rows for every `across` columns and the failures at the foot of their band."""
    wanted = {state: _middle([main[source][0] for source in sources]) for state, sources in failures.items()}
    last = max(column for column, _ in main.values())
    cells: dict[State, Cell] = {}
    top = 0
    for start in range(0, last + 1, across):
        inside = {state: cell for state, cell in main.items() if start <= cell[0] < start + across}
        numbers = {row: number for number, row in enumerate(sorted({row for _, row in inside.values()}))}
        cells |= {state: (column - start, top + numbers[row]) for state, (column, row) in inside.items()}
        top += len(numbers)
        mine = {state: column - start for state, column in wanted.items() if start <= column < start + across}
        placed = _place_failures(mine, top, min(across, last + 1 - start))
        cells |= placed
        top = max((row + 1 for _, row in placed.values()), default=top)
    return cells


def _place_failures(wanted: Mapping[State, int], top: int, columns: int) -> dict[State, Cell]:
    cells: dict[State, Cell] = {}
    used: set[Cell] = set()
    for state, want in wanted.items():
        free = (
            (column, row)
            for row in range(top, top + len(wanted))
            for column in range(max(columns, want + 1))
            if (column, row) not in used
        )
        cell = min(free, key=lambda one: (abs(one[0] - want) + 1.5 * (one[1] - top), -one[0]))
        cells[state] = cell
        used.add(cell)
    return cells


def _middle(columns: Sequence[int]) -> int:
    return int(sum(columns) / len(columns) + 0.5) if columns else 0
