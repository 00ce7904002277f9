"""Declare turns what a team wrote into exact states and edges or refuses it; it must never repair a mistake in silence."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple, NoReturn

from interlock.errors import BadDeclaration
from interlock.machine.edge import KINDS, Edge, State
from interlock.machine.suggest import did_you_mean, join_states, quoted

LONGEST_NAME = 63
LONGEST_TIMER = timedelta(days=3653)
"""Added to any date of this age it is still a date."""
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_NOT_CHARACTERS = frozenset("\ufffe\uffff")  # XML and JSON readers choke on them
Edges = dict[State, tuple[Edge, ...]]


class Declared(NamedTuple):
    """What a machine is made of, every name an exact str."""

    initial: State
    states: tuple[State, ...]
    edges: Edges
    aliases: dict[str, State]
    listed: bool


def declare(name: str, initial: Any, moves: Any, states: Any, aliases: Any) -> Declared:
    """Read a declaration, or raise BadDeclaration."""
    start = _state(name, initial, "initial")
    known = [_state(name, state, "states") for state in _in_order(name, states, "states")]
    _refuse_twice(name, known, "states has")
    declared = _declared_edges(name, moves)
    named = list(dict.fromkeys([*declared, *(edge.to for edges in declared.values() for edge in edges)]))
    if not known and not named:
        refuse(name, "has no states at all", "Give it `moves`, or `states` for any-to-any.")
    _refuse_unknown(name, start, known or named, "initial is")
    if known:
        for state in named:
            _refuse_unknown(name, state, known, "moves name")
    every = tuple(dict.fromkeys([start, *(known or named)]))
    edges = {state: declared.get(state, ()) for state in every} if declared else _any_to_any(every)
    _refuse_retry_of_initial(name, start, edges)
    return Declared(start, every, edges, _aliases(name, aliases, every), bool(known))


def refuse(machine: str, what: str, hint: str = "") -> NoReturn:
    """Every refusal names the machine."""
    raise BadDeclaration(f"machine {machine}: {what}", hint=hint, machine=machine)


def declared_name(name: Any) -> str:
    """A machine's name, exact, or BadDeclaration."""
    if not isinstance(name, str):
        raise BadDeclaration(
            f"a machine's name must be text, not {quoted(name)}",
            hint='Write Machine("upload", initial=…, moves=…).',
        )
    exact = str.__str__(name)
    fault = _fault(exact)
    if fault:
        hint = f"Use 1 to {LONGEST_NAME} printable characters."
        raise BadDeclaration(f"a machine's name {quoted(exact)} {fault}", hint=hint, machine=exact)
    return exact


def _fault(text: str) -> str:
    if not text:
        return "is empty"
    if not text.strip():
        return "is blank"
    if len(text) > LONGEST_NAME:
        return f"has {len(text)} characters; {LONGEST_NAME} are allowed"
    if any(unicodedata.category(sign) in _UNPRINTABLE or sign in _NOT_CHARACTERS for sign in text):
        return "has control characters in it"
    return ""


def _state(machine: str, value: Any, where: str) -> State:
    if value is None:
        return None
    if not isinstance(value, str):
        refuse(
            machine,
            f"{where} has {quoted(value)}, which is neither text nor None",
            "A state is a str, a StrEnum member or None; operator(…), retry(…) and after(…) mark special moves.",
        )
    exact = str.__str__(value)
    fault = _fault(exact)
    if fault:
        refuse(
            machine,
            f"state {quoted(exact)} in {where} {fault}",
            "Use None for the null state." if not exact else f"Use 1 to {LONGEST_NAME} printable characters.",
        )
    return exact


def _in_order(machine: str, values: Any, where: str) -> list[Any]:
    """Sequences keep their order; sets have none that outlives the process, so they are sorted."""
    if isinstance(values, (str, Edge)) or not isinstance(values, Iterable):
        refuse(machine, f"{where} is {quoted(values)}, not a collection", "Put it in a list: [...].")
    if isinstance(values, (set, frozenset)):
        return sorted(values, key=lambda value: _sort_key(value.to if isinstance(value, Edge) else value))
    return list(values)


def _sort_key(value: Any) -> tuple[bool, str]:
    return (value is not None, str.__str__(value) if isinstance(value, str) else repr(value))


def _declared_edges(machine: str, moves: Any) -> Edges:
    if not isinstance(moves, Mapping):
        refuse(machine, f"moves is {quoted(moves)}, not a mapping", 'Write moves={"draft": ["final"]}.')
    edges_of: Edges = {}
    for source, targets in moves.items():
        state = _state(machine, source, "moves")
        where = f"moves from {quoted(state)}"
        edges = _timed(
            machine, where, [_edge(machine, one, where) for one in _in_order(machine, targets, where)]
        )
        if any(edge.to == state for edge in edges):
            refuse(machine, f"{where} lead to itself", "Staying is never a move; leave it out.")
        _refuse_twice(machine, [edge.to for edge in edges], f"{where} lead to")
        edges_of[state] = edges
    return edges_of


