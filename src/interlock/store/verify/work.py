"""Verifies work: attempts are applied once (I3) and are current (I4), nothing is unattended (I5), commands are answered (I6) and reports
judged (I7), nothing runs past its lease or deadline (I10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ...clock import Clock
from ...workflow import Workflow
from ...workflow.durations import LONGEST as LONGEST_SPAN
from ..adoption.adoptions import held_axes
from ..connect import Database
from ..engines import sql_of
from ..finding import Finding
from ..guarded import APPLIER
from ..placement import Placement
from ..queue import pauses as stages
from ..queue import runners
from ..queue.waiting import Queue
from ..work.rows import WorkRows

INVARIANTS = ("I3", "I4", "I5", "I6", "I7", "I10")
LONGEST = timedelta(days=1)
"""No lease is longer; beats renew them."""
GRACE = timedelta(minutes=1)
"""How long a coordinator may take for what it does every second: only what is older is told."""
PATIENCE = timedelta(minutes=10)
"""How long a question about overdue work may be open: a sweep ends the attempt half a minute after it was asked."""


def verify_work(
    database: Database, clock: Clock, workflows: Sequence[Workflow], kind: str | None = None
) -> list[Finding]:
    """Everything of all kinds, or of one, in one snapshot."""
    work = WorkRows(database, clock)
    with database.read() as tx:
        return [
            *_applied_twice(work, tx, kind),
            *_unlike_an_attempt(work, tx, kind),
            *_unnumbered(work, tx, kind),
            *_unanswered(work, tx, kind),
            *_overdue(work, tx, kind),
            *_unclaimed(work, tx, kind),
            *_passed_over(work, tx, kind),
            *(
                finding
                for workflow in workflows
                if kind in (None, workflow.name)
                for finding in _notes_of_nothing(work, tx, workflow, database)
            ),
            *(
                finding
                for workflow in workflows
                if kind in (None, workflow.name)
                for finding in _stages(work, tx, workflow, database)
            ),
        ]


def _asked(
    work: WorkRows,
    tx: Connection,
    sql: str,
    invariant: str,
    problem: str,
    values: dict[str, Any],
    **spans: timedelta,
) -> Iterator[Finding]:
    """Findings from rows of (kind, id, axis, scope, number)."""
    for kind, id, axis, scope, number in work.run(tx, sql, values, **spans).fetchall():
        yield Finding(invariant, kind, str(id), axis, scope, None, problem.format(number))


def _of(kind: str | None) -> str:
    return "" if kind is None else " AND kind = %(kind)s"


def _applied_twice(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    sql = (
        f"SELECT kind, record_id, axis, scope, count(*) FROM interlock_ledger WHERE token IS NOT NULL{_of(kind)} "
        "GROUP BY record_id, kind, axis, scope, token HAVING count(*) > 1"
    )
    return _asked(work, tx, sql, "I3", "one attempt was applied {} times", {"kind": kind})


def _unlike_an_attempt(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    """Entries that name an attempt although no coordinator made them, or whose token is none."""
    sql = (
        "SELECT kind, record_id, axis, scope, version FROM interlock_ledger WHERE token IS NOT NULL "
        f"AND (actor <> '{APPLIER}' OR length(token) <> 32){_of(kind)}"
    )
    return _asked(
        work, tx, sql, "I3", "version {} names an attempt, and no coordinator applied one", {"kind": kind}
    )


def _unnumbered(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    """Gates whose verdicts of a record are not numbered from one on without a gap: some were removed or put between others."""
    sql = (
        f"SELECT kind, record_id, axis, scope, gate FROM interlock_gate_verdict WHERE number IS NOT NULL{_of(kind)} "
        "GROUP BY kind, record_id, axis, scope, gate HAVING count(*) <> max(number) OR min(number) <> 1"
    )
    return _asked(work, tx, sql, "I6", "the verdicts of gate {} are not numbered from one on", {"kind": kind})


def _unanswered(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    if kind is None:
        sql = "SELECT actor, key, '', '', 0 FROM interlock_command WHERE answer IS NULL"
        yield from _asked(work, tx, sql, "I6", "its key was taken, and the command never answered", {})
    sql = f"SELECT kind, record_id, axis, scope, attempt FROM interlock_work WHERE reported_at < LATER(grace){_of(kind)}"
    yield from _asked(
        work, tx, sql, "I7", "attempt {} was reported, and nobody applies it", {"kind": kind}, grace=-GRACE
    )


def _unclaimed(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    """What no runner does: a report of work that nobody had claimed, and a lease that outlasts every beat."""
    named = {"kind": kind}
    sql = "SELECT kind, record_id, axis, scope, attempt FROM interlock_work WHERE"
    yield from _asked(
        work,
        tx,
        f"{sql} reported_at IS NOT NULL AND claimed_by IS NULL{_of(kind)}",
        "I4",
        "attempt {} was reported, and nobody had claimed it",
        named,
    )
    yield from _asked(
        work,
        tx,
        f"{sql} claimed_by IS NOT NULL AND lease_until IS NULL AND reported_at IS NULL{_of(kind)}",
        "I10",
        "attempt {} was claimed without an end",
        named,
    )
    yield from _asked(
        work,
        tx,
        f"{sql} (lease_until > LATER(longest) OR claimed_at > LATER(longest)){_of(kind)}",
        "I10",
        "the lease of attempt {} ends more than a day from now",
        named,
        longest=LONGEST,
    )


def _passed_over(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    """Operations that went past records without an answer for them, and ticks of schedules that lie ahead: none before them will run."""
    narrowed = "" if kind is None else " AND o.kind = %(kind)s"
    sql = (
        "SELECT o.kind, o.id, o.axis, o.scope, count(*) FROM interlock_operation o JOIN interlock_operation_item i ON i.operation = o.id "
        f"WHERE i.number <= o.reached AND i.outcome IS NULL{narrowed} GROUP BY o.kind, o.id, o.axis, o.scope"
    )
    yield from _asked(
        work, tx, sql, "I7", "the operation went past {} of its records without an answer", {"kind": kind}
    )
    sql = f"SELECT kind, schedule, '', '', attempt FROM interlock_schedule_run WHERE tick > LATER(longest){_of(kind)}"
    yield from _asked(
        work,
        tx,
        sql,
        "I5",
        "the schedule has a run that lies more than a day ahead, and will have none before it",
        {"kind": kind},
        longest=LONGEST,
    )


def _notes_of_nothing(
    work: WorkRows, tx: Connection, workflow: Workflow, database: Database
) -> Iterator[Finding]:
    """Notes of writes past Interlock about rows that are there and were never adopted: triggers note those of adopted rows only."""
    for axis in workflow.axes.values():
        if axis.adopt is None or axis.scoped:
            continue
        place = Placement(workflow, axis, database.dialect)
        sql = (
            "SELECT s.kind, s.record_id, s.axis, s.scope, s.position FROM interlock_stray s WHERE s.kind = %(kind)s AND s.axis = %(axis)s "
            f"AND s.removed = 0 AND EXISTS (SELECT 1 FROM {place.table_sql} WHERE {_keyed(place, 's.record_id')}s.record_id = "
            f"CAST({place.qualified(place.key_sql)} AS text) AND {place.qualified(place.version_sql)} IS NULL)"
        )
        yield from _asked(
            work,
            tx,
            sql,
            "I7",
            "note {} is of a write past Interlock, and the row was never adopted",
            {"kind": workflow.name, "axis": axis.name},
        )


def _overdue(work: WorkRows, tx: Connection, kind: str | None) -> Iterator[Finding]:
    yield from _asked(
        work,
        tx,
        "SELECT kind, record_id, axis, scope, attempt FROM interlock_work WHERE reported_at IS NULL AND recheck_at < LATER(patience)"
        f"{_of(kind)}",
        "I10",
        "attempt {} was asked about, and nobody ends it",
        {"kind": kind},
        patience=-PATIENCE,
    )
    sql = (
        f"SELECT kind, record_id, axis, scope, attempt FROM interlock_work WHERE reported_at IS NULL AND lease_until < LATER(grace)"
        f"{_of(kind)}"
    )
    yield from _asked(
        work,
        tx,
        sql,
        "I10",
        "the lease of attempt {} ran out, and nobody ends it",
        {"kind": kind},
        grace=-GRACE,
    )


def _stages(work: WorkRows, tx: Connection, workflow: Workflow, database: Database) -> Iterator[Finding]:
    held = held_axes(tx, [workflow])
    for stage in workflow.stages.values():
        is_held = (workflow.name, stage.axis) in held  # the team's own workers are at it
        place = Placement(workflow, workflow.axes[stage.axis], database.dialect)
        queue = Queue(work, workflow, stage, place)
        named = {
            "kind": workflow.name,
            "axis": place.name,
            "stage": f"{workflow.name}.{stage.name}",
            "created": f"{workflow.noun}.created",
        }
        yield from _asked(
            work,
            tx,
            _not_current(queue),
            "I4",
            "attempt {} is open, and is not the record's current one",
            named,
        )
        if stage.running is not None and not is_held:
            yield from _asked(
                work, tx, _idle(queue), "I5", "it runs, and nobody works on it", named, grace=-GRACE
            )
        if not queue.conditions() and not is_held:
            yield from _asked(
                work, tx, _unseen(queue), "I5", "it waits, and nothing will take it up", named, grace=-GRACE
            )
        yield from _asked(
            work,
            tx,
            _put_off(queue),
            "I5",
            "it waits for longer than any stage can ask for",
            named,
            longest=LONGEST_SPAN + LONGEST,
        )
        if stage.deadline is not None:
            sql = (
                "SELECT kind, record_id, axis, scope, attempt FROM interlock_work WHERE stage = %(stage)s AND reported_at IS NULL "
                "AND claimed_at < LATER(deadline)"
            )
            yield from _asked(
                work,
                tx,
                sql,
                "I10",
                "attempt {} is past its deadline, and nobody ends it",
                named,
                deadline=-(stage.deadline + GRACE),
            )


class Resting(NamedTuple):
    """How many records rest with an error in a stage's running state."""

    kind: str
    stage: str
    state: str
    number: int


