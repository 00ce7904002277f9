"""The one SQLite connection of a simulated world: each statement is counted, and may be the one at which a fault is injected."""

from __future__ import annotations

from typing import Any

from ....store.engines import sqlite_driver
from ..faults import Faults

_DRIVER, _ = sqlite_driver()
_UNDO = "ROLLBACK TO simulated", "RELEASE simulated"


def lost_connection() -> Exception:
    error: Exception = _DRIVER.OperationalError("disk I/O error: the connection was lost")
    return error


class StagedCursor(_DRIVER.Cursor):  # type: ignore[name-defined,misc]
    """The cursor through which SQLAlchemy executes statements."""

    def execute(self, sql: str, values: Any = ()) -> Any:
        if self.connection.faults.watched:
            self.connection.faults.notice(sql, values)
        return super().execute(sql, values)

    def executemany(self, sql: str, values: Any) -> Any:
        if self.connection.faults.watched:
            self.connection.faults.notice(sql, values)
        return super().executemany(sql, values)


class StagedConnection(_DRIVER.Connection):  # type: ignore[name-defined,misc]
    """Every transaction is a savepoint within one that is rolled back when the history ends: no image has to be restored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.isolation_level = None
        self.faults = Faults(lost_connection)
        self.changes = 0

    def cursor(self, *_: Any, **__: Any) -> Any:
        return StagedCursor(self)

    def execute(self, sql: str, values: Any = ()) -> Any:
        if self.faults.watched:
            self.faults.notice(sql, values)
        return _DRIVER.Cursor(self).execute(sql, values)

    def executemany(self, sql: str, values: Any) -> Any:
        if self.faults.watched:
            self.faults.notice(sql, values)
        return _DRIVER.Cursor(self).executemany(sql, values)

    def plainly(self, sql: str, values: Any = ()) -> Any:
        """Execute a statement of the simulation itself, which is not counted."""
        return _DRIVER.Cursor(self).execute(sql, values)

    def commit(self) -> None:
        """Commit, unless the simulation is playing: then the world's own savepoints end transactions, not SQLAlchemy."""
        if not self.faults.staged:
            super().commit()

    def rollback(self) -> None:
        if not self.faults.staged:
            super().rollback()

    def close(self) -> None:
        """Do nothing: the connection belongs to the simulated world and stays open when SQLAlchemy closes it after an error."""

    def begin(self) -> None:
        if self.faults.watched:
            self.faults.notice("BEGIN")
        self.plainly("SAVEPOINT simulated")
        self.faults.open, self.changes = True, self.total_changes

    def keep(self) -> None:
        """Commit; a fault may be injected just before, or just after it."""
        if self.faults.watched:
            self.faults.notice("COMMIT")
        if self.total_changes != self.changes:
            self.plainly("INSERT INTO simulated_log(what) VALUES ('commit')")
        self.plainly("RELEASE simulated")
        self.faults.open = False
        if self.faults.watched:
            self.faults.committed()

    def undo(self) -> None:
        """Roll back, as the database does by itself when a connection is lost."""
        if self.faults.open:
            for statement in _UNDO:
                self.plainly(statement)
            self.faults.open = False
        self.faults.broken = False
