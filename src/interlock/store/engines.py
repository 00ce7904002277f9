"""Chooses the engine and the SQL of a database: the only place that knows both, and the only one that asks which it is.

The folder of a database builds on the other rooms of the store, and these ask here; so it is loaded by its name when it is chosen.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlalchemy import Dialect
from sqlalchemy.engine import make_url

from ..errors import BadInput
from .dialect import SqlDialect

if TYPE_CHECKING:
    from .connect import Database
    from .contract import Engine

NAMES = ("sqlite", "postgresql")
URL_FORMS = "Write sqlite:///file.sqlite (three slashes) or postgresql://user@host/name."


def engine_of(database: Database) -> Engine:
    """The engine that makes moves on this database."""
    engine: Engine = _load(database.name, "engine").ENGINE()
    return engine


def sqlite_driver() -> tuple[Any, bool]:
    """The SQLite library to use, and whether its WAL can be trusted with several processes."""
    driver: tuple[Any, bool] = _load("sqlite", "connect").sqlite_driver()
    return driver


def sql_of(dialect: Dialect) -> SqlDialect:
    """The SQL of the database that SQLAlchemy knows by this dialect."""
    return sql_named(dialect.name)


def is_on_server(url: str | None) -> bool:
    """Whether the URL is that of a server, on which transactions run beside each other; without one a database is a file."""
    return url is not None and sql_named(make_url(url).get_backend_name()).has_row_locks


def sql_with_roles() -> SqlDialect:
    """The SQL of the one database that has roles."""
    return sql_named("postgresql")


@cache
def sql_named(name: str) -> SqlDialect:
    """The SQL of a database by SQLAlchemy's name of it."""
    if name not in NAMES:
        hint = "SQLAlchemy calls it postgresql://, not postgres://." if name == "postgres" else URL_FORMS
        raise BadInput(f"Interlock keeps records in SQLite or PostgreSQL, not {name}", hint=hint)
    sql: SqlDialect = _load(name, "dialect").SQL()
    return sql


def _load(database: str, module: str) -> Any:
    """A module of the database's own folder."""
    return import_module(f"{__package__}.{database}.{module}")
