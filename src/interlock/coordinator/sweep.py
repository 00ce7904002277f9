"""Finds expired leases and deadlines, running rows without work, and waiting rows that are not queued; any coordinator may do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..authority.stage_move import StageMove
from ..store.queue import rates, runners
from ..store.queue.lost_work import unmatched
from ..store.queue.waiting import Candidate
from ..store.records import counters
from ..store.work import outcome_counts
from ..store.work.attempts import Issue, tokens
from .decide import Report
from .dispatch import next_version
from .move_log import log
from .stage_queues import StageQueue

if TYPE_CHECKING:
    from .coordinator import Coordinator

BATCH = 500
SLICE = 10_000
"""Records looked at in one go where more or fewer run than there are work rows."""
QUIET_SLICE = 500
"""The same where the numbers agree, and nothing is to be expected."""
UNSEEN_SLICE = 1_000
"""Records that wait without a date: nearly none, or those that a condition keeps."""
MOST_BATCHES = 20
"""How often one sweep repeats a repair whose batches are full; others have work to do, too."""
FORGET_RUNNERS = timedelta(hours=1)


class Sweeper:
    """Each repair is one short transaction, and is counted."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._patrols: dict[tuple[str, str, str], Any] = {}
        """Where each question about the records goes on: (stage, scope, question)."""

    def step(self) -> int:
        """Look first, in one transaction that writes nothing; what is to be done is done in short ones of their own."""
        late, failed, lost = self._look()
        count = (self.expire() + self.enforce_deadlines() if late else 0) + sum(
            self.requeue(stage_queue, scope) for stage_queue, scope in failed
        )
        count += self.reslot()
        for stage_queue, scope, running, waiting in lost:
            count += self._repair(stage_queue, scope, running, waiting)
        return count

    def _look(
        self,
    ) -> tuple[bool, list[tuple[StageQueue, str]], list[tuple[StageQueue, str, list[Candidate], list[Any]]]]:
        """Whether begun attempts may be late, the queues in whose failed state something is due, and what runs or waits unnoticed."""
        with self.on.database.read() as tx:
            held = self.on.held(tx)
            stage_queues = [
                one for one in self.on.stage_queues.values() if (one.workflow.name, one.axis.name) not in held
            ]
            late = self.on.work.there_is(
                tx,
                "interlock_work WHERE reported_at IS NULL AND (claimed_by IS NOT NULL OR started_at IS NOT NULL)",
            )
            failed = [
                (stage_queue, scope)
                for stage_queue in stage_queues
                if _goes_back(stage_queue)
                for scope in stage_queue.scopes
                if stage_queue.queue.is_requeue_due(tx, scope)
            ]
            off = unmatched(
                self.on.work, tx, [(stage_queue.name, stage_queue.queue) for stage_queue in stage_queues]
            )
            lost = [
                (stage_queue, scope, *self._patrol_alone(tx, stage_queue, scope, off))
                for stage_queue in stage_queues
                for scope in stage_queue.scopes
            ]
        return late, failed, [one for one in lost if one[2] or one[3]]

    def _patrol_alone(
        self, tx: Connection, stage_queue: StageQueue, scope: str, off: Collection[tuple[str, str, str]]
    ) -> tuple[list[Candidate], list[Any]]:
        """The patrol of one queue: a condition that cannot be asked of some row is that of its own stage."""
        is_off = (stage_queue.workflow.name, stage_queue.axis.name, scope) in off
        nothing: tuple[list[Candidate], list[Any]] = ([], [])
        return self.on.isolated(
            tx,
            f"the patrol of {stage_queue.name}",
            lambda: self.patrol(tx, stage_queue, scope, is_off),
            nothing,
        )

    def expire(self) -> int:
        """End the attempts whose leases ran out; return how many."""
        with self.on.database.write() as tx:
            found = self.on.work.expired(tx, self.on.stage_queues, BATCH)
            if found:
                log.warning(
                    "%d leases ran out: %s",
                    len(found),
                    ", ".join(sorted({one.claimed_by or "?" for one in found})),
                )
            self.on.applier.end(
                tx,
                [
                    (
                        one,
                        Report(
                            "expired", "LEASE_EXPIRED", f"runner {one.claimed_by} was not heard of any more"
                        ),
                    )
                    for one in found
                ],
                reported=False,
            )
            if found:
                self.on.transport.within(tx, "work")
        if found:
            self.on.transport.after("work")
        return len(found)

    def enforce_deadlines(self) -> int:
        """Claimed longer ago than the stage allows, or begun and waiting for a runner longer than that; where the stage can look
        whether it was done after all, a runner is asked first."""
        count = 0
        for stage_queue in self.on.stage_queues.values():
            if stage_queue.stage.deadline is None:
                continue
            with self.on.database.write() as tx:
                late = self.on.work.overdue(tx, stage_queue.name, stage_queue.stage.deadline, BATCH)
                asked = 0
                if stage_queue.stage.rechecker is not None:
                    asked, late = self.on.rechecks.unanswered(tx, late)
                message = f"{stage_queue.stage.name} took longer than {stage_queue.stage.deadline}"
                if asked:
                    self.on.transport.within(tx, "work", [stage_queue.name])
                count += self.on.applier.end(
                    tx, [(one, Report("overdue", "DEADLINE", message)) for one in late], reported=False
                )
            if asked:
                self.on.transport.after("work", [stage_queue.name])
        return count

    def requeue(self, stage_queue: StageQueue, scope: str) -> int:
        """Failed, and due to wait for the same stage again; the tries stay counted. Repeated while batches are full."""
        count = 0
        for _ in range(MOST_BATCHES):
            with self.on.database.write() as tx:
                moved = self._requeue(tx, stage_queue, scope)
            count += moved
            if moved < BATCH:
                break
        return count

    def _requeue(self, tx: Connection, stage_queue: StageQueue, scope: str) -> int:
        now = self.on.clock.now()
        alike: dict[Any, list[Candidate]] = {}
        key = (stage_queue.name, scope, "failed")
        due, self._patrols[key] = stage_queue.queue.requeued(tx, scope, BATCH, self._patrols.get(key))
        for one in due:
            if self.on.refused.is_due(("requeue", *key, one.seen.key, one.seen.versions)):
                alike.setdefault((one.tries, *one.error), []).append(one)
        moved = 0
        for (tries, code, message), rows in alike.items():
            kept = {
                "tries": tries,
                "error_code": code,
                "error_message": message,
            }  # the next try is told what went wrong in the last
            stage_move = StageMove(
                stage_queue.workflow,
                stage_queue.axis,
                stage_queue.stage.declared_waiting,
                "retry.due",
                scope,
                columns=kept,
            )
            answers = self.on.move(tx, stage_move, [one.seen for one in rows], None, now)
            moved += sum(answer.outcome == "moved" for answer in answers.values())
            for one in rows:
                answer = answers.get(one.seen.key)
                if answer is not None and answer.outcome == "refused" and answer.error is not None:
                    what = ("requeue", *key, one.seen.key, one.seen.versions)
                    self.on.refused.note(what, answer.error.message)
        return moved

    def reslot(self) -> int:
        """Attempts that waited for their next try without a slot get one again, once they are due."""
        count = 0
        for stage_queue in self.on.stage_queues.values():
            if stage_queue.stage.limit is None and stage_queue.stage.per_key is None:
                continue
            with self.on.database.write() as tx:
                count += self.on.limits.reslot(tx, stage_queue)
        return count

    def patrol(
        self, tx: Connection, stage_queue: StageQueue, scope: str, off: bool
    ) -> tuple[list[Candidate], list[Any]]:
        """A slice of the records: those that run without a work row, and those that wait although nothing keeps them."""
        size = SLICE if off else min(SLICE, QUIET_SLICE)
        keys = [(stage_queue.name, scope, question) for question in ("running", "unseen")]
        running, self._patrols[keys[0]] = stage_queue.lost_work.running(
            tx, scope, self._patrols.get(keys[0]), size
        )
        waiting, self._patrols[keys[1]] = stage_queue.lost_work.unseen(
            tx, scope, self._patrols.get(keys[1]), min(SLICE, UNSEEN_SLICE)
        )
        return running, waiting

    def _repair(
        self, stage_queue: StageQueue, scope: str, running: list[Candidate], waiting: list[Any]
    ) -> int:
        now = self.on.clock.now()
        with self.on.database.write() as tx:
            repaired = self._reissue(tx, stage_queue, scope, running)
            stage_queue.queue.rest(tx, scope, waiting, now)
            outcome_counts.keep(
                self.on.work,
                tx,
                Counter(
                    {
                        (stage_queue.workflow.name, stage_queue.stage.name, scope, "repaired"): repaired
                        + len(waiting)
                    }
                ),
            )
            if repaired:
                self.on.transport.within(tx, "work")
        if repaired:
            self.on.transport.after("work")
        if repaired or waiting:
            log.warning(
                "%s: the sweep queued %d waiting records; %d running records had lost their task",
                stage_queue.name,
                len(waiting),
                repaired,
            )
        return repaired + len(waiting)

    def _reissue(self, tx: Connection, stage_queue: StageQueue, scope: str, running: list[Candidate]) -> int:
        """Work rows first; then a new attempt by the version of the plain read: a lock taken after it could hide a work row."""
        if not running:
            return 0
        keyed = (
            stage_queue.stage.per_key is not None
        )  # its slot comes later, with the others that wait for one
        issues = [
            Issue(
                str(one.seen.key),
                one.attempt + 1,
                token,
                limit_key=one.limit_key or "" if keyed else None,
                version=next_version(one.seen),
            )
            for one, token in zip(running, tokens(len(running)), strict=True)
        ]
        issued = self.on.work.issue(
            tx, stage_queue.workflow.name, stage_queue.axis.name, scope, stage_queue.name, issues
        )
        rows = [one.seen for one in running if str(one.seen.key) in issued]
        stage_move = StageMove(
            stage_queue.workflow,
            stage_queue.axis,
            stage_queue.stage.running,
            "work.lost",
            scope,
            "reissue",
            counted=("attempt",),
        )
        answers = self.on.move(tx, stage_move, rows, None, self.on.clock.now())
        moved = {str(key) for key, answer in answers.items() if answer.outcome == "moved"}
        if lost := [name for name in issued if name not in moved]:
            self.on.work.remove_of(tx, stage_queue.workflow.name, stage_queue.axis.name, scope, lost)
        return len(moved)

    def tidy(self) -> int:
        """Fold counters and tallies, forget runners long gone and keys that need not wait any more; nobody waits for that."""
        with self.on.database.write() as tx:
            counters.fold(self.on.database, tx)
            outcome_counts.fold(self.on.work, tx)
            runners.forget_dead(self.on.work, tx, FORGET_RUNNERS)
            if any(one.stage.rate_per is not None for one in self.on.stage_queues.values()):
                rates.forget_free_keys(self.on.work, tx, SLICE)
        return 0


def _goes_back(stage_queue: StageQueue) -> bool:
    """Whether the sweep brings what failed back to where it waited."""
    return (
        stage_queue.stage.failed is not None
        and stage_queue.stage.failed not in stage_queue.stage.waiting
        and bool(stage_queue.stage.retry)
    )
