"""A world's ground on a real PostgreSQL: connections that break at planned statements, and a database that is emptied for each history."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, create_engine
from sqlalchemy.engine import URL, make_url

from ....app import App
from ....clock import FrozenClock
from ....errors import BadInput
from ....store.connect import Bare, Database, translated
from ....workflow import Workflow
from ..faults import Faults
from .emptying import Emptying
from .server_watching import log, watch
from .watching import LogLine, worked_places

LOCK_TIMEOUT = "1ms"
"""Processes take turns: whoever holds a lock that another waits for cannot let go of it meanwhile."""
_COMMIT_LINE = (
    b"INSERT INTO simulated_log(what, tx, statement) SELECT 'commit', x, statement_timestamp() "
    b"FROM (SELECT pg_current_xact_id_if_assigned()) t(x) WHERE x IS NOT NULL"
)


def lost_connection() -> Exception:
    return psycopg.OperationalError("the connection was lost")


class ServerCursor(psycopg.Cursor[Any]):
    """The cursor through which statements are executed; each is counted first."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        if isinstance(self.connection, ServerConnection):
            self.connection.notice(query)
        return super().execute(query, params, **options)

    def executemany(self, query: Any, params_seq: Any, **options: Any) -> Any:
        if isinstance(self.connection, ServerConnection):
            self.connection.notice(query)
        return super().executemany(query, params_seq, **options)


class ServerConnection(psycopg.Connection[Any]):
    """A connection of a simulated process. When the process dies or the connection breaks, the server undoes what was not committed; the
    connection itself is used again, because a new one for each would take longer than the rest of the history."""

    faults: Faults
    free: list[ServerConnection]

    def notice(self, sql: Any) -> None:
        """Count a statement that is about to be executed: a fault may be injected, or other actors may take turns first."""
        faults = self.faults
        if not faults.watched:
            return
        text = sql.decode() if isinstance(sql, bytes) else str(sql)
        faults.open = self.pgconn.transaction_status != TransactionStatus.IDLE
        faults.notice(text)
        if faults.open and faults.interlude is not None and faults.interlude():
            faults.broken = True  # a server ends a transaction that stands still
            raise lost_connection()

    def commit(self) -> None:
        """Commit; a fault may be injected just before, or just after it."""
        if self.pgconn.transaction_status == TransactionStatus.IDLE:
            return
        if self.faults.watched:
            self.notice("COMMIT")
        if self.faults.staged and self.pgconn.transaction_status == TransactionStatus.INTRANS:
            self.pgconn.exec_(_COMMIT_LINE)
        super().commit()
        if self.faults.watched:
            self.faults.open = False
            self.faults.committed()

    def rollback(self) -> None:
        self.faults.broken = False
        super().rollback()

    def close(self) -> None:
        """Roll back, as the server does for a connection that SQLAlchemy drops after an error."""
        if self.pgconn.status != 0:  # libpq's number for one that works
            super().close()
            return
        self.rollback()
        if self.autocommit:
            self.autocommit = False
        self.free.append(self)

    def end(self) -> None:
        super().close()


class Server:
    """A PostgreSQL database that belongs to the simulation alone."""

    def __init__(self, workflows: Sequence[Workflow], url: str) -> None:
        parsed = make_url(url).set(drivername="postgresql")
        self.faults = Faults(lost_connection, always=True)
        self.free: list[ServerConnection] = []
        self.made: list[ServerConnection] = []
        self._address = _conninfo(parsed)
        self.own = psycopg.connect(self._address, autocommit=True)
        self.own.execute("SET TIME ZONE 'UTC'")
        self.emptying = Emptying(self.own)
        try:
            self.emptying.refuse_foreign_tables()
        except BadInput:
            self.own.close()
            raise
        self.engine = create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            creator=self._connected,
            pool_size=12,
            max_overflow=20,
        )
        app = App(workflows, database=self.engine, clock=FrozenClock())
        app.migrate()  # which says that clocks are injected
        for metadata in dict.fromkeys(workflow.records.metadata for workflow in workflows):
            metadata.create_all(self.engine, checkfirst=True)
        watch(self.own, worked_places(app, workflows))
        self.emptying.remember()
        self.faults.staged = True

    def _connected(self) -> ServerConnection:
        """Return a connection that a process has returned, or a new one."""
        if self.free:
            return self.free.pop()
        made = ServerConnection.connect(self._address, cursor_factory=ServerCursor, autocommit=True)
        made.faults, made.free = Faults(lost_connection), self.free
        made.execute("SET TIME ZONE 'UTC'")
        made.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
        made.autocommit = False
        made.faults = self.faults
        self.made.append(made)
        return made

    def plainly(self, sql: str, values: Any = ()) -> Any:
        return self.own.execute(sql, values or {})

    def text(self, sql: str) -> str:
        return sql

    def database(self, between: Callable[[], None]) -> Database:
        return ServerDatabase(self, between)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.engine.connect() as tx:
            yield tx

    def begin_history(self) -> None:
        self.emptying.empty()

    def end_history(self) -> None:
        self.faults.watched = False

    def log(self) -> list[LogLine]:
        return log(self.own)

    def close(self) -> None:
        self.engine.dispose()
        for connection in self.made:
            connection.end()
        self.own.close()


class ServerDatabase(Database):
    """One process's database: before each transaction the scheduler is asked, and its beginning counts as a statement."""

    def __init__(self, ground: Server, between: Callable[[], None]) -> None:
        super().__init__(ground.engine)
        self.faults, self.between = ground.faults, between

    @contextmanager
    def write(self, *, ours_alone: bool = False) -> Iterator[Connection]:
        with self._begun(super().write(ours_alone=ours_alone)) as tx:
            yield tx

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._begun(super().read()) as tx:
            yield tx

    @contextmanager
    def _begun(self, transaction: AbstractContextManager[Connection]) -> Iterator[Connection]:
        self.between()
        with translated():
            self._notice("BEGIN")
        with transaction as tx:
            yield tx

    def lend(self) -> Bare:
        """Lend a connection for statements that are transactions of their own and are sent past the driver's cursors."""
        self.between()
        self._notice("a statement of its own")
        return super().lend()

    def take_back(self, bare: Bare) -> None:
        super().take_back(bare)
        if self.faults.watched and sys.exc_info()[0] is None:
            self.faults.committed()

    def _notice(self, sql: str) -> None:
        if self.faults.watched:
            self.faults.open = False
            self.faults.notice(sql)


def _conninfo(url: URL) -> str:
    if url.database is None:
        raise BadInput("the URL names no database", hint="Write postgresql://user@host/name.")
    return url.difference_update_query(["prepare_threshold"]).render_as_string(hide_password=False)
