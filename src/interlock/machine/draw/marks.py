"""Marks say by shape and colour which part a state has in its machine and stages; a state's name never decides it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from interlock.machine.definition import Machine
from interlock.machine.edge import State


class StageStates(Protocol):
    """What is asked of a stage: the states it connects. A workflow's `Stage` is one."""

    @property
    def waiting(self) -> Collection[State]: ...
    @property
    def done(self) -> State: ...
    @property
    def running(self) -> State: ...
    @property
    def failed(self) -> State: ...
    @property
    def terminal(self) -> State: ...


class Mark(NamedTuple):
    """A symbol of the sprite, and the class that colours it."""

    symbol: str
    tone: str


NULL = Mark("m-null", "is-null")
RUNNING = Mark("m-running", "is-running")
RETRY = Mark("m-retry", "is-retry")
FAILED = Mark("m-failed", "is-failed")
FINAL = Mark("m-final", "is-final")
DONE = Mark("m-done", "is-done")
WAITING = Mark("m-waiting", "is-waiting")
ASKS = Mark("m-asks", "is-person")
NEW = Mark("m-new", "is-person")
SELECTED = Mark("m-selected", "is-person")
MAYBE = Mark("m-maybe", "is-person")
DISCARDED = Mark("m-discarded", "is-person")


def marks_of(
    machine: Machine,
    stages: Sequence[StageStates] = (),
    *,
    by_people: bool = False,
    driving: Collection[State] = (),
) -> dict[State, Mark]:
    """Return the mark of each state.

    `by_people`: the axis is moved by people alone, so its states are decisions and square: empty where a record begins, checked where a
    decision starts work (`driving`: states whose entering moves another axis), crossed for the last declared one, half for those between.
    """
    if by_people:
        return _decisions(machine, driving)
    return {state: _mark(machine, state, stages) for state in machine.states}


def _decisions(machine: Machine, driving: Collection[State]) -> dict[State, Mark]:
    marks: dict[State, Mark] = {}
    for state in machine.states:
        if state is None:
            marks[state] = NULL
        elif state == machine.initial:
            marks[state] = NEW
        elif machine.is_terminal(state):
            marks[state] = FINAL
        elif state in driving:
            marks[state] = SELECTED
        else:
            marks[state] = DISCARDED if state == machine.states[-1] else MAYBE
    return marks


def _mark(machine: Machine, state: State, stages: Sequence[StageStates]) -> Mark:
    if state is None:
        return NULL
    if any(stage.running == state for stage in stages):
        return RUNNING
    failing = [stage for stage in stages if state in (stage.failed, stage.terminal)]
    if failing:
        return RETRY if any(state in stage.waiting for stage in failing) else FAILED
    if is_failure_by_moves(machine, state) and not stages:
        return FAILED
    if machine.is_terminal(state):
        return FINAL
    leaving = machine.edges[state]
    if leaving and all(edge.kind == "operator" for edge in leaving):
        return ASKS
    if any(stage.done == state for stage in stages):
        return DONE
    return WAITING


def failures_of(machine: Machine, stages: Sequence[StageStates] = ()) -> frozenset[State]:
    """Return the states that are drawn below: where stages fail to, and what only a retry leaves."""
    named: set[State] = {
        state
        for stage in stages
        for state in (stage.failed, stage.terminal)
        if state is not None and not any(other.done == state or other.running == state for other in stages)
    }
    named |= {state for state in machine.states if is_failure_by_moves(machine, state)}
    return frozenset(named - {machine.initial})


def is_failure_by_moves(machine: Machine, state: State) -> bool:
    """Return whether the state is left by retries, and otherwise only by people."""
    kinds = {edge.kind for edge in machine.edges[state]}
    return "retry" in kinds and kinds <= {"retry", "operator"}
