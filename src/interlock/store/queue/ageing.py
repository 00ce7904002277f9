"""How old is what waits and what is worked on: read by the index of what is due and by work rows, never by a walk over the records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ...machine import State
from ...workflow import Workflow
from ...workflow.columns.instant import instant_of
from ..placement import Placement
from ..sql import one_of
from ..work.rows import WorkRows

QUANTILES = (0.5, 0.95, 1.0)


def now(work: WorkRows, tx: Connection) -> datetime:
    """The instant that leases go by; all ages of one look are counted from it."""
    value: datetime = instant_of(work.run(tx, "SELECT NOW", {}).fetchone()[0])
    return value


def of_states(
    work: WorkRows, tx: Connection, workflow: Workflow, place: Placement, at: datetime
) -> dict[tuple[str, State], tuple[float, ...]]:
    """By scope and state, the quantiles of how many seconds ago records came there: of those that wait for work of this axis and have a
    date for it, and of those that are worked on. The cost is theirs alone, however many others there are."""
    stages = [stage for stage in workflow.stages.values() if stage.axis == place.name]
    waiting = list(dict.fromkeys(state for stage in stages for state in stage.waiting))
    rows = _rows(work, place, waiting)
    values = {"kind": place.kind, "axis": place.name}
    return work.sql.work.read_ages(work, tx, rows, QUANTILES, values, at)


def _rows(work: WorkRows, place: Placement, waiting: Sequence[State]) -> str:
    """(scope, state, since) of every record that waits or runs."""
    scope = place.qualified(place.scope_sql) if place.scope_sql else "''"
    columns = f"{scope} AS scope, {place.qualified(place.status_sql)} AS state, {place.qualified(place.since_sql)} AS since"
    due = place.qualified(place.quote(place.axis.column_name("ready_at")))
    states = work.sql.escape_percent(one_of(place.qualified(place.status_sql), waiting))
    mine = f" AND {scope} = w.scope" if place.scope_sql else ""
    return (
        f"SELECT {columns} FROM {place.table_sql} WHERE {due} IS NOT NULL AND {states} "
        f"UNION ALL SELECT {columns} FROM interlock_work w JOIN {place.table_sql} "
        f"ON {place.qualified(place.key_sql)} = CAST(w.record_id AS {place.key_type}){mine} "
        f"WHERE w.kind = %(kind)s AND w.axis = %(axis)s AND {due} IS NULL"
    )


class Flow(NamedTuple):
    """The attempts of one stage: how many there are, and how many of them have not reported; since when the oldest waits for a runner, for
    another try, and for its report to be applied."""

    rows: int = 0
    issued: int = 0
    unclaimed_since: datetime | None = None
    retry_since: datetime | None = None
    reported_since: datetime | None = None


def of_attempts(work: WorkRows, tx: Connection, at: datetime) -> dict[tuple[str, str], Flow]:
    """By full name of the stage and scope."""
    free = "reported_at IS NULL AND claimed_by IS NULL AND available_at <= NOW"
    rows = work.run(
        tx,
        "SELECT stage, scope, count(*), sum(CASE WHEN reported_at IS NULL THEN 1 ELSE 0 END), "
        f"min(CASE WHEN {free} THEN available_at END), "
        f"min(CASE WHEN {free} AND started_at IS NOT NULL THEN available_at END), "
        "min(reported_at) FROM interlock_work GROUP BY stage, scope",
        {},
        at,
    ).fetchall()
    return {(row[0], row[1]): Flow(int(row[2]), int(row[3]), *map(instant_of, row[4:])) for row in rows}


def stuck(work: WorkRows, tx: Connection, at: datetime, grace: timedelta) -> dict[str, int]:
    """By stage: attempts that a runner claimed and did not report, whose lease ended longer ago than the grace."""
    return _late(work, tx, "lease_until", at, grace, "true", {})


def overdue(work: WorkRows, tx: Connection, at: datetime, stage: str, deadline: timedelta) -> int:
    """Attempts of a stage that were claimed longer ago than this and did not report."""
    return _late(work, tx, "claimed_at", at, deadline, "stage = %(stage)s", {"stage": stage}).get(stage, 0)


def _late(
    work: WorkRows,
    tx: Connection,
    column: str,
    at: datetime,
    span: timedelta,
    where: str,
    values: dict[str, Any],
) -> dict[str, int]:
    return dict(
        work.run(
            tx,
            f"SELECT stage, count(*) FROM interlock_work WHERE reported_at IS NULL AND {column} < %(since)s AND {where} "
            "GROUP BY stage",
            {**values, "since": work.timing.bound(at - span)},
        ).fetchall()
    )


def late(work: WorkRows, tx: Connection, place: Placement, state: State, before: datetime) -> dict[str, int]:
    """By scope: records that wait or run in a state, and came there before an instant."""
    is_there = "state IS NULL" if state is None else "state = %(state)s"
    rows = _rows(work, place, [state])
    found = work.run(
        tx,
        f"SELECT scope, count(*) FROM ({rows}) AS aged WHERE {is_there} AND since < %(before)s GROUP BY scope",
        {"kind": place.kind, "axis": place.name, "state": state, "before": work.timing.bound(before)},
    )
    return {row[0]: int(row[1]) for row in found.fetchall()}


def arrivals(work: WorkRows, tx: Connection) -> dict[str, int]:
    """By kind: records that stages found and that wait to be admitted."""
    return dict(
        work.run(
            tx, "SELECT kind, CAST(sum(size) AS bigint) FROM interlock_intake GROUP BY kind", {}
        ).fetchall()
    )
