"""SQLite's SQL: parameters marked by colons, lists and batches as JSON, instants as text, and one writer, so nothing is locked by row."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, ColumnElement, Connection, Dialect, Table, func, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.elements import BindParameter

from ...workflow.columns.instant import instant_text, parse_instant
from ..connect import Database, driver_connection
from ..timing import QUOTED, fill
from .connect import SqliteConnections
from .hints import ProcessHints
from .history import SqliteHistory
from .migration import SqliteSchema
from .moves.entries import json_list
from .work import SqliteWork

if TYPE_CHECKING:
    from .backup import SqliteBackups

_PARAMETER = re.compile(rf"{QUOTED}|%\((?P<name>\w+)\)s")

_FOLD = """
INSERT INTO interlock_counter(kind, axis, scope, state, is_null, count)
SELECT kind, axis, scope, coalesce(state, ''), state IS NULL, sum(delta) FROM interlock_count_delta
WHERE true GROUP BY kind, axis, scope, state
ON CONFLICT (kind, axis, scope, state, is_null) DO UPDATE SET count = interlock_counter.count + excluded.count"""


class SqliteSql:
    """See `SqlDialect`. Fewer, larger batches cost less here: one step waits for the other anyway."""

    name, mark, true, false, same, batch = "sqlite", "?", "1", "0", "IS", 1000
    has_clock = has_row_locks = admits_json = False
    wide_integers = True
    roles = None
    is_own_claim = ""

    def __init__(self) -> None:
        self.connections, self.schema = SqliteConnections(), SqliteSchema()
        self.work, self.history = SqliteWork(), SqliteHistory()

    @property
    def backups(self) -> SqliteBackups:
        from .backup import SqliteBackups  # it stands on what asks for this dialect

        return SqliteBackups()

    def hints(self, database: Database, direct: str | None) -> ProcessHints:
        return ProcessHints(database)

    def text_dialect(self) -> Dialect:
        return sqlite.dialect(paramstyle="named")

    def among(self, column: str, name: str, kind: str = "text") -> str:
        return f"{column} IN (SELECT value FROM json_each(%({name})s))"

    def each(self, name: str) -> str:
        return f"json_each(%({name})s) AS each_one"

    def none_of(self, query: str) -> str:
        return f"NOT IN ({query})"

    def index_of(self, column: str, text: str) -> str:
        return f"instr({column}, {text})"

    def lock(self, *, skip: bool, of: str | None = None) -> str:
        return ""

    def lock_moving(self, table: str) -> str:
        return ""

    def lock_shared(self) -> str:
        return ""

    def is_due_in_order(self, column: str) -> str:
        """With a plain comparison SQLite would look up the dates that have come and then sort all of them."""
        return f"{column} IS NOT NULL AND +{column} <= NOW"

    def escape_percent(self, sql: str) -> str:
        return sql

    def parameter(self, name: str) -> str:
        return f":{name}"

    def write_value(self, value: BindParameter[Any], dialect: Dialect) -> str | None:
        """SQLAlchemy forgets that values are to be put in where SQLite compares null-safely (is_distinct_from)."""
        return (
            None
            if value.expanding
            else str(value.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
        )

    def fill_times(self, statement: str) -> str:
        return _fill(statement)

    def time_values(self, instant: datetime | None, spans: Mapping[str, timedelta]) -> dict[str, Any]:
        assert instant is not None, "SQLite has no clock of its own"
        return {
            "now": instant_text(instant),
            **{name: instant_text(instant + span) for name, span in spans.items()},
        }

    def later(self, column: str, span: timedelta) -> str:
        """To the millisecond, which is all that SQLite's functions know."""
        return f"strftime('%Y-%m-%dT%H:%M:%f', {column}, '+{span.total_seconds():.3f} seconds') || '000Z'"

    def bind_instant(self, instant: datetime) -> Any:
        return instant_text(instant)

    def bind_list(self, values: list[Any]) -> Any:
        return json_list(values)

    read_instant = staticmethod(parse_instant)

    def execute_many(self, tx: Any, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        driver_connection(tx).executemany(sql, rows)

    def insert_rows(
        self, tx: Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        driver_connection(tx).executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", rows
        )

    def lock_rows(self, tx: Connection, key: Column[Any], keys: Sequence[Any]) -> bool:
        """Nothing to lock: SQLite has one writer at a time, which reads everything that was committed before it began."""
        return True

    def update_rows(
        self, tx: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        prepare = tx.dialect.identifier_preparer
        changes = ", ".join(f"{prepare.quote(column)} = ?" for column in columns[1:])
        driver_connection(tx).executemany(
            f"UPDATE {prepare.format_table(table)} SET {changes} WHERE {prepare.quote(columns[0])} = ?",
            [(*row[1:], row[0]) for row in rows],
        )

    def delete_unlocked(self, table: str) -> str:
        return f"DELETE FROM {table}"

    def fold_counters(self, tx: Connection) -> int:
        raw = driver_connection(tx)
        waiting = int(raw.execute("SELECT count(*) FROM interlock_count_delta").fetchone()[0])
        if waiting:
            raw.execute(_FOLD)
            raw.execute("DELETE FROM interlock_count_delta")
        return waiting

    def insert(self, table: Any) -> Any:
        return sqlite.insert(table)

    def column_among(self, column: ColumnElement[Any], keys: Sequence[Any]) -> ColumnElement[bool]:
        return column.in_(select(func.json_each(json.dumps(list(keys))).table_valued("value").c.value))

    def free_planner(self, tx: Connection) -> None:
        """Nothing was asked of SQLite's planner."""


@lru_cache(maxsize=1024)
def _fill(statement: str) -> str:
    return named_parameters(fill(statement, now="%(now)s", later="%({span})s"))


@lru_cache(maxsize=512)
def named_parameters(sql: str) -> str:
    """Statements are made for psycopg; SQLite takes the same with its own marks. A limit that is a mark by itself
    has SQLite prepare the statement anew each time, to plan for that very number."""
    marked = _PARAMETER.sub(lambda part: f":{part['name']}" if part["name"] else part[0], sql)
    return marked.replace("LIMIT :limit", "LIMIT :limit + 0")


SQL = SqliteSql
"""What `store/engines.py` chooses by the name of this folder."""
