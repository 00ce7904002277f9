"""Reports → moves: taken in batches, judged by `decide`, moved by version, in one transaction with their work rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from ..authority.working import Transit
from ..errors import StaleAttempt
from ..store import gates, stages, tallies, verdicts
from ..store.contract import Passed, Seen
from ..store.front import MANY
from ..store.work import Attempt, Issue, tokens
from ..workflow import Answer
from ..workflow.effects import counted_when_done
from ..workflow.instant import read
from .decide import PLAIN_DONE, Decision, Report, decide, parse_report
from .posts import Post
from .speech import say_ignored, say_moved

if TYPE_CHECKING:
    from .coordinator import Coordinator


@dataclass(frozen=True, slots=True)
class Case:
    """One attempt, what happened to it, and where its record stood when it was read."""

    post: Post
    attempt: Attempt
    report: Report
    seen: Seen


class Applier:
    """Ends attempts: by their reports, or for the reasons that the sweep finds."""

    def __init__(self, coordinator: Coordinator) -> None:
        self.on = coordinator

    def step(self) -> int:
        """One batch of reports: the plain ones of each stage together, the others judged."""
        return self._step() or (self._step() if self.on.work.front.forget() else 0)

    def _step(self) -> int:
        with self.on.database.write(ours_alone=not self.on.hooked) as tx:
            passed = {post.name: self._swiftly(tx, post) for post in self.on.posts.values()} if self.on.swiftly else {}
            moved = sum(one.moved for one in passed.values() if one is not None)
            reported = self.on.work.reported(tx, self.on.posts, self.on.database.batch, self._taken(passed))
            if moved >= MANY and not self.on.database.is_sqlite and not self.on.work.front.position:
                self.on.work.front.find(tx)
            return moved + self.end(tx, [(one, parse_report(one.outcome or "failed", one.report)) for one in reported], reported=True)

    def _taken(self, passed: Mapping[str, Passed | None]) -> list[str]:
        """Stages whose plain reports were all taken. On PostgreSQL more may have come since: they need no judging, the next step takes
        them together too."""
        return [] if self.on.database.is_sqlite else [name for name, one in passed.items() if one is not None and one.moved == one.held]

    def _swiftly(self, tx: Connection, post: Post) -> Passed | None:
        now, stage = self.on.clock.now(), post.stage
        passed = self.on.swift.finish(tx, post.name, post.workflow, stage, self.on.database.batch, now)
        if passed is not None and passed.moved:
            say_moved(post.workflow, passed.keys, "", stage.running, stage.done, f"{stage.name}.completed", {})
            tallies.keep(self.on.work, tx, {(post.workflow.name, stage.name, "", "done"): passed.moved})
        return passed

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
        for decision, alike in decided:
            moved += self._carry(tx, post, scope, decision, alike, now, count, reported=reported)
        tallies.keep(self.on.work, tx, count)
        return moved

    def _decided(self, tx: Connection, post: Post, scope: str, cases: list[Case], now: datetime) -> Iterable[tuple[Decision, list[Case]]]:
        """Reports that change nothing but the state go together; the others each say something of their own."""
        plain: dict[str, tuple[Decision, list[Case]]] = {}
        singly: list[tuple[Decision, list[Case]]] = []
        troubled = [case.seen.key for case in cases if case.report.happening != "done"]
        standing = post.queue.standing(tx, scope, troubled) if troubled else {}
        for case in cases:
            report = case.report
            if report is PLAIN_DONE:
                if "done" not in plain:
                    plain["done"] = (decide(post.stage, post.machine, case.seen.states[0], 0, report), [])
                plain["done"][1].append(case)
            else:
                singly.append((self._decide(post, case, standing, now), [case]))
        return [*plain.values(), *singly]

    def _decide(self, post: Post, case: Case, standing: Mapping[Any, tuple[int, int, Any]], now: datetime) -> Decision:
        """Work of a stage without a running state has a new work row each time: it is counted from when the record came here."""
        _, tries, since = standing.get(case.seen.key, (0, 0, None))
        started = case.attempt.started_at if post.stage.running is not None else since
        elapsed = timedelta() if started is None else now - (read(started) if isinstance(started, str) else started)
        return decide(post.stage, post.machine, case.seen.states[0], tries, case.report, elapsed=elapsed, jitter=jitter(case.attempt.token))

    def _carry(self, tx: Connection, post: Post, scope: str, decision: Decision, cases: list[Case], now: datetime,
               count: Counter[tallies.Key], *, reported: bool) -> int:
        for case in cases:
            self._gates(tx, post, scope, case, now)
            self._pause(tx, post, scope, case, now)
        tokens_of = {case.seen.key: case.attempt.token for case in cases} if reported else None
        answers = self.on.move(tx, self.transit(post, scope, decision, now), [case.seen for case in cases], tokens_of, now)
        done = [case for case in cases if (answer := answers.get(case.seen.key)) is not None and answer.error is None]
        for (old, new), moved in _by_move(done, answers).items():
            say_moved(post.workflow, moved, scope, old, new, decision.cause, decision.facts)
        self._work_rows(tx, decision, done)
        count[(post.workflow.name, post.stage.name, scope, decision.what)] += len(done)
        refused = [(case, answers[case.seen.key]) for case in cases
                   if (answer := answers.get(case.seen.key)) is not None and answer.outcome == "refused"]
        return len(done) + sum(self._refused(tx, post, scope, case, answer, now, count, reported=reported) for case, answer in refused)

    def transit(self, post: Post, scope: str, decision: Decision, now: datetime) -> Transit:
        """The decision as a move; an operator's edge is taken in the name of the stage that declares it as its done."""
        columns = dict(decision.columns)
        if decision.due is not None:
            columns["ready_at"] = now + decision.due
        elif decision.rest:
            columns["ready_at"] = None
        edges = [edge for edge in post.machine.edges.get(_start(post, decision), ()) if edge.to == decision.to and edge.kind == "operator"]
        staying = decision.again is not None or decision.to in _starts(post)
        origin = "reissue" if staying else "move"
        counted = (*decision.counted, *(counted_when_done(post.workflow, post.stage) if decision.what in ("done", "empty") else ()))
        return Transit(post.workflow, post.axis, decision.to, decision.cause, scope, origin, decision.facts, columns, counted,
                       role=(edges[0].role or "operator") if edges else None,
                       reason=f"stage {post.stage.name} ended as declared" if edges else None)

    def _work_rows(self, tx: Connection, decision: Decision, done: list[Case]) -> None:
        if decision.again is None:
            self.on.work.remove(tx, [case.attempt.position for case in done])
            return
        for case, token in zip(done, tokens(len(done)), strict=True):  # waiting for the next try holds no slot
            self.on.work.rewrite(tx, case.attempt.position, Issue(case.attempt.record_id, case.attempt.attempt + 1, token), decision.again)

    def _gates(self, tx: Connection, post: Post, scope: str, case: Case, now: datetime) -> None:
        """What the runner's gates said holds for the version that is about to move."""
        for said in case.report.gates:
            gates.record(tx, post.workflow.name, case.attempt.record_id, post.axis.name, scope, case.seen.versions[0] or 0, said["gate"],
                         passed=bool(said["passed"]), actor=case.attempt.claimed_by or "runner", at=now, reason=said.get("reason"),
                         details=said.get("details"), duration_ms=said.get("duration_ms"))

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
        return self._carry(tx, post, scope, decision, [again], now, count, reported=reported)

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


def _starts(post: Post) -> tuple[Any, ...]:
    return post.stage.waiting if post.stage.running is None else (post.stage.running,)


def _start(post: Post, decision: Decision) -> Any:
    return next((state for state in _starts(post) if post.machine.edge(state, decision.to) is not None), None)


def _by_stage(ended: Sequence[tuple[Attempt, Report]]) -> dict[tuple[str, str], list[tuple[Attempt, Report]]]:
    found: dict[tuple[str, str], list[tuple[Attempt, Report]]] = {}
    for one in ended:
        found.setdefault((one[0].stage, one[0].scope), []).append(one)
    return found


def _by_move(done: list[Case], answers: Mapping[Any, Answer]) -> dict[tuple[Any, Any], list[Any]]:
    found: dict[tuple[Any, Any], list[Any]] = {}
    for case in done:
        answer = answers[case.seen.key]
        found.setdefault((answer.old, answer.new), []).append(case.seen.key)
    return found
