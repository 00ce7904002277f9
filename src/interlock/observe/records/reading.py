"""Reads one record as a row, with its state row in one scope where it is asked for."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from ...errors import BadInput, UnknownRecord
from ...workflow import Axis, Workflow


def axis_of_scope(workflow: Workflow, axis: str | None, scope: str | None) -> Axis:
    """The scoped axis that has this scope; refuses a scope that none has, and one that several have where none is named."""
    chosen = [workflow.axis(axis)] if axis is not None else list(workflow.axes.values())
    fitting = [one for one in chosen if scope is not None and scope in one.scopes]
    if not fitting:
        known = sorted({name for one in chosen for name in one.scopes})
        where = workflow.name if axis is None else f"{workflow.name}.{axis}"
        raise BadInput(f"{where} has no scope {scope!r}; it has {', '.join(known) or 'none'}")
    if len(fitting) > 1:
        raise BadInput(
            f"several axes of {workflow.name} have the scope {scope!r}: {', '.join(one.name for one in fitting)}",
            hint="Name one of them with axis=… .",
        )
    return fitting[0]


def read_record(
    tx: Connection, workflow: Workflow, id: Any, axis: Axis | None, scope: str | None
) -> dict[str, Any]:
    """The record's row; with a scoped axis, merged with the state row of the scope."""
    row = tx.execute(select(workflow.records).where(workflow.id_column == id)).mappings().first()
    if row is None:
        raise UnknownRecord(workflow.name, id)
    if axis is None:
        return dict(row)
    mine = (axis.table.c[axis.key] == id, axis.table.c[axis.scope_column] == scope)
    state = tx.execute(select(axis.table).where(*mine)).mappings().first()
    if state is None:
        raise UnknownRecord(workflow.name, id, scope)
    name = workflow.id_column.name
    return {**row, **state, name: row[name]}
