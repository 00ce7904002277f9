"""Runners that have registered: which stages they serve, how much they take, and until when they count as alive."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from ...workflow.columns.instant import instant_of
from ..work.rows import WorkRows

ALIVE = "lease_until > NOW"
"""SQL: a registered runner whose lease is not over."""


@dataclass(frozen=True)
class Registered:
    """A runner as the others see it; its id is its own process's, never a host's name."""

    id: str
    name: str
    stages: tuple[str, ...]
    capacity: int
    started_at: datetime
    beat_at: datetime
    lease_until: datetime
    stopping: bool


def register(
    work: WorkRows,
    tx: Connection,
    id: str,
    name: str,
    stages: Sequence[str],
    capacity: int,
    lease: timedelta,
    *,
    stopping: bool = False,
) -> None:
    """Say that this runner is alive, for one lease."""
    work.run(
        tx,
        "INSERT INTO interlock_runner(id, name, stages, capacity, started_at, beat_at, lease_until, stopping) VALUES (%(id)s, "
        "%(name)s, %(stages)s, %(capacity)s, NOW, NOW, LATER(lease), %(stopping)s) ON CONFLICT (id) DO UPDATE SET "
        "beat_at = excluded.beat_at, lease_until = excluded.lease_until, capacity = excluded.capacity, "
        "stages = excluded.stages, stopping = excluded.stopping",
        {
            "id": id,
            "name": name,
            "stages": json.dumps(list(stages)),
            "capacity": capacity,
            "stopping": int(stopping),
        },
        lease=lease,
    )


def stages_in(stored: str) -> tuple[str, ...]:
    """The stages that a runner says it serves. A runner writes its row itself, so it is untrusted: whatever is no list of names serves
    nothing, and nothing here raises."""
    try:
        found = json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def leave(work: WorkRows, tx: Connection, id: str) -> None:
    work.run(tx, "DELETE FROM interlock_runner WHERE id = %(id)s", {"id": id})


def alive(work: WorkRows, tx: Connection) -> list[Registered]:
    """Those whose lease is not over."""
    rows = work.run(
        tx,
        "SELECT id, name, stages, capacity, started_at, beat_at, lease_until, stopping FROM interlock_runner "
        f"WHERE {ALIVE} ORDER BY started_at, id",
        {},
    ).fetchall()
    return [
        Registered(
            row[0],
            row[1],
            stages_in(row[2]),
            row[3],
            instant_of(row[4]),
            instant_of(row[5]),
            instant_of(row[6]),
            bool(row[7]),
        )
        for row in rows
    ]


def forget_dead(work: WorkRows, tx: Connection, older: timedelta) -> int:
    """Remove what has not been alive for long; what is alive registers anew by itself."""
    return int(
        work.run(
            tx, "DELETE FROM interlock_runner WHERE lease_until < LATER(older)", {}, older=-older
        ).rowcount
    )
