"""Where the acts of coordinators, runners and people meet: work on one record, made ready anew for every interleaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Column, Connection, Integer, String, Table, select, text

from interlock import App, Done, Outcome, Work, Workflow
from interlock.coordinator import Coordinator
from interlock.errors import InterlockError
from interlock.runner.executors.inline import InlineExecutor
from interlock.runner.finish import Finisher, Result
from interlock.store.work.attempts import Attempt
from interlock.store.work.rows import WorkRows
from tests.contract.working import jobs
from tests.permutation.interleavings import Playing, every_interleaving
from tests.permutation.scheduler import Act, Scheduler

OVER = timedelta(seconds=-1)
"""A lease that is over when it is given."""
MOST = 3000


def saving_jobs(**stage: Any) -> Workflow:
    """Jobs whose results are saved with their reports, each with its attempt."""
    workflow = jobs(**stage)
    results = Table(
        "results",
        workflow.records.metadata,
        Column("id", Integer, primary_key=True),
        Column("job", String(40)),
        Column("attempt", Integer),
    )
    workflow.tables += (results,)

    @workflow.stages["work"].save
    def keep(tx: Connection, work: Work, result: Any) -> None:
        tx.execute(results.insert().values(job=str(work.id), attempt=work.attempt))

    return workflow


class Ground:
    """An app whose statements can be stepped, and the acts on one of its records."""

    def __init__(self, app: App, outcome: Outcome[Any] | None = None) -> None:
        self.app, self.outcome = app, outcome or Done("result", title="done")
        self.workflow = next(iter(app.workflows.values()))
        self.work = WorkRows(app.database, app.clock)
        self.runner = app.runner(InlineExecutor(app.clock), capacity=1000)
        self.ids: list[str] = []

    @property
    def id(self) -> str:
        return self.ids[-1]

    def coordinator(self) -> Coordinator:
        return self.app.coordinator()

    def drop_work_guards(self) -> None:
        """Take the database's own guards of work rows away: a twin has to be found out without them."""
        with self.app.database.engine.begin() as tx:
            for guard in (
                "interlock_claimed",
                "interlock_attempt",
                "interlock_issued",
                "interlock_moved",
                "interlock_over",
            ):
                tx.execute(text(f"DROP TRIGGER {guard} ON interlock_work"))

    def drop_hash_guard(self) -> None:
        """Have the guards of records take any hash: a twin has to be found out without them."""
        with self.app.database.engine.begin() as tx:
            guards = "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE prosrc LIKE '%''hash''%'"
            for body in tx.execute(text(guards)).scalars().all():
                tx.exec_driver_sql(body.replace("'hash'", "NULL").replace("%", "%%"))

    def waiting(self) -> None:
        """A fresh record that waits; everything of the last one is out of the way."""
        with self.app.database.engine.begin() as tx:
            tx.execute(
                text("SET LOCAL session_replication_role = replica")
            )  # guards hold for plays, not for clearing up
            tx.execute(text("DELETE FROM interlock_work"))
        self.ids.append(f"r{len(self.ids)}")
        if len(self.ids) > 1:
            self.park(self.ids[-2])
        self.app.admit(self.workflow, {"id": self.id})

    def park(self, id: str) -> None:
        """What an interleaving left waiting is none of the next one's business."""
        with self.app.database.engine.begin() as tx:
            tx.execute(text("SET LOCAL session_replication_role = replica"))
            tx.execute(
                text("UPDATE jobs SET ready_at = NULL, error_code = 'PARKED' WHERE id = :id"), {"id": id}
            )

    def dispatched(self) -> None:
        self.waiting()
        assert self.dispatch() == 1

    def running(self, lease: timedelta = timedelta(hours=1)) -> Attempt:
        self.dispatched()
        (attempt,) = self.claim(lease=lease)
        return attempt

    def reported(self, outcome: Outcome[Any] | None = None) -> Attempt:
        attempt = self.running()
        assert self.finish(attempt, outcome) == 1
        return attempt

    def dispatch(self, by: Coordinator | None = None) -> int:
        """What a dispatcher does to one stage; who is alive and what is paused are plain reads before it."""
        coordinator = by or self.coordinator()
        stage_queue = coordinator.stage_queues[f"{self.workflow.name}.work"]
        with self.app.database.write() as tx:
            return coordinator.dispatcher._scope(
                tx, stage_queue, stage_queue.scopes[0], 10, self.app.clock.now()
            )

    def claim(self, runner: str = "r1", lease: timedelta = timedelta(hours=1)) -> list[Attempt]:
        with self.app.database.write() as tx:
            return self.work.claim(tx, runner, [f"{self.workflow.name}.work"], 10, lease)

    def beat(self, runner: str = "r1") -> set[str]:
        with self.app.database.write() as tx:
            self.work.beat(tx, runner, [f"{self.workflow.name}.work"], timedelta(hours=2))
            return self.work.held(tx, runner, [f"{self.workflow.name}.work"])

    def finish(self, attempt: Attempt, outcome: Outcome[Any] | None = None) -> int:
        given = self.outcome if outcome is None else outcome
        stage = self.workflow.stages["work"]
        finisher = Finisher(self.app.database, self.app.clock, self.work, "r1", self.app.workflows)
        with self.app.database.write() as tx:
            return finisher.finish(
                tx, [Result(attempt, stage, Work(attempt.record_id, attempt=attempt.attempt), given)]
            )

    def move(self, to: str) -> Any:
        return self.app.move(self.workflow, self.id, actor="ann", status=to)

    def cancel(self) -> Any:
        return self.app.cancel(self.workflow, self.id, actor="ann", reason="not wanted")

    def erase(self) -> Any:
        return self.app.erase(self.workflow, self.id, actor="ann", role="admin", reason="asked to")

    def record(self) -> dict[str, Any] | None:
        with self.app.database.read() as tx:
            row = (
                tx.execute(select(self.workflow.records).where(self.workflow.id_column == self.id))
                .mappings()
                .first()
            )
            return None if row is None else dict(row)

    def rows(self, table: str, column: str = "record_id") -> list[dict[str, Any]]:
        with self.app.database.read() as tx:
            return [
                dict(row)
                for row in tx.execute(
                    text(f"SELECT * FROM {table} WHERE {column} = :id"), {"id": self.id}
                ).mappings()
            ]

    def saved(self) -> list[int]:
        """The attempts whose results are in the domain store."""
        return [row["attempt"] for row in self.rows("results", "job")]

    def problems(self) -> list[str]:
        """Whatever must never be, however statements interleave."""
        found = [str(finding) for finding in self.app.check(self.workflow, self.id).findings]
        record, work = self.record(), self.rows("interlock_work")
        stage = self.workflow.stages["work"]
        if len(work) > (record is not None):
            found.append(f"{len(work)} work rows of {record and record['status']}")
        if record is not None and stage.running is not None:
            if (record["status"] == stage.running) != bool(work):
                found.append(f"{record['status']} with {len(work)} work rows")
            if work and work[0]["attempt"] != record["attempt"]:
                found.append(
                    f"the record is at attempt {record['attempt']}, its work at {work[0]['attempt']}"
                )
        tokens = [row["token"] for row in self.rows("interlock_ledger") if row["token"]]
        return found + ([f"applied twice: {tokens}"] if len(tokens) != len(set(tokens)) else [])

    def accepted(self) -> list[str]:
        """An accepted result is saved once, and either applied or waiting to be; what is saved was accepted."""
        saved = self.saved()
        applied = {row["token"] for row in self.rows("interlock_ledger") if row["token"]}
        pending = {row["token"]: row["attempt"] for row in self.rows("interlock_work") if row["outcome"]}
        known = len(applied | set(pending))
        unlike = [attempt for attempt in pending.values() if attempt not in saved]
        return (
            []
            if len(saved) == known and not unlike
            else [f"{saved} saved, {known} accepted, {unlike} reported but not saved"]
        )


Look = Callable[[Playing], list[str]]


def play(
    ground: Ground, scheduler: Scheduler, stage: Callable[[], Mapping[str, Act]], look: Look
) -> tuple[int, list[str]]:
    """Every interleaving; how many there were, and what the first bad one came to."""
    number = 0
    for playing in every_interleaving(scheduler, stage):
        number += 1
        assert number <= MOST, f"more than {MOST} interleavings"
        faults = [
            f"no answer for {name}: {actor.answer!r}"
            for name, actor in playing.actors.items()
            if isinstance(actor.answer, BaseException) and not isinstance(actor.answer, InterlockError)
        ]
        if problems := faults + ground.problems() + look(playing):
            return number, [f"{problem}\n{playing}" for problem in problems]
    return number, []
