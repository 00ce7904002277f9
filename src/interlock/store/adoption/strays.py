"""Writes past Interlock, while a table is being adopted: whether some have no entry yet, and when the last one came."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select

from ..placement import Placement
from ..tables import stray

KEPT = timedelta(days=1)
"""How long a write past Interlock is remembered after it got its entry."""


def open_strays(place: Placement) -> list[Any]:
    """Conditions: writes of this axis that have no entry yet."""
    return [stray.c.kind == place.kind, stray.c.axis == place.name, stray.c.version.is_(None)]


def has_open_strays(tx: Connection, place: Placement) -> bool:
    """Whether some write past Interlock of this axis has no entry yet."""
    return tx.execute(select(stray.c.position).where(*open_strays(place)).limit(1)).first() is not None


def newest_stray(tx: Connection, place: Placement) -> datetime | None:
    """When the last write past Interlock came."""
    asked = select(stray.c.at).where(stray.c.kind == place.kind, stray.c.axis == place.name)
    newest: datetime | None = tx.execute(asked.order_by(stray.c.at.desc()).limit(1)).scalar()
    return newest


def forget_strays(tx: Connection, place: Placement, now: datetime) -> None:
    """Remove what got its entry long ago."""
    mine = (stray.c.kind == place.kind, stray.c.axis == place.name)
    tx.execute(delete(stray).where(*mine, stray.c.version.is_not(None), stray.c.at < now - KEPT))
