"""Answers a coordinator's question: was this overdue work done after all? The stage's own `recheck` looks."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ..store.work import Attempt
from ..workflow import Outcome
from .claim import works
from .classify import failure, judged
from .finish import Result

if TYPE_CHECKING:
    from .runner import Runner

log = logging.getLogger("interlock.runner")


class Rechecker:
    """A question at a time; whoever asks it again gets the same answer."""

    def __init__(self, runner: Runner) -> None:
        self.on = runner
        self.stages = [one.name for one in runner.served.values() if one.stage.rechecker is not None]

    def step(self) -> int:
        if not self.stages:
            return 0
        work = self.on.work
        with self.on.database.write() as tx:
            rows = work.run(tx, "SELECT position, kind, record_id, axis, scope, stage, attempt, token, claimed_by, started_at, claimed_at, "
                                "outcome, report, limit_key FROM interlock_work WHERE recheck_at IS NOT NULL AND rechecked_by IS NULL "
                                f"AND reported_at IS NULL AND {work.among('stage', 'stages')} ORDER BY position LIMIT 1"
                                + work.locked(skip=True), {"stages": self.stages}).fetchall()
            found = sum(self._answer(tx, attempt) for attempt in map(Attempt._make, rows))
            if found:
                self.on.transport.within(tx, "report")
        if found:
            self.on.transport.after("report")
        return len(rows)

    def _answer(self, tx: Connection, attempt: Attempt) -> int:
        """Whether it was found done after all, or failed, and has been reported so."""
        served = self.on.served[attempt.stage]
        found = works(tx, served, [attempt]).get(attempt.token)
        answer: Outcome[object] | None = None
        if found is not None and served.stage.rechecker is not None:
            try:
                with tx.begin_nested():  # what it asks and is refused must not take the answer along
                    said = served.stage.rechecker(tx, found)
                answer = None if said is None else judged(served.stage, said)
            except Exception as error:  # noqa: BLE001 a recheck that raises has not found the work done
                log.warning("recheck of %s %s failed: %s", attempt.stage, attempt.record_id, failure(served.stage, found, error))
        self.on.work.run(tx, "UPDATE interlock_work SET rechecked_by = %(runner)s WHERE position = %(position)s AND token = %(token)s",
                         {"runner": self.on.id, "position": attempt.position, "token": attempt.token})
        if answer is None or found is None:
            return 0
        return self.on.finisher.finish(tx, [Result(attempt, served.stage, found, answer)], careful=True)
