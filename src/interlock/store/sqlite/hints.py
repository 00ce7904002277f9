"""Hints on SQLite: to listeners of this process directly, to other processes by the file's change counter."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import Connection

from ..connect import Database

LOOK_EVERY = 0.02
"""Seconds between looks at the change counter, for hints of other processes."""


class ProcessHints:
    """See `Hints`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._listeners: list[ProcessListener] = []

    def within(self, tx: Connection, topic: str) -> None:
        """Nothing is sent before the commit."""

    def after(self, topic: str) -> None:
        for listener in self._listeners:
            if listener.topic == topic:
                listener.wake()

    def inline(self, topic: str) -> None:
        return None

    def listen(self, topic: str) -> ProcessListener:
        listener = ProcessListener(self.database, topic)
        self._listeners.append(listener)
        return listener

    def close(self) -> None:
        self._listeners.clear()


class ProcessListener:
    """A queue for hints of this process, and the file's change counter for those of others.

    A queue and no event: who waits for an event may hold its lock just when a signal comes, and whoever handles that in the same thread
    and sets the event waits for itself.
    """

    def __init__(self, database: Database, topic: str) -> None:
        self.topic = topic
        self._hints: SimpleQueue[None] = SimpleQueue()
        self._counter: Any = None
        name = database.engine.url.database
        if name not in (None, "", ":memory:"):
            self._counter = database.engine.raw_connection()
            self._seen = self._version()

    def _version(self) -> int:
        return int(self._counter.driver_connection.execute("PRAGMA data_version").fetchone()[0])

    def wait(self, seconds: float) -> bool:
        left = seconds
        while left > 0:
            if self._counter is not None and (version := self._version()) != self._seen:
                self._seen = version
                return True
            pause = left if self._counter is None else min(left, LOOK_EVERY)
            with suppress(Empty):
                self._hints.get(timeout=pause)
                self._drain()
                return True
            left -= pause
        return self._drain()

    def _drain(self) -> bool:
        """One hint is as good as many; whether there was any."""
        found = False
        with suppress(Empty):
            while True:
                self._hints.get_nowait()
                found = True
        return found

    def acknowledge(self) -> None:
        """Nothing to forget."""

    def wake(self) -> None:
        """From any thread, and from a signal handler."""
        self._hints.put(None)

    def close(self) -> None:
        if self._counter is not None:
            self._counter.close()
            self._counter = None
