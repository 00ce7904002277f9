"""Runs plain functions in threads.

A thread cannot be killed. When its time is up the failure is reported at once and `work.cancelled` is set; the slot stays occupied
until the function really returns, and what it returns then is dropped. A stage that must be stopped wants `isolate=True`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from queue import Empty, SimpleQueue

from ... import tracing
from ...clock import monotonic
from ...workflow import Again, Stage
from ..call.classify import perform, timed_out
from .tasks import CANCELLED, Ended, Postponed, Task
from .timers import Alarm, Timers

Report = Callable[[Task, Ended | Postponed], None]

AHEAD_FOR = 0.15
"""Seconds of work that may wait in the queue of its own runner; short work is taken in large batches, long work never in advance."""
SHORT = 0.05
"""Seconds up to which work is short. Threads that share one interpreter wait for each other, so this is measured generously."""


class Worker:
    """One thread's place: what it does now, and until when it may."""

    __slots__ = ("alarm", "deadline", "lock", "overdue", "task")

    def __init__(self) -> None:
        self.task: Task | None = None
        self.deadline: float | None = None
        self.alarm: Alarm | None = None
        self.overdue = False
        self.lock = threading.Lock()

    def is_in_time(self) -> bool:
        """Whether the result came before its deadline; clears the deadline, so that no timeout is reported afterwards."""
        with self.lock:
            in_time, self.deadline, self.overdue = not self.overdue, None, False
            return in_time


class ThreadPool:
    """A queue and up to `capacity` threads that take from it."""

    def __init__(self, capacity: int, report: Report, timers: Timers, *, ahead: int = 1000) -> None:
        self._capacity, self._report, self._timers, self._most_ahead = capacity, report, timers, ahead
        self._inbox: SimpleQueue[Task | None] = SimpleQueue()
        self._workers: list[Worker] = []
        self._threads: list[threading.Thread] = []
        self._pace: dict[Stage, float] = {}
        self._closed = False
        self._starting = (
            threading.Lock()
        )  # a further try is submitted by the thread of the timers, perhaps while another stops the pool

    def free(self, stage: Stage) -> int:
        busy = sum(worker.task is not None for worker in self._workers)
        return max(0, self._capacity + self._ahead(stage) - busy - self._inbox.qsize())

    def submit(self, task: Task) -> None:
        self._inbox.put(task)
        if len(self._workers) < self._capacity:
            with self._starting:
                if len(self._workers) < self._capacity and not self._closed:
                    self._start()

    def cancel(self, task: Task) -> None:
        """The function can look at `work.cancelled`; nothing else stops a thread."""

    def withdraw(self) -> list[Task]:
        """What waits and has not begun."""
        waiting: list[Task] = []
        while True:
            try:
                task = self._inbox.get_nowait()
            except Empty:
                return waiting
            if task is not None:
                waiting.append(task)

    def stop(self) -> None:
        """Let idle threads end; one that is still at work ends with its function."""
        with self._starting:
            self._closed = True  # a thread that began now would take the word to end from another
            started = list(zip(self._workers, self._threads, strict=True))
        for _ in started:
            self._inbox.put(None)
        for worker, thread in started:
            if worker.task is None and thread is not threading.current_thread():
                thread.join()

    def perform(self, task: Task) -> Ended | Postponed:
        """One try of one task, in a thread of the pool."""
        if task.work.cancelled:
            return CANCELLED
        if task.span is None:
            return perform(task)
        with tracing.inside(task.span):
            return perform(task)

    def watched(self, stage: Stage) -> timedelta | None:
        """How long the pool lets a task of this stage run before it reports without it."""
        return stage.timeout

    def leave(self) -> None:
        """Called in each thread as it ends."""

    def _ahead(self, stage: Stage) -> int:
        pace = self._pace.get(stage)
        return (
            0
            if pace is None or pace > SHORT
            else min(self._most_ahead, int(self._capacity * AHEAD_FOR / max(pace, 1e-6)))
        )

    def queued(self) -> int:
        """How many tasks wait for a thread."""
        return self._inbox.qsize()

    def _start(self) -> None:
        worker = Worker()
        thread = threading.Thread(
            target=self._serve, args=(worker,), name=f"interlock-work-{len(self._workers)}", daemon=True
        )
        thread.start()
        self._workers.append(worker)
        self._threads.append(thread)

    def _serve(self, worker: Worker) -> None:
        get, report, pace = self._inbox.get, self._report, self._pace
        while (task := get()) is not None:
            worker.task = task
            stage, began = task.stage, monotonic()
            watched = self.watched(stage)
            if watched is not None:
                self._watch(worker, began, watched.total_seconds())
            outcome = self.perform(task)
            in_time = watched is None or worker.is_in_time()
            known = pace.get(stage)
            taken = monotonic() - began
            pace[stage] = taken if known is None else known + (taken - known) * 0.1
            worker.task = None  # before the report: who collects the result finds the slot free
            if in_time:
                report(task, outcome)
        self.leave()

    def _watch(self, worker: Worker, began: float, seconds: float) -> None:
        """Arm the worker's one alarm; while it stands, further tasks only move the deadline that it will look at."""
        with worker.lock:
            worker.deadline = began + seconds
            if worker.alarm is None or worker.alarm.due > worker.deadline:
                if worker.alarm is not None:
                    worker.alarm.cancel()
                worker.alarm = self._timers.after(seconds, lambda: self._look(worker))

    def _look(self, worker: Worker) -> None:
        with worker.lock:
            worker.alarm, task = None, worker.task
            if worker.deadline is None or task is None:
                return
            left = worker.deadline - monotonic()
            if left > 0:
                worker.alarm = self._timers.after(left, lambda: self._look(worker))
                return
            worker.deadline, worker.overdue = None, True
        task.work.cancelled = True
        self._report(task, timed_out(task.stage))
        if len(self._workers) == self._capacity and all(other.overdue for other in self._workers):
            for waiting in self.withdraw():  # nobody is left who could run them; another runner may
                self._report(waiting, Again("1s"))
