"""Joins a transaction that the caller already has: a savepoint in it, no retries, the caller's ORM session kept true."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.pool import StaticPool

from ...errors import BadInput
from ...store.connect import Database, driver_connection, translated
from ...store.engines import sql_of
from ...workflow import Workflow


class Borrowed:
    """A driver's connection that is not ours: it is never committed, rolled back or closed from here."""

    def __init__(self, connection: Any) -> None:
        object.__setattr__(self, "_connection", connection)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._connection, name, value)

    def commit(self) -> None:
        """The owner commits."""

    def rollback(self) -> None:
        """The owner rolls back."""

    def close(self) -> None:
        """The owner closes."""


@contextmanager
def joined(
    database: Database, tx: Any, workflow: Workflow | None, ids: Sequence[Any]
) -> Iterator[Connection]:
    """The caller's transaction as a Connection: a Session, a Connection, or a driver's own connection (Django's)."""
    with translated():
        if is_session(tx):
            refuse_other_library(database, driver_connection(tx.connection()))
            tx.flush()
            yield begun(tx.connection())
            if workflow is not None:
                expire(tx, workflow, ids)
        elif isinstance(tx, Connection):
            refuse_other_library(database, driver_connection(tx))
            yield begun(tx)
        elif hasattr(tx, "cursor"):
            refuse_other_library(database, tx)
            with borrowed_engine(database, tx).connect() as connection:
                yield begun(connection)
        else:
            raise BadInput(
                f"tx must be a Session, a Connection or a driver's connection, not {type(tx).__name__}",
                hint="Leave tx out: the move then has a transaction of its own.",
            )


def refuse_other_library(database: Database, raw: Any) -> None:
    database.sql.connections.refuse_other_library(database, raw)


def is_session(tx: Any) -> bool:
    """Whether tx is an ORM Session; does not import the ORM, which a caller without sessions never loads."""
    orm = sys.modules.get("sqlalchemy.orm")
    return orm is not None and isinstance(tx, orm.Session)


def borrowed_engine(database: Database, raw: Any) -> Engine:
    """An engine whose only connection is the caller's; it uses our dialect, so it sends no query of its own."""
    if getattr(database.dialect, "server_version_info", None) is None:
        with database.read():
            pass  # the first connection teaches the dialect what the server can do
    pool = StaticPool(lambda: Borrowed(raw), reset_on_return=None, dialect=database.dialect)
    return Engine(pool, database.dialect, database.engine.url)


def begun(tx: Connection) -> Connection:
    """The same connection, in a transaction in which a savepoint is no more than that."""
    if not tx.in_transaction():
        tx.exec_driver_sql("SELECT 1")  # whatever the caller's engine does to begin, it does now
    raw = driver_connection(tx)
    sql_of(tx.dialect).connections.join(raw, is_borrowed=isinstance(raw, Borrowed))
    return tx


def expire(session: Any, workflow: Workflow, ids: Sequence[Any]) -> None:
    """Objects of the moved records are read anew when next looked at."""
    tables = {workflow.records, *(axis.table for axis in workflow.axes.values())}
    wanted = {str(id) for id in ids}
    for object_ in list(session.identity_map.values()):
        state = inspect(object_)
        table = state.mapper.local_table
        if table in tables and (table is not workflow.records or str(state.identity[0]) in wanted):
            session.expire(object_)
