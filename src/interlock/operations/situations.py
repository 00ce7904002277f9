"""Groups rows by what decides a move, and judges each group once with the authority's own judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    String,
    and_,
    case,
    cast,
    column,
    exists,
    false,
    func,
    not_,
    or_,
    select,
    table,
)

from ..authority.judge import Planned, Situation, judge
from ..authority.mover import Mover
from ..errors import ConcurrentModificationError, GateRejected, InterlockError, state_text
from ..machine import State
from ..store.tables import gate_verdict
from ..workflow import Axis, Gate, Rule
from ..workflow.columns.effects import ends
from .acts import Act, Aim

_work = table(
    "interlock_work",
    column("kind"),
    column("record_id"),
    column("axis"),
    column("scope"),
    column("reported_at"),
)


@dataclass(frozen=True)
class Judged:
    """What would come of rows in one situation."""

    outcome: str
    error: InterlockError | None = None
    steps: list[Planned] = field(default_factory=list)


class Situations:
    """What must be known of a row to say what would come of it: states, conditions of rules, verdicts of gates, a report that waits."""

    def __init__(self, act: Act, aim: Aim, mover: Mover) -> None:
        self.act, self.aim = act, aim
        plan = mover.plans.of(act.workflow, act.axis, aim.to, aim.origin)
        self.names = plan.axes
        self.axes = [act.workflow.axes[name] for name in self.names]
        self.conditions: list[ColumnElement[bool]] = []
        self.numbers: dict[Rule, tuple[int, ...]] = {}
        for rule in plan.conditions:
            self.ask(rule)
        self.gates = plan.gates
        worked = {stage.axis for stage in act.workflow.stages.values()}
        self.worked = [name for name in self.names if name in worked] if plan.ends_work else []

    def ask(self, rule: Rule) -> None:
        """Number the conditions of a rule in the order in which the authority does."""
        axes = self.act.workflow.axes
        far = [
            (axes[name], states)
            for name, states in (rule.required or {}).items()
            if axes[name].table is not self.act.axis.table
        ]
        asked = [*rule.own_row, *(elsewhere(self.act.axis, axis, states) for axis, states in far)]
        if asked:
            self.numbers[rule] = tuple(range(len(self.conditions), len(self.conditions) + len(asked)))
            self.conditions += asked

    def columns(self) -> list[ColumnElement[Any]]:
        held = [case((condition, 1), else_=0) for condition in self.conditions]
        reported = [case((self.reported(name), 1), else_=0) for name in self.worked]
        return [
            *(axis.column("status") for axis in self.axes),
            *held,
            *map(self.passed, self.gates),
            *reported,
        ]

    def name(self) -> ColumnElement[str]:
        return cast(self.act.axis.table.c[self.act.axis.key], String)

    def passed(self, gate: Gate) -> ColumnElement[Any]:
        """The newest verdict of a gate for the row's current version; null where it has not run."""
        axis = self.act.workflow.axes[gate.axis]
        mine = (
            gate_verdict.c.record_id == self.name(),
            gate_verdict.c.kind == self.act.workflow.name,
            gate_verdict.c.axis == gate.axis,
            gate_verdict.c.scope == self.act.scope,
            gate_verdict.c.version == axis.column("version"),
            gate_verdict.c.gate == gate.name,
        )
        newest = (
            select(case((gate_verdict.c.passed, 1), else_=0))
            .where(*mine)
            .order_by(gate_verdict.c.number.desc())
            .limit(1)
        )
        return newest.correlate(self.act.axis.table).scalar_subquery()

    def reported(self, axis: str) -> ColumnElement[bool]:
        return exists().where(
            _work.c.record_id == self.name(),
            _work.c.kind == self.act.workflow.name,
            _work.c.axis == axis,
            _work.c.scope == self.act.scope,
            _work.c.reported_at.is_not(None),
        )

    def judge(self, values: Sequence[Any], *, role: str | None, reason: str, example: Any) -> Judged:
        act, states, rest = self.act, values[: len(self.names)], values[len(self.names) :]
        holds, rest = tuple(map(bool, rest[: len(self.conditions)])), rest[len(self.conditions) :]
        verdicts, reported = rest[: len(self.gates)], rest[len(self.gates) :]
        situation = Situation(dict(zip(self.names, states, strict=True)), holds, self.numbers)
        found = judge(
            act.workflow,
            act.axis,
            self.aim.to,
            situation,
            role=role,
            reason=reason,
            origin=self.aim.origin,
            cause=None,
            by_engine=act.is_by_engine,
        )
        if found.refusal is not None or found.unchanged:
            return Judged("refused" if found.refusal else "unchanged", found.refusal)
        finished = {name for name, one in zip(self.worked, reported, strict=True) if one}
        if any(
            step.axis in finished and ends(act.workflow, step.axis, step.old, step.new)
            for step in found.steps
        ):
            return Judged(
                "conflict",
                ConcurrentModificationError(
                    f"{act.workflow.name} {example!r}: its work has just been reported and is "
                    "about to be applied",
                    kind=act.workflow.name,
                    id=example,
                ),
            )
        missing = self.missing(found.steps, verdicts)
        if missing:
            return Judged(
                "refused",
                GateRejected(
                    f"{act.workflow.name}: {state_text(self.aim.to)} waits for its gates: {', '.join(missing)}",
                    kind=act.workflow.name,
                    gates=missing,
                ),
            )
        return Judged("moved", None, found.steps)

    def missing(self, steps: Sequence[Planned], verdicts: Sequence[Any]) -> list[str]:
        """The gates of these steps that have not passed."""
        entered = {(step.axis, step.new) for step in steps if step.old != step.new}
        return [
            f"{gate.name} {'has not run' if verdict is None else 'said no'}"
            for gate, verdict in zip(self.gates, verdicts, strict=True)
            if (gate.axis, gate.to) in entered and not verdict
        ]


def elsewhere(here: Axis, there: Axis, states: Sequence[State]) -> ColumnElement[bool]:
    """The other axis, in its own table, is in one of the states; of a scoped axis every row must be, and one must exist."""
    same = [there.table.c[there.key] == here.table.c[here.key]]
    if here.scoped and there.scoped:
        same.append(there.table.c[there.scope_column] == here.table.c[here.scope_column])
    status = there.column("status")
    inside = or_(
        status.in_([state for state in states if state is not None]),
        status.is_(None) if None in states else false(),
    )
    found = exists().where(*same, inside)
    if not there.scoped or here.scoped:
        return found
    return and_(found, not_(exists().where(*same, not_(func.coalesce(inside, false())))))
