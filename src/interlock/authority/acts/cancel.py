"""Where a cancelled record goes: out of the stage it is in, to where that stage's failures rest; never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from ...errors import BadInput, UnknownRecord, state_text
from ...machine import State
from ...store.contract import Engine, Reading
from ...store.plan import Plans
from ...workflow import Axis, Stage, Workflow
from ..command import checked_scope


def cancel_target(
    tx: Connection,
    engine: Engine,
    plans: Plans,
    workflow: Workflow,
    id: Any,
    scope: str | None,
    axis: str | None,
) -> tuple[str, str, int]:
    """The axis, the state to go to, and the version that was seen."""
    places = worked_axes(workflow, axis)
    found: list[tuple[Axis, Stage, int]] = []
    states = []
    for one in places:
        place = plans.place(workflow, one)
        key = place.key_bind(place.check_id(id))
        rows = engine.read(
            tx, Reading((place,)), [key], checked_scope(one, scope if one.scoped else None), "", {}
        )
        if not rows:
            raise UnknownRecord(workflow.name, id, scope)
        state, version = rows[0].states[0], rows[0].versions[0] or 0
        states.append(f"{one.name} is {state_text(state)}")
        found += [(one, stage, version) for stage in stages_at(workflow, one, state)]
    if not found:
        raise nothing_to_cancel(workflow, id, states)
    if len({one.name for one, _, _ in found}) > 1:
        raise BadInput(
            f"{workflow.name} {id!r} is worked on in several axes; say which: {', '.join(one.name for one, _, _ in found)}"
        )
    chosen, stage, version = found[0]
    return chosen.name, cancelled_state(stage), version


def worked_axes(workflow: Workflow, named: str | None = None) -> list[Axis]:
    """The axes on which stages work."""
    worked = {stage.axis for stage in workflow.stages.values()}
    places = [one for one in workflow.axes.values() if named in (None, one.name) and one.name in worked]
    if not places:
        raise BadInput(
            f"{workflow.name} has no stages: there is no work to cancel",
            hint="app.move() moves a record without work.",
        )
    return places


def stages_at(workflow: Workflow, axis: Axis, state: State) -> list[Stage]:
    """The stages that a record in this state waits for or runs in."""
    return [
        stage
        for stage in workflow.stages.values()
        if stage.axis == axis.name and (state == stage.running or state in stage.waiting)
    ]


def cancelled_state(stage: Stage) -> str:
    """Where what is cancelled rests: with what has failed for good."""
    to = stage.terminal if stage.terminal is not None else stage.failed
    if to is None:
        raise BadInput(
            f"stage {stage.name} has no failed state for what is cancelled",
            hint="Move the record yourself to where it shall be.",
        )
    return to


def nothing_to_cancel(workflow: Workflow, id: Any, states: Sequence[str]) -> BadInput:
    return BadInput(
        f"{workflow.name} {id!r}: there is nothing to cancel; {', '.join(states)}",
        hint="Only what waits for a stage or runs in it can be cancelled.",
    )
