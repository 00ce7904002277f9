"""Lowest live position in `interlock_work`; scans start here to skip dead index entries, which PostgreSQL keeps until a vacuum."""

from __future__ import annotations

from typing import Any

from ...clock import monotonic
from ..connect import driver_connection

FRESH_FOR = 0.1
"""Seconds that a position is used. A row that got a lower position and was committed later is seen by the next scan from 0."""
MANY = 100
"""Rows that a scan must have returned to make looking for the lowest position worth its cost."""


class ScanStart:
    """The position as this process last read it; 0, which scans everything, once it is older than `FRESH_FOR`."""

    def __init__(self) -> None:
        self._position, self._found = 0, float("-inf")

    @property
    def position(self) -> int:
        """Where a scan starts."""
        return self._position if monotonic() - self._found < FRESH_FOR else 0

    def find(self, tx: Any) -> None:
        """Read the lowest live position."""
        row = (
            driver_connection(tx)
            .execute("SELECT position FROM interlock_work ORDER BY position LIMIT 1")
            .fetchone()
        )
        self._position, self._found = (0 if row is None else row[0]), monotonic()

    def forget(self) -> bool:
        """Scan from 0 next time, because nothing was found; whether the last scan had skipped anything."""
        known, self._position = self.position > 0, 0
        return known
