"""What a migration runs on SQLite: own tables, guards, and upgrades that look at the columns there are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Table

from ...workflow import View
from ..adoption.schema import adoption_tables
from ..connect import Database
from ..guarded import FrozenTable, Guarded
from ..migrations.upgrades import REPORT_COLUMNS, Execute, add_child_columns, take_over_plans
from ..placement import Placement
from ..queue.schedule_schema import schedule_tables
from ..records.operation_schema import operation_tables
from ..resting import Resting
from ..sql import identifier
from ..work.schema import OUTCOMES, work_tables
from .schema import PLAN, TABLES, own_guards
from .triggers.ending import ending_guards
from .triggers.guards import axis_guards, entry_guard, frozen_guard
from .triggers.live import CREATE, LEDGER_TRIGGERS, LiveGuards, bare_name
from .triggers.replacing import natural_key_guard, replace_guards

_WORDS = {
    "identity": "INTEGER PRIMARY KEY",
    "name": "TEXT",
    "instant": "TEXT",
    "outcome_check": f" CHECK ({OUTCOMES})",
    "clustered": " WITHOUT ROWID",
}


class SqliteSchema:
    """See `SchemaStatements`. Whoever migrates is the only writer."""

    builds_apart = False
    index_names = "SELECT name FROM sqlite_master WHERE type = 'index'"

    def __init__(self) -> None:
        self.upgrades = (
            origins_leave_the_check,
            add_trace,
            add_report_columns,
            change_children,
            keep_plans,
            add_logins,
        )

    def lock(self, tx: Connection) -> None:
        """A transaction that writes is alone."""

    def limit_lock_waits(self, tx: Connection, seconds: float) -> None:
        """A transaction that writes is alone."""

    def columns(self, tx: Connection, table: Table) -> frozenset[str]:
        rows = tx.exec_driver_sql(
            "SELECT name FROM pragma_table_xinfo(?, ?)", (table.name, table.schema or "main")
        )
        return frozenset(rows.scalars())

    def is_another_table(self, tx: Connection, recorded: str, table: Table) -> bool:
        quote, own = tx.dialect.identifier_preparer.quote, tx.dialect.identifier_preparer.format_table(table)
        former = recorded.lower().removeprefix("main.")
        if former == own.lower().removeprefix("main."):
            return False
        names = tx.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars()
        return any(quote(name).lower() == former for name in names)

    def renamed_guards(self, tx: Connection, recorded: str, place: Placement) -> list[str]:
        """A table's triggers follow it under the names they had: those on the table, and those on the ledger that move its rows."""
        quote, former = place.quote, identifier("interlock", bare_name(recorded), place.name)
        on_table = tx.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = lower(?) AND name GLOB 'interlock_*'",
            (place.table.name,),
        ).scalars()
        return [
            *(f"DROP TRIGGER IF EXISTS {quote(name)}" for name in on_table),
            *(f"DROP TRIGGER IF EXISTS {former}_{event}" for event in LEDGER_TRIGGERS),
        ]

    def build_apart(self, database: Database, statement: str) -> None:
        """Whoever migrates is the only writer: indexes are built with everything else."""
        raise AssertionError("SQLite builds its indexes within the migration")

    def longest_transaction(self, tx: Connection) -> float | None:
        """SQLite keeps no list of transactions."""
        return None

    def live_guards(self, tx: Connection) -> LiveGuards:
        return LiveGuards(tx)

    def own_tables(self) -> list[str]:
        return [
            *(part.strip() for part in TABLES.split(";\n") if part.strip()),
            PLAN,
            *work_tables(_WORDS),
            *operation_tables(_WORDS),
            *schedule_tables(_WORDS),
            *adoption_tables(_WORDS),
            *own_guards(),
        ]

    def ledger_guards(self, axes: Sequence[Mapping[str, Any]]) -> list[str]:
        return entry_guard([(axis["kind"], axis["axis"]) for axis in axes])

    def work_guards(self, known: Sequence[Resting]) -> list[str]:
        return ending_guards(known)

    def table_guards(self, table: str, guards: list[Guarded]) -> list[str]:
        return [
            *(
                statement
                for number, guarded in enumerate(guards)
                for statement in axis_guards(guarded, is_first=number == 0)
            ),
            *replace_guards(guards[0].placement),
            *natural_key_guard(guards[0].placement),
        ]

    def drop_guards(self, statements: Sequence[str]) -> list[str]:
        made = filter(None, map(CREATE.match, statements))
        return [f"DROP TRIGGER IF EXISTS {named[1]}" for named in made]

    def frozen_guards(self, frozen: FrozenTable, dialect: Dialect) -> list[str]:
        return frozen_guard(frozen, dialect)

    def view(self, view: View, dialect: Dialect) -> list[str]:
        made = f"CREATE VIEW {view.name} AS\n{view.query_for(dialect)}"
        return [*view.indexes, f"DROP VIEW IF EXISTS {view.name}", made]

    def follow_columns(self, trigger: str, records: str, columns: Sequence[str], update: str) -> list[str]:
        differs = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns)
        return [
            f"DROP TRIGGER IF EXISTS {trigger}",
            f"CREATE TRIGGER {trigger} AFTER UPDATE OF {', '.join(columns)} ON {records} WHEN {differs} BEGIN {update} END",
        ]


def origins_leave_the_check(execute: Execute) -> None:
    """SQLite cannot change a CHECK, so origins are guarded by a trigger; a table made before that loses its CHECK.

    This is the procedure that SQLite documents for removing a constraint: no row is touched, and the triggers stay.
    """
    stored = execute(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'interlock_ledger'"
    ).fetchone()
    plain = (
        re.sub(r"(origin TEXT NOT NULL) CHECK \(origin IN \([^)]*\)\)", r"\1", stored[0]) if stored else None
    )
    if plain is None or plain == stored[0]:
        return
    version = execute("PRAGMA schema_version").fetchone()[0]
    execute("PRAGMA writable_schema = ON")
    try:
        execute(
            "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = 'interlock_ledger'", (plain,)
        )
        execute(f"PRAGMA schema_version = {version + 1}")
    finally:
        execute("PRAGMA writable_schema = OFF")


def keep_plans(execute: Execute) -> None:
    if _columns(execute, "interlock_ledger") and not _columns(execute, "interlock_plan"):
        take_over_plans(execute, PLAN, "json_group_array(json_array(from_state, to_state, NULL))")


def add_trace(execute: Execute) -> None:
    """Work rows from before tracing get the column."""
    if (columns := _columns(execute, "interlock_work")) and "trace" not in columns:
        execute("ALTER TABLE interlock_work ADD COLUMN trace text")


def add_logins(execute: Execute) -> None:
    """Seals have the same columns on every database; here no row has a login, and no seal a hash of them."""
    if (columns := _columns(execute, "interlock_seal")) and "logins" not in columns:
        execute("ALTER TABLE interlock_seal ADD COLUMN logins BLOB")


def add_report_columns(execute: Execute) -> None:
    columns = _columns(execute, "interlock_work")
    for name, kind in REPORT_COLUMNS.items():
        if columns and name not in columns:
            execute(f"ALTER TABLE interlock_work ADD COLUMN {name} {kind}")


def change_children(execute: Execute) -> None:
    add_child_columns(execute, _columns(execute, "interlock_intake"))


def _columns(execute: Execute, table: str) -> set[str]:
    return {row[0] for row in execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall()}
