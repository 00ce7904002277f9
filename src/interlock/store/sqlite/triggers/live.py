"""Reads the guards that a SQLite database really has, and compares them with the SQL that this code would run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import Connection, text

from ...sql import identifier

CREATE = re.compile(r'CREATE TRIGGER ("(?:[^"]|"")+"|\S+) ')
LEDGER_TRIGGERS = ("moves", "begins", "follows")
"""How the names of an axis's triggers on Interlock's own tables end."""
_TRIGGERS = text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")


_ON_OWN_TABLES = text(
    "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND tbl_name GLOB 'interlock_*'"
)
_AXES = text("SELECT table_name, axis FROM interlock_axis")


def bare_name(table: str) -> str:
    """A table's name as it is, from how it is written in SQL."""
    return table.strip('"').replace('""', '"')


class LiveGuards:
    """Every trigger by name, with its text as it was created."""

    def __init__(self, tx: Connection) -> None:
        self.tx = tx
        self.triggers = {row.name: row.sql for row in tx.execute(_TRIGGERS)}

    def intruders(self, statements: Sequence[str]) -> list[str]:
        """Triggers on Interlock's own tables that neither these statements make nor the guards of an axis that they are not about."""
        known = {named[1].strip('"') for named in map(CREATE.match, statements) if named is not None}
        known.add("interlock_ledger_entry")
        for row in self.tx.execute(_AXES):
            name = identifier("interlock", bare_name(row.table_name), row.axis)
            if f"{name}_moves" not in known:  # of a workflow that is not this code's
                known |= {f"{name}_{event}" for event in LEDGER_TRIGGERS}
        unknown = [row for row in self.tx.execute(_ON_OWN_TABLES) if row.name not in known]
        return [f"trigger {row.name} on {row.tbl_name} is none of Interlock's" for row in unknown]

    def problems(self, statements: Sequence[str]) -> list[str]:
        """Each trigger among the statements that the database lacks or has with another body."""
        found = []
        for statement in statements:
            named = CREATE.match(statement)
            if named is None:
                continue
            name = named[1].strip('"').replace('""', '"')
            if name not in self.triggers:
                found.append(f"trigger {name} was removed or switched off")
            elif self.triggers[name] != statement:
                found.append(f"trigger {name} was altered")
        return found
