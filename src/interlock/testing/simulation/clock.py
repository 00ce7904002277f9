"""The clock of one simulated process: the world's time, and how far this process's own clock is off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


class Timed(Protocol):
    """What has the true time, in seconds."""

    time: datetime


class SkewedClock:
    """The world's time plus an offset that the simulation sets; sleeping lets time pass for all processes."""

    def __init__(self, world: Timed) -> None:
        self.world = world
        self.skew = timedelta()

    def now(self) -> datetime:
        return self.world.time + self.skew

    def sleep(self, seconds: float) -> None:
        self.world.time += timedelta(seconds=seconds)

    def ticks(self) -> float:
        """Return seconds that only grow, independent of the clock's offset."""
        return (self.world.time - BEGINNING).total_seconds()
