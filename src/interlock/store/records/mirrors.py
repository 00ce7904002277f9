"""Keeps mirrored columns of records equal to what their functions make of the state rows, and compares them.

A record's mirror is computed from what is committed while the record is locked: of two transactions that change two of its state rows,
the one that gets the lock later reads what the earlier one left behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column, ColumnElement, Connection, Select, select

from ...workflow import Axis, Mirror, Workflow
from ...workflow.columns.mirror import UNSEEN
from ..connect import Database
from ..placement import binder

SLICE = 1_000
"""Records that are compared by one query."""


class Difference(NamedTuple):
    """A record whose mirrored columns are not what its state rows say: its id, the values it has, and those it should have."""

    id: Any
    has: dict[str, Any]
    should: dict[str, Any]


def lock_mirrored(database: Database, tx: Connection, workflow: Workflow, keys: Sequence[Any]) -> bool:
    """Lock these records until the transaction ends, by ascending keys. Returns whether a later query of this transaction reads what
    others commit until then: one with a snapshot of its own does not."""
    return database.sql.lock_rows(tx, workflow.id_column, keys)


def keep_mirrors(
    database: Database, tx: Connection, workflow: Workflow, mirrors: Sequence[Mirror], keys: Sequence[Any]
) -> int:
    """Lock the records, compute their mirrors anew and write what changed; how many records had to be written. Keys are as the driver
    takes them."""
    if not mirrors or not keys:
        return 0
    reads_committed = lock_mirrored(database, tx, workflow, keys)
    written = 0
    for mirror in mirrors:
        chosen = database.sql.column_among(workflow.id_column, keys)
        asked = _question(workflow, mirror, chosen)
        if (
            not reads_committed
        ):  # a state row that changed since the snapshot refuses the lock, and the caller tries again
            asked = asked.with_for_update(read=True, of=workflow.axes[mirror.axis].table)
        different = list(_differences(tx, workflow, mirror, asked))
        if different:
            _write(database, tx, workflow, mirror, different)
        written += len(different)
    return written


def differences(tx: Connection, workflow: Workflow, mirror: Mirror) -> Iterator[list[Difference]]:
    """All records whose mirror differs, slice by slice of the records by id."""
    id, after = workflow.id_column, None
    while True:
        ids = select(id).order_by(id).limit(SLICE)
        found = list(tx.execute(ids if after is None else ids.where(id > after)).scalars())
        if not found:
            return
        within = id.between(found[0], found[-1])
        if different := list(_differences(tx, workflow, mirror, _question(workflow, mirror, within))):
            yield different
        after = found[-1]


def _question(workflow: Workflow, mirror: Mirror, chosen: ColumnElement[bool]) -> Select[Any]:
    """The id and mirrored columns of these records, each with all that a mirror gets of one of its state rows."""
    axis, records = workflow.axes[mirror.axis], workflow.records
    return (
        select(
            workflow.id_column.label("m_id"),
            *(records.c[name].label(f"m_{number}") for number, name in enumerate(mirror.columns)),
            *(column.label(f"s_{number}") for number, column in enumerate(_handed_over(axis, mirror))),
        )
        .join_from(records, axis.table, axis.table.c[axis.key] == workflow.id_column)
        .where(chosen, axis.column("version").is_not(None))
        .order_by(workflow.id_column, axis.table.c[axis.scope_column])
    )


def _handed_over(axis: Axis, mirror: Mirror) -> list[Column[Any]]:
    """The columns of a state row that the mirror gets, its scope among them."""
    hidden = {axis.column_name(name) for name in UNSEEN}
    wanted = mirror.reads and {*mirror.reads, axis.scope_column}
    return [
        column
        for column in axis.table.c
        if column.name not in hidden and (not wanted or column.name in wanted)
    ]


def _differences(
    tx: Connection, workflow: Workflow, mirror: Mirror, asked: Select[Any]
) -> Iterator[Difference]:
    axis, first = workflow.axes[mirror.axis], 1 + len(mirror.columns)
    names = [column.name for column in _handed_over(axis, mirror)]
    columns = [workflow.records.c[name] for name in mirror.columns]
    records: dict[Any, tuple[Sequence[Any], dict[str, dict[str, Any]]]] = {}
    for row in tx.execute(asked):
        state = dict(zip(names, row[first:], strict=True))
        records.setdefault(row[0], (row[1:first], {}))[1][state[axis.scope_column]] = state
    for id, (values, rows) in records.items():
        has = dict(zip(mirror.columns, values, strict=True))
        computed = mirror.compute(rows)
        should = {column.name: _of_column(column, computed[column.name]) for column in columns}
        if has != should:
            yield Difference(id, has, should)


def _of_column(column: Column[Any], value: Any) -> Any:
    """The value as the column gives it back: a column without a time zone keeps UTC."""
    if isinstance(value, datetime) and value.tzinfo is not None and not _keeps_zone(column):
        return value.astimezone(UTC).replace(tzinfo=None)
    return value


def _keeps_zone(column: Column[Any]) -> bool:
    return bool(getattr(getattr(column.type, "impl", column.type), "timezone", False))


def _write(
    database: Database, tx: Connection, workflow: Workflow, mirror: Mirror, different: list[Difference]
) -> None:
    columns = [workflow.id_column, *(workflow.records.c[name] for name in mirror.columns)]
    binders = [
        _unchanged
        if isinstance(column.type, JSON) and database.sql.admits_json
        else binder(column, database.dialect)
        for column in columns
    ]
    rows = [
        [bind(value) for bind, value in zip(binders, (one.id, *one.should.values()), strict=True)]
        for one in different
    ]
    database.sql.update_rows(tx, workflow.records, [column.name for column in columns], rows)


def _unchanged(value: Any) -> Any:
    return value
