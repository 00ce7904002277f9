"""Chooses the engine and the SQL of a database: the only place that knows both, and the only one that asks which it is.

Both folders build on modules that ask here, so they are imported where they are chosen.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Dialect

from .dialect import SqlDialect

if TYPE_CHECKING:
    from .connect import Database
    from .contract import Engine

NAMES = ("sqlite", "postgresql")


def engine_of(database: Database) -> Engine:
    """The engine that makes moves on this database."""
    if database.name == "sqlite":
        from .sqlite.engine import SqliteEngine
        return SqliteEngine()
    from .postgresql.engine import PostgresqlEngine
    return PostgresqlEngine()


def sql_of(dialect: Dialect) -> SqlDialect:
    """The SQL of the database that SQLAlchemy knows by this dialect."""
    return sql_named(dialect.name)


@cache
def sql_named(name: str) -> SqlDialect:
    if name == "sqlite":
        from .sqlite.dialect import SqliteSql
        return SqliteSql()
    from .postgresql.dialect import PostgresqlSql
    return PostgresqlSql()
