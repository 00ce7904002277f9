"""Every way to execute a stage function, behind one door: the same function is tried inline, in a thread, in the event loop, isolated."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from interlock import Machine, Outcome, Work, Workflow
from interlock.clock import Clock, FrozenClock, SystemClock
from interlock.runner.executors.executor import MixedExecutor
from interlock.runner.executors.inline import InlineExecutor
from interlock.runner.executors.tasks import NOTHING, Executor, Finished, Task
from interlock.store.files.file_store import FileStore
from interlock.workflow import Stage
from tests.kinds import plain

WAYS = ("inline", "threads", "event_loop", "isolated")
MACHINE = Machine("one step", initial="waiting", moves={"waiting": ["done"]})
LONG = 90.0
"""Longer than anything here takes; a test that waits as long fails."""


_DRAWN: list[str] = []


def process_name() -> str:
    """A name of the process that calls it, the same each time: process numbers are not unique where each has numbers of its own.
    Called in isolated processes only, so that none inherits one."""
    if not _DRAWN:
        _DRAWN.append(os.urandom(8).hex())
    return _DRAWN[0]


class Way:
    """One way to execute, with its executor made when the stages are known."""

    def __init__(self, name: str, folder: Path, clock: Clock | None = None) -> None:
        self.name = name
        self.files = FileStore(folder / "files")
        self.clock: Clock = clock or (FrozenClock() if name == "inline" else SystemClock())
        self.workflow: Workflow = plain(MACHINE)
        self._executor: Executor | None = None
        self.hidden: list[str] = []
        """What isolated processes shall see nothing of."""
        self._tokens = itertools.count(1)

    def stage(self, function: Callable[..., Any], **options: Any) -> Stage:
        if self.name == "event_loop":
            function = as_coroutine(function)
        if self.name == "isolated":
            options["isolate"] = True
        return self.workflow.stage(waiting="waiting", done="done", **options)(function)

    def executor(self, concurrency: int = 2) -> Executor:
        if self._executor is None:
            self._executor = (
                InlineExecutor(self.clock, files=self.files, capacity=concurrency)
                if self.name == "inline"
                else MixedExecutor(
                    concurrency,
                    self.clock,
                    workflows=[self.workflow],
                    files=self.files,
                    hidden=self.hidden,
                )
            )
        return self._executor

    def task(self, stage: Stage, work: Work | None = None, loaded: Any = NOTHING) -> Task:
        return Task(f"token-{next(self._tokens)}", stage, work or Work("UL_7"), loaded, self.workflow.name)

    def run(
        self, function: Callable[..., Any], *, work: Work | None = None, loaded: Any = NOTHING, **options: Any
    ) -> Outcome[Any]:
        """What comes of one task."""
        return self.run_task(self.task(self.stage(function, **options), work, loaded))

    def run_task(self, task: Task) -> Outcome[Any]:
        self.executor().submit(task)
        return one(self.executor()).outcome

    def close(self) -> None:
        if self._executor is not None:
            self._executor.close(0)


def one(executor: Executor) -> Finished:
    [finished] = executor.collect(LONG)
    return finished


def several(executor: Executor, count: int) -> list[Finished]:
    found: list[Finished] = []
    while len(found) < count:
        more = executor.collect(LONG)
        assert more, f"{len(found)} of {count} finished"
        found += more
    return found


def as_coroutine(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def coroutine(*arguments: Any) -> Any:
        return function(*arguments)

    return coroutine
