"""How fast a table is adopted, in place and beside, while its own writers go on, and how long those wait for their writes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from tests.concurrency.crowd import start
from tests.concurrency.legacy import (
    BESIDE,
    KIND,
    fill,
    fill_notices,
    keep_writing,
    open_letters,
    open_notices,
)

from .bars import Line, bar_of

CHUNK = 2_000
WRITERS = 2


def lines(database: str, server: str | None, rows: int) -> Iterator[Line]:
    """Rows a second of the backfill, and the 99th percentile of the team's own writes beside it, of both shapes."""
    for kind, shape, write in (
        (KIND, "adopt in place", "legacy write, in place, p99"),
        (BESIDE, "adopt beside", "legacy write, beside, p99"),
    ):
        with _place(server) as url:
            pace, p99 = _adopt(url, kind, rows)
        for measure, value, unit in ((shape, pace, "rows/s"), (write, p99, "ms")):
            yield Line(
                measure, database, rows, value, unit, bar=bar_of(measure, database), lower=unit == "ms"
            )


def _adopt(url: str, kind: str, rows: int) -> tuple[float, float]:
    """Rows a second, and milliseconds."""
    (fill if kind == KIND else fill_notices)(url, rows)
    with closing((open_letters if kind == KIND else open_notices)(url)) as app:
        app.migrate()
        app.adoptions.cutover(kind, 2, actor="bench", role="operator", reason="measured")
        crowd = [start(keep_writing, url, rows, seed, kind) for seed in range(1, WRITERS + 1)]
        for _, connection in crowd:
            assert connection.recv() == "ready"
            connection.send("go")
        for _, connection in crowd:
            assert connection.recv() == "written"
        begun = time.perf_counter()
        done = app.adoptions.backfill(kind, actor="bench", chunk=CHUNK)
        spent = time.perf_counter() - begun
        took = sorted(one for process, connection in crowd for one in _stopped(process, connection))
    return done.written / spent, took[int(len(took) * 0.99)] * 1000


def _stopped(process: Any, connection: Any) -> list[float]:
    connection.send("stop")
    answer = connection.recv()
    if isinstance(answer, BaseException):
        raise answer
    process.join(60)
    took: list[float] = answer
    return took


@contextmanager
def _place(server: str | None) -> Iterator[str]:
    """An empty database: a file of its own, or one on the server."""
    if server is None:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'adoption.db'}"
        return
    name = "bench_adoption"
    plain = make_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        owner.execute(f"CREATE DATABASE {name}")
    yield make_url(server).set(database=name).render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
