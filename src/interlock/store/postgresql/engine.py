"""PostgreSQL's statements: a whole batch changes in one, which says what the triggers then write into history."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from ..connect import Database, driver_connection
from ..contract import (
    AdoptedRows,
    DirectMove,
    FactColumn,
    Lock,
    MoveBatch,
    Newcomers,
    Prepared,
    Reading,
    RowState,
    StageBatch,
    Step,
)
from ..entry import GENESIS, chain, chain_rows
from ..placement import Placement, RecordTable
from ..queue.waiting import Queue
from ..sql import driver_literal as literal
from ..work.rows import WorkRows
from . import adopting
from .moves import direct_moves, prepared, stage_batches
from .moves.move_context import context_parameters, move_context, sets_context
from .moves.parameters import DETAIL, array, detail_parameters, interval, json_rows

OWN_DETAILS = (
    ", details AS (INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) "
    "SELECT decode(d.digest, 'hex'), decode(d.salt, 'hex'), d.reason, d.facts, {kind}, d.id FROM json_to_recordset("
    "%(details)s::json) AS d(digest text, salt text, reason text, facts text, id text) "
    "WHERE d.id = ANY (ARRAY(SELECT m.key::text FROM moved m)) ON CONFLICT DO NOTHING)"
)
_LOCKS = {"": "", "share": " FOR SHARE", "update": " FOR NO KEY UPDATE"}


class PostgresqlEngine:
    """One round trip to read, one to write."""

    def read(
        self,
        tx: Connection,
        reading: Reading,
        keys: Sequence[Any],
        scope: str,
        lock: Lock,
        said: Mapping[str, Any],
    ) -> list[RowState]:
        sql = _read_sql(reading, lock)
        found = driver_connection(tx).execute(sql, {"keys": array(keys), "scope": scope, **said}).fetchall()
        axes = len(reading.axes)
        if axes == 1 and not reading.conditions:
            return [RowState(key, (state,), (version,), (head,), ()) for key, state, version, head in found]
        return [
            RowState(
                row[0],
                row[1 : 1 + axes],
                row[1 + axes : 1 + 2 * axes],
                row[1 + 2 * axes : 1 + 3 * axes],
                row[1 + 3 * axes :],
            )
            for row in found
        ]

    moves_directly = True

    def move_directly(self, database: Database, move: DirectMove) -> dict[Any, int] | None:
        with database.single() as bare:
            return direct_moves.move_directly(bare, move)

    def prepare(self, step: Step, scope: str, *, versioned: bool, hint: str | None) -> Prepared | None:
        return direct_moves.PreparedMove(step, scope, versioned, hint) if prepared.is_available() else None

    def move(self, tx: Connection, group: MoveBatch) -> set[Any]:
        parameters: dict[str, Any] = {
            "keys": array([row.key for row in group.rows]),
            "scope": group.scope,
            "at": group.at,
            "clock": group.clock,
            **group.said,
        }
        for index in group.compared:
            parameters[f"v{index}"] = "{" + ",".join([str(row.versions[index]) for row in group.rows]) + "}"
        for number, step in enumerate(group.steps):
            first = (
                number == 0
            )  # tokens and rows' own details belong to the move that was asked for, not to those it drives
            tokens = group.tokens if first else None
            digests = group.own_digests if first else [None] * len(group.rows)
            _constant_parameters(number, step, parameters)
            parameters |= context_parameters(
                number,
                move_context(step.template, number, _by_id(group, tokens), digests=_by_id(group, digests)),
            )
            parameters[f"h{number}"] = b"".join(_hashes(step, group, tokens, digests))
        parameters |= detail_parameters(group.detail, group.owner)
        details = group.own_details()
        if details:
            parameters["details"] = json.dumps(
                [
                    {
                        "digest": one.digest.hex(),
                        "salt": one.salt.hex(),
                        "reason": one.reason,
                        "facts": one.facts,
                        "id": id,
                    }
                    for id, one in details
                ],
                ensure_ascii=False,
            )
        if group.own_columns:
            parameters["own"] = _own_rows(group)
        sql = _move_sql(
            group.reading,
            tuple(map(_shape, group.steps)),
            group.compared,
            group.conditions,
            group.detail is not None,
            group.own_columns,
            bool(details),
        )
        count, keys = driver_connection(tx).execute(sql, parameters).fetchone()
        return {row.key for row in group.rows} if count == len(group.rows) else set(keys or ())

    def finish(
        self, work: WorkRows, stage: str, step: Step, shape: str | None, columns: tuple[FactColumn, ...]
    ) -> StageBatch:
        return stage_batches.Finish(work, stage, step, shape, columns)

    def begin(self, work: WorkRows, stage: str, step: Step, queue: Queue, created: str) -> StageBatch:
        return stage_batches.Begin(work, stage, step, queue, created)

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        main = newcomers.axes[0]
        rows = [dict(row) for row in newcomers.rows]
        keys = [row[main.axis.key] for row in rows]
        parameters: dict[str, Any] = {}
        scope = main.axis.scope_column if main.axis.scoped else None
        for number, (place, template) in enumerate(zip(newcomers.axes, newcomers.templates, strict=True)):
            writers, head = (
                {one: template.writer(one) for one in _scopes(rows, scope)},
                place.axis.column_name("head"),
            )
            for key, row in zip(keys, rows, strict=True):
                row[head] = (
                    "\\x"
                    + chain(GENESIS, writers[row[scope] if scope else ""](str(key), 0, None, None)).hex()
                )
            parameters |= context_parameters(number, move_context(template, number))
        parameters["rows"] = json_rows(rows)
        columns = (*newcomers.columns, *(place.axis.column_name("head") for place in newcomers.axes))
        detail = newcomers.templates[0].detail
        sql = _admit_sql(newcomers.axes, columns, detail is not None)
        found = driver_connection(tx).execute(sql, parameters | detail_parameters(detail, newcomers.owner))
        return {tuple(row) if scope else row[0] for row in found}

    def adopt(self, tx: Connection, rows: AdoptedRows) -> int:
        return adopting.adopt(tx, rows)

    def follow_strays(self, tx: Connection, place: Placement, keys: Sequence[Any] | None = None) -> int:
        """The guard itself writes these entries."""
        return 0

    def begin_following(self, tx: Connection, place: Placement, switch: Callable[[], None]) -> None:
        adopting.begin_following(tx, place, switch)

    def close(self, tx: Connection, group: MoveBatch) -> set[Any]:
        parameters: dict[str, Any] = {"keys": array([row.key for row in group.rows]), "scope": group.scope}
        for number, step in enumerate(group.steps):
            parameters[f"v{step.index}"] = (
                "{" + ",".join([str(row.versions[step.index]) for row in group.rows]) + "}"
            )
            hashes = _hashes(step, group, None, [None] * len(group.rows))
            parameters |= context_parameters(
                number, move_context(step.template, number, hashes=_by_id(group, hashes))
            )
        sql = _close_sql(group.reading, tuple(step.index for step in group.steps))
        return {
            key
            for (key,) in driver_connection(tx)
            .execute(sql, parameters | detail_parameters(group.detail, group.owner))
            .fetchall()
        }

    def insert_rows(
        self, tx: Connection, table: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]
    ) -> None:
        types = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        values = json.dumps([dict(zip(columns, row, strict=True)) for row in rows], ensure_ascii=False)
        driver_connection(tx).execute(
            f"INSERT INTO {table}({', '.join(columns)}) SELECT r.* FROM json_to_recordset(%(rows)s::json) "
            f"AS r({types})",
            {"rows": values},
        )

    def fresh_ids(self, tx: Connection, place: RecordTable, count: int) -> list[Any]:
        """A sequence does not know of ids that were given by hand, nor of those that are erased: they are passed over.

        Each id is looked up by itself: a join, planned while the tables look empty, would compare everything with everything.
        """
        sql = (
            "SELECT g.id FROM (SELECT nextval((SELECT pg_get_serial_sequence(%(table)s, %(column)s)::regclass)) AS id "
            "FROM generate_series(1, %(count)s)) g "
            f"WHERE (SELECT true FROM {place.table_sql} r WHERE r.{place.key_sql} = g.id) IS NULL AND "
            "(SELECT true FROM interlock_ledger l WHERE l.record_id = g.id::text AND l.kind = %(kind)s LIMIT 1) IS NULL"
        )
        found: list[Any] = []
        asked = count
        while len(found) < count:
            values = {"table": place.table_sql, "column": place.key, "count": asked, "kind": place.kind}
            found += [row[0] for row in driver_connection(tx).execute(sql, values)]
            asked *= 2
        return found[:count]


def _scopes(rows: Sequence[Mapping[str, Any]], column: str | None) -> set[str]:
    return {row[column] for row in rows} if column else {""}


def _by_id(group: MoveBatch, values: Sequence[str | bytes | None] | None) -> dict[str, str] | None:
    """What each row has of its own, by record id, bytes as hexadecimal digits; None where no row has any."""
    if values is None or not any(values):
        return None
    return {
        str(row.key): value if isinstance(value, str) else value.hex()
        for row, value in zip(group.rows, values, strict=True)
        if value
    }


def _own_rows(group: MoveBatch) -> str:
    """The rows' own values of columns as JSON, from which the server casts each to its column's type."""
    return json_rows([one.columns for one in group.own or ()])


def _hashes(
    step: Step, group: MoveBatch, tokens: Sequence[str] | None, digests: Sequence[bytes | None]
) -> list[bytes]:
    """All new heads of one axis."""
    index = step.index
    if tokens is None and not any(digests):
        heads = [row.heads[index] for row in group.rows]
        versions = [(row.versions[index] or 0) + 1 for row in group.rows]
        return chain_rows(step.template, group.scope, heads, [str(row.key) for row in group.rows], versions)
    write = step.template.writer(group.scope)
    each: Sequence[str | None] = tokens or [None] * len(group.rows)
    return [
        chain(row.heads[index] or GENESIS, write(str(row.key), (row.versions[index] or 0) + 1, token, digest))
        for row, token, digest in zip(group.rows, each, digests, strict=True)
    ]


def _shape(step: Step) -> tuple[Any, ...]:
    """What makes the statement's text: a machine has few edges, so what they set are literals and each edge is prepared once."""
    known = tuple(
        (column, value) if value is None or column in step.own else (column, ...)
        for column, value in step.constants.items()
    )
    return step.index, step.now, known, step.counted, step.template.new, step.later


