"""One thread that calls back when a time has come: the next try of a runner's own retries, and timeouts."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections.abc import Callable

from ...clock import monotonic

FEW = 1000
_log = logging.getLogger("interlock.runner")


class Alarm:
    """A call that is still to come."""

    __slots__ = ("_order", "call", "due")

    def __init__(self, due: float, order: int, call: Callable[[], None]) -> None:
        self.due, self._order = due, order
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None

    def __lt__(self, other: Alarm) -> bool:
        return (self.due, self._order) < (other.due, other._order)


class Timers:
    """Alarms in the order they are due. Calls are short: they run one after the other, in the thread of the timers."""

    def __init__(self) -> None:
        self._alarms: list[Alarm] = []
        self._changed = threading.Condition()
        self._order = itertools.count()
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._many = FEW

    def after(self, seconds: float, call: Callable[[], None]) -> Alarm:
        with self._changed:
            alarm = Alarm(monotonic() + seconds, next(self._order), call)
            if len(self._alarms) > self._many:
                self._forget_cancelled()
            heapq.heappush(self._alarms, alarm)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="interlock-timers", daemon=True)
                self._thread.start()
            elif self._alarms[0] is alarm:
                self._changed.notify()
            return alarm

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _forget_cancelled(self) -> None:
        """A walk over all of them, only when they have become twice as many: it must not be paid per alarm."""
        self._alarms = [alarm for alarm in self._alarms if alarm.call is not None]
        heapq.heapify(self._alarms)
        self._many = max(FEW, 2 * len(self._alarms))

    def _serve(self) -> None:
        while (call := self._next()) is not None:
            try:
                call()
            except Exception:  # noqa: BLE001 the other alarms are still to come
                _log.exception("a timer failed")

    def _next(self) -> Callable[[], None] | None:
        """The next call, once it is due; None when stopped."""
        with self._changed:
            while not self._stopped:
                left = self._alarms[0].due - monotonic() if self._alarms else None
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                call = heapq.heappop(self._alarms).call
                if call is not None:
                    return call
        return None
