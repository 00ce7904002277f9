"""A world's ground in memory: one SQLite connection that all processes share, whose transactions are real."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from ....app import App
from ....store.connect import Database, translated
from ....store.engines import sql_of, sqlite_driver
from ....workflow import Workflow
from .connection import StagedConnection
from .watching import COLUMNS, LogLine, watch, worked_places


class Memory:
    """A database in memory, and SQLAlchemy's view of it. A history is one transaction that is rolled back when it ends."""

    def __init__(self, workflows: Sequence[Workflow]) -> None:
        driver, _ = sqlite_driver()
        self.raw: StagedConnection = driver.connect(
            ":memory:", factory=StagedConnection, check_same_thread=False, cached_statements=1000
        )
        self.faults = self.raw.faults
        for pragma in ("foreign_keys = ON", "recursive_triggers = OFF"):
            self.raw.plainly(f"PRAGMA {pragma}")
        self.engine = create_engine(
            "sqlite://", creator=lambda: self.raw, poolclass=StaticPool, module=driver
        )
        app = App(workflows, database=self.engine)
        app.migrate()
        for metadata in dict.fromkeys(workflow.records.metadata for workflow in workflows):
            metadata.create_all(self.engine, checkfirst=True)
        watch(self.raw, worked_places(app, workflows))
        self.faults.staged = True
        self.tx: Connection
        self.renew()

    def renew(self) -> None:
        """Open a new SQLAlchemy view of the connection, after a fault on the last one; transactions are begun and ended below it."""
        self.tx = self.engine.connect()
        self.tx.begin()
        self.faults.spoiled = False

    def plainly(self, sql: str, values: Any = ()) -> Any:
        return self.raw.plainly(sql, values)

    def text(self, sql: str) -> str:
        return sql_of(self.engine.dialect).fill_times(sql)

    def database(self, between: Callable[[], None]) -> Database:
        return StagedDatabase(self, between)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self.tx

    def begin_history(self) -> None:
        self.raw.plainly("BEGIN")

    def end_history(self) -> None:
        self.raw.plainly("ROLLBACK")

    def log(self) -> list[LogLine]:
        return [
            LogLine._make(row)
            for row in self.raw.plainly(f"SELECT {COLUMNS} FROM simulated_log ORDER BY number").fetchall()
        ]

    def close(self) -> None:
        """Do nothing: a database in memory ends with its last reference."""


class StagedDatabase(Database):
    """One process's database: before each transaction the scheduler is asked."""

    def __init__(self, ground: Memory, between: Callable[[], None]) -> None:
        super().__init__(ground.engine)
        self.ground, self.between = ground, between

    @contextmanager
    def write(self, *, ours_alone: bool = False) -> Iterator[Connection]:
        self.between()
        ground, raw = self.ground, self.ground.raw
        with translated():
            raw.begin()
            try:
                yield ground.tx
                raw.keep()
            except BaseException:
                raw.undo()
                if ground.faults.spoiled:
                    ground.renew()
                raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self.between()
        ground = self.ground
        with translated():
            try:
                yield ground.tx
            except BaseException:
                ground.faults.broken = False
                if ground.faults.spoiled:
                    ground.renew()
                raise
