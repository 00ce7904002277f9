"""Where an operator's retry leads: the state before the failed stage, as the row itself says; never guessed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Integer, literal, select

from ..errors import BadInput, MaxRetriesExceeded, UnknownRecord
from ..workflow import Workflow
from .command import checked_scope
from .reading import Outlooks


def retry_target(tx: Connection, outlooks: Outlooks, workflow: Workflow, id: Any, scope: str | None) -> tuple[str, str, int]:
    """The axis, the state to go back to, and the version that was seen."""
    axis = next((axis for axis in workflow.axes.values() if axis.has("retry_count")), None)
    if axis is None:
        raise BadInput(f"no machine of {workflow.name} has a retry move")
    checked = outlooks.place(workflow, axis).check_id(id)
    named = checked_scope(axis, scope)
    allowed = literal(axis.max_retries, Integer) if isinstance(axis.max_retries, int) else axis.table.c[axis.max_retries]
    sought = select(axis.column("version"), axis.column("failed_from"), axis.column("retry_count"), allowed).where(
        axis.table.c[axis.key] == checked)
    if axis.scoped:
        sought = sought.where(axis.table.c[axis.scope_column] == named)
    row = tx.execute(sought).first()
    if row is None:
        raise UnknownRecord(workflow.name, id, scope)
    version, failed_from, count, limit = row
    if failed_from is None:
        raise BadInput(f"{workflow.name} {id!r} has not failed: there is nothing to retry",
                       hint="`interlock record why` says where it is and what may happen next.")
    if count >= limit:
        raise MaxRetriesExceeded(workflow.name, id, count, limit)
    return axis.name, failed_from, version
