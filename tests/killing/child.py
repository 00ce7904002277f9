"""The life of one process of the crew: an app served as a coordinator, a runner or both, until it is told to end or is no more."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from interlock import serving
from interlock.cli.processes.up import stopped_by_signals
from interlock.coordinator import schedules
from interlock.runner.isolation.limits import die_with
from interlock.runner.runner import Runner
from tests.killing.crash_points import Lots, Trap, lay
from tests.killing.workload import make_app

LEASE = 2.0
KEPT = 60.0
"""The lease of a runner that shall lose none, also while the machine does something else."""
SWEEP = timedelta(milliseconds=200)


@dataclass(frozen=True)
class Orders:
    """What one process is told; plain values, so a schedule can be written down."""

    url: str
    role: str
    name: str
    folder: str
    kinds: tuple[str, ...] = ("uploads",)
    stages: tuple[str, ...] | None = None
    lease: float = LEASE
    concurrency: int = 3
    lots: str | None = None
    odds: int = 100
    trap: Trap | None = None
    grace: float = serving.GRACE


def serve(orders: Orders) -> None:
    """Never returns in peace: what is at work in threads ends with the process."""
    die_with(os.getppid(), signal.SIGKILL)
    folder = Path(orders.folder)
    speak_into(folder / "log")
    app = make_app(orders.url, *orders.kinds)
    serving.GRACE = orders.grace
    schedules.LEASE = timedelta(seconds=orders.lease)
    served = serving.Serving(
        app,
        coordinates=orders.role != "runner",
        runs=orders.role != "coordinator",
        stages=orders.stages,
        concurrency=orders.concurrency,
        name=orders.name,
        lease=timedelta(seconds=orders.lease),
    )
    if served.coordinator is not None:
        served.coordinator.sweep_every = SWEEP
    keep_journal(folder / "reported")
    if orders.lots is not None or orders.trap is not None:
        lay(app.database.engine, Lots(orders.lots, orders.odds, folder, trap=orders.trap))
    with stopped_by_signals(served.stop):
        (folder / "serving").touch()
        served.run()
    (folder / "ended").touch()


def speak_into(path: Path) -> None:
    """Everything it says goes into a file, shown when a schedule fails."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING,
        format="%(asctime)s %(threadName)s %(name)s: %(message)s",
        force=True,
    )


def keep_journal(path: Path) -> None:
    """Write down each report once its transaction is over: every one of them must be found again, applied or with a verdict."""
    report = Runner._report

    def reporting(self: Runner, group: Sequence[Any], **options: Any) -> None:
        report(self, group, **options)  # type: ignore[arg-type]
        with path.open("a") as journal:
            journal.writelines(json.dumps([one.attempt.record_id, one.attempt.token]) + "\n" for one in group)

    Runner._report = reporting  # type: ignore[method-assign, assignment]
