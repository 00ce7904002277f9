"""What happened how often, per stage: one row per batch, folded now and then, so that no row is hot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from ..connect import driver_connection
from .rows import WorkRows

Key = tuple[str, str, str, str]
"""(kind, stage, scope, what)"""
_TIMER, _SCHEDULE = "timer ", "schedule "
"""Before the name of an axis or of a schedule, where that is counted; no stage has a name with a blank."""


def timer_key(kind: str, axis: str, scope: str, what: str) -> Key:
    """The name under which the moves of an axis's timers are counted."""
    return kind, f"{_TIMER}{axis}", scope, what


def schedule_key(kind: str, schedule: str, what: str) -> Key:
    """The name under which the runs of a schedule are counted."""
    return kind, f"{_SCHEDULE}{schedule}", "", what


def timer_axis(stage: str) -> str | None:
    """The axis whose timers are counted under this name; None where it is not about timers."""
    return stage.removeprefix(_TIMER) if stage.startswith(_TIMER) else None


def schedule_name(stage: str) -> str | None:
    """The schedule whose runs are counted under this name; None where it is not about schedules."""
    return stage.removeprefix(_SCHEDULE) if stage.startswith(_SCHEDULE) else None


def keep(work: WorkRows, tx: Connection, counted: Mapping[Key, int]) -> None:
    """Add to the tallies."""
    rows = [(*key, number) for key, number in counted.items() if number]
    if not rows:
        return
    mark = work.sql.mark
    listed = ", ".join(f"({', '.join([mark] * 5)})" for _ in rows)
    driver_connection(tx).execute(
        f"INSERT INTO interlock_tally(kind, stage, scope, what, delta) VALUES {listed}",
        [value for row in rows for value in row],
    )


def fold(work: WorkRows, tx: Connection) -> None:
    """Add rows of the same name together; those that commit meanwhile stay apart until the next time. Nothing is written for nothing."""
    rows, names = (
        driver_connection(tx)
        .execute(
            "SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT kind, stage, scope, what FROM interlock_tally) names) "
            "FROM interlock_tally"
        )
        .fetchone()
    )
    if rows == names:
        return
    rows = (
        driver_connection(tx)
        .execute(f"{work.sql.delete_unlocked('interlock_tally')} RETURNING kind, stage, scope, what, delta")
        .fetchall()
    )
    total: Counter[Any] = Counter()
    for *key, delta in rows:
        total[tuple(key)] += delta
    keep(work, tx, total)


def totals(work: WorkRows, tx: Connection) -> dict[Key, int]:
    """Everything that was ever counted."""
    rows = work.run(
        tx,
        "SELECT kind, stage, scope, what, sum(delta) FROM interlock_tally GROUP BY kind, stage, scope, what",
        {},
    ).fetchall()
    return {(row[0], row[1], row[2], row[3]): int(row[4]) for row in rows}
