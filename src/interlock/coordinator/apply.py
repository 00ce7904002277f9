"""Reports → moves: taken in batches, judged by `decide`, moved by version, in one transaction with their work rows."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection

from ..authority.stage_move import StageMove
from ..errors import BadInput, InterlockError, StaleAttempt
from ..store.contract import BatchResult, RowState
from ..store.ledger import read as ledger
from ..store.queue import pauses as stages
from ..store.records import gates, verdicts
from ..store.work import outcome_counts
from ..store.work.attempts import Attempt, Issue, ReportGroup, tokens
from ..store.work.scan_start import MANY
from ..workflow import Answer
from ..workflow.columns.effects import counted_when_done
from .decide import PLAIN_DONE, Decision, Report, decide, stranded
from .dispatch import next_version
from .move_log import log, log_exhausted, log_ignored, log_moved
from .report import BAD_REPORT, parse_report, seconds_since
from .stage_queues import StageQueue

if TYPE_CHECKING:
    from .coordinator import Coordinator


OUTDATED = "GATES_OUTDATED"
"""The code of a success that begins anew because its gates saw an older version; a report that asks for more time has no code."""
STAGE_CHANGED = "STAGE_CHANGED"
"""The code of an attempt whose stage ran in another state when it began."""


@dataclass(frozen=True, slots=True)
class Case:
    """One attempt, what happened to it, and where its record stood when it was read."""

    stage_queue: StageQueue
    attempt: Attempt
    report: Report
    seen: RowState


class Fate(NamedTuple):
    """An attempt and the decision about it."""

    case: Case
    decision: Decision


class Applier:
    """Ends attempts: by their reports, or for the reasons that the sweep finds."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator

    def step(self, known: Sequence[ReportGroup] | None = None) -> int:
        """One batch of reports: those that need no judging together, by stage, scope and shape; the others judged."""
        groups = self.on.look()[0] if known is None else known
        if not groups:
            return 0
        with self.on.database.write(ours_alone=not self.on.hooked) as tx:
            handled: list[ReportGroup] = []
            moved = 0
            for group in groups if self.on.moves_batches else ():
                stage_queue = self.on.stage_queues.get(group.stage)
                result = (
                    None if stage_queue is None or not group.uniform else self._finish(tx, stage_queue, group)
                )
                if result is not None:
                    moved += result.moved
                    handled += [group] if result.moved == result.held else []
            if moved >= MANY and not self.on.work.scan_start.position:
                self.on.work.scan_start.find(tx)
            if len(handled) == len(groups):
                return moved
            reported = self.on.work.reported(tx, self.on.stage_queues, self.on.database.batch, handled)
            return moved + self.end(tx, [(one, parse_report(one)) for one in reported], reported=True)

    def _finish(self, tx: Connection, stage_queue: StageQueue, group: ReportGroup) -> BatchResult | None:
        now, stage = self.on.clock.now(), stage_queue.stage
        result = self.on.stage_moves.finish(
            tx,
            stage_queue.name,
            stage_queue.workflow,
            stage,
            group.scope,
            group.shape,
            self.on.database.batch,
            now,
        )
        if result is not None and result.moved:
            cause = f"{stage.name}.completed"
            for row in result.rows if log.isEnabledFor(logging.INFO) else ():
                facts = {} if row.facts is None else json.loads(row.facts)
                log_moved(
                    stage_queue.workflow, [row.key], group.scope, stage.running, stage.done, cause, facts
                )
            outcome_counts.keep(
                self.on.work, tx, {(stage_queue.workflow.name, stage.name, group.scope, "done"): result.moved}
            )
        return result

    def end(self, tx: Connection, ended: Sequence[tuple[Attempt, Report]], *, reported: bool) -> int:
        """Move the records of these attempts, whose work rows the caller has locked; how many are over."""
        now = self.on.clock.now()
        moved = 0
        for (name, scope), group in _by_stage(ended).items():
            stage_queue = self.on.stage_queues.get(name)
            if (
                stage_queue is not None
            ):  # a stage that this version of the code does not know is another version's to apply
                moved += self._stage(tx, stage_queue, scope, group, now, reported=reported)
        return moved

    def _stage(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        scope: str,
        group: list[tuple[Attempt, Report]],
        now: datetime,
        *,
        reported: bool,
    ) -> int:
        keys = stage_queue.place.keys_of([one.record_id for one, _ in group])
        rows = {
            str(row.key): row
            for row in self.on.stage_mover.read(tx, stage_queue.workflow, stage_queue.axis, scope, keys)
        }
        expected = (
            stage_queue.stage.waiting if stage_queue.stage.running is None else (stage_queue.stage.running,)
        )
        cases, elsewhere = [], []
        for attempt, report in group:
            seen = rows.get(attempt.record_id)
            if seen is None or seen.states[0] not in expected:
                elsewhere.append((attempt, seen))
            else:
                cases.append(Case(stage_queue, attempt, report, seen))
        stale, left = self._late_or_left(tx, stage_queue, scope, elsewhere, now)
        if stale:
            self._stale(tx, stage_queue, stale, now)
        decided = [*self._decided(tx, stage_queue, scope, cases, now), *([one] for one in left)]
        count: Counter[outcome_counts.Key] = Counter()
        moved = len(stale)
        for fates in decided:
            moved += self._carry(tx, stage_queue, scope, fates, now, count, reported=reported)
        outcome_counts.keep(self.on.work, tx, count)
        return moved

    def _decided(
        self, tx: Connection, stage_queue: StageQueue, scope: str, cases: list[Case], now: datetime
    ) -> Iterable[list[Fate]]:
        """What becomes of each attempt; those that go the same way, whatever facts each has of its own, are moved together."""
        troubled = [case.seen.key for case in cases if case.report.happening != "done"]
        standing = stage_queue.queue.read_attempts(tx, scope, troubled) if troubled else {}
        plain: Decision | None = None
        groups: dict[Any, list[Fate]] = {}
        for case in map(_with_current_gates, cases):
            if case.report is PLAIN_DONE:
                plain = plain or decide(
                    stage_queue.stage, stage_queue.machine, case.seen.states[0], 0, PLAIN_DONE
                )
                fate = Fate(case, plain)
            else:
                fate = self._decide(stage_queue, case, standing, now)
            groups.setdefault(fate.decision.route, []).append(fate)
        return groups.values()

    def _decide(
        self, stage_queue: StageQueue, case: Case, standing: Mapping[Any, tuple[int, int, Any]], now: datetime
    ) -> Fate:
        """Work of a stage without a running state has a new work row each time: it is counted from when the record came here. A report
        that cannot be decided on is refused."""
        _, tries, since = standing.get(case.seen.key, (0, 0, None))
        started = case.attempt.started_at if stage_queue.stage.running is not None else since
        started = (
            None if case.report.code == OUTDATED else started
        )  # its stage asked for no more time, so no deadline has passed
        try:
            return Fate(
                case,
                decide(
                    stage_queue.stage,
                    stage_queue.machine,
                    case.seen.states[0],
                    tries,
                    case.report,
                    elapsed=seconds_since(started, now),
                    jitter=jitter(case.attempt.token),
                ),
            )
        except Exception as error:  # noqa: BLE001 whatever a report contains, it ends no process
            log.exception(
                "%s %s: its report cannot be decided on", stage_queue.workflow.noun, case.attempt.record_id
            )
            bad = replace(case, report=Report("refused", BAD_REPORT, f"{type(error).__name__}: {error}"))
            return Fate(
                bad, decide(stage_queue.stage, stage_queue.machine, case.seen.states[0], tries, bad.report)
            )

    def _carry(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        scope: str,
        fates: list[Fate],
        now: datetime,
        count: Counter[outcome_counts.Key],
        *,
        reported: bool,
    ) -> int:
        """Move the records of attempts that go the same way, in one batch; what is refused fails by itself."""
        cases, decision = [fate.case for fate in fates], fates[0].decision
        self._gates(tx, stage_queue, scope, cases, now)
        for case in cases:
            self._unreadable(tx, stage_queue, case, now)
            self._pause(tx, stage_queue, scope, case, now)
        stage_move, refused = self._own_values(
            stage_queue, fates, self.stage_move(stage_queue, scope, decision), now
        )
        cases = [case for case in cases if case.seen.key not in refused]
        tokens_of = {case.seen.key: case.attempt.token for case in cases} if reported else None
        answers = {**refused, **self.on.move(tx, stage_move, [case.seen for case in cases], tokens_of, now)}
        done = [
            fate
            for fate in fates
            if (answer := answers.get(fate.case.seen.key)) is not None and answer.error is None
        ]
        self._say(stage_queue, scope, done, answers)
        self._work_rows(tx, done)
        count[(stage_queue.workflow.name, stage_queue.stage.name, scope, decision.what)] += len(done)
        failed = [
            (fate.case, answer)
            for fate in fates
            if (answer := answers.get(fate.case.seen.key)) is not None and answer.outcome == "refused"
        ]
        return len(done) + sum(
            self._refused(tx, stage_queue, scope, case, answer, now, count, reported=reported)
            for case, answer in failed
        )

    def _own_values(
        self, stage_queue: StageQueue, fates: list[Fate], stage_move: StageMove, now: datetime
    ) -> tuple[StageMove, dict[Any, Answer]]:
        """The move with what each record has of its own, and the refusals of records whose facts cannot be kept."""
        if not any(fate.decision.facts or fate.decision.due is not None for fate in fates):
            return stage_move, {}
        due = [{} if fate.decision.due is None else {"ready_at": now + fate.decision.due} for fate in fates]
        values = self.on.stage_mover.row_values(stage_move, [fate.decision.facts for fate in fates], due)
        keys = [fate.case.seen.key for fate in fates]
        refused = {
            key: Answer(key, "refused", error=one)
            for key, one in zip(keys, values, strict=True)
            if isinstance(one, InterlockError)
        }
        own = {key: one for key, one in zip(keys, values, strict=True) if not isinstance(one, InterlockError)}
        return replace(stage_move, own=own), refused

    def _say(
        self, stage_queue: StageQueue, scope: str, done: list[Fate], answers: Mapping[Any, Answer]
    ) -> None:
        """A log line for each move, and a warning for each record that has no try left."""
        for fate in done:
            if fate.decision.exhausted:
                log_exhausted(
                    stage_queue.workflow,
                    stage_queue.stage.name,
                    fate.case.seen.key,
                    scope,
                    fate.decision.facts,
                )
        if log.isEnabledFor(logging.INFO):
            for fate in done:
                answer = answers[fate.case.seen.key]
                log_moved(
                    stage_queue.workflow,
                    [fate.case.seen.key],
                    scope,
                    answer.old,
                    answer.new,
                    fate.decision.cause,
                    fate.decision.facts,
                )

    def stage_move(self, stage_queue: StageQueue, scope: str, decision: Decision) -> StageMove:
        """The decision as a move; an operator's edge is taken in the name of the stage that declares it as its done."""
        columns = {**decision.columns, "ready_at": None} if decision.rest else decision.columns
        edges = [
            edge
            for edge in stage_queue.machine.edges.get(_start(stage_queue, decision), ())
            if edge.to == decision.to and edge.kind == "operator"
        ]
        staying = decision.stays or decision.again is not None or decision.to in _starts(stage_queue)
        origin = "reissue" if staying else "move"
        counted = (
            *decision.counted,
            *(
                counted_when_done(stage_queue.workflow, stage_queue.stage)
                if decision.what in ("done", "empty")
                else ()
            ),
        )
        return StageMove(
            stage_queue.workflow,
            stage_queue.axis,
            decision.to,
            decision.cause,
            scope,
            origin,
            {},
            columns,
            counted,
            role=(edges[0].role or "operator") if edges else None,
            reason=f"stage {stage_queue.stage.name} ended as declared" if edges else None,
        )

    def _work_rows(self, tx: Connection, done: list[Fate]) -> None:
        """Attempts that are over lose their work rows; those that go on in the same state get the next attempt in its place."""
        self.on.work.remove(tx, [fate.case.attempt.position for fate in done if fate.decision.again is None])
        again = [fate for fate in done if fate.decision.again is not None]
        issues = [
            Issue(
                fate.case.attempt.record_id,
                fate.case.attempt.attempt + 1,
                token,
                version=next_version(fate.case.seen),
            )
            for fate, token in zip(again, tokens(len(again)), strict=True)
        ]  # waiting for the next try holds no slot
        self.on.work.rewrite(
            tx,
            [fate.case.attempt.position for fate in again],
            issues,
            [fate.decision.again or timedelta() for fate in again],
        )

    def _gates(
        self, tx: Connection, stage_queue: StageQueue, scope: str, cases: list[Case], now: datetime
    ) -> None:
        """Store the gates' verdicts on these attempts, in one statement."""
        gates.record_many(
            self.on.authority.engine,
            tx,
            stage_queue.workflow.name,
            stage_queue.axis.name,
            scope,
            [
                gates.GateVerdict(
                    case.attempt.record_id,
                    _version(case),
                    one["gate"],
                    bool(one["passed"]),
                    one.get("reason"),
                    one.get("details"),
                    one.get("duration_ms"),
                    case.attempt.claimed_by or "runner",
                )
                for case in cases
                for one in case.report.gates
            ],
            now,
        )

    def _unreadable(self, tx: Connection, stage_queue: StageQueue, case: Case, now: datetime) -> None:
        """A report that could not be read is recorded as refused; its record fails."""
        report = case.report
        if (report.happening, report.code) == ("refused", BAD_REPORT) and not verdicts.has_verdict(
            tx, stage_queue.workflow.name, case.attempt.record_id, case.attempt.token
        ):
            self.verdict(
                tx, stage_queue, case.attempt, "refused", BadInput(report.message).code, report.message, now
            )

    def _pause(self, tx: Connection, stage_queue: StageQueue, scope: str, case: Case, now: datetime) -> None:
        if case.report.pause is False:
            return
        until = None if case.report.pause is True else now + timedelta(seconds=float(case.report.pause))
        stages.pause(
            self.on.work,
            tx,
            stage_queue.workflow.name,
            stage_queue.stage.name,
            scope,
            until=until,
            actor="coordinator",
            at=now,
            reason=f"{case.report.code}: {case.report.message}"[:500],
        )

    def _refused(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        scope: str,
        case: Case,
        answer: Answer,
        now: datetime,
        count: Counter[outcome_counts.Key],
        *,
        reported: bool,
    ) -> int:
        """A rule, a gate or the database refused the move: it fails without its facts. A failed state has no rules, so this one passes."""
        error = answer.error
        if error is None or case.report.happening == "refused":
            return 0
        if not verdicts.has_verdict(
            tx, stage_queue.workflow.name, case.attempt.record_id, case.attempt.token
        ):  # it may be refused to fail, too
            self.verdict(
                tx, stage_queue, case.attempt, "refused", error.code, error.message, now, wanted=answer.new
            )
        code = case.report.code if case.report.happening == "failed" else "refused"
        again = replace(case, report=Report("refused", code, error.message))
        decision = decide(stage_queue.stage, stage_queue.machine, case.seen.states[0], 0, again.report)
        return self._carry(tx, stage_queue, scope, [Fate(again, decision)], now, count, reported=reported)

    def _late_or_left(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        scope: str,
        elsewhere: list[tuple[Attempt, RowState | None]],
        now: datetime,
    ) -> tuple[list[tuple[Attempt, RowState | None]], list[Fate]]:
        """Attempts whose records have moved on; and the fates of those whose records stand where they began, in a state in which the
        stage does not run any more: nobody was faster, so they are not late. They rest, with an error that says so."""
        began = {one.record_id: one.version for one, seen in elsewhere if seen and one.version is not None}
        still = ledger.unmoved(tx, stage_queue.workflow.name, stage_queue.axis.name, scope, began)
        late: list[tuple[Attempt, RowState | None]] = []
        left: list[Fate] = []
        for attempt, seen in elsewhere:
            if seen is None or still.get(attempt.record_id) != (seen.states[0], seen.versions[0]):
                late.append((attempt, seen))
                continue
            message = f"attempt {attempt.attempt} began in {seen.states[0]}, and {stage_queue.stage.name} does not run there any more"
            report = Report("refused", STAGE_CHANGED, message, final=True)
            self.verdict(tx, stage_queue, attempt, "refused", BadInput(message).code, message, now)
            case = Case(stage_queue, attempt, report, seen)
            left.append(Fate(case, stranded(stage_queue.stage, seen.states[0], report)))
        return late, left

    def _stale(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        stale: list[tuple[Attempt, RowState | None]],
        now: datetime,
    ) -> None:
        """The record is not where this attempt left it: recorded, not applied, and the work row goes."""
        for attempt, seen in stale:
            where = "it is gone" if seen is None else f"status={seen.states[0]}"
            error = StaleAttempt(
                f"{stage_queue.workflow.name} {attempt.record_id}: a report of attempt {attempt.attempt} came too late; {where}"
            )
            if not verdicts.has_verdict(
                tx, stage_queue.workflow.name, attempt.record_id, attempt.token
            ):  # the move that overtook it in this batch has recorded one already
                self.verdict(tx, stage_queue, attempt, "stale", error.code, error.message, now)
            log_ignored(
                stage_queue.workflow,
                attempt.record_id,
                f"{stage_queue.stage.name}.{attempt.outcome or 'expired'}",
                where,
            )
        self.on.work.remove(tx, [attempt.position for attempt, _ in stale])

    def verdict(
        self,
        tx: Connection,
        stage_queue: StageQueue,
        attempt: Attempt,
        verdict: str,
        code: str,
        message: str,
        now: datetime,
        wanted: Any = None,
    ) -> None:
        verdicts.record(
            tx,
            [
                verdicts.Refusal(
                    stage_queue.workflow.name,
                    attempt.record_id,
                    stage_queue.axis.name,
                    attempt.scope,
                    "report",
                    attempt.token,
                    verdict,
                    code,
                    message[:4000],
                    None if wanted is None else str(wanted),
                    attempt.claimed_by or "coordinator",
                    now,
                )
            ],
        )


