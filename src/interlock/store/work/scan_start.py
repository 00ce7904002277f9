"""Where the work begins that is still there. What is finished leaves its place in PostgreSQL's index until the table is vacuumed, and a
busy table has many such places: whoever looks for the oldest work would walk past all of them, each time."""

from __future__ import annotations

from typing import Any

from ...clock import monotonic
from ..connect import driver_connection

FRESH_FOR = 0.1
"""Seconds. Work that was numbered early and committed late may stand before the front, and is found by the next look at everything."""
MANY = 100
"""Whoever finds fewer at once has no hurry."""


class ScanStart:
    """One process' notion of it, asked for again whenever it is no longer fresh."""

    def __init__(self) -> None:
        self._position, self._found = 0, float("-inf")

    @property
    def position(self) -> int:
        """Look from here on; 0 where nothing fresh is known, which is before everything."""
        return self._position if monotonic() - self._found < FRESH_FOR else 0

    def find(self, tx: Any) -> None:
        row = (
            driver_connection(tx)
            .execute("SELECT position FROM interlock_work ORDER BY position LIMIT 1")
            .fetchone()
        )
        self._position, self._found = (0 if row is None else row[0]), monotonic()

    def forget(self) -> bool:
        """Whoever found nothing looks everywhere before saying so; whether that is more than he has done."""
        known, self._position = self.position > 0, 0
        return known
