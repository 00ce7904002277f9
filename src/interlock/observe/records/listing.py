"""Finds records by where they are: one query for the command line, the API and the console, in keyset pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    and_,
    bindparam,
    cast,
    exists,
    false,
    func,
    or_,
    select,
)

from ...authority.command import known_state
from ...errors import BadDeclaration, BadInput
from ...machine import State
from ...store.connect import Database
from ...workflow import Axis, Workflow
from ...workflow.durations import span
from .own_columns import Sort, chosen_columns, comparable_column, is_any_of, write_position

TEXT_LIMIT = 200
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AxisState:
    """Where a record is on one axis, and the error that it carries there."""

    axis: str
    scope: str | None
    state: State
    since: datetime | None
    version: int | None
    error_code: str | None
    error_message: str | None


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """A record in a list: its place on every axis, and the columns that were asked for."""

    id: Any
    where: list[AxisState]
    columns: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list; `next` is what `after` takes to go on behind it, and None on the last page."""

    records: list[ListedRecord]
    next: Any = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records: every part that is given must hold. Ages count from when the record entered the state it is in.

    `states` gives for an axis the states it may be in, and for a column of the record the values it may have. Error code and ages speak of
    `axis`; where none is named, of the one axis in `states`, or else of any. `scope` narrows scoped axes to one scope. `text` is looked
    for in the id and in the record's own texts.
    """

    states: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    axis: str | None = None
    scope: str | None = None
    error: str | None = None
    older: timedelta | None = None
    younger: timedelta | None = None
    text: str | None = None


def filter_of(
    where: Iterable[tuple[str, str]],
    *,
    axis: str | None = None,
    scope: str | None = None,
    error: str | None = None,
    older: str | None = None,
    younger: str | None = None,
    text: str | None = None,
) -> Filter:
    """The filter as people write it: axis and state, or column and value, in pairs; ages as 30s, 5m, 2h or 3d; null is written `null`."""
    states: dict[str, list[Any]] = {}
    for name, state in where:
        states.setdefault(name, []).append(None if state == "null" else state)
    return Filter(states, axis, scope, error, age_of(older), age_of(younger), text)


def age_of(written: str | None) -> timedelta | None:
    try:
        return None if written is None else span(written)
    except BadDeclaration as error:
        raise BadInput(f"{written!r} is not an age", hint="Write 30s, 5m, 2h or 3d.") from error


def page(
    database: Database,
    workflow: Workflow,
    wanted: Filter,
    now: datetime,
    *,
    limit: int,
    after: Any = None,
    backwards: bool = False,
    columns: Sequence[str] = (),
    sort: Sort | None = None,
    until: Any = None,
) -> list[Row]:
    """Records behind `after`, by id or as `sort` says, each with its place on every axis and the columns asked for:
    `{"id": …, "where": [{"axis": …, "state": …}, …], "columns": {…}}`. With a sort, `after` is the value and the id of a record, and each
    row has its own as `position`. `until` is the last id that is looked at, as `reach` returns it."""
    key, order = workflow.id_column, sort or Sort(workflow.id_column, backwards)
    here = [axis for axis in workflow.axes.values() if not axis.scoped]
    chosen = chosen_columns(workflow, columns)
    asked = matching(every_row(workflow), workflow, wanted, now).add_columns(*chosen, order.column)
    if after is not None:
        value, id = (None, after) if sort is None else after
        asked = asked.where(order.behind(key, value, id))
    if until is not None:
        asked = asked.where(key >= until if backwards else key <= until)
    asked = asked.order_by(*order.order(key)).limit(limit)
    with database.glance() if len(here) == len(workflow.axes) else database.read() as tx:
        seats = seats_of(here)
        start = seats[-1][2] if seats else 1
        found = [
            {
                **placed(seats, row),
                "columns": dict(zip([one.name for one in chosen], row[start:-1], strict=True)),
                **({} if sort is None else {"position": (row[-1], row[0])}),
            }
            for row in tx.execute(asked).all()
        ]
        for axis in workflow.axes.values():
            if axis.scoped:
                add_scopes(tx, axis, found)
    return found


def reach(
    database: Database, workflow: Workflow, records: int, *, after: Any = None, backwards: bool = False
) -> Any:
    """The id of the record so many behind `after`, read from the key alone; None where the records end before."""
    key, order = workflow.id_column, Sort(workflow.id_column, backwards)
    asked = select(key).order_by(*order.order(key)).offset(records - 1).limit(2)
    if after is not None:
        asked = asked.where(order.behind(key, None, after))
    with database.glance() as tx:
        found = tx.execute(asked).scalars().all()
    return found[0] if len(found) == 2 else None


def page_of(rows: Sequence[Row], limit: int, until: Any = None) -> Page:
    """The rows of a query for one record more than the page has, as a page. It goes on behind `until` where that was the last id that
    was looked at."""
    records = [
        ListedRecord(row["id"], [AxisState(**place) for place in row["where"]], row["columns"])
        for row in rows[:limit]
    ]
    if len(rows) <= limit:
        return Page(records, until)
    last = rows[limit - 1]
    return Page(records, write_position(*last["position"]) if "position" in last else last["id"])


def count(database: Database, workflow: Workflow, wanted: Filter, now: datetime, *, at_most: int) -> int:
    """How many records there are, counted no further than `at_most`."""
    some = matching(select(workflow.id_column), workflow, wanted, now).limit(at_most).subquery()
    with database.read() as tx:
        return int(tx.execute(select(func.count()).select_from(some)).scalar_one())


def one(database: Database, workflow: Workflow, id: Any) -> tuple[Row, list[Row]] | None:
    """One record: its own row, and where it is on every axis; None where there is no such record."""
    scoped = [axis for axis in workflow.axes.values() if axis.scoped]
    with database.read() if scoped else database.glance() as tx:
        found = tx.execute(whole_row(workflow), {"id": id}).mappings().first()
        if found is None:
            return None
        row = dict(found)
        where = [
            place(axis, None, [row[column.name] for column in columns_of(axis)])
            for axis in workflow.axes.values()
            if not axis.scoped
        ]
        shown = {"id": id, "where": where}
        for axis in scoped:
            add_scopes(tx, axis, [shown])
    return row, where


@lru_cache(maxsize=100)
def whole_row(workflow: Workflow) -> Select[Any]:
    """The cached SELECT of one record: building it would cost as much as running it."""
    return select(workflow.records).where(
        workflow.id_column == bindparam("id", type_=workflow.id_column.type)
    )


@lru_cache(maxsize=100)
def every_row(workflow: Workflow) -> Select[Any]:
    here = [axis for axis in workflow.axes.values() if not axis.scoped]
    return select(workflow.id_column, *(column for axis in here for column in columns_of(axis)))


def columns_of(axis: Axis) -> list[Any]:
    """State, since, version, and the error where the axis has one."""
    errors = [axis.column("error_code"), axis.column("error_message")] if axis.has("error_code") else []
    return [axis.column("status"), axis.column("since"), axis.column("version"), *errors]


def seats_of(axes: Sequence[Axis]) -> list[tuple[Axis, int, int]]:
    """Return which values of a row belong to each axis, computed once for all rows."""
    seats, start = [], 1
    for axis in axes:
        end = start + len(columns_of(axis))
        seats.append((axis, start, end))
        start = end
    return seats


def placed(seats: Sequence[tuple[Axis, int, int]], row: Any) -> Row:
    return {"id": row[0], "where": [place(axis, None, row[start:end]) for axis, start, end in seats]}


def place(axis: Axis, scope: str | None, values: Sequence[Any]) -> Row:
    state, since, version = values[:3]
    code, message = values[3:] or (None, None)
    return {
        "axis": axis.name,
        "scope": scope,
        "state": state,
        "since": since,
        "version": version,
        "error_code": code,
        "error_message": message,
    }


def add_scopes(tx: Connection, axis: Axis, rows: Sequence[Row]) -> None:
    """Add the states of a scoped axis to the records of this page, in the order in which the scopes were declared."""
    by_id = {row["id"]: row for row in rows}
    key, scope = axis.table.c[axis.key], axis.table.c[axis.scope_column]
    ids, found = list(by_id), {}
    for start in range(0, len(ids), 500):
        asked = select(key, scope, *columns_of(axis)).where(key.in_(ids[start : start + 500]))
        found.update({(one[0], one[1]): one[2:] for one in tx.execute(asked)})
    for id, row in by_id.items():
        row["where"] += [place(axis, name, found[id, name]) for name in axis.scopes if (id, name) in found]


def matching(asked: Select[Any], workflow: Workflow, wanted: Filter, now: datetime) -> Select[Any]:
    """The query, narrowed to what is wanted; refuses axes, states and scopes that there are not."""
    if wanted.scope is not None and not any(wanted.scope in axis.scopes for axis in workflow.axes.values()):
        known = [scope for axis in workflow.axes.values() for scope in axis.scopes]
        raise BadInput(f"{workflow.name} has no scope {wanted.scope!r}; it has {', '.join(known) or 'none'}")
    own = {name: values for name, values in wanted.states.items() if name not in workflow.axes}
    asked = asked.where(
        *(is_any_of(comparable_column(workflow, name), values) for name, values in own.items())
    )
    by_axis = {name: states for name, states in wanted.states.items() if name not in own}
    target = (
        workflow.axis(wanted.axis).name if wanted.axis else next(iter(by_axis)) if len(by_axis) == 1 else None
    )
    for name, states in by_axis.items():
        axis = workflow.axis(name)
        parts = [in_state(axis, states), *(further(axis, wanted, now) if name == target else ())]
        asked = asked.where(holds(workflow, axis, parts, wanted.scope))
    if wanted.error is not None or wanted.older is not None or wanted.younger is not None:
        if target is not None and target not in by_axis:
            asked = asked.where(
                holds(
                    workflow, workflow.axis(target), further(workflow.axis(target), wanted, now), wanted.scope
                )
            )
        elif target is None:
            asked = asked.where(
                or_(
                    false(),
                    *(
                        holds(workflow, axis, further(axis, wanted, now), wanted.scope)
                        for axis in workflow.axes.values()
                    ),
                )
            )
    return asked if wanted.text is None else asked.where(speaks_of(workflow, wanted.text))


def in_state(axis: Axis, states: Sequence[State]) -> ColumnElement[bool]:
    for state in states:
        known_state(axis, state)
    named = [state for state in states if state is not None]
    parts = [axis.column("status").in_(named)] if named else []
    return or_(*parts, axis.column("status").is_(None)) if None in states else or_(false(), *parts)


def further(axis: Axis, wanted: Filter, now: datetime) -> list[ColumnElement[bool]]:
    """Return the conditions beside the state: the error's code, and how long the record has been there."""
    parts: list[ColumnElement[bool]] = []
    if wanted.error is not None:
        parts.append(axis.column("error_code") == wanted.error if axis.has("error_code") else false())
    if wanted.older is not None:
        parts.append(axis.column("since") <= ago(now, wanted.older))
    if wanted.younger is not None:
        parts.append(axis.column("since") > ago(now, wanted.younger))
    return parts


