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

from ..authority.working import Transit
from ..errors import BadInput, InterlockError, StaleAttempt
from ..store import gates, stages, tallies, verdicts
from ..store.attempts import Attempt, Issue, ReportGroup, tokens
from ..store.contract import BatchResult, Seen
from ..store.front import MANY
from ..workflow import Answer
from ..workflow.effects import counted_when_done
from .decide import PLAIN_DONE, Decision, Report, decide
from .dispatch import next_version
from .posts import Post
from .report import BAD_REPORT, parse_report, seconds_since
from .speech import log, say_exhausted, say_ignored, say_moved

if TYPE_CHECKING:
    from .coordinator import Coordinator


OUTDATED = "GATES_OUTDATED"
"""The code of a success that begins anew because its gates saw an older version; a report that asks for more time has no code."""


@dataclass(frozen=True, slots=True)
class Case:
    """One attempt, what happened to it, and where its record stood when it was read."""

    post: Post
    attempt: Attempt
    report: Report
    seen: Seen


class Fate(NamedTuple):
    """An attempt and what becomes of it."""

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
                post = self.on.posts.get(group.stage)
                result = None if post is None or not group.uniform else self._finish(tx, post, group)
                if result is not None:
                    moved += result.moved
                    handled += [group] if result.moved == result.held else []
            if moved >= MANY and not self.on.work.front.position:
                self.on.work.front.find(tx)
            if len(handled) == len(groups):
                return moved
            reported = self.on.work.reported(tx, self.on.posts, self.on.database.batch, handled)
            return moved + self.end(tx, [(one, parse_report(one)) for one in reported], reported=True)

    def _finish(self, tx: Connection, post: Post, group: ReportGroup) -> BatchResult | None:
        now, stage = self.on.clock.now(), post.stage
        result = self.on.stage_moves.finish(tx, post.name, post.workflow, stage, group.scope, group.shape, self.on.database.batch, now)
        if result is not None and result.moved:
            cause = f"{stage.name}.completed"
            for row in result.rows if log.isEnabledFor(logging.INFO) else ():
                facts = {} if row.facts is None else json.loads(row.facts)
                say_moved(post.workflow, [row.key], group.scope, stage.running, stage.done, cause, facts)
            tallies.keep(self.on.work, tx, {(post.workflow.name, stage.name, group.scope, "done"): result.moved})
        return result

    def end(self, tx: Connection, ended: Sequence[tuple[Attempt, Report]], *, reported: bool) -> int:
        """Move the records of these attempts, whose work rows the caller has locked; how many are over."""
        now = self.on.clock.now()
        moved = 0
        for (name, scope), group in _by_stage(ended).items():
            post = self.on.posts.get(name)
            if post is not None:  # a stage that this version of the code does not know is another version's to apply
                moved += self._stage(tx, post, scope, group, now, reported=reported)
        return moved

    def _stage(self, tx: Connection, post: Post, scope: str, group: list[tuple[Attempt, Report]], now: datetime, *, reported: bool) -> int:
        keys = post.place.keys_of([one.record_id for one, _ in group])
        rows = {str(row.key): row for row in self.on.working.read(tx, post.workflow, post.axis, scope, keys)}
        expected = post.stage.waiting if post.stage.running is None else (post.stage.running,)
        cases, stale = [], []
        for attempt, report in group:
            seen = rows.get(attempt.record_id)
            if seen is None or seen.states[0] not in expected:
                stale.append((attempt, seen))
            else:
                cases.append(Case(post, attempt, report, seen))
        if stale:
            self._stale(tx, post, stale, now)
        decided = self._decided(tx, post, scope, cases, now)
        count: Counter[tallies.Key] = Counter()
        moved = len(stale)
        for fates in decided:
            moved += self._carry(tx, post, scope, fates, now, count, reported=reported)
        tallies.keep(self.on.work, tx, count)
        return moved

    def _decided(self, tx: Connection, post: Post, scope: str, cases: list[Case], now: datetime) -> Iterable[list[Fate]]:
        """What becomes of each attempt; those that go the same way, whatever facts each has of its own, are moved together."""
        troubled = [case.seen.key for case in cases if case.report.happening != "done"]
        standing = post.queue.standing(tx, scope, troubled) if troubled else {}
        plain: Decision | None = None
        groups: dict[Any, list[Fate]] = {}
        for case in map(_with_current_gates, cases):
            if case.report is PLAIN_DONE:
                plain = plain or decide(post.stage, post.machine, case.seen.states[0], 0, PLAIN_DONE)
                fate = Fate(case, plain)
            else:
                fate = self._decide(post, case, standing, now)
            groups.setdefault(fate.decision.route, []).append(fate)
        return groups.values()

    def _decide(self, post: Post, case: Case, standing: Mapping[Any, tuple[int, int, Any]], now: datetime) -> Fate:
        """Work of a stage without a running state has a new work row each time: it is counted from when the record came here. A report
        that cannot be decided on is refused."""
        _, tries, since = standing.get(case.seen.key, (0, 0, None))
        started = case.attempt.started_at if post.stage.running is not None else since
        started = None if case.report.code == OUTDATED else started  # its stage asked for no more time, so no deadline has passed
        try:
            return Fate(case, decide(post.stage, post.machine, case.seen.states[0], tries, case.report,
                                     elapsed=seconds_since(started, now), jitter=jitter(case.attempt.token)))
        except Exception as error:  # noqa: BLE001 whatever a report contains, it ends no process
            log.exception("%s %s: its report cannot be decided on", post.workflow.noun, case.attempt.record_id)
            bad = replace(case, report=Report("refused", BAD_REPORT, f"{type(error).__name__}: {error}"))
            return Fate(bad, decide(post.stage, post.machine, case.seen.states[0], tries, bad.report))

    def _carry(self, tx: Connection, post: Post, scope: str, fates: list[Fate], now: datetime,
               count: Counter[tallies.Key], *, reported: bool) -> int:
        """Move the records of attempts that go the same way, in one batch; what is refused fails by itself."""
        cases, decision = [fate.case for fate in fates], fates[0].decision
        self._gates(tx, post, scope, cases, now)
        for case in cases:
            self._unreadable(tx, post, case, now)
            self._pause(tx, post, scope, case, now)
        transit, refused = self._own_values(post, fates, self.transit(post, scope, decision), now)
        cases = [case for case in cases if case.seen.key not in refused]
        tokens_of = {case.seen.key: case.attempt.token for case in cases} if reported else None
        answers = {**refused, **self.on.move(tx, transit, [case.seen for case in cases], tokens_of, now)}
        done = [fate for fate in fates if (answer := answers.get(fate.case.seen.key)) is not None and answer.error is None]
        self._say(post, scope, done, answers)
        self._work_rows(tx, done)
        count[(post.workflow.name, post.stage.name, scope, decision.what)] += len(done)
        failed = [(fate.case, answer) for fate in fates
                  if (answer := answers.get(fate.case.seen.key)) is not None and answer.outcome == "refused"]
        return len(done) + sum(self._refused(tx, post, scope, case, answer, now, count, reported=reported) for case, answer in failed)

    def _own_values(self, post: Post, fates: list[Fate], transit: Transit, now: datetime) -> tuple[Transit, dict[Any, Answer]]:
        """The move with what each record has of its own, and the refusals of records whose facts cannot be kept."""
        if not any(fate.decision.facts or fate.decision.due is not None for fate in fates):
            return transit, {}
        due = [{} if fate.decision.due is None else {"ready_at": now + fate.decision.due} for fate in fates]
        values = self.on.working.row_values(transit, [fate.decision.facts for fate in fates], due)
        keys = [fate.case.seen.key for fate in fates]
        refused = {key: Answer(key, "refused", error=one) for key, one in zip(keys, values, strict=True) if isinstance(one, InterlockError)}
        own = {key: one for key, one in zip(keys, values, strict=True) if not isinstance(one, InterlockError)}
        return replace(transit, own=own), refused

    def _say(self, post: Post, scope: str, done: list[Fate], answers: Mapping[Any, Answer]) -> None:
        """A log line for each move, and a warning for each record that has no try left."""
        for fate in done:
            if fate.decision.exhausted:
                say_exhausted(post.workflow, post.stage.name, fate.case.seen.key, scope, fate.decision.facts)
        if log.isEnabledFor(logging.INFO):
            for fate in done:
                answer = answers[fate.case.seen.key]
                say_moved(post.workflow, [fate.case.seen.key], scope, answer.old, answer.new, fate.decision.cause, fate.decision.facts)

    def transit(self, post: Post, scope: str, decision: Decision) -> Transit:
        """The decision as a move; an operator's edge is taken in the name of the stage that declares it as its done."""
        columns = {**decision.columns, "ready_at": None} if decision.rest else decision.columns
        edges = [edge for edge in post.machine.edges.get(_start(post, decision), ()) if edge.to == decision.to and edge.kind == "operator"]
        staying = decision.again is not None or decision.to in _starts(post)
        origin = "reissue" if staying else "move"
        counted = (*decision.counted, *(counted_when_done(post.workflow, post.stage) if decision.what in ("done", "empty") else ()))
        return Transit(post.workflow, post.axis, decision.to, decision.cause, scope, origin, {}, columns, counted,
                       role=(edges[0].role or "operator") if edges else None,
                       reason=f"stage {post.stage.name} ended as declared" if edges else None)

    def _work_rows(self, tx: Connection, done: list[Fate]) -> None:
        """Attempts that are over lose their work rows; those that go on in the same state get the next attempt in its place."""
        self.on.work.remove(tx, [fate.case.attempt.position for fate in done if fate.decision.again is None])
        again = [fate for fate in done if fate.decision.again is not None]
        issues = [Issue(fate.case.attempt.record_id, fate.case.attempt.attempt + 1, token, version=next_version(fate.case.seen))
                  for fate, token in zip(again, tokens(len(again)), strict=True)]  # waiting for the next try holds no slot
        self.on.work.rewrite(tx, [fate.case.attempt.position for fate in again], issues,
                             [fate.decision.again or timedelta() for fate in again])

    def _gates(self, tx: Connection, post: Post, scope: str, cases: list[Case], now: datetime) -> None:
        """Keep what gates said of these attempts, in one statement."""
        gates.record_many(self.on.authority.engine, tx, post.workflow.name, post.axis.name, scope, [
            gates.GateVerdict(case.attempt.record_id, _version(case), one["gate"], bool(one["passed"]), one.get("reason"),
                              one.get("details"), one.get("duration_ms"), case.attempt.claimed_by or "runner")
            for case in cases for one in case.report.gates], now)

    def _unreadable(self, tx: Connection, post: Post, case: Case, now: datetime) -> None:
        """A report that could not be read is recorded as refused; its record fails."""
        report = case.report
        if (report.happening, report.code) == ("refused", BAD_REPORT) and not verdicts.is_said(
                tx, post.workflow.name, case.attempt.record_id, case.attempt.token):
            self.verdict(tx, post, case.attempt, "refused", BadInput(report.message).code, report.message, now)

    def _pause(self, tx: Connection, post: Post, scope: str, case: Case, now: datetime) -> None:
        if case.report.pause is False:
            return
        until = None if case.report.pause is True else now + timedelta(seconds=float(case.report.pause))
        stages.pause(self.on.work, tx, post.workflow.name, post.stage.name, scope, until=until, actor="coordinator", at=now,
                     reason=f"{case.report.code}: {case.report.message}"[:500])

    def _refused(self, tx: Connection, post: Post, scope: str, case: Case, answer: Answer, now: datetime, count: Counter[tallies.Key], *,
                 reported: bool) -> int:
        """A rule, a gate or the database refused the move: it fails without its facts. A failed state has no rules, so this one passes."""
        error = answer.error
        if error is None or case.report.happening == "refused":
            return 0
        if not verdicts.is_said(tx, post.workflow.name, case.attempt.record_id, case.attempt.token):  # it may be refused to fail, too
            self.verdict(tx, post, case.attempt, "refused", error.code, error.message, now, wanted=answer.new)
        code = case.report.code if case.report.happening == "failed" else "refused"
        again = replace(case, report=Report("refused", code, error.message))
        decision = decide(post.stage, post.machine, case.seen.states[0], 0, again.report)
        return self._carry(tx, post, scope, [Fate(again, decision)], now, count, reported=reported)

    def _stale(self, tx: Connection, post: Post, stale: list[tuple[Attempt, Seen | None]], now: datetime) -> None:
        """The record is not where this attempt left it: recorded, not applied, and the work row goes."""
        for attempt, seen in stale:
            where = "it is gone" if seen is None else f"status={seen.states[0]}"
            error = StaleAttempt(f"{post.workflow.name} {attempt.record_id}: a report of attempt {attempt.attempt} came too late; {where}")
            if not verdicts.is_said(tx, post.workflow.name, attempt.record_id, attempt.token):  # what drove it on in this batch has said so
                self.verdict(tx, post, attempt, "stale", error.code, error.message, now)
            say_ignored(post.workflow, attempt.record_id, f"{post.stage.name}.{attempt.outcome or 'expired'}", where)
        self.on.work.remove(tx, [attempt.position for attempt, _ in stale])

    def verdict(self, tx: Connection, post: Post, attempt: Attempt, verdict: str, code: str, message: str, now: datetime,
                wanted: Any = None) -> None:
        verdicts.record(tx, [verdicts.Refusal(
            post.workflow.name, attempt.record_id, post.axis.name, attempt.scope, "report", attempt.token, verdict, code, message[:4000],
            None if wanted is None else str(wanted), attempt.claimed_by or "coordinator", now)])


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
    outdated = case.report.gates and case.report.happening == "done" and _version(case) != case.seen.versions[0]
    return replace(case, report=Report("again", OUTDATED, gates=case.report.gates)) if outdated else case


def _starts(post: Post) -> tuple[Any, ...]:
    return post.stage.waiting if post.stage.running is None else (post.stage.running,)


def _start(post: Post, decision: Decision) -> Any:
    return next((state for state in _starts(post) if post.machine.edge(state, decision.to) is not None), None)


def _by_stage(ended: Sequence[tuple[Attempt, Report]]) -> dict[tuple[str, str], list[tuple[Attempt, Report]]]:
    found: dict[tuple[str, str], list[tuple[Attempt, Report]]] = {}
    for one in ended:
        found.setdefault((one[0].stage, one[0].scope), []).append(one)
    return found
