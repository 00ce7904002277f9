"""Opens databases: SQLite inside by default, PostgreSQL in production, each with safe settings."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import StaticPool

from ..errors import BadInput, StoreBusy, StoreUnavailable, UnsafeStore
from .engines import sql_of
from .faults import translated

log = logging.getLogger("interlock.store")

SAFE_SQLITE = (3, 51, 3)
SAFE_POSTGRESQL = 15
IDLE_LIMIT_MS = 60_000
KEPT_AT_HAND = 4
UTC_BY_OTHER_NAMES = {"Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Universal", "Zulu"}
GENERATION = "interlock_generation"
TUPLES = 2  # libpq's number for a command that gave rows
_ISOLATED = {None: "", 2: " ISOLATION LEVEL READ COMMITTED"}  # psycopg's numbers; what is read from here is moved by version
_FORMS = "Write sqlite:///file.sqlite or postgresql://user@host/name."

# A batch statement joins an array of ids to a table by its key, or reads a queue in its order: nothing but an index will do, however
# stale the statistics. A sort of all that waits, to take the first few hundred, costs more with every record.
_PG_SETTINGS = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in (
    ("idle_in_transaction_session_timeout", str(IDLE_LIMIT_MS)), ("jit", "off"), ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"), ("enable_seqscan", "off"), ("enable_sort", "off"), ("enable_bitmapscan", "off")))
PG_TRANSACTION = f"SELECT {_PG_SETTINGS}"
# So there is nothing left to choose, and choosing it anew for every batch would take a twentieth of the server's time.
PG_PLANNED_ONCE = ", set_config('plan_cache_mode', 'force_generic_plan', true)"


def sqlite_driver() -> tuple[Any, bool]:
    """The SQLite library to use, and whether its WAL can be trusted with several processes."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        dbapi2 = sqlite3
    return dbapi2, tuple(dbapi2.sqlite_version_info) >= SAFE_SQLITE


def open_engine(database: str | Engine | None) -> Engine:
    """An engine for the URL, with the settings Interlock relies on; a given engine is used as it is."""
    if isinstance(database, Engine):
        return database
    try:
        url = make_url(database or "sqlite:///interlock.sqlite")
    except (ArgumentError, ValueError) as error:  # a port that is no number is a ValueError
        raise BadInput(f"{database!r} is not a database URL", hint=_FORMS) from error
    name = url.get_backend_name()
    if name == "sqlite":
        return _open_sqlite(url)
    if name == "postgresql":
        return _open_postgresql(url)
    raise BadInput(f"Interlock keeps records in SQLite or PostgreSQL, not {name}", hint=_FORMS)


def _open_sqlite(url: Any) -> Engine:
    driver, safe = sqlite_driver()
    memory = url.database in (None, "", ":memory:")
    if not safe and not memory:
        log.warning("SQLite %s can corrupt a WAL under concurrent checkpoints; using the slower rollback journal. "
                    "Install pysqlite3 for a safe, fast one.", driver.sqlite_version)
    arguments: dict[str, Any] = {"poolclass": StaticPool} if memory else {"pool_size": 5, "max_overflow": 20, "pool_use_lifo": True}
    # With fewer, statements that were run often at the start keep later ones from ever staying prepared.
    connecting = {"check_same_thread": False, "timeout": 30.0, "cached_statements": 1000}
    engine = create_engine(url, module=driver, connect_args=connecting, **arguments)
    journal = "wal" if safe or memory else "delete"

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, never behind our back
        switch_journal(connection, journal, driver.OperationalError)
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "busy_timeout = 30000", "recursive_triggers = OFF",
                       "cache_size = -65536", "wal_autocheckpoint = 4000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        mode = "IMMEDIATE" if connection.get_execution_options().get("interlock_writes") else "DEFERRED"
        connection.exec_driver_sql(f"BEGIN {mode}")

    return engine


