"""The coordinator: one bounded step after another. It keeps nothing between steps that the rows do not also say, but how long what was
refused rests until it is tried again, and what of it was logged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection

from .. import tracing
from ..authority import Authority
from ..authority.stage_batches import StageMoves
from ..authority.stage_move import StageMove, StageMover
from ..authority.transactions.transaction import raced, together_or_apart
from ..errors import HookFailed, InterlockError, StoreError
from ..store.adoption.adoptions import PHASES, held_axes, phase_of
from ..store.adoption.strays import has_open_strays
from ..store.contract import RowState
from ..store.faults import is_driver_error, translate
from ..store.work.attempts import ReportGroup
from ..store.work.rows import WorkRows
from ..transport import DatabaseTransport, Transport
from ..workflow import Answer, Workflow
from .apply import Applier
from .dispatch import Dispatcher
from .intake import Admitter
from .limits import Limits
from .move_log import log
from .rechecks import Rechecks
from .refused import Refused
from .schedules import Schedules, Start, in_a_thread
from .spans import Spans
from .stage_queues import stage_queues_of
from .standing_rules import StandingRules
from .sweep import Sweeper
from .timers import Timers

SWEEP_EVERY = timedelta(seconds=1)
T = TypeVar("T")


class Coordinator:
    """Dispatches, applies, admits and sweeps; any number of them at once, none of them a leader."""

    def __init__(
        self,
        authority: Authority,
        workflows: Mapping[str, Workflow],
        transport: Transport | None = None,
        *,
        sweep_every: timedelta = SWEEP_EVERY,
        batches: bool = True,
        app: Any = None,
        start: Start = in_a_thread,
    ) -> None:
        """`app` is what schedules are called with; without one, this coordinator runs none. `start` begins their runs."""
        self.authority, self.workflows = authority, dict(workflows)
        self.database, self.clock = authority.database, authority.clock
        self.transport = transport or DatabaseTransport(self.database)
        self.work = WorkRows(self.database, self.clock)
        self.stage_mover, self.stage_moves = (
            StageMover(authority.mover),
            StageMoves(authority.mover, self.work),
        )
        self.refused = Refused(self.clock)
        self.adopted = [
            authority.mover.plans.place(workflow, axis)
            for workflow in self.workflows.values()
            for axis in workflow.axes.values()
            if axis.adopt is not None
        ]
        self.stage_queues = stage_queues_of(self.workflows.values(), authority.mover, self.work)
        self.applier, self.dispatcher, self.sweeper = Applier(self), Dispatcher(self), Sweeper(self)
        self.admitter, self.limits, self.rechecks, self.standing = (
            Admitter(self),
            Limits(self),
            Rechecks(self),
            StandingRules(self),
        )
        self.timers, self.schedules = Timers(self), Schedules(self, app, start)
        self.spans = Spans(self)
        self.sweep_every = sweep_every
        self.lost_races = 0
        self._swept: datetime | None = None
        self._may_move_batches = batches
        self.isolates_failures = False
        """Whether the step is run again after a refusal, with savepoints around what may be refused."""

    def held(self, tx: Connection) -> set[tuple[str, str]]:
        """Axes whose adoption has not come to the phase in which Interlock begins to work on them."""
        return held_axes(tx, self.workflows.values()) if self.adopted else set()

    def follow_strays(self) -> int:
        """Give writes past Interlock their entries, where the database's own guard cannot."""
        count = 0
        for place in self.adopted:
            with self.database.read() as tx:
                if not has_open_strays(tx, place):
                    continue
            with self.database.write() as tx:
                if phase_of(tx, place.kind, place.name) not in (None, PHASES[0]):
                    count += self.authority.engine.follow_strays(tx, place)
        return count

    def step(self) -> int:
        """Apply reports, admit, dispatch and, when it is due, sweep, each in bounded batches; return how much was done."""
        count = self._guarded(self.follow_strays) if self.adopted else 0
        groups, arrivals = self.look()
        count += self._guarded(lambda: self.applier.step(groups)) if groups else 0
        count += self._guarded(self.admitter.step) if arrivals else 0
        count += self._guarded(lambda: self.dispatcher.step(self.stage_queues.values()))
        if (
            self._swept is None or not timedelta() <= self.clock.now() - self._swept < self.sweep_every
        ):  # a clock may be set back
            count += self.sweep()
        return count

    def look(self) -> tuple[list[ReportGroup], bool]:
        """What reports there are, and whether stages found records: the question costs less than transactions for nothing."""
        with self.database.glance_once() as tx:
            groups, arrivals = self.work.look(tx, self.database.batch)
            if not groups and self.work.scan_start.forget():
                groups, arrivals = self.work.look(tx, self.database.batch)
            return groups, arrivals

    @property
    def moves_batches(self) -> bool:
        """Whether batches that need no judging are moved as a whole: not while bad rows are isolated, or moves are traced one by one."""
        return self._may_move_batches and not self.isolates_failures and not tracing.on()

    @property
    def hooked(self) -> bool:
        """Whether a team's own statements may run inside of moves; hooks can be declared at any time."""
        return any(workflow.hooks for workflow in self.workflows.values())

    def stop(self, grace: float) -> None:
        """Wait for the runs of schedules that are under way here."""
        self.schedules.stop(grace)

    def sweep(self) -> int:
        """Sweep now: look for ended leases, lost work and records that wait unseen, move what timers and standing rules ask for, and run
        schedules; return how much was done. Each part is a step of its own: one that fails keeps no other from its turn."""
        self._swept = self.clock.now()
        parts = (
            self.sweeper.step,
            self.standing.step,
            self.timers.step,
            self.schedules.step,
            self.sweeper.tidy,
        )
        return sum(self._guarded(part) for part in parts)

    def move(
        self,
        tx: Connection,
        stage_move: StageMove,
        rows: Sequence[RowState],
        tokens: Mapping[Any, str] | None,
        now: datetime,
    ) -> dict[Any, Answer]:
        answers = self.stage_mover.move(tx, stage_move, rows, tokens, now, isolate=self.isolates_failures)
        if tracing.on():
            self.spans.note(tx, stage_move, answers)
        return answers

    def isolated(self, tx: Connection, what: str, act: Callable[[], T], otherwise: T) -> T:
        """Run the act; while failures are isolated in a savepoint, so that one that raises is logged, answered with `otherwise`, and keeps
        nothing else from its turn. Faults of the store and lost races go through."""
        if not self.isolates_failures:
            return act()
        try:
            with tx.begin_nested():
                return act()
        except Exception as error:
            if raced(error) or isinstance(translate(error) if is_driver_error(error) else error, StoreError):
                raise
            if self.refused.is_news(("failed", what), _line(error)):
                log.exception("%s failed, and is tried again later", what)
            return otherwise

    def _guarded(self, step: Callable[[], int]) -> int:
        """One step; its moves are exported as spans once they are committed."""
        try:
            count = self._stepped(step)
            self.spans.tell()
            return count
        finally:
            self.spans.forget()

    def _stepped(self, step: Callable[[], int]) -> int:
        """All together first; if the database, a hook or a row refuses something, again with savepoints, so that one bad row never stops
        its batch. What still fails is logged, and tried again with the next step: nothing a row contains ends the process."""
        try:
            return together_or_apart(step, lambda error: self._apart(step, error), self._lost_race)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 nothing a row contains may end the process
            self.spans.forget()
            if self.refused.is_news(("step", _name(step)), _line(error)):
                log.exception("A step failed, and is tried again later. Please report it.")
            return 0

    def _lost_race(self) -> int:
        self.spans.forget()
        self.lost_races += 1
        return 0

    def _apart(self, step: Callable[[], int], error: Exception) -> int:
        """The step again, with savepoints around what may be refused."""
        self.spans.forget()
        is_told = isinstance(error, HookFailed) or not isinstance(error, InterlockError)
        if is_told and self.refused.is_news(("apart", _name(step), _line(error)), _line(error)):
            if isinstance(error, HookFailed):
                log.error("%s; what it refused stays where it is, and is tried again", error, exc_info=error)
            else:
                log.error("Unexpected error; its rows are isolated. Please report it.", exc_info=error)
        self.isolates_failures = True
        try:
            return step()
        finally:
            self.isolates_failures = False


def _line(error: Exception) -> str:
    """An error by its type and its first words."""
    return f"{type(error).__name__}: {error}"[:500]


def _name(step: Callable[[], int]) -> str:
    return str(getattr(step, "__qualname__", step))
