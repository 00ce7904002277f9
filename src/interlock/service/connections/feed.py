"""Watches the ledger once for all followers in this process and wakes them; it keeps no queue per follower."""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_right
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from ...app import App
from ...errors import InterlockError, TooManyRequests
from ...store.ledger.read import Cursor
from ...workflow import Move

log = logging.getLogger("interlock.service")
PAUSE_SECONDS = 0.2
KEPT = 5_000
BATCH = 500
Found = tuple[Cursor, Move]


@dataclass(eq=False)
class Listener:
    """A follower of the feed: an event of the follower's own loop, set when there are new entries."""

    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)


class Feed:
    """The newest entries in commit order. Whoever is further behind than they reach reads the ledger, page by page."""

    def __init__(self, app: App, most: int) -> None:
        self.app, self.most = app, most
        self._lock = Lock()
        self._stop = Event()
        self._listeners: set[Listener] = set()
        self._thread: Thread | None = None
        self._floor: Cursor | None = None
        self._cursors: list[Cursor] = []
        self._found: list[Found] = []

    def refuse_when_full(self) -> None:
        """Raise where there are as many followers as allowed; called before the stream begins, while an error can still be answered."""
        if len(self._listeners) >= self.most:
            raise TooManyRequests(f"{self.most:,} follow already", retry_after=30)

    def listen(self, loop: asyncio.AbstractEventLoop) -> Listener:
        """Begin to follow; the first one starts the watch."""
        with self._lock:
            listener = Listener(loop)
            self._listeners.add(listener)
            if self._thread is None:
                self._stop.clear()
                self._thread = Thread(
                    target=self._watch, args=(self._stop,), name="interlock-feed", daemon=True
                )
                self._thread.start()
            return listener

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.discard(listener)
            if not self._listeners:
                self._end()

    def close(self) -> None:
        """Stop the watching thread and wait for it, so that nothing reads a database that is being closed."""
        with self._lock:
            watch = self._thread
            self._end()
        if watch is not None:
            watch.join(10)

    def _end(self) -> None:
        self._stop.set()
        self._stop = Event()
        self._thread, self._floor, self._cursors, self._found = None, None, [], []

    def after(self, cursor: Cursor) -> list[Found] | None:
        """What came behind a cursor; None where only the ledger itself can say."""
        with self._lock:
            if self._floor is None or cursor < self._floor:
                return None
            start = bisect_right(self._cursors, cursor)
            return self._found[start : start + BATCH]

    def _watch(self, stop: Event) -> None:
        cursor: Cursor | None = None
        while not stop.is_set():
            try:
                if cursor is None:
                    newest = self.app.ledger.tail(limit=1)
                    cursor = newest[-1][0] if newest else Cursor()
                    self._keep(stop, cursor, [])
                found = self.app.ledger.tail(cursor, limit=BATCH)
            except InterlockError as error:
                log.warning("the ledger cannot be followed: %s", error.code)
                found = []
                if self.app.database.closed:
                    return
            if found:
                cursor = found[-1][0]
                self._keep(stop, None, found)
            elif stop.wait(PAUSE_SECONDS):
                return

    def _keep(self, stop: Event, floor: Cursor | None, found: list[Found]) -> None:
        """Remember what came, forget what is old, wake everybody."""
        with self._lock:
            if stop.is_set():
                return
            self._floor = floor or self._floor
            self._found += found
            self._cursors += [cursor for cursor, _ in found]
            if len(self._found) > 2 * KEPT:
                self._floor = self._cursors[-KEPT - 1]
                self._found, self._cursors = self._found[-KEPT:], self._cursors[-KEPT:]
            for listener in self._listeners:
                wake(listener)


def wake(listener: Listener) -> None:
    try:
        listener.loop.call_soon_threadsafe(listener.news.set)
    except RuntimeError:  # its event loop is closed, so the follower is gone
        log.debug("a follower's loop is gone")
