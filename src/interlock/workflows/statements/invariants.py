"""What must hold between an upload and its rows (I8): they are those of one accepted attempt, and the upload's counts equal them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, Table, and_, func, or_, select

from interlock import Invariant

from .tables import observations, transactions, uploads


def invariants() -> list[Invariant]:
    """Asked once the workflow has its tables: the engine has added `status` to uploads by then. While a stage runs, its rows may be saved
    and its report not yet applied, so that the counts follow."""
    parsed = uploads.c.status.not_in(["queued_for_parse", "parsing"])
    normalized = uploads.c.status.not_in(["queued_for_parse", "parsing", "normalizing"])
    return [
        Invariant(
            "I8",
            "observations_count equals the observations of the upload",
            _miscounted(uploads.c.observations_count, observations).where(parsed),
        ),
        Invariant(
            "I8",
            "canonicals_count equals the transactions of the upload",
            _miscounted(uploads.c.canonicals_count, transactions).where(normalized),
        ),
        Invariant("I8", "the observations of an upload are those of one attempt", _mixed(observations)),
        Invariant("I8", "the transactions of an upload are those of one attempt", _mixed(transactions)),
    ]


def _miscounted(count: Any, rows: Table) -> Select[Any]:
    """Uploads whose count is not the number of their rows."""
    number = (
        select(func.count())
        .select_from(rows)
        .where(rows.c.upload_id == uploads.c.upload_id)
        .correlate(uploads)
        .scalar_subquery()
    )
    return select(uploads.c.upload_id).where(
        or_(and_(count.is_not(None), count != number), and_(count.is_(None), number > 0))
    )


def _mixed(rows: Table) -> Select[Any]:
    """Uploads with rows of more than one attempt."""
    return (
        select(rows.c.upload_id).group_by(rows.c.upload_id).having(func.count(rows.c.attempt.distinct()) > 1)
    )
