"""PostgreSQL's statements: rows, ledger entries and counters of a whole batch change in one statement."""

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
from ..placement import Placement

LEDGER = ("interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, machine, token, "
          "detail, hash)")
DETAIL = ("detail AS (INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) "
           "SELECT %(detail0)b, %(salt)b, %(reason)s, %(facts)s, %(owner_kind)s, %(owner_id)s WHERE EXISTS (SELECT 1 FROM {source}) "
           "ON CONFLICT DO NOTHING), ")
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
        if group.tokens is not None:
            parameters["tokens"] = group.tokens
        for number, step in enumerate(group.steps):
            _entry_parameters(number, step, parameters)
            parameters[f"h{number}"] = _hashes(step, group)
        parameters |= _detail_parameters(group)
        sql = _move_sql(group.reading, tuple(map(_shape, group.steps)), group.compared, group.conditions, group.tokens is not None,
                        group.detail is not None)
        count, keys = driver_connection(tx).execute(sql, parameters).fetchone()
        return {row.key for row in group.rows} if count == len(group.rows) else set(keys or ())

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        main = newcomers.axes[0]
        rows = [dict(row) for row in newcomers.rows]
        keys = [row[main.axis.key] for row in rows]
        parameters: dict[str, Any] = {"at": newcomers.at}
        scope = main.axis.scope_column if main.axis.scoped else None
        for number, (place, template) in enumerate(zip(newcomers.axes, newcomers.templates, strict=True)):
            write, head = template.writer(), place.axis.column_name("head")
            for key, row in zip(keys, rows, strict=True):
                row[head] = "\\x" + chain(GENESIS, write(str(key), row[scope] if scope else "", 0, None)).hex()
            parameters |= _template_parameters(number, template)
        parameters["rows"] = json.dumps(rows, ensure_ascii=False, default=_json_default)
        columns = (*newcomers.columns, *(place.axis.column_name("head") for place in newcomers.axes))
        if (detail := newcomers.templates[0].detail) is not None:
            parameters |= detail_values(detail, newcomers.owner)
        sql = _admit_sql(newcomers.axes, columns, detail is not None)
        return {tuple(row) if scope else row[0] for row in driver_connection(tx).execute(sql, parameters)}

    def close(self, tx: Connection, group: Group) -> set[Any]:
        parameters: dict[str, Any] = {"keys": array([row.key for row in group.rows]), "scope": group.scope, "at": group.at}
        for number, step in enumerate(group.steps):
            parameters[f"v{step.index}"] = "{" + ",".join([str(row.versions[step.index]) for row in group.rows]) + "}"
            _entry_parameters(number, step, parameters)
            parameters[f"h{number}"] = _hashes(step, group)
        parameters |= _detail_parameters(group)
        sql = _close_sql(group.reading, tuple(map(_shape, group.steps)))
        return {key for key, in driver_connection(tx).execute(sql, parameters).fetchall()}

    def fresh_ids(self, tx: Connection, place: Placement, count: int) -> list[Any]:
        """A sequence does not know of ids that were given by hand, nor of those that are erased: they are passed over."""
        sql = ("SELECT g.id FROM (SELECT nextval(pg_get_serial_sequence(%(table)s, %(column)s)) AS id "
               "FROM generate_series(1, %(count)s)) g "
               f"WHERE NOT EXISTS (SELECT 1 FROM {place.table_sql} r WHERE r.{place.key_sql} = g.id) AND NOT EXISTS "
               "(SELECT 1 FROM interlock_ledger l WHERE l.record_id = g.id::text AND l.kind = %(kind)s)")
        found: list[Any] = []
        asked = count
        while len(found) < count:
            values = {"table": place.table_sql, "column": place.axis.key, "count": asked, "kind": place.kind}
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


def _hashes(step: Step, group: Group) -> bytes:
    """All new heads of one axis, end to end: a single parameter, cut into pieces by the server."""
    write, index, scope = step.template.writer(), step.index, group.scope
    tokens: Sequence[str | None] = group.tokens or [None] * len(group.rows)
    return b"".join([chain(row.heads[index] or GENESIS, write(str(row.key), scope, (row.versions[index] or 0) + 1, token))
                     for row, token in zip(group.rows, tokens, strict=True)])


def _shape(step: Step) -> tuple[Any, ...]:
    """What makes the statement's text: a machine has few edges, so their names are literals and each edge is prepared once."""
    known = tuple((column, value) if value is None or column in step.own else (column, ...)
                  for column, value in step.constants.items())
    template = step.template
    return step.index, step.now, known, step.counted, template.old, template.new, template.origin, template.machine


