"""Timers: records that have been in a state for the declared time move on, in batches, by the versions that were read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..authority.command import Asked, Command, command, mark_shared
from ..authority.command_runner import refusal_of
from ..authority.transactions.transaction import Progress, isolate_failures, raced
from ..errors import InterlockError, StoreError, state_text
from ..machine import TIMER, State
from ..store.connect import settling
from ..store.queue.timers import Due
from ..store.queue.timers import Timers as TimedAxis
from ..store.records import verdicts
from ..store.work import outcome_counts
from .move_log import log, log_moved

if TYPE_CHECKING:
    from .coordinator import Coordinator

ACTOR = "coordinator"
BATCH = 500
OUTCOMES = ("moved", "refused")
"""What is counted of timers that were due."""
MOST_BATCHES = 20
"""How often one sweep repeats a full batch; others have work to do, too."""


class Timers:
    """Makes the moves of timers that are due. No leader: a second coordinator finds another version, and leaves the record alone."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        plans = coordinator.authority.mover.plans
        self.axes = [
            TimedAxis(coordinator.work, plans.place(workflow, axis))
            for workflow in coordinator.workflows.values()
            for axis in workflow.axes.values()
            if axis.machine.timers
        ]

    def step(self) -> int:
        """Make the moves that are due; how many were made, and how many records got a date that they lacked."""
        held = set[tuple[str, str]]()
        if self.on.adopted and self.axes:
            with self.on.database.read() as tx:
                held = self.on.held(tx)
        return sum(self._axis(axis) for axis in self.axes if (axis.place.kind, axis.place.name) not in held)

    def _axis(self, axis: TimedAxis) -> int:
        count = 0
        for _ in range(MOST_BATCHES):
            with self.on.database.read() as tx:
                due = axis.due(tx, BATCH)
                lacking = axis.has_missing(tx)
            if lacking:
                with self.on.database.write() as tx:
                    count += axis.set_missing(tx, BATCH)
            for (state, scope), some in _alike(due).items():
                count += self._move(axis, state, scope, some)
            if len(due) < BATCH and not lacking:
                break
        return count

    def _move(self, axis: TimedAxis, state: State, scope: str, due: list[Due]) -> int:
        """Move records of one state and scope in one transaction; what is refused is recorded once, and tried again later."""
        timer = axis.axis.machine.timers[state]
        wanted = [Asked(axis.place.id_of(one.key), one.key, one.version) for one in due]
        order = mark_shared(
            command(
                axis.workflow,
                axis.axis,
                timer.to,
                actor=ACTOR,
                scope=scope or None,
                cause=TIMER,
                by_engine=True,
            ),
            len(wanted),
        )
        try:
            with self.on.database.write() as tx:
                progress = self._run(tx, order, wanted)
                self._refuse(tx, axis, state, order, wanted, progress)
                outcome_counts.keep(self.on.work, tx, self._count(order, progress))
        except Exception as error:
            if isinstance(error, StoreError) or not raced(error):
                raise
            self.on.lost_races += 1
            return 0
        moved = [number for number, answer in progress.answers.items() if answer.outcome == "moved"]
        log_moved(axis.workflow, [wanted[number].key for number in moved], scope, state, timer.to, TIMER, {})
        if progress.wakes:
            self.on.transport.after("report")
        return len(moved)

    def _run(self, tx: Connection, order: Command, wanted: list[Asked]) -> Progress:
        now, mover = self.on.clock.now(), self.on.authority.mover

        def run(numbers: list[int]) -> Progress:
            return mover.run(tx, order, wanted, numbers, now)

        settled = settling(tx, run) if self.on.isolates_failures else run
        return isolate_failures(tx, list(range(len(wanted))), settled, refusal_of(wanted))

    def _count(self, order: Command, progress: Progress) -> Counter[outcome_counts.Key]:
        """How many of them moved, and how many were refused; what was moved meanwhile by somebody else is neither."""
        outcomes = Counter[str](answer.outcome for answer in progress.answers.values())
        return Counter(
            {
                outcome_counts.timer_key(order.kind, order.axis.name, order.scope, outcome): outcomes[outcome]
                for outcome in OUTCOMES
            }
        )

    def _refuse(
        self,
        tx: Connection,
        axis: TimedAxis,
        state: State,
        order: Command,
        wanted: list[Asked],
        progress: Progress,
    ) -> None:
        """What a rule, a gate, a hook or the database refused stays where it is and is due again later; it is recorded once for each
        version. What has just reported, or was moved meanwhile, is left to whoever does that."""
        refused = {n: answer.error for n, answer in progress.answers.items() if answer.outcome == "refused"}
        if not refused:
            return
        axis.postpone(tx, state, order.scope, [wanted[number].key for number in refused])
        for number, error in refused.items():
            id = str(wanted[number].key)
            reference = f"timer of {order.axis.name} {order.scope} version {wanted[number].version}"
            if error is None or verdicts.has_verdict(tx, order.kind, id, reference):
                continue
            log.warning(
                "%s %s: its timer may not move it to %s: %s",
                order.workflow.noun,
                id,
                state_text(order.to),
                error.message,
            )
            verdicts.record(tx, [self._verdict(order, id, reference, error)])

    def _verdict(self, order: Command, id: str, reference: str, error: InterlockError) -> verdicts.Refusal:
        return verdicts.Refusal(
            order.kind,
            id,
            order.axis.name,
            order.scope,
            "command",
            reference,
            "refused",
            error.code,
            error.message[:4000],
            state_text(order.to),
            order.actor,
            self.on.clock.now(),
        )


def _alike(due: list[Due]) -> dict[tuple[State, str], list[Any]]:
    found: dict[tuple[State, str], list[Any]] = {}
    for one in due:
        found.setdefault((one.state, one.scope), []).append(one)
    return found
