"""Instants and spans in statements: leases go by the database's clock, unless a test brings its own."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ..clock import Clock, SystemClock
from ..workflow.instant import written
from .connect import Database

_PARAMETER = re.compile(r"%\((\w+)\)s(?:::\w+(?:\[\])?)?")


@lru_cache(maxsize=512)
def sqlite_text(sql: str) -> str:
    """Statements are written for psycopg; SQLite takes the same with its own marks, and without casts."""
    return _PARAMETER.sub(r":\1", sql)


@lru_cache(maxsize=1024)
def filled(statement: str, sqlite: bool) -> str:
    """A statement with its words of time, worked out once: statements are few, and run often."""
    if sqlite:
        return sqlite_text(re.sub(r"\bLATER\((\w+)\)", r"%(\1)s", re.sub(r"\bNOW\b", "%(now)s", statement)))
    now = "coalesce(%(now)s::timestamptz, clock_timestamp())"
    return re.sub(r"\bLATER\((\w+)\)", rf"({now} + %(\1)s::interval)", re.sub(r"\bNOW\b", now, statement))


class Timing:
    """`NOW` in a statement, and what is bound to it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.sqlite, self.clock = database.is_sqlite, clock
        self.own = database.is_sqlite or not isinstance(clock, SystemClock)

    def sql(self, statement: str) -> str:
        """Fill in the words for now and for instants later on: `NOW`, and `LATER(name)` for now plus the span bound to that name."""
        return filled(statement, self.sqlite)

    def values(self, now: datetime | None = None, **spans: timedelta) -> dict[str, Any]:
        """The parameters that go with `sql`."""
        if self.sqlite:
            instant = now or self.clock.now()
            return {"now": written(instant), **{name: written(instant + span) for name, span in spans.items()}}
        return {"now": now or (self.clock.now() if self.own else None), **spans}

    def bound(self, instant: datetime) -> Any:
        """An instant as the driver takes it."""
        return written(instant) if self.sqlite else instant
