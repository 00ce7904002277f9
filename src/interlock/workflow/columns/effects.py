"""What one move does to the engine's own columns of an axis, worked out once per edge; pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from ...machine import State
from ..axis import Axis
from ..stage import Stage
from ..workflow import Workflow


@dataclass(frozen=True)
class Effects:
    """Columns set to the move's instant, to a constant (None clears), counted up by one, or set to an instant so much later by the
    database's clock."""

    now: tuple[str, ...]
    constants: tuple[tuple[str, Any], ...]
    counted: tuple[str, ...]
    later: tuple[tuple[str, timedelta], ...] = ()


def effects(workflow: Workflow, axis: Axis, old: State, new: State, origin: str) -> Effects:
    """The effects of the move old → new on this axis; staying (old is new) enters nothing."""
    stages = [stage for stage in workflow.stages.values() if stage.axis == axis.name]
    now: list[str] = []
    constants: dict[str, Any] = {}
    counted: list[str] = []
    if axis.has("updated_at"):
        now.append(axis.column_name("updated_at"))
    if origin == "amend" and axis.has("ready_at") and any(old in stage.waiting for stage in stages):
        now.append(axis.column_name("ready_at"))  # what kept it from its stage may have been amended
    if old != new or origin in ("admit", "backfill"):
        now.append(axis.column_name("since"))
        _entering(axis, stages, old, new, now, constants)
        if origin != "admit":  # a record is admitted with what its row gives
            constants |= dict.fromkeys(axis.cleared.get(new, ()))
        if axis.has("attempt") and new is not None and any(stage.running == new for stage in stages):
            counted.append(axis.column_name("attempt"))
        if origin == "retry":  # going back is no success, not even where a success resets the count
            for name in ("retry_count", "last_retry_at"):
                constants.pop(axis.column_name(name), None)
            counted.append(axis.column_name("retry_count"))
            now.append(axis.column_name("last_retry_at"))
    later = _timer(axis, old, new, origin, constants)
    return Effects(tuple(dict.fromkeys(now)), tuple(constants.items()), tuple(counted), later)


def _timer(
    axis: Axis, old: State, new: State, origin: str, constants: dict[str, Any]
) -> tuple[tuple[str, timedelta], ...]:
    """When the state that is entered has a timer, the column that says when it is due; the timer of the state that is left is gone."""
    if not axis.machine.timers or (old == new and origin not in ("admit", "backfill")):
        return ()
    column, timer = axis.column_name("timer_at"), axis.machine.timers.get(new)
    if timer is None or timer.after is None:
        constants[column] = None
        return ()
    return ((column, timer.after),)


def _entering(
    axis: Axis, stages: list[Stage], old: State, new: State, now: list[str], constants: dict[str, Any]
) -> None:
    _waiting(axis, stages, new, now, constants)
    _failure(axis, stages, old, new, constants)
    if new is not None and new in axis.stamps:
        now.append(axis.stamps[new])
    if new is not None and new in axis.retries_reset_at and axis.has("retry_count"):
        constants[axis.column_name("retry_count")] = 0
        constants[axis.column_name("last_retry_at")] = None


def _waiting(axis: Axis, stages: list[Stage], new: State, now: list[str], constants: dict[str, Any]) -> None:
    """A state that waits for work is ready from now on; the budget of tries starts anew in the stage's declared one."""
    waited_for = [stage for stage in stages if new in stage.waiting]
    if axis.has("ready_at"):
        if waited_for:
            now.append(axis.column_name("ready_at"))
        else:
            constants[axis.column_name("ready_at")] = None
    if axis.has("tries") and any(stage.declared_waiting == new for stage in waited_for):
        constants[axis.column_name("tries")] = 0


def _failure(axis: Axis, stages: list[Stage], old: State, new: State, constants: dict[str, Any]) -> None:
    """Error columns stay on the row until its work begins again or is done; facts of the move may overwrite them."""
    running = any(stage.running == new for stage in stages)
    if not running:
        constants |= {
            axis.column_name(name): None for name in ("error_code", "error_message") if axis.has(name)
        }
    if axis.has("failed_from"):
        left = failed_from(stages, old, new)
        if left is not None:
            constants[axis.column_name("failed_from")] = left
        elif is_failure(axis, stages, new):
            if not is_failure(axis, stages, old):  # else the row says already which stage failed
                constants[axis.column_name("failed_from")] = old
        elif not running:
            constants[axis.column_name("failed_from")] = None


def is_failure(axis: Axis, stages: list[Stage], state: State) -> bool:
    """A state that says something went wrong: a stage's failed or terminal one, or one with ways to retry."""
    if any(edge.kind == "retry" for edge in axis.machine.edges.get(state, ())):
        return True
    return state is not None and any(state in (stage.failed, stage.terminal) for stage in stages)


def failed_from(stages: list[Stage], old: State, new: State) -> State:
    """The waiting state of the stage that this move leaves unfinished, if it leaves one."""
    for stage in stages:
        if stage.running is not None and old == stage.running and new != stage.done:
            return stage.declared_waiting
    for stage in stages:
        if (
            old in stage.waiting
            and old != stage.failed
            and new in (stage.failed, stage.terminal)
            and new is not None
        ):
            return stage.declared_waiting
    return None


def counted_when_done(workflow: Workflow, stage: Stage) -> tuple[str, ...]:
    """What a stage's success counts up: its own try, unless the state it leads to waits for another stage, where counting begins anew."""
    begins = any(
        other.axis == stage.axis and other.declared_waiting == stage.done
        for other in workflow.stages.values()
    )
    return () if begins or not workflow.axes[stage.axis].has("tries") else ("tries",)


def ends(workflow: Workflow, axis: str, old: State, new: State) -> bool:
    """Whether this move ends an attempt: out of a running state; of a stage that has none, any move at all."""
    for stage in workflow.stages.values():
        if stage.axis == axis and (
            old == stage.running != new if stage.running is not None else old in stage.waiting
        ):
            return True
    return False