def _constant_parameters(number: int, step: Step, parameters: dict[str, Any]) -> None:
    for column, value in step.constants.items():
        if column not in step.own and value is not None:
            parameters[f"c{number}_{column}"] = step.place.bind_value(column, value)


@lru_cache(maxsize=1024)
def _read_sql(reading: Reading, lock: Lock) -> str:
    main = reading.main
    columns = [
        main.key_sql,
        *(place.status_sql for place in reading.axes),
        *(place.version_sql for place in reading.axes),
        *(place.head_sql for place in reading.axes),
    ]
    asked = ", ".join(
        [
            *(main.qualified(column) for column in columns),
            *(f"coalesce(({text_}), false)" for text_ in reading.conditions),
        ]
    )
    scope = f" AND {main.qualified(main.scope_sql)} = %(scope)s" if main.scope_sql else ""
    return (
        f"SELECT {asked} FROM {main.table_sql} WHERE {main.qualified(main.key_sql)} = ANY(%(keys)s::{main.key_type}[]){scope}"
        f" ORDER BY {main.qualified(main.key_sql)}{_LOCKS[lock]}"
    )


def _arrays(main: Placement, compared: Sequence[int], own: Sequence[str] = ()) -> str:
    """The batch as a table `a`: key, compared versions, own values of columns (o0, o1, …), and the row's number n."""
    names = ["key", *(f"v{index}" for index in compared), *(f"o{number}" for number in range(len(own)))]
    types = [f"%(keys)s::{main.key_type}[]", *(f"%(v{index})s::int[]" for index in compared)]
    if not own:
        return f"unnest({', '.join(types)}) WITH ORDINALITY AS a({', '.join(names)}, n)"
    values = ", ".join(f"{main.quote(column)} {main.type_of(column)}" for column in own)
    return (
        f"ROWS FROM (unnest({', '.join(types)}), json_to_recordset(%(own)s::json) AS ({values})) "
        f"WITH ORDINALITY AS a({', '.join(names)}, n)"
    )


