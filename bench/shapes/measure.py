"""Measures shapes: each between two runs of plain W, coordinator and runner as processes, and checks what they wrote.

Alone it is an entry for the kit that measures peers: `python -m bench.shapes.measure facts`; its last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from statistics import mean
from typing import Any

from sqlalchemy import text

from interlock import App
from interlock.workflow.columns.instant import instant_text, parse_instant

from .. import kit
from ..bars import Line, bar_of, shape_bar
from ..whole import fresh
from .catalogue import SHAPES
from .shape import Shape

TIMEOUT = 600.0
DATABASE = "interlock_bench_shapes"


def lines(
    servers: dict[str, str | None], records: int, names: Sequence[str], say: Callable[[str], None]
) -> Iterator[Line]:
    """A line for each shape and database. Plain W runs before the first shape and after each, so every shape has one on both sides."""
    for database, server in servers.items():
        say(f"{database}: plain W, {records:,} records")
        before = run_shape(server, SHAPES["plain"], records)
        for name in (name for name in names if name != "plain"):
            say(f"{database}: {name}")
            result = run_shape(server, SHAPES[name], records)
            after = before
            if SHAPES[name].is_ratio:
                say(f"{database}: plain W")
                after = run_shape(server, SHAPES["plain"], records)
            yield line(database, SHAPES[name], result, before, after)
            before = after
        if "plain" in names:
            yield Line(
                "shape plain", database, None, before["per_second"], "moves/s", cpu=before["python_cpu_us"]
            )


def beside_pgqueuer(server: str, records: int) -> Iterator[Line]:
    """Facts beside PgQueuer whose handlers write the same two columns, each as a share of the limit measured beside it."""
    results = kit.facts_compared(server, records)
    ours, theirs = (results.get(name, {}) for name in ("interlock", "pgqueuer-facts"))
    if "share_of_limit" in ours and "share_of_limit" in theirs:
        name = "facts beside pgqueuer"
        yield Line(
            name,
            "postgresql",
            None,
            ours["share_of_limit"] * 1000,
            "‰ of the limit",
            theirs["share_of_limit"] * 1000,
            max(ours["limit_drift"], theirs["limit_drift"]),
            bar=bar_of(name, "postgresql"),
        )


def line(database: str, shape: Shape, result: dict[str, Any], *plain: dict[str, Any]) -> Line:
    paces = [one["per_second"] for one in plain]
    return Line(
        f"shape {shape.name}",
        database,
        None,
        result["per_second"],
        shape.unit,
        mean(paces) if shape.is_ratio else None,
        (max(paces) - min(paces)) / mean(paces) if shape.is_ratio else None,
        result["python_cpu_us"],
        shape_bar(shape.name),
    )


def run_shape(server: str | None, shape: Shape, records: int) -> dict[str, Any]:
    """One run on a fresh database; the server's, or SQLite where there is none."""
    records = max(2, round(records * shape.share))
    with (
        fresh(server, DATABASE) as url,
        tempfile.TemporaryDirectory() as files,
        closing(App(shape.declare(), database=url, files=files)) as app,
    ):
        app.migrate()
        shape.admit(app, records)
        began = app.clock.now()
        roles = ["both"] if app.database.name == "sqlite" else ["coordinator", "runner"]
        environment = {**os.environ, "BENCH_WHOLE_URL": url, "BENCH_SHAPE": shape.name, "BENCH_FILES": files}
        workers = [
            subprocess.Popen(
                [sys.executable, "-m", "bench.whole_process", role],
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
            )
            for role in roles
        ]
        try:
            wait_until_over(app, shape, records, workers)
            costs = [
                json.loads(worker.communicate(timeout=60)[0].strip().splitlines()[-1]) for worker in workers
            ]
        finally:
            for worker in workers:
                worker.kill()
        return {
            **timed(app, shape, records, began, sum(one["cpu"] for one in costs)),
            "problems": problems(app, shape),
        }


def wait_until_over(app: App, shape: Shape, records: int, workers: Sequence[subprocess.Popen[str]]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while (done := ended(app, shape)) < records * shape.expected:
        if any(worker.poll() is not None for worker in workers):
            raise RuntimeError(f"a process of {shape.name} ended before its work did")
        if time.monotonic() > deadline:
            raise TimeoutError(
                f"{shape.name}: {done} of {records * shape.expected} rows were finished after {TIMEOUT:g} s"
            )
        time.sleep(0.25)


def ended(app: App, shape: Shape) -> int:
    """How many rows are in a final state."""
    return sum(
        number for (kind, axis, _, state), number in app.counts().items() if (kind, axis, state) in shape.ends
    )


def timed(app: App, shape: Shape, records: int, began: datetime, cpu: float) -> dict[str, Any]:
    """From the first entry since the processes began to the last, by the ledger's own instants."""
    since = instant_text(began) if app.database.name == "sqlite" else began
    with app.database.read() as tx:
        first, last, entries = tx.execute(
            text("SELECT min(at), max(at), count(*) FROM interlock_ledger WHERE at >= :since"),
            {"since": since},
        ).one()
    begin, end = (parse_instant(one) if isinstance(one, str) else one for one in (first, last))
    count = entries if shape.is_ratio else records * shape.per_record
    seconds = (end - begin).total_seconds()
    return {
        "records": records,
        "moves": entries,
        "seconds": round(seconds, 3),
        "per_second": count / seconds,
        "moves_per_second": round(entries / seconds),
        "python_cpu_us": cpu / count * 1e6,
    }


def problems(app: App, shape: Shape) -> int:
    """What `check` finds wrong afterwards; a shape that leaves anything behind is no measurement."""
    findings = app.check().findings
    if findings:
        raise AssertionError(f"{shape.name} left {len(findings)} findings behind: {findings[0]}")
    return len(findings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shape", choices=list(SHAPES))
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument(
        "--sqlite", action="store_true", help="on a SQLite file instead of BENCH_DATABASE_URL"
    )
    options = parser.parse_args()
    print(
        json.dumps(
            run_shape(
                None if options.sqlite else os.environ["BENCH_DATABASE_URL"],
                SHAPES[options.shape],
                options.records,
            )
        )
    )


if __name__ == "__main__":
    main()
