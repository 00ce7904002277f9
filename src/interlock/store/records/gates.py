"""Gate verdicts: each run of each gate for each version of a record; the newest one of a gate counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select

from ...workflow.columns.instant import instant_text
from ..contract import Engine
from ..entry import canonical
from ..tables import gate_verdict as verdicts


def record(
    tx: Connection,
    kind: str,
    record_id: str,
    axis: str,
    scope: str,
    version: int,
    gate: str,
    *,
    passed: bool,
    actor: str,
    at: datetime,
    reason: str | None = None,
    details: Any = None,
    duration_ms: int | None = None,
) -> int:
    """Keep one verdict; its number continues where the last run of this gate stopped."""
    where = (
        verdicts.c.kind == kind,
        verdicts.c.record_id == record_id,
        verdicts.c.axis == axis,
        verdicts.c.scope == scope,
        verdicts.c.gate == gate,
    )
    number = (tx.execute(select(func.max(verdicts.c.number)).where(*where)).scalar() or 0) + 1
    tx.execute(
        insert(verdicts).values(
            kind=kind,
            record_id=record_id,
            axis=axis,
            scope=scope,
            version=version,
            gate=gate,
            number=number,
            passed=passed,
            reason=reason,
            details=canonical(details or {}),
            duration_ms=duration_ms,
            actor=actor,
            at=at,
        )
    )
    return number


_COLUMNS = {
    "kind": "text",
    "record_id": "text",
    "axis": "text",
    "scope": "text",
    "version": "integer",
    "gate": "text",
    "number": "integer",
    "passed": "boolean",
    "reason": "text",
    "details": "text",
    "duration_ms": "integer",
    "actor": "text",
    "at": "timestamptz",
}


class GateVerdict(NamedTuple):
    """What one gate said of one version of a record."""

    record_id: str
    version: int
    gate: str
    passed: bool
    reason: str | None
    details: Any
    duration_ms: int | None
    actor: str


def record_many(
    engine: Engine,
    tx: Connection,
    kind: str,
    axis: str,
    scope: str,
    given: Sequence[GateVerdict],
    at: datetime,
) -> None:
    """Keep the verdicts of a batch; each gate's numbers continue where its last run for the record stopped."""
    if not given:
        return
    numbers: dict[tuple[str, str], int] = {}
    ids = sorted({one.record_id for one in given})
    for start in range(0, len(ids), 500):
        asked = select(verdicts.c.record_id, verdicts.c.gate, func.max(verdicts.c.number)).where(
            verdicts.c.kind == kind,
            verdicts.c.axis == axis,
            verdicts.c.scope == scope,
            verdicts.c.record_id.in_(ids[start : start + 500]),
        )
        numbers |= {
            (row[0], row[1]): row[2]
            for row in tx.execute(asked.group_by(verdicts.c.record_id, verdicts.c.gate))
        }
    rows = []
    for one in given:
        number = numbers[one.record_id, one.gate] = numbers.get((one.record_id, one.gate), 0) + 1
        rows.append(
            (
                kind,
                one.record_id,
                axis,
                scope,
                one.version,
                one.gate,
                number,
                one.passed,
                one.reason,
                canonical(one.details or {}),
                one.duration_ms,
                one.actor,
                instant_text(at),
            )
        )
    engine.insert_rows(tx, "interlock_gate_verdict", _COLUMNS, rows)


def newest(tx: Connection, kind: str, axis: str, scope: str, record_id: str) -> dict[str, Any]:
    """The newest verdict of each gate of one record, whatever version it was for, by the gate's name."""
    asked = select(verdicts.c.gate, verdicts.c.version, verdicts.c.passed, verdicts.c.reason).where(
        verdicts.c.kind == kind,
        verdicts.c.axis == axis,
        verdicts.c.scope == scope,
        verdicts.c.record_id == record_id,
    )
    return {row.gate: row for row in tx.execute(asked.order_by(verdicts.c.number))}


def latest(
    tx: Connection, kind: str, axis: str, scope: str, record_ids: Sequence[str]
) -> dict[tuple[str, int, str], Any]:
    """The newest verdict by (record id, version, gate)."""
    found: dict[tuple[str, int, str], Any] = {}
    for start in range(0, len(record_ids), 500):
        asked = select(verdicts).where(
            verdicts.c.kind == kind,
            verdicts.c.axis == axis,
            verdicts.c.scope == scope,
            verdicts.c.record_id.in_(list(record_ids[start : start + 500])),
        )
        for row in tx.execute(asked.order_by(verdicts.c.number)):
            found[row.record_id, row.version, row.gate] = row
    return found
