"""The recorded answer to a command or report that was not applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from ..tables import verdict


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was asked of which record, by whom, and why it was not done."""

    kind: str
    record_id: str
    axis: str
    scope: str
    source: str
    reference: str | None
    verdict: str
    code: str
    message: str
    wanted: str | None
    actor: str
    at: datetime


def record(tx: Connection, refusals: Sequence[Refusal]) -> None:
    if refusals:
        tx.execute(insert(verdict), [asdict(refusal) for refusal in refusals])


def of(tx: Connection, kind: str, record_id: str, limit: int = 20) -> list[Any]:
    """The newest refusals of one record, newest first."""
    asked = select(verdict).where(verdict.c.record_id == record_id, verdict.c.kind == kind)
    return list(tx.execute(asked.order_by(verdict.c.position.desc()).limit(limit)))


def has_verdict(tx: Connection, kind: str, record_id: str, reference: str) -> bool:
    """Whether a report or command of a record was refused already; that it arrived twice is no answer to what it says."""
    asked = select(verdict.c.position).where(
        verdict.c.record_id == record_id,
        verdict.c.kind == kind,
        verdict.c.reference == reference,
        verdict.c.verdict != "duplicate",
    )
    return tx.execute(asked.limit(1)).first() is not None
