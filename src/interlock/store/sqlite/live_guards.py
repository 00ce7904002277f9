"""Reads the guards that a SQLite database really has, and compares them with the SQL that this code would run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import Connection, text

_CREATE = re.compile(r'CREATE TRIGGER ("(?:[^"]|"")+"|\S+) ')
_TRIGGERS = text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")


class LiveGuards:
    """Every trigger by name, with its text as it was created."""

    def __init__(self, tx: Connection) -> None:
        self.triggers = {row.name: row.sql for row in tx.execute(_TRIGGERS)}

    def problems(self, statements: Sequence[str]) -> list[str]:
        """Each trigger among the statements that the database lacks or has with another body."""
        found = []
        for statement in statements:
            named = _CREATE.match(statement)
            if named is None:
                continue
            name = named[1].strip('"').replace('""', '"')
            if name not in self.triggers:
                found.append(f"trigger {name} was removed or switched off")
            elif self.triggers[name] != statement:
                found.append(f"trigger {name} was altered")
        return found
