"""Empties a PostgreSQL database between histories, and makes sure first that nobody else's records are in it."""

from __future__ import annotations

from typing import Any

from ....errors import BadInput

MARK = "simulated_here"
"""The table by which a database is known that belongs to simulations."""
TRUNCATED_EVERY = 50
_TABLES = (
    "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relname::text FROM pg_class c JOIN pg_namespace n "
    "ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%%' "
    "AND n.nspname <> 'information_schema' ORDER BY c.oid"
)
_SEQUENCES = (
    "SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename), start_value FROM pg_sequences"
)


class Emptying:
    """Restores the database as it was just after the migration: the same rows, the same sequences."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._deleting = self._truncating = ""
        self._emptied = 0

    def refuse_foreign_tables(self) -> None:
        """Only an empty database is used, or one that an earlier simulation left; that one is cleared."""
        tables = [name for _, name in self.connection.execute(_TABLES, {}).fetchall()]
        if MARK in tables:
            self.connection.execute("DROP SCHEMA public CASCADE")
            self.connection.execute("CREATE SCHEMA public")
        elif tables:
            raise BadInput(
                f"the database has {len(tables)} tables of somebody else, such as {tables[0]}; a simulation empties every table",
                hint="Give it a database of its own: CREATE DATABASE simulation.",
            )
        self.connection.execute(f"CREATE TABLE {MARK}()")

    def remember(self) -> None:
        """Every table that has rows keeps a copy of them; the others are emptied."""
        execute = self.connection.execute
        restored = []
        tables = [table for table, _ in execute(_TABLES, {}).fetchall()]
        for number, table in enumerate(tables):
            if execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0]:
                execute(f"CREATE TABLE simulated_kept_{number} AS TABLE {table}")
                restored.append(
                    f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM simulated_kept_{number}"
                )
        started = [f"setval('{name}', {start}, false)" for name, start in execute(_SEQUENCES).fetchall()]
        rest = [*restored, f"SELECT {', '.join(started)}" if started else "SELECT 1"]
        self._deleting = _unguarded([*(f"DELETE FROM {table}" for table in tables), *rest])
        self._truncating = _unguarded([f"TRUNCATE {', '.join(tables)}", *rest])

    def empty(self) -> None:
        """Empty every table: mostly by DELETE, which takes a tenth of the time; now and then by TRUNCATE, for DELETE leaves dead rows."""
        self.connection.execute(self._deleting if self._emptied % TRUNCATED_EVERY else self._truncating)
        self._emptied += 1


def _unguarded(statements: list[str]) -> str:
    """Return SQL that runs these statements in one transaction, without the triggers that guard history."""
    return "; ".join(
        [
            "SET session_replication_role = replica",
            "BEGIN",
            *statements,
            "COMMIT",
            "SET session_replication_role = origin",
        ]
    )
