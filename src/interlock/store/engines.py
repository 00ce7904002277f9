"""Chooses the engine of a database: the only place that knows both."""

from __future__ import annotations

from .connect import Database
from .contract import Engine
from .postgresql.engine import PostgresqlEngine
from .sqlite.engine import SqliteEngine

_ENGINES: dict[str, type[SqliteEngine] | type[PostgresqlEngine]] = {"sqlite": SqliteEngine, "postgresql": PostgresqlEngine}


def engine_of(database: Database) -> Engine:
    """The engine that makes moves on this database."""
    return _ENGINES[database.name]()
