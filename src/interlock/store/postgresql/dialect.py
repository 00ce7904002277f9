"""PostgreSQL's SQL: psycopg's parameters, lists as arrays, row locks that are passed over, and the server's clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, ColumnElement, Connection, Dialect, Table, any_, cast, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql.elements import BindParameter

from ..connect import Database, driver_connection
from ..sql import doubled
from ..statements import RoleStatements
from ..timing import fill
from . import roles
from .connect import PostgresqlConnections
from .hints import NotifyHints
from .history import PostgresqlHistory
from .migration import PostgresqlSchema
from .moves.parameters import array_literal, interval, json_rows
from .work import PostgresqlWork

if TYPE_CHECKING:
    from .backup import PostgresqlBackups

# The statement's own instant, not the clock's: one that stays the same while it is asked can be looked up in an index.
_NOW = "coalesce(%(now)s::timestamptz, statement_timestamp())"


class PostgresqlSql:
    """See `SqlDialect`. Processes work beside each other here, on batches that are soon over."""

    name, mark, true, false, same, batch = "postgresql", "%s", "true", "false", "IS NOT DISTINCT FROM", 500
    has_clock = has_row_locks = admits_json = True
    wide_integers = False
    read_instant = None
    is_own_claim = " AND (login = session_user OR login IS NULL)"

    def __init__(self) -> None:
        self.roles: RoleStatements = roles
        self.connections, self.schema = PostgresqlConnections(), PostgresqlSchema()
        self.work, self.history = PostgresqlWork(), PostgresqlHistory()

    @property
    def backups(self) -> PostgresqlBackups:
        from .backup import PostgresqlBackups  # it stands on what asks for this dialect

        return PostgresqlBackups()

    def hints(self, database: Database, direct: str | None) -> NotifyHints:
        return NotifyHints(database, direct)

    def text_dialect(self) -> Dialect:
        dialect: Dialect = postgresql.dialect(paramstyle="named")  # type: ignore[no-untyped-call]
        return dialect

    def among(self, column: str, name: str, kind: str = "text") -> str:
        return f"{column} = ANY(%({name})s::{kind}[])"

    def each(self, name: str) -> str:
        return f"unnest(%({name})s::text[]) AS each_one(value)"

    def none_of(self, query: str) -> str:
        return f"<> ALL (ARRAY({query}))"

    def index_of(self, column: str, text: str) -> str:
        return f"strpos({column}, {text})"

    def lock(self, *, skip: bool, of: str | None = None) -> str:
        return f" FOR UPDATE{'' if of is None else f' OF {of}'}{' SKIP LOCKED' if skip else ''}"

    def lock_moving(self, table: str) -> str:
        return f" FOR NO KEY UPDATE OF {table} SKIP LOCKED"

    def lock_shared(self) -> str:
        return " FOR SHARE SKIP LOCKED"

    def is_due_in_order(self, column: str) -> str:
        return f"{column} <= NOW"

    def escape_percent(self, sql: str) -> str:
        return doubled(sql)

    def parameter(self, name: str) -> str:
        return f"%({name})s::text"

    def write_value(self, value: BindParameter[Any], dialect: Dialect) -> str | None:
        return None

    def fill_times(self, statement: str) -> str:
        return _fill(statement)

    def time_values(self, instant: datetime | None, spans: Mapping[str, timedelta]) -> dict[str, Any]:
        return {"now": instant, **spans}

    def later(self, column: str, span: timedelta) -> str:
        return f"{column} + {interval(span)}"

    def bind_instant(self, instant: datetime) -> Any:
        return instant

    def bind_list(self, values: list[Any]) -> Any:
        return array_literal(values)

    def execute_many(self, tx: Any, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        driver_connection(tx).cursor().executemany(sql, rows)

    def insert_rows(
        self, tx: Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        with (
            driver_connection(tx).cursor() as cursor,
            cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def lock_rows(self, tx: Connection, key: Column[Any], keys: Sequence[Any]) -> bool:
        level = func.current_setting("transaction_isolation")
        asked = (
            select(level).where(self.column_among(key, keys)).order_by(key).with_for_update(key_share=True)
        )
        levels = set(tx.execute(asked).scalars())
        return levels <= {"read committed", "read uncommitted"}

    def update_rows(
        self, tx: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        """The server casts each value from JSON, by the type that its column has in the table."""
        prepare = tx.dialect.identifier_preparer
        name, quoted = prepare.format_table(table), [prepare.quote(column) for column in columns]
        changes = ", ".join(f"{column} = one.{column}" for column in quoted[1:])
        driver_connection(tx).execute(
            f"UPDATE {name} SET {changes} FROM json_populate_recordset(NULL::{name}, %(rows)s::json) one "
            f"WHERE {name}.{quoted[0]} = one.{quoted[0]}",
            {"rows": json_rows([dict(zip(columns, row, strict=True)) for row in rows])},
        )

    def delete_unlocked(self, table: str) -> str:
        return (
            f"DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} FOR UPDATE SKIP LOCKED))"
        )

    def fold_counters(self, tx: Connection) -> int:
        """By a function with its owner's rights: who coordinates may not write a count."""
        return int(tx.exec_driver_sql("SELECT interlock_fold_counters()").scalar_one())

    def insert(self, table: Any) -> Any:
        return postgresql.insert(table)

    def column_among(self, column: ColumnElement[Any], keys: Sequence[Any]) -> ColumnElement[bool]:
        return column == any_(cast(list(keys), postgresql.ARRAY(column.type)))

    def free_planner(self, tx: Connection) -> None:
        tx.exec_driver_sql(
            "SELECT set_config(name, 'on', true) FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', "
            "'enable_mergejoin']) AS name"
        )


@lru_cache(maxsize=1024)
def _fill(statement: str) -> str:
    return fill(statement, now=_NOW, later=f"({_NOW} + %({{span}})s::interval)")


SQL = PostgresqlSql
"""What `store/engines.py` chooses by the name of this folder."""