def ago(now: datetime, age: timedelta) -> datetime:
    try:
        return now - age
    except OverflowError as error:
        raise BadInput(f"{age} ago was before the calendar") from error


def holds(
    workflow: Workflow, axis: Axis, parts: Sequence[ColumnElement[bool]], scope: str | None
) -> ColumnElement[bool]:
    """Return the condition that all parts of a filter hold in one row: the record's own, or one in the state table."""
    if not axis.scoped:
        return and_(*parts)
    mine = [axis.table.c[axis.key] == workflow.id_column, *parts]
    if scope is not None:
        mine.append(axis.table.c[axis.scope_column] == scope)
    return exists().where(and_(*mine))


def speaks_of(workflow: Workflow, text: str) -> ColumnElement[bool]:
    """The text stands, in whatever case, in the id or in a text of the record itself; columns that the engine keeps, and private ones, are
    no texts of it."""
    if not text or len(text) > TEXT_LIMIT or "\x00" in text:
        raise BadInput(f"a text to look for has 1 to {TEXT_LIMIT} characters, none of them null")
    own = {
        name
        for axis in workflow.axes.values()
        for name in axis.engine_names()
        if axis.table is workflow.records
    }
    texts: list[ColumnElement[Any]] = [
        column
        for column in workflow.records.columns
        if isinstance(column.type, String)
        and column.name not in own | workflow.private
        and column is not workflow.id_column
    ]
    sought = [cast(workflow.id_column, String), *texts]
    return or_(*(func.lower(column).contains(text.lower(), autoescape=True) for column in sought))