def jitter(token: str) -> float:
    """Between 0.9 and 1.1, the same for the same attempt: a replay waits as long as the first time."""
    return 0.9 + int(token[:4], 16) / 0xFFFF * 0.2


def _version(case: Case) -> int:
    """The version that gates were asked about: that of the attempt's begin. A work row from an earlier release does not name it."""
    version = case.attempt.version if case.attempt.version is not None else case.seen.versions[0]
    return version or 0


def _with_current_gates(case: Case) -> Case:
    """A success whose gates saw an older version of the record, because it was amended meanwhile, proves nothing: the work begins anew,
    at no cost of a try."""
    outdated = (
        case.report.gates and case.report.happening == "done" and _version(case) != case.seen.versions[0]
    )
    return replace(case, report=Report("again", OUTDATED, gates=case.report.gates)) if outdated else case


def _starts(stage_queue: StageQueue) -> tuple[Any, ...]:
    return stage_queue.stage.waiting if stage_queue.stage.running is None else (stage_queue.stage.running,)


def _start(stage_queue: StageQueue, decision: Decision) -> Any:
    return next(
        (state for state in _starts(stage_queue) if stage_queue.machine.edge(state, decision.to) is not None),
        None,
    )


def _by_stage(ended: Sequence[tuple[Attempt, Report]]) -> dict[tuple[str, str], list[tuple[Attempt, Report]]]:
    found: dict[tuple[str, str], list[tuple[Attempt, Report]]] = {}
    for one in ended:
        found.setdefault((one[0].stage, one[0].scope), []).append(one)
    return found
