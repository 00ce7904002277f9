"""Plays many schedules, some at once, and adds up what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.killing.schedule import drawn
from tests.killing.trial import Outcome, Trial
from tests.servers.postgres import Server, start_postgres

WRONGS = ("lost", "double", "illegal", "stuck", "unrecorded", "crashed")


class Figures:
    """What came of many schedules."""

    def __init__(self) -> None:
        self.schedules: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.known: dict[str, set[str]] = {}
        self.hit: dict[str, dict[str, Counter[str]]] = {}
        self.faults: Counter[str] = Counter()
        self.failures: list[str] = []

    def add(self, database: str, outcome: Outcome) -> None:
        self.schedules[database] += 1
        self.faults += outcome.faults
        self.known.setdefault(database, set()).update(outcome.passed)
        hits = self.hit.setdefault(database, {})
        for what in ("killed", "frozen", "unanswered"):
            hits.setdefault(what, Counter()).update(getattr(outcome, what))
        if faults := outcome.judgement.faults:
            self.wrong.update({name: len(found) for name, found in faults.items()})
            self.failures.append(told(database, outcome))

    def __str__(self) -> str:
        lines = [
            f"{self.schedules.total()} schedules ({', '.join(f'{count} on {name}' for name, count in self.schedules.items())}): "
            + ", ".join(f"{self.wrong[name]} {name}" for name in WRONGS),
            f"  by schedule: {', '.join(f'{count} × {name}' for name, count in self.faults.most_common())}",
        ]
        for database, known in self.known.items():
            hits = self.hit[database]
            missed = sorted(known - set(hits["killed"]))
            lines.append(
                f"  {database}: killed at {len(known) - len(missed)} of {len(known)} crash points, {hits['killed'].total()} "
                f"times; {hits['frozen'].total()} freezes, {hits['unanswered'].total()} commits unanswered"
            )
            lines += [f"    {count:4} {name}" for name, count in sorted(hits["killed"].items())]
            lines += [f"    {count:4} {name}" for name, count in sorted(hits["unanswered"].items())]
            lines += [f"    never {name}" for name in missed]
        return "\n".join(lines)


def told(database: str, outcome: Outcome) -> str:
    """Everything that is needed to see what went wrong, and to see it again."""
    return (
        f"{database}, {outcome.schedule}\nagain: INTERLOCK_KILL_SEED={outcome.schedule.seed} .venv/bin/python -m pytest "
        f"tests/killing/test_random_schedules.py -k {database}\n{outcome.judgement.faults}\n{outcome.logs}"
    )


def play(seed: int, folder: Path, server: Server | None) -> Outcome:
    """One schedule, on a database of its own."""
    schedule = drawn(seed, server=server is not None and server.data is not None)
    if server is None:
        folder.mkdir(parents=True)
        return Trial(schedule, f"sqlite:///{folder / 'interlock.db'}", folder / "crew").run()
    name = f"schedule_{seed}_{folder.name}".replace("-", "_").lower()[:60]
    try:
        return Trial(schedule, server.create_database(name), folder / "crew", server).run()
    finally:
        server.drop_database(name)


def soak(seeds: Iterable[tuple[str, int]], folder: Path, at_once: int) -> Figures:
    """(database, seed) of each schedule; each that runs beside others has a server of its own to kill."""
    figures = Figures()
    servers: SimpleQueue[Server] = SimpleQueue()
    started = [start_postgres() for _ in range(at_once)]
    for server in started:
        servers.put(server)

    def one(database: str, seed: int) -> tuple[str, Outcome]:
        place = folder / f"{database}-{seed}"
        if database == "sqlite":
            return database, play(seed, place, None)
        server = servers.get()
        try:
            return database, play(seed, place, server)
        finally:
            servers.put(server)

    try:
        with ThreadPoolExecutor(at_once) as pool:
            for database, outcome in pool.map(lambda given: one(*given), seeds):
                figures.add(database, outcome)
    finally:
        for server in started:
            server.stop()
    return figures