def _edge(machine: str, target: Any, where: str) -> Edge:
    if not isinstance(target, Edge):
        return Edge(_state(machine, target, where))
    if target.kind not in KINDS:
        refuse(
            machine,
            f"{where} have the unknown kind {quoted(target.kind)}",
            "Use retry(…), operator(…) or after(…).",
        )
    if target.kind != "operator" and target.role is not None:
        refuse(
            machine,
            f"{where} give the role {quoted(target.role)} to a {target.kind} move",
            "Only operator(…) has a role.",
        )
    if target.role is not None and not isinstance(target.role, str):
        refuse(
            machine,
            f"{where} have the role {quoted(target.role)}, which is not text",
            'Write operator("packed", role="reviewer").',
        )
    role = _state(machine, target.role, f"role of {where}")
    if target.kind == "operator" and role is None:
        refuse(
            machine, f"{where} have an operator move without a role", 'Write operator(to, role="reviewer").'
        )
    if (target.kind == "timer" and target.after is None) or (
        target.kind == "retry" and target.after is not None
    ):
        refuse(machine, f"{where} have a {target.kind} move that is not declared as such", "Use after(…).")
    if target.after is not None and not timedelta(0) < target.after <= LONGEST_TIMER:
        refuse(
            machine,
            f"{where} have a timer of {target.after}",
            f"A timer is longer than nothing, and at most {LONGEST_TIMER.days} days.",
        )
    return Edge(_state(machine, target.to, where), target.kind, role, target.after)


def _timed(machine: str, where: str, edges: list[Edge]) -> tuple[Edge, ...]:
    """A timer beside a move to the same state makes one edge of both; a state has one timer at most."""
    timers = [edge for edge in edges if edge.after is not None]
    if len(timers) > 1:
        refuse(
            machine,
            f"{where} have {len(timers)} timers, to {join_states(edge.to for edge in timers)}",
            "A state has one: the first would always come before the others. Name a state in between.",
        )
    for timer in timers if timers and timers[0].kind == "timer" else []:
        same = [edge for edge in edges if edge.to == timer.to and edge is not timer]
        if len(same) == 1 and same[0].kind in ("plain", "operator"):
            both = replace(same[0], after=timer.after)
            return tuple(both if edge is same[0] else edge for edge in edges if edge is not timer)
    return tuple(edges)


def _any_to_any(states: tuple[State, ...]) -> Edges:
    return {old: tuple(Edge(new) for new in states if new != old) for old in states}


def _aliases(machine: str, aliases: Any, states: tuple[State, ...]) -> dict[str, State]:
    if not isinstance(aliases, Mapping):
        refuse(machine, f"aliases is {quoted(aliases)}, not a mapping", 'Write aliases={"Old": "new"}.')
    read: dict[str, State] = {}
    folded: dict[str, State] = {}
    by_fold = {state.casefold(): state for state in states if state is not None}
    for alias, target in aliases.items():
        if not isinstance(alias, str):
            refuse(machine, f"alias {quoted(alias)} is not text", "An alias is an old name of a state.")
        state = _state(machine, target, f"alias {quoted(alias)}")
        _refuse_unknown(machine, state, states, f"alias {quoted(alias)} leads to")
        fold = alias.casefold()
        if alias in states or by_fold.get(fold, state) != state:
            refuse(
                machine,
                f"alias {quoted(alias)} is itself a state",
                "A state wins over an alias of any case; leave the alias out.",
            )
        if folded.setdefault(fold, state) != state:
            refuse(machine, f"alias {quoted(alias)} leads to two states", "Aliases are read in any case.")
        read[str.__str__(alias)] = state
    return read


def _refuse_unknown(machine: str, state: State, known: Collection[State], what: str) -> None:
    if state not in known:
        refuse(
            machine,
            f"{what} {quoted(state)}, which is not among its states: {join_states(known)}",
            did_you_mean(state, known) or f"Name one of them, or add {quoted(state)} to the moves.",
        )


def _refuse_twice(machine: str, states: list[State], what: str) -> None:
    seen: set[State] = set()
    for state in states:
        if state in seen:
            refuse(machine, f"{what} {quoted(state)} twice", "Name it once.")
        seen.add(state)


def _refuse_retry_of_initial(machine: str, initial: State, edges: Edges) -> None:
    if any(edge.kind == "retry" for edge in edges[initial]):
        refuse(
            machine,
            f"a retry leaves the initial state {quoted(initial)}",
            "Nothing has failed there yet; make it a plain move.",
        )
