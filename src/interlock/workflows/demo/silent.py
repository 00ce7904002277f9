"""A runner that takes work and is never heard of again, as a machine that lost its power would."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from interlock import App

LEASE = timedelta(seconds=60)
NAME = "web-"


class Nobody:
    """An executor that begins nothing."""

    def __init__(self) -> None:
        self.room = 1

    def free(self, stage: Any) -> int:
        """Room for one, unless somebody says otherwise."""
        return self.room

    def submit(self, task: Any) -> None:
        """Take it and do nothing."""

    def collect(self, wait: float) -> list[Any]:
        """Nothing ever ends."""
        return []

    def queued(self) -> int:
        """Nothing waits."""
        return 0

    def running(self) -> list[Any]:
        """Nothing runs."""
        return []

    def cancel(self, token: str) -> None:
        """Nothing is there to be cancelled."""

    def close(self, grace: float) -> list[Any]:
        """Nothing is given back."""
        return []

    def wake(self) -> None:
        """Nobody sleeps."""


class SilentRunner:
    """Claims one attempt at a time under a new name, and leaves it alone."""

    def __init__(self, app: App) -> None:
        self.app, self.number = app, 0
        self.coordinator = app.coordinator()

    def claim_one(self) -> bool:
        """Have work dispatched and take one attempt of it; whether it got one before the others did."""
        self.number += 1
        nobody = Nobody()
        runner = self.app.runner(
            nobody, stages=["domain", "page"], name=f"{NAME}{self.number % 5 + 2}", lease=LEASE
        )
        runner.renew()
        self.coordinator.step()
        has_claimed = runner.claim() > 0
        # It takes nothing more and is not counted as at work while its lease runs out; other room makes it register at once.
        runner.stopping, nobody.room = True, 10
        runner.renew()
        return has_claimed


def keep_out_of_the_log() -> None:
    """Leave out of the log that leases of silent runners ran out: it is part of the play, and whoever tries the demo looks for a fault.
    What is said of any other runner stays."""
    logging.getLogger("interlock.coordinator").addFilter(is_not_about_silent_runners)


def is_not_about_silent_runners(record: logging.LogRecord) -> bool:
    """Whether a line is about anything else than leases that silent runners let run out."""
    if "leases ran out" not in str(record.msg) or not isinstance(record.args, tuple):
        return True
    return not all(name.startswith(NAME) for name in str(record.args[-1]).split(", "))
