"""A runner: claims work, runs it, reports. It never writes a status, and stops itself when it cannot renew its leases."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import BadInput, StoreError
from ..ids import random_uuid
from ..store.connect import Database
from ..store.queue import runners
from ..store.work.attempts import Attempt
from ..store.work.rows import WorkRows
from ..transport import DatabaseTransport, Transport
from ..workflow import Failed, Work, Workflow
from .call.gate_loads import GateLoads
from .claim import Loaded, Served, doubtful, gone, load_works, served_stages, works
from .executors.tasks import NOTHING, Cancelled, Executor, Task
from .finish import Finisher, Result, is_refusal
from .recheck import Rechecker
from .spans import Spans

log = logging.getLogger("interlock.runner")

LEASE = timedelta(seconds=30)
MOST = 2_000
SOON = 0.001
"""Seconds that the first result of what was just begun is waited for: short work is over by then, and is reported at once."""
GROUPED_FOR, ENOUGH = 0.05, 32
"""While short work is queued here, results are gathered for so many seconds or until there are so many, and reported together."""
GROUPED_AT_ONCE = 50
"""Works that one call of a stage's or a gate's `load_many` reads for."""
UNLOADED = Loaded(NOTHING, None)


class Runner:
    """One `step` after another; what is in flight is in `held`, and is dropped when the lease is lost."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        workflows: Mapping[str, Workflow],
        executor: Executor,
        *,
        stages: Sequence[str] | None = None,
        transport: Transport | None = None,
        name: str = "runner",
        lease: timedelta = LEASE,
        capacity: int | None = None,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database, self.clock, self.executor, self.lease, self.ticks = (
            database,
            clock,
            executor,
            lease,
            ticks,
        )
        self._fixed = capacity
        self.work = WorkRows(database, clock)
        self.served = served_stages(workflows, database, stages, self.work)
        if not self.served:
            known = [
                f"{workflow.name}.{stage}" for workflow in workflows.values() for stage in workflow.stages
            ]
            named = ", ".join(stages or ()) or "…"
            raise BadInput(
                f"no workflow has a stage named {named}", hint=f"There are: {', '.join(known) or 'none'}."
            )
        self.id = f"{name}-{random_uuid().hex[:12]}"
        self.name = name
        self.transport = transport or DatabaseTransport(database)
        self.finisher = Finisher(database, clock, self.work, self.id, workflows)
        self.rechecker = Rechecker(self)
        self.spans = Spans(self.work)
        self.rationed = [one.name for one in self.served.values() if one.rationed]
        self.held: dict[str, tuple[Attempt, Served]] = {}
        self.results: list[Result] = []
        self.lost: dict[str, tuple[Attempt, Served]] = {}
        self.fenced: set[str] = set()
        self.alone: str | None = None
        self.stopping = False
        self._renewed: float | None = None
        self._registered = 0
        self._sure = True

    @property
    def capacity(self) -> int:
        """How many attempts it takes at once: as configured, else what its executor takes; short work in large batches, long work never
        in advance."""
        if self._fixed is not None:
            return self._fixed
        return min(MOST, len(self.held) + max(self.executor.free(one.stage) for one in self.served.values()))

    def step(self) -> int:
        """Renew, report what is finished, take new work; how much was done."""
        self.gather(0.0)
        self._gather_group()
        self.renew()
        count = self.report()
        if count and not self.held:
            return count  # nothing else is at work here: whoever applies the report in this very process shall not wait for a claim
        if not self.stopping:
            claimed = self.claim()
            count += claimed + self.rechecker.step()
            if self.gather(SOON if claimed else 0.0) and not self.held:
                count += self.report()
        return count

    def gather(self, wait: float) -> bool:
        """Take what the executor has finished; whether there was any."""
        finished = self.executor.collect(wait)
        held, results, told = self.held, self.results, self.spans.open
        for done, ended in finished:
            token = done.token
            if told:
                self.spans.end(token, ended)
            begun, late = held.pop(token, None), self.lost.pop(token, None)
            if isinstance(ended, Cancelled) and begun is None:
                continue
            begun = begun or late  # a result that comes too late is refused, and recorded
            # what nobody here has cancelled has ended so by itself
            outcome = (
                Failed("CANCELLED", "cancelled before it finished") if isinstance(ended, Cancelled) else ended
            )
            if begun is not None:
                results.append(
                    Result(begun[0], begun[1].stage, done.work, outcome, done.verdicts, done.retries)
                )
        return bool(finished)

    def _gather_group(self) -> None:
        """Wait for further results while short work is queued here: a transaction for each would cost more than the work."""
        if not self.results:
            return
        until = self.ticks() + GROUPED_FOR
        while len(self.results) < ENOUGH and self.executor.queued() and (left := until - self.ticks()) > 0:
            if not self.gather(left):
                return  # woken, or nothing came

    def renew(self) -> None:
        """Every quarter of a lease; too late, the runner fences itself, counted from when it sent the last renewal that arrived."""
        now = self.ticks()
        lease = self.lease.total_seconds()
        room = self.capacity
        if (
            self._renewed is not None
            and now - self._renewed < lease / 4
            and self._registered // 2 <= room <= self._registered * 2
        ):
            return
        try:
            with self.database.write() as tx:
                runners.register(
                    self.work,
                    tx,
                    self.id,
                    self.name,
                    sorted(self.served),
                    room,
                    self.lease,
                    stopping=self.stopping,
                )
                mine = self._beat(tx, self.lease)
        except StoreError:
            if self._renewed is not None and now - self._renewed >= lease:
                self.fence("its lease could not be renewed")
            raise
        self._renewed, self._registered = now, room
        self.fenced &= mine
        for token in [token for token in self.held if token not in mine]:
            self.lost[token] = self.held[token]
            self.drop(token)

    def _beat(self, tx: Connection, lease: timedelta) -> set[str]:
        """Renew what is at work here; the tokens that the database still holds for this runner.

        What was fenced off is left to run out. What it never began came by a claim whose answer was lost: it goes back, uncounted.
        """
        self.work.beat(tx, self.id, self.served, lease, but=self.fenced)
        mine = self.work.held(tx, self.id, self.served)
        if unknown := mine - self.fenced - self.held.keys() - {one.attempt.token for one in self.results}:
            log.warning("%s gives back %d attempts that it was not told of", self.id, len(unknown))
            self.work.give_back(tx, self.id, sorted(unknown))
        return mine

    def fence(self, why: str) -> None:
        """Drop all attempts at once, because their leases may have ended and other runners may have them."""
        if self.held or self.results:
            log.warning("%s drops %d attempts: %s", self.id, len(self.held) + len(self.results), why)
        self.fenced |= {*self.held, *(one.attempt.token for one in self.results)}
        for token in list(self.held):
            self.drop(token)
        self.results.clear()

    def drop(self, token: str) -> None:
        """Nobody wants this attempt's result any more: cancelled, or taken over."""
        self.held.pop(token, None)
        self.executor.cancel(token)

    def report(self) -> int:
        """Everything finished, in one transaction; if something cannot be saved, each on its own."""
        if not self.results:
            return 0
        group = self.results[: self.database.batch]
        try:
            self._report(group, isolate=False)
        except Exception as error:
            if not is_refusal(error):
                raise
            self._report(group, isolate=True)
        del self.results[: len(group)]
        return len(group)

    def _report(self, group: list[Result], *, isolate: bool) -> None:
        with self.database.write() as tx:
            if self.finisher.finish(tx, group, isolate=isolate):
                self.transport.within(tx, "report")
        self.transport.after("report")

    def claim(self) -> int:
        """Lease what waits and begin it; work rows only, so the runner needs no right on records."""
        free = min(
            self.database.batch if self._sure else 1, self.capacity - len(self.held) - len(self.results)
        )
        stages = [one.name for one in self.served.values() if self.executor.free(one.stage) > 0]
        if free <= 0 or not stages or self.alone in self.held:
            return 0
        with self.database.write(ours_alone=True) as tx:
            claimed = self.work.claim(
                tx, self.id, stages, free, self.lease, [name for name in self.rationed if name in stages]
            )
            by_stage: dict[str, list[Attempt]] = {}
            for one in claimed:
                by_stage.setdefault(one.stage, []).append(one)
            found = {name: works(tx, self.served[name], some) for name, some in by_stage.items()}
            doubted = {
                token
                for name, some in by_stage.items()
                for token in doubtful(self.served[name], some, found[name])
            }
            self._sure = not doubted
            if doubted:
                claimed = self._apart(tx, claimed, doubted)
            self.spans.look(tx, claimed)
        for name in by_stage:
            self._begin(self.served[name], [one for one in claimed if one.stage == name], found[name])
        return len(claimed)

    def _apart(self, tx: Connection, claimed: list[Attempt], doubted: set[str]) -> list[Attempt]:
        """Work that may kill its runner runs alone; while other work is under way here, it does not begin."""
        chosen = [] if self.held or self.results else [one for one in claimed if one.token in doubted][:1]
        self.alone = chosen[0].token if chosen else None
        self.work.give_back(tx, self.id, [one.token for one in claimed if one not in chosen])
        return chosen

    def _begin(self, served: Served, attempts: Sequence[Attempt], found: Mapping[str, Work]) -> None:
        """Load and start the attempts of one stage, group by group: where the database goes away, the rest was not begun and goes back."""
        stage = served.stage
        present = [one for one in attempts if one.token in found]
        self.results += [
            Result(one, stage, Work(one.record_id), gone(one)) for one in attempts if one.token not in found
        ]
        for start in range(0, len(present), GROUPED_AT_ONCE):
            group = present[start : start + GROUPED_AT_ONCE]
            works = [found[one.token] for one in group]
            gate_loads = GateLoads(self.database, works)
            for attempt, work, loaded in zip(group, works, self._loaded(served, works), strict=True):
                self._start(served, attempt, work, loaded, gate_loads)

    def _loaded(self, served: Served, works: Sequence[Work]) -> Iterator[Loaded]:
        """What the stage loads for each work: for all at once by its `load_many`, else each when it is its turn."""
        stage = served.stage
        if stage.group_loader is not None:
            yield from load_works(self.database, served, works)
            return
        for work in works:
            yield UNLOADED if stage.loader is None else load_works(self.database, served, [work])[0]

    def _start(
        self, served: Served, attempt: Attempt, work: Work, loaded: Loaded, gate_loads: GateLoads
    ) -> None:
        if loaded.fault is not None:
            self.results.append(Result(attempt, served.stage, work, loaded.fault))
            return
        self.held[attempt.token] = (attempt, served)
        span = self.spans.begin(attempt) if self.spans.on else None
        self.executor.submit(
            Task(attempt.token, served.stage, work, loaded.value, served.workflow.name, span, gate_loads.read)
        )

    def stop(self, grace: float) -> None:
        """Finish or give back: what ends within the grace is reported, the rest is returned uncounted, and the runner signs off."""
        self.stopping = True
        with suppress(StoreError), self.database.write() as tx:  # the grace may be longer than the lease
            self._beat(tx, self.lease + timedelta(seconds=grace))
        left = {one.token for one in self.executor.close(grace)}
        self.gather(0.0)
        while self.results:
            self.report()
        with self.database.write() as tx:
            if left:
                self.work.give_back(tx, self.id, sorted(left))
            runners.leave(self.work, tx, self.id)
            self.transport.within(tx, "work")
        self.transport.after("work")
        self.held.clear()