def resting(database: Database, clock: Clock, workflows: Sequence[Workflow]) -> list[Resting]:
    """What failed in a stage that has a running state and no failed one: it stays there with its error until somebody retries it."""
    work, found = WorkRows(database, clock), []
    with database.read() as tx:
        for workflow in workflows:
            for stage in workflow.stages.values():
                axis = workflow.axes[stage.axis]
                if (
                    stage.running is None
                    or stage.failed is not None
                    or stage.terminal is not None
                    or not axis.has("error_code")
                ):
                    continue
                queue = Queue(work, workflow, stage, Placement(workflow, axis, database.dialect))
                _, mine = _row(queue)
                status = queue.is_one_of(queue.place.qualified(queue.place.status_sql), (stage.running,))
                sql = (
                    f"SELECT count(*) FROM {queue.place.table_sql} WHERE {status} AND {queue.column('error_code')} IS NOT NULL "
                    f"AND NOT EXISTS (SELECT 1 FROM interlock_work w WHERE {mine})"
                )
                number = work.run(tx, sql, {"kind": workflow.name, "axis": axis.name}).fetchone()[0]
                if number:
                    found.append(Resting(workflow.name, stage.name, stage.running, int(number)))
    return found


class Unserved(NamedTuple):
    """How many records have been due for a stage that no living runner serves."""

    kind: str
    stage: str
    number: int


