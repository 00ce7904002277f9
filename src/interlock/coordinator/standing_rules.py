"""StandingRules rules and pairs: what shall hold without anybody asking, a slice of records at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..authority.transactions.transaction import Progress, isolate_failures
from ..errors import InterlockError, state_text
from ..store.connect import settling
from ..store.placement import Placement
from ..store.queue.missing_rows import MissingMoves, missing_pairs
from ..store.records import verdicts
from ..store.work import outcome_counts
from ..workflow import Answer, Axis, Rule, Workflow
from .move_log import log

if TYPE_CHECKING:
    from .coordinator import Coordinator

BATCH = 500
Pair = tuple[Any, str]
"""A record's key and a scope."""
PAIRS_SLICE = 1_000
"""Records whose pairs are looked at in one sweep: a million is looked through in a quarter of an hour, and costs no sweep much."""
ACROSS_SLICE = 1_000
"""Rows of a rule across tables that are looked at in one sweep."""
MOST_BATCHES = 20
"""How many slices one sweep repairs in a row, while it finds something to repair."""


class StandingRules:
    """`during(…)` moves wherever the move is missing; scoped axes get the rows that their pairs ask for."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator
        self._after: dict[Any, Any] = {}

    def step(self) -> int:
        count, held = 0, set[tuple[str, str]]()
        if self.on.adopted:
            with self.on.database.read() as tx:
                held = self.on.held(tx)
        for workflow in self.on.workflows.values():
            for rule in workflow.rules:
                if (
                    rule.moment == "during"
                    and rule.target is not None
                    and (workflow.name, rule.target) not in held
                ):
                    count += self._rule(workflow, rule)
            for axis in workflow.axes.values():
                if axis.scoped and axis.pairs is not None and (workflow.name, axis.name) not in held:
                    count += self._pairs(workflow, axis)
        return count

    def _rule(self, workflow: Workflow, rule: Rule) -> int:
        target = workflow.axes[rule.target or ""]
        count = 0
        for old, new in (rule.mapping or {}).items():
            question = MissingMoves(self.on.work, workflow, rule, old)
            for _ in range(MOST_BATCHES):
                moved = 0
                for scope, keys in self._missing(question).items():
                    answers = self.on.authority.move_many(
                        workflow,
                        keys,
                        target.name,
                        new,
                        actor="coordinator",
                        scope=scope or None,
                        origin="rule",
                        cause=f"rule.during.{rule.axis}",
                        known_refusals=self._reasons(question, scope, keys),
                    )
                    moved += sum(answer.outcome == "moved" for answer in answers)
                    for key, answer in zip(keys, answers, strict=True):
                        if answer.outcome == "refused" and answer.error is not None:
                            self.on.refused.note((question.name, key, scope), answer.error.message)
                count += moved
                if not moved or self._after[question.name] is None:
                    break
        return count

    def _missing(self, question: MissingMoves) -> dict[str, list[Any]]:
        """Ids whose driver is in one of the rule's states while the target has not followed, by scope; what was refused rests a while."""
        with self.on.database.read() as tx:
            missing, self._after[question.name] = question.rows(
                tx, self._after.get(question.name), ACROSS_SLICE if question.is_across else BATCH
            )
        by_scope: dict[str, list[Any]] = {}
        for key, scope in missing:
            if self.on.refused.is_due((question.name, key, scope)):
                by_scope.setdefault(scope, []).append(key)
        return by_scope

    def _reasons(self, question: MissingMoves, scope: str, keys: Sequence[Any]) -> dict[str, str]:
        """Why those of the records that were refused lately were refused, by id as text."""
        known = {str(key): self.on.refused.reason((question.name, key, scope)) for key in keys}
        return {key: reason for key, reason in known.items() if reason is not None}

    def _pairs(self, workflow: Workflow, axis: Axis) -> int:
        """State rows that shall exist and do not: a slice of records in each sweep; where something is missing, the next ones at once."""
        count, place = 0, Placement(workflow, axis, self.on.database.dialect)
        for _ in range(MOST_BATCHES):
            with self.on.database.read() as tx:
                missing, self._after[workflow.name, axis.name] = missing_pairs(
                    tx, workflow, axis, self._after.get((workflow.name, axis.name)), PAIRS_SLICE
                )
            wanted = [
                pair
                for pair in ((place.key_bind(place.check_id(id)), scope) for id, scope in missing)
                if self.on.refused.is_due((workflow.name, axis.name, *pair))
            ]
            if not wanted:
                break
            with self.on.database.write() as tx:
                added = self._add_pairs(tx, workflow, axis, wanted)
                outcome_counts.keep(
                    self.on.work,
                    tx,
                    Counter(
                        (workflow.name, stage.name, scope, "pairs.missing")
                        for stage in workflow.stages.values()
                        if stage.axis == axis.name
                        for _, scope in added
                    ),
                )
            if added:
                log.warning(
                    "%s: the sweep added %d state rows that %s lacked", workflow.name, len(added), axis.name
                )
            count += len(added)
        return count

    def _add_pairs(
        self, tx: Connection, workflow: Workflow, axis: Axis, wanted: list[Pair]
    ) -> Sequence[Pair]:
        """Make these state rows, all together; where that was refused, in halves, and what is refused alone is recorded once. Those that
        were not refused."""
        admission, now = self.on.authority.admission, self.on.clock.now()

        def run(numbers: list[int]) -> Progress:
            admission.complete(tx, workflow, axis, [wanted[number] for number in numbers], now)
            return Progress()

        def refuse(number: int, error: InterlockError) -> Answer:
            return Answer(wanted[number][0], "refused", error=error)

        every = list(range(len(wanted)))
        if not self.on.isolates_failures:
            run(every)
            return wanted
        refused = isolate_failures(tx, every, settling(tx, run), refuse).answers
        for number, answer in refused.items():
            if answer.error is not None:
                self._record_refusal(tx, workflow, axis, wanted[number], answer.error)
        return [pair for number, pair in enumerate(wanted) if number not in refused]

    def _record_refusal(
        self, tx: Connection, workflow: Workflow, axis: Axis, pair: Pair, error: InterlockError
    ) -> None:
        self.on.refused.note((workflow.name, axis.name, *pair), error.message)
        id, scope = str(pair[0]), pair[1]
        reference = f"state row of {axis.name} {scope}"
        if verdicts.has_verdict(tx, workflow.name, id, reference):
            return
        log.warning("%s %s: it gets no state row for %s: %s", workflow.noun, id, scope, error.message)
        verdicts.record(
            tx,
            [
                verdicts.Refusal(
                    workflow.name,
                    id,
                    axis.name,
                    scope,
                    "command",
                    reference,
                    "refused",
                    error.code,
                    error.message[:4000],
                    state_text(axis.machine.initial),
                    "coordinator",
                    self.on.clock.now(),
                )
            ],
        )
