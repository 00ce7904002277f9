"""The schedules of an app as plain values: when each ran last, what came of it, when it runs next, and whether it is paused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from ...errors import UnknownKind
from ...machine.suggest import did_you_mean
from ...store.queue import schedules as rows
from ...store.queue.pauses import Pause
from ...store.work.rows import WorkRows
from ...workflow import Workflow


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """One schedule. `outcome` is `done`, `failed`, `running`, or None before its first run; `last_run` and `seconds` are of the newest."""

    kind: str
    schedule: str
    when: str
    last_tick: datetime | None
    last_run: datetime | None
    outcome: str | None
    seconds: float | None
    attempt: int
    message: str | None
    next_tick: datetime
    paused: bool
    until: datetime | None
    reason: str | None
    actor: str | None


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """One tick of a schedule and what came of it: `done`, `failed`, `running`, or `declared` for the tick at which the schedule was first
    seen, which does not run. `attempt` counts coordinators that were lost amid it."""

    kind: str
    schedule: str
    tick: datetime
    attempt: int
    coordinator: str | None
    started_at: datetime
    finished_at: datetime | None
    outcome: str
    seconds: float | None
    message: str | None


def known_schedule(workflow: Workflow, schedule: str) -> None:
    """Refuse a schedule that the workflow does not have."""
    if schedule not in workflow.schedules:
        raise UnknownKind(
            f"{workflow.name} has no schedule {schedule!r}; it has {', '.join(workflow.schedules) or 'none'}",
            hint=did_you_mean(schedule, workflow.schedules)
            or "`interlock schedule list` lists those of every kind.",
            kind=workflow.name,
        )


def scheduled_runs(
    work: WorkRows, tx: Connection, workflow: Workflow, schedule: str, limit: int
) -> list[ScheduledRun]:
    """The newest runs of a schedule, newest first."""
    known_schedule(workflow, schedule)
    return [
        ScheduledRun(
            run.kind,
            run.schedule,
            run.tick,
            run.attempt,
            run.claimed_by,
            run.started_at,
            run.finished_at,
            run.outcome or "running",
            run.seconds,
            run.message,
        )
        for run in rows.latest(work, tx, workflow.name, schedule, limit)
    ]


def schedule_states(
    work: WorkRows, tx: Connection, workflows: Iterable[Workflow], pauses: Sequence[Pause], now: datetime
) -> list[ScheduleState]:
    """Every schedule of every kind."""
    paused = {(one.kind, one.stage): one for one in pauses if not one.scope}
    states = []
    for workflow in workflows:
        for schedule in workflow.schedules.values():
            runs = [run for run in rows.latest(work, tx, workflow.name, schedule.name) if run.attempt]
            last = runs[0] if runs else None
            pause = paused.get((workflow.name, schedule.name))
            states.append(
                ScheduleState(
                    workflow.name,
                    schedule.name,
                    schedule.ticks.words,
                    None if last is None else last.tick,
                    None if last is None else last.started_at,
                    None if last is None else last.outcome or "running",
                    None if last is None else last.seconds,
                    0 if last is None else last.attempt,
                    None if last is None else last.message,
                    schedule.ticks.next(now),
                    pause is not None,
                    pause.until if pause else None,
                    pause.reason if pause else None,
                    pause.actor if pause else None,
                )
            )
    return states
