"""Plays one schedule: starts the crew, brings records, lets the faults happen, replaces the dead, waits for the end and judges."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic

import psycopg

from interlock import App
from interlock.errors import StoreError
from tests.killing.judging import Judgement, all_ended, judge
from tests.killing.processes import Crew, Member, TooLate
from tests.killing.schedule import LONGER_THAN_A_LEASE, WINDOW, Schedule
from tests.killing.workload import prepare
from tests.servers.postgres import Server

PATIENCE = 90.0
KIND = "uploads"


@dataclass
class Outcome:
    """What came of one schedule."""

    schedule: Schedule
    judgement: Judgement
    took: float
    killed: Counter[str] = field(default_factory=Counter)
    frozen: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    logs: str = ""


class Trial:
    """One run of one schedule on an empty database."""

    def __init__(self, schedule: Schedule, url: str, folder: Path, server: Server | None = None) -> None:
        self.schedule, self.server = schedule, server
        self.app: App = prepare(url, KIND)
        self.crew = Crew(folder, url)
        self.places: dict[str, Member] = {}
        self.expected: list[str] = []
        self.happened: Counter[str] = Counter()
        self.begun = monotonic()

    def run(self) -> Outcome:
        self.begun = monotonic()
        outcome = Outcome(self.schedule, Judgement(), 0.0)
        over = threading.Event()
        nurse = threading.Thread(target=self.thaw, args=(over,), daemon=True)
        nurse.start()
        try:
            self.play()
            self.finish()
            outcome.judgement = judge(self.app, {KIND: self.expected}, self.crew.reported())
        except TooLate:
            outcome.judgement = judge(self.app, {KIND: self.expected}, self.crew.reported())
            outcome.judgement.stuck.append(f"not at rest after {PATIENCE} s")
        finally:
            over.set()
            nurse.join()
            outcome.logs = self.crew.logs()
            outcome.judgement.crashed += self.crew.crashed()
            self.crew.end()
            self.app.close()
        outcome.took = monotonic() - self.begun
        for what in ("killed", "frozen", "unanswered", "passed"):
            setattr(outcome, what, self.crew.counted(what))
        outcome.faults = self.happened
        return outcome

    @property
    def now(self) -> float:
        return monotonic() - self.begun

    def play(self) -> None:
        """Everything that the schedule says, each at its time."""
        for role, name in self.schedule.crew:
            self.places[name] = self.start(role, name)
        self.crew.until(lambda: all((member.folder / "serving").exists() for member in self.crew.members))
        self.begun = monotonic()
        events: list[tuple[float, Callable[[], None]]] = [
            (at, lambda rows=rows, number=number: self.bring(number, rows))  # type: ignore[misc]
            for number, (at, rows) in enumerate(self.schedule.batches)
        ]
        events += [
            (fault.at, lambda fault=fault: self.strike(fault.what, fault.who))
            for fault in self.schedule.faults
        ]  # type: ignore[misc]
        for at, happen in sorted(events, key=lambda one: one[0]):
            self.tend(until=at)
            happen()
        self.tend(until=WINDOW)

    def finish(self) -> None:
        """No more faults: wait until all is done."""

        def at_rest() -> bool:
            self.replace_the_dead()
            return all_ended(self.app, {KIND: self.expected})

        self.crew.until(at_rest, PATIENCE)
        if self.schedule.orderly:
            for member in self.crew.alive():
                member.go_on()
                member.terminate()
            self.crew.until(lambda: not self.crew.alive(), PATIENCE)

    def tend(self, until: float) -> None:
        """Look after the crew until this moment of the schedule; a death is seen at once."""
        while (left := until - self.now) > 0:
            self.replace_the_dead()
            wait([member.process.sentinel for member in self.crew.alive()], min(left, 0.1))

    def start(self, role: str, name: str) -> Member:
        """With crash points while the schedule lasts; each process draws lots of its own."""
        lots = f"{self.schedule.seed}|{name}|{len(self.crew.members)}" if self.now < WINDOW else None
        return self.crew.start(role, name.partition("/")[0], lots=lots, odds=self.schedule.odds)

    def replace_the_dead(self) -> None:
        for role, name in self.schedule.crew:
            if not self.places[name].alive:
                self.places[name] = self.start(role, name)

    def thaw(self, over: threading.Event) -> None:
        """Whoever is frozen goes on once its lease is over. In a thread: on SQLite we may wait ourselves for the lock that it holds."""
        frozen: dict[int, float] = {}
        while not over.wait(0.1):
            for member in list(self.places.values()):
                if not member.is_frozen():
                    frozen.pop(member.pid, None)
                elif frozen.setdefault(member.pid, monotonic()) + LONGER_THAN_A_LEASE < monotonic():
                    member.go_on()

    def strike(self, what: str, who: str) -> None:
        self.happened[what] += 1
        if self.server is not None and what == "kill server":
            self.server.kill()
            self.server.restart()
        elif self.server is not None and what == "restart server":
            self.server.restart()
        elif what == "drop connections":
            self.drop_connections()
        else:
            getattr(self.places[who], what)()

    def drop_connections(self) -> None:
        """Of everybody, ours too; by a connection that is made for it."""
        with psycopg.connect(self.crew.url.replace("postgresql+psycopg", "postgresql")) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid()"
            )

    def bring(self, number: int, behaviours: tuple[str, ...]) -> None:
        """The same command until it is answered; its key makes it one."""
        ids = [f"{number}-{one}-{does}" for one, does in enumerate(behaviours)]
        rows = [{"id": id, "behaviour": does} for id, does in zip(ids, behaviours, strict=True)]

        def admitted() -> bool:
            try:
                return all(
                    answer.outcome in ("admitted", "exists")
                    for answer in self.app.admit_many(KIND, rows, key=f"batch {number}")
                )
            except StoreError:
                return False

        self.crew.until(admitted)
        self.expected += ids
