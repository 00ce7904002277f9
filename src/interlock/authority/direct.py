"""Moves that need no reading: one statement, which is its own transaction, moves what still is where the plan says it comes from."""

from __future__ import annotations

from typing import Any

from ..clock import Clock
from ..errors import InterlockError, StoreError
from ..machine import State
from ..store.connect import Database
from ..store.contract import DirectMove, Prepared, Step
from ..transport import Transport
from ..workflow import Answer, Workflow
from .command import Asked, Command, command
from .judge import Planned
from .mover import Mover
from .transactions.transaction import Progress

KEPT = 1024
LARGEST = 2**31
_TEXTS = (str, type(None))


class DirectMoves:
    """Answers only `moved`. Of what did not move nothing was done, and the general path has to say why."""

    def __init__(self, database: Database, mover: Mover, transport: Transport, clock: Clock) -> None:
        self.database, self.mover, self.transport, self.clock = database, mover, transport, clock
        self._prepared: dict[Any, tuple[Step, Prepared, bool] | None] = {}

    def move(
        self, workflow: Workflow, id: Any, axis: str, to: Any, version: Any, actor: Any, role: Any, scope: Any
    ) -> Answer | None:
        """Move one record of which nothing is recorded but who moved it; None where it did not move. Short on purpose: at this rate each
        call counts."""
        if (
            type(actor) is not str
            or type(to) not in _TEXTS
            or type(role) not in _TEXTS
            or type(scope) not in _TEXTS
            or not (version is None or (type(version) is int and 0 <= version < LARGEST))
        ):
            return None
        key = (workflow, axis, to, actor, role, scope, version is None)
        try:
            known = self._prepared[key]
        except KeyError:
            if len(self._prepared) >= KEPT:
                self._prepared.clear()
            known = self._prepared[key] = self._prepare(
                workflow, axis, to, actor, role, scope, versioned=version is not None
            )
        if known is None or not known[0].place.takes_as_they_are([id]):
            return None
        step, prepared, wakes = known
        moved = prepared.run(self.database, str(id), self.clock.now(), version)
        if moved is None:
            return None
        if wakes:
            self.transport.after("report")
        return Answer(id, "moved", step.template.old, step.template.new, moved)

    def move_rows(self, order: Command, wanted: list[Asked], pending: list[int]) -> Progress:
        """Move those of the pending records that stand where the plan says; only these are answered."""
        progress = Progress()
        plan = self.mover.plan(order)
        versioned = len(pending) > 1 and any(wanted[number].version is not None for number in pending)
        if not plan.is_direct or versioned or order.own is not None:
            return progress
        now, keys = self.clock.now(), sorted({wanted[number].key for number in pending})
        planned = Planned(order.axis.name, plan.sources[0], order.to, "move", order.cause)
        step = self.mover.make_step(order, planned, 0, order.columns, order.detail, now)
        alone = len(keys) == 1 and not (order.detail is not None and order.detail.shared)
        owner = (order.kind, str(keys[0])) if alone else (None, None)
        hint = self.transport.inline("report") if plan.wakes else None
        move = DirectMove(step, keys, order.scope, wanted[pending[0]].version, now, owner, hint)
        try:
            moved = self.mover.engine.move_directly(self.database, move)
        except StoreError:
            raise
        except InterlockError:
            return progress  # the general path says why, or tries again
        for number in pending if moved else ():
            version = (moved or {}).pop(wanted[number].key, None)
            if version is not None:
                id = wanted[number].id
                progress.answers[number] = Answer(id, "moved", plan.sources[0], order.to, version)
                progress.wakes = plan.wakes
        return progress

    def _prepare(
        self,
        workflow: Workflow,
        axis: str,
        to: State,
        actor: str,
        role: str | None,
        scope: str | None,
        *,
        versioned: bool,
    ) -> tuple[Step, Prepared, bool] | None:
        """The prepared statement of this command, checked as any command is; None where more than one statement is needed."""
        order = command(workflow, workflow.axis(axis), to, actor=actor, role=role, scope=scope)
        plan = self.mover.plan(order)
        if not plan.is_direct:
            return None
        planned = Planned(order.axis.name, plan.sources[0], order.to, order.origin, order.cause)
        step = self.mover.make_step(order, planned, 0, {}, None, self.clock.now())
        prepared = self.mover.engine.prepare(
            step,
            order.scope,
            versioned=versioned,
            hint=self.transport.inline("report") if plan.wakes else None,
        )
        return None if prepared is None else (step, prepared, plan.wakes)