def switch_journal(connection: Any, journal: str, locked: type[Exception]) -> None:
    """Several processes may open a new file at once: for this switch SQLite does not wait, so we wait for a lock that it does wait for."""
    for _ in range(20):
        try:
            connection.execute(f"PRAGMA journal_mode = {journal}")
            return
        except locked as error:
            if "locked" not in str(error):
                raise
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("COMMIT")
    raise StoreBusy(f"the database stayed locked while its journal was to become {journal}")


def _open_postgresql(url: Any) -> Engine:
    """Statements are prepared, unless the URL says otherwise (`?prepare_threshold=none`) or a pooler stands before the server."""
    said = url.query.get("prepare_threshold")
    plain = url.difference_update_query(["prepare_threshold"]).set(drivername="postgresql+psycopg")
    arguments: dict[str, Any] = {"connect_timeout": 10}
    if said is not None:
        if said != "none" and not (said.isascii() and said.isdigit()):
            raise BadInput(f"prepare_threshold={said} is neither a number nor none",
                           hint="It says how often a statement is run before it is prepared; none: never, as most poolers need.")
        arguments["prepare_threshold"] = None if said == "none" else int(said)
    engine = create_engine(plain, pool_size=5, max_overflow=20, connect_args=arguments)
    event.listen(engine, "connect", call_utc_by_its_name)
    if said is None:
        event.listen(engine, "connect", prepare_nothing_through_a_pooler)
    return engine


@contextmanager
def _before_the_pool_has_it(connection: Any) -> Iterator[None]:
    try:
        connection.autocommit = True
        yield
        connection.autocommit = False
    except BaseException:
        connection.close()
        raise


def call_utc_by_its_name(connection: Any, _: Any) -> None:
    """Most servers stand in Etc/UTC. That is UTC, but the driver takes it for any other zone and reads its instants in thrice the time."""
    if connection.info.parameter_status("TimeZone") in UTC_BY_OTHER_NAMES:
        with _before_the_pool_has_it(connection):
            connection.execute("SET TIME ZONE 'UTC'")


def prepare_nothing_through_a_pooler(connection: Any, _: Any) -> None:
    """A pooler introduces itself by a process id of its own; behind it every transaction may meet another server process, which
    knows nothing of what was prepared in the last one."""
    with _before_the_pool_has_it(connection):
        if connection.execute("SELECT pg_backend_pid()").fetchone()[0] != connection.info.backend_pid:
            connection.prepare_threshold = None


def begun_at_once(connection: Any, settings: str) -> bool:
    """Begin a transaction and say its settings by one message instead of two; if that is not the usual case, or does not go well, nobody
    has begun anything that the usual way would not begin, or find out, too."""
    if connection.isolation_level not in _ISOLATED or connection.read_only is not None or connection.deferrable is not None:
        return False
    if connection.autocommit or connection.closed or connection.pgconn.transaction_status:
        return False
    said = f"BEGIN{_ISOLATED[connection.isolation_level]}; {settings}"
    return bool(connection.pgconn.exec_(said.encode()).status == TUPLES)


class Bare:
    """A connection for hot statements only, with a cursor that is made once, and the names under which statements were prepared."""

    __slots__ = ("connection", "cursor", "prepared", "raw", "unicode")

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.raw: Any = connection.driver_connection
        self.cursor = self.raw.cursor()
        self.prepared: dict[bytes, bytes] = {}
        self.unicode = self.raw.info.encoding == "utf-8"


def driver_connection(tx: Any) -> Any:
    """Whatever of the driver executes statements: those of a batch are too hot for layers in between."""
    return tx.cursor if isinstance(tx, Bare) else tx.connection.driver_connection


