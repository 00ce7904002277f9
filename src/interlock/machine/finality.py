"""Finality says which states end a record's way; it must never count a state that waits for a person's forward step as final."""

from __future__ import annotations

from collections.abc import Mapping

from interlock.machine.edge import Edge, State
from interlock.machine.graph import reach


def final_states(initial: State, edges: Mapping[State, tuple[Edge, ...]]) -> frozenset[State]:
    """The states that nothing leaves but operator edges that lead back."""
    arrows = {state: tuple(edge.to for edge in ways) for state, ways in edges.items()}
    return frozenset(
        state
        for state, ways in edges.items()
        if all(edge.kind == "operator" and edge.after is None for edge in ways)
        and all(_leads_back(arrows, initial, state, edge.to) for edge in ways)
    )


def _leads_back(
    arrows: Mapping[State, tuple[State, ...]], initial: State, state: State, target: State
) -> bool:
    """Whether `target` can be reached from the initial state without passing `state`, and leads to `state` again."""
    return target in reach(arrows, initial, avoiding=(state,)) and state in reach(arrows, target)
