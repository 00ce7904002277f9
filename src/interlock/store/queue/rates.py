"""Politeness per key: when each key of a stage may be begun again. A row exists only while its key has to wait; no row means free.

The rows are the same for all coordinators, so the rate holds across them; instants are the database's own.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import Connection

from ...workflow.columns.instant import instant_of
from ..work.rows import WorkRows

REFRESHED = 0.75
"""A key whose attempt no runner has claimed yet is held again once less than this share of its spacing is left."""


def claim_keys(
    work: WorkRows, tx: Connection, kind: str, stage: str, keys: Collection[str], spacing: timedelta
) -> set[str]:
    """Take the turn of each key that is free, until one spacing from now; the keys that were. Another coordinator that wants the same key
    waits for this transaction, and then does not get it."""
    return _hold(work, tx, kind, stage, keys, "interlock_rate.free_at <= NOW", spacing=spacing)


def hold_keys(
    work: WorkRows, tx: Connection, kind: str, stage: str, keys: Collection[str], spacing: timedelta
) -> None:
    """Count the spacing of these keys from now on: their attempts were issued, and nobody has begun them."""
    _hold(
        work,
        tx,
        kind,
        stage,
        keys,
        "interlock_rate.free_at < LATER(refreshed)",
        spacing=spacing,
        refreshed=spacing * REFRESHED,
    )


def _hold(
    work: WorkRows,
    tx: Connection,
    kind: str,
    stage: str,
    keys: Collection[str],
    where: str,
    **spans: timedelta,
) -> set[str]:
    if not keys:
        return set()
    rows = work.run(
        tx,
        "INSERT INTO interlock_rate(kind, stage, key, free_at) "
        f"SELECT %(kind)s, %(stage)s, value, LATER(spacing) FROM {work.sql.each('keys')} "
        "WHERE true ORDER BY value ON CONFLICT (kind, stage, key) "
        f"DO UPDATE SET free_at = excluded.free_at WHERE {where} RETURNING key",
        {"kind": kind, "stage": stage, "keys": sorted(keys)},
        **spans,
    ).fetchall()
    return {row[0] for row in rows}


def release_keys(work: WorkRows, tx: Connection, kind: str, stage: str, keys: Collection[str]) -> None:
    """Give back turns that this transaction claimed and did not use."""
    if keys:
        work.run(
            tx,
            "DELETE FROM interlock_rate WHERE kind = %(kind)s AND stage = %(stage)s "
            f"AND {work.among('key', 'keys')}",
            {"kind": kind, "stage": stage, "keys": sorted(keys)},
        )


def busy_keys(work: WorkRows, tx: Connection, kind: str, stage: str, keys: Collection[str]) -> set[str]:
    """Those of the keys that have to wait."""
    if not keys:
        return set()
    rows = work.run(
        tx,
        "SELECT key FROM interlock_rate WHERE kind = %(kind)s AND stage = %(stage)s AND free_at > NOW "
        f"AND {work.among('key', 'keys')}",
        {"kind": kind, "stage": stage, "keys": sorted(keys)},
    ).fetchall()
    return {row[0] for row in rows}


def forget_free_keys(work: WorkRows, tx: Connection, limit: int) -> int:
    """Remove rows of keys that are free, which mean nothing any more; how many."""
    return int(
        work.run(
            tx,
            "DELETE FROM interlock_rate WHERE (kind, stage, key) IN (SELECT kind, stage, key FROM interlock_rate "
            f"WHERE free_at <= NOW ORDER BY free_at LIMIT %(limit)s{work.locked(skip=True)})",
            {"limit": limit},
        ).rowcount
    )


def free_at(work: WorkRows, tx: Connection, kind: str, stage: str, key: str) -> datetime | None:
    """When a key that has to wait is free; None where it is free now."""
    row = work.run(
        tx,
        "SELECT free_at FROM interlock_rate WHERE kind = %(kind)s AND stage = %(stage)s AND key = %(key)s "
        "AND free_at > NOW",
        {"kind": kind, "stage": stage, "key": key},
    ).fetchone()
    return None if row is None else instant_of(row[0])