def state_pairs(
    database: Database, workflow: Workflow, axis: Axis, by: Axis
) -> list[tuple[State, State, int]]:
    """How many records are in each pair of states of two axes, counted from the rows: state of `axis`, state of `by`, records."""
    if axis.scoped or by.scoped or axis.name == by.name:
        raise BadInput(
            f"{workflow.name}: pairs are counted of two axes that each record has once",
            hint="Name two axes without scopes.",
        )
    first, second = axis.column("status"), by.column("status")
    asked = select(first, second, func.count()).select_from(axis.table)
    if by.table is not axis.table:
        asked = asked.join(by.table, by.table.c[by.key] == axis.table.c[axis.key])
    with database.read() as tx:
        rows = tx.execute(asked.group_by(first, second)).all()
    return [(row[0], row[1], int(row[2])) for row in rows]


def grouped_errors(
    database: Database, workflows: Sequence[Workflow], *, limit: int = 100, tried_again: bool = True
) -> list[Row]:
    """Records that carry an error now, grouped by code and message, the largest group first, each with one of its records.

    Without `tried_again`, records whose next try is planned or under way are left out.
    """
    found: list[Row] = []
    with database.read() as tx:
        for workflow in workflows:
            for axis in workflow.axes.values():
                if axis.has("error_code"):
                    found += _groups(tx, workflow, axis, limit, tried_again)
    return sorted(found, key=lambda row: -row["records"])[:limit]


