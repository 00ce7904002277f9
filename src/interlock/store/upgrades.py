"""Upgrades of Interlock's own tables that `CREATE TABLE IF NOT EXISTS` cannot make: an ordered list for each database.

Each step looks whether it is needed, so it may run again; all run, in order and under the migration's lock, before the own tables' SQL
whenever that has changed. What can be written as DROP and ADD on every run (triggers; on PostgreSQL constraints too) needs no step here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Execute = Callable[..., Any]
Step = Callable[[Execute], None]


def origins_leave_the_check(execute: Execute) -> None:
    """SQLite cannot change a CHECK, so origins are guarded by a trigger; a table made before that loses its CHECK.

    This is the procedure that SQLite documents for removing a constraint: no row is touched, and the triggers stay.
    """
    found = execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'interlock_ledger'").fetchone()
    plain = re.sub(r"(origin TEXT NOT NULL) CHECK \(origin IN \([^)]*\)\)", r"\1", found[0]) if found else None
    if plain is None or plain == found[0]:
        return
    version = execute("PRAGMA schema_version").fetchone()[0]
    execute("PRAGMA writable_schema = ON")
    try:
        execute("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = 'interlock_ledger'", (plain,))
        execute(f"PRAGMA schema_version = {version + 1}")
    finally:
        execute("PRAGMA writable_schema = OFF")


def work_rows_carry_a_trace(execute: Execute) -> None:
    """Work rows from before tracing get the column; `ADD COLUMN IF NOT EXISTS` is PostgreSQL's alone."""
    columns = {row[0] for row in execute("SELECT name FROM pragma_table_info('interlock_work')").fetchall()}
    if columns and "trace" not in columns:
        execute("ALTER TABLE interlock_work ADD COLUMN trace text")


def work_rows_carry_a_trace_on_postgresql(execute: Execute) -> None:
    execute("ALTER TABLE IF EXISTS interlock_work ADD COLUMN IF NOT EXISTS trace text")


_REPORT_COLUMNS = {"version": "integer", "shape": "text", "facts": "text", "gates": "text"}


def work_rows_carry_reports_in_columns(execute: Execute) -> None:
    """Facts, their shape, gate verdicts and the version that an attempt began with get columns of their own."""
    columns = {row[0] for row in execute("SELECT name FROM pragma_table_info('interlock_work')").fetchall()}
    for name, kind in _REPORT_COLUMNS.items():
        if columns and name not in columns:
            execute(f"ALTER TABLE interlock_work ADD COLUMN {name} {kind}")


def work_rows_carry_reports_in_columns_on_postgresql(execute: Execute) -> None:
    for name, kind in _REPORT_COLUMNS.items():
        execute(f"ALTER TABLE IF EXISTS interlock_work ADD COLUMN IF NOT EXISTS {name} {kind}")


_CHILD_COLUMNS = {
    "size": "integer NOT NULL DEFAULT 1", "axis": "text", "scope": "text", "work": "bigint", "actor": "text", "reason": "text"}


def children_wait_for_their_report(execute: Execute) -> None:
    """Children are staged in chunks and know their attempt; what an older version staged is admitted as before."""
    columns = {row[0] for row in execute("SELECT name FROM pragma_table_info('interlock_intake')").fetchall()}
    _children_get_columns(execute, columns)


def children_wait_for_their_report_on_postgresql(execute: Execute) -> None:
    found = execute("SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('interlock_intake') AND attnum > 0 AND NOT attisdropped")
    _children_get_columns(execute, {row[0] for row in found.fetchall()})


def _children_get_columns(execute: Execute, columns: set[str]) -> None:
    if "record" in columns:
        execute("ALTER TABLE interlock_intake RENAME COLUMN record TO records")
    for name, kind in _CHILD_COLUMNS.items():
        if columns and name not in columns:
            execute(f"ALTER TABLE interlock_intake ADD COLUMN {name} {kind}")


STEPS: dict[str, tuple[Step, ...]] = {
    "sqlite": (origins_leave_the_check, work_rows_carry_a_trace, work_rows_carry_reports_in_columns,
               children_wait_for_their_report),
    "postgresql": (work_rows_carry_a_trace_on_postgresql, work_rows_carry_reports_in_columns_on_postgresql,
                   children_wait_for_their_report_on_postgresql)}
