"""Instants and spans in statements: leases go by the database's clock, unless a test brings its own."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from ..clock import Clock, SystemClock
from .connect import Database

QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
"""What is in quotes is somebody's own word, and stays."""
_WORDS = re.compile(rf"{QUOTED}|\bNOW\b|\bLATER\((?P<span>\w+)\)")


def fill(statement: str, now: str, later: str) -> str:
    """A statement with SQL in the place of `NOW`, and of `LATER(name)`; `later` has {span} where the name goes."""

    def replacement(word: re.Match[str]) -> str:
        if word["span"]:
            return later.format(span=word["span"])
        return now if word[0] == "NOW" else word[0]

    return _WORDS.sub(replacement, statement)


class Timing:
    """`NOW` in a statement, and what is bound to it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._sql, self.clock = database.sql, clock
        self.asks_clock = not database.sql.has_clock or not isinstance(clock, SystemClock)
        """Whether the app's clock decides what is now: the database has none, or a test brings its own."""

    def sql(self, statement: str) -> str:
        """Fill in the words for now and for instants later on: `NOW`, and `LATER(name)` for now plus the span bound to that name, which
        may be negative."""
        return self._sql.fill_times(statement)

    def values(self, now: datetime | None = None, **spans: timedelta) -> dict[str, Any]:
        """The parameters that go with `sql`."""
        return self._sql.time_values(now or (self.clock.now() if self.asks_clock else None), spans)

    def bound(self, instant: datetime) -> Any:
        """An instant as the driver takes it."""
        return self._sql.bind_instant(instant)
