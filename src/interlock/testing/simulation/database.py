"""A database as one simulated process sees it: its transactions are real, and between them other processes may have their turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from ...store.connect import Database
from ...store.faults import translated
from .connection import StagedConnection


class Stage:
    """The connection that all processes of a world share, and SQLAlchemy's view of it."""

    def __init__(self, engine: Engine, raw: StagedConnection) -> None:
        self.engine, self.raw = engine, raw
        self.tx: Connection
        self.renew()

    def renew(self) -> None:
        """A fresh view, after something went wrong on the last one; transactions are begun and ended beneath it."""
        self.tx = self.engine.connect()
        self.tx.begin()
        self.raw.spoiled = False


class StagedDatabase(Database):
    """One process's database: before each transaction the scheduler is asked."""

    def __init__(self, stage: Stage, between: Callable[[], None]) -> None:
        super().__init__(stage.engine)
        self.stage, self.between = stage, between

    @contextmanager
    def write(self, *, ours_alone: bool = False) -> Iterator[Connection]:
        self.between()
        stage, raw = self.stage, self.stage.raw
        with translated():
            raw.begin()
            try:
                yield stage.tx
                raw.keep()
            except BaseException:
                raw.undo()
                if raw.spoiled:
                    stage.renew()
                raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self.between()
        stage, raw = self.stage, self.stage.raw
        with translated():
            try:
                yield stage.tx
            except BaseException:
                raw.broken = False
                if raw.spoiled:
                    stage.renew()
                raise
