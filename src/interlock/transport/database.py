"""The default transport: the work table itself. NOTIFY wakes on PostgreSQL, once per batch; within one process a condition does."""

from __future__ import annotations

import select
import socket
from collections.abc import Collection
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from ..clock import monotonic
from ..store.connect import Database, driver_connection
from .contract import Listener, Topic

TRY_AGAIN = 5.0
"""Seconds until somebody who cannot listen tries again to; meanwhile polling does."""
LOOK_EVERY = 0.02
"""Seconds between looks at SQLite's change counter, for hints of other processes."""


class DatabaseTransport:
    """Hints by way of the database."""

    def __init__(self, database: Database, direct: str | None = None) -> None:
        self.database, self.direct = database, direct
        self._listeners: list[ProcessListener] = []

    def within(self, tx: Connection, topic: Topic, stages: Collection[str] = ()) -> None:
        if not self.database.is_sqlite:
            driver_connection(tx).execute(f"NOTIFY interlock_{topic}")

    def after(self, topic: Topic, stages: Collection[str] = ()) -> None:
        if self.database.is_sqlite:
            for listener in self._listeners:
                if listener.topic == topic:
                    listener.wake()

    def inline(self, topic: Topic) -> str | None:
        return None if self.database.is_sqlite else f"pg_notify('interlock_{topic}', '')"

    def listen(self, topic: Topic, stages: Collection[str] = ()) -> Listener:
        """NOTIFY wants a direct connection: through a pooler only polling is left."""
        if not self.database.is_sqlite:
            return NotifyListener(self.database, topic, self.direct)
        listener = ProcessListener(self.database, topic)
        self._listeners.append(listener)
        return listener

    def close(self) -> None:
        self._listeners.clear()


class ProcessListener:
    """SQLite: a queue for hints of this process, and the file's change counter for those of others.

    A queue and no event: who waits for an event may hold its lock just when a signal comes, and whoever handles that in the same thread
    and sets the event waits for itself.
    """

    def __init__(self, database: Database, topic: Topic) -> None:
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


class NotifyListener:
    """PostgreSQL: a connection of its own that listens. If it is lost, waiting goes on without it and it is tried again later."""

    def __init__(self, database: Database, topic: Topic, direct: str | None) -> None:
        self.topic, self._database, self._direct = topic, database, direct
        self._wake_out, self._wake_in = socket.socketpair()
        self._wake_out.setblocking(False)
        self._wake_in.setblocking(False)
        self._connection: Any = None
        self._tried_at = 0.0
        self._connect()

    def _connect(self) -> None:
        """A listening connection, unless a pooler stands before the server: there nobody would hear."""
        from psycopg import Error, connect

        self._tried_at = monotonic()
        address = self._database.engine.url if self._direct is None else make_url(self._direct)
        try:
            connection: Any = connect(address.set(drivername="postgresql").render_as_string(hide_password=False), autocommit=True,
                                 connect_timeout=5)
        except Error:
            self._connection = None
            return
        try:
            own = connection.execute("SELECT pg_backend_pid()").fetchone()
            if own is not None and own[0] == connection.info.backend_pid:
                connection.execute(f"LISTEN interlock_{self.topic}")
                self._connection, connection = connection, None
        except Error:
            self._connection = None
        finally:
            if connection is not None:
                connection.close()

    def wait(self, seconds: float) -> bool:
        from psycopg import Error

        if (self._connection is None or self._connection.closed) and monotonic() - self._tried_at >= TRY_AGAIN:
            self._connect()
        listening = self._connection is not None and not self._connection.closed
        readers = [self._wake_out, *([self._connection] if listening else [])]
        ready, _, _ = select.select(readers, [], [], max(0.0, seconds))
        if self._wake_out in ready:
            self._drain()
        if listening and self._connection in ready:
            try:
                for _ in self._connection.notifies(timeout=0):
                    pass
            except Error:
                self._connection.close()
                self._connection = None
        return bool(ready)

    def _drain(self) -> None:
        try:
            while self._wake_out.recv(4096):
                pass
        except BlockingIOError:
            return

    def acknowledge(self) -> None:
        """Nothing to forget."""

    def wake(self) -> None:
        try:
            self._wake_in.send(b".")
        except (BlockingIOError, OSError):
            return  # it is full of wake-ups already, or closed

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._wake_out.close()
        self._wake_in.close()
