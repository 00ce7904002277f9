"""Reachability over states as a plain graph; it knows nothing of what the arrows mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from interlock.machine.edge import State

Arrows = Mapping[State, Collection[State]]


def reach(arrows: Arrows, start: State, *, avoiding: Collection[State] = ()) -> set[State]:
    """Every state that can be reached from `start`, itself included, without passing through the avoided ones."""
    if start in avoiding:
        return set()
    seen, open_ends = {start}, [start]
    while open_ends:
        for target in arrows.get(open_ends.pop(), ()):
            if target not in seen and target not in avoiding:
                seen.add(target)
                open_ends.append(target)
    return seen


def reversed_arrows(arrows: Arrows) -> dict[State, list[State]]:
    """The same arrows, walked against their direction."""
    against: dict[State, list[State]] = {state: [] for state in arrows}
    for source, targets in arrows.items():
        for target in targets:
            against.setdefault(target, []).append(source)
    return against


def walk(arrows: Arrows, roots: Collection[State]) -> tuple[list[State], set[tuple[State, State]]]:
    """Depth first: the states in the order they were left, and the arrows that closed a circle."""
    left: list[State] = []
    circles: set[tuple[State, State]] = set()
    entered: set[State] = set()
    for root in roots:
        if root not in entered:
            _walk_from(arrows, root, entered, left, circles)
    return left, circles


def _walk_from(
    arrows: Arrows, root: State, entered: set[State], left: list[State], circles: set[tuple[State, State]]
) -> None:
    trail: list[tuple[State, Iterator[State]]] = [(root, iter(arrows.get(root, ())))]
    entered.add(root)
    on_trail = {root}
    while trail:
        state, targets = trail[-1]
        target = next(targets, state)
        if target == state:  # states never lead to themselves, so this marks the end of the targets
            trail.pop()
            on_trail.discard(state)
            left.append(state)
        elif target in on_trail:
            circles.add((state, target))
        elif target not in entered:
            entered.add(target)
            on_trail.add(target)
            trail.append((target, iter(arrows.get(target, ()))))


def circles_of(arrows: Arrows) -> list[set[State]]:
    """The states in groups whose members all lead to each other."""
    order, _ = walk(arrows, list(arrows))
    against = reversed_arrows(arrows)
    taken: set[State] = set()
    groups = []
    for state in reversed(order):
        if state not in taken:
            group = reach(against, state, avoiding=taken)
            taken |= group
            groups.append(group)
    return groups
