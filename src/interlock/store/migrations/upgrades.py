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


def take_over_plans(execute: Execute, table: str, lines: str) -> None:
    """Entries of plans from before plans were kept get a closed one, made of what they say; its lines have no reasons. `lines` is SQL that
    gathers pairs of states as JSON."""
    execute(table)
    execute(
        "INSERT INTO interlock_plan(kind, axis, id, origin, machine, lines, actor, role, at, closed_at) "
        f"SELECT kind, axis, substr(cause, 6), origin, min(machine), {lines}, min(actor), coalesce(min(role), 'operator'), min(at), "
        "max(at) "
        "FROM (SELECT kind, axis, cause, origin, machine, from_state, to_state, min(actor) AS actor, min(role) AS role, min(at) AS at "
        "FROM interlock_ledger WHERE origin = 'migration' AND cause LIKE 'plan._%' "
        "GROUP BY kind, axis, cause, origin, machine, from_state, to_state) AS moves GROUP BY kind, axis, cause, origin"
    )


def add_child_columns(execute: Execute, columns: set[str]) -> None:
    """Children are staged in chunks and know their attempt; what an older version staged is admitted as before."""
    if "record" in columns:
        execute("ALTER TABLE interlock_intake RENAME COLUMN record TO records")
    for name, kind in _CHILD_COLUMNS.items():
        if columns and name not in columns:
            execute(f"ALTER TABLE interlock_intake ADD COLUMN {name} {kind}")
