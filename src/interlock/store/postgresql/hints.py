"""Hints on PostgreSQL: NOTIFY, once per batch, with the commit."""

from __future__ import annotations

import select
import socket
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from ...clock import monotonic
from ..connect import Database, driver_connection

TRY_AGAIN = 5.0
"""Seconds until somebody who cannot listen tries again to; meanwhile polling does."""


class NotifyHints:
    """See `Hints`. NOTIFY wants a direct connection: through a pooler only polling is left."""

    def __init__(self, database: Database, direct: str | None) -> None:
        self.database, self.direct = database, direct

    def within(self, tx: Connection, topic: str) -> None:
        driver_connection(tx).execute(f"NOTIFY interlock_{topic}")

    def after(self, topic: str) -> None:
        """It went out with the commit."""

    def inline(self, topic: str) -> str:
        return f"pg_notify('interlock_{topic}', '')"

    def listen(self, topic: str) -> NotifyListener:
        return NotifyListener(self.database, topic, self.direct)

    def close(self) -> None:
        """Listeners close themselves."""


class NotifyListener:
    """A connection of its own that listens. If it is lost, waiting goes on without it and it is tried again later."""

    def __init__(self, database: Database, topic: str, direct: str | None) -> None:
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
            connection: Any = connect(
                address.set(drivername="postgresql").render_as_string(hide_password=False),
                autocommit=True,
                connect_timeout=5,
            )
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

        if (
            self._connection is None or self._connection.closed
        ) and monotonic() - self._tried_at >= TRY_AGAIN:
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
