"""Opens SQLite: one file with a write-ahead log, durable, its transactions begun by us and never behind our back."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.pool import StaticPool

from ...errors import BadInput, RefusedByDatabase, StoreBusy, StoreUnavailable, UnsafeStore
from ..connect import Database, driver_connection
from ..dialect import Library
from ..faults import NOT_A_DATABASE
from ..files.private_files import create_empty

log = logging.getLogger("interlock.store")

SAFE_SQLITE = (3, 51, 3)


class SqliteConnections:
    """See `Connections`."""

    read_level = glance_level = None
    lends_connections = False

    def open(self, url: URL) -> Engine:
        """An engine with the SQLite library of our choice, whatever driver the URL names."""
        url = url.set(drivername="sqlite")
        driver, safe = sqlite_driver()
        memory = url.database in (None, "", ":memory:")
        if not safe and not memory:
            log.warning(
                "SQLite %s can corrupt a WAL under concurrent checkpoints; using the slower rollback journal. "
                "Install pysqlite3 for a safe, fast one.",
                driver.sqlite_version,
            )
        arguments: dict[str, Any] = (
            {"poolclass": StaticPool}
            if memory
            else {"pool_size": 5, "max_overflow": 20, "pool_use_lifo": True}
        )
        # With fewer, statements that were run often at the start keep later ones from ever staying prepared.
        connecting = {"check_same_thread": False, "timeout": 30.0, "cached_statements": 1000}
        engine = create_engine(url, module=driver, connect_args=connecting, **arguments)
        journal = "wal" if safe or memory else "delete"

        if (file := created_file(url)) is not None:
            # The files beside it, such as the log, get the rights of the database itself.
            event.listen(engine, "do_connect", lambda *_: make_database_file(file))

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, _: Any) -> None:
            connection.isolation_level = None  # transactions are begun below, never behind our back
            try:
                switch_journal(connection, journal, driver.OperationalError)
            except driver.DatabaseError as error:
                if file is None or "not a database" not in str(error):
                    raise
                raise StoreUnavailable(f"{file} is not a SQLite database", hint=NOT_A_DATABASE) from error
            for pragma in (
                "synchronous = FULL",
                "foreign_keys = ON",
                "busy_timeout = 30000",
                "recursive_triggers = OFF",
                "cache_size = -65536",
                "wal_autocheckpoint = 4000",
            ):
                connection.execute(f"PRAGMA {pragma}")

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            mode = "IMMEDIATE" if connection.get_execution_options().get("interlock_writes") else "DEFERRED"
            connection.exec_driver_sql(f"BEGIN {mode}")

        return engine

    def begin_write(self, tx: Connection, *, ours_alone: bool) -> None:
        """Begin the write transaction where the engine was made by the caller, which does not begin by itself."""
        if not driver_connection(tx).in_transaction:
            tx.exec_driver_sql("BEGIN IMMEDIATE")

    def deferred(self, tx: Connection) -> Callable[[], None] | None:
        """SQLite cannot be asked what its commit would refuse: tables whose foreign keys wait are looked through, before and after."""
        raw = driver_connection(tx)
        asked = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%DEFERRED%'"
        tables = [name for (name,) in raw.execute(asked)]
        if not tables:
            return None

        def broken() -> set[Any]:
            every = "SELECT * FROM pragma_foreign_key_check(?)"
            return {row for table in tables for row in raw.execute(every, (table,))}

        before = broken()

        def check() -> None:
            if found := broken() - before:
                table, _, parent, _ = min(found, key=str)
                raise RefusedByDatabase(
                    f"the database refused: FOREIGN KEY constraint failed: a row of {table} names none of {parent}"
                )

        return check

    def join(self, raw: Any, *, is_borrowed: bool) -> None:
        """The driver may put off BEGIN until the first write; our savepoint would then be the transaction, and its release the commit."""
        if not raw.in_transaction:
            if is_borrowed and raw.isolation_level is None:
                raise BadInput(
                    "tx is a connection that is in no transaction",
                    hint="Begin one first (in Django: atomic()), or leave tx out.",
                )
            raw.execute("BEGIN IMMEDIATE")

    def is_in_transaction(self, raw: Any) -> bool:
        return bool(raw.in_transaction)

    def is_failed(self, raw: Any) -> bool:
        """What one statement is refused, the next one may do."""
        return False

    def refuse_other_library(self, database: Database, raw: Any) -> None:
        """Two copies of SQLite in one process do not know of each other's locks, and whichever closes the file drops them all."""
        mine, theirs = (
            name.partition(".")[0]
            for name in (str(getattr(database.dialect.dbapi, "__name__", "")), type(raw).__module__)
        )
        if theirs in ("sqlite3", "pysqlite3") and mine != theirs:
            raise UnsafeStore(
                f"tx was opened by {theirs}, and this app uses {mine}: two SQLite libraries on one file in one process can lose "
                "what was committed",
                hint="Give the app your own engine: App(…, database=engine).",
            )

    def check_version(self, database: Database) -> None:
        """An old library is made safe when it is opened."""

    def clock(self, tx: Connection) -> None:
        return None

    def hold(self, tx: Connection, name: str) -> None:
        """There is one writer at a time."""

    def file(self, url: URL) -> Path | None:
        return Path(url.database) if url.database and url.database != ":memory:" else None

    def library(self) -> Library:
        driver, safe = sqlite_driver()
        version = f"{driver.sqlite_version} from {driver.__name__.partition('.')[0]}"
        if safe:
            return Library("sqlite", version)
        needed = ".".join(map(str, SAFE_SQLITE))
        return Library(
            "sqlite",
            f"{version}: its WAL can be corrupted, so the slower rollback journal is used",
            f"Install pysqlite3 0.6.1 or newer (SQLite {needed} or newer), not pysqlite3-binary.",
        )


def make_database_file(file: Path) -> None:
    """Make the file for its owner alone, unless it is there; SQLite would only answer that it is unable to open it.

    Nothing is read here: closing a file of a database would drop every lock that this process has on it.
    """
    if not file.parent.is_dir():
        raise StoreUnavailable(
            f"the database {file} cannot be opened: there is no folder {file.parent}",
            hint="Make the folder, or name a file in one that is there.",
        )
    if file.is_dir():
        raise StoreUnavailable(
            f"the database {file} cannot be opened: it is a folder",
            hint=f"Name a file in the database URL, such as sqlite:///{file / 'interlock.sqlite'}; it is made if it is not there.",
        )
    create_empty(file)
    if file.exists() and not os.access(file, os.R_OK):
        raise StoreUnavailable(
            f"the database {file} cannot be opened: this user may not read it",
            hint="Run as the user whose file it is, or let this user read and write the file and its folder.",
        )


def created_file(url: URL) -> Path | None:
    """The file that SQLite makes when it opens this URL and nothing is there; None where it makes none."""
    name = url.database
    if not name or name == ":memory:":
        return None
    if not name.startswith("file:"):
        return Path(name)
    if url.query.get("mode", "rwc") != "rwc" or "immutable" in url.query or name.startswith("file::memory:"):
        return None
    return Path(unquote(urlsplit(name).path))


def sqlite_driver() -> tuple[Any, bool]:
    """The SQLite library to use, and whether its WAL can be trusted with several processes."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        dbapi2 = sqlite3
    return dbapi2, tuple(dbapi2.sqlite_version_info) >= SAFE_SQLITE


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
