"""Lint finds what is legal to declare but probably a mistake, in plain sentences; it must never refuse a machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from interlock.machine.edge import State
from interlock.machine.graph import circles_of, reach, reversed_arrows
from interlock.machine.suggest import did_you_mean, join_states, likeness, quoted

if TYPE_CHECKING:
    from interlock.machine.definition import Machine

ALIKE = 0.85
_OPPOSITES = ("un", "in", "im", "non", "non_", "non-", "not_", "not ", "dis", "de", "re", "pre", "post")


def findings(machine: Machine) -> list[str]:
    """Every finding, each a sentence that begins with the machine's name."""
    found = [
        *_never_entered(machine),
        *_probable_typos(machine),
        *_useless_retries(machine),
        *_traps(machine),
    ]
    return [f"{machine.name}: {sentence}" for sentence in found]


def _arrows(machine: Machine, *kinds: str) -> dict[State, list[State]]:
    return {
        state: [edge.to for edge in edges if edge.kind in kinds or not kinds]
        for state, edges in machine.edges.items()
    }


def _never_entered(machine: Machine) -> Iterator[str]:
    arrows = _arrows(machine)
    reached = reach(arrows, machine.initial)
    sources = reversed_arrows(arrows)
    for state in machine.states:
        if state in reached:
            continue
        if sources[state]:
            yield f"{quoted(state)} can never be entered: only {join_states(sources[state])} leads to it, which is never entered either."
        else:
            finals = [other for other in machine.states if other != state and not machine.edges[other]]
            hint = did_you_mean(state, finals)
            yield f"{quoted(state)} can never be entered: no move leads to it." + (f" {hint}" if hint else "")


def _probable_typos(machine: Machine) -> Iterator[str]:
    if machine.listed:
        return
    for place, state in enumerate(machine.states):
        if state is None or machine.edges[state]:
            continue
        for earlier, other in enumerate(machine.states):
            both_final = other is not None and not machine.edges[other]
            if other is None or other == state or (both_final and earlier > place):
                continue
            if _looks_mistyped(machine, state, other):
                yield (
                    f"nothing leaves {quoted(state)}, and it is spelled almost like {quoted(other)}: is one a typo? "
                    "If both are meant, list all states in `states`."
                )


def _looks_mistyped(machine: Machine, state: str, other: str) -> bool:
    if machine.allows(state, other) or machine.allows(other, state):
        return False  # a move between the two says that both are meant
    one, two = state.casefold(), other.casefold()
    if one != two and re.sub(r"\d+", "", one) == re.sub(r"\d+", "", two):
        return False
    if any(one == prefix + two or two == prefix + one for prefix in _OPPOSITES):
        return False
    return likeness(one, two) >= ALIKE


def _useless_retries(machine: Machine) -> Iterator[str]:
    """A retry puts a record back before the failed stage, so work must be able to go on from there and fail here again."""
    plain = _arrows(machine, "plain")
    for state, edge in machine.pairs():
        if edge.kind != "retry":
            continue
        move = f"the retry {quoted(state)} → {quoted(edge.to)}"
        if all(further.kind == "retry" for further in machine.edges[edge.to]):
            yield f"{move} leads to a state that nothing but retries leaves, so the work cannot go on."
        elif state not in reach(plain, edge.to):
            yield f"{move} can never be taken: no plain moves lead from {quoted(edge.to)} to {quoted(state)}, so nothing fails that way."


def _traps(machine: Machine) -> Iterator[str]:
    arrows = _arrows(machine)
    reached = reach(arrows, machine.initial)
    finals = [state for state in machine.states if state in reached and machine.is_terminal(state)]
    if not finals:
        return
    for circle in circles_of(arrows):
        leaving = any(target not in circle for state in circle for target in arrows[state])
        if circle <= reached and not leaving and not any(state in finals for state in circle):
            inside = join_states(state for state in machine.states if state in circle)
            yield f"a record that comes to {inside} never gets out, and never ends in {join_states(finals)}."
