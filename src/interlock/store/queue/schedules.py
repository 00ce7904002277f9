"""Runs of schedules: a tick is claimed by inserting its row, under a lease; the newest runs are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection

from ..work.rows import HOLDS, WorkRows

KEPT = 100
"""Runs of one schedule that are kept; older ones are removed when one ends."""
Ending = Literal["done", "failed"]
_COLUMNS = (
    "kind, schedule, tick, attempt, token, claimed_by, lease_until, started_at, finished_at, outcome, message"
)
_FREE = (
    f"NOT EXISTS (SELECT 1 FROM interlock_stage WHERE kind = %(kind)s AND stage = %(schedule)s AND {HOLDS})"
)


@dataclass(frozen=True, slots=True)
class ScheduleRun:
    """One tick of a schedule and what came of it. `outcome` is None while it runs, `declared` for the tick at which the schedule was first
    seen and did not run."""

    kind: str
    schedule: str
    tick: datetime
    attempt: int
    token: str
    claimed_by: str | None
    lease_until: datetime | None
    started_at: datetime
    finished_at: datetime | None
    outcome: str | None
    message: str | None

    @property
    def seconds(self) -> float | None:
        """How long it took, or None while it runs."""
        return None if self.finished_at is None else (self.finished_at - self.started_at).total_seconds()


def open_runs(work: WorkRows, tx: Connection) -> list[tuple[ScheduleRun, bool]]:
    """Runs that are not over, each with whether its lease has run out."""
    rows = work.run(
        tx, f"SELECT {_COLUMNS}, lease_until <= NOW FROM interlock_schedule_run WHERE finished_at IS NULL", {}
    ).fetchall()
    return [(_run(work, row[:-1]), bool(row[-1])) for row in rows]


def latest(work: WorkRows, tx: Connection, kind: str, schedule: str, limit: int = 1) -> list[ScheduleRun]:
    """The newest runs of a schedule, newest first."""
    rows = work.run(
        tx,
        f"SELECT {_COLUMNS} FROM interlock_schedule_run WHERE kind = %(kind)s AND schedule = %(schedule)s "
        "ORDER BY tick DESC LIMIT %(limit)s",
        {"kind": kind, "schedule": schedule, "limit": limit},
    ).fetchall()
    return [_run(work, row) for row in rows]


def declare(work: WorkRows, tx: Connection, kind: str, schedule: str, tick: datetime, token: str) -> None:
    """Remember at which tick a schedule was first seen: it runs from the next one on."""
    work.run(
        tx,
        "INSERT INTO interlock_schedule_run(kind, schedule, tick, attempt, token, started_at, finished_at, outcome) VALUES "
        "(%(kind)s, %(schedule)s, %(tick)s, 0, %(token)s, NOW, NOW, 'declared') ON CONFLICT DO NOTHING",
        {"kind": kind, "schedule": schedule, "tick": work.timing.bound(tick), "token": token},
    )


def claim(
    work: WorkRows,
    tx: Connection,
    kind: str,
    schedule: str,
    tick: datetime,
    token: str,
    by: str,
    lease: timedelta,
) -> bool:
    """Claim a tick: only if nobody has this one or a later one, none of the schedule runs, and it is not paused."""
    later = "SELECT 1 FROM interlock_schedule_run r WHERE r.kind = %(kind)s AND r.schedule = %(schedule)s AND r.tick >= %(tick)s"
    done = work.run(
        tx,
        "INSERT INTO interlock_schedule_run(kind, schedule, tick, token, claimed_by, lease_until, started_at) "
        "SELECT %(kind)s, %(schedule)s, %(tick)s, %(token)s, %(by)s, LATER(lease), NOW "
        f"WHERE NOT EXISTS ({later}) AND {_FREE} ON CONFLICT DO NOTHING",
        {"kind": kind, "schedule": schedule, "tick": work.timing.bound(tick), "token": token, "by": by},
        lease=lease,
    )
    return int(done.rowcount) == 1


def take_over(
    work: WorkRows, tx: Connection, lost: ScheduleRun, token: str, by: str, lease: timedelta
) -> bool:
    """Run a tick again whose coordinator was lost: under a new token, so that the old run can no longer end it."""
    done = work.run(
        tx,
        "UPDATE interlock_schedule_run SET attempt = attempt + 1, token = %(token)s, claimed_by = %(by)s, lease_until = LATER(lease), "
        f"started_at = NOW WHERE token = %(lost)s AND finished_at IS NULL AND lease_until <= NOW AND {_FREE}",
        {"kind": lost.kind, "schedule": lost.schedule, "lost": lost.token, "token": token, "by": by},
        lease=lease,
    )
    return int(done.rowcount) == 1


def renew(work: WorkRows, tx: Connection, tokens: Sequence[str], lease: timedelta) -> int:
    """Keep runs for longer; how many were still theirs."""
    done = work.run(
        tx,
        "UPDATE interlock_schedule_run SET lease_until = LATER(lease) WHERE finished_at IS NULL AND "
        + work.among("token", "tokens"),
        {"tokens": list(tokens)},
        lease=lease,
    )
    return int(done.rowcount)


def end(
    work: WorkRows, tx: Connection, run: ScheduleRun, outcome: Ending, message: str | None, kept: int = KEPT
) -> bool:
    """Say what came of a run, and remove the oldest ones; False where somebody else has taken the tick over."""
    done = work.run(
        tx,
        "UPDATE interlock_schedule_run SET finished_at = NOW, outcome = %(outcome)s, message = %(message)s, lease_until = NULL "
        "WHERE token = %(token)s AND finished_at IS NULL",
        {"token": run.token, "outcome": outcome, "message": message},
    )
    same = "kind = %(kind)s AND schedule = %(schedule)s"
    work.run(
        tx,
        f"DELETE FROM interlock_schedule_run WHERE {same} AND finished_at IS NOT NULL AND tick < (SELECT min(tick) FROM "
        f"(SELECT tick FROM interlock_schedule_run WHERE {same} ORDER BY tick DESC LIMIT %(limit)s) newest)",
        {"kind": run.kind, "schedule": run.schedule, "limit": kept},
    )
    return int(done.rowcount) == 1


def _run(work: WorkRows, row: Sequence[Any]) -> ScheduleRun:
    values = list(row)
    if (instant := work.sql.read_instant) is not None:
        for place in (2, 6, 7, 8):
            values[place] = None if values[place] is None else instant(values[place])
    return ScheduleRun(*values)
