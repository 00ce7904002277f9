"""How the scopes of an axis stand beside each other: which combinations of states records are in, and how many in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, func, select

from ...errors import BadInput
from ...machine import State
from ...store.connect import Database
from ...workflow import Axis, Workflow


@dataclass(frozen=True, slots=True)
class ScopeState:
    """Where records are in one scope; `present` is false where they have no state there, which is not the state null."""

    scope: str
    present: bool
    state: State


@dataclass(frozen=True, slots=True)
class Pattern:
    """Records that are in the same states in every scope of an axis."""

    kind: str
    axis: str
    places: list[ScopeState]
    records: int


def read_patterns(database: Database, workflow: Workflow, axis: str | None, limit: int) -> list[Pattern]:
    """Return the combinations of states over the scopes of an axis, the most frequent first."""
    chosen = scoped_axis(workflow, axis)
    asked = _question(workflow, chosen, limit)
    with database.read() as tx:
        rows = [tuple(row) for row in tx.execute(asked)]
    return [
        Pattern(
            workflow.name,
            chosen.name,
            [
                ScopeState(scope, row[2 * number] is not None, row[2 * number + 1])
                for number, scope in enumerate(chosen.scopes)
            ],
            int(row[-1]),
        )
        for row in rows
    ]


def scoped_axis(workflow: Workflow, axis: str | None) -> Axis:
    """Return the axis of this name, or the only one with scopes."""
    scoped = [one for one in workflow.axes.values() if one.scopes and axis in (None, one.name)]
    if len(scoped) != 1:
        names = ", ".join(one.name for one in workflow.axes.values() if one.scopes)
        raise BadInput(
            f"{workflow.name} has {f'several axes with scopes: {names}' if scoped else 'no such axis with scopes'}"
        )
    return scoped[0]


def _question(workflow: Workflow, axis: Axis, limit: int) -> Select[Any]:
    joined: FromClause = workflow.records
    columns: list[ColumnElement[Any]] = []
    for number, scope in enumerate(axis.scopes):
        table = axis.table.alias(f"scope_{number}")
        here = and_(table.c[axis.key] == workflow.id_column, table.c[axis.scope_column] == scope)
        joined = joined.outerjoin(table, here)
        columns += [table.c[axis.scope_column], table.c[axis.name]]
    count = func.count().label("records")
    asked = select(*columns, count).select_from(joined).group_by(*columns)
    return asked.order_by(count.desc(), *columns).limit(limit)
