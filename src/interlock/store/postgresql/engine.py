"""PostgreSQL's statements: a whole batch changes in one, which says what the triggers then write into history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from ..connect import driver_connection
from ..contract import Group, Lock, Newcomers, Reading, Seen, Step
from ..entry import GENESIS, Detail, chain
from ..guarded import text
from ..placement import Placement, RecordTable
from .saying import said, spoken

DETAIL = (", detail AS (INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) "
          "SELECT %(digest)b, %(salt)b, %(reason)s, %(facts)s, %(owner_kind)s, %(owner_id)s WHERE EXISTS (SELECT 1 FROM {source}) "
          "ON CONFLICT DO NOTHING)")
_LOCKS = {"": "", "share": " FOR SHARE", "update": " FOR NO KEY UPDATE"}


class PostgresqlEngine:
    """One round trip to read, one to write."""

    def read(self, tx: Connection, reading: Reading, keys: Sequence[Any], scope: str, lock: Lock, said: Mapping[str, Any]) -> list[Seen]:
        sql = _read_sql(reading, lock)
        found = driver_connection(tx).execute(sql, {"keys": array(keys), "scope": scope, **said}).fetchall()
        axes = len(reading.axes)
        if axes == 1 and not reading.conditions:
            return [Seen(key, (state,), (version,), (head,), ()) for key, state, version, head in found]
        return [Seen(row[0], row[1:1 + axes], row[1 + axes:1 + 2 * axes], row[1 + 2 * axes:1 + 3 * axes], row[1 + 3 * axes:])
                for row in found]

    def move(self, tx: Connection, group: Group) -> set[Any]:
        parameters: dict[str, Any] = {"keys": array([row.key for row in group.rows]), "scope": group.scope, "at": group.at, **group.said}
        for index in group.compared:
            parameters[f"v{index}"] = "{" + ",".join([str(row.versions[index]) for row in group.rows]) + "}"
        for number, step in enumerate(group.steps):
            tokens = group.tokens if number == 0 else None
            by_id = None if tokens is None else {str(row.key): token for row, token in zip(group.rows, tokens, strict=True)}
            _given_parameters(number, step, parameters)
            parameters[f"said{number}"] = said(step.template, number, by_id)
            parameters[f"h{number}"] = b"".join(_hashes(step, group, tokens))
        parameters |= detail_parameters(group.detail, group.owner)
        sql = _move_sql(group.reading, tuple(map(_shape, group.steps)), group.compared, group.conditions, group.detail is not None)
        count, keys = driver_connection(tx).execute(sql, parameters).fetchone()
        return {row.key for row in group.rows} if count == len(group.rows) else set(keys or ())

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        main = newcomers.axes[0]
        rows = [dict(row) for row in newcomers.rows]
        keys = [row[main.axis.key] for row in rows]
        parameters: dict[str, Any] = {}
        scope = main.axis.scope_column if main.axis.scoped else None
        for number, (place, template) in enumerate(zip(newcomers.axes, newcomers.templates, strict=True)):
            write, head = template.writer(), place.axis.column_name("head")
            for key, row in zip(keys, rows, strict=True):
                row[head] = "\\x" + chain(GENESIS, write(str(key), row[scope] if scope else "", 0, None)).hex()
            parameters[f"said{number}"] = said(template, number)
        parameters["rows"] = json.dumps(rows, ensure_ascii=False, default=_json_default)
        columns = (*newcomers.columns, *(place.axis.column_name("head") for place in newcomers.axes))
        detail = newcomers.templates[0].detail
        sql = _admit_sql(newcomers.axes, columns, detail is not None)
        found = driver_connection(tx).execute(sql, parameters | detail_parameters(detail, newcomers.owner))
        return {tuple(row) if scope else row[0] for row in found}

    def close(self, tx: Connection, group: Group) -> set[Any]:
        parameters: dict[str, Any] = {"keys": array([row.key for row in group.rows]), "scope": group.scope}
        for number, step in enumerate(group.steps):
            parameters[f"v{step.index}"] = "{" + ",".join([str(row.versions[step.index]) for row in group.rows]) + "}"
            hashes = {str(row.key): hash.hex() for row, hash in zip(group.rows, _hashes(step, group, None), strict=True)}
            parameters[f"said{number}"] = said(step.template, number, hashes=hashes)
        sql = _close_sql(group.reading, tuple(step.index for step in group.steps))
        return {key for key, in driver_connection(tx).execute(sql, parameters | detail_parameters(group.detail, group.owner)).fetchall()}

    def fresh_ids(self, tx: Connection, place: RecordTable, count: int) -> list[Any]:
        """A sequence does not know of ids that were given by hand, nor of those that are erased: they are passed over.

        Each id is looked up by itself: a join, planned while the tables look empty, would compare everything with everything.
        """
        sql = ("SELECT g.id FROM (SELECT nextval((SELECT pg_get_serial_sequence(%(table)s, %(column)s)::regclass)) AS id "
               "FROM generate_series(1, %(count)s)) g "
               f"WHERE (SELECT true FROM {place.table_sql} r WHERE r.{place.key_sql} = g.id) IS NULL AND "
               "(SELECT true FROM interlock_ledger l WHERE l.record_id = g.id::text AND l.kind = %(kind)s LIMIT 1) IS NULL")
        found: list[Any] = []
        asked = count
        while len(found) < count:
            values = {"table": place.table_sql, "column": place.key, "count": asked, "kind": place.kind}
            found += [row[0] for row in driver_connection(tx).execute(sql, values)]
            asked *= 2
        return found[:count]


def _json_default(value: Any) -> Any:
    plain = getattr(value, "obj", value)  # the driver wraps what it would write in a way of its own: bytes and JSON
    if isinstance(plain, bytes | memoryview):
        return "\\x" + bytes(plain).hex()
    return plain if plain is not value else str(value)


def array(keys: Sequence[Any]) -> Any:
    """Ids as one parameter: an array literal costs a third of a list where nothing needs quoting."""
    if keys and all(type(key) is int for key in keys):
        return "{" + ",".join(map(str, keys)) + "}"
    return list(keys)


def _hashes(step: Step, group: Group, tokens: Sequence[str] | None) -> list[bytes]:
    """All new heads of one axis."""
    write, index, scope = step.template.writer(), step.index, group.scope
    each: Sequence[str | None] = tokens or [None] * len(group.rows)
    return [chain(row.heads[index] or GENESIS, write(str(row.key), scope, (row.versions[index] or 0) + 1, token))
            for row, token in zip(group.rows, each, strict=True)]


def _shape(step: Step) -> tuple[Any, ...]:
    """What makes the statement's text: a machine has few edges, so what they set are literals and each edge is prepared once."""
    known = tuple((column, value) if value is None or column in step.own else (column, ...)
                  for column, value in step.constants.items())
    return step.index, step.now, known, step.counted, step.template.new


