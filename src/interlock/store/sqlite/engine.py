"""SQLite's statements: read and judged under the one write lock, then written row by row in one prepared statement."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import Connection

from ...workflow.instant import written
from ..connect import driver_connection
from ..contract import Group, Lock, Newcomers, Reading, Seen, Step
from ..entry import GENESIS, Detail, EntryTemplate, chain
from ..placement import Placement, RecordTable
from ..work import listed

_LEDGER = ("INSERT INTO interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, "
           "machine, token, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
# The same for many: one statement that takes its rows from packed columns, for each statement keeps a journal of the pages it changes.
_ENTRIES = ("INSERT INTO interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, "
            "machine, token, detail, hash) SELECT :kind, one.value, :axis, :scope, "
            "CAST(CAST(substr(:versions, one.key * 10 + 1, 10) AS TEXT) AS INTEGER), :old, :new, :at, :actor, :role, :cause, :origin, "
            ":machine, rtrim(CAST(substr(:tokens, one.key * :width + 1, :width) AS TEXT)), :detail, substr(:hashes, one.key * 32 + 1, 32) "
            "FROM json_each(:names) one")
_DELTA = "INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) VALUES (?, ?, ?, ?, ?)"


class SqliteEngine:
    """Nobody else writes between a read and the write that follows it, so no race is ever lost here."""

    def read(self, tx: Connection, reading: Reading, keys: Sequence[Any], scope: str, lock: Lock, said: Mapping[str, Any]) -> list[Seen]:
        values = {**said, "keys": listed(list(keys)), "scope": scope}
        axes = len(reading.axes)
        found = driver_connection(tx).execute(_read_sql(reading), values).fetchall()
        return [Seen(row[0], row[1:1 + axes], row[1 + axes:1 + 2 * axes], row[1 + 2 * axes:1 + 3 * axes],
                     tuple(map(bool, row[1 + 3 * axes:]))) for row in found]

    def move(self, tx: Connection, group: Group) -> set[Any]:
        connection = driver_connection(tx)
        _keep(connection, group.detail, group.owner)
        for step in group.steps:
            in_order(step, entries=partial(write_entries, connection, step.template, group.scope, _entries(step, group)),
                     others=partial(_others, connection, step, group))
            keep_count(connection, step.template, group.scope, len(group.rows))
        return {row.key for row in group.rows}

    def admit(self, tx: Connection, newcomers: Newcomers) -> set[Any]:
        connection = driver_connection(tx)
        main = newcomers.axes[0]
        scope = main.axis.scope_column if main.axis.scoped else None
        admitted: set[Any] = set()
        at = written(newcomers.at)
        listed = (*newcomers.columns, *(place.axis.column_name("head") for place in newcomers.axes))
        insert = _insert_sql(main, listed)
        _keep(connection, newcomers.templates[0].detail, newcomers.owner)
        writers = [template.writer() for template in newcomers.templates]
        for row in newcomers.rows:
            key, spoken = row[main.axis.key], row[scope] if scope else ""
            heads = [chain(GENESIS, write(str(key), spoken, 0, None)) for write in writers]
            if connection.execute(_taken_sql(main), {"key": key, "scope": spoken}).fetchone() is not None:
                continue
            connection.execute("SAVEPOINT interlock_newcomer")
            connection.executemany(_LEDGER, [
                (*_front(template, str(key), spoken, 0, at), None, _digest(template), head)
                for template, head in zip(newcomers.templates, heads, strict=True)])
            if connection.execute(insert, [*(row[column] for column in newcomers.columns), *heads]).rowcount:
                admitted.add((key, spoken) if scope else key)
            else:
                connection.execute("ROLLBACK TO interlock_newcomer")
            connection.execute("RELEASE interlock_newcomer")
        self._count_newcomers(connection, newcomers, admitted, scoped=scope is not None)
        return admitted

    def _count_newcomers(self, connection: Any, newcomers: Newcomers, admitted: set[Any], *, scoped: bool) -> None:
        scopes = [key[1] for key in admitted] if scoped else [""] * len(admitted)
        for template in newcomers.templates:
            connection.executemany(_DELTA, [(template.kind, template.axis, scope, template.new, scopes.count(scope))
                                            for scope in dict.fromkeys(scopes)])

    def close(self, tx: Connection, group: Group) -> set[Any]:
        connection = driver_connection(tx)
        main = group.reading.main
        scope = f" AND {main.scope_sql} = :scope" if main.scope_sql else ""
        _keep(connection, group.detail, group.owner)
        for step in group.steps:
            write_entries(connection, step.template, group.scope, _entries(step, group))
            keep_count(connection, step.template, group.scope, len(group.rows), closing=True)
        connection.executemany(f"DELETE FROM {main.table_sql} WHERE {main.key_sql} = :key{scope}",
                               [{"key": row.key, "scope": group.scope} for row in group.rows])
        return {row.key for row in group.rows}

    def fresh_ids(self, tx: Connection, place: RecordTable, count: int) -> list[Any]:
        largest = driver_connection(tx).execute(f"SELECT coalesce(max({place.key_sql}), 0) FROM {place.table_sql}").fetchone()[0]
        used = driver_connection(tx).execute(  # an id whose record is gone keeps its history, and is never handed out again
            "SELECT coalesce(max(CAST(record_id AS INTEGER)), 0) FROM interlock_ledger WHERE kind = ? AND origin IN ('deletion', 'erase')",
            (place.kind,)).fetchone()[0]
        first = max(largest, used) + 1
        return list(range(first, first + count))


def _front(template: EntryTemplate, record_id: str, scope: str, version: int, at: str) -> tuple[Any, ...]:
    return (template.kind, record_id, template.axis, scope, version, template.old, template.new, at, template.actor, template.role,
            template.cause, template.origin, template.machine)


def _digest(template: EntryTemplate) -> bytes | None:
    return None if template.detail is None else template.detail.digest


Entry = tuple[str, int, str | None, bytes]
"""(record id, version, token, hash)"""


def write_entries(connection: Any, template: EntryTemplate, scope: str, entries: Sequence[Entry]) -> None:
    """Ledger rows of one batch; the ledger's trigger moves each record as its entry is written."""
    if not entries:
        return
    names, versions, tokens, hashes = zip(*entries, strict=True)
    marks = None if None in tokens else [token.encode() for token in tokens]
    width = 0 if marks is None else max(map(len, marks))
    connection.execute(_ENTRIES, {
        "kind": template.kind, "axis": template.axis, "scope": scope, "old": template.old, "new": template.new, "at": written(template.at),
        "actor": template.actor, "role": template.role, "cause": template.cause, "origin": template.origin, "machine": template.machine,
        "detail": _digest(template), "names": json.dumps(names), "versions": b"".join([b"%10d" % version for version in versions]),
        "tokens": None if marks is None else b"".join([mark.ljust(width) for mark in marks]), "width": width,
        "hashes": b"".join(hashes)})


