"""Stages that somebody or something has paused, and when rationed stages were last dispatched: one small row per stage and scope."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from ...workflow.columns.instant import instant_of, instant_text
from ..work.rows import HOLDS, WorkRows


@dataclass(frozen=True)
class Pause:
    """A stage that is not dispatched, who said so, and until when."""

    kind: str
    stage: str
    scope: str
    until: datetime | None
    reason: str | None
    actor: str | None
    at: datetime | None


def pause(
    work: WorkRows,
    tx: Connection,
    kind: str,
    stage: str,
    scope: str,
    *,
    until: datetime | None,
    reason: str,
    actor: str,
    at: datetime,
) -> None:
    """Stop dispatching and claiming; for ever, or until an instant. A pause is not shortened by another one: it holds until its end, or a
    resume. Work that was issued and that no runner has claimed stays as it is, costs no try, and gives its slots to others meanwhile."""
    work.run(
        tx,
        "INSERT INTO interlock_stage(kind, stage, scope, paused, until, reason, actor, at) "
        "VALUES (%(kind)s, %(stage)s, %(scope)s, 1, %(until)s, %(reason)s, %(actor)s, %(at)s) ON CONFLICT (kind, stage, scope) "
        "DO UPDATE SET paused = 1, reason = excluded.reason, actor = excluded.actor, at = excluded.at, until = excluded.until "
        "WHERE interlock_stage.paused = 0 OR excluded.until IS NULL OR excluded.until >= interlock_stage.until",
        {
            "kind": kind,
            "stage": stage,
            "scope": scope,
            "until": None if until is None else work.timing.bound(until),
            "reason": reason,
            "actor": actor,
            "at": work.timing.bound(at),
        },
    )
    unclaimed = (
        "SELECT position FROM interlock_work WHERE stage = %(name)s AND (%(scope)s = '' OR scope = %(scope)s) "
        "AND claimed_by IS NULL "
        f"AND reported_at IS NULL AND (slot IS NOT NULL OR key_slot IS NOT NULL){work.locked(skip=True)}"
    )
    work.run(
        tx,
        f"UPDATE interlock_work SET slot = NULL, key_slot = NULL WHERE position IN ({unclaimed})",
        {"name": f"{kind}.{stage}", "scope": scope},
    )


def resume(work: WorkRows, tx: Connection, kind: str, stage: str, scope: str | None) -> int:
    """Dispatch again, in one scope or in all; how many pauses ended."""
    chosen = "" if scope is None else " AND scope = %(scope)s"
    return int(
        work.run(
            tx,
            "UPDATE interlock_stage SET paused = 0, until = NULL WHERE kind = %(kind)s AND stage = %(stage)s "
            f"AND paused = 1{chosen}",
            {"kind": kind, "stage": stage, "scope": scope},
        ).rowcount
    )


def paused(work: WorkRows, tx: Connection) -> list[Pause]:
    """Every pause that holds now."""
    rows = work.run(
        tx,
        "SELECT kind, stage, scope, until, reason, actor, at FROM interlock_stage "
        f"WHERE {HOLDS} ORDER BY kind, stage, scope",
        {},
    ).fetchall()
    return [
        Pause(row[0], row[1], row[2], instant_of(row[3]), row[4], row[5], instant_of(row[6])) for row in rows
    ]


def ration(
    work: WorkRows, tx: Connection, kind: str, stage: str, rate: tuple[int, timedelta], now: datetime
) -> int:
    """How many more may be dispatched now: never more than the rate's count in any window of its length. The row stays locked, so the
    answer holds across coordinators until this transaction ends."""
    work.run(
        tx,
        "INSERT INTO interlock_stage(kind, stage) VALUES (%(kind)s, %(stage)s) ON CONFLICT DO NOTHING",
        {"kind": kind, "stage": stage},
    )
    return rate[0] - len(_recent(work, tx, kind, stage, rate, now))


def room(
    work: WorkRows, tx: Connection, kind: str, stage: str, rate: tuple[int, timedelta], now: datetime
) -> int:
    """How many more its rate lets a stage begin now, read without a lock: for people, not for dispatch."""
    row = work.run(
        tx,
        "SELECT recent FROM interlock_stage WHERE kind = %(kind)s AND stage = %(stage)s AND scope = ''",
        {"kind": kind, "stage": stage},
    ).fetchone()
    since = instant_text(now - rate[1])
    recent: list[str] = json.loads(row[0] if row else "[]")
    return rate[0] - sum(at > since for at in recent)


def _recent(
    work: WorkRows, tx: Connection, kind: str, stage: str, rate: tuple[int, timedelta], now: datetime
) -> list[str]:
    row = work.run(
        tx,
        "SELECT recent FROM interlock_stage WHERE kind = %(kind)s AND stage = %(stage)s AND scope = ''"
        + work.locked(skip=False),
        {"kind": kind, "stage": stage},
    ).fetchone()
    since = instant_text(now - rate[1])
    return [at for at in json.loads(row[0]) if at > since]


def spend(
    work: WorkRows,
    tx: Connection,
    kind: str,
    stage: str,
    rate: tuple[int, timedelta],
    count: int,
    now: datetime,
) -> None:
    """Record that `count` attempts of the stage were dispatched at `now`, for its rate."""
    recent = [*_recent(work, tx, kind, stage, rate, now), *[instant_text(now)] * count]
    work.run(
        tx,
        "UPDATE interlock_stage SET recent = %(recent)s WHERE kind = %(kind)s AND stage = %(stage)s AND scope = ''",
        {"recent": json.dumps(recent), "kind": kind, "stage": stage},
    )
