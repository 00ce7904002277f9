"""Opens PostgreSQL: statements prepared unless a pooler is before the server, and transactions that can never pin a row for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine import URL

from ...errors import BadInput, UnsafeStore
from ..connect import IDLE_LIMIT_MS, Database, driver_connection
from ..dialect import Library

SAFE_POSTGRESQL = 15
UTC_BY_OTHER_NAMES = {"Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Universal", "Zulu"}
TUPLES = 2  # libpq's number for a command that gave rows
_ISOLATED = {
    None: "",
    2: " ISOLATION LEVEL READ COMMITTED",
}  # psycopg's numbers; what is read from here is moved by version

# A batch statement joins an array of ids to a table by its key, or reads a queue in its order: nothing but an index will do, however
# stale the statistics. A sort of all that waits, to take the first few hundred, costs more with every record.
_SETTINGS = ", ".join(
    f"set_config('{name}', '{value}', true)"
    for name, value in (
        ("idle_in_transaction_session_timeout", str(IDLE_LIMIT_MS)),
        ("jit", "off"),
        ("enable_hashjoin", "off"),
        ("enable_mergejoin", "off"),
        ("enable_seqscan", "off"),
        ("enable_sort", "off"),
        ("enable_bitmapscan", "off"),
    )
)
TRANSACTION = f"SELECT {_SETTINGS}"
# So there is nothing left to choose, and choosing it anew for every batch would take a twentieth of the server's time.
PLANNED_ONCE = ", set_config('plan_cache_mode', 'force_generic_plan', true)"


class PostgresqlConnections:
    """See `Connections`."""

    read_level, glance_level = "REPEATABLE READ", "AUTOCOMMIT"
    lends_connections = True

    def open(self, url: URL) -> Engine:
        """Statements are prepared, unless the URL says otherwise (`?prepare_threshold=none`) or a pooler is before the server."""
        threshold: Any = url.query.get("prepare_threshold")
        plain = url.difference_update_query(["prepare_threshold"]).set(drivername="postgresql+psycopg")
        arguments: dict[str, Any] = {"connect_timeout": 10}
        if threshold is not None:
            if threshold != "none" and not (threshold.isascii() and threshold.isdigit()):
                raise BadInput(
                    f"prepare_threshold={threshold} is neither a number nor none",
                    hint="It says how often a statement is run before it is prepared; none: never, as most poolers need.",
                )
            arguments["prepare_threshold"] = None if threshold == "none" else int(threshold)
        try:
            engine = create_engine(plain, pool_size=5, max_overflow=20, connect_args=arguments)
        except ModuleNotFoundError as error:
            raise BadInput(
                f"PostgreSQL needs the package {error.name}", hint="pip install 'interlock[postgres]'"
            ) from error
        event.listen(engine, "connect", call_utc_by_its_name)
        if threshold is None:
            event.listen(engine, "connect", prepare_nothing_through_a_pooler)
        return engine

    def begin_write(self, tx: Connection, *, ours_alone: bool) -> None:
        settings = TRANSACTION + PLANNED_ONCE if ours_alone else TRANSACTION
        if not begun_at_once(driver_connection(tx), settings):
            tx.exec_driver_sql(settings)

    def deferred(self, tx: Connection) -> Callable[[], None] | None:
        """Of all constraints but our own: a work row is issued before its record moves, and is not to be judged between the two."""
        raw = driver_connection(tx)
        names = ", ".join(name for (name,) in raw.execute(_WAITING).fetchall())
        if not names:
            return None

        def check() -> None:
            for when in ("IMMEDIATE", "DEFERRED"):
                raw.execute(f"SET CONSTRAINTS {names} {when}")

        return check

    def join(self, raw: Any, *, is_borrowed: bool) -> None:
        """The driver begins by itself."""

    def is_in_transaction(self, raw: Any) -> bool:
        """In a failed one too: what ends that is no commit."""
        return raw.info.transaction_status.name not in ("IDLE", "UNKNOWN")

    def is_failed(self, raw: Any) -> bool:
        return bool(raw.info.transaction_status.name == "INERROR")

    def refuse_other_library(self, database: Database, raw: Any) -> None:
        """A server does not mind."""

    def check_version(self, database: Database) -> None:
        with database.read() as tx:
            number = int(tx.exec_driver_sql("SHOW server_version_num").scalar_one())
        if number // 10_000 < SAFE_POSTGRESQL:
            raise UnsafeStore(
                f"PostgreSQL {number // 10_000} is too old; Interlock needs {SAFE_POSTGRESQL} or newer"
            )

    def clock(self, tx: Connection) -> datetime | None:
        now: datetime = tx.execute(select(func.clock_timestamp())).scalar_one()
        return now

    def hold(self, tx: Connection, name: str) -> None:
        """Until the transaction ends, whoever wants the same name waits; of the transaction, so that a pooler cannot leak it."""
        tx.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))

    def file(self, url: URL) -> None:
        return None

    def library(self) -> Library:
        try:
            import psycopg
        except ImportError:
            return Library(
                "psycopg", "not installed: only SQLite can be used", "pip install 'interlock[postgres]'"
            )
        return Library("psycopg", f"{psycopg.__version__} ({psycopg.pq.__impl__})")


_WAITING = (
    "SELECT DISTINCT quote_ident(n.nspname) || '.' || quote_ident(c.conname) FROM pg_constraint c "
    "JOIN pg_namespace n ON n.oid = c.connamespace WHERE c.condeferrable AND c.conname <> 'interlock_moved'"
)


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
    """Begin a transaction and say its settings by one message instead of two; False where nothing was begun, and SQLAlchemy is to begin."""
    if (
        connection.isolation_level not in _ISOLATED
        or connection.read_only is not None
        or connection.deferrable is not None
    ):
        return False
    if connection.autocommit or connection.closed or connection.pgconn.transaction_status:
        return False
    command = f"BEGIN{_ISOLATED[connection.isolation_level]}; {settings}"
    return bool(connection.pgconn.exec_(command.encode()).status == TUPLES)