def unserved(database: Database, clock: Clock, workflows: Sequence[Workflow]) -> list[Unserved]:
    """Stages that are not paused, have had something to do for longer than the grace, and are served by nobody."""
    work, found = WorkRows(database, clock), []
    with database.read() as tx:
        held = held_axes(tx, workflows)
        served = {name for one in runners.alive(work, tx) if not one.stopping for name in one.stages}
        paused = {(one.kind, one.stage) for one in stages.paused(work, tx)}
        for workflow in workflows:
            for stage in workflow.stages.values():
                name = f"{workflow.name}.{stage.name}"
                if (
                    name in served
                    or (workflow.name, stage.name) in paused
                    or (workflow.name, stage.axis) in held
                ):
                    continue
                place = Placement(workflow, workflow.axes[stage.axis], database.dialect)
                queue = Queue(work, workflow, stage, place)
                status = queue.is_one_of(place.qualified(place.status_sql), stage.waiting)
                sql = (
                    f"SELECT (SELECT count(*) FROM {place.table_sql} WHERE {status} AND {queue.column('ready_at')} < LATER(grace)) + "
                    "(SELECT count(*) FROM interlock_work WHERE stage = %(stage)s AND reported_at IS NULL AND claimed_by IS NULL "
                    "AND available_at < LATER(grace))"
                )
                number = int(work.run(tx, sql, {"stage": name}, grace=-GRACE).fetchone()[0])
                if number:
                    found.append(Unserved(workflow.name, stage.name, number))
    return found