def _given_parameters(number: int, step: Step, parameters: dict[str, Any]) -> None:
    for column, value in step.constants.items():
        if column not in step.own and value is not None:
            parameters[f"c{number}_{column}"] = step.place.bind_value(column, value)


def detail_parameters(detail: Detail | None, owner: tuple[str | None, str | None]) -> dict[str, Any]:
    if detail is None:
        return {}
    return {"digest": detail.digest, "salt": detail.salt, "reason": detail.reason, "facts": detail.facts, "owner_kind": owner[0],
            "owner_id": owner[1]}


@lru_cache(maxsize=1024)
def _read_sql(reading: Reading, lock: Lock) -> str:
    main = reading.main
    columns = [main.key_sql, *(place.status_sql for place in reading.axes), *(place.version_sql for place in reading.axes),
               *(place.head_sql for place in reading.axes)]
    asked = ", ".join([*(main.qualified(column) for column in columns), *(f"coalesce(({text_}), false)" for text_ in reading.conditions)])
    scope = f" AND {main.qualified(main.scope_sql)} = %(scope)s" if main.scope_sql else ""
    return (f"SELECT {asked} FROM {main.table_sql} WHERE {main.qualified(main.key_sql)} = ANY(%(keys)s::{main.key_type}[]){scope}"
            f" ORDER BY {main.qualified(main.key_sql)}{_LOCKS[lock]}")


