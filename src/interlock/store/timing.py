"""Instants and spans in statements: leases go by the database's clock, unless a test brings its own."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ..clock import Clock, SystemClock
from ..workflow.instant import written
from .connect import Database

_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
_WORDS = re.compile(rf"{_QUOTED}|\bNOW\b|\bLATER\((?P<span>\w+)\)")
_PARAMETER = re.compile(rf"{_QUOTED}|%\((?P<name>\w+)\)s(?:::\w+(?:\[\])?)?")
"""What stands in quotes is somebody's own word, and stays."""


@lru_cache(maxsize=512)
def sqlite_text(sql: str) -> str:
    """Statements are written for psycopg; SQLite takes the same with its own marks, and without casts. A limit that is a mark by itself
    has SQLite prepare the statement anew each time, to plan for that very number."""
    marked = _PARAMETER.sub(lambda found: f":{found['name']}" if found["name"] else found[0], sql)
    return marked.replace("LIMIT :limit", "LIMIT :limit + 0")


@lru_cache(maxsize=1024)
def filled(statement: str, sqlite: bool) -> str:
    """A statement with its words of time, worked out once: statements are few, and run often."""
    # The statement's own instant, not the clock's: one that stands still while it is asked can be looked up in an index.
    now = "%(now)s" if sqlite else "coalesce(%(now)s::timestamptz, statement_timestamp())"

    def said(found: re.Match[str]) -> str:
        if found["span"]:
            return f"%({found['span']})s" if sqlite else f"({now} + %({found['span']})s::interval)"
        return now if found[0] == "NOW" else found[0]

    text = _WORDS.sub(said, statement)
    return sqlite_text(text) if sqlite else text


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
