"""Executes nothing: the outcome of each task, and how long it takes, is drawn when it is submitted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Protocol

from ...runner.executors.tasks import CANCELLED, Finished, Task
from ...workflow import Outcome, Stage

NEVER = datetime.max.replace(tzinfo=UTC)


class Held(NamedTuple):
    """A task, its outcome, and when it will be done."""

    task: Task
    outcome: Outcome[Any]
    due: datetime


class Decides(Protocol):
    """What decides the outcome and the duration of each task."""

    time: datetime
    calm: bool

    def outcome_of(self, task: Task) -> tuple[Outcome[Any], timedelta | None]: ...

    def shuffled(self, some: list[Held]) -> list[Held]: ...


class ScriptedExecutor:
    """An executor whose work takes virtual time, now and then longer than a lease, and ends in any order."""

    def __init__(self, decides: Decides, capacity: int) -> None:
        self.decides, self.capacity = decides, capacity
        self.open: dict[str, Held] = {}
        self.closed = False

    def free(self, stage: Stage) -> int:
        return 0 if self.closed else max(0, self.capacity - len(self.open))

    def submit(self, task: Task) -> None:
        outcome, takes = self.decides.outcome_of(task)
        self.open[task.token] = Held(task, outcome, NEVER if takes is None else self.decides.time + takes)

    def collect(self, wait: float) -> list[Finished]:
        ready = self.decides.shuffled([held for held in self.open.values() if self._ready(held)])
        for held in ready:
            del self.open[held.task.token]
        return [
            Finished(held.task, CANCELLED if held.task.work.cancelled else held.outcome) for held in ready
        ]

    def queued(self) -> int:
        """Return 0: no task is taken in advance."""
        return 0

    def _ready(self, held: Held) -> bool:
        """Whether a task is finished: one that hangs ends only when it is cancelled; in the calm part the rest is finished at once."""
        if held.due == NEVER:
            return held.task.work.cancelled
        return self.decides.calm or held.due <= self.decides.time

    def hangs(self) -> bool:
        return any(held.due == NEVER for held in self.open.values())

    def running(self) -> list[Task]:
        return [held.task for held in self.open.values()]

    def cancel(self, token: str) -> None:
        if token in self.open:
            self.open[token].task.work.cancelled = True

    def close(self, grace: float) -> list[Task]:
        self.closed = True
        left = [token for token, held in self.open.items() if not self._ready(held)]
        return [self.open.pop(token).task for token in left]

    def wake(self) -> None:
        """Do nothing: no thread waits."""
