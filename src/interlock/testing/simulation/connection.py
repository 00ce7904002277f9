"""The one SQLite connection of a simulated world: counts statements, and lets the planned misfortune happen before or after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ...store.engines import sqlite_driver
from .faults import Crash, Plan

_DRIVER, _ = sqlite_driver()
_UNDO = "ROLLBACK TO simulated", "RELEASE simulated"

Told = Callable[[str, Any], None]


class StagedCursor(_DRIVER.Cursor):  # type: ignore[name-defined,misc]
    """What SQLAlchemy executes with."""

    def execute(self, sql: str, values: Any = ()) -> Any:
        if self.connection.watched:
            self.connection.notice(sql, values)
        return super().execute(sql, values)

    def executemany(self, sql: str, values: Any) -> Any:
        if self.connection.watched:
            self.connection.notice(sql, values)
        return super().executemany(sql, values)


class StagedConnection(_DRIVER.Connection):  # type: ignore[name-defined,misc]
    """Every transaction is a savepoint within one that is rolled back when the history ends: no image has to be restored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.isolation_level = None
        self.watched = False
        self.plan: Plan | None = None
        self.dead = self.broken = self.spoiled = self.open = False
        self.staged = False
        self.changes = 0
        self.told: Told | None = None
        self.struck: Counter[str] = Counter()

    def cursor(self, *_: Any, **__: Any) -> Any:
        return StagedCursor(self)

    def execute(self, sql: str, values: Any = ()) -> Any:
        if self.watched:
            self.notice(sql, values)
        return _DRIVER.Cursor(self).execute(sql, values)

    def executemany(self, sql: str, values: Any) -> Any:
        if self.watched:
            self.notice(sql, values)
        return _DRIVER.Cursor(self).executemany(sql, values)

    def plainly(self, sql: str, values: Any = ()) -> Any:
        """Execute without being noticed: the simulation's own statements."""
        return _DRIVER.Cursor(self).execute(sql, values)

    def commit(self) -> None:
        """On stage the database commits, not SQLAlchemy."""
        if not self.staged:
            super().commit()

    def rollback(self) -> None:
        if not self.staged:
            super().rollback()

    def close(self) -> None:
        """It is the world's, and stays open: SQLAlchemy lets go of connections on which something went wrong."""

    def watch(self, plan: Plan | None) -> None:
        self.plan = plan
        self.dead = self.broken = False
        self.watched = plan is not None or self.told is not None

    def notice(self, sql: str, values: Any = ()) -> None:
        """A statement is about to be executed, or a commit to happen, or one has happened."""
        if self.dead:
            raise Crash
        if self.broken:
            raise _DRIVER.OperationalError("disk I/O error: the connection was lost")
        if self.told is not None:
            self.told(sql, values)
        if self.plan is not None and self.plan.misfortune != "unheard":
            self.plan.left -= 1
            if self.plan.left <= 0:
                self.strike(sql)

    def strike(self, sql: str) -> None:
        """The misfortune happens, here."""
        assert self.plan is not None
        misfortune, self.plan = self.plan.misfortune, None
        self.spoiled = True
        self.struck[f"{misfortune} {sql[:48]}"] += 1
        if self.told is not None:
            self.told(f"*** {misfortune}", ())
        if misfortune == "crash":
            self.dead = self.watched = True
            raise Crash
        self.broken = self.open
        self.watched = self.broken or self.told is not None
        raise _DRIVER.OperationalError("disk I/O error: the connection was lost")

    def begin(self) -> None:
        if self.watched:
            self.notice("BEGIN")
        self.plainly("SAVEPOINT simulated")
        self.open, self.changes = True, self.total_changes

    def keep(self) -> None:
        """Commit; misfortune may come just before, or just after it was done."""
        if self.watched:
            self.notice("COMMIT")
        if self.total_changes != self.changes:
            self.plainly("INSERT INTO simulated_log(what) VALUES ('commit')")
        self.plainly("RELEASE simulated")
        self.open = False
        if self.watched:
            self._after_commit()

    def _after_commit(self) -> None:
        if self.plan is not None and self.plan.misfortune == "unheard":
            self.plan.left -= 1
            if self.plan.left <= 0:
                self.strike("COMMIT, and the answer is lost")
        self.notice("after COMMIT")

    def undo(self) -> None:
        """Roll back, whatever happened: the database does this by itself when a connection is gone."""
        if self.open:
            for statement in _UNDO:
                self.plainly(statement)
            self.open = False
        self.broken = False
