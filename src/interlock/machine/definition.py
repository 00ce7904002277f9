"""Machine is the pure value that says which moves are legal; it must never do I/O nor change once it is made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import timedelta
from enum import Enum
from types import MappingProxyType
from typing import Any, NoReturn, Self

from interlock.errors import BadDeclaration, InvalidStateTransition, UnknownState
from interlock.machine.declare import declare, declared_name
from interlock.machine.edge import Edge, State, after, operator, retry
from interlock.machine.graph import reach
from interlock.machine.lint import findings
from interlock.machine.suggest import did_you_mean, join_states, quoted


def final_states(initial: State, edges: Mapping[State, tuple[Edge, ...]]) -> frozenset[State]:
    """The states that nothing leaves but operator edges that lead back."""
    arrows = {state: tuple(edge.to for edge in leaving) for state, leaving in edges.items()}
    return frozenset(
        state
        for state, leaving in edges.items()
        if all(edge.kind == "operator" and edge.after is None for edge in leaving)
        and all(_leads_back(arrows, initial, state, edge.to) for edge in leaving)
    )


def _leads_back(
    arrows: Mapping[State, tuple[State, ...]], initial: State, state: State, target: State
) -> bool:
    """Whether `target` can be reached from the initial state without passing `state`, and leads to `state` again."""
    return target in reach(arrows, initial, avoiding=(state,)) and state in reach(arrows, target)


__all__ = ["Edge", "Machine", "State", "after", "operator", "retry"]


class Machine:
    """States and the legal moves between them. A state that is never a key is final; without moves, any state may follow any other."""

    __slots__ = (
        "_by_pair",
        "_finals",
        "_fingerprint",
        "aliases",
        "edges",
        "initial",
        "listed",
        "name",
        "states",
        "timers",
    )
    name: str
    initial: State
    states: tuple[State, ...]
    aliases: Mapping[str, State]
    edges: Mapping[State, tuple[Edge, ...]]
    listed: bool  # `states` was given, so every name in it is meant
    timers: Mapping[State, Edge]
    """By state: the move that a record makes by itself once it has been there for long enough."""
    _by_pair: dict[tuple[State, State], Edge]
    _finals: frozenset[State]
    _fingerprint: str

    def __init__(
        self,
        name: str,
        *,
        initial: State,
        moves: Mapping[Any, Collection[State | Edge]] = {},
        states: Collection[State] | type[Enum] = (),
        aliases: Mapping[str, State] = {},
    ) -> None:
        exact = declared_name(name)
        declared = declare(exact, initial, moves, states, aliases)
        pairs = {(old, edge.to): edge for old, edges in declared.edges.items() for edge in edges}
        for attribute, value in (
            ("name", exact),
            ("initial", declared.initial),
            ("states", declared.states),
            ("listed", declared.listed),
            ("aliases", MappingProxyType(declared.aliases)),
            ("edges", MappingProxyType(declared.edges)),
            (
                "timers",
                MappingProxyType({old: edge for (old, _), edge in pairs.items() if edge.after is not None}),
            ),
            ("_by_pair", pairs),
            ("_finals", final_states(declared.initial, declared.edges)),
        ):
            object.__setattr__(self, attribute, value)
        object.__setattr__(self, "_fingerprint", self._digest())

    def check(self, old: State, new: State) -> None:
        """Return if the move is legal, raise InvalidStateTransition or UnknownState if not."""
        try:
            if (old, new) in self._by_pair:
                return
        except TypeError:  # not hashable, so no state either
            pass
        self._refuse(old, new)

    def allows(self, old: State, new: State) -> bool:
        """Whether any edge, of whatever kind, leads from old to new."""
        return (old, new) in self._by_pair

    def edge(self, old: State, new: State) -> Edge | None:
        """The edge from old to new, if there is one."""
        return self._by_pair.get((old, new))

    def next_states(self, state: State) -> tuple[State, ...]:
        """Where a record may go from here, in declared order."""
        return tuple(edge.to for edge in self.edges[self._known(state)])

    def is_terminal(self, state: State) -> bool:
        """Whether nothing leaves this state but operator edges that lead back."""
        return self._known(state) in self._finals

    def pairs(self) -> tuple[tuple[State, Edge], ...]:
        """Every edge with the state it leaves, in declared order."""
        return tuple((old, edge) for old, edges in self.edges.items() for edge in edges)

    def lint(self) -> list[str]:
        """What is legal to declare but probably not meant, as plain sentences."""
        return findings(self)

    def resolve(self, text: str | None) -> State:
        """The state an import means: its exact name, its name in any case, or an alias in any case."""
        if self._has(text):
            return text
        fold = text.casefold() if isinstance(text, str) else text
        named: list[State] = [
            state for state in self.states if state is not None and state.casefold() == fold
        ]
        named = named or list({target for alias, target in self.aliases.items() if alias.casefold() == fold})
        return named[0] if len(named) == 1 else self._known(text)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the states and moves; equal in every process, and blind to aliases and to declared order."""
        return self._fingerprint

    def definition(self) -> dict[str, Any]:
        """The whole machine as JSON-able data; from_definition() reads it back."""
        moves = [
            {
                "from": old,
                "to": edge.to,
                "kind": edge.kind,
                "role": edge.role,
                **({} if edge.after is None else {"after": edge.after.total_seconds()}),
            }
            for old, edge in self.pairs()
        ]
        return {
            "name": self.name,
            "initial": self.initial,
            "states": list(self.states),
            "moves": moves,
            "aliases": dict(self.aliases),
            "listed": self.listed,
        }

    @classmethod
    def from_definition(cls, definition: Mapping[str, Any]) -> Self:
        """The machine that definition() described."""
        try:
            moves: dict[State, list[Edge]] = {state: [] for state in definition["states"]}
            for move in definition["moves"]:
                moves.setdefault(move["from"], []).append(
                    Edge(
                        move["to"],
                        move.get("kind", "plain"),
                        move.get("role"),
                        None if move.get("after") is None else timedelta(seconds=move["after"]),
                    )
                )
            name, initial = definition["name"], definition["initial"]
            states, aliases = list(definition["states"]), definition.get("aliases", {})
        except (KeyError, TypeError, AttributeError) as error:
            raise BadDeclaration(
                f"not a machine's definition: {error!r}", hint="Store what Machine.definition() returned."
            ) from error
        machine = cls(name, initial=initial, moves=moves, states=states, aliases=aliases)
        object.__setattr__(machine, "listed", bool(definition.get("listed", True)))
        return machine

    def _digest(self) -> str:
        def rank(state: State) -> tuple[bool, str]:
            return (state is not None, state or "")

        edges = sorted(self.pairs(), key=lambda pair: (rank(pair[0]), rank(pair[1].to)))
        canonical = {
            "name": self.name,
            "initial": self.initial,
            "states": sorted(self.states, key=rank),
            "moves": [
                [
                    old,
                    edge.to,
                    edge.kind,
                    edge.role,
                    *([] if edge.after is None else [edge.after.total_seconds()]),
                ]
                for old, edge in edges
            ],
        }
        return hashlib.sha256(
            json.dumps(canonical, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest()

    def _known(self, state: State) -> State:
        if not self._has(state):
            self._refuse_unknown(state, None, state, self.states)
        return state

    def _has(self, state: object) -> bool:
        return (state is None or isinstance(state, str)) and state in self.edges

    def _refuse(self, old: State, new: State) -> NoReturn:
        for state in (old, new):
            if not self._has(state):
                self._refuse_unknown(state, old, new, self.next_states(old) if self._has(old) else ())
        hint = "Staying is never a move." if old == new else ""
        raise InvalidStateTransition(self.name, old, new, self.next_states(old), hint=hint)

    def _refuse_unknown(self, state: State, old: State, new: State, legal: tuple[State, ...]) -> NoReturn:
        why = f"{self.name} has no state {quoted(state)}; it has {join_states(self.states)}"
        hint = did_you_mean(state, self.states)
        raise UnknownState(
            self.name, old, new, legal, why=why, hint=hint, state=state, known=list(self.states)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Machine):
            return NotImplemented
        return self._fingerprint == other._fingerprint and self.name == other.name

    def __hash__(self) -> int:
        return hash((self._fingerprint, self.name))

    def __repr__(self) -> str:
        return f"<Machine {self.name}: {len(self.states)} states, {len(self._by_pair)} moves, {self._fingerprint[:8]}>"

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError(f"machine {self.name} cannot be changed; declare another one")

    def __delattr__(self, attribute: str) -> NoReturn:
        self.__setattr__(attribute, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_definition, (self.definition(),))
