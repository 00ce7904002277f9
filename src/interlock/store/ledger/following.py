"""Counts what is new in the ledger and among verdicts since the last look, so that a total costs one walk over history, once.

What is counted is what this look can see and the last could not: on PostgreSQL by the last look's snapshot, so that a transaction that
commits late is counted when it can first be seen, exactly once; on SQLite, which has one writer, by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from ...machine import State
from ..engines import sql_of
from ..guarded import CLOSING

_CLOSING = ", ".join(f"'{origin}'" for origin in CLOSING)
_MOVES = f"""
SELECT l.kind, l.axis, l.from_state, l.to_state, l.version = 0, l.origin IN ({_CLOSING}), count(*)
FROM interlock_ledger l WHERE {{new}} GROUP BY 1, 2, 3, 4, 5, 6"""
_REFUSALS = "SELECT l.kind, l.code, l.verdict, count(*) FROM interlock_verdict l WHERE {new} GROUP BY 1, 2, 3"
# A spell in a state begins with the entry that came into it from elsewhere; staying (a new attempt, an amendment) does not interrupt it.
_SPELLS = f"""
SELECT kind, axis, scope, from_state, to_state, {{bucket}} AS bucket, count(*), sum({{largest}}(0, seconds)) FROM (
    SELECT kind, axis, scope, from_state, to_state, {{seconds}} AS seconds FROM (
        SELECT l.kind, l.axis, l.scope, l.from_state, l.to_state, l.at, (
            SELECT e.at FROM interlock_ledger e
            WHERE e.record_id = l.record_id AND e.kind = l.kind AND e.axis = l.axis AND e.scope = l.scope AND e.version < l.version
            AND e.to_state {{same}} l.from_state AND (e.version = 0 OR NOT (e.from_state {{same}} e.to_state))
            ORDER BY e.version DESC LIMIT 1) AS entered
        FROM interlock_ledger l
        WHERE {{new}} AND ({{watched}}) AND l.version > 0 AND l.origin NOT IN ({_CLOSING}) AND NOT (l.from_state {{same}} l.to_state)
        {{fence}}
    ) AS left_states WHERE entered IS NOT NULL
) AS spells GROUP BY 1, 2, 3, 4, 5, 6"""


@dataclass(frozen=True)
class Mark:
    """How far history was counted: a position, or a snapshot and the last position of rows that another cluster had numbered."""

    entry: int = 0
    verdict: int = 0
    snapshot: str | None = None


class Moved(NamedTuple):
    """So many records went from one state to another; of a first entry there is no from, of a closing one no to."""

    kind: str
    axis: str
    old: State
    new: State
    first: bool
    closed: bool
    number: int


class Spell(NamedTuple):
    """So many records left a state for another after a time that falls into one bucket, and the sum of their seconds."""

    kind: str
    axis: str
    scope: str
    state: State
    to: State
    bucket: int
    number: int
    seconds: float


Watched = tuple[str, str, State]
"""A kind, an axis and a state whose spells are timed."""


def mark(tx: Connection, last: Mark | None) -> Mark:
    """Where history stands in this transaction, whose looks must all see one snapshot."""
    return sql_of(tx.dialect).history.mark(tx, last)


def moves(tx: Connection, since: Mark | None) -> list[Moved]:
    """Every entry since the mark, counted by where it led; all of history where there is none."""
    return [
        Moved(kind, axis, old, new, bool(first), bool(closed), count)
        for kind, axis, old, new, first, closed, count in tx.execute(
            text(_MOVES.format(new=_new(tx, since))), _bounds(since, "entry")
        )
    ]


def refusals(tx: Connection, since: Mark | None) -> list[tuple[str, str, str, int]]:
    """(kind, code, verdict, count) of everything that was not applied since the mark."""
    rows = tx.execute(text(_REFUSALS.format(new=_new(tx, since))), _bounds(since, "verdict"))
    return [(row[0], row[1], row[2], int(row[3])) for row in rows]


def spells(
    tx: Connection, since: Mark | None, watched: Sequence[Watched], bounds: Sequence[float]
) -> list[Spell]:
    """How long records had been in the watched states that they left since the mark; bucket n holds what took at most bounds[n]."""
    if not watched:
        return []
    values: dict[str, Any] = {f"bound_{number}": bound for number, bound in enumerate(bounds)}
    ways = []
    for number, (kind, axis, state) in enumerate(watched):
        values |= {f"kind_{number}": kind, f"axis_{number}": axis} | (
            {} if state is None else {f"state_{number}": state}
        )
        ways.append(
            f"(l.kind = :kind_{number} AND l.axis = :axis_{number} AND l.from_state "
            + ("IS NULL)" if state is None else f"= :state_{number})")
        )
    buckets = " ".join(f"WHEN seconds <= :bound_{number} THEN {number}" for number in range(len(bounds)))
    sql = _SPELLS.format(
        new=_new(tx, since),
        watched=" OR ".join(ways),
        bucket=f"CASE {buckets} ELSE {len(bounds)} END",
        **sql_of(tx.dialect).history.spell_words(),
    )
    rows = tx.execute(text(sql), values | _bounds(since, "entry"))
    return [Spell(row[0], row[1], row[2], row[3], row[4], row[5], row[6], float(row[7])) for row in rows]


def _new(tx: Connection, since: Mark | None) -> str:
    return "true" if since is None else sql_of(tx.dialect).history.is_new()


def mark_values(since: Mark) -> dict[str, Any]:
    """The values of the condition `is_new` for entries of the ledger."""
    return _bounds(since, "entry")


def _bounds(since: Mark | None, table: str) -> dict[str, Any]:
    if since is None:
        return {}
    return {"after": getattr(since, table), **({} if since.snapshot is None else {"since": since.snapshot})}
