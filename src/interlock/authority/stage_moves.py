"""Moves of whole batches that need no judging: what waits is begun, and what is simply done moves on, in a statement or two."""

from __future__ import annotations

import logging
from datetime import datetime

from sqlalchemy import Connection

from ..machine import State
from ..store.contract import BatchMove, Passed, Step
from ..store.waiting import Queue
from ..store.work import WorkRows
from ..workflow import Axis, Stage, Workflow
from .command import command
from .judge import Planned
from .mover import Mover
from .working import ACTOR

log = logging.getLogger("interlock.coordinator")


class StageMoves:
    """Knows which stages' batches need no judging, and moves them; None means that they do, and that nothing was done."""

    def __init__(self, mover: Mover, work: WorkRows) -> None:
        self.mover, self.work = mover, work
        self._made: dict[tuple[str, str], BatchMove | None] = {}

    def finish(self, tx: Connection, name: str, workflow: Workflow, stage: Stage, limit: int, now: datetime) -> Passed | None:
        """Move the records of reports that say nothing but that the work is done."""
        if ("finish", name) not in self._made:
            self._made["finish", name] = self._finishing(name, workflow, stage, now)
        made = self._made["finish", name]
        return None if made is None else made.take(tx, limit, now, telling=log.isEnabledFor(logging.INFO))

    def begin(self, tx: Connection, name: str, workflow: Workflow, stage: Stage, queue: Queue, limit: int, now: datetime) -> Passed | None:
        """Begin what waits for a stage without limits or conditions."""
        if ("begin", name) not in self._made:
            self._made["begin", name] = self._beginning(name, workflow, stage, queue, now)
        made = self._made["begin", name]
        return None if made is None else made.take(tx, limit, now, telling=log.isEnabledFor(logging.INFO))

    def _finishing(self, name: str, workflow: Workflow, stage: Stage, now: datetime) -> BatchMove | None:
        axis = workflow.axes[stage.axis]
        if stage.running is None:
            return None
        step = self._step(workflow, axis, stage.running, stage.done, f"{stage.name}.completed", now)
        return None if step is None else self.mover.engine.finish_in_batches(self.work, name, step)

    def _beginning(self, name: str, workflow: Workflow, stage: Stage, queue: Queue, now: datetime) -> BatchMove | None:
        axis = workflow.axes[stage.axis]
        if stage.running is None or len(stage.waiting) > 1 or stage.limit is not None or stage.per_key is not None \
                or queue.conditions() or queue.elsewhere:
            return None
        step = self._step(workflow, axis, stage.waiting[0], stage.running, "coordinator", now)
        return None if step is None else self.mover.engine.begin_in_batches(self.work, name, step, queue, f"{workflow.noun}.created")

    def _step(self, workflow: Workflow, axis: Axis, old: State, new: State, cause: str, now: datetime) -> Step | None:
        """The step of a plain edge that nothing but the edge decides; None where there is more to it."""
        edge = axis.machine.edge(old, new)
        plan = self.mover.plans.of(workflow, axis, new)
        if axis.scoped or axis.adoptable or edge is None or edge.kind != "plain" or not plan.reads_one_axis or plan.gates or plan.hooks:
            return None
        order = command(workflow, axis, new, actor=ACTOR, cause=cause)
        return self.mover.step(order, Planned(axis.name, old, new, order.origin, cause), 0, {}, None, now)
