"""What is under way and what was refused lately: attempts that runners hold, longest first, and the newest refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Label, case, func, literal, select

from ..clock import Clock
from ..store.connect import Database
from ..store.placement import Placement
from ..store.tables import verdict
from ..store.work.rows import WorkRows
from ..workflow import Workflow
from ..workflow.columns.instant import instant_of

MINUTES, HOURS = 60, 24
"""How far retries are counted ahead by the minute, and errors back by the hour."""


@dataclass(frozen=True, slots=True)
class HeldAttempt:
    """An attempt that a runner claimed and has not reported. `beat_at` is when that runner was last heard of; None where it is gone."""

    kind: str
    id: Any
    axis: str
    scope: str | None
    stage: str
    attempt: int
    runner: str
    claimed_at: datetime
    beat_at: datetime | None
    lease_until: datetime


@dataclass(frozen=True, slots=True)
class RefusedEvent:
    """A command or report that was not applied: who wanted what of which record, and why it was turned away."""

    kind: str
    id: str
    axis: str
    scope: str | None
    actor: str
    source: str
    wanted: str | None
    verdict: str
    code: str
    message: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DueRetry:
    """Records that carry an error and have a date for their next try: how many of each error, and when the first is tried."""

    kind: str
    axis: str
    scope: str | None
    code: str
    records: int
    first: datetime


@dataclass(frozen=True, slots=True)
class ErrorHours:
    """Records that carry an error code now, and how many of them came to carry it in each of the last 24 hours, oldest hour first."""

    kind: str
    axis: str
    scope: str | None
    code: str
    records: int
    hours: list[int]


@dataclass(frozen=True, slots=True)
class Working:
    """Attempts in the order they were claimed, retries by when the first is due, and refusals, newest first.

    `due` has a number for each of the next 60 minutes: the records whose next try falls into it; what is overdue is in the first.
    `errors` has every code that a record carries, the most frequent first.
    """

    held: list[HeldAttempt] = field(default_factory=list)
    retries: list[DueRetry] = field(default_factory=list)
    refused: list[RefusedEvent] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    errors: list[ErrorHours] = field(default_factory=list)


def read_working(database: Database, workflows: Mapping[str, Workflow], clock: Clock, limit: int) -> Working:
    """Return so many of each at most."""
    with database.read() as tx:
        return Working(
            _held(WorkRows(database, clock), tx, workflows, limit),
            _retries(tx, workflows, limit),
            _refused(tx, workflows, limit),
            _due(tx, workflows, clock.now()),
            _errors(tx, workflows, clock.now()),
        )


def _held(work: WorkRows, tx: Connection, workflows: Mapping[str, Workflow], limit: int) -> list[HeldAttempt]:
    rows = work.held_longest(tx, limit)
    return [
        HeldAttempt(
            row.kind,
            Placement(workflows[row.kind], next(iter(workflows[row.kind].axes.values())), tx.dialect).id_of(
                row.record_id
            ),
            row.axis,
            row.scope or None,
            row.stage.removeprefix(f"{row.kind}."),
            row.attempt,
            row.claimed_by,
            instant_of(row.claimed_at),
            None if row.beat_at is None else instant_of(row.beat_at),
            instant_of(row.lease_until),
        )
        for row in rows
        if row.kind in workflows
    ]


def _retries(tx: Connection, workflows: Mapping[str, Workflow], limit: int) -> list[DueRetry]:
    found = []
    for workflow in workflows.values():
        for name in dict.fromkeys(stage.axis for stage in workflow.stages.values()):
            axis = workflow.axes[name]
            code, ready = (axis.table.c[axis.column_name(one)] for one in ("error_code", "ready_at"))
            scope = axis.table.c[axis.scope_column] if axis.scoped else literal("")
            asked = (
                select(scope, code, func.count(), func.min(ready))
                .where(ready.is_not(None), code.is_not(None))
                .group_by(scope, code)
            )
            found += [
                DueRetry(workflow.name, name, row[0] or None, row[1], row[2], instant_of(row[3]))
                for row in tx.execute(asked)
            ]
    return sorted(found, key=lambda one: (one.first, one.kind, one.code))[:limit]


def _due(tx: Connection, workflows: Mapping[str, Workflow], now: datetime) -> list[int]:
    due = [0] * MINUTES
    for workflow in workflows.values():
        for name in dict.fromkeys(stage.axis for stage in workflow.stages.values()):
            axis = workflow.axes[name]
            code, ready = (axis.table.c[axis.column_name(one)] for one in ("error_code", "ready_at"))
            step = _step(ready, [now + timedelta(minutes=one + 1) for one in range(MINUTES)])
            is_near = ready < now + timedelta(minutes=MINUTES)
            asked = select(step, func.count()).where(ready.is_not(None), code.is_not(None), is_near)
            for place, records in tx.execute(asked.group_by("step")):
                due[place] += records
    return due


def _errors(tx: Connection, workflows: Mapping[str, Workflow], now: datetime) -> list[ErrorHours]:
    found: dict[tuple[str, str, str | None, str], list[int]] = {}
    for workflow in workflows.values():
        for axis in workflow.axes.values():
            if not axis.has("error_code"):
                continue
            code, since = axis.column("error_code"), axis.column("since")
            scope = axis.table.c[axis.scope_column] if axis.scoped else literal("")
            step = _step(since, [now - timedelta(hours=HOURS - one) for one in range(HOURS)])
            asked = select(scope.label("scope"), code.label("code"), step, func.count())
            rows = tx.execute(asked.where(code.is_not(None)).group_by("scope", "code", "step"))
            for at_scope, name, place, records in rows:
                key = (workflow.name, axis.name, at_scope or None, name)
                found.setdefault(key, [0] * (HOURS + 1))[place] += records
    return sorted(
        (ErrorHours(*key, sum(steps), steps[1:]) for key, steps in found.items()),
        key=lambda one: (-one.records, one.kind, one.code, one.scope or ""),
    )


def _step(column: ColumnElement[Any], ends: Sequence[datetime]) -> Label[int]:
    """Which of the steps that end at these instants an instant falls into, counted from 0; behind the last one is a step too."""
    return case(*((column < end, number) for number, end in enumerate(ends)), else_=len(ends)).label("step")


def _refused(tx: Connection, workflows: Mapping[str, Workflow], limit: int) -> list[RefusedEvent]:
    rows = tx.execute(select(verdict).order_by(verdict.c.position.desc()).limit(limit)).mappings()
    return [
        RefusedEvent(
            row["kind"],
            row["record_id"],
            row["axis"],
            row["scope"] or None,
            row["actor"],
            row["source"],
            row["wanted"],
            row["verdict"],
            row["code"],
            row["message"],
            row["at"],
        )
        for row in rows
        if row["kind"] in workflows
    ]
