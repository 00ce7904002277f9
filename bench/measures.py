"""What is measured: batches, single moves, admission, verification and the pure machine; each gives one line of the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from statistics import median

from .bars import Line, bar_of
from .fill import FIRST_FRESH
from .kind import KIND, MOVES, UPLOAD
from .places import Place
from .rounds import Pace, Size, cycles, in_batches, in_turns, one_by_one, timed
from .service import service


@dataclass(frozen=True)
class Sizes:
    """How much of everything."""

    batches: tuple[Size, ...]
    single: Size
    admitted: int
    verified: int
    checks: int
    worked: int = 50
    shaped: int = 20
    """Records of each shape."""
    queued: tuple[int, ...] = (20,)
    """Records that wait, a run for each."""
    backlogs: tuple[int, int] = (20, 40)
    """Articles that wait in two pipelines while some of them are processed: few, and many."""
    adopted: tuple[int, int] = (2_000, 1_000)
    """Rows that are adopted while their writers go on: on PostgreSQL, on SQLite."""
    on_board: int = 2_000
    """Records that moved within the last day, under the console."""
    curated: int = 500
    """Pages that one decision is about."""

    @property
    def fresh(self) -> int:
        """How many records in their first state all of it uses up."""
        return sum(size.needed for size in self.batches) + 3 * self.single.needed + self.verified + 1


FULL = Sizes(
    (Size(500, 5_000, 6), Size(100, 2_000, 8), Size(1, 250, 6)),
    Size(1, 250, 6),
    20,
    20_000,
    1_000_000,
    50_000,
    20_000,
    (10_000, 1_000_000),
    (1_000, 100_000),
    (1_000_000, 200_000),
    1_000_000,
    100_000,
)
QUICK = Sizes(
    (Size(500, 2_000, 2), Size(100, 1_000, 2), Size(1, 60, 2)),
    Size(1, 60, 2),
    4,
    4_000,
    200_000,
    10_000,
    2_000,
    (10_000,),
    (1_000, 10_000),
    (50_000, 20_000),
    50_000,
    10_000,
)
Measure = Callable[[Place, Sizes, Iterator[int]], Iterator[Line]]


def fresh_ids() -> Iterator[int]:
    return count(FIRST_FRESH)


def _line(place: Place, measure: str, ours: Pace, beside: Pace | None) -> Line:
    return Line(
        measure,
        place.database,
        place.finished,
        ours.per_second,
        "moves/s",
        None if beside is None else beside.per_second,
        None if beside is None else beside.drift,
        median(ours.cpu),
        bar_of(measure, place.database),
    )


def batches(place: Place, sizes: Sizes, ids: Iterator[int]) -> Iterator[Line]:
    """`move_many` beside one statement (PostgreSQL) or one executemany transaction (SQLite) per batch."""
    for size in sizes.batches:
        ours, beside = in_turns(
            ids, size, in_batches(place.ours.move, size.batch), in_batches(place.beside.move, size.batch)
        )
        yield _line(place, f"move_many {size.batch}", ours, beside)


def single(place: Place, sizes: Sizes, ids: Iterator[int]) -> Iterator[Line]:
    """`move` beside the hand-written statement, and beside pgbench with one client."""
    ours, beside = in_turns(
        ids, sizes.single, one_by_one(place.ours.move_one), one_by_one(place.beside.move_one)
    )
    yield _line(place, "move beside psycopg" if place.database == "postgresql" else "move", ours, beside)
    if place.pgbench is not None:
        ours, beside = Pace(), Pace()
        for counted, chosen, step in cycles(ids, sizes.single):
            seconds, cpu = timed(one_by_one(place.ours.move_one), chosen, step)
            rate = place.pgbench.per_second(len(chosen))
            if counted:
                ours.add(len(chosen), seconds, cpu)
                beside.rates.append(rate)
        yield _line(place, "move beside pgbench", ours, beside)


def admission(place: Place, sizes: Sizes, ids: Iterator[int]) -> Iterator[Line]:
    """`admit_many` in batches of 500; nothing stands beside it."""
    pace = Pace()
    for number in range(sizes.admitted + 1):
        seconds, cpu = timed(lambda *_: place.ours.admit(500), (), 0)
        if number:
            pace.add(500, seconds, cpu)
    yield Line(
        "admit_many 500", place.database, place.finished, pace.per_second, "rows/s", cpu=median(pace.cpu)
    )


def verification(place: Place, sizes: Sizes, ids: Iterator[int]) -> Iterator[Line]:
    """The whole ledger verified by one process; asked of the empty pair only, for it grows with the ledger."""
    if place.finished:
        return
    began = time.perf_counter()
    report = place.ours.app.ledger.verify(KIND)
    assert report.ok, report.findings[:3]
    yield Line(
        "ledger verify",
        place.database,
        place.finished,
        report.entries / (time.perf_counter() - began),
        "entries/s",
    )


def machine(sizes: Sizes) -> Line:
    """The pure question, asked of every legal move in turn."""
    pairs, check, rates = MOVES * 250, UPLOAD.check, []
    for _ in range(max(sizes.checks // 200_000, 1)):
        began = time.perf_counter()
        for _ in range(200):
            for old, new in pairs:
                check(old, new)
        rates.append(200 * len(pairs) / (time.perf_counter() - began))
    return Line("machine.check", "none", None, median(rates), "calls/s", bar=bar_of("machine.check", "none"))


def http(place: Place, sizes: Sizes, ids: Iterator[int]) -> Iterator[Line]:
    """The HTTP service beside the same answers by hand; asked of the empty pair only, for reads by key do not grow."""
    if not place.finished:
        yield from service(place, sizes.single, ids)


MEASURES: dict[str, Measure] = {
    "batches": batches,
    "single": single,
    "admit": admission,
    "verify": verification,
    "service": http,
}
NAMES = (
    *MEASURES,
    "machine",
    "work",
    "statements",
    "themes",
    "scraping",
    "shapes",
    "queues",
    "adoption",
    "board",
)
