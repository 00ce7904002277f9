"""Evolution says what changed between two versions of a machine; it must never judge whether the change may be deployed."""

from __future__ import annotations

from dataclasses import dataclass

from interlock.errors import state_text
from interlock.machine.definition import Machine
from interlock.machine.edge import Edge, State

Pair = tuple[State, Edge]


@dataclass(frozen=True, slots=True)
class Evolution:
    """The difference between two machines; an edge whose kind or role changed is both removed and added."""

    old_initial: State
    new_initial: State
    added_states: tuple[State, ...] = ()
    removed_states: tuple[State, ...] = ()
    added_edges: tuple[Pair, ...] = ()
    removed_edges: tuple[Pair, ...] = ()

    @property
    def initial_changed(self) -> bool:
        """Whether new records begin elsewhere."""
        return self.old_initial != self.new_initial

    @property
    def stranded(self) -> tuple[State, ...]:
        """States in which records may still be, and which the new machine does not have."""
        return self.removed_states

    @property
    def unchanged(self) -> bool:
        """Whether both machines have the same states, moves and beginning."""
        return not (
            self.initial_changed
            or self.added_states
            or self.removed_states
            or self.added_edges
            or self.removed_edges
        )

    def describe(self) -> list[str]:
        """The change in sentences, nothing when there is none."""
        lines = []
        if self.initial_changed:
            lines.append(
                f"new records begin in {state_text(self.new_initial)}, not in {state_text(self.old_initial)}"
            )
        lines += [f"state {state_text(state)} is new" for state in self.added_states]
        lines += [
            f"state {state_text(state)} is gone; records still in it are stranded"
            for state in self.removed_states
        ]
        return lines + self._describe_edges()

    def _describe_edges(self) -> list[str]:
        before = {(state, edge.to): edge for state, edge in self.removed_edges}
        after = {(state, edge.to): edge for state, edge in self.added_edges}
        lines = []
        for (state, to), edge in after.items():
            was = before.get((state, to))
            change = f"was {_kind(was)} and is {_kind(edge)}" if was else f"is new ({_kind(edge)})"
            lines.append(f"move {state_text(state)} → {state_text(to)} {change}")
        return lines + [
            f"move {state_text(state)} → {state_text(to)} is gone"
            for state, to in before
            if (state, to) not in after
        ]


def diff(old: Machine, new: Machine) -> Evolution:
    """What `new` has that `old` had not, and the other way round."""
    old_pairs, new_pairs = set(old.pairs()), set(new.pairs())
    return Evolution(
        old_initial=old.initial,
        new_initial=new.initial,
        added_states=tuple(state for state in new.states if state not in old.edges),
        removed_states=tuple(state for state in old.states if state not in new.edges),
        added_edges=tuple(pair for pair in new.pairs() if pair not in old_pairs),
        removed_edges=tuple(pair for pair in old.pairs() if pair not in new_pairs),
    )


def _kind(edge: Edge) -> str:
    return edge.words or "plain"