class Database:
    """One database and the ways to be in a transaction of it."""

    def __init__(self, database: str | Engine | None) -> None:
        self.engine = open_engine(database)
        self.address = None if isinstance(database, Engine) else database or self.engine.url.render_as_string(hide_password=False)
        self.dialect = self.engine.dialect
        self.name, self.sql = self.dialect.name, sql_of(self.dialect)
        self.closed = False
        self._generation = 0
        if not isinstance(database, Engine) and not isinstance(self.engine.pool, StaticPool):
            event.listen(self.engine, "connect", self._marked)
            event.listen(self.engine, "checkin", self._come_home)
        self._idle: list[Bare] = []
        self._writing = self.engine.execution_options(interlock_writes=True)
        self._glancing = self.engine if self.name == "sqlite" else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._reading = self.engine if self.name == "sqlite" else self.engine.execution_options(isolation_level="REPEATABLE READ")

    @property
    def is_sqlite(self) -> bool:
        return self.name == "sqlite"

    @property
    def batch(self) -> int:
        """How many rows a step takes at once."""
        return self.sql.batch

    @contextmanager
    def write(self, *, ours_alone: bool = False) -> Iterator[Connection]:
        """A transaction of our own that may write; it can never pin a row for ever. `ours_alone`: no statements but ours are run in it."""
        self.refuse_when_closed()
        with translated(), self._writing.begin() as tx:
            if not self.is_sqlite:
                settings = PG_TRANSACTION + PG_PLANNED_ONCE if ours_alone else PG_TRANSACTION
                if not begun_at_once(driver_connection(tx), settings):
                    tx.exec_driver_sql(settings)
            elif not driver_connection(tx).in_transaction:  # an engine that was given to us does not begin by itself
                tx.exec_driver_sql("BEGIN IMMEDIATE")
            yield tx

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A short look at one snapshot."""
        self.refuse_when_closed()
        with translated(), self._reading.connect() as tx:
            yield tx

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """A look by one statement, which needs no transaction around it: on PostgreSQL one way to the server instead of three."""
        self.refuse_when_closed()
        with translated(), self._glancing.connect() as tx:
            yield tx

    @contextmanager
    def single(self) -> Iterator[Any]:
        """PostgreSQL only: each statement is its own transaction, which is the fastest way to commit one.

        What is yielded serves the engine's hot statements, nothing else: SQLAlchemy's own connection costs more than they do.
        """
        with translated():
            bare = self.lend()
            try:
                yield bare
            finally:
                self.take_back(bare)

    def glance_once(self) -> AbstractContextManager[Any]:
        """A look by one hot statement, by the cheapest connection this database has."""
        return self.glance() if self.is_sqlite else self.single()

    def lend(self) -> Bare:
        """What `single` yields; whoever takes it gives it back."""
        self.refuse_when_closed()
        try:
            bare = self._idle.pop()
        except IndexError:  # all are in other threads' hands
            bare = Bare(self.engine.raw_connection())
        if not bare.raw.autocommit:
            bare.raw.autocommit = True
        return bare

    def take_back(self, bare: Bare) -> None:
        if bare.raw.closed:
            bare.connection.invalidate()
            self.forget_connections()
        elif len(self._idle) < KEPT_AT_HAND:
            self._idle.append(bare)
            if self.closed:  # by another thread, in between
                self.forget_connections()
        else:  # what is kept at hand is taken from the pool: it must leave enough for everybody else
            bare.raw.autocommit = False
            bare.connection.close()

    def forget_connections(self) -> None:
        """One lost connection means a lost server: the others are as dead, and are not worth a failure each."""
        self._generation += 1
        while self._idle:
            self._idle.pop().connection.close()
        self.engine.dispose()

    def check_version(self) -> None:
        """Refuse a server older than what the guards need."""
        if not self.is_sqlite:
            with self.read() as tx:
                number = int(tx.exec_driver_sql("SHOW server_version_num").scalar_one())
            if number // 10_000 < SAFE_POSTGRESQL:
                raise UnsafeStore(f"PostgreSQL {number // 10_000} is too old; Interlock needs {SAFE_POSTGRESQL} or newer")

    def _marked(self, _: Any, record: Any) -> None:
        record.info[GENERATION] = self._generation

    def _come_home(self, connection: Any, record: Any) -> None:
        """What another thread still used while the connections were forgotten goes back to a pool that is gone: closed here, or never."""
        if connection is not None and record.info.get(GENERATION) != self._generation:
            connection.close()

    def close(self) -> None:
        self.closed = True
        self.forget_connections()

    def refuse_when_closed(self) -> None:
        if self.closed:
            raise StoreUnavailable("the database was closed", hint="Make a new App; this one was closed.")
