"""Answers a coordinator's question: was this overdue work done after all? The stage's own `recheck` looks."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ..store.work import rechecking
from ..store.work.attempts import Attempt
from ..workflow import Done, Outcome, Work
from .call.classify import failure, judged
from .call.gate_loads import read_alone
from .call.gating import ask_gates
from .claim import works
from .executors.tasks import Postponed, Task
from .finish import Result

if TYPE_CHECKING:
    from .runner import Runner

log = logging.getLogger("interlock.runner")


class Rechecker:
    """Runs one recheck at a time; a repeated question gets the same answer."""

    def __init__(self, runner: Runner) -> None:
        self.on = runner
        self.stages = [one.name for one in runner.served.values() if one.stage.rechecker is not None]

    def step(self) -> int:
        if not self.stages:
            return 0
        with self.on.database.write() as tx:
            rows = rechecking.question(self.on.work, tx, self.stages)
            found = sum(self._answer(tx, attempt) for attempt in rows)
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
        task = Task(
            attempt.token,
            served.stage,
            found or Work(attempt.record_id),
            read_for=lambda gate, work: read_alone(tx, gate, work),
        )
        if found is not None and served.stage.rechecker is not None:
            try:
                with tx.begin_nested():  # what it asks and is refused must not take the answer along
                    said = served.stage.rechecker(tx, found)
                answer = None if said is None else _behind_gates(task, judged(served.stage, said))
            except Exception as error:  # noqa: BLE001 a recheck that raises has not found the work done
                log.warning(
                    "recheck of %s %s failed: %s",
                    attempt.stage,
                    attempt.record_id,
                    failure(served.stage, found, error),
                )
        rechecking.answered(self.on.work, tx, attempt, self.on.id)
        if answer is None or found is None:
            return 0
        return self.on.finisher.finish(
            tx, [Result(attempt, served.stage, found, answer, task.verdicts)], isolate=True
        )


def _behind_gates(task: Task, answer: Outcome[object]) -> Outcome[object]:
    """Work that was done after all passes the gates that its function would have passed. Each is asked until its tries are used up:
    this look is short, and waits for nothing."""
    refusal = ask_gates(task, task.stage.guards()) if isinstance(answer, Done) else None
    while isinstance(refusal, Postponed):
        refusal = ask_gates(task, task.stage.guards())
    return answer if refusal is None else refusal
