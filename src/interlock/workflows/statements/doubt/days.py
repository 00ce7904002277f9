"""The days of rows, and whether they lie in the period that their file states; pure, no database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from ..parsed import ObservedRow
from ..parsers.dates import read_date

Period = tuple[date | None, date | None]
FAR_BEFORE, FAR_AFTER = timedelta(days=45), timedelta(days=10)
"""A row further outside of the period that a file states has a wrong day."""
OUTSIDE = "outside the statement's period"


def days_of(rows: Sequence[ObservedRow]) -> list[date | None]:
    """The day of each row; None where it cannot be read."""
    return [read_date(row.date, row.date_format or "mdy") for row in rows]


def leaves_period(before: Sequence[date | None], after: Sequence[date | None], period: Period) -> bool:
    """Whether days of rows leave the period that the file states, while as they were none lies far outside of it."""
    start, end = period
    if start is None or end is None:
        return False
    beyond = [sum(1 for day in days if day and not start <= day <= end) for days in (before, after)]
    return not far_outside(before, period) and beyond[1] > beyond[0]


def far_outside(days: Sequence[date | None], period: Period) -> int:
    """How many days lie so far outside of the stated period that their order or year must be wrong."""
    start, end = period
    if start is None or end is None:
        return 0
    return sum(1 for day in days if day and not start - FAR_BEFORE <= day <= end + FAR_AFTER)
