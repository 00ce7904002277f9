"""Work as its actors meet it, step by step: dispatch, claim, finish, apply and sweep on a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Column, Integer, MetaData, String, Table, Text

from interlock import Axis, Done, Failed, Machine, Outcome, Work, Workflow
from interlock.runner.executors.inline import InlineExecutor
from interlock.runner.finish import Finisher, Result
from interlock.runner.runner import Runner
from interlock.store.work.attempts import Attempt
from interlock.testing import Sandbox

LEASE = timedelta(seconds=30)
JOB = Machine(
    "job",
    initial="waiting",
    moves={"waiting": ["running", "failed"], "running": ["done", "failed", "waiting"], "failed": ["waiting"]},
)
"""The next try waits in `failed`, and the sweep brings it back."""
STRICT = Machine("strict", initial="waiting", moves={"waiting": ["running"], "running": ["done", "failed"]})
"""No way back: the next try waits where it runs."""
PATIENT = Machine(
    "patient",
    initial="pending",
    moves={"pending": ["busy", "dead"], "busy": ["done", "failed", "dead"], "failed": ["busy", "dead"]},
)
"""The failed state is itself waited in."""
STILL = Machine("still", initial="here", moves={"here": ["there"]})
"""A stage of it has no running state."""

Function = Callable[[Work], Outcome[Any]]
Boxed = Callable[..., Sandbox]
"""The fixture `boxed`: opens a sandbox for workflows."""


def well(work: Work) -> Outcome[Any]:
    return Done()


def broken(*, final: bool = False) -> Failed[Any]:
    return Failed("BROKEN", "not yet", final=final)


def jobs(
    function: Function = well,
    machine: Machine = JOB,
    name: str = "jobs",
    axis: Any = None,
    tables: Sequence[Table] = (),
    **stage: Any,
) -> Workflow:
    """One stage, `work`, on a table with some columns to order, limit and choose by."""
    table = Table(
        name,
        MetaData(),
        Column("id", String(40), primary_key=True),
        Column("host", Text),
        Column("rank", Integer),
        Column("size", Integer),
        Column("title", Text),
    )
    workflow = Workflow(
        name, noun="job", records=table, axes=[Axis("status", machine, **(axis or {}))], tables=tables
    )
    shape = {"waiting": "waiting", "running": "running", "done": "done", "failed": "failed", **stage}
    shape = {
        word: value(table)
        if callable(value) and word in ("only_if", "order", "per_key", "rate_per")
        else value
        for word, value in shape.items()
    }

    def work(given: Work) -> Outcome[Any]:
        return function(given)

    workflow.stage(**shape)(work)
    return workflow


def still(function: Function = well, **stage: Any) -> Workflow:
    return jobs(function, STILL, waiting="here", running=None, done="there", failed=None, **stage)


def patient(function: Function = well, **stage: Any) -> Workflow:
    shape = {
        "waiting": ("pending", "failed"),
        "running": "busy",
        "terminal": "dead",
        "retry": ["1m", "2m"],
        **stage,
    }
    return jobs(function, PATIENT, **shape)


def admit(box: Sandbox, *ids: str, kind: str = "jobs", **row: Any) -> None:
    box.admit_many(kind, [{"id": id, **row} for id in ids])


def dispatch(box: Sandbox) -> int:
    """One round of the dispatcher, with the sandbox's runner known to it."""
    assert box.runs is not None
    box.runs.renew()
    return box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())


def claim(
    box: Sandbox, limit: int = 100, runner: str = "r1", stages: tuple[str, ...] = (), lease: timedelta = LEASE
) -> list[Attempt]:
    """Lease what waits, as a runner does."""
    work, names = box.coordinates.work, stages or tuple(box.coordinates.stage_queues)
    rationed = [
        name
        for name in names
        if (stage := box.coordinates.stage_queues[name].stage).limit is not None or stage.per_key is not None
    ]
    with box.database.write() as tx:
        return work.claim(tx, runner, names, limit, lease, rationed)


def finish(
    box: Sandbox, attempt: Attempt, outcome: Outcome[Any], runner: str = "r1", *, isolate: bool = False
) -> int:
    """Report an attempt as its runner would; whether it was accepted."""
    stage = box.coordinates.stage_queues[attempt.stage].stage
    work = Work(attempt.record_id, scope=attempt.scope or None, attempt=attempt.attempt)
    finisher = Finisher(box.database, box.clock, box.coordinates.work, runner, box.workflows)
    with box.database.write() as tx:
        return finisher.finish(tx, [Result(attempt, stage, work, outcome)], isolate=isolate)


def apply(box: Sandbox) -> int:
    return box.coordinates.applier.step()


def begun(box: Sandbox, *ids: str, runner: str = "r1", **row: Any) -> list[Attempt]:
    """Records admitted, dispatched and claimed."""
    admit(box, *ids, **row)
    assert dispatch(box) == len(ids)
    return claim(box, runner=runner)


def another_runner(box: Sandbox, name: str = "other", capacity: int = 10, **options: Any) -> Runner:
    return box.runner(
        InlineExecutor(box.time, capacity=capacity),
        name=name,
        capacity=capacity,
        ticks=lambda: box.time.now().timestamp(),
        **options,
    )
