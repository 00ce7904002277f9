"""What a migration runs on PostgreSQL: own tables, guards whose functions are pinned, and upgrades."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Table

from ...workflow import View
from ..adoption.schema import adoption_tables
from ..connect import Database, driver_connection
from ..guarded import FrozenTable, Guarded
from ..migrations.upgrades import REPORT_COLUMNS, Execute, add_child_columns, take_over_plans
from ..placement import Placement
from ..queue.schedule_schema import schedule_tables
from ..records.operation_schema import operation_tables
from ..resting import Resting
from ..work.schema import OUTCOMES, work_tables
from .moves.pinning import PINNED
from .schema import FUNCTIONS, PLAN, TABLES, own_guards
from .triggers.ending import ending_guards
from .triggers.guards import LEDGER_GUARD, frozen_guard, table_guards
from .triggers.hashes import OTHER_HASH
from .triggers.live import TRIGGER, LiveGuards
from .triggers.work import COLUMNS, READABLE, work_guards
from .triggers.work import FUNCTIONS as WORK_FUNCTIONS

FUNCTION = re.compile(r"CREATE OR REPLACE FUNCTION (\S+?)\(\) RETURNS trigger")

_LOCK = "SELECT pg_advisory_xact_lock(7310579)"  # one number for "Interlock migrates"; transaction-level, so pgbouncer cannot leak it
_COLUMNS = (
    "SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
    "WHERE c.oid = to_regclass(%s) AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped"
)
_ANOTHER = (
    "SELECT 1 FROM pg_class c WHERE c.oid = to_regclass(%s) AND c.relkind IN ('r', 'p', 'f') "
    "AND c.oid IS DISTINCT FROM to_regclass(%s)"
)
_BUILT = re.compile(r"INDEX IF NOT EXISTS (\S+) ON")
_WORDS = {
    "identity": "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "name": 'text COLLATE "C"',
    "instant": "timestamptz",
    "outcome_check": "",
    "clustered": "",
}

# Claiming and reporting change no indexed column: with room on its page a row is changed in place. The table is small but never still.
_TUNED = (
    "ALTER TABLE interlock_work SET (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, "
    "autovacuum_vacuum_cost_delay = 0)"
)

# Who was logged in when an entry was made, as the server knows it. Not part of the entry's hash: the client makes that, and knows no login
# behind a pooler; seals cover it. Entries from before have none, so the default comes after the column.
_LOGINS = (
    "ALTER TABLE interlock_ledger ADD COLUMN IF NOT EXISTS login text",
    "ALTER TABLE interlock_ledger ALTER COLUMN login SET DEFAULT session_user",
    "ALTER TABLE interlock_seal ADD COLUMN IF NOT EXISTS logins bytea",
)

# A write past Interlock whose spelling is kept has a detail of its own. One statement may make many: its history is written from these.
_DETAIL_OF_STRAYS = "ALTER TABLE interlock_stray ADD COLUMN IF NOT EXISTS detail bytea"

# A runner's role may write a report and its instants. Python reads no instant beyond these years: one unreadable row would stop its batch.
_INSTANTS = ("started_at", "claimed_at", "lease_until", "reported_at")
_READABLE = " AND ".join(f"{name} BETWEEN '0001-01-02' AND '9999-12-30'" for name in _INSTANTS)
_BOUNDED = (
    "octet_length(facts) <= 262144 AND octet_length(shape) <= 262144 AND octet_length(gates) <= 1048576 "
    "AND octet_length(report) <= 1024"
)
_CHECKED = (
    "ALTER TABLE interlock_work DROP CONSTRAINT IF EXISTS interlock_work_report",
    f"ALTER TABLE interlock_work ADD CONSTRAINT interlock_work_report CHECK ({OUTCOMES} AND {_READABLE} AND {_BOUNDED}) NOT VALID",
)


class PostgresqlSchema:
    """See `SchemaStatements`."""

    builds_apart = True
    index_names = (
        "SELECT i.relname AS name FROM pg_class i JOIN pg_index x ON x.indexrelid = i.oid WHERE x.indisvalid "
        "AND starts_with(i.relname, 'interlock')"
    )

    def __init__(self) -> None:
        self.upgrades = (add_trace, add_report_columns, change_children, keep_plans)

    def lock(self, tx: Connection) -> None:
        tx.exec_driver_sql(_LOCK)

    def limit_lock_waits(self, tx: Connection, seconds: float) -> None:
        tx.exec_driver_sql(f"SET LOCAL lock_timeout = '{round(seconds * 1000)}ms'")

    def build_apart(self, database: Database, statement: str) -> None:
        (name,) = _BUILT.findall(statement)
        unfinished = "SELECT 1 FROM pg_index x WHERE x.indexrelid = to_regclass(%s) AND NOT x.indisvalid"
        with database.glance() as tx:
            connection = driver_connection(tx)
            if connection.execute(unfinished, (name,)).fetchone() is not None:
                connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            connection.execute(
                statement.replace("INDEX IF NOT EXISTS", "INDEX CONCURRENTLY IF NOT EXISTS", 1)
            )

    def columns(self, tx: Connection, table: Table) -> frozenset[str]:
        name = tx.dialect.identifier_preparer.format_table(table)
        return frozenset(tx.exec_driver_sql(_COLUMNS, (name,)).scalars())

    def is_another_table(self, tx: Connection, recorded: str, table: Table) -> bool:
        named = tx.dialect.identifier_preparer.format_table(table)
        return tx.exec_driver_sql(_ANOTHER, (recorded, named)).first() is not None

    def renamed_guards(self, tx: Connection, recorded: str, place: Placement) -> list[str]:
        """Those on the table; their functions name tables as they were called."""
        quote, table = place.quote, place.table_sql
        names = tx.exec_driver_sql(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND NOT tgisinternal AND starts_with(tgname, 'interlock_')",
            (table,),
        ).scalars()
        return [f"DROP TRIGGER {quote(name)} ON {table}" for name in names]

    def longest_transaction(self, tx: Connection) -> float | None:
        asked = "SELECT extract(epoch FROM max(clock_timestamp() - xact_start)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        seconds = tx.exec_driver_sql(asked).scalar()
        return None if seconds is None else float(seconds)

    def live_guards(self, tx: Connection) -> LiveGuards:
        return LiveGuards(tx)

    def own_tables(self) -> list[str]:
        return [
            TABLES,
            PLAN,
            *_LOGINS,
            *work_tables(_WORDS),
            _TUNED,
            *_CHECKED,
            *operation_tables(_WORDS),
            *schedule_tables(_WORDS),
            *adoption_tables(_WORDS),
            _DETAIL_OF_STRAYS,
            *COLUMNS,
            *READABLE,
            FUNCTIONS,
            WORK_FUNCTIONS,
            LEDGER_GUARD,
            OTHER_HASH,
            *own_guards(),
            *work_guards(),
            PINNED,
        ]

    def ledger_guards(self, axes: Sequence[Mapping[str, Any]]) -> list[str]:
        """The ledger's guard asks for no axis: only triggers of record tables insert entries, each for its own."""
        return []

    def work_guards(self, known: Sequence[Resting]) -> list[str]:
        return ending_guards(known)

    def table_guards(self, table: str, guards: list[Guarded]) -> list[str]:
        return [*table_guards(table, guards), PINNED]

    def drop_guards(self, statements: Sequence[str]) -> list[str]:
        whole = "\n".join(statements)
        triggers = [f"DROP TRIGGER IF EXISTS {made[0]} ON {made[3]}" for made in TRIGGER.findall(whole)]
        return [*triggers, *(f"DROP FUNCTION IF EXISTS {name}()" for name in FUNCTION.findall(whole))]

    def frozen_guards(self, frozen: FrozenTable, dialect: Dialect) -> list[str]:
        return frozen_guard(frozen, dialect)

    def view(self, view: View, dialect: Dialect) -> list[str]:
        """Replaced, not dropped: views of the team's own may read it."""
        made = f"CREATE OR REPLACE VIEW {view.name} AS\n{view.query_for(dialect)}"
        return [*view.indexes, made]

    def follow_columns(self, trigger: str, records: str, columns: Sequence[str], update: str) -> list[str]:
        differs = " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)
        body = f"AS $copies$ BEGIN {update} RETURN NULL; END $copies$"
        return [
            f"CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql {body}",
            f"CREATE OR REPLACE TRIGGER {trigger} AFTER UPDATE OF {', '.join(columns)} ON {records} FOR EACH ROW WHEN ({differs}) "
            f"EXECUTE FUNCTION {trigger}()",
            PINNED,
        ]


def keep_plans(execute: Execute) -> None:
    missing = "SELECT to_regclass('interlock_plan') IS NULL AND to_regclass('interlock_ledger') IS NOT NULL"
    if execute(missing).fetchone()[0]:
        take_over_plans(execute, PLAN, "json_agg(json_build_array(from_state, to_state, NULL))::text")


def add_trace(execute: Execute) -> None:
    """Work rows from before tracing get the column."""
    execute("ALTER TABLE IF EXISTS interlock_work ADD COLUMN IF NOT EXISTS trace text")


def add_report_columns(execute: Execute) -> None:
    for name, kind in REPORT_COLUMNS.items():
        execute(f"ALTER TABLE IF EXISTS interlock_work ADD COLUMN IF NOT EXISTS {name} {kind}")


def change_children(execute: Execute) -> None:
    columns = execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('interlock_intake') AND attnum > 0 "
        "AND NOT attisdropped"
    )
    add_child_columns(execute, {row[0] for row in columns.fetchall()})
