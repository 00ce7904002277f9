"""The executor of real runners: plain functions in threads, `async def` in one event loop, isolated stages in processes of their own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from random import Random

from ...clock import Clock, monotonic
from ...store.files.file_store import FileStore
from ...workflow import Failed, Stage, Workflow
from ..call.classify import is_async
from ..call.retrying import Tries, once_more
from ..call.stage_log import StageLog, StageLogs
from ..isolation.processes import ProcessPool
from ..isolation.zygote import Zygote, is_isolated
from .event_loop import LoopPool
from .tasks import CANCELLED, Ended, Finished, Postponed, Task
from .threads import ThreadPool
from .timers import Alarm, Timers

Pool = ThreadPool | LoopPool

MOST_DELAYED = 1000
"""How many tasks may wait for their next try here, while what they need is away, before no more are taken."""


class MixedExecutor:
    """Each pool runs up to `concurrency` tasks at once. Make it early: isolated processes are forked from what the runner is now."""

    def __init__(
        self,
        concurrency: int,
        clock: Clock,
        *,
        workflows: Sequence[Workflow] = (),
        files: FileStore | None = None,
        zygote: Zygote | None = None,
        random: Random | None = None,
        hidden: Sequence[str] = (),
    ) -> None:
        """`hidden` are files and folders of which isolated stages see nothing, where the system lets them be covered."""
        if zygote is None and any(
            is_isolated(stage) for workflow in workflows for stage in workflow.stages.values()
        ):
            zygote = Zygote(workflows, hidden)
        self._concurrency, self._zygote, self._clock = concurrency, zygote, clock
        self._logs, self._tries, self._timers = StageLogs(files, clock), Tries(random), Timers()
        self._open: dict[str, Task] = {}
        self._results: SimpleQueue[Finished | Task | None] = (
            SimpleQueue()
        )  # a bare task is given back; None only wakes
        self._kept: list[Finished] = []
        self._delayed: dict[str, tuple[Task, Alarm]] = {}
        self._lock = threading.Lock()
        self._closing = self._closed = False
        self._threads = ThreadPool(concurrency, self._report, self._timers)
        self._loop = LoopPool(concurrency, self._report, self._timers)
        self._processes = (
            None if zygote is None else ProcessPool(concurrency, self._report, self._timers, zygote)
        )
        self._pool_of: dict[Stage, Pool] = {}

    @property
    def broken(self) -> bool:
        """Whether isolated stages can no longer run here: zygote and keeper are gone, and only a new runner has others."""
        return self._zygote is not None and self._zygote.lost and not self._closing

    def free(self, stage: Stage) -> int:
        if self._closing:
            return 0
        pool = self._pool_of.get(stage) or self._pool(stage)
        return max(0, min(pool.free(stage), MOST_DELAYED - len(self._delayed)))

    def submit(self, task: Task) -> None:
        if self._closing:
            raise RuntimeError("this executor is closed")
        pool = self._pool_of.get(task.stage) or self._pool(task.stage)
        self._logs.attach(task)
        pool.submit(task)
        self._open[task.token] = task

    def collect(self, wait: float) -> list[Finished]:
        found, self._kept = self._kept, []
        opened, get = self._open, self._results.get_nowait
        for item in found:
            opened.pop(item.task.token, None)
        try:
            result = get() if found else self._results.get(True, max(0.0, wait))
            while True:
                if (
                    type(result) is Finished and opened.pop(result.task.token, None) is not None
                ):  # else it was given back before
                    found.append(result)
                result = get()
        except Empty:
            return found

    def running(self) -> list[Task]:
        return list(self._open.values())

    def queued(self) -> int:
        return self._threads.queued()

    def cancel(self, token: str) -> None:
        task = self._open.get(token)
        if task is None:
            return
        with self._lock:
            task.work.cancelled = True
            self._tries.give_up(task)
            delayed = self._delayed.pop(token, None)
        if delayed is not None:
            delayed[1].cancel()
            self._tries.forget(task)
            self._finish(task, CANCELLED)
        else:
            self._pool(task.stage).cancel(task)

    def wake(self) -> None:
        self._results.put(None)

    def close(self, grace: float) -> list[Task]:
        if self._closing:
            return []
        self._give_back_what_waits()
        self._await_the_others(monotonic() + grace)
        self._closed = True
        finished = {item.task.token for item in self._kept}
        left = [task for token, task in self._open.items() if token not in finished]
        for task in left:
            task.work.cancelled = True
            del self._open[task.token]
        for pool in self._pools():
            pool.stop()
        self._timers.stop()
        if self._zygote is not None:
            self._zygote.stop()
        return left

    def _pools(self) -> list[Pool]:
        pools: list[Pool] = [self._threads, self._loop]
        return pools if self._processes is None else [*pools, self._processes]

    def _pool(self, stage: Stage) -> Pool:
        pool: Pool = self._loop if is_async(stage) else self._threads
        if is_isolated(stage):
            if self._processes is None:
                raise RuntimeError(
                    f"{stage.name} is isolated, but its workflow was not given to the executor"
                )
            pool = self._processes
        self._pool_of[stage] = pool
        return pool

    def _report(self, task: Task, outcome: Ended | Postponed) -> None:
        """What a pool made of one try, in the pool's own thread."""
        if isinstance(outcome, Postponed):
            self._postpone(task, outcome.delay)
        elif task.stage.retry_in != "runner" or not self._goes_on(task, outcome):
            self._finish(task, outcome)

    def _postpone(self, task: Task, delay: float) -> None:
        """Wait until a gate may be asked again; the wait occupies no slot."""
        with self._lock:
            if self._closing:
                self._results.put(task)
            elif not self._tries.is_abandoned(task):
                self._delayed[task.token] = (task, self._timers.after(delay, lambda: self._try_again(task)))
                return
        if not self._closing:
            self._tries.forget(task)
            self._finish(task, CANCELLED)

    def _finish(self, task: Task, outcome: Ended) -> None:
        if self._closed:
            return  # it was given back
        log = task.work.own_log
        if isinstance(log, StageLog) and log.lines:
            self._logs.write(task)
        self._results.put(Finished(task, outcome))

    def _goes_on(self, task: Task, outcome: Ended) -> bool:
        """Whether the runner tries once more itself. The wait occupies no slot."""
        with self._lock:
            delay = self._tries.delay(task, outcome)
            if delay is None or not isinstance(outcome, Failed):
                return False
            if self._closing:
                self._results.put(task)
                return True
            task.work = once_more(task, outcome, delay, self._clock.now())
            self._delayed[task.token] = (task, self._timers.after(delay, lambda: self._try_again(task)))
            return True

    def _try_again(self, task: Task) -> None:
        with self._lock:
            due = self._delayed.pop(task.token, None)
        if due is not None:
            self._pool(task.stage).submit(task)

    def _give_back_what_waits(self) -> None:
        with self._lock:
            self._closing = True
            waiting = [task for task, _ in self._delayed.values()]
            for _, alarm in self._delayed.values():
                alarm.cancel()
            self._delayed.clear()
        for task in [*waiting, *(task for pool in self._pools() for task in pool.withdraw())]:
            self._results.put(task)

    def _await_the_others(self, until: float) -> None:
        """Until each open task has finished or was given back, or the grace is over; what finished is kept to be collected."""
        given_back = 0
        while len(self._kept) + given_back < len(self._open):
            try:
                item = self._results.get(True, max(0.0, until - monotonic()))
            except Empty:
                return
            if isinstance(item, Finished):
                self._kept.append(item)
            elif item is not None:
                given_back += 1
