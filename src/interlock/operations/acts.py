"""What can be done to many records: move, retry, cancel, undo. Each computes the target state of a record from a few values of its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, case, null

from ..authority.acts.cancel import cancelled_state, nothing_to_cancel, stages_at, worked_axes
from ..authority.acts.retry import not_failed, retried_axes, retry_columns, retry_state
from ..authority.command import checked_scope, known_state
from ..errors import BadInput, MaxRetriesExceeded, state_text
from ..machine import State
from ..machine.suggest import did_you_mean
from ..workflow import Axis, Workflow

NAMES = ("move", "retry", "cancel")


class Aim(NamedTuple):
    """Where a record is to go, and under which origin."""

    to: State
    origin: str = "move"

    def column_values(self, act: Act, now: datetime) -> dict[str, Any]:
        """Engine columns that the act sets: a record that is due again gets a new budget of tries; a cancelled one is no longer due."""
        values: dict[str, Any] = {}
        if self.origin == "reissue":
            values = {"ready_at": now, "tries": 0, "error_code": None, "error_message": None}
        elif act.name == "cancel":
            values = {"ready_at": None}
        return {act.axis.column_name(name): value for name, value in values.items() if act.axis.has(name)}


@dataclass(frozen=True)
class Act:
    """One act on one axis, and in one scope of it where it has scopes."""

    name: str
    workflow: Workflow
    axis: Axis
    scope: str
    to: State = None

    @property
    def is_by_engine(self) -> bool:
        """Whether it moves an axis that people may not move: retry and cancel do."""
        return self.name in ("retry", "cancel")

    def columns(self) -> list[ColumnElement[Any]]:
        """The values of a row that decide its aim; few different ones, for a preview counts rows by them."""
        if self.name == "retry" or (self.name == "undo" and self.axis.has("retry_count")):
            *where, error = retry_columns(self.axis)
            return [*where, case((error.is_not(None), 1), else_=null())]
        return [self.axis.column("status")] if self.name == "cancel" else []

    @property
    def common_aim(self) -> Aim | None:
        """Where every record is to go, whatever its row holds; None where each has an aim of its own."""
        return Aim(self.to) if self.name == "move" else None

    def aim(self, id: Any, values: Sequence[Any], past: tuple[State, State] = (None, None)) -> Aim:
        """Where this record is to go; raises why it cannot. `past` is what an operation that is to be undone did to it."""
        if self.name == "retry":
            back = retry_state(self.workflow, self.axis, id, values)
            if back is None:
                raise not_failed(self.workflow, id)
            return self.led(values[0], back[0])
        if self.name == "cancel":
            found = stages_at(self.workflow, self.axis, values[0])
            if not found:
                raise nothing_to_cancel(self.workflow, id, [f"{self.axis.name} is {state_text(values[0])}"])
            return Aim(cancelled_state(found[0]))
        if self.name == "undo":
            aim = self.led(past[1], past[0], plainly="move")
            if aim.origin == "retry" and values[2] >= values[3]:
                raise MaxRetriesExceeded(self.workflow.name, id, values[2], values[3])
            return aim
        return Aim(self.to)

    def led(self, old: State, new: State, plainly: str = "retry") -> Aim:
        """The aim by a retry move where the machine has one; a record that failed in place becomes due again in its state."""
        if old == new:
            return Aim(new, "reissue")
        edge = self.axis.machine.edge(old, new)
        return Aim(new, plainly if edge is None else "retry" if edge.kind == "retry" else "move")

    def facts(self, reason: str) -> Mapping[str, Any]:
        return {"error_code": "CANCELLED", "error_message": reason} if self.name == "cancel" else {}


def act_of(workflow: Workflow, name: str, axis: str | None, scope: str | None, to: State) -> Act:
    """The act as somebody asked for it, checked; an axis need not be named where only one can be meant."""
    if name not in NAMES:
        raise BadInput(
            f"{name!r} is no act on many records; there are {', '.join(NAMES)}",
            hint=did_you_mean(name, NAMES) or 'Such as preview("orders", act="move", to="packed", …).',
        )
    chosen = chosen_axis(workflow, name, axis)
    if name == "move":
        known_state(chosen, to)
        to = None if to is None else str.__str__(to)
    return Act(name, workflow, chosen, checked_scope(chosen, scope), to if name == "move" else None)


def chosen_axis(workflow: Workflow, act: str, named: str | None) -> Axis:
    if named is not None:
        workflow.axis(named)
    possible = (
        retried_axes(workflow)
        if act == "retry"
        else worked_axes(workflow)
        if act == "cancel"
        else list(workflow.axes.values())
    )
    fitting = [one for one in possible if named in (None, one.name)]
    if len(fitting) != 1:
        names = ", ".join(one.name for one in possible)
        raise BadInput(
            f"{workflow.name}: {act} needs an axis, one of {names}" + (f"; not {named}" if named else "")
        )
    return fitting[0]
