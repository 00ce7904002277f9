"""A database, and the transactions and connections in which statements are run on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.pool import StaticPool

from ..errors import BadInput, InterlockError, RefusedByDatabase, StoreBusy, StoreUnavailable
from .engines import URL_FORMS, sql_named, sql_of
from .faults import is_driver_error, translate

P = ParamSpec("P")
T = TypeVar("T")
KEPT_AT_HAND = 4
IDLE_LIMIT_MS = 60_000
"""A transaction that stands still for so long is ended by the server, where the server can: a frozen process pins no row for ever."""
GENERATION = "interlock_generation"


def open_engine(database: str | Engine | None) -> Engine:
    """An engine for the URL, with the settings Interlock relies on; a given engine is used as it is."""
    if isinstance(database, Engine):
        return database
    try:
        url = make_url("sqlite:///interlock.sqlite" if database is None else database)
        return sql_named(url.get_backend_name()).connections.open(url)
    except (ArgumentError, ValueError) as error:  # a port that is no number is a ValueError
        raise BadInput(f"{database!r} is not a database URL", hint=URL_FORMS) from error


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
        self.address = (
            None
            if isinstance(database, Engine)
            else database or self.engine.url.render_as_string(hide_password=False)
        )
        self.dialect = self.engine.dialect
        self.name, self.sql = self.dialect.name, sql_of(self.dialect)
        self.closed = False
        self.before_transaction: Callable[[], None] | None = None
        """Called before each transaction of `write` and `read`."""
        self._generation = 0
        if not isinstance(database, Engine) and not isinstance(self.engine.pool, StaticPool):
            event.listen(self.engine, "connect", self._marked)
            event.listen(self.engine, "checkin", self._come_home)
        self._idle: list[Bare] = []
        self._writing = self.engine.execution_options(interlock_writes=True)
        self._glancing = self._at(self.sql.connections.glance_level)
        self._reading = self._at(self.sql.connections.read_level)

    def _at(self, level: str | None) -> Engine:
        return self.engine if level is None else self.engine.execution_options(isolation_level=level)

    @property
    def batch(self) -> int:
        """How many rows a step takes at once."""
        return self.sql.batch

    @contextmanager
    def write(self, *, ours_alone: bool = False) -> Iterator[Connection]:
        """A transaction of our own that may write; it can never pin a row for ever. `ours_alone`: no statements but ours are run in it."""
        self.refuse_when_closed()
        if self.before_transaction is not None:
            self.before_transaction()
        with translated(), self._writing.begin() as tx:
            self.sql.connections.begin_write(tx, ours_alone=ours_alone)
            yield tx

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A short look at one snapshot."""
        self.refuse_when_closed()
        if self.before_transaction is not None:
            self.before_transaction()
        with translated(), self._reading.connect() as tx:
            yield tx

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """A look by one statement, which needs no transaction around it: one journey to a server instead of three."""
        self.refuse_when_closed()
        with translated(), self._glancing.connect() as tx:
            yield tx

    @contextmanager
    def single(self) -> Iterator[Any]:
        """A connection on which each statement is its own transaction, where the database lends such connections.

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
        return self.single() if self.sql.connections.lends_connections else self.glance()

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
        self.sql.connections.check_version(self)

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


def refuse_failed(tx: Connection, what: str) -> None:
    """Raise if the database has refused a statement of the transaction and `what` went on: nothing else can be done in it."""
    if sql_of(tx.dialect).connections.is_failed(driver_connection(tx)):
        raise RefusedByDatabase(
            f"the database refused a statement of {what}, which went on: nothing after it can be kept",
            hint="Run what may be refused within `with tx.begin_nested():`, or let the error through.",
        )


def settling(tx: Connection, act: Callable[P, T]) -> Callable[P, T]:
    """The act, followed by a check of deferred constraints: a row that breaks one is found in its savepoint, not at the commit of all.

    Only for transactions of our own: a caller's may have something open that its owner is still going to mend.
    """
    check = sql_of(tx.dialect).connections.deferred(tx)
    if check is None:
        return act

    def settled(*arguments: P.args, **options: P.kwargs) -> T:
        done = act(*arguments, **options)
        check()
        return done

    return settled


@contextmanager
def translated() -> Iterator[None]:
    """Let no driver's exception out."""
    try:
        yield
    except InterlockError:
        raise
    except PoolExhausted as error:
        raise StoreBusy("every connection to the database is in use") from error
    except Exception as error:
        if not is_driver_error(error):
            raise
        raise translate(error) from error
