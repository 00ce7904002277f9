"""Coordinators that have registered, and until when they count as alive: for people who ask whether anybody is there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from ...workflow.columns.instant import instant_of
from ..work.rows import WorkRows

LEASE = timedelta(seconds=30)
BEAT_EVERY = LEASE / 4


@dataclass(frozen=True)
class RegisteredCoordinator:
    """A coordinator as others see it; its id is its own process's, never a host's name."""

    id: str
    name: str
    started_at: datetime
    beat_at: datetime
    lease_until: datetime


def register(work: WorkRows, tx: Connection, id: str, name: str, lease: timedelta = LEASE) -> None:
    """Record that this coordinator is alive for one lease; those whose lease ended an hour ago are forgotten."""
    work.run(
        tx,
        "INSERT INTO interlock_coordinator(id, name, started_at, beat_at, lease_until) VALUES (%(id)s, %(name)s, NOW, NOW, "
        "LATER(lease)) ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at, lease_until = excluded.lease_until",
        {"id": id, "name": name},
        lease=lease,
    )
    work.run(
        tx,
        "DELETE FROM interlock_coordinator WHERE lease_until < LATER(older)",
        {},
        older=-timedelta(hours=1),
    )


def leave(work: WorkRows, tx: Connection, id: str) -> None:
    work.run(tx, "DELETE FROM interlock_coordinator WHERE id = %(id)s", {"id": id})


def alive(work: WorkRows, tx: Connection) -> list[RegisteredCoordinator]:
    """Those whose lease is not over, the oldest first."""
    rows = work.run(
        tx,
        "SELECT id, name, started_at, beat_at, lease_until FROM interlock_coordinator WHERE lease_until > NOW "
        "ORDER BY started_at, id",
        {},
    ).fetchall()
    return [RegisteredCoordinator(row[0], row[1], *(instant_of(value) for value in row[2:])) for row in rows]