def _entry_parameters(number: int, step: Step, parameters: dict[str, Any]) -> None:
    for column, value in step.constants.items():
        if column not in step.own and value is not None:
            parameters[f"c{number}_{column}"] = step.place.bind_value(column, value)
    template = step.template
    parameters[f"actor{number}"], parameters[f"role{number}"], parameters[f"cause{number}"] = template.actor, template.role, template.cause
    parameters[f"detail{number}"] = None if template.detail is None else template.detail.digest


def _detail_parameters(group: Group) -> dict[str, Any]:
    return {} if group.detail is None else detail_values(group.detail, group.owner)


def detail_values(detail: Detail, owner: tuple[str | None, str | None]) -> dict[str, Any]:
    return {"salt": detail.salt, "reason": detail.reason, "facts": detail.facts, "owner_kind": owner[0], "owner_id": owner[1]}


def _template_parameters(number: int, template: Any) -> dict[str, Any]:
    return {f"from{number}": template.old, f"to{number}": template.new, f"actor{number}": template.actor, f"role{number}": template.role,
            f"cause{number}": template.cause, f"origin{number}": template.origin, f"machine{number}": template.machine,
            f"detail{number}": None if template.detail is None else template.detail.digest}


@lru_cache(maxsize=1024)
def _read_sql(reading: Reading, lock: Lock) -> str:
    main = reading.main
    columns = [main.key_sql, *(place.status_sql for place in reading.axes), *(place.version_sql for place in reading.axes),
               *(place.head_sql for place in reading.axes)]
    asked = ", ".join([*(main.qualified(column) for column in columns), *(f"coalesce(({text_}), false)" for text_ in reading.conditions)])
    scope = f" AND {main.qualified(main.scope_sql)} = %(scope)s" if main.scope_sql else ""
    return (f"SELECT {asked} FROM {main.table_sql} WHERE {main.qualified(main.key_sql)} = ANY(%(keys)s::{main.key_type}[]){scope}"
            f" ORDER BY {main.qualified(main.key_sql)}{_LOCKS[lock]}")


def _arrays(main: Placement, compared: Sequence[int], tokens: bool) -> str:
    names = ["key", *(f"v{index}" for index in compared), *(["token"] if tokens else [])]
    types = [f"%(keys)s::{main.key_type}[]", *(f"%(v{index})s::int[]" for index in compared), *(["%(tokens)s::text[]"] if tokens else [])]
    return f"unnest({', '.join(types)}) WITH ORDINALITY AS a({', '.join(names)}, n)"


def _head(number: int) -> str:
    return f"substring(%(h{number})b::bytea FROM (a.n * 32 - 31)::int FOR 32)"


def _where(reading: Reading, compared: Sequence[int]) -> str:
    main = reading.main
    wanted = [f"{main.qualified(main.key_sql)} = a.key"]
    if main.scope_sql:
        wanted.append(f"{main.qualified(main.scope_sql)} = %(scope)s")
    wanted += [f"{main.qualified(reading.axes[index].version_sql)} = a.v{index}" for index in compared]
    return " AND ".join(wanted)


@lru_cache(maxsize=1024)
def _move_sql(reading: Reading, shapes: tuple[Any, ...], compared: tuple[int, ...], conditions: tuple[str, ...], tokens: bool,
              detailed: bool) -> str:
    main = reading.main
    changes = [change for number, shape in enumerate(shapes) for change in _changes(reading, number, shape)]
    returned = ["a.key AS key", *(["a.token AS token"] if tokens else []),
                *(f"a.v{index} + 1 AS v{index}, {main.qualified(reading.axes[index].head_sql)} AS h{index}" for index, *_ in shapes)]
    where = " AND ".join([_where(reading, compared), *(f"({condition})" for condition in conditions)])
    return (f"WITH moved AS (UPDATE {main.table_sql} SET {', '.join(changes)} FROM {_arrays(main, compared, tokens)} "
            f"WHERE {where} RETURNING {', '.join(returned)}), {_history(reading, shapes, tokens, detailed)} "
            f"SELECT count(*), CASE WHEN count(*) < cardinality(%(keys)s::{main.key_type}[]) THEN array_agg(key) END FROM moved")


