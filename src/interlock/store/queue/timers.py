"""Records whose timer is due, as SQL: found by a partial index on `timer_at`, which is set when a timed state is entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection

from ...machine import State
from ...workflow.columns.instant import instant_of
from ..placement import Placement
from ..sql import one_of, text
from ..work.rows import WorkRows
from .indexes import untimed_sql

SHORTEST, LONGEST = timedelta(seconds=5), timedelta(hours=1)


class Due(NamedTuple):
    """A record whose timer is due: its key, its scope, the state it is in and its version."""

    key: Any
    scope: str
    state: State
    version: int


class Timers:
    """The timers of one axis."""

    def __init__(self, work: WorkRows, place: Placement) -> None:
        self.work, self.place, self.workflow, self.axis = work, place, place.workflow, place.axis
        axis = place.axis
        self.scope_sql = place.scope_sql or text("")
        self.timer_sql = place.quote(axis.column_name("timer_at"))
        states = work.sql.escape_percent(one_of(place.status_sql, list(axis.machine.timers)))
        adopted = f" AND {place.version_sql} IS NOT NULL" if axis.adoptable else ""
        self._due = (
            f"SELECT {place.key_sql}, {self.scope_sql}, {place.status_sql}, {place.version_sql} FROM {place.table_sql} "
            f"WHERE {self.timer_sql} <= NOW AND {states}{adopted} ORDER BY {self.timer_sql}, {place.key_sql} LIMIT %(limit)s"
        )

        self._oldest = (
            f"SELECT {self.scope_sql}, count(*), min({self.timer_sql}) FROM {place.table_sql} "
            f"WHERE {self.timer_sql} <= NOW AND {states}{adopted}"
            + (f" GROUP BY {place.scope_sql}" if place.scope_sql else "")
        )

    @cached_property
    def _missing(self) -> str:
        return " UNION ALL ".join(
            f"SELECT 1 WHERE ({self._untimed(state, '1')} LIMIT 1) IS NOT NULL"
            for state in self.axis.machine.timers
        )

    def due(self, tx: Connection, limit: int) -> list[Due]:
        """Those that are due, the longest due first; nothing is locked."""
        return [Due(*row) for row in self.work.run(tx, self._due, {"limit": limit}).fetchall()]

    def oldest(self, tx: Connection, at: datetime) -> dict[str, tuple[int, datetime | None]]:
        """By scope: how many timers are due, and since when the one that was due first; the cost is theirs alone."""
        rows = self.work.run(tx, self._oldest, {}, at).fetchall()
        return {scope: (int(number), instant_of(first)) for scope, number, first in rows if number}

    def postpone(self, tx: Connection, state: State, scope: str, keys: Sequence[Any]) -> None:
        """Make these due again later: what refused them now may let them pass then. No move, so no entry."""
        timer, place = self.axis.machine.timers[state], self.place
        scoped = f" AND {place.scope_sql} = %(scope)s" if place.scope_sql else ""
        where = (
            f"{self.work.among(place.key_sql, 'keys', place.key_type)}{scoped} AND {self.timer_sql} <= NOW"
        )
        pause = min(max((timer.after or LONGEST) / 100, SHORTEST), LONGEST)
        self.work.run(
            tx,
            f"UPDATE {place.table_sql} SET {self.timer_sql} = LATER(pause) WHERE {where} "
            f"AND {self.work.sql.escape_percent(one_of(place.status_sql, [state]))}",
            {"keys": list(keys), "scope": scope},
            pause=pause,
        )

    def set_missing(self, tx: Connection, limit: int) -> int:
        """Give a date to records that are in a timed state and have none, for processes that do not know the timer brought them there;
        how many there were."""
        return sum(self._set_missing(tx, state, limit) for state in self.axis.machine.timers)

    def has_missing(self, tx: Connection) -> bool:
        """Whether there are any."""
        return self.work.run(tx, self._missing, {}).fetchone() is not None

    def _untimed(self, state: State, chosen: str) -> str:
        where = self.work.sql.escape_percent(untimed_sql(self.axis, state, self.place.dialect))
        return f"SELECT {chosen} FROM {self.place.table_sql} WHERE {where}"

    def _set_missing(self, tx: Connection, state: State, limit: int) -> int:
        place, length = self.place, self.axis.machine.timers[state].after or LONGEST
        keys = [
            row[0]
            for row in self.work.run(
                tx,
                f"{self._untimed(state, place.key_sql)} ORDER BY {place.key_sql} LIMIT %(limit)s",
                {"limit": limit},
            ).fetchall()
        ]
        if not keys:
            return 0
        where = self.work.sql.escape_percent(untimed_sql(self.axis, state, place.dialect))
        due = self.work.sql.later(f"coalesce({place.since_sql}, NOW)", length)
        self.work.run(
            tx,
            f"UPDATE {place.table_sql} SET {self.timer_sql} = {due} WHERE {where} "
            f"AND {self.work.among(place.key_sql, 'keys', place.key_type)}",
            {"keys": sorted(set(keys))},
        )
        return len(keys)
