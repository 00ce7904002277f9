"""Result → report, in one transaction with what the stage saves: fenced by the attempt's token, so a zombie's rows never land."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import SchemaOutdated, StaleAttempt, StoreError
from ..store.connect import Database, refuse_failed, settling
from ..store.faults import LostRace, is_driver_error, is_lost_race, translate
from ..store.kept_open import kept_open
from ..store.ledger import read as ledger
from ..store.records import verdicts
from ..store.work import children as intake
from ..store.work import outcome_counts
from ..store.work.attempts import Attempt, Reported
from ..store.work.children import Chunk
from ..store.work.rows import WorkRows
from ..workflow import Done, Failed, Outcome, Stage, Work, Workflow
from .call.children import chunks_of
from .call.classify import failure, message_of
from .call.facts import BadFact, FactColumns
from .reporting import PLAIN, ReportFields, bad_outcome, checked

log = logging.getLogger("interlock.runner")
SAVES_HINT = "Leave commit and rollback to Interlock; raise an exception to undo what was saved."
RUNNER_TRIES = "runner_tries"
"""The fact of a failure that lists the tries which the runner itself had made before."""


Group = Callable[[Connection, Sequence["Result"]], int]


@dataclass(slots=True)
class Result:
    """An attempt and what came of it."""

    attempt: Attempt
    stage: Stage
    work: Work
    outcome: Outcome[Any]
    verdicts: Sequence[Mapping[str, Any]] = ()
    """The verdicts of gates, in the order they were asked."""
    retries: int = 0
    """Further tries that the runner itself made."""

    @property
    def value(self) -> Any:
        """The result that the stage's save function gets."""
        return self.outcome.result if isinstance(self.outcome, (Done, Failed)) else None


