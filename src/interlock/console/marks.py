"""The mark of a state on a page: a shape and a colour that follow from the state's part in its machine, never from its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..machine import State
from ..machine import marks_of as drawn_marks
from ..workflow import Axis, Stage, Workflow


class Mark(NamedTuple):
    """A symbol of the sprite, and the tone that colours it."""

    symbol: str
    tone: str


FAILED, RETRY = Mark("m-failed", "failed"), Mark("m-retry", "retry")
ASKS, NEW = Mark("m-asks", "person"), Mark("m-new", "person")
STUCK, REFUSED = Mark("m-stuck", "stuck"), Mark("m-refused", "quiet")
UNKNOWN = Mark("m-failed", "failed")
"""Of a state that the code does not declare."""


def stages_of(workflow: Workflow, axis: Axis) -> list[Stage]:
    """The stages that work on an axis."""
    return [stage for stage in workflow.stages.values() if stage.axis == axis.name]


def is_moved_by_people(workflow: Workflow, axis: Axis) -> bool:
    """Whether only people move records on this axis: no stage works on it, no rule drives it, no timer moves it."""
    driven = any(rule.target == axis.name for rule in workflow.rules)
    return not stages_of(workflow, axis) and not driven and not axis.machine.timers


def asks_for_decisions(workflow: Workflow, axis: Axis) -> bool:
    """Whether records wait on this axis until a person decides: people alone move it, and a plain move leads out of where records begin."""
    begins = axis.machine.edges.get(axis.machine.initial, ())
    return is_moved_by_people(workflow, axis) and any(edge.kind == "plain" for edge in begins)


def is_decided_by_people(workflow: Workflow, axis: Axis) -> bool:
    """Whether an axis is for Curate: people alone move it, and have a choice where records begin."""
    begins = axis.machine.edges[axis.machine.initial]
    return (
        not axis.scopes
        and is_moved_by_people(workflow, axis)
        and sum(edge.kind == "plain" for edge in begins) > 1
    )


def driving_states(workflow: Workflow, axis: Axis) -> frozenset[State]:
    """The states whose entering moves another axis."""
    return frozenset(
        state
        for rule in workflow.rules
        if rule.axis == axis.name and rule.moment == "entering" and rule.target is not None
        for state in rule.states
    )


def marks_of(workflow: Workflow, axis: Axis) -> dict[State, Mark]:
    """The mark of every declared state of an axis."""
    found = drawn_marks(
        axis.machine,
        stages_of(workflow, axis),
        by_people=is_moved_by_people(workflow, axis),
        driving=driving_states(workflow, axis),
    )
    return {state: Mark(mark.symbol, _tone(mark.tone)) for state, mark in found.items()}


def mark_of(marks: Mapping[State, Mark], state: State) -> Mark:
    """The mark of a state, also of one that is no longer declared."""
    return marks.get(state, UNKNOWN)


def _tone(drawn: str) -> str:
    tone = drawn.removeprefix("is-")
    return {"null": "quiet"}.get(tone, tone)
