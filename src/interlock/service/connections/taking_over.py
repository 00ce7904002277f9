"""Goes on with operations whose process died: looks when the service starts and periodically, and claims what no process runs."""

from __future__ import annotations

import logging
import threading
from typing import NamedTuple

from ...app import App
from ...clock import monotonic
from ...errors import InterlockError, TooManyRequests
from ...store.records.operations import Operation
from ..resources.operations import Turns

log = logging.getLogger("interlock.service")
EVERY, LONGEST = 5.0, 600.0
REMEMBERED = 1_000


class Tried(NamedTuple):
    """How far an operation was when it was resumed here, and how long it rests if it came no further."""

    reached: int
    pause: float
    until: float


class Takeover:
    """One thread of a service. Who runs an operation is decided by the operation's lease alone, however many services look."""

    def __init__(self, app: App, turns: Turns, *, every: float = EVERY) -> None:
        self.app, self.turns, self.every = app, turns, every
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._tried: dict[str, Tried] = {}
        self._ready = self._away = False

    def start(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="interlock-takeover", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(30)

    def _watch(self) -> None:
        while not self._stop.is_set() and not self.app.database.closed:
            self._look_again()
            self._stop.wait(self.every)

    def _look_again(self) -> None:
        try:
            if not self._ready:
                self.app.ready()
                self._ready = True
            self.look()
            self._away = False
        except InterlockError as error:  # the next look may find the database back
            if not self._away and not self.app.database.closed:
                log.warning("operations that were left cannot be looked for: %s", error.code)
            self._away = True

    def look(self) -> list[str]:
        """Take over operations that no process runs, as far as this process has room; returns their ids."""
        resumed = []
        for one in self.app.operations.stalled():
            if one.kind not in self.app.workflows or not self.is_due(one):
                continue
            try:
                if self.turns.take(lambda id=one.id: self.app.operations.take_over(id)):  # type: ignore[misc]
                    resumed.append(one.id)
                    self._note(one)
                    log.info(
                        "operation %s goes on here at %s of %s: nobody ran it any more",
                        one.id,
                        one.reached,
                        one.records,
                    )
            except TooManyRequests:
                break
            except (
                InterlockError
            ) as error:  # another one took it, or it cannot be run as the workflows are now
                self._note(one)
                log.info("operation %s is not taken over: %s", one.id, error)
        return resumed

    def is_due(self, one: Operation) -> bool:
        """Whether an operation may be resumed now. One that was resumed here and made no progress waits twice as long each time."""
        tried = self._tried.get(one.id)
        return tried is None or tried.reached < one.reached or monotonic() >= tried.until

    def _note(self, one: Operation) -> None:
        before = self._tried.pop(one.id, None)
        pause = (
            self.every if before is None or before.reached < one.reached else min(2 * before.pause, LONGEST)
        )
        if len(self._tried) >= REMEMBERED:
            self._tried.clear()
        self._tried[one.id] = Tried(one.reached, pause, monotonic() + pause)
