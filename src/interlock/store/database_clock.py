"""The machine's clock, corrected by the database's: instants that one process writes are compared with the server's time by others."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from ..clock import Clock, SystemClock, monotonic
from ..errors import RefusedByDatabase, StoreError
from .connect import Database

MEASURED_EVERY = 60.0
TOLERATED = timedelta(seconds=1)
"""Differences up to this are the journey to the server, and are not corrected."""
REPORTED = timedelta(seconds=5)
log = logging.getLogger("interlock.clock")


class DatabaseClock(SystemClock):
    """Tells the time of the database's server, by the machine's own clock and the difference that was measured last."""

    def __init__(self, clock: SystemClock, database: Database) -> None:
        self._clock, self._database = clock, database
        self._measured: float | None = None
        self.ahead = timedelta()
        """How far the machine's clock was ahead of the database's; negative where it was behind."""
        database.before_transaction = self._measure_if_due

    def now(self) -> datetime:
        now = self._clock.now()
        return now if abs(self.ahead) <= TOLERATED else now - self.ahead

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)

    def measure(self) -> timedelta:
        """Ask the database for its time; how far the machine's clock is ahead."""
        with self._database.glance() as tx:
            before = self._clock.now()
            server = self._database.sql.connections.clock(tx)
            after = self._clock.now()
        if server is not None:
            ahead = before + (after - before) / 2 - server
            if abs(ahead) > REPORTED >= abs(self.ahead):
                log.warning(
                    "this machine's clock is %s the database's; instants are corrected by it. Let both keep time by NTP.",
                    in_words(ahead),
                )
            self.ahead = ahead
        return self.ahead

    def _measure_if_due(self) -> None:
        """Called before each transaction; a database that is away says so to the transaction itself."""
        now = monotonic()
        if self._measured is None or now - self._measured >= MEASURED_EVERY:
            self._measured = now
            with suppress(StoreError):
                self.measure()


def corrected(clock: Clock, database: Database) -> Clock:
    """The clock for an app on this database: a machine's own clock is corrected where the server has one."""
    if type(clock) is not DatabaseClock and isinstance(clock, SystemClock) and database.sql.has_clock:
        return DatabaseClock(clock, database)
    return clock


def say_whose_clock(database: Database, clock: Clock) -> None:
    """Keep in the database whether clocks are injected, as in tests and replays: only then guards do not hold instants against the
    server's own. The owner alone may write it; whoever brings the machine's clock, and may not, leaves it as it is."""
    if not database.sql.has_clock or (is_injected(clock) == says_injected(database)):
        return
    if is_injected(clock):
        with database.write() as tx:
            tx.exec_driver_sql(
                "INSERT INTO interlock_meta(key, value) VALUES ('clock', 'injected') "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            )
        return
    with suppress(RefusedByDatabase), database.write() as tx:
        tx.exec_driver_sql("DELETE FROM interlock_meta WHERE key = 'clock'")


def is_injected(clock: Clock) -> bool:
    """Whether this is no machine's clock."""
    return not isinstance(clock, SystemClock)


def says_injected(database: Database) -> bool:
    """Whether the database was told that clocks are injected."""
    with database.read() as tx:
        asked = "SELECT 1 FROM interlock_meta WHERE key = 'clock' AND value = 'injected'"
        return tx.exec_driver_sql(asked).first() is not None


def difference(clock: Clock) -> timedelta | None:
    """How far the machine's clock is ahead of the database's, measured now; None where that is less than is worth reporting."""
    if not isinstance(clock, DatabaseClock):
        return None
    ahead = clock.measure()
    return ahead if abs(ahead) > REPORTED else None


def in_words(ahead: timedelta) -> str:
    seconds = ahead.total_seconds()
    return f"{abs(seconds):,.0f} s {'ahead of' if seconds > 0 else 'behind'}"
