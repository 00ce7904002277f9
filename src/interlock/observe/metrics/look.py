"""One look at a database, at one instant and in one snapshot, and what the parts that measure have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from ...errors import state_text
from ...machine import State
from ...store.connect import Database
from ...store.work.rows import WorkRows
from ...workflow import Axis, Stage, Workflow


@dataclass(frozen=True)
class Look:
    """What a part is given to measure with."""

    database: Database
    workflows: Mapping[str, Workflow]
    work: WorkRows
    tx: Connection
    at: datetime

    def since(self, instant: datetime | None) -> float:
        """Seconds from then to now; nothing that is not there has an age, and none is younger than now."""
        return 0.0 if instant is None else max(0.0, (self.at - instant).total_seconds())

    def stages(self) -> Iterator[tuple[Workflow, Stage, str]]:
        """Every stage in every scope that it has."""
        for workflow in self.workflows.values():
            for stage in workflow.stages.values():
                for scope in scopes(workflow.axes[stage.axis]):
                    yield workflow, stage, scope


def scopes(axis: Axis) -> tuple[str, ...]:
    return axis.scopes if axis.scoped else ("",)


def full_name(workflow: Workflow, stage: Stage) -> str:
    return f"{workflow.name}.{stage.name}"


def worked_states(workflow: Workflow, axis: str) -> tuple[State, ...]:
    """The states in which records of an axis wait for a stage or are worked on."""
    stages = [stage for stage in workflow.stages.values() if stage.axis == axis]
    waited = [state for stage in stages for state in stage.waiting]
    return tuple(dict.fromkeys([*waited, *(stage.running for stage in stages if stage.running is not None)]))


def label(state: State) -> str:
    """A state as a label; null is a state too."""
    return state_text(state)
