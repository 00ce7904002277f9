"""How long the pages of the console take over very many records, all of which moved within the last day: the board, what is behind it,
an instant of the past, a list far behind its beginning, and a change that travels to whoever looks."""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import quote

import psycopg
from sqlalchemy.engine import make_url

from interlock import App
from interlock.store.records import api_keys as keys

from .bars import Line
from .beside.sqlite import opened
from .fill import copy_into_postgresql, copy_into_sqlite, counts_of, day_of
from .kind import ACTOR, AXIS, KIND, MOVES, uploads
from .serving import served

BAR = (100.0, 50.0)
"""Milliseconds: what a page may take, and what is aimed at."""
TIMES = 9
WAITING = 200


def lines(database: str, server: str | None, records: int) -> Iterator[Line]:
    """One line for each question, in milliseconds, the median of several."""
    with _place(server) as url:
        now = datetime.now(UTC).replace(second=0, microsecond=0)
        with closing(App([uploads()], database=url)) as app:
            app.migrate()
            _fill(url, records, now)
            app.admit_many(KIND, [{"observations_count": 1} for _ in range(WAITING)], actor=ACTOR)
            with app.database.write() as tx:
                key = keys.create(tx, ACTOR, "operator", by=ACTOR, now=app.clock.now())
            with served("ours", database, url) as port:
                asked = Asked(port, key)
                began = time.perf_counter()
                asked.get("/")
                yield _line("board, first", database, records, [time.perf_counter() - began], bar=None)
                began = time.perf_counter()
                while not json.loads(asked.get("/api/v1/activity"))["is_whole"]:
                    time.sleep(0.6)
                yield _line("day counted", database, records, [time.perf_counter() - began], bar=None)
                for name, path in questions(records, now).items():
                    before = _cpu(url)
                    seconds = [asked.timed(path) for _ in range(TIMES)]
                    yield _line(name, database, records, seconds, cpu=(_cpu(url) - before) / TIMES * 1e6)
                yield _line("move to new board", database, records, _travel(app, asked), bar=(500.0, 250.0))


def questions(records: int, now: datetime) -> dict[str, str]:
    """What is asked, by its name in the table."""
    then = quote((now - timedelta(hours=11, minutes=59, seconds=30)).isoformat())
    return {
        "board": "/",
        "board, 12 h ago": f"/?at={then}",
        "counts": "/api/v1/counts",
        "activity": "/api/v1/activity",
        "errors": "/api/v1/errors",
        "operations": "/operations",
        "list, first page": f"/records/{KIND}",
        "list, far behind": f"/records/{KIND}?after={records // 2}",
        "list of errors": f"/records/{KIND}?error=TIMEOUT",
        "list by state": f"/records/{KIND}?state.{AXIS}=error",
        "list by text": f"/records/{KIND}?text=nothing+like+it",
    }


class Asked:
    """One connection to the service, and how long its answers took."""

    def __init__(self, port: int, key: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Authorization": f"Bearer {key}", "Accept": "text/html, application/json"}
        self.port = port

    def get(self, path: str) -> bytes:
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path} was refused: {body[:300]!r}")
        return body

    def timed(self, path: str) -> float:
        time.sleep(
            0.6
        )  # answers are kept for half a second; what is measured is a look that nobody had before
        began = time.perf_counter()
        self.get(path)
        return time.perf_counter() - began

    @contextmanager
    def stream(self) -> Iterator[Iterator[bytes]]:
        """The lines of the live stream, from when it is open."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        with closing(connection):
            connection.request("GET", "/api/v1/live", headers=self.headers)
            answer = connection.getresponse()
            found = iter(answer.readline, b"")
            for line in found:
                if line.startswith(b"event: ready"):
                    break
            yield found


def _travel(app: App, asked: Asked) -> list[float]:
    """From the commit of a move to the board that counts it: the event arrives, the page is asked for, and has the new number."""
    took = []
    with asked.stream() as events:
        page = app.list(KIND, where={AXIS: MOVES[0][0]}, limit=TIMES)
        for record in page.records:
            app.move(KIND, record.id, actor=ACTOR, **{AXIS: MOVES[0][1]})
            began = time.perf_counter()
            for line in events:
                if line.startswith(b"event: move"):
                    break
            asked.get("/")
            took.append(time.perf_counter() - began)
    return took


def _line(
    name: str,
    database: str,
    records: int,
    seconds: list[float],
    bar: tuple[float, float] | None = BAR,
    cpu: float | None = None,
) -> Line:
    return Line(
        f"console: {name}", database, records, median(seconds) * 1000, "ms", bar=bar, lower=True, cpu=cpu
    )


def _cpu(url: str) -> float:
    """Seconds of CPU that the service and its connections to PostgreSQL have spent; where the system does not say, 0."""
    ticks = 0
    for pid in [*(process.pid for process in multiprocessing.active_children()), *_connections(url)]:
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            ticks += sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _connections(url: str) -> list[int]:
    """The server's processes that work for somebody who is connected to this database."""
    if url.startswith("sqlite"):
        return []
    with psycopg.connect(_plain(url), autocommit=True) as connection:
        asked = (
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [pid for (pid,) in connection.execute(asked)]


def _plain(url: str) -> str:
    """The address as psycopg takes it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _fill(url: str, records: int, now: datetime) -> None:
    counters = counts_of(day_of(records, now))
    if url.startswith("sqlite"):
        with closing(opened(Path(url.removeprefix("sqlite:///")))) as connection:
            copy_into_sqlite(connection, day_of(records, now), counters)
        return
    with psycopg.connect(_plain(url), autocommit=True) as connection:
        copy_into_postgresql(connection, day_of(records, now), counters)


@contextmanager
def _place(server: str | None) -> Iterator[str]:
    """An empty database: a file of its own, or one on the server."""
    if server is None:
        with tempfile.TemporaryDirectory(prefix="interlock-bench-") as folder:
            yield f"sqlite:///{Path(folder) / 'board.sqlite'}"
        return
    name = "bench_board"
    plain = _plain(server)
    with psycopg.connect(plain, autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        owner.execute(f"CREATE DATABASE {name}")
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(plain, autocommit=True) as owner:
            owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
