"""Moves within a window of time, counted; bisection locates where the window begins, so that older entries cost nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from ..machine import State
from ..workflow.instant import read
from .engines import sql_of
from .guarded import CLOSING

SLACK = timedelta(minutes=2)
"""Transactions commit in another order than they began; entries out of order by less than this are counted."""
_CLOSING = ", ".join(f"'{origin}'" for origin in CLOSING)
TEN_MINUTES = len("2026-01-31T09:4")


class EdgeCount(NamedTuple):
    """So many moves from one state to another; the first entry of a record has no `old`, a closing one no `new`."""

    kind: str
    axis: str
    scope: str | None
    old: State
    new: State
    first: bool
    closed: bool
    moves: int


class Bucket(NamedTuple):
    """So many entries of one kind into one state within ten minutes, named by the beginning of their instants."""

    begins: str
    kind: str
    axis: str
    state: State
    moves: int


def edge_counts(tx: Connection, since: datetime, until: datetime) -> list[EdgeCount]:
    """Every entry within the window, counted by the edge it took."""
    asked = (
        "SELECT l.kind, l.axis, l.scope, l.from_state, l.to_state, l.version = 0, "
        f"l.origin IN ({_CLOSING}), count(*) FROM interlock_ledger l WHERE {{within}} GROUP BY 1, 2, 3, 4, 5, 6, 7"
    )
    return [
        EdgeCount(row[0], row[1], row[2] or None, row[3], row[4], bool(row[5]), bool(row[6]), int(row[7]))
        for row in _run(tx, asked, since, until)
    ]


def buckets(tx: Connection, since: datetime, until: datetime) -> list[Bucket]:
    """Every entry within the window, counted in steps of ten minutes."""
    instant = sql_of(tx.dialect).history.instant("l")
    asked = (
        f"SELECT substr({instant}, 1, {TEN_MINUTES}), l.kind, l.axis, l.to_state, count(*) "
        "FROM interlock_ledger l WHERE {within} GROUP BY 1, 2, 3, 4"
    )
    return [Bucket(row[0], row[1], row[2], row[3], int(row[4])) for row in _run(tx, asked, since, until)]


def _run(tx: Connection, asked: str, since: datetime, until: datetime) -> list[Any]:
    sql = sql_of(tx.dialect)
    within = f"{sql.history.order} >= {sql.history.order_value} AND l.at >= :since AND l.at <= :until"
    values = {
        "place": first_place(tx, since - SLACK),
        "since": sql.bind_instant(since),
        "until": sql.bind_instant(until),
    }
    return list(tx.execute(text(asked.format(within=within)), values))


def first_place(tx: Connection, since: datetime) -> int:
    """The place in commit order of the first entry that is not older than an instant; one behind the last where all are."""
    history = sql_of(tx.dialect).history
    at_or_behind = text(
        f"SELECT {history.order_number}, {history.instant('l')} FROM interlock_ledger l "
        f"WHERE {history.order} >= {history.order_value} ORDER BY {history.order} LIMIT 1"
    )
    newest = tx.execute(
        text(
            f"SELECT {history.order_number}, {history.instant('l')} FROM interlock_ledger l "
            f"ORDER BY {history.order} DESC LIMIT 1"
        )
    ).first()
    if newest is None:
        return 0
    low, high = 0, int(newest[0]) + 1
    while low < high:
        middle = (low + high) // 2
        row = tx.execute(at_or_behind, {"place": middle}).first()
        if row is None or read(row[1]) >= since:
            high = middle
        else:
            low = int(row[0]) + 1
    return low
