"""Upgrades of Interlock's own tables that `CREATE TABLE IF NOT EXISTS` cannot make: what is the same on every database.

Each upgrade looks whether it is needed, so it may run again; all run, in order and under the migration's lock, before the own tables'
SQL whenever that has changed. What can be a DROP and an ADD on every run (triggers; on PostgreSQL constraints too) needs none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Execute = Callable[..., Any]
Upgrade = Callable[[Execute], None]

REPORT_COLUMNS = {"version": "integer", "shape": "text", "facts": "text", "gates": "text"}
"""Facts, their shape, gate verdicts and the version that an attempt began with have columns of their own."""
_CHILD_COLUMNS = {
    "size": "integer NOT NULL DEFAULT 1",
    "axis": "text",
    "scope": "text",
    "work": "bigint",
    "actor": "text",
    "reason": "text",
}


def add_child_columns(execute: Execute, columns: set[str]) -> None:
    """Children are staged in chunks and know their attempt; what an older version staged is admitted as before."""
    if "record" in columns:
        execute("ALTER TABLE interlock_intake RENAME COLUMN record TO records")
    for name, kind in _CHILD_COLUMNS.items():
        if columns and name not in columns:
            execute(f"ALTER TABLE interlock_intake ADD COLUMN {name} {kind}")
