"""Where an operator's retry leads: the state before the failed stage, as the row itself says; never guessed."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, Select, literal, select

from ..errors import BadInput, MaxRetriesExceeded, UnknownRecord
from ..machine import State
from ..workflow import Axis, Workflow
from .command import checked_scope
from .reading import Outlooks


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


def retry_target(tx: Connection, outlooks: Outlooks, workflow: Workflow, id: Any, scope: str | None) -> Target:
    """Where a retry of this record leads."""
    axes = [axis for axis in workflow.axes.values() if axis.has("retry_count") or axis.has("error_code")]
    if not axes:
        raise BadInput(f"no machine of {workflow.name} has a retry move")
    for axis in axes:
        checked = outlooks.place(workflow, axis).check_id(id)
        row = tx.execute(_sought(axis, checked, checked_scope(axis, scope if axis.scoped else None))).first()
        if row is None:
            raise UnknownRecord(workflow.name, id, scope)
        version, state, failed_from, count, limit, error = row
        if failed_from is not None and axis.has("retry_count"):
            if count >= limit:
                raise MaxRetriesExceeded(workflow.name, id, count, limit)
            return Target(axis, state, failed_from, version)
        if error is not None and any(state == stage.running or state in stage.waiting for stage in workflow.stages.values()
                                     if stage.axis == axis.name):
            return Target(axis, state, state, version)
        if failed_from is not None:
            return Target(axis, state, failed_from, version)
    raise BadInput(f"{workflow.name} {id!r} has not failed: there is nothing to retry",
                   hint="`interlock record why` says where it is and what may happen next.")


def _sought(axis: Axis, id: Any, scope: str) -> Select[Any]:
    allowed = literal(axis.max_retries, Integer) if isinstance(axis.max_retries, int) else axis.table.c[axis.max_retries]

    def value(name: str) -> Any:
        return axis.column(name) if axis.has(name) else literal(None)

    sought = select(axis.column("version"), axis.table.c[axis.name], value("failed_from"), value("retry_count"), allowed,
                    value("error_code")).where(axis.table.c[axis.key] == id)
    return sought.where(axis.table.c[axis.scope_column] == scope) if axis.scoped else sought
