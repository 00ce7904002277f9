"""Runs each task at once, in the caller's thread, for tests and the simulator: the same calls give the same results."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from random import Random

from ... import tracing
from ...clock import Clock
from ...store.files.file_store import FileStore
from ...workflow import Failed, Stage
from ..call.classify import is_async, perform, perform_async, timed_out
from ..call.retrying import Tries, once_more
from ..call.stage_log import StageLogs
from .tasks import CANCELLED, Ended, Finished, Postponed, Task


class InlineExecutor:
    """`submit` returns when the work is done. Waits go through the clock; a timeout is noticed when the function returns."""

    def __init__(
        self, clock: Clock, *, files: FileStore | None = None, capacity: int = 1, random: Random | None = None
    ) -> None:
        self._clock, self._capacity = clock, capacity
        self._logs = StageLogs(files, clock)
        self._tries = Tries(random or Random(0))
        self._open: dict[str, Task] = {}
        self._finished: list[Finished] = []
        self._closed = False

    def free(self, stage: Stage) -> int:
        return 0 if self._closed else max(0, self._capacity - len(self._open))

    def submit(self, task: Task) -> None:
        if self._closed:
            raise RuntimeError("this executor is closed")
        self._open[task.token] = task
        self._logs.attach(task)
        outcome = self._run(task)
        self._logs.write(task)
        if outcome is not None:
            self._finished.append(Finished(task, outcome))

    def collect(self, wait: float) -> list[Finished]:
        finished, self._finished = self._finished, []
        for task, _ in finished:
            self._open.pop(task.token, None)
        return finished

    def running(self) -> list[Task]:
        return list(self._open.values())

    def queued(self) -> int:
        """Nothing ever waits here."""
        return 0

    def cancel(self, token: str) -> None:
        if token in self._open:
            self._open[token].work.cancelled = True
            self._tries.give_up(self._open[token])

    def close(self, grace: float) -> list[Task]:
        self._closed = True
        finished = {task.token for task, _ in self._finished}
        left = [task for token, task in self._open.items() if token not in finished]
        self._open = {token: task for token, task in self._open.items() if token in finished}
        return left

    def wake(self) -> None:
        """Nothing ever waits here."""

    def _run(self, task: Task) -> Ended | None:
        """Every try of one task; None when it was closed between two of them."""
        while True:
            outcome = self._try(task)
            delay: float | None
            if isinstance(outcome, Postponed):
                delay = outcome.delay
            else:
                delay = self._tries.delay(task, outcome) if task.stage.retry_in == "runner" else None
                if delay is None or not isinstance(outcome, Failed):
                    return outcome
                task.work = once_more(task, outcome, delay, self._clock.now())
            if not self._closed:
                self._clock.sleep(delay)
            if self._closed or task.work.cancelled:
                self._tries.forget(task)
                return None if self._closed else CANCELLED

    def _try(self, task: Task) -> Ended | Postponed:
        with nullcontext() if task.span is None else tracing.inside(task.span):
            return self._call(task)

    def _call(self, task: Task) -> Ended | Postponed:
        stage, began = task.stage, self._clock.now()
        outcome = asyncio.run(perform_async(task)) if is_async(stage) else perform(task)
        if stage.timeout is not None and self._clock.now() - began > stage.timeout:
            task.work.cancelled = True
            return timed_out(stage)
        return outcome
