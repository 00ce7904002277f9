"""Schedules: functions that run once for each tick, in whichever coordinator claims it, beside the coordinator's own steps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..clock import monotonic
from ..ids import random_uuid
from ..store.queue import schedules as rows
from ..store.queue.schedules import Ending, ScheduleRun
from ..store.work import outcome_counts
from ..workflow import Schedule
from .move_log import log

if TYPE_CHECKING:
    from .coordinator import Coordinator

LEASE = timedelta(seconds=30)
TRIES = 3
"""How often a tick is run whose coordinator was lost amid it; then it has failed, for it may be what kills them."""
MESSAGE_LIMIT = 2_000
Start = Callable[[Callable[[], None]], Any]


def in_a_thread(run: Callable[[], None]) -> threading.Thread:
    """Run it beside the coordinator, which goes on stepping; it ends with the process."""
    thread = threading.Thread(target=run, name="interlock-schedule", daemon=True)
    thread.start()
    return thread


@dataclass
class Running:
    """A run of this process."""

    schedule: Schedule
    run: ScheduleRun
    renewed: float
    over: threading.Event = field(default_factory=threading.Event)
    outcome: Ending = "failed"
    message: str | None = None


class Schedules:
    """Claims ticks that are due, runs them, keeps their leases, and says what came of them. Without an app nothing runs here."""

    def __init__(self, coordinator: Coordinator, app: Any = None, start: Start = in_a_thread) -> None:
        self.on, self.app, self.start = coordinator, app, start
        self.declared = (
            []
            if app is None
            else [one for workflow in coordinator.workflows.values() for one in workflow.schedules.values()]
        )
        self._running: dict[str, Running] = {}
        self._settled: dict[str, datetime] = {}
        """By schedule: the tick that somebody has, so that nobody is asked about it again."""

    @cached_property
    def name(self) -> str:
        """Who claims: another name for each coordinator."""
        return f"coordinator-{random_uuid().hex[:12]}"

    def step(self) -> int:
        """One round over all schedules; how many runs began or ended."""
        if not self.declared:
            return 0
        count = self._end_finished()
        self._renew()
        with self.on.database.read() as tx:
            under_way = {
                (run.kind, run.schedule): (run, lost) for run, lost in rows.open_runs(self.on.work, tx)
            }
        for schedule in self.declared:
            run, lost = under_way.get((schedule.kind, schedule.name), (None, False))
            if run is not None:
                count += self._take_over(schedule, run) if lost else 0
            elif schedule.full_name not in self._running:
                count += self._begin(schedule)
        return count + self._end_finished()

    def _begin(self, schedule: Schedule) -> int:
        """Claim the latest tick, unless somebody has it: of ticks that were missed, only the last one runs."""
        if self._settled.get(schedule.full_name) == schedule.ticks.latest(self.on.clock.now()):
            return 0
        with self.on.database.read() as tx:
            newest = rows.latest(self.on.work, tx, schedule.kind, schedule.name)
        token = random_uuid().hex
        with self.on.database.write() as tx:
            tick = schedule.ticks.latest(self.on.authority.mover.ask_clock(tx, self.on.clock.now()))
            if not newest:
                rows.declare(self.on.work, tx, schedule.kind, schedule.name, tick, token)
            mine = bool(newest) and newest[0].tick < tick and self._claim(tx, schedule, tick, token)
            (now,) = rows.latest(self.on.work, tx, schedule.kind, schedule.name)
        if now.tick >= tick:
            self._settled[schedule.full_name] = tick
        return self._run(schedule, now) if mine else 0

    def _claim(self, tx: Any, schedule: Schedule, tick: datetime, token: str) -> bool:
        return rows.claim(self.on.work, tx, schedule.kind, schedule.name, tick, token, self.name, LEASE)

    def _take_over(self, schedule: Schedule, lost: ScheduleRun) -> int:
        """Its coordinator was lost amid the run: the tick is run again, a few times at most."""
        token = random_uuid().hex
        with self.on.database.write() as tx:
            if lost.attempt >= TRIES:
                message = f"{TRIES} coordinators were lost while it ran; the last was {lost.claimed_by}"
                ended = self._end(tx, lost, "failed", message)
            else:
                ended = False
                mine = rows.take_over(self.on.work, tx, lost, token, self.name, LEASE)
                self._count(tx, lost, "lost", mine)
                (now,) = rows.latest(self.on.work, tx, schedule.kind, schedule.name)
        if lost.attempt >= TRIES:
            if ended:
                log.error("schedule %s: %s", schedule.full_name, message)
            return int(ended)
        if mine:
            log.warning(
                "schedule %s: %s was lost while it ran; its tick is run again",
                schedule.full_name,
                lost.claimed_by,
            )
        return self._run(schedule, now) if mine else 0

    def _run(self, schedule: Schedule, run: ScheduleRun) -> int:
        running = Running(schedule, run, monotonic())
        self._running[schedule.full_name] = running

        def call() -> None:
            try:
                schedule.function(self.app, run.tick)
                running.outcome = "done"
            except Exception as error:  # noqa: BLE001 whatever it raises is its outcome
                log.exception("schedule %s failed for %s", schedule.full_name, run.tick)
                running.message = f"{type(error).__name__}: {error}"[:MESSAGE_LIMIT].replace("\x00", "")
            finally:
                running.over.set()

        self.start(call)
        return 1

    def _renew(self) -> None:
        due = [one for one in self._running.values() if monotonic() - one.renewed > LEASE.total_seconds() / 4]
        if not due:
            return
        with self.on.database.write() as tx:
            rows.renew(self.on.work, tx, [one.run.token for one in due], LEASE)
        for one in due:
            one.renewed = monotonic()

    def _end_finished(self) -> int:
        over = [one for one in self._running.values() if one.over.is_set()]
        for one in over:
            with self.on.database.write() as tx:
                kept = self._end(tx, one.run, one.outcome, one.message)
            if not kept:
                log.warning(
                    "schedule %s: its run for %s came to its end too late; another coordinator has taken it over",
                    one.schedule.full_name,
                    one.run.tick,
                )
            del self._running[one.schedule.full_name]
        return len(over)

    def _end(self, tx: Connection, run: ScheduleRun, outcome: Ending, message: str | None) -> bool:
        """Record the outcome of a run and count it; False where another coordinator has taken the tick over."""
        kept = rows.end(self.on.work, tx, run, outcome, message)
        self._count(tx, run, outcome, kept)
        return kept

    def _count(self, tx: Connection, run: ScheduleRun, what: str, is_mine: bool) -> None:
        key = outcome_counts.schedule_key(run.kind, run.schedule, what)
        outcome_counts.keep(self.on.work, tx, {key: int(is_mine)})

    def stop(self, grace: float) -> None:
        """Wait for what runs here, and say what came of it; what takes longer is run again by another coordinator, once its lease is
        over."""
        deadline = monotonic() + grace
        for one in list(self._running.values()):
            one.over.wait(max(0.0, deadline - monotonic()))
        self._end_finished()
