"""Gate verdicts: each run of each gate for each version of a record; the newest one of a gate counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from .entry import canonical
from .tables import gate_verdict as verdicts


def record(tx: Connection, kind: str, record_id: str, axis: str, scope: str, version: int, gate: str, *, passed: bool, actor: str,
           at: datetime, reason: str | None = None, details: Any = None, duration_ms: int | None = None) -> int:
    """Keep one verdict; its number continues where the last run of this gate stopped."""
    where = (verdicts.c.kind == kind, verdicts.c.record_id == record_id, verdicts.c.axis == axis, verdicts.c.scope == scope,
             verdicts.c.gate == gate)
    number = (tx.execute(select(func.max(verdicts.c.number)).where(*where)).scalar() or 0) + 1
    tx.execute(insert(verdicts).values(
        kind=kind, record_id=record_id, axis=axis, scope=scope, version=version, gate=gate, number=number, passed=passed, reason=reason,
        details=canonical(details or {}), duration_ms=duration_ms, actor=actor, at=at))
    return number


def latest(tx: Connection, kind: str, axis: str, scope: str, record_ids: Sequence[str]) -> dict[tuple[str, int, str], Any]:
    """The newest verdict by (record id, version, gate)."""
    found: dict[tuple[str, int, str], Any] = {}
    for start in range(0, len(record_ids), 500):
        asked = select(verdicts).where(verdicts.c.kind == kind, verdicts.c.axis == axis, verdicts.c.scope == scope,
                                       verdicts.c.record_id.in_(list(record_ids[start:start + 500])))
        for row in tx.execute(asked.order_by(verdicts.c.number)):
            found[row.record_id, row.version, row.gate] = row
    return found
