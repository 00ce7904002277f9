"""Undoing an operation: an operation itself, about what the first one moved, each record back to where it came from."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, cast, exists, func, select

from ..store.records.operation_schema import item
from ..store.records.operations import Operation, OperationRows
from ..workflow import Workflow
from .acts import Act
from .scope import Source
from .tally import EXAMPLES


def undo_act(workflow: Workflow, first: Operation) -> Act:
    """The act that undoes another: the same axis, each record back to the state it came from."""
    return Act("undo", workflow, workflow.axis(first.axis), first.scope)


def moved_by(operation: str) -> list[ColumnElement[bool]]:
    """What it moved from one state to another; what it only made due again is where it was."""
    return [
        item.c.operation == operation,
        item.c.outcome == "moved",
        item.c.from_state.is_distinct_from(item.c.to_state),
    ]


def undo_source(tx: Connection, act: Act, operation: str) -> tuple[Source, int]:
    """The records by where they stand now, and how many there were; those that are gone since are in the number only."""
    key = act.axis.table.c[act.axis.key]
    mine = [*moved_by(operation), cast(item.c.record_id, key.type) == key]

    def where(asked: Select[Any]) -> Select[Any]:
        return asked.where(*mine)

    def missing(tx: Connection) -> list[Any]:
        scope = [act.axis.table.c[act.axis.scope_column] == act.scope] if act.axis.scoped else []
        there = exists().where(mine[-1], *scope).correlate(item)
        return list(
            tx.execute(select(item.c.record_id).where(*moved_by(operation), ~there).limit(EXAMPLES)).scalars()
        )

    records = tx.execute(select(func.count()).select_from(item).where(*moved_by(operation))).scalar_one()
    return Source(act, where, (item.c.from_state, item.c.to_state), item.c.left_version, missing), int(
        records
    )


def freeze_past(rows: OperationRows, tx: Connection, id: str, operation: str) -> None:
    """Keep what an operation has moved, turned round: from where it was brought, to where it came from, at the version it was left at."""
    turned = select(
        item.c.number.label("key"),
        item.c.record_id,
        item.c.left_version.label("version"),
        item.c.to_state.label("from_state"),
        item.c.from_state.label("to_state"),
    )
    rows.freeze(tx, id, turned.where(*moved_by(operation)))
