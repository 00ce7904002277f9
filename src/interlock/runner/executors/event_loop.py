"""Runs `async def` functions, all in one event loop in one thread."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from contextlib import nullcontext
from typing import Any

from ... import tracing
from ...workflow import Stage
from ..call.classify import perform_async, timed_out
from ..call.stage_log import StageLog
from .tasks import CANCELLED, Ended, Postponed, Task
from .threads import Report
from .timers import Alarm, Timers

PATIENCE = 0.5
"""Seconds that cancelled functions get to end, when the executor stops."""


class Run:
    """One try of one task; a further try is another run of the same token."""

    __slots__ = ("alarm", "started", "task", "work")

    def __init__(self, task: Task) -> None:
        self.task, self.work = task, task.work
        self.started: asyncio.Task[Ended | Postponed] | None = None
        self.alarm: Alarm | None = None


class LoopPool:
    """Starts what is submitted in the loop's thread. Timeouts are watched from outside: a function that blocks the loop is reported too."""

    def __init__(self, capacity: int, report: Report, timers: Timers) -> None:
        self._capacity, self._report, self._timers = capacity, report, timers
        self._waiting: deque[Run] = deque()
        self._unreported: dict[
            Run, Run
        ] = {}  # the one that removes a run reports it; the other finds it gone
        self._started: set[Run] = set()
        self._called = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def free(self, stage: Stage) -> int:
        return max(0, self._capacity - len(self._started) - len(self._waiting))

    def submit(self, task: Task) -> None:
        run = Run(task)
        self._unreported[run] = run
        self._waiting.append(run)
        if self._loop is None:
            self._begin()
        if not self._called:  # one call into the loop starts everything that came meanwhile
            self._called = True
            self._tell(self._start_waiting)

    def cancel(self, task: Task) -> None:
        for run in list(self._unreported):
            if run.task.token == task.token:
                self._tell(self._cancel, run)

    def withdraw(self) -> list[Task]:
        """What waits and has not begun."""
        waiting: list[Task] = []
        while True:
            try:
                run = self._waiting.popleft()
            except IndexError:
                return waiting
            if self._unreported.pop(run, None) is not None:
                waiting.append(run.task)

    def stop(self) -> None:
        """Cancel what still runs and end the loop; a function that blocks it keeps its thread, which dies with the process."""
        if self._thread is not None:
            self._unreported.clear()
            self._tell(self._cancel_all)
            self._thread.join(2 * PATIENCE)

    def _begin(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._serve, args=(self._loop,), name="interlock-event-loop", daemon=True
        )
        self._thread.start()

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            loop.close()

    def _tell(self, call: Any, *arguments: Any) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, *arguments)

    def _start_waiting(self) -> None:
        self._called = False
        while self._waiting:
            try:
                run = self._waiting.popleft()
            except IndexError:  # withdrawn meanwhile
                return
            if run.work.cancelled:
                self._finish(run, CANCELLED)
            else:
                self._start(run)

    def _start(self, run: Run) -> None:
        assert self._loop is not None
        stage = run.task.stage
        if stage.timeout is not None:
            run.alarm = self._timers.after(stage.timeout.total_seconds(), lambda: self._expire(run))
        with (
            nullcontext() if run.task.span is None else tracing.inside(run.task.span)
        ):  # a task takes the context it is made in along
            run.started = self._loop.create_task(perform_async(run.task))
        self._started.add(run)
        run.started.add_done_callback(
            lambda started: self._ended(run, started)
        )  # called even if it is cancelled before its first step

    def _ended(self, run: Run, started: asyncio.Task[Ended | Postponed]) -> None:
        if run.alarm is not None:
            run.alarm.cancel()
        self._started.discard(run)
        outcome = CANCELLED if run.work.cancelled or started.cancelled() else started.result()
        log = run.work.own_log
        if isinstance(log, StageLog) and log.lines and self._loop is not None:
            self._loop.run_in_executor(
                None, self._finish, run, outcome
            )  # a log is written, which would hold up the others
        else:
            self._finish(run, outcome)

    def _expire(self, run: Run) -> None:
        """In the thread of the timers."""
        run.work.cancelled = True
        self._finish(run, timed_out(run.task.stage))
        self._tell(self._cancel, run)

    def _finish(self, run: Run, outcome: Ended | Postponed) -> None:
        if self._unreported.pop(run, None) is not None:
            self._report(run.task, outcome)

    def _cancel(self, run: Run) -> None:
        if run.started is not None:
            run.started.cancel()

    def _cancel_all(self) -> None:
        assert self._loop is not None
        started = [run.started for run in self._started if run.started is not None]
        for task in started:
            task.cancel()
        self._ending = self._loop.create_task(self._end(started))

    async def _end(self, started: list[asyncio.Task[Ended | Postponed]]) -> None:
        if started:
            await asyncio.wait(started, timeout=PATIENCE)
        asyncio.get_running_loop().stop()
