"""Work end to end: the reference workload beside hand-written SQL and beside the peers of the kit, and how soon things begin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from interlock import App
from tests.servers.postgres import Server

from . import kit, whole
from .bars import Line, bar_of

ROUNDS = 3


def lines(server: Server, *, records: int, finished: int, peers: bool) -> Iterator[Line]:
    """Everything about work, on both databases."""
    yield from on_sqlite(records)
    yield from on_postgresql(server, records, finished)
    yield from latencies(server, 200 if records >= 10_000 else 20)
    if peers and kit.located() is not None:
        yield from beside_peers(server, records)


def _own(database: str, finished: int, result: dict[str, Any]) -> Iterator[Line]:
    if result["problems"]:
        raise AssertionError(f"W left {result['problems']} findings behind")
    yield Line(
        "Python CPU of W",
        database,
        finished,
        result["python_cpu_us_per_move"],
        "µs/move",
        bar=bar_of("Python CPU of W", database),
        lower=True,
    )
    yield Line(
        "memory of W",
        database,
        finished,
        result["memory_mb"],
        "MB",
        bar=bar_of("memory of W", database),
        lower=True,
    )


def on_sqlite(records: int) -> Iterator[Line]:
    rounds = [
        _round_on_sqlite(records) for _ in range(ROUNDS)
    ]  # the pair in the middle: neither the luckiest nor the unluckiest
    result, limit = sorted(rounds, key=lambda one: one[0]["moves_per_second"] / (one[1] or 1.0))[ROUNDS // 2]
    yield Line(
        "W beside hand-written SQL",
        "sqlite",
        0,
        result["moves_per_second"],
        "moves/s",
        limit,
        cpu=result["python_cpu_us_per_move"],
        bar=None if limit is None else (0.15, 0.3),
    )
    yield from _own("sqlite", 0, result)


def _round_on_sqlite(records: int) -> tuple[dict[str, Any], float | None]:
    with whole.fresh(None) as url:
        result = whole.measure(url, records)
    return result, _limit("limits.sqlite_set_based", "--records", str(max(records, 20_000)))


def _limit(module: str, *words: str) -> float | None:
    """One of the kit's hand-written limits, where the kit is."""
    folder = kit.located()
    if folder is None:
        return None
    done = subprocess.run(
        [kit.prepared(folder), "-m", module, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout.strip().splitlines()[-1])["moves_per_second"])


def on_postgresql(server: Server, records: int, finished: int) -> Iterator[Line]:
    piles = (0, finished) if finished else (0,)
    results: dict[int, list[dict[str, Any]]] = {pile: [] for pile in piles}
    with ExitStack() as places:
        urls = {
            pile: places.enter_context(whole.fresh(server.url, f"{whole.DATABASE}_{pile}")) for pile in piles
        }
        for _ in range(
            ROUNDS if finished else 1
        ):  # in turns: whatever else the machine does meanwhile, it does to both
            for pile, url in urls.items():
                results[pile].append(whole.measure(url, records, finished_before=pile))
    paces = {pile: median(one["moves_per_second"] for one in some) for pile, some in results.items()}
    for pile, some in results.items():
        typical = min(some, key=lambda one: abs(one["moves_per_second"] - paces[pile]))
        yield Line("W", "postgresql", pile, paces[pile], "moves/s", cpu=typical["python_cpu_us_per_move"])
        yield from _own("postgresql", pile, typical)
    if finished:
        name = "W, many finished beside none"
        yield Line(
            name, "postgresql", finished, paces[finished], "moves/s", paces[0], bar=bar_of(name, "postgresql")
        )


def beside_peers(server: Server, records: int) -> Iterator[Line]:
    """Shares of the limit that was measured beside each: the only numbers that may be compared."""
    results = kit.compared(server.url, kit.PEERS, records=None, ours=records)
    shares = {one["name"]: one for one in results if "share_of_limit" in one}
    ours = shares.get("interlock")
    if ours is None:
        return
    yield Line(
        "W beside hand-written SQL",
        "postgresql",
        0,
        ours["moves_per_second"],
        "moves/s",
        ours["limit_moves_per_second"],
        ours["limit_drift"],
        ours.get("python_cpu_us_per_move"),
        bar_of("W beside hand-written SQL", "postgresql"),
    )
    for name, peer in shares.items():
        if name != "interlock":
            yield Line(
                f"W beside {name}",
                "postgresql",
                0,
                ours["share_of_limit"] * 1000,
                "‰ of the limit",
                peer["share_of_limit"] * 1000,
                max(ours["limit_drift"], peer["limit_drift"]),
                bar=bar_of(f"W beside {name}", "postgresql"),
            )


def latencies(server: Server, times: int) -> Iterator[Line]:
    """Idle: from an admission to the handler running, and from there to the move; work is done in a process that nobody disturbs."""
    with whole.fresh(server.url) as url, tempfile.TemporaryDirectory() as folder:
        seen = Path(folder, "seen")
        app = App([whole.noticed(seen)], database=url)
        app.migrate()
        worker = subprocess.Popen(
            [sys.executable, "-m", "bench.whole_process", "noticing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "BENCH_WHOLE_URL": url, "BENCH_SEEN": str(seen)},
        )
        try:
            starts, ends = _timed(app, seen, times)
        finally:
            worker.communicate(timeout=30)
            app.close()
    for name, value in (
        ("admit → handler p50", median(starts)),
        ("admit → handler p99", sorted(starts)[int(len(starts) * 0.99) - 1]),
        ("event → move p50", median(ends)),
    ):
        yield Line(name, "postgresql", 0, value, "ms", bar=bar_of(name, "postgresql"), lower=True)


def _timed(app: App, seen: Path, times: int) -> tuple[list[float], list[float]]:
    """One record at a time; looking whether it is through takes place long after it is."""
    admitted: dict[Any, float] = {}
    for _ in range(times + 5):
        id = app.admit(whole.KIND, {}).id
        admitted[id] = time.time()
        time.sleep(0.05)
        while app.get(whole.KIND, id)["status"] != "parsed":
            time.sleep(0.05)
    begun = {int(id): float(at) for id, at in map(str.split, seen.read_text().splitlines())}
    counted = list(admitted)[5:]  # the first ones find cold caches
    ended = {
        id: next(move.at for move in app.ledger.history(whole.KIND, id) if move.new == "parsed").timestamp()
        for id in counted
    }
    return [max(0.0, begun[id] - admitted[id]) * 1000 for id in counted], [
        max(0.0, ended[id] - begun[id]) * 1000 for id in counted
    ]


if __name__ == "__main__":
    sys.exit("run it as: make bench ARGS='--only work'")
