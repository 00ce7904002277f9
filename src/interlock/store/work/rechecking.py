"""Questions about overdue work, kept on the work row itself: asked by coordinators, answered by runners."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection

from .attempts import COLUMNS, Attempt
from .rows import WorkRows


def ask(work: WorkRows, tx: Connection, positions: Sequence[int]) -> int:
    """Ask about those that were not asked about yet; how many."""
    return int(
        work.run(
            tx,
            "UPDATE interlock_work SET recheck_at = NOW WHERE recheck_at IS NULL "
            f"AND {work.among('position', 'positions', 'bigint')}",
            {"positions": list(positions)},
        ).rowcount
    )


def over(work: WorkRows, tx: Connection, positions: Sequence[int], patience: timedelta) -> set[int]:
    """Those that were answered with no, or not at all for so long."""
    rows = work.run(
        tx,
        f"SELECT position FROM interlock_work WHERE {work.among('position', 'positions', 'bigint')} "
        f"AND (rechecked_by IS NOT NULL OR recheck_at < LATER(patience))",
        {"positions": list(positions)},
        patience=-patience,
    ).fetchall()
    return {row[0] for row in rows}


def question(work: WorkRows, tx: Connection, stages: Sequence[str]) -> list[Attempt]:
    """The oldest question of these stages that nobody else is answering, locked."""
    rows = work.run(
        tx,
        f"SELECT {', '.join(COLUMNS)} FROM interlock_work WHERE recheck_at IS NOT NULL AND rechecked_by IS NULL "
        f"AND reported_at IS NULL AND {work.among('stage', 'stages')} ORDER BY position LIMIT 1{work.locked(skip=True)}",
        {"stages": list(stages)},
    ).fetchall()
    return [Attempt._make(row) for row in rows]


def answered(work: WorkRows, tx: Connection, attempt: Attempt, runner: str) -> None:
    """Somebody has looked."""
    work.run(
        tx,
        "UPDATE interlock_work SET rechecked_by = %(runner)s WHERE position = %(position)s AND token = %(token)s",
        {"runner": runner, "position": attempt.position, "token": attempt.token},
    )
