"""The protocol with one mechanism removed or misplaced at a time: each must be found out. A mutant that nobody meets would prove nothing,
so each counts how often it was in effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from interlock.authority.attempts import Attempts
from interlock.authority.mover import Mover
from interlock.coordinator import Coordinator
from interlock.coordinator import decide as deciding
from interlock.coordinator.admitting import Admitter
from interlock.coordinator.apply import Applier
from interlock.coordinator.decide import parse_report
from interlock.coordinator.dispatch import Dispatcher
from interlock.coordinator.standing import Standing
from interlock.coordinator.sweep import Sweeper
from interlock.runner.finish import Finisher
from interlock.runner.runner import Runner
from interlock.store import commands
from interlock.store.connect import driver_connection
from interlock.store.waiting import Queue
from interlock.store.work import Reported, WorkRows
from interlock.testing.simulation import World
from interlock.workflow import effects

Change = Callable[["Mutant", pytest.MonkeyPatch], None]


@dataclass
class Mutant:
    """One change of the protocol, and the workflow that shows what comes of it."""

    name: str
    change: Change
    played: str = "statements"
    met: int = 0
    spoil: Callable[[World], None] | None = None
    also: dict[str, Any] = field(default_factory=dict)

    def meet(self) -> None:
        self.met += 1


MUTANTS: list[Mutant] = []


def mutant(played: str = "statements", **more: Any) -> Callable[[Change], Change]:
    def keep(change: Change) -> Change:
        MUTANTS.append(Mutant(change.__name__.replace("_", " "), change, played, **more))
        return change

    return keep


def silenced(self: Mutant, patch: pytest.MonkeyPatch, owner: type, name: str, answer: Any) -> None:
    """A method that does nothing any more."""

    def nothing(*_: Any, **__: Any) -> Any:
        self.meet()
        return answer() if callable(answer) else answer

    patch.setattr(owner, name, nothing)


def said_otherwise(self: Mutant, patch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """A statement of the work rows that has lost, or changed, a condition."""
    real = WorkRows.run

    def run(rows: WorkRows, tx: Any, statement: str, *args: Any, **kwargs: Any) -> Any:
        if old in statement:
            self.meet()
        return real(rows, tx, statement.replace(old, new), *args, **kwargs)

    patch.setattr(WorkRows, "run", run)


def ordered_otherwise(self: Mutant, patch: pytest.MonkeyPatch, wanted: Callable[[Any], bool], change: Callable[[Any], Any]) -> None:
    """A coordinator that asks the authority for something else."""
    real = Coordinator.move

    def move(coordinator: Coordinator, tx: Any, transit: Any, *args: Any, **kwargs: Any) -> Any:
        if wanted(transit):
            self.meet()
            transit = change(transit)
        return real(coordinator, tx, transit, *args, **kwargs)

    patch.setattr(Coordinator, "move", move)


def reporting(self: Mutant, patch: pytest.MonkeyPatch, where: str, accepted: Callable[[Any, Sequence[Reported]], set[str]]) -> None:
    """A fence with another condition."""

    def report(rows: WorkRows, tx: Any, reports: Sequence[Reported]) -> set[str]:
        self.meet()
        found = accepted(tx, reports)
        now = rows.timing.values()["now"]
        for one in reports:
            driver_connection(tx).execute("UPDATE interlock_work SET reported_at = :now, outcome = :outcome, report = :report "
                                          f"WHERE {where}", {"now": now, **one._asdict()})
        return found

    patch.setattr(WorkRows, "_report_sqlite", report)


def there(tx: Any, reports: Sequence[Reported]) -> set[str]:
    found = {row[0] for row in driver_connection(tx).execute("SELECT position FROM interlock_work").fetchall()}
    return {one.token for one in reports if one.position in found}


def known(tx: Any, reports: Sequence[Reported]) -> set[str]:
    found = {row[0] for row in driver_connection(tx).execute("SELECT token FROM interlock_work").fetchall()}
    return {one.token for one in reports if one.token in found}


# The fence

@mutant()
def a_report_is_taken_without_comparing_its_token(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    reporting(self, patch, "position = :position AND reported_at IS NULL", there)


@mutant()
def a_report_is_taken_twice(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    reporting(self, patch, "position = :position AND token = :token", known)


@mutant()
def results_are_saved_whether_the_report_was_taken_or_not(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Finisher._group

    def group(finisher: Finisher, tx: Any, results: Any) -> int:
        for result in results:
            if result.stage.saver is not None and result.value is not None:
                self.meet()
                result.stage.saver(tx, result.work, result.value)
        return real(finisher, tx, results)

    patch.setattr(Finisher, "_group", group)


@mutant()
def results_are_saved_in_a_transaction_before_the_report(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Runner._report

    def report(runner: Runner, group: Any, *, careful: bool) -> None:
        with runner.database.write() as tx:
            for result in group:
                if result.stage.saver is not None and result.value is not None and not careful:
                    self.meet()
                    result.stage.saver(tx, result.work, result.value)
        real(runner, group, careful=careful)

    patch.setattr(Runner, "_report", report)


@mutant()
def a_late_report_is_not_answered(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Finisher, "_late", None)


@mutant()
def a_repeated_report_is_called_stale(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Finisher, "_arrived", False)


# Applying

@mutant()
def reports_are_acknowledged_before_they_are_applied(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def step(applier: Applier) -> int:
        on = applier.on
        with on.database.write() as tx:
            reported = on.work.reported(tx, on.posts, 500)
            on.work.remove(tx, [one.position for one in reported])
        if not reported:
            return 0
        self.meet()
        with on.database.write() as tx:
            return applier.end(tx, [(one, parse_report(one.outcome or "failed", one.report)) for one in reported], reported=True)

    patch.setattr(Applier, "step", step)


@mutant()
def applying_leaves_the_work_row(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, WorkRows, "remove", None)


@mutant()
def applying_names_no_attempt(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Coordinator.move

    def move(coordinator: Coordinator, tx: Any, transit: Any, rows: Any, tokens: Any, now: Any) -> Any:
        self.met += tokens is not None
        return real(coordinator, tx, transit, rows, None, now)

    patch.setattr(Coordinator, "move", move)


@mutant("domains")
def a_refused_report_keeps_its_facts(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Applier._refused

    def refused(applier: Applier, tx: Any, post: Any, scope: Any, case: Any, answer: Any, *args: Any, **kwargs: Any) -> int:
        self.meet()
        kept = deciding.Report("refused", "refused", facts=case.report.facts)
        decision = replace(deciding.decide(post.stage, post.machine, case.seen.states[0], 0, kept), facts=dict(case.report.facts))
        return applier._carry(tx, post, scope, decision, [replace(case, report=kept)], *args, **kwargs)

    assert real is not None
    patch.setattr(Applier, "_refused", refused)


@mutant()
def a_bad_report_stops_its_batch(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> int:
        self.meet()
        return 0

    patch.setattr(Applier, "_refused", refused)


# Ending attempts otherwise

@mutant()
def a_reported_attempt_expires(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "reported_at IS NULL AND lease_until < NOW", "lease_until < NOW")


@mutant("relay")
def a_reported_attempt_is_overdue(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "reported_at IS NULL AND claimed_at <", "claimed_at <")


@mutant()
def work_that_nobody_took_expires(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "lease_until < NOW", "coalesce(lease_until, available_at) < NOW")


@mutant()
def a_persons_move_leaves_the_work_row(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Attempts, "end", None)


@mutant()
def a_persons_move_ignores_what_was_reported(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def unreported(mover: Mover, tx: Any, command: Any, outlook: Any, asked: Any, chosen: Any, progress: Any) -> Any:
        self.meet()
        return chosen

    patch.setattr(Mover, "_unreported", unreported)


@mutant()
def a_deleted_record_leaves_its_work_row(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = WorkRows.remove_of

    def remove_of(rows: WorkRows, tx: Any, kind: str, axis: Any, scope: Any, ids: Any) -> None:
        if axis is None:
            self.meet()
        else:
            real(rows, tx, kind, axis, scope, ids)

    patch.setattr(WorkRows, "remove_of", remove_of)


@mutant()
def the_next_attempt_keeps_the_token(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "attempt = %(attempt)s, token = %(token)s, slot", "attempt = %(attempt)s, slot")


@mutant()
def the_next_attempt_keeps_its_number(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "SET attempt = %(attempt)s, token", "SET token")


@mutant()
def a_retry_deletes_the_work_row_and_leaves_the_rest_to_the_sweep(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def rewrite(rows: WorkRows, tx: Any, position: int, issue: Any, after: timedelta) -> None:
        self.meet()
        rows.remove(tx, [position])

    patch.setattr(WorkRows, "rewrite", rewrite)


# The sweeper, part by part

@mutant()
def leases_never_run_out(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "expire", 0)


@mutant()
def deadlines_are_not_enforced(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "enforce_deadlines", 0)


@mutant()
def records_that_run_without_work_are_not_found(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "_reissue", 0)


@mutant("themes")
def records_that_wait_unseen_are_not_found(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Queue.astray

    def astray(queue: Queue, *args: Any) -> Any:
        running, waiting, end = real(queue, *args)
        self.met += bool(waiting)
        return running, [], end

    patch.setattr(Queue, "astray", astray)


@mutant("domains")
def failed_records_are_not_brought_back(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "requeue", 0)


@mutant("domains")
def standing_rules_are_not_looked_after(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Standing, "step", 0)


@mutant("domains")
def records_that_were_found_are_not_admitted(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Admitter, "step", 0)


@mutant()
def attempts_without_a_slot_never_get_one_again(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "reslot", 0)


@mutant()
def lost_work_is_issued_under_the_old_number(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(self, patch, lambda transit: transit.cause == "work.lost", lambda transit: replace(transit, counted=()))


# Dispatch

@mutant()
def dispatch_moves_without_issuing_work(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def issue(rows: WorkRows, tx: Any, kind: str, axis: str, scope: str, stage: str, issues: Any) -> set[str]:
        self.meet()
        return {one.record_id for one in issues}

    patch.setattr(WorkRows, "issue", issue)


@mutant()
def dispatch_issues_work_in_a_transaction_after_the_move(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real, later = WorkRows.issue, list[Any]()

    def issue(rows: WorkRows, tx: Any, *args: Any) -> set[str]:
        self.meet()
        later.append((rows, args))
        return {one.record_id for one in args[-1]}

    def step(dispatcher: Dispatcher, posts: Any) -> int:
        count = begin(dispatcher, posts)
        while later:
            with dispatcher.on.database.write() as tx:
                rows, args = later.pop()
                real(rows, tx, *args)
        return count

    begin = Dispatcher.step
    patch.setattr(WorkRows, "issue", issue)
    patch.setattr(Dispatcher, "step", step)


@mutant("content")
def a_stage_without_a_running_state_does_not_step_the_version(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def begin(dispatcher: Dispatcher, tx: Any, post: Any, scope: str, chosen: Any, now: Any) -> set[str]:
        self.meet()
        return {str(one.seen.key) for one in chosen}

    patch.setattr(Dispatcher, "begin", begin)


@mutant("relay")
def any_stage_goes_on_from_a_shared_failed_state(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Queue.waits

    def waits(queue: Queue) -> str:
        self.meet()
        return f"({real(queue)} OR {queue.is_one_of(queue.place.qualified(queue.place.status_sql), [queue.stage.failed])})"

    patch.setattr(Queue, "waits", waits)


@mutant("themes")
def rules_are_not_asked_when_work_begins(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Queue, "_rules", list)


@mutant(spoil=lambda world: world.raw.plainly("DROP INDEX interlock_work_slot"))
def slots_are_not_unique(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, WorkRows, "taken", lambda: (set(), set()))


# Counting

@mutant()
def a_try_is_counted_when_work_begins(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(self, patch, lambda transit: transit.cause == "coordinator" or transit.cause.endswith(".created"),
                      lambda transit: replace(transit, counted=(*transit.counted, "tries")))


@mutant("relay")
def waiting_in_a_failed_state_restarts_the_count(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = effects._waiting

    def waiting(axis: Any, stages: Any, new: Any, now: Any, constants: Any) -> None:
        real(axis, stages, new, now, constants)
        if axis.has("tries") and any(new in stage.waiting for stage in stages):
            self.meet()
            constants[axis.column_name("tries")] = 0

    patch.setattr(effects, "_waiting", waiting)


@mutant("domains")
def going_back_to_wait_restarts_the_count(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(self, patch, lambda transit: transit.cause == "retry.due", lambda transit: replace(transit, columns={}))


@mutant("content")
def asking_for_more_time_costs_a_try(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(self, patch, lambda transit: transit.cause.endswith(".again"),
                      lambda transit: replace(transit, counted=(*transit.counted, "tries")))


# Failing

@mutant()
def leaving_a_stage_does_not_say_from_where(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, effects, "failed_from", None)  # type: ignore[arg-type]


@mutant("relay")
def what_was_cancelled_is_tried_again(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    from interlock.authority.authority import Authority

    real = Authority.move_many

    def move_many(authority: Authority, *args: Any, **said: Any) -> Any:
        if said.get("cause") == "command.cancel":
            self.meet()
            said["given"] = {}
        return real(authority, *args, **said)

    patch.setattr(Authority, "move_many", move_many)


# Commands of people

@mutant()
def idempotency_keys_are_not_kept(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    for name in ("claim", "answer"):
        silenced(self, patch, commands, name, None)  # type: ignore[arg-type]


@mutant()
def a_key_is_taken_after_the_move(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = commands.answer

    def answer(tx: Any, actor: str, key: str, stored: str) -> None:
        self.meet()
        commands_claim(tx, actor, key)
        real(tx, actor, key, stored)

    def commands_claim(tx: Any, actor: str, key: str) -> None:
        driver_connection(tx).execute("INSERT OR IGNORE INTO interlock_command(actor, key, payload, at, expires_at) "
                                      "VALUES (?, ?, x'', '', '9')", (actor, key))

    patch.setattr(commands, "claim", lambda *_: None)
    patch.setattr(commands, "answer", answer)


@mutant()
def the_version_that_a_person_saw_is_not_compared(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Mover._admissible

    def admissible(mover: Mover, command: Any, asked: Any, chosen: Any, rows: Any, progress: Any) -> Any:
        self.met += any(one.version is not None for one in asked)
        return real(mover, command, [one._replace(version=None) for one in asked], chosen, rows, progress)

    patch.setattr(Mover, "_admissible", admissible)