def _where(reading: Reading, compared: Sequence[int], moved: Sequence[int]) -> str:
    main = reading.main
    wanted = [f"{main.qualified(main.key_sql)} = a.key"]
    if main.scope_sql:
        wanted.append(f"{main.qualified(main.scope_sql)} = %(scope)s")
    wanted += [f"{main.qualified(reading.axes[index].version_sql)} = a.v{index}" for index in compared]
    return " AND ".join([*wanted, sets_context(reading.axes[index] for index in moved)])


@lru_cache(maxsize=1024)
def _move_sql(
    reading: Reading,
    shapes: tuple[Any, ...],
    compared: tuple[int, ...],
    conditions: tuple[str, ...],
    detailed: bool,
    own: tuple[str, ...],
    own_details: bool,
) -> str:
    main = reading.main
    changes = [change for number, shape in enumerate(shapes) for change in _changes(reading, number, shape)]
    changes += [f"{main.quote(column)} = a.o{number}" for number, column in enumerate(own)]
    where = " AND ".join(
        [
            _where(reading, compared, [shape[0] for shape in shapes]),
            *(f"({condition})" for condition in conditions),
        ]
    )
    kept = (DETAIL.format(source="moved") if detailed else "") + (
        OWN_DETAILS.format(kind=literal(main.kind)) if own_details else ""
    )
    return (
        f"WITH moved AS (UPDATE {main.table_sql} SET {', '.join(changes)} FROM {_arrays(main, compared, own)} "
        f"WHERE {where} RETURNING a.key AS key){kept} "
        f"SELECT count(*), CASE WHEN count(*) < cardinality(%(keys)s::{main.key_type}[]) THEN array_agg(key) END FROM moved"
    )


