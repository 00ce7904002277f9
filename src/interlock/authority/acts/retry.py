"""Where an operator's retry leads: the state before the failed stage, as the row itself says; never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Select, literal, null, select

from ...errors import BadInput, MaxRetriesExceeded, UnknownRecord
from ...machine import State
from ...store.plan import Plans
from ...workflow import Axis, Stage, Workflow
from ..command import checked_scope


class Target(NamedTuple):
    """The axis, where the record stands, where it goes, and the version that was seen."""

    axis: Axis
    state: State
    to: State
    version: int

    @property
    def origin(self) -> str:
        """What rests in place is due again where it is; else the machine says whether the way back is a retry or a plain move."""
        if self.state == self.to:
            return "reissue"
        edge = self.axis.machine.edge(self.state, self.to)
        return "retry" if edge is None or edge.kind == "retry" else "move"


def retry_target(tx: Connection, plans: Plans, workflow: Workflow, id: Any, scope: str | None) -> Target:
    """Where a retry of this record leads."""
    for axis in retried_axes(workflow):
        checked = plans.place(workflow, axis).check_id(id)
        row = tx.execute(_sought(axis, checked, checked_scope(axis, scope if axis.scoped else None))).first()
        if row is None:
            raise UnknownRecord(workflow.name, id, scope)
        version, *where = row
        if (found := retry_state(workflow, axis, id, where)) is not None:
            return Target(axis, where[0], found[0], version)
    raise not_failed(workflow, id)


def retried_axes(workflow: Workflow) -> list[Axis]:
    """The axes on which something can fail."""
    axes = [axis for axis in workflow.axes.values() if axis.has("retry_count") or axis.has("error_code")]
    if not axes:
        raise BadInput(
            f"no machine of {workflow.name} has a retry move",
            hint='Declare one where records fail: moves={"failed": [retry("placed")]}.',
        )
    return axes


def retry_state(workflow: Workflow, axis: Axis, id: Any, where: Sequence[Any]) -> tuple[State] | None:
    """The state that a retry of a record leads to; None where it has not failed. `where` are the values of `retry_columns`."""
    state, failed_from, count, limit, error = where
    if failed_from is not None and axis.has("retry_count"):
        if count >= limit:
            raise MaxRetriesExceeded(workflow.name, id, count, limit)
        return (failed_from,)
    if error is not None and any(
        rests(stage, state) for stage in workflow.stages.values() if stage.axis == axis.name
    ):
        return (state,)
    return None if failed_from is None else (failed_from,)


def rests(stage: Stage, state: State) -> bool:
    """Whether a record with an error may rest in this state; one that runs only where its failures have no state of their own: elsewhere
    the error is its last try's, and it is being tried again."""
    return state in stage.waiting or (
        state == stage.running and stage.failed is None and stage.terminal is None
    )


def not_failed(workflow: Workflow, id: Any) -> BadInput:
    return BadInput(
        f"{workflow.name} {id!r} has not failed: there is nothing to retry",
        hint="`interlock record why` says where it is and what may happen next.",
    )


def retry_columns(axis: Axis) -> list[ColumnElement[Any]]:
    """What of a row decides where a retry leads: state, failed_from, retries, how many are allowed, error code."""
    allowed = (
        literal(axis.max_retries, Integer)
        if isinstance(axis.max_retries, int)
        else axis.table.c[axis.max_retries]
    )

    def value(name: str) -> Any:
        return axis.column(name) if axis.has(name) else null()

    return [axis.table.c[axis.name], value("failed_from"), value("retry_count"), allowed, value("error_code")]


def _sought(axis: Axis, id: Any, scope: str) -> Select[Any]:
    sought = select(axis.column("version"), *retry_columns(axis)).where(axis.table.c[axis.key] == id)
    return sought.where(axis.table.c[axis.scope_column] == scope) if axis.scoped else sought
