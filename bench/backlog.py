"""What an article costs while few and while many wait, measured in turns: CPU of the coordinator, of the runner and of their server."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from sqlalchemy import text

from interlock import App
from interlock.runner.executors.inline import InlineExecutor
from interlock.serving import settled
from interlock.workflows.themes.sources import add_source

from .bars import BARS, Line
from .shapes.whole_workflows import admit_more
from .shapes.whole_workflows import themes as declare_shape
from .whole import ADMITTED_AT_ONCE, fresh

DATABASE = "interlock_bench_themes"
AT_ONCE = 500
ROUNDS = 7
"""Turns that count; one more before them warms up."""
FIRST_PUBLISHED = 1_700_000_000


def backlog(
    servers: Mapping[str, str | None],
    sizes: Sequence[int],
    say: Callable[[str], None],
    rounds: int = ROUNDS,
) -> Iterator[Line]:
    """A line for each number of waiting articles, and the ratio of the most to the fewest by CPU, the median of all turns.

    Before its turn a queue gets as many new articles as it is to lose, so that as many wait in every round and both databases were
    written to alike.
    """
    for database, server in servers.items():
        with ExitStack() as stack:
            queues = {}
            for number in sizes:
                say(f"{database}: {number:,} articles wait")
                url = stack.enter_context(fresh(server, f"{DATABASE}_{number}"))
                app = stack.enter_context(closing(App(declare_shape(), database=url)))
                queues[number] = Queue(app, number)
            say(f"{database}: articles of each queue in turns")
            stack.enter_context(settled())
            for turn in range(rounds + 1):
                for queue in queues.values():
                    queue.process(min(AT_ONCE, *sizes), counts=turn > 0)
        few, many = queues[min(sizes)], queues[max(sizes)]
        for number, queue in queues.items():
            cpu, seconds = median(queue.cpu), median(queue.seconds)
            name = "themes, one of many"
            yield Line(name, database, number, seconds * 1e6, "µs", cpu=cpu * 1e6, lower=True)
        name = "themes, many waiting beside few"
        ratio = median(one / other for one, other in zip(many.cpu, few.cpu, strict=True))
        yield Line(name, database, max(sizes), ratio, "ratio", bar=BARS[name], lower=True)


@dataclass
class Queue:
    """Articles of one source that wait in both pipelines of a database, and what some of them cost."""

    app: App
    waiting: int
    cpu: list[float] = field(default_factory=list)
    """Seconds for each state row that was processed, one figure for each turn."""
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.app.migrate()
        self.source = add_source(self.app, name="bench", source_type="news")["id"]
        self.admitted = 0
        while self.admitted < self.waiting:
            self.admit(min(ADMITTED_AT_ONCE, self.waiting - self.admitted))
        self.coordinator = self.app.coordinator()
        self.runner = self.app.runner(InlineExecutor(self.app.clock, capacity=AT_ONCE), capacity=AT_ONCE)
        self.analyze()

    def analyze(self) -> None:
        """Let PostgreSQL know how large its tables are; its own daemon does so a minute later, or in the middle of a turn."""
        if self.app.database.name == "postgresql":
            with self.app.database.engine.begin() as tx:
                tx.exec_driver_sql("ANALYZE")

    def admit(self, number: int) -> None:
        """Articles that were published in the order of their arrival, as feeds have it: in any other, few articles share their pages with
        many, and many with none."""
        numbers = range(self.admitted, self.admitted + number)
        admit_more(self.app, self.source, numbers, lambda one: FIRST_PUBLISHED + one)
        self.admitted += number

    def settle(self) -> None:
        """Do what is left to be done from before, so that it is nobody's cost in a turn: admissions are counted, the log of SQLite is
        written to its place, and Python's rubbish is collected."""
        self.coordinator.sweep()
        self.write_log()
        gc.collect()

    def write_log(self) -> None:
        """Have SQLite write its log to where the pages belong, which it does by itself once in some thousand pages."""
        if self.app.database.name == "sqlite":
            with closing(self.app.database.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def process(self, number: int, *, counts: bool) -> None:
        """Admit half as many articles, each of which waits in both pipelines, then dispatch, run and apply at least so many rows, up to
        and with the pages that they changed."""
        self.admit(number // 2)
        self.runner.renew()
        self.settle()
        before, cpu, began = self.processed(), self.used(), time.perf_counter()
        while (done := self.processed() - before) < number:
            self.coordinator.step()
            self.runner.step()
        self.write_log()
        cpu, seconds = self.used() - cpu, time.perf_counter() - began
        if counts:
            self.cpu.append(cpu / done)
            self.seconds.append(seconds / done)

    def processed(self) -> int:
        return sum(number for (*_, state), number in self.app.counts().items() if state == "processed")

    def used(self) -> float:
        """Seconds of CPU that this process has used, and the server's processes that serve it, where they run on this machine."""
        return time.process_time() + sum(map(_cpu_of, self.backends()))

    def backends(self) -> list[int]:
        if self.app.database.name == "sqlite":
            return []
        asked = text(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        with self.app.database.read() as tx:
            return [
                *map(int, tx.execute(asked).scalars()),
                int(tx.execute(text("SELECT pg_backend_pid()")).scalar_one()),
            ]


def _cpu_of(process: int) -> float:
    """Seconds that a process has run, 0 where nobody here knows."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
