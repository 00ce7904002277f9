"""Where a cancelled record goes: out of the stage it is in, to where that stage's failures rest; never guessed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from ..errors import BadInput, UnknownRecord, spoken
from ..store.contract import Engine, Reading
from ..workflow import Axis, Stage, Workflow
from .command import checked_scope
from .reading import Outlooks


def cancel_target(tx: Connection, engine: Engine, outlooks: Outlooks, workflow: Workflow, id: Any, scope: str | None,
                  axis: str | None) -> tuple[str, str, int]:
    """The axis, the state to go to, and the version that was seen."""
    places = [one for one in workflow.axes.values() if axis in (None, one.name) and _stages(workflow, one)]
    if not places:
        raise BadInput(f"{workflow.name} has no stages: nothing of it can be cancelled")
    found: list[tuple[Axis, Stage, int]] = []
    states = []
    for one in places:
        place = outlooks.place(workflow, one)
        key = place.key_bind(place.check_id(id))
        rows = engine.read(tx, Reading((place,)), [key], checked_scope(one, scope if one.scoped else None), "", {})
        if not rows:
            raise UnknownRecord(workflow.name, id, scope)
        state, version = rows[0].states[0], rows[0].versions[0] or 0
        states.append(f"{one.name} is {spoken(state)}")
        found += [(one, stage, version) for stage in _stages(workflow, one) if state == stage.running or state in stage.waiting]
    if not found:
        raise BadInput(f"{workflow.name} {id!r}: there is nothing to cancel; {', '.join(states)}",
                       hint="Only what waits for a stage or runs in it can be cancelled.")
    if len({one.name for one, _, _ in found}) > 1:
        raise BadInput(f"{workflow.name} {id!r} is worked on in several axes; say which: {', '.join(one.name for one, _, _ in found)}")
    chosen, stage, version = found[0]
    to = stage.terminal if stage.terminal is not None else stage.failed
    if to is None:
        raise BadInput(f"stage {stage.name} has no failed state for what is cancelled", hint="Move the record yourself to where it shall be.")
    return chosen.name, to, version


def _stages(workflow: Workflow, axis: Axis) -> list[Stage]:
    return [stage for stage in workflow.stages.values() if stage.axis == axis.name]
