"""What work leaves behind: the state and the entries of a record, work rows, verdicts and counts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, text

from interlock.store.tables import verdict
from interlock.store.work import outcome_counts
from interlock.testing import Sandbox


def state(box: Sandbox, id: str, kind: str = "jobs", axis: str = "status") -> Any:
    return box.get(kind, id)[axis]


def moves(box: Sandbox, id: Any, kind: str = "jobs", **where: Any) -> list[tuple[Any, Any, Any]]:
    """(from, to, cause) of each entry."""
    return [(move.old, move.new, move.cause) for move in box.ledger.history(kind, id, **where)]


def work_rows(box: Any) -> list[dict[str, Any]]:
    with box.database.read() as tx:
        return [
            dict(row) for row in tx.execute(text("SELECT * FROM interlock_work ORDER BY position")).mappings()
        ]


def said_of(box: Any, id: str, kind: str = "jobs") -> list[tuple[str, str]]:
    """(verdict, code) of everything that was not applied to a record, oldest first."""
    asked = (
        select(verdict).where(verdict.c.kind == kind, verdict.c.record_id == id).order_by(verdict.c.position)
    )
    with box.database.read() as tx:
        return [(row.verdict, row.code) for row in tx.execute(asked)]


def counted(box: Sandbox, what: str, kind: str = "jobs", stage: str = "work") -> int:
    """How often something happened to a stage, in all scopes."""
    with box.database.read() as tx:
        found = outcome_counts.totals(box.coordinates.work, tx)
    return sum(number for key, number in found.items() if (key[0], key[1], key[3]) == (kind, stage, what))
