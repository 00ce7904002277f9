"""Moves of whole batches that need no judging: what waits is begun, and what is done moves on with its facts, in a statement or two."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Date, DateTime, Float, Integer, Numeric, String, Uuid
from sqlalchemy import Connection as Tx

from ..machine import State
from ..store.contract import BatchResult, FactColumn, StageBatch, Step
from ..store.queue.waiting import Queue
from ..store.work.rows import WorkRows
from ..workflow import Axis, Move, Stage, Workflow
from ..workflow.columns.effects import counted_when_done
from ..workflow.columns.instant import Instant
from .command import command, engine_columns
from .hook_call import call_hook, hooks_of
from .judge import Planned
from .mover import Mover
from .stage_move import ACTOR

log = logging.getLogger("interlock.coordinator")

PLAIN_TYPES = (Boolean, Date, DateTime, Float, Integer, Numeric, String, Uuid, Instant)
"""Column types whose values the database itself casts from JSON as we would."""
MOST_SHAPES = 64
"""Different sets of fact columns for which a stage has statements of its own; what comes beyond is judged."""


class StageMoves:
    """Knows which batches of a stage need no judging, and moves them; None means that they do, and that nothing was done."""

    def __init__(self, mover: Mover, work: WorkRows) -> None:
        self.mover, self.work = mover, work
        self._finishes: dict[str, dict[str | None, tuple[StageBatch, Step] | None]] = {}
        self._begins: dict[str, list[tuple[StageBatch, Step]] | None] = {}

    def finish(
        self,
        tx: Tx,
        name: str,
        workflow: Workflow,
        stage: Stage,
        scope: str,
        shape: str | None,
        limit: int,
        now: datetime,
    ) -> BatchResult | None:
        """Move the records of reports that say nothing but that the work is done, and with facts of which columns."""
        known = self._finishes.setdefault(name, {})
        if shape not in known:
            known[shape] = (
                self._finishing(name, workflow, stage, shape, now) if len(known) < MOST_SHAPES else None
            )
        made = known[shape]
        return None if made is None else self._run(tx, workflow, made[0], made[1], scope, limit, now)

    def begin(
        self,
        tx: Tx,
        name: str,
        workflow: Workflow,
        stage: Stage,
        queue: Queue,
        scope: str,
        limit: int,
        now: datetime,
    ) -> list[tuple[Step, BatchResult]] | None:
        """Begin what waits for a stage without limits: of each waiting state those that move for the first time, and those that have
        moved before, until there is no more room."""
        if name not in self._begins:
            self._begins[name] = self._beginnings(name, workflow, stage, queue, now)
        made = self._begins[name]
        if made is None:
            return None
        done: list[tuple[Step, BatchResult]] = []
        room = limit
        for batch, step in made:
            for _ in range(2):
                result = self._run(tx, workflow, batch, step, scope, room, now)
                room -= result.moved
                done.append((step, result))
                if result.moved in (0, result.held) or room <= 0:
                    break
            if room <= 0 or (done and done[-1][1].held == 0):
                break
        return done

    def _run(
        self, tx: Tx, workflow: Workflow, batch: StageBatch, step: Step, scope: str, limit: int, now: datetime
    ) -> BatchResult:
        hooks, template = hooks_of(workflow, step), step.template
        mirrored = bool(workflow.mirrors_of(template.axis))
        wanted = bool(hooks) or mirrored or log.isEnabledFor(logging.INFO)
        result = batch.run(tx, scope, limit, now, wanted=wanted)
        if mirrored:
            keys = sorted(row.key for row in result.rows)
            self.mover.mirrors.keep(tx, workflow, template.axis, keys, (template.old, template.new))
        if hooks and result.rows:
            moves = [
                Move(
                    template.kind,
                    step.place.id_of(row.key),
                    template.axis,
                    scope or None,
                    row.version,
                    template.old,
                    template.new,
                    template.actor,
                    template.role,
                    None,
                    result.cause,
                    {} if row.facts is None else json.loads(row.facts),
                    now,
                    template.origin,
                )
                for row in result.rows
            ]
            for hook in hooks:
                call_hook(hook.function, tx, moves)
        return result

    def _finishing(
        self, name: str, workflow: Workflow, stage: Stage, shape: str | None, now: datetime
    ) -> tuple[StageBatch, Step] | None:
        axis = workflow.axes[stage.axis]
        columns = () if shape is None else fact_columns(workflow, axis, shape)
        plan = self.mover.plans.of(workflow, axis, stage.done)
        if stage.running is None or columns is None or not plan.reads_one_axis or plan.gates:
            return None
        counted = tuple(axis.column_name(name) for name in counted_when_done(workflow, stage))
        step = self._step(
            workflow,
            axis,
            stage.running,
            stage.done,
            f"{stage.name}.completed",
            now,
            {one.column: None for one in columns},
            counted,
        )
        return (
            None if step is None else (self.mover.engine.finish(self.work, name, step, shape, columns), step)
        )

    def _beginnings(
        self, name: str, workflow: Workflow, stage: Stage, queue: Queue, now: datetime
    ) -> list[tuple[StageBatch, Step]] | None:
        """What rules require of the same row is asked by the queue itself, under its lock; whatever else a rule says is judged."""
        axis = workflow.axes[stage.axis]
        limits = (stage.limit, stage.per_key, stage.rate_per)
        if stage.running is None or any(limit is not None for limit in limits) or queue.elsewhere:
            return None
        plan = self.mover.plans.of(workflow, axis, stage.running)
        if (
            len(plan.entered) > 1
            or plan.drives_elsewhere
            or plan.other_tables
            or plan.gates
            or _requires_of_leaving(workflow, stage)
        ):
            return None
        made = []
        for state in stage.waiting:
            step = self._step(workflow, axis, state, stage.running, "coordinator", now, {})
            if step is None:
                return None
            made.append(
                (self.mover.engine.begin(self.work, name, step, queue, f"{workflow.noun}.created"), step)
            )
        return made

    def _step(
        self,
        workflow: Workflow,
        axis: Axis,
        old: State,
        new: State,
        cause: str,
        now: datetime,
        own: dict[str, Any],
        counted: tuple[str, ...] = (),
    ) -> Step | None:
        """The step of a plain edge; None where only some may take it."""
        edge = axis.machine.edge(old, new)
        if edge is None or edge.kind != "plain":
            return None
        order = command(
            workflow, axis, new, actor=ACTOR, cause=cause, scope=axis.scopes[0] if axis.scoped else None
        )
        return self.mover.make_step(
            order, Planned(axis.name, old, new, order.origin, cause), 0, {}, None, now, counted, own
        )


def fact_columns(workflow: Workflow, axis: Axis, shape: str) -> tuple[FactColumn, ...] | None:
    """The columns that a report's shape names, which is untrusted; None where they have to be judged one by one."""
    try:
        names = json.loads(shape)
    except (ValueError, RecursionError):
        return None
    if not isinstance(names, list) or len(names) != len({str(name) for name in names}):
        return None
    engine = engine_columns(workflow, axis)
    columns = []
    for name in names:
        if not isinstance(name, str) or name in engine or name == axis.key or name not in axis.table.c:
            return None
        kind = axis.table.c[name].type
        if type(kind) not in _known_types(kind):
            return None
        columns.append(FactColumn(name, name, isinstance(kind, String)))
    return tuple(columns)


def _known_types(kind: Any) -> tuple[type, ...]:
    """The type itself where it is one of SQLAlchemy's plain ones, or ours; a team's own type has a mind of its own."""
    known = isinstance(kind, PLAIN_TYPES) and type(kind).__module__.partition(".")[0] in (
        "sqlalchemy",
        "interlock",
    )
    return (type(kind),) if known and type(kind).__name__ != "Enum" else ()


def _requires_of_leaving(workflow: Workflow, stage: Stage) -> bool:
    """Whether a rule requires something of leaving one of the waiting states: the queue does not ask that."""
    return any(
        rule.moment == "leaving" and rule.axis == stage.axis and rule.fires(state, stage.running)
        for rule in workflow.rules
        for state in stage.waiting
    )