def _changes(reading: Reading, number: int, shape: tuple[Any, ...]) -> list[str]:
    """What the UPDATE sets for one axis; its heads come end to end in a single parameter, which the server cuts into pieces."""
    index, now, constants, counted, new, later = shape
    place = reading.axes[index]
    changes = [
        f"{place.status_sql} = {literal(new)}",
        f"{place.version_sql} = a.v{index} + 1",
        f"{place.head_sql} = substring(%(h{number})b::bytea FROM (a.n * 32 - 31)::int FOR 32)",
    ]
    changes += [f"{place.quote(column)} = %(at)s" for column in now]
    changes += [
        f"{place.quote(column)} = coalesce(%(clock)s::timestamptz, statement_timestamp()) + {interval(length)}"
        for column, length in later
    ]
    changes += [
        f"{place.quote(column)} = %(c{number}_{column})s"
        if value is ...
        else f"{place.quote(column)} = {literal(value)}"
        for column, value in constants
    ]
    return changes + [
        f"{place.quote(column)} = {reading.main.qualified(place.quote(column))} + 1" for column in counted
    ]


@lru_cache(maxsize=1024)
def _close_sql(reading: Reading, indexes: tuple[int, ...]) -> str:
    main = reading.main
    return (
        f"WITH moved AS (DELETE FROM {main.table_sql} USING {_arrays(main, indexes)} WHERE {_where(reading, indexes, indexes)} "
        f"RETURNING a.key AS key){DETAIL.format(source='moved')} SELECT key FROM moved"
    )


@lru_cache(maxsize=256)
def _admit_sql(axes: tuple[Placement, ...], columns: tuple[str, ...], detailed: bool) -> str:
    main = axes[0]
    listed = ", ".join(main.quote(column) for column in columns)
    scope = f", {main.scope_sql}::text AS scope" if main.scope_sql else ""
    return (
        f"WITH new_rows AS (INSERT INTO {main.table_sql} ({listed}) OVERRIDING SYSTEM VALUE "
        f"SELECT {listed} FROM json_populate_recordset(NULL::{main.table_sql}, %(rows)s::json) WHERE {sets_context(axes)} "
        f"ON CONFLICT DO NOTHING RETURNING {main.key_sql} AS key{scope}){DETAIL.format(source='new_rows') if detailed else ''} "
        f"SELECT key{', scope' if scope else ''} FROM new_rows"
    )


ENGINE = PostgresqlEngine
"""What `store/engines.py` chooses by the name of this folder."""
