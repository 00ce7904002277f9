"""Moves within a window of time, counted; bisection locates where the window begins, so that older entries cost nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from ...machine import State
from ...workflow.columns.instant import parse_instant
from ..engines import sql_of
from ..guarded import CLOSING
from .following import Mark, mark_values

SLACK = timedelta(minutes=2)
"""Transactions commit in another order than they began; entries out of order by less than this are counted."""
_CLOSING = ", ".join(f"'{origin}'" for origin in CLOSING)


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
    """So many moves along one edge within the minute that begins at an instant."""

    minute: datetime
    edge: EdgeCount


_EDGE = f"l.kind, l.axis, l.scope, l.from_state, l.to_state, l.version = 0, l.origin IN ({_CLOSING})"


def edge_counts(tx: Connection, since: datetime, until: datetime) -> list[EdgeCount]:
    """Every entry within the window, counted by the edge it took."""
    within, values = _between(tx, since, until)
    return _count_edges(tx, f"{within} AND l.at >= :since AND l.at <= :until", values)


def edge_counts_behind(tx: Connection, at: datetime, before: datetime | None = None) -> list[EdgeCount]:
    """Every entry later than `at`, and earlier than `before` where that is given, counted by the edge it took; without those whose
    record has a newer entry that is not later than `at`: there the clocks of two processes differed, by less than the slack."""
    last = at if before is None else before
    within, values = _between(tx, at, last)
    newer = (
        "EXISTS (SELECT 1 FROM interlock_ledger n WHERE n.record_id = l.record_id AND n.kind = l.kind AND n.axis = l.axis "
        "AND n.scope = l.scope AND n.version > l.version AND n.at <= :since)"
    )
    overtaken = _count_edges(
        tx, f"{within} AND l.at > :since AND l.at <= :slack AND {newer}", {**values, **_slack(tx, at)}
    )
    if before is None:
        order = sql_of(tx.dialect).history
        counted = _count_edges(tx, f"{order.order} >= {order.order_value} AND l.at > :since", values)
    else:
        counted = _count_edges(tx, f"{within} AND l.at > :since AND l.at < :until", values)
    return counted + [one._replace(moves=-one.moves) for one in overtaken]


def _slack(tx: Connection, at: datetime) -> dict[str, Any]:
    return {"slack": sql_of(tx.dialect).bind_instant(at + SLACK)}


def _count_edges(tx: Connection, condition: str, values: dict[str, Any]) -> list[EdgeCount]:
    asked = f"SELECT {_EDGE}, count(*) FROM interlock_ledger l WHERE {condition} GROUP BY 1, 2, 3, 4, 5, 6, 7"
    return [_edge(row) for row in tx.execute(text(asked), values)]


class Slice(NamedTuple):
    """Entries that were committed one behind the other, counted. `first` is the place of the first of them; `since` the instant from
    which on none is missing, None where no older entry is within reach."""

    minutes: list[MinuteCount]
    first: int
    since: datetime | None


def minute_counts(tx: Connection, seen: Mark) -> list[MinuteCount]:
    """Every entry behind a mark, counted by minute and edge: those that the look before could not see."""
    return _count_minutes(tx, sql_of(tx.dialect).history.is_new(), mark_values(seen))


def slice_before(tx: Connection, end: int | None, entries: int, oldest: datetime, seen: Mark) -> Slice:
    """About so many entries before a place in commit order, or the last ones, that the mark's look could see and that are not older than
    an instant; counted by minute and edge."""
    sql = sql_of(tx.dialect)
    history = sql.history
    before = "true" if end is None else f"{history.order} < {history.order_value.replace(':place', ':last')}"
    last = {} if end is None else {"last": end}
    row = tx.execute(
        text(
            f"SELECT {history.order_number}, {history.instant('l')} FROM interlock_ledger l WHERE {before} "
            f"ORDER BY {history.order} DESC LIMIT 1 OFFSET :entries"
        ),
        {**last, "entries": entries - 1},
    ).first()
    first = 0 if row is None else int(row[0])
    values = {**last, **mark_values(seen), "place": first, "oldest": sql.bind_instant(oldest)}
    condition = f"{history.order} >= {history.order_value} AND {before} AND NOT {history.is_new()} AND l.at >= :oldest"
    counted = _count_minutes(tx, condition, values)
    if row is None or parse_instant(row[1]) + SLACK < oldest:
        return Slice(counted, first, None)
    return Slice(counted, first, parse_instant(row[1]) + SLACK)


def _count_minutes(tx: Connection, condition: str, values: dict[str, Any]) -> list[MinuteCount]:
    minute = sql_of(tx.dialect).history.minute("l")
    asked = f"SELECT {minute}, {_EDGE}, count(*) FROM interlock_ledger l WHERE {condition} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8"
    return [MinuteCount(_minute(row[0]), _edge(row[1:])) for row in tx.execute(text(asked), values)]


def _minute(value: str | datetime) -> datetime:
    """The instant at which a minute begins, from what the database grouped by."""
    return parse_instant(f"{value}:00Z") if isinstance(value, str) else value.replace(tzinfo=UTC)


def _edge(row: Any) -> EdgeCount:
    return EdgeCount(row[0], row[1], row[2] or None, row[3], row[4], bool(row[5]), bool(row[6]), int(row[7]))


def _within(tx: Connection, since: datetime) -> tuple[str, dict[str, Any]]:
    """The condition of entries that are not older than an instant, and its values."""
    sql = sql_of(tx.dialect)
    place = first_place(tx, since - SLACK)
    condition = f"{sql.history.order} >= {sql.history.order_value} AND l.at >= :since"
    return condition, {"place": place, "since": sql.bind_instant(since)}


def _between(tx: Connection, since: datetime, until: datetime) -> tuple[str, dict[str, Any]]:
    """The condition of the places in commit order at which entries between two instants can be, and its values with both instants."""
    sql = sql_of(tx.dialect)
    first, last = first_place(tx, since - SLACK), first_place(tx, until + SLACK)
    end = sql.history.order_value.replace(":place", ":last")
    condition = f"{sql.history.order} >= {sql.history.order_value} AND {sql.history.order} < {end}"
    return condition, {
        "place": first,
        "last": last,
        "since": sql.bind_instant(since),
        "until": sql.bind_instant(until),
    }


def is_in_first_half(tx: Connection, at: datetime) -> bool:
    """Whether fewer entries lie before an instant than behind it, as far as places in commit order tell."""
    history = sql_of(tx.dialect).history
    ends = tx.execute(
        text(
            f"SELECT {history.order_number} FROM (SELECT * FROM interlock_ledger l ORDER BY {history.order} LIMIT 1) l UNION ALL "
            f"SELECT {history.order_number} FROM (SELECT * FROM interlock_ledger l ORDER BY {history.order} DESC LIMIT 1) l"
        )
    ).all()
    return not ends or 2 * first_place(tx, at) < int(ends[0][0]) + int(ends[-1][0])


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
        if row is None or parse_instant(row[1]) >= since:
            high = middle
        else:
            low = int(row[0]) + 1
    return low