class Finisher:
    """Writes groups of reports."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        work: WorkRows,
        runner: str,
        workflows: Mapping[str, Workflow] | None = None,
    ) -> None:
        self.database, self.clock, self.work, self.runner = database, clock, work, runner
        self.workflows = workflows or {}
        self._columns: dict[str, FactColumns | None] = {}
        for workflow in self.workflows.values():
            for stage in workflow.stages.values():
                columns = FactColumns(
                    workflow, workflow.axes[stage.axis], wide_integers=database.sql.wide_integers
                )
                self._columns[f"{workflow.name}.{stage.name}"] = columns

    def finish(self, tx: Connection, results: Sequence[Result], *, isolate: bool = False) -> int:
        """Report and save; how many were accepted. `isolate`: halved on a failure, so that a save that fails takes only itself along."""
        return self._isolated(tx, results, settling(tx, self._group)) if isolate else self._group(tx, results)

    def _isolated(self, tx: Connection, results: Sequence[Result], group: Group) -> int:
        if not results:
            return 0
        try:
            with tx.begin_nested():
                return group(tx, results)
        except Exception as error:  # whatever a save raises is a failure of its own work
            if not is_refusal(error):
                raise
            if len(results) == 1:
                (result,) = results
                log.warning(
                    "saving %s %s failed: %s",
                    result.attempt.stage,
                    result.attempt.record_id,
                    message_of(error),
                )
                result.outcome = failure(result.stage, result.work, error)
                return self._group(tx, results)
        half = len(results) // 2
        return sum(self._isolated(tx, part, group) for part in (results[:half], results[half:]))

    def _group(self, tx: Connection, results: Sequence[Result]) -> int:
        reports, children = [], {}
        for result in results:
            fields, chunks = self._checked(result)
            reports.append(Reported(result.attempt.position, result.attempt.token, *fields))
            if chunks:
                children[result.attempt.token] = chunks
        accepted = self.work.report(tx, reports)
        kept = (
            results
            if len(accepted) == len(results)
            else [result for result in results if result.attempt.token in accepted]
        )
        self._save(tx, kept)
        self._count_retries(tx, kept)
        if children:
            intake.stage(
                self.work, tx, [one for result in kept for one in children.get(result.attempt.token, ())]
            )
        if len(kept) < len(results):
            self._late(tx, [result for result in results if result.attempt.token not in accepted])
        return len(kept)

    def _save(self, tx: Connection, kept: Sequence[Result]) -> None:
        """Call each stage's own save: once per result, or once per group."""
        saved = [
            (result, result.value)
            for result in kept
            if result.stage.saver is not None or result.stage.group_saver is not None
        ]
        if not saved:
            return
        groups: dict[Stage, list[tuple[Work, Any]]] = {}
        with kept_open(tx, "a save may not end the transaction of its report", SAVES_HINT):
            for result, value in saved:
                stage = result.stage
                if value is None:
                    continue
                if stage.saver is not None:
                    stage.saver(tx, result.work, value)
                    refuse_failed(tx, f"the save of {stage.name}")
                else:
                    groups.setdefault(stage, []).append((result.work, value))
            for stage, results in groups.items():
                assert stage.group_saver is not None
                stage.group_saver(tx, results)
                refuse_failed(tx, f"the save of {stage.name}")

    def _count_retries(self, tx: Connection, kept: Sequence[Result]) -> None:
        """Tries that the runner itself made again; coordinators count all others."""
        counted: Counter[outcome_counts.Key] = Counter()
        for result in kept:
            if result.retries:
                counted[result.attempt.kind, result.stage.name, result.attempt.scope, "retried"] += (
                    result.retries
                )
        outcome_counts.keep(self.work, tx, counted)

    def _checked(self, result: Result) -> tuple[ReportFields, list[Chunk]]:
        """The fields of a result's report and the children it stages; an outcome that cannot be kept is replaced by a final failure."""
        outcome = result.outcome
        if type(outcome) is Done and not (
            outcome.facts or outcome.admits or outcome.empty or result.verdicts
        ):
            return PLAIN, []  # what most say costs no more questions
        columns = self._columns.get(result.attempt.stage)
        chunks: list[Chunk] = []
        try:
            chunks = chunks_of(result.attempt, result.outcome, self.workflows)
        except BadFact as error:
            result.outcome = bad_outcome(str(error))
        if isinstance(result.outcome, Failed) and result.work.failed_tries:
            tries = [dict(one) for one in result.work.failed_tries]
            result.outcome.facts = {**result.outcome.facts, RUNNER_TRIES: tries}
        settled, fields = checked(result.outcome, columns, result.verdicts)
        if settled is not result.outcome:
            result.outcome, chunks = settled, []
        return fields, chunks

    def _late(self, tx: Connection, results: Sequence[Result]) -> None:
        """Nothing is saved; recorded as a repetition if this very report arrived before, else as stale."""
        for result in results:
            attempt = result.attempt
            repeated = self._arrived(tx, attempt)
            error = StaleAttempt(
                f"{attempt.kind} {attempt.record_id}: attempt {attempt.attempt} of {result.stage.name} is not the current one"
            )
            message = "this report arrived before" if repeated else error.message
            verdicts.record(
                tx,
                [
                    verdicts.Refusal(
                        attempt.kind,
                        attempt.record_id,
                        attempt.axis,
                        attempt.scope,
                        "report",
                        attempt.token,
                        "duplicate" if repeated else "stale",
                        error.code,
                        message,
                        None,
                        self.runner,
                        self.clock.now(),
                    )
                ],
            )
            if not repeated:
                log.warning("%s", error.message)

    def _arrived(self, tx: Connection, attempt: Attempt) -> bool:
        """Whether the work row or the ledger holds this token's report already."""
        row = self.work.run(
            tx,
            "SELECT 1 FROM interlock_work WHERE token = %(token)s AND position = %(position)s "
            "AND reported_at IS NOT NULL",
            {"token": attempt.token, "position": attempt.position},
        ).fetchone()
        return row is not None or ledger.holds_token(
            tx, attempt.kind, attempt.record_id, attempt.axis, attempt.scope, attempt.token
        )


def is_refusal(error: BaseException) -> bool:
    """Something in the group cannot be saved, as against a database that is away or a race that was lost. A table that a save names
    and that does not exist is the save's own fault: were it ours, it would be missing for the report too."""
    if is_lost_race(error) or isinstance(error, LostRace):
        return False
    told = translate(error) if is_driver_error(error) else error
    return isinstance(told, SchemaOutdated) or not isinstance(told, StoreError)
