"""The stages of an app as a coordinator meets them: each with its axis, its machine, its queue and its full name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..authority.mover import Mover
from ..machine import Machine
from ..store.placement import Placement
from ..store.queue.lost_work import LostWork
from ..store.queue.waiting import Queue
from ..store.work.rows import WorkRows
from ..workflow import Axis, Stage, Workflow


@dataclass(frozen=True, eq=False)
class StageQueue:
    """One stage of one workflow."""

    name: str
    workflow: Workflow
    stage: Stage
    axis: Axis
    place: Placement
    queue: Queue
    lost_work: LostWork

    @property
    def machine(self) -> Machine:
        return self.axis.machine

    @property
    def scopes(self) -> tuple[str, ...]:
        return self.axis.scopes if self.axis.scoped else ("",)


def stage_queues_of(workflows: Iterable[Workflow], mover: Mover, work: WorkRows) -> dict[str, StageQueue]:
    """By full name, `kind.stage`."""
    found = {}
    for workflow in workflows:
        for stage in workflow.stages.values():
            axis = workflow.axes[stage.axis]
            place = mover.plans.place(workflow, axis)
            name = f"{workflow.name}.{stage.name}"
            queue = Queue(work, workflow, stage, place)
            found[name] = StageQueue(name, workflow, stage, axis, place, queue, LostWork(queue))
    return found
