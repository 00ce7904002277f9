"""An app as running processes: a coordinator, a runner, or both in one, each a loop of steps that one call stops."""

from __future__ import annotations

import gc
import logging
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Protocol
from uuid import uuid4

from .app import App
from .clock import monotonic
from .coordinator import Coordinator
from .errors import IsolationLost, StoreError
from .loop import Loop
from .observe.proofs.sealing import LOOK_EVERY, SealKeeper
from .runner.executors.executor import MixedExecutor
from .runner.runner import LEASE, Runner
from .store.queue import coordinators
from .store.work.rows import WorkRows
from .transport import DatabaseTransport, Topic, Transport
from .transport.contract import Listener
from .workflow.surfaces.figure import Figure, Shape

log = logging.getLogger("interlock.serving")

LOOK_FOR_OTHERS = 0.5
"""Seconds between two looks whether another runner is still alive."""
GRACE = 10.0
"""Seconds that running work is given to end before it is given back."""


@contextmanager
def settled() -> Iterator[None]:
    """Tune garbage collection for a process that only serves: freeze imported objects, and collect cycles less often than after every
    few hundred objects. A batch makes thousands, none of which is part of a cycle."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _figure(name: str, help: str, value: float, role: str, shape: Shape = "gauge") -> Figure:
    return Figure(name, help, ("role",), shape, {(role,): value})


def stored_on_this_machine(app: App) -> list[str]:
    """The files and folders that hold the app's data: its SQLite database with its log, and stored files."""
    file = app.database.sql.connections.file(app.database.engine.url)
    folder = app.files.folder
    return [
        *([] if file is None else [f"{file.resolve()}{end}" for end in ("", "-wal", "-shm", "-journal")]),
        *([] if folder is None else [str(folder.resolve())]),
    ]


class Wakes(Protocol):
    def wake(self) -> None: ...


class Hints:
    """Threads that wait for hints, and wake executors that wait for work in another way."""

    def __init__(
        self, transport: Transport, topics: Sequence[Topic], wakes: Wakes, stop: threading.Event
    ) -> None:
        self.listeners = [transport.listen(topic) for topic in topics]
        self.wakes, self.stop = wakes, stop
        self.hinted = False
        self._threads = [
            threading.Thread(target=self._listen, args=(one,), name="interlock-hints", daemon=True)
            for one in self.listeners
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self, listener: object) -> None:
        while not self.stop.is_set():
            try:
                hinted = listener.wait(1.0)  # type: ignore[attr-defined]
            except Exception as error:  # noqa: BLE001 hints may fail in any way; polling is the truth
                log.warning("hints do not arrive: %s", type(error).__name__)
                self.stop.wait(1.0)
                continue
            if hinted:
                self.hinted = True
                self.wakes.wake()

    def close(self) -> None:
        for listener in self.listeners:
            listener.wake()
        for thread in self._threads:
            thread.join(5.0)
        for listener in self.listeners:
            listener.close()


class Presence:
    """Keeps a coordinator registered as alive while it steps, so that people can ask whether one is there."""

    def __init__(self, app: App, name: str) -> None:
        self.database, self.work = app.database, WorkRows(app.database, app.clock)
        self.id, self.name = uuid4().hex, name
        self._beat_at: float | None = None

    def beat(self) -> None:
        """Register again, a few times within each lease."""
        if (
            self._beat_at is not None
            and monotonic() - self._beat_at < coordinators.BEAT_EVERY.total_seconds()
        ):
            return
        with self.database.write() as tx:
            coordinators.register(self.work, tx, self.id, self.name)
        self._beat_at = monotonic()

    def leave(self) -> None:
        with self.database.write() as tx:
            coordinators.leave(self.work, tx, self.id)


