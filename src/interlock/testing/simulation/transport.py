"""Hints that are lost, repeated, late and out of order: whoever relies on one loses work, and the judge sees it."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from sqlalchemy import Connection

from ...transport import Topic
from ...transport.contract import Listener

FATES = (0, 0, 1, 1, 1, 1, 2, 3)
"""How often one hint arrives."""


class UnreliableTransport:
    """Keeps hints that are on their way; the scheduler delivers any of them at any time, or never."""

    def __init__(self) -> None:
        self.random = Random(0)
        self.underway: list[Topic] = []

    def begin(self, random: Random) -> None:
        self.random = random
        self.underway = []

    def within(self, tx: Connection, topic: Topic, stages: Collection[str] = ()) -> None:
        """Do nothing: no hint travels with the commit."""

    def after(self, topic: Topic, stages: Collection[str] = ()) -> None:
        self.underway += [topic] * self.random.choice(FATES)

    def inline(self, topic: Topic) -> str | None:
        """Return None: hints are sent after the commit only."""
        return None

    def deliver(self) -> Topic | None:
        """Deliver one of the hints on their way, at random; returns None where there is none."""
        return self.underway.pop(self.random.randrange(len(self.underway))) if self.underway else None

    def listen(self, topic: Topic, stages: Collection[str] = ()) -> Listener:
        return Silence()

    def close(self) -> None:
        self.underway = []


class Silence:
    """A listener that never hears a hint: processes are stepped by the scheduler, and none of them waits."""

    def wait(self, seconds: float) -> bool:
        return False

    def acknowledge(self) -> None:
        """Do nothing: there is no hint to acknowledge."""

    def wake(self) -> None:
        """Do nothing: nobody waits."""

    def close(self) -> None:
        """Do nothing: nothing is open."""
