"""Where it is measured: a pair of databases with the same records, one guarded by Interlock, one its copy without the guards."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from interlock import App
from tests.servers.postgres import Server, start_postgres

from .beside import pgbench
from .beside.postgresql import PostgresqlByHand, drop_guards
from .beside.sqlite import SqliteByHand, opened
from .fill import drop_triggers, fill_postgresql, fill_sqlite
from .kind import uploads
from .ours import Ours

SETTINGS = {"fsync": "on", "synchronous_commit": "on", "shared_buffers": "1GB"}
ByHand = PostgresqlByHand | SqliteByHand


@dataclass
class Place:
    """One pair, open: ours and what is beside it, and pgbench where there is one."""

    database: str
    finished: int
    ours: Ours
    beside: ByHand
    pgbench: pgbench.Pgbench | None = None


@contextmanager
def server() -> Iterator[Server]:
    """The PostgreSQL of BENCH_DATABASE_URL, or one of our own whose data is on the disk and is flushed at every commit."""
    theirs = os.environ.get("BENCH_DATABASE_URL")
    if theirs:
        url = make_url(theirs).set(drivername="postgresql+psycopg")
        yield Server(url.render_as_string(hide_password=False), url.port or 5432)
        return
    started = start_postgres(SETTINGS)
    try:
        yield started
    finally:
        started.stop()


def migrated(url: str) -> Ours:
    app = App([uploads()], database=url)
    app.migrate()
    return Ours(app)


@contextmanager
def on_postgresql(server: Server, finished: int, fresh: int) -> Iterator[Place]:
    """Two databases of the server, dropped afterwards."""
    names = [f"interlock_bench_{os.getpid()}_{finished}_{side}" for side in ("ours", "beside")]
    urls = [make_url(server.url).set(database=name).render_as_string(hide_password=False) for name in names]
    plain = [url.replace("+psycopg", "", 1) for url in urls]
    try:
        server.create_database(names[0])
        migrated(urls[0]).close()
        with psycopg.connect(plain[0], autocommit=True) as connection:
            fill_postgresql(connection, finished, fresh)
        program = pgbench.found(server)
        _copy(server, *names)
        with psycopg.connect(plain[1], autocommit=True) as connection:
            drop_guards(connection)
            if program:
                pgbench.prepare(connection, finished)
            with suppress(
                psycopg.errors.InsufficientPrivilege
            ):  # only a superuser may; the first seconds are noisier then
                connection.execute("CHECKPOINT")
        place = Place(
            "postgresql",
            finished,
            Ours(App([uploads()], database=urls[0])),
            PostgresqlByHand(plain[1]),
            pgbench.Pgbench(program, plain[1]) if program else None,
        )
        with _open(place):
            yield place
    finally:
        for name in names:
            server.drop_database(name)


def _copy(server: Server, source: str, target: str) -> None:
    with psycopg.connect(server.url.replace("+psycopg", "", 1), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}" STRATEGY file_copy')


@contextmanager
def on_sqlite(finished: int, fresh: int) -> Iterator[Place]:
    """Two files in a folder of their own, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="interlock-bench-", dir=os.environ.get("BENCH_FOLDER")) as folder:
        files = [Path(folder, f"{side}.sqlite") for side in ("ours", "beside")]
        migrated(f"sqlite:///{files[0]}").close()
        _filled(files[0], finished, fresh)
        shutil.copyfile(files[0], files[1])
        connection = opened(files[1])
        drop_triggers(connection)
        connection.close()
        place = Place(
            "sqlite",
            finished,
            Ours(App([uploads()], database=f"sqlite:///{files[0]}")),
            SqliteByHand(files[1]),
        )
        with _open(place):
            yield place


def _filled(path: Path, finished: int, fresh: int) -> None:
    connection: Any = opened(path)
    fill_sqlite(connection, finished, fresh)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


@contextmanager
def _open(place: Place) -> Iterator[None]:
    try:
        yield
    finally:
        place.ours.close()
        place.beside.close()