def _entries(step: Step, group: Group) -> list[Entry]:
    write, index, scope = step.template.writer(), step.index, group.scope
    tokens: Sequence[str | None] = group.tokens or [None] * len(group.rows)
    found = []
    for row, token in zip(group.rows, tokens, strict=True):
        version, name = (row.versions[index] or 0) + 1, str(row.key)
        found.append((name, version, token, chain(row.heads[index] or GENESIS, write(name, scope, version, token))))
    return found


def in_order(step: Step, *, entries: Callable[[], None], others: Callable[[], None]) -> None:
    """The index of what waits is left before the state changes, and joined after it, so that it is written once."""
    axis = step.place.axis
    leaves = axis.has("ready_at") and step.constants.get(axis.column_name("ready_at"), "unchanged") is None
    for act in (others, entries) if leaves else (entries, others):
        act()


def others_sql(step: Step) -> tuple[str, Callable[[datetime], list[Any]]]:
    """How the engine's other columns of the axis change, as SQL, and what is bound to it; the trigger sets status, version and head."""
    place = step.place
    constants = {column: place.bind_value(column, value) for column, value in step.constants.items()}
    changes = [f"{place.quote(column)} = ?" for column in (*step.now, *constants)]
    changes += [f"{place.quote(column)} = {place.quote(column)} + 1" for column in step.counted]
    return ", ".join(changes), lambda at: [*(place.bind_value(column, at) for column in step.now), *constants.values()]


def key_of(name: str, place: Placement) -> str:
    """A record's name in ledger and work rows, as the key column holds it."""
    return f"CAST({name} AS INTEGER)" if "INT" in place.key_type.upper() else name


def _others(connection: Any, step: Step, group: Group) -> None:
    changes, values = others_sql(step)
    if not changes:
        return
    place, main = step.place, group.reading.main
    scope = f" AND {main.scope_sql} = ?" if main.scope_sql else ""
    behind = (group.scope,) if main.scope_sql else ()
    connection.execute(f"UPDATE {place.table_sql} SET {changes} WHERE {main.key_sql} IN (SELECT value FROM json_each(?)){scope}",
                       [*values(group.at), listed([row.key for row in group.rows]), *behind])


def _keep(connection: Any, detail: Detail | None, owner: tuple[str | None, str | None]) -> None:
    if detail is not None:
        connection.execute("INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) VALUES (?, ?, ?, ?, ?, ?) "
                           "ON CONFLICT DO NOTHING", (detail.digest, detail.salt, detail.reason, detail.facts, *owner))


def keep_count(connection: Any, template: EntryTemplate, scope: str, number: int, *, closing: bool = False) -> None:
    connection.execute(_DELTA, (template.kind, template.axis, scope, template.old, -number))
    if not closing:
        connection.execute(_DELTA, (template.kind, template.axis, scope, template.new, number))


@lru_cache(maxsize=1024)
def _read_sql(reading: Reading) -> str:
    main = reading.main
    columns = [main.key_sql, *(place.status_sql for place in reading.axes), *(place.version_sql for place in reading.axes),
               *(place.head_sql for place in reading.axes)]
    asked = ", ".join([*(main.qualified(column) for column in columns), *(f"coalesce(({text}), 0)" for text in reading.conditions)])
    scope = f" AND {main.qualified(main.scope_sql)} = :scope" if main.scope_sql else ""
    return (f"SELECT {asked} FROM {main.table_sql} WHERE {main.qualified(main.key_sql)} IN (SELECT value FROM json_each(:keys)){scope}"
            f" ORDER BY {main.qualified(main.key_sql)}")


@lru_cache(maxsize=256)
def _insert_sql(main: Placement, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" for _ in columns)
    return f"INSERT INTO {main.table_sql} ({', '.join(map(main.quote, columns))}) VALUES ({marks}) ON CONFLICT DO NOTHING"


@lru_cache(maxsize=256)
def _taken_sql(main: Placement) -> str:
    scope = f" AND {main.scope_sql} = :scope" if main.scope_sql else ""
    return f"SELECT 1 FROM {main.table_sql} WHERE {main.key_sql} = :key{scope}"
