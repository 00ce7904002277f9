"""The reference workload W, end to end: a coordinator process and a runner process, no-op work, every move guarded and in the ledger.

Alone it is an entry for the kit that measures peers (`--also "interlock=python -m bench.whole"`): its last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import BigInteger, Column, Integer, MetaData, Table, text
from sqlalchemy.engine import make_url

from interlock import App, Axis, Done, Work, Workflow
from interlock.workflow.columns.instant import instant_text, parse_instant

from .beside.sqlite import opened
from .fill import fill_postgresql, fill_sqlite
from .kind import KIND, UPLOAD

DATABASE = "interlock_bench"
MOVES = 4
ADMITTED_AT_ONCE = 5_000


def reference() -> Workflow:
    """W: two stages that do nothing, so that only the machinery is measured."""
    key = BigInteger().with_variant(Integer, "sqlite")
    workflow = Workflow(
        KIND,
        noun="upload",
        records=Table("uploads", MetaData(), Column("id", key, primary_key=True)),
        axes=[Axis("status", UPLOAD)],
    )

    @workflow.stage(waiting="queued_for_parse", running="parsing", done="parsed", failed="error")
    def parse(work: Work) -> Done[None]:
        return Done()

    @workflow.stage(waiting="parsed", running="normalizing", done="normalized", failed="error")
    def normalize(work: Work) -> Done[None]:
        return Done()

    return workflow


def noticed(seen: Path) -> Workflow:
    """One stage, which notes when it was called."""
    table = Table(
        "uploads", MetaData(), Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    )
    workflow = Workflow(KIND, noun="upload", records=table, axes=[Axis("status", UPLOAD)])

    @workflow.stage(waiting="queued_for_parse", running="parsing", done="parsed", failed="error")
    def parse(work: Work) -> Done[None]:
        at = time.time()
        with seen.open("a") as notes:
            notes.write(f"{work.id} {at}\n")
        return Done()

    return workflow


@contextmanager
def fresh(server: str | None, name: str = DATABASE) -> Iterator[str]:
    """An empty database: of the server that is given, or a SQLite file."""
    if server is None:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'bench.sqlite'}"
        return
    url = make_url(server).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    yield url.set(database=name, drivername="postgresql+psycopg").render_as_string(hide_password=False)


def measure(url: str, records: int, timeout: float = 240.0, finished_before: int = 0) -> dict[str, Any]:
    """Admit the records, start the processes, and let the ledger say how long it took from the first move to the last."""
    with closing(App([reference()], database=url)) as app:
        return measured(app, url, records, timeout, finished_before)


def measured(app: App, url: str, records: int, timeout: float, finished_before: int) -> dict[str, Any]:
    app.migrate()
    if finished_before and not finished(app):
        fill(url, finished_before)
    finished_before = finished(app)
    began = app.clock.now()
    for start in range(0, records, ADMITTED_AT_ONCE):
        app.admit_many(KIND, [{} for _ in range(min(ADMITTED_AT_ONCE, records - start))], actor="bench")
    roles = ["both"] if app.database.name == "sqlite" else ["coordinator", "runner"]
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "bench.whole_process", role],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "BENCH_WHOLE_URL": url},
        )
        for role in roles
    ]
    deadline = time.monotonic() + timeout
    try:
        while (done := finished(app) - finished_before) < records:
            if any(worker.poll() is not None for worker in workers):
                raise RuntimeError("a process of W ended before its work did")
            if time.monotonic() > deadline:
                raise TimeoutError(f"{done} of {records} records finished after {timeout:g} s")
            time.sleep(0.25)
        said = [json.loads(worker.communicate(timeout=30)[0].strip().splitlines()[-1]) for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
    return {
        **timed(app, records, began),
        "python_cpu_us_per_move": sum(one["cpu"] for one in said) / (records * MOVES) * 1e6,
        "memory_mb": max(one["memory_mb"] for one in said),
        "processes": len(workers),
        "problems": 0 if finished_before else len(app.check().findings),
    }


def fill(url: str, finished_before: int) -> None:
    """Records that were finished long ago, with their whole history."""
    if url.startswith("sqlite"):
        with closing(opened(Path(make_url(url).database or ""))) as connection:
            fill_sqlite(connection, finished_before, 0)
    else:
        with psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True) as connection:
            fill_postgresql(connection, finished_before, 0)


def finished(app: App) -> int:
    return sum(number for (_, _, _, state), number in app.counts().items() if state == "normalized")


def timed(app: App, records: int, began: datetime) -> dict[str, Any]:
    """Only what was moved now; those that are filled in were moved long ago."""
    since = instant_text(began) if app.database.name == "sqlite" else began
    with app.database.read() as tx:
        first, last, moves = tx.execute(
            text(
                "SELECT min(at), max(at), count(*) FROM interlock_ledger WHERE version > 0 AND at >= :since"
            ),
            {"since": since},
        ).one()
    begun, ended = (parse_instant(one) if isinstance(one, str) else one for one in (first, last))
    seconds = (ended - begun).total_seconds()
    return {
        "records": records,
        "moves": moves,
        "seconds": round(seconds, 3),
        "moves_per_second": round(moves / seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--finished", type=int, default=0, help="finished records in the tables beforehand")
    parser.add_argument(
        "--sqlite", action="store_true", help="on a SQLite file instead of BENCH_DATABASE_URL"
    )
    options = parser.parse_args()
    with fresh(None if options.sqlite else os.environ["BENCH_DATABASE_URL"]) as url:
        print(json.dumps(measure(url, options.records, finished_before=options.finished)))


if __name__ == "__main__":
    main()
