"""The swift way of whole batches: where nothing has to be judged, no row is looked at by itself; on PostgreSQL none even travels."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from ..machine import State
from ..store.contract import Passed
from ..store.postgresql import passage as postgresql
from ..store.sqlite import passage as sqlite
from ..store.waiting import Queue
from ..store.work import WorkRows
from ..workflow import Axis, Stage, Workflow
from ..workflow.effects import counted_when_done
from .command import command
from .judge import Planned
from .mover import Mover
from .working import ACTOR

log = logging.getLogger("interlock.coordinator")

Finishing = postgresql.Finishing | sqlite.Finishing
Beginning = postgresql.Beginning | sqlite.Beginning


class Swift:
    """Knows which stages may go this way, and takes them along it; None means that they may not, and that nothing was done."""

    def __init__(self, mover: Mover, work: WorkRows) -> None:
        self.mover, self.work = mover, work
        self._ways: dict[tuple[str, str], Finishing | Beginning | None] = {}

    def finish(self, tx: Connection, name: str, workflow: Workflow, stage: Stage, limit: int, now: datetime) -> Passed | None:
        """Plain reports of a stage: done, and nothing more to say."""
        way = self._way("finish", name, workflow, stage, None, now)
        return None if way is None else way.take(tx, limit, now, telling=log.isEnabledFor(logging.INFO))

    def begin(self, tx: Connection, name: str, workflow: Workflow, stage: Stage, queue: Queue, limit: int, now: datetime) -> Passed | None:
        """What waits for a stage without limits or conditions."""
        way = self._way("begin", name, workflow, stage, queue, now)
        return None if way is None else way.take(tx, limit, now, telling=log.isEnabledFor(logging.INFO))

    def _way(self, act: str, name: str, workflow: Workflow, stage: Stage, queue: Queue | None,
             now: datetime) -> Finishing | Beginning | None:
        if workflow.hooks or workflow.gates:  # they may be declared at any time
            return None
        if (act, name) not in self._ways:
            self._ways[act, name] = self._made(act, name, workflow, stage, queue, now)
        return self._ways[act, name]

    def _made(self, act: str, name: str, workflow: Workflow, stage: Stage, queue: Queue | None,
              now: datetime) -> Finishing | Beginning | None:
        axis, way = workflow.axes[stage.axis], sqlite if self.work.sqlite else postgresql
        if axis.scoped or axis.adoptable or stage.running is None:
            return None
        if queue is None:
            counted = tuple(axis.column_name(name) for name in counted_when_done(workflow, stage))
            step = self._step(workflow, axis, stage.running, stage.done, f"{stage.name}.completed", now, counted)
            return None if step is None else way.Finishing(self.work, name, step)
        if len(stage.waiting) > 1 or stage.limit is not None or stage.per_key is not None or queue.conditions() or queue.elsewhere:
            return None
        step = self._step(workflow, axis, stage.waiting[0], stage.running, "coordinator", now)
        return None if step is None else way.Beginning(self.work, name, step, queue, f"{workflow.noun}.created")

    def _step(self, workflow: Workflow, axis: Axis, old: State, new: State, cause: str, now: datetime,
              counted: tuple[str, ...] = ()) -> Any:
        """The step of a plain edge that no rule speaks of; None where there is more to it."""
        edge = axis.machine.edge(old, new)
        if edge is None or edge.kind != "plain" or not self.mover.outlooks.of(workflow, axis, new).simple:
            return None
        order = command(workflow, axis, new, actor=ACTOR, cause=cause)
        return self.mover.step(order, Planned(axis.name, old, new, order.origin, cause), 0, {}, None, now, counted)
