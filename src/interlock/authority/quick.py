"""The quick way of one plain move on PostgreSQL: what can be known beforehand is worked out once; what is unusual goes the usual way."""

from __future__ import annotations

from typing import Any

from ..clock import Clock
from ..errors import StoreError
from ..machine import State
from ..store.connect import Database
from ..store.faults import is_driver_error, translate
from ..store.placement import Placement
from ..store.postgresql.shortcut import Lane
from ..workflow import Answer, Workflow
from .command import command
from .judge import Planned
from .mover import Mover

KEPT = 1024
LARGEST = 2**31
WORDS = (str, type(None))


class Quick:
    """Answers only `moved`; None means that nothing was done, and that the usual way is to find out why."""

    def __init__(self, database: Database, mover: Mover, clock: Clock) -> None:
        self.database, self.mover, self.clock = database, mover, clock
        self.lanes: dict[Any, tuple[Placement, Lane] | None] = {}

    def move(self, workflow: Workflow, id: Any, axis: str, to: Any, version: Any, actor: Any, role: Any, scope: Any) -> Answer | None:
        """Short on purpose: at this rate each call counts."""
        if workflow.hooks or workflow.gates or type(actor) is not str or type(to) not in WORDS or type(role) not in WORDS \
                or type(scope) not in WORDS or not (version is None or (type(version) is int and 0 <= version < LARGEST)):
            return None
        words = (workflow, axis, to, actor, role, scope, version is None)
        try:
            found = self.lanes[words]
        except KeyError:
            if len(self.lanes) >= KEPT:
                self.lanes.clear()
            found = self.lanes[words] = self._lane(workflow, axis, to, actor, role, scope, version is not None)
        if found is None or not found[0].takes_as_they_are([id]):
            return None
        lane = found[1]
        moved = self._take(lane, str(id), version)
        return None if moved is None else Answer(id, "moved", lane.old, lane.new, moved)

    def _take(self, lane: Lane, key: str, version: int | None) -> int | None:
        """A refusal or a lost race is the usual way's to explain; a database that is gone is gone for it as well."""
        try:
            bare = self.database.lend()
            try:
                return lane.take(bare, key, self.clock.now(), version) if bare.unicode else None
            finally:
                self.database.take_back(bare)
        except Exception as error:
            if not is_driver_error(error):
                raise
            fault = translate(error)
            if isinstance(fault, StoreError):
                raise fault from error
            return None

    def _lane(self, workflow: Workflow, axis: str, to: State, actor: str, role: str | None, scope: str | None,
              versioned: bool) -> tuple[Placement, Lane] | None:
        """The way of these words, checked as any command is; None where more than one statement is needed."""
        order = command(workflow, workflow.axis(axis), to, actor=actor, role=role, scope=scope)
        sources = self.mover.sources(order.axis, order.to)
        outlook = self.mover.outlooks.of(workflow, order.axis, order.to)
        if len(sources) != 1 or not outlook.simple:
            return None
        planned = Planned(order.axis.name, sources[0], order.to, order.origin, order.cause)
        step = self.mover.step(order, planned, 0, {}, None, self.clock.now())
        return step.place, Lane(step, order.scope, versioned)