def _keyed(place: Placement, id: str) -> str:
    """What finds the row of an id by its key where a comparison as text alone would read the whole table."""
    return sql_of(place.dialect).history.keyed(place.qualified(place.key_sql), place.key_type, id)


def _row(queue: Queue) -> tuple[str, str]:
    """A row's columns as findings want them, and what makes a work row its own."""
    place = queue.place
    scope = place.qualified(place.scope_sql) if place.scope_sql else "''"
    key = f"CAST({place.qualified(place.key_sql)} AS text)"
    mine = f"w.record_id = {key} AND w.kind = %(kind)s AND w.axis = %(axis)s AND w.scope = {scope}"
    return f"%(kind)s, {key}, %(axis)s, {scope}, 0", mine


def _not_current(queue: Queue) -> str:
    """Attempts whose record is gone, is elsewhere, or has a later attempt."""
    stage, place = queue.stage, queue.place
    starts = stage.waiting if stage.running is None else (stage.running,)
    _, mine = _row(queue)
    current = f"{queue.is_one_of(place.qualified(place.status_sql), starts)} AND {queue.column('attempt')} = w.attempt"
    return (
        "SELECT w.kind, w.record_id, w.axis, w.scope, w.attempt FROM interlock_work w WHERE w.stage = %(stage)s AND NOT EXISTS "
        f"(SELECT 1 FROM {place.table_sql} WHERE {_keyed(place, 'w.record_id')}{mine} AND {current})"
    )


def _idle(queue: Queue) -> str:
    """Records that run without a work row; what rests in its running state has an error, and no other state to fail to. A person or a rule
    may move a record there, and a sweep begins its work within the grace; what a coordinator began or went on with has its work row from
    the beginning."""
    stage, place = queue.stage, queue.place
    scope = place.qualified(place.scope_sql) if place.scope_sql else "''"
    dispatched = (
        f"EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = CAST({place.qualified(place.key_sql)} AS text) "
        f"AND l.kind = %(kind)s AND l.axis = %(axis)s AND l.scope = {scope} AND l.version = {place.qualified(place.version_sql)} "
        f"AND l.actor = '{APPLIER}' AND (l.cause IN ('{APPLIER}', %(created)s) OR l.from_state = l.to_state))"
    )
    columns, mine = _row(queue)
    rests = stage.failed is None and stage.terminal is None and queue.axis.has("error_code")
    calm = f" AND {queue.column('error_code')} IS NULL" if rests else ""
    return (
        f"SELECT {columns} FROM {place.table_sql} WHERE {queue.is_one_of(place.qualified(place.status_sql), (stage.running,))}{calm} "
        f"AND NOT EXISTS (SELECT 1 FROM interlock_work w WHERE {mine}) AND ({queue.column('since')} < LATER(grace) OR {dispatched})"
        f"{_unnoted(place)}"
    )


def _put_off(queue: Queue) -> str:
    """Records that wait until a date that no stage can have asked for."""
    columns, _ = _row(queue)
    status = queue.is_one_of(queue.place.qualified(queue.place.status_sql), queue.stage.waiting)
    return f"SELECT {columns} FROM {queue.place.table_sql} WHERE {status} AND {queue.column('ready_at')} > LATER(longest)"


def _unseen(queue: Queue) -> str:
    """Records that wait without a date, although neither an error nor any condition keeps them."""
    stage, place = queue.stage, queue.place
    columns, mine = _row(queue)
    calm = f" AND {queue.column('error_code')} IS NULL" if queue.axis.has("error_code") else ""
    status = queue.is_one_of(place.qualified(place.status_sql), (stage.declared_waiting,))
    return (
        f"SELECT {columns} FROM {place.table_sql} WHERE {status}{calm} AND {queue.column('version')} IS NOT NULL "
        f"AND {queue.column('ready_at')} IS NULL AND {queue.column('since')} < LATER(grace) "
        f"AND NOT EXISTS (SELECT 1 FROM interlock_work w WHERE {mine}){_unnoted(place)}"
    )


def _unnoted(place: Placement) -> str:
    """No write past Interlock is noted that has no entry yet: the next sweep enters it, and then the record is where its row says."""
    if place.axis.adopt is None or place.scope_sql:
        return ""
    return (
        f" AND NOT EXISTS (SELECT 1 FROM interlock_stray s WHERE s.record_id = CAST({place.qualified(place.key_sql)} AS text) "
        "AND s.kind = %(kind)s AND s.axis = %(axis)s AND s.version IS NULL)"
    )
