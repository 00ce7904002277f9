"""Moves within a window of time, counted; bisection locates where the window begins, so that older entries cost nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from ...machine import State
from ...workflow.instant import read
from ..engines import sql_of
from ..migrations.guarded import CLOSING
from .following import Mark, mark_values

SLACK = timedelta(minutes=2)
"""Transactions commit in another order than they began; entries out of order by less than this are counted."""
_CLOSING = ", ".join(f"'{origin}'" for origin in CLOSING)
MINUTE = len("2026-01-31T09:41")


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


class MinuteCount(NamedTuple):
    """So many moves along one edge within a minute, named by the beginning of their instants."""

    minute: str
    edge: EdgeCount


_EDGE = f"l.kind, l.axis, l.scope, l.from_state, l.to_state, l.version = 0, l.origin IN ({_CLOSING})"


def edge_counts(tx: Connection, since: datetime, until: datetime) -> list[EdgeCount]:
    """Every entry within the window, counted by the edge it took."""
    sql = sql_of(tx.dialect)
    within, values = _within(tx, since)
    asked = f"SELECT {_EDGE}, count(*) FROM interlock_ledger l WHERE {within} AND l.at <= :until GROUP BY 1, 2, 3, 4, 5, 6, 7"
    rows = tx.execute(text(asked), {**values, "until": sql.bind_instant(until)})
    return [_edge(row) for row in rows]


def minute_counts(tx: Connection, since: datetime, seen: Mark | None) -> list[MinuteCount]:
    """Every entry since an instant, counted by minute and edge; behind a mark only those that the look before could not see."""
    history = sql_of(tx.dialect).history
    minute = f"substr({history.instant('l')}, 1, {MINUTE})"
    if seen is None:
        within, values = _within(tx, since)
    else:
        within, values = history.is_new(), mark_values(seen)
    asked = f"SELECT {minute}, {_EDGE}, count(*) FROM interlock_ledger l WHERE {within} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8"
    return [MinuteCount(row[0], _edge(row[1:])) for row in tx.execute(text(asked), values)]


def _edge(row: Any) -> EdgeCount:
    return EdgeCount(row[0], row[1], row[2] or None, row[3], row[4], bool(row[5]), bool(row[6]), int(row[7]))


def _within(tx: Connection, since: datetime) -> tuple[str, dict[str, Any]]:
    """The condition of entries that are not older than an instant, and its values."""
    sql = sql_of(tx.dialect)
    place = first_place(tx, since - SLACK)
    condition = f"{sql.history.order} >= {sql.history.order_value} AND l.at >= :since"
    return condition, {"place": place, "since": sql.bind_instant(since)}


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
