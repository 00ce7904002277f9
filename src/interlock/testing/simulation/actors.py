"""The processes of a simulated world: real coordinators and runners, each with its own clock, that can die and come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from ...authority import Authority
from ...coordinator import Coordinator
from ...runner.finish import Result
from ...runner.runner import Runner
from ...workflow import Workflow
from .clock import SkewedClock
from .executor import ScriptedExecutor

if TYPE_CHECKING:
    from .world import World

SWEEP_EVERY = timedelta(seconds=10)
LEASE = timedelta(seconds=30)
CAPACITY = 3


class Actor:
    """A simulated process that takes turns. `begin` starts it anew, without any memory."""

    topic = ""

    def __init__(self, name: str, world: World) -> None:
        self.name, self.world = name, world
        self.clock = SkewedClock(world)
        self.database = world.ground.database(lambda: world.between(self))
        self.away = 0
        """Turns for which it is stopped, or not yet started again."""

    def begin(self) -> None:
        self.away = 0

    def turn(self) -> int:
        raise AssertionError("every actor has its own turn")


class CoordinatorActor(Actor):
    """A real coordinator: one that moves whole batches where it may, or one that judges every row."""

    topic = "report"

    def __init__(self, name: str, world: World, workflows: Mapping[str, Workflow], *, batches: bool) -> None:
        super().__init__(name, world)
        self.workflows, self.batches = workflows, batches
        self.authority = Authority(self.database, self.clock)
        self.coordinator = self._made()

    def _made(self) -> Coordinator:
        return Coordinator(
            self.authority,
            self.workflows,
            self.world.transport,
            sweep_every=SWEEP_EVERY,
            batches=self.batches,
            app=self,
            start=_amid_the_step,
        )

    def begin(self) -> None:
        super().begin()
        before = self.coordinator
        self.coordinator = self._made()
        self.coordinator.stage_queues, self.coordinator.stage_moves = (
            before.stage_queues,
            before.stage_moves,
        )  # texts of statements, worked out once

    def turn(self) -> int:
        """Make a whole step, or only a part of one: a real coordinator may be held up between any two parts."""
        on = self.coordinator
        part = 0.0 if self.world.calm else self.world.random.random()
        if part < 0.55:
            return on.step()
        if part < 0.7:
            return on.sweep()
        if part < 0.83:
            return on._guarded(lambda: on.dispatcher.step(on.stage_queues.values()))
        return on._guarded(on.applier.step if part < 0.94 else on.admitter.step)


def _amid_the_step(run: Callable[[], None]) -> None:
    """Call schedules with the actor, whose `database` fails with it; a run is finished before the actor's next turn."""
    run()


class RunnerActor(Actor):
    """A real runner with a scripted executor."""

    topic = "work"

    def __init__(self, name: str, world: World, workflows: Mapping[str, Workflow]) -> None:
        super().__init__(name, world)
        self.workflows = workflows
        self.served: Any = None
        self.begin()

    def begin(self) -> None:
        super().begin()
        self.executor = ScriptedExecutor(self.world, CAPACITY)
        self.runner = Runner(
            self.database,
            self.clock,
            self.workflows,
            self.executor,
            transport=self.world.transport,
            name=self.name,
            lease=LEASE,
            capacity=CAPACITY,
            ticks=self.clock.ticks,
        )
        if self.served is not None:
            self.runner.served = self.served
        self.served = self.runner.served
        self.runner._report = self._heard(self.runner._report)  # type: ignore[method-assign]

    def _heard(self, report: Callable[..., None]) -> Callable[..., None]:
        """Note the reports that the runner knows to have arrived: each must be applied or answered in the end."""

        def report_and_note(group: list[Result], *, isolate: bool) -> None:
            report(group, isolate=isolate)
            self.world.reported.update(result.attempt.token for result in group)

        return report_and_note

    def turn(self) -> int:
        return self.runner.step()

    def stop(self) -> None:
        """A graceful stop, and a new process in its place, whether it could sign off or not."""
        try:
            self.runner.stop(0.0)
        finally:
            self.begin()
