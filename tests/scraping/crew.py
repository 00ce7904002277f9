"""Coordinators and runners of the scraping workflow as processes of their own, which can be killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any

import psutil

from interlock import App
from interlock.runner.isolation.limits import die_with
from interlock.serving import Serving
from interlock.workflows.scraping import options as scraping_options
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.web.fetching import FetchLimits
from interlock.workflows.scraping.workflow import declare
from tests.concurrency.crowd import start

SWEEP = timedelta(milliseconds=200)
LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Plan:
    """What every process of a crew is started with; plain values."""

    url: str
    options: Options
    limits: FetchLimits
    retry: tuple[str, ...] = ("100ms", "200ms")
    """How long after each failure the next try begins."""
    concurrency: int = 24
    lease: timedelta = timedelta(seconds=6)

    def app(self) -> App:
        scraping_options.RETRY_DELAYS = self.retry  # minutes, in earnest
        return App(declare(self.options, self.limits), database=self.url)


def serve(connection: Connection, plan: Plan, role: str, name: str) -> None:
    """Coordinate or run until the process is killed."""
    die_with(os.getppid(), signal.SIGKILL)
    serving = Serving(
        plan.app(),
        coordinates=role == "coordinator",
        runs=role == "runner",
        concurrency=plan.concurrency,
        name=name,
        lease=plan.lease,
    )
    if serving.coordinator is not None:
        serving.coordinator.sweep_every = SWEEP
    connection.send("ready")
    serving.run()


@dataclass
class Crew:
    """The processes at work, by name; one that is killed is replaced under the same name."""

    plan: Plan
    members: dict[str, tuple[BaseProcess, Connection]] = field(default_factory=dict)
    kills: int = 0
    peak_bytes: dict[str, list[int]] = field(default_factory=dict)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for process, connection in self.members.values():
            process.kill()
            process.join(30)
            connection.close()

    def begin(self, role: str, name: str) -> None:
        process, connection = start(serve, self.plan, role, name)
        self.members[name] = process, connection
        assert connection.recv() == "ready"

    def kill(self, name: str) -> None:
        """End a process without warning, and begin another one in its place."""
        process, connection = self.members.pop(name)
        process.kill()
        process.join(30)
        connection.close()
        self.kills += 1
        self.begin(name.partition("-")[0], name)

    def until(self, condition: Callable[[], Any], within: float) -> None:
        """Wait until it holds; a process that ended by itself is a fault."""
        deadline = monotonic() + within
        while not condition():
            assert monotonic() < deadline, f"it did not hold within {within} s"
            ended = wait([process.sentinel for process, _ in self.members.values()], LOOK_SECONDS)
            assert not ended, "a process ended by itself"
            self._measure()

    def _measure(self) -> None:
        for name, (process, _) in self.members.items():
            with suppress(psutil.Error):
                self.peak_bytes.setdefault(name, []).append(psutil.Process(process.pid).memory_info().rss)