def _arrays(main: Placement, compared: Sequence[int]) -> str:
    names = ["key", *(f"v{index}" for index in compared)]
    types = [f"%(keys)s::{main.key_type}[]", *(f"%(v{index})s::int[]" for index in compared)]
    return f"unnest({', '.join(types)}) WITH ORDINALITY AS a({', '.join(names)}, n)"


def _where(reading: Reading, compared: Sequence[int], moved: Sequence[int]) -> str:
    main = reading.main
    wanted = [f"{main.qualified(main.key_sql)} = a.key"]
    if main.scope_sql:
        wanted.append(f"{main.qualified(main.scope_sql)} = %(scope)s")
    wanted += [f"{main.qualified(reading.axes[index].version_sql)} = a.v{index}" for index in compared]
    return " AND ".join([*wanted, spoken(reading.axes[index] for index in moved)])


@lru_cache(maxsize=1024)
def _move_sql(reading: Reading, shapes: tuple[Any, ...], compared: tuple[int, ...], conditions: tuple[str, ...], detailed: bool) -> str:
    main = reading.main
    changes = [change for number, shape in enumerate(shapes) for change in _changes(reading, number, shape)]
    where = " AND ".join([_where(reading, compared, [shape[0] for shape in shapes]), *(f"({condition})" for condition in conditions)])
    return (f"WITH moved AS (UPDATE {main.table_sql} SET {', '.join(changes)} FROM {_arrays(main, compared)} "
            f"WHERE {where} RETURNING a.key AS key){DETAIL.format(source='moved') if detailed else ''} "
            f"SELECT count(*), CASE WHEN count(*) < cardinality(%(keys)s::{main.key_type}[]) THEN array_agg(key) END FROM moved")


def _changes(reading: Reading, number: int, shape: tuple[Any, ...]) -> list[str]:
    """What the UPDATE sets for one axis; its heads come end to end in a single parameter, which the server cuts into pieces."""
    index, now, constants, counted, new = shape
    place = reading.axes[index]
    changes = [f"{place.status_sql} = {literal(new)}", f"{place.version_sql} = a.v{index} + 1",
               f"{place.head_sql} = substring(%(h{number})b::bytea FROM (a.n * 32 - 31)::int FOR 32)"]
    changes += [f"{place.quote(column)} = %(at)s" for column in now]
    changes += [f"{place.quote(column)} = %(c{number}_{column})s" if value is ... else f"{place.quote(column)} = {literal(value)}"
                for column, value in constants]
    return changes + [f"{place.quote(column)} = {reading.main.qualified(place.quote(column))} + 1" for column in counted]


def literal(value: str | int | None) -> str:
    """A value of the declaration as SQL; percent signs are doubled for the driver."""
    return str(value) if isinstance(value, int) else text(value).replace("%", "%%")


@lru_cache(maxsize=1024)
def _close_sql(reading: Reading, indexes: tuple[int, ...]) -> str:
    main = reading.main
    return (f"WITH moved AS (DELETE FROM {main.table_sql} USING {_arrays(main, indexes)} WHERE {_where(reading, indexes, indexes)} "
            f"RETURNING a.key AS key){DETAIL.format(source='moved')} SELECT key FROM moved")


@lru_cache(maxsize=256)
def _admit_sql(axes: tuple[Placement, ...], columns: tuple[str, ...], detailed: bool) -> str:
    main = axes[0]
    listed = ", ".join(main.quote(column) for column in columns)
    scope = f", {main.scope_sql}::text AS scope" if main.scope_sql else ""
    return (f"WITH new_rows AS (INSERT INTO {main.table_sql} ({listed}) OVERRIDING SYSTEM VALUE "
            f"SELECT {listed} FROM json_populate_recordset(NULL::{main.table_sql}, %(rows)s::json) WHERE {spoken(axes)} "
            f"ON CONFLICT DO NOTHING RETURNING {main.key_sql} AS key{scope}){DETAIL.format(source='new_rows') if detailed else ''} "
            f"SELECT key{', scope' if scope else ''} FROM new_rows")
