"""How an attempt ends, with one mechanism removed or misplaced at a time: the fence, applying, and every other ending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from interlock.authority.attempts import Attempts
from interlock.authority.move_run import MoveRun
from interlock.coordinator import Coordinator
from interlock.coordinator import decide as deciding
from interlock.coordinator.apply import Applier, Fate
from interlock.coordinator.report import parse_report
from interlock.runner.finish import Finisher
from interlock.runner.runner import Runner
from interlock.store.connect import driver_connection
from interlock.store.sqlite.work import SqliteWork
from interlock.store.work.attempts import Reported
from interlock.store.work.rows import WorkRows
from tests.simulation.mutating import Mutant, collected_in, said_otherwise, silenced

MUTANTS: list[Mutant] = []
mutant = collected_in(MUTANTS)


def reporting(
    self: Mutant,
    patch: pytest.MonkeyPatch,
    where: str,
    accepted: Callable[[Any, Sequence[Reported]], set[str]],
) -> None:
    """A fence with another condition."""

    def report(_: SqliteWork, rows: WorkRows, tx: Any, reports: Sequence[Reported]) -> set[str]:
        self.meet()
        found = accepted(tx, reports)
        now = rows.timing.values()["now"]
        for one in reports:
            driver_connection(tx).execute(
                "UPDATE interlock_work SET reported_at = :now, outcome = :outcome, report = :report, "
                "shape = :shape, facts = :facts, gates = :gates "
                f"WHERE {where}",
                {"now": now, **one._asdict()},
            )
        return found

    patch.setattr(SqliteWork, "report", report)


def there(tx: Any, reports: Sequence[Reported]) -> set[str]:
    found = {
        row[0] for row in driver_connection(tx).execute("SELECT position FROM interlock_work").fetchall()
    }
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

    def report(runner: Runner, group: Any, *, isolate: bool) -> None:
        with runner.database.write() as tx:
            for result in group:
                if result.stage.saver is not None and result.value is not None and not isolate:
                    self.meet()
                    result.stage.saver(tx, result.work, result.value)
        real(runner, group, isolate=isolate)

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
    def step(applier: Applier, known: Any = None) -> int:
        on = applier.on
        with on.database.write() as tx:
            reported = on.work.reported(tx, on.stage_queues, 500)
            self.met += bool(reported)  # the guard of removed work rows refuses it before anything is lost
            on.work.remove(tx, [one.position for one in reported])
        if not reported:
            return 0
        with on.database.write() as tx:
            return applier.end(tx, [(one, parse_report(one)) for one in reported], reported=True)

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
    def refused(
        applier: Applier, tx: Any, post: Any, scope: Any, case: Any, answer: Any, *args: Any, **kwargs: Any
    ) -> int:
        self.meet()
        kept = deciding.Report("refused", "refused", facts=_without(case.report.facts, "host"))
        decision = replace(
            deciding.decide(post.stage, post.machine, case.seen.states[0], 0, kept), facts=dict(kept.facts)
        )
        return applier._carry(tx, post, scope, [Fate(replace(case, report=kept), decision)], *args, **kwargs)

    patch.setattr(Applier, "_refused", refused)


def _without(facts: Any, name: str) -> dict[str, Any]:
    """The facts but for the one that the database refuses."""
    return {key: value for key, value in facts.items() if key != name}


@mutant("domains")
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
    said_otherwise(self, patch, "reported_at IS NULL AND (claimed_at <", "(claimed_at <")


@mutant()
def work_that_nobody_took_expires(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    said_otherwise(self, patch, "lease_until < NOW", "coalesce(lease_until, available_at) < NOW")


@mutant()
def a_persons_move_leaves_the_work_row(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Attempts, "end", None)


@mutant()
def a_persons_move_ignores_what_was_reported(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    def unreported(run: MoveRun, judgement: Any, numbers: Any, reported: Any) -> Any:
        self.meet()
        return numbers

    patch.setattr(MoveRun, "select_unreported", unreported)


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
    rewriting(self, patch, "token")


@mutant()
def the_next_attempt_keeps_its_number(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    rewriting(self, patch, "attempt")


def rewriting(self: Mutant, patch: pytest.MonkeyPatch, kept: str) -> None:
    """The next attempt has something of the last one."""
    real = WorkRows.rewrite

    def rewrite(
        rows: WorkRows, tx: Any, positions: Sequence[int], issues: Sequence[Any], afters: Sequence[timedelta]
    ) -> None:
        self.met += bool(positions)
        last = [
            rows.run(
                tx, f"SELECT {kept} FROM interlock_work WHERE position = %(position)s", {"position": position}
            ).fetchone()[0]
            for position in positions
        ]
        real(
            rows,
            tx,
            positions,
            [one._replace(**{kept: value}) for one, value in zip(issues, last, strict=True)],
            afters,
        )

    patch.setattr(WorkRows, "rewrite", rewrite)


@mutant()
def a_retry_deletes_the_work_row_and_leaves_the_rest_to_the_sweep(
    self: Mutant, patch: pytest.MonkeyPatch
) -> None:
    def rewrite(
        rows: WorkRows, tx: Any, positions: Sequence[int], issues: Sequence[Any], afters: Sequence[timedelta]
    ) -> None:
        self.met += bool(positions)
        rows.remove(tx, list(positions))

    patch.setattr(WorkRows, "rewrite", rewrite)
