"""The moves of the last day by minute, kept in memory and followed: a look costs what is new, and the first one a bounded part of the day.

The rest of the day is counted behind it by a thread, newest first, so that nobody waits for a walk over millions of entries.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from datetime import datetime, timedelta

from sqlalchemy import Connection

from ..errors import InterlockError
from ..machine import State
from ..store.connect import Database
from ..store.ledger import following, windows

log = logging.getLogger("interlock.observe")
Edge = tuple[str, str, str | None, State, State, bool, bool]
"""Kind, axis, scope, from, to, and whether it is a first or a closing entry."""
DAY = timedelta(hours=24)
STEP = timedelta(minutes=10)
MINUTE = timedelta(minutes=1)
AT_ONCE = 50_000
"""So many entries are counted by one statement."""


class RecentMoves:
    """Counts of moves by minute and edge. Whoever calls holds a lock of their own, which is `asking`."""

    def __init__(self, database: Database, asking: threading.Lock) -> None:
        self.database, self.asking = database, asking
        self.minutes: dict[datetime, Counter[Edge]] = {}
        self.counted_from: datetime | None = None
        """From this instant on every minute is whole; None before the first look."""
        self.filling: threading.Thread | None = None
        self._mark: following.Mark | None = None
        self._first: following.Mark | None = None
        self._end: int | None = None
        self._is_filled = False

    @property
    def is_begun(self) -> bool:
        return self._mark is not None

    def is_whole(self, since: datetime) -> bool:
        """Whether every minute from an instant on was counted."""
        return self.counted_from is not None and self.counted_from <= since

    def follow(self, tx: Connection, now: datetime) -> None:
        """Count what is new since the last look, and forget what is older than a day."""
        oldest = now - DAY - STEP
        if self._mark is None:
            self._mark = self._first = following.mark(tx, None)
            self._add_slice(self._count_slice(tx, oldest), oldest)
        else:
            mark = following.mark(tx, self._mark)
            self._add(windows.minute_counts(tx, self._mark), oldest)
            self._mark = mark
        for at in [at for at in self.minutes if at < oldest]:
            del self.minutes[at]
        if self.counted_from is not None:
            self.counted_from = max(self.counted_from, oldest)
        if not self._is_filled and (self.filling is None or not self.filling.is_alive()):
            self.filling = threading.Thread(
                target=self._fill, args=(oldest,), name="interlock-activity", daemon=True
            )
            self.filling.start()

    def between(self, behind: datetime, until: datetime | None = None) -> Counter[Edge]:
        """The edges of every minute that began later than one instant, and not later than the other."""
        total: Counter[Edge] = Counter()
        for at, edges in self.minutes.items():
            if behind < at and (until is None or at <= until):
                total.update(edges)
        return total

    def _fill(self, oldest: datetime) -> None:
        """Count older entries slice by slice until the day is whole; where the database is away, the next look begins here again."""
        try:
            while not self._is_filled:
                with self.database.read() as tx:
                    counted = self._count_slice(tx, oldest)
                with self.asking:
                    self._add_slice(counted, oldest)
        except InterlockError as error:
            log.debug("activity of the last day is not whole yet: %s", error.code)

    def _count_slice(self, tx: Connection, oldest: datetime) -> windows.Slice:
        assert self._first is not None
        return windows.slice_before(tx, self._end, AT_ONCE, oldest, self._first)

    def _add_slice(self, counted: windows.Slice, oldest: datetime) -> None:
        self._add(counted.minutes, oldest)
        self._end = counted.first
        self._is_filled = counted.since is None or counted.since <= oldest
        self.counted_from = oldest if counted.since is None else max(oldest, counted.since)

    def _add(self, counted: list[windows.MinuteCount], oldest: datetime) -> None:
        for at, edge in counted:
            if at >= oldest:
                self.minutes.setdefault(at, Counter())[edge[:-1]] += edge.moves
