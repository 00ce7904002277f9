"""Verifies instants: each entry's is one, none lies ahead of every clock, and none far before what was committed earlier."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, text

from ..engines import sql_of
from ..finding import Finding
from .verify import Share

MOST = 1000
"""At most so many are reported: an entry of the future makes no others wrong, but one wrong clock can make many."""
_PROBLEMS = {
    "odd": "its instant is none, or lies before 2000",
    "ahead": "its instant lies more than a day ahead",
    "back": "its instant lies more than a day before that of an entry committed earlier",
}


def verify_instants(tx: Connection, share: Share, now: datetime) -> list[Finding]:
    """Entries in commit order whose instants cannot be right. Clocks of processes differ, so a day either side passes; what is ahead
    is judged by the later of the caller's clock and the database's."""
    dialect = sql_of(tx.dialect)
    where, values = share.where()
    asked = dialect.history.odd_instants.replace("{where}", where)
    rows = tx.execute(text(f"{asked} LIMIT {MOST:d}"), {**values, "now": dialect.bind_instant(now)})
    return [
        Finding(
            "I1",
            str(row.kind),
            str(row.record_id),
            str(row.axis),
            str(row.scope),
            row.version,
            _PROBLEMS[row.problem],
        )
        for row in rows
    ]