def _changes(reading: Reading, number: int, shape: tuple[Any, ...]) -> list[str]:
    """What the UPDATE sets for one axis."""
    index, now, constants, counted, _, new, *_ = shape
    place = reading.axes[index]
    changes = [f"{place.status_sql} = {literal(new)}", f"{place.version_sql} = a.v{index} + 1", f"{place.head_sql} = {_head(number)}"]
    changes += [f"{place.quote(column)} = %(at)s" for column in now]
    changes += [f"{place.quote(column)} = %(c{number}_{column})s" if value is ... else f"{place.quote(column)} = {literal(value)}"
                for column, value in constants]
    return changes + [f"{place.quote(column)} = {reading.main.qualified(place.quote(column))} + 1" for column in counted]


def literal(value: str | int | None) -> str:
    """A value of the declaration as SQL; percent signs are doubled for the driver."""
    return str(value) if isinstance(value, int) else text(value).replace("%", "%%")


def _history(reading: Reading, shapes: Sequence[tuple[Any, ...]], tokens: bool, detailed: bool, closing: bool = False) -> str:
    """The ledger entries and counter deltas of what really moved."""
    entries, deltas = [], []
    for number, (index, _, _, _, old, new, origin, machine) in enumerate(shapes):
        place = reading.axes[index]
        named = f"{literal(place.kind)}, {{}}{literal(place.name)}, {'%(scope)s' if place.scope_sql else text('')}"
        token = "token" if tokens and number == 0 else "NULL"
        entries.append(f"SELECT {named.format('key::text, ')}, v{index}, {literal(old)}, {literal(new)}, %(at)s::timestamptz, "
                       f"%(actor{number})s, %(role{number})s, %(cause{number})s, {literal(origin)}, {literal(machine)}, {token}, "
                       f"%(detail{number})b::bytea, h{index} FROM moved")
        deltas.append(f"SELECT {named.format('')}, {literal(old)}, -count(*) FROM moved HAVING count(*) > 0")
        if not closing:
            deltas.append(f"SELECT {named.format('')}, {literal(new)}, count(*) FROM moved HAVING count(*) > 0")
    return (f"{DETAIL.format(source='moved') if detailed else ''}entries AS (INSERT INTO {LEDGER} {' UNION ALL '.join(entries)}), "
            f"deltas AS (INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) {' UNION ALL '.join(deltas)})")


@lru_cache(maxsize=1024)
def _close_sql(reading: Reading, shapes: tuple[Any, ...]) -> str:
    main = reading.main
    indexes = [index for index, *_ in shapes]
    returned = ", ".join(["a.key AS key", *(f"a.v{index} + 1 AS v{index}, {_head(number)} AS h{index}"
                                            for number, index in enumerate(indexes))])
    return (f"WITH moved AS (DELETE FROM {main.table_sql} USING {_arrays(main, indexes, False)} WHERE {_where(reading, indexes)} "
            f"RETURNING {returned}), {_history(reading, shapes, False, True, closing=True)} SELECT key FROM moved")


@lru_cache(maxsize=256)
def _admit_sql(axes: tuple[Placement, ...], columns: tuple[str, ...], detailed: bool) -> str:
    main = axes[0]
    listed = ", ".join(main.quote(column) for column in columns)
    scope = main.scope_sql
    returned = ", ".join([f"{main.key_sql} AS key", *([f"{scope}::text AS scope"] if scope else []),
                          *(f"{place.head_sql} AS h{number}" for number, place in enumerate(axes))])
    entries, deltas = [], []
    for number, place in enumerate(axes):
        said = f"{text(place.kind)}, key::text, {text(place.name)}, {'scope' if scope else text('')}"
        entries.append(f"SELECT {said}, 0, %(from{number})s, %(to{number})s, %(at)s::timestamptz, %(actor{number})s, %(role{number})s, "
                       f"%(cause{number})s, %(origin{number})s, %(machine{number})s, NULL, %(detail{number})b::bytea, h{number} "
                       "FROM new_rows")
        deltas.append(f"SELECT {text(place.kind)}, {text(place.name)}, {'scope' if scope else text('')}, %(to{number})s::text, count(*) "
                      f"FROM new_rows {'GROUP BY scope' if scope else 'HAVING count(*) > 0'}")
    return (f"WITH new_rows AS (INSERT INTO {main.table_sql} ({listed}) OVERRIDING SYSTEM VALUE "
            f"SELECT {listed} FROM json_populate_recordset(NULL::{main.table_sql}, %(rows)s::json) "
            f"ON CONFLICT DO NOTHING RETURNING {returned}), "
            f"{DETAIL.format(source='new_rows') if detailed else ''}entries AS (INSERT INTO {LEDGER} {' UNION ALL '.join(entries)}), "
            f"deltas AS (INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) {' UNION ALL '.join(deltas)}) "
            f"SELECT key{', scope' if scope else ''} FROM new_rows")