class Serving:
    """What `interlock up`, `coordinator` and `runner` run. Make it before any thread exists: isolated work is forked from it."""

    def __init__(
        self,
        app: App,
        *,
        coordinates: bool = True,
        runs: bool = True,
        stages: Sequence[str] | None = None,
        concurrency: int = 4,
        name: str | None = None,
        lease: timedelta = LEASE,
        direct: str | None = None,
        sealing: SealKeeper | None = None,
    ) -> None:
        self.sealing = sealing
        self.app, self.stop_asked, self.concurrency = app, threading.Event(), concurrency
        self.loop: Loop | None = None
        self.made_at = monotonic()
        self.transport = app.transport if direct is None else DatabaseTransport(app.database, direct)
        self.coordinator: Coordinator | None = (
            app.coordinator(transport=self.transport) if coordinates else None
        )
        self.presence = Presence(app, name or socket.gethostname()) if coordinates else None
        self._listener: Listener | None = None
        self._isolation_lost = False
        self.runner: Runner | None = None
        self.executor: MixedExecutor | None = None
        if runs and any(workflow.stages for workflow in app.workflows.values()):
            self.executor = MixedExecutor(
                concurrency,
                app.clock,
                workflows=list(app.workflows.values()),
                files=app.files,
                hidden=stored_on_this_machine(app),
            )
            self.runner = app.runner(
                self.executor,
                stages=stages,
                transport=self.transport,
                name=name or socket.gethostname(),
                lease=lease,
            )

    def run(self) -> None:
        """Until `stop` is called; then finish or give back, and seal what was committed.

        Raises `IsolationLost` if isolated stages can no longer run here.
        """
        if self.sealing is None:
            self._run()
            return
        thread = threading.Thread(
            target=self._seal_on_schedule, args=(self.sealing,), name="interlock-sealing", daemon=True
        )
        thread.start()
        try:
            self._run()
        finally:
            self.stop_asked.set()
            thread.join(GRACE)
            if not thread.is_alive():
                self._seal(self.sealing, at_once=True)

    def _seal_on_schedule(self, keeper: SealKeeper) -> None:
        while True:
            self._seal(keeper)
            if self.stop_asked.wait(LOOK_EVERY):
                return

    def _seal(self, keeper: SealKeeper, *, at_once: bool = False) -> None:
        """Nothing that goes wrong while sealing ends the process."""
        try:
            keeper.step(at_once=at_once)
        except Exception:
            log.exception("Unexpected error while sealing. Please report it.")

    def _run(self) -> None:
        if self.runner is None or self.executor is None:
            self._coordinate()
            return
        topics: list[Topic] = ["work"] if self.coordinator is None else ["work", "report"]
        hints = Hints(self.transport, topics, self.executor, self.stop_asked)
        try:
            self.loop = Loop(self._step, _RunnerWaits(self.runner, hints), self.stop_asked)
            self.loop.run()
        finally:
            hints.close()
            with suppress(
                StoreError
            ):  # while the database is unavailable nothing can be given back; leases expire by themselves
                self.runner.stop(GRACE)
            self._end_schedules()
            self.executor.close(0.0)
        if self._isolation_lost:
            raise IsolationLost

    def _coordinate(self) -> None:
        if self.coordinator is None:
            return
        self._listener = listener = self.transport.listen("report")
        try:
            self.loop = Loop(self._coordinated, listener, self.stop_asked)
            self.loop.run()
        finally:
            listener.close()
            self._end_schedules()

    def _end_schedules(self) -> None:
        """Runs of schedules that are under way get the time that runners get; their leases run out by themselves."""
        if self.coordinator is not None:
            with suppress(StoreError):
                self.coordinator.stop(GRACE)
        if self.presence is not None:
            with suppress(StoreError):
                self.presence.leave()

    def _coordinated(self) -> int:
        """One step of the coordinator, and its beat where one is due."""
        if self.coordinator is None:
            return 0
        if self.presence is not None:
            self.presence.beat()
        return self.coordinator.step()

    def _step(self) -> int:
        if self.executor is not None and self.executor.broken:
            self._isolation_lost = True
            self.stop_asked.set()
            return 0
        return self._coordinated() + (self.runner.step() if self.runner is not None else 0)

    def figures(self) -> list[Figure]:
        """What only this process knows: whether it steps, and how much it holds."""
        role = "runner" if self.coordinator is None else "coordinator" if self.runner is None else "both"
        steps, done = (0, 0) if self.loop is None else (self.loop.steps, self.loop.done)
        age = monotonic() - (self.made_at if self.loop is None else self.loop.stepped_at)
        figures = [
            _figure(
                "interlock_process_last_step_seconds",
                "How long ago the last step ended, or the process began.",
                age,
                role,
            ),
            _figure("interlock_process_steps_total", "Steps that went well.", steps, role, "counter"),
            _figure(
                "interlock_process_work_total",
                "What those steps did: reports, dispatches, claims.",
                done,
                role,
                "counter",
            ),
        ]
        if self.runner is None or self.executor is None:
            return figures
        working = len(self.executor.running())
        return [
            *figures,
            _figure(
                "interlock_process_slots", "How much this runner works on at once.", self.concurrency, role
            ),
            _figure(
                "interlock_process_busy_slots",
                "How many of them have work.",
                min(working, self.concurrency),
                role,
            ),
            _figure(
                "interlock_process_held_attempts",
                "Attempts that it has claimed and not finished.",
                len(self.runner.held),
                role,
            ),
            _figure(
                "interlock_process_unreported",
                "Attempts that are finished and not yet reported.",
                len(self.runner.results),
                role,
            ),
        ]

    def has_others(self) -> bool:
        """Whether runners are alive, or may be because the database does not answer."""
        try:
            return bool(self.app.runners())
        except StoreError:
            return True

    def close(self) -> None:
        """End what was made for a run that never began."""
        if self.executor is not None:
            self.executor.close(0.0)

    def stop(self) -> None:
        """Ask it to end; safe from a signal handler or another thread."""
        self.stop_asked.set()
        if self.executor is not None:
            self.executor.wake()
        elif self._listener is not None:
            self._listener.wake()


@contextmanager
def work_here(app: App) -> Iterator[None]:
    """Coordinate and run the app's work in this process within the block, while no other runner is alive; enter it before starting
    threads of your own, because isolated work is forked from this process."""
    serving = Serving(app)
    thread = threading.Thread(target=_run_when_alone, args=(serving,), name="interlock-serving")
    thread.start()
    try:
        yield
    finally:
        serving.stop()
        thread.join()


def _run_when_alone(serving: Serving) -> None:
    """Run once no runner is alive: the lease of one that was killed runs out, and another one may end before the work does."""
    while serving.has_others():
        if serving.stop_asked.wait(LOOK_FOR_OTHERS):
            serving.close()
            return
    serving.run()


class _RunnerWaits:
    """A runner waits for its executor, which hints wake too."""

    def __init__(self, runner: Runner, hints: Hints) -> None:
        self.runner, self.hints = runner, hints

    def wait(self, seconds: float) -> bool:
        if self.hints.hinted:
            self.hints.hinted = False
            return True
        return self.runner.gather(seconds) or self.hints.hinted

    def acknowledge(self) -> None:
        for listener in self.hints.listeners:
            listener.acknowledge()
