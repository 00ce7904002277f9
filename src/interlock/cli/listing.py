"""Pages of records by id: keyset, so that the last page costs what the first does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, exists, select

from ..app import App
from ..errors import BadInput
from ..machine import State
from ..workflow import Axis, Workflow

Wanted = Sequence[tuple[str, State]]


def columns_of(workflow: Workflow) -> list[str]:
    """The columns of a listing: the id, then each axis (and scope) with its state, since when, and version."""
    names = [named(axis, scope) for axis in workflow.axes.values() for scope in axis.scopes or ("",)]
    return ["id", *(f"{name}{part}" for name in names for part in ("", ".since", ".version"))]


def named(axis: Axis, scope: str) -> str:
    return f"{axis.name}[{scope}]" if scope else axis.name


def page(app: App, workflow: Workflow, wanted: Wanted, scope: str | None, limit: int, after: Any) -> list[dict[str, Any]]:
    """Records behind an id that are in all wanted states."""
    here = [axis for axis in workflow.axes.values() if not axis.scoped]
    columns = [column.label(f"{axis.name}{part}") for axis in here for column, part in (
        (axis.column("status"), ""), (axis.column("since"), ".since"), (axis.column("version"), ".version"))]
    asked = select(workflow.id_column.label("id"), *columns).order_by(workflow.id_column).limit(limit)
    if after is not None:
        asked = asked.where(workflow.id_column > after)
    for name, value in wanted:
        asked = asked.where(condition(workflow, workflow.axis(name), value, scope))
    with app.database.read() as tx:
        rows = [dict(row) for row in tx.execute(asked).mappings()]
        for axis in workflow.axes.values():
            if axis.scoped:
                add_scopes(tx, axis, rows)
    return rows


def condition(workflow: Workflow, axis: Axis, value: State, scope: str | None) -> Any:
    status = axis.column("status").is_(None) if value is None else axis.column("status") == value
    if not axis.scoped:
        return status
    if scope is not None and scope not in axis.scopes:
        raise BadInput(f"{workflow.name}.{axis.name} has no scope {scope!r}; it has {', '.join(axis.scopes)}")
    mine = [axis.table.c[axis.key] == workflow.id_column, status]
    if scope is not None:
        mine.append(axis.table.c[axis.scope_column] == scope)
    return exists().where(and_(*mine))


def add_scopes(tx: Any, axis: Axis, rows: list[dict[str, Any]]) -> None:
    """Put what a state table says beside the records of this page."""
    by_id = {row["id"]: row for row in rows}
    key, scope = axis.table.c[axis.key], axis.table.c[axis.scope_column]
    ids = list(by_id)
    for start in range(0, len(ids), 500):
        asked = select(key, scope, axis.column("status"), axis.column("since"), axis.column("version"))
        for id, place, status, since, version in tx.execute(asked.where(key.in_(ids[start:start + 500]))):
            by_id[id] |= {named(axis, place): status, f"{named(axis, place)}.since": since, f"{named(axis, place)}.version": version}
