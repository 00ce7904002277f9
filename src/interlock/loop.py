"""Runs an actor's steps in a loop with waiting and stopping; no other module loops."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from .clock import monotonic
from .errors import ConcurrentModificationError, StoreError

log = logging.getLogger("interlock.loop")

SHORTEST, LONGEST, AFTER_FAULT = 0.005, 0.25, 1.0


class Waits(Protocol):
    """Whatever ends a wait early."""

    def wait(self, seconds: float) -> bool: ...

    def acknowledge(self) -> None: ...


class Loop:
    """Steps while there is work, then waits for a hint; polls with growing pauses, for hints may be lost."""

    def __init__(
        self, step: Callable[[], int], waits: Waits, stop: threading.Event, *, longest: float = LONGEST
    ) -> None:
        self.step, self.waits, self.stop, self.longest = step, waits, stop, longest
        self._faulty = False
        self.steps, self.done, self.stepped_at = 0, 0, monotonic()

    def run(self) -> None:
        pause = SHORTEST
        while not self.stop.is_set():
            done = self._step()
            if done is None:
                self.waits.wait(AFTER_FAULT)
                continue
            if done:
                pause = SHORTEST
                continue
            pause = SHORTEST if self.waits.wait(pause) else min(pause * 2, self.longest)

    def _step(self) -> int | None:
        """Run one step. Returns what it did, 0 after a lost race, None after an error; an unavailable database is logged once."""
        try:
            done = self.step()
            self.waits.acknowledge()
        except ConcurrentModificationError as error:
            log.info("%s; it is tried again", error)
            return 0
        except StoreError as error:
            if not self._faulty:
                log.error("%s; trying again every second", error)
            self._faulty = True
            return None
        except Exception:
            log.exception("Unexpected error; trying again in a second. Please report it.")
            return None
        if self._faulty:
            log.warning("the database answers again")
        self._faulty = False
        self.steps, self.done, self.stepped_at = self.steps + 1, self.done + done, monotonic()
        return done