def _groups(tx: Connection, workflow: Workflow, axis: Axis, limit: int, tried_again: bool) -> list[Row]:
    code, message, since = axis.column("error_code"), axis.column("error_message"), axis.column("since")
    by = [code, message, *([axis.table.c[axis.scope_column]] if axis.scoped else [])]
    number = func.count().label("number")
    asked = select(
        *by,
        number,
        func.min(since, type_=since.type),
        func.max(since, type_=since.type),
        func.min(axis.table.c[axis.key]),
    )
    failed = code.is_not(None) if tried_again else and_(code.is_not(None), *_rests(workflow, axis))
    rows = tx.execute(asked.where(failed).group_by(*by).order_by(number.desc(), code, message).limit(limit))
    return [
        {
            "kind": workflow.name,
            "axis": axis.name,
            "scope": row[2] if axis.scoped else None,
            "code": row[0],
            "message": row[1],
            "records": row[-4],
            "first": row[-3],
            "last": row[-2],
            "example": row[-1],
        }
        for row in rows
    ]


def _rests(workflow: Workflow, axis: Axis) -> Iterator[Any]:
    """Conditions under which a record with an error is not tried again by itself: no try is planned, and no stage runs."""
    if axis.has("ready_at"):
        yield axis.column("ready_at").is_(None)
    running = {
        stage.running
        for stage in workflow.stages.values()
        if stage.axis == axis.name and stage.running is not None
    }
    if running:
        status = axis.table.c[axis.name]
        yield or_(status.is_(None), status.not_in(running))
