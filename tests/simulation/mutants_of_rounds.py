"""What the actors do in their rounds, and people between, with one mechanism removed or misplaced: sweep, dispatch, counts, commands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from interlock.authority.move_run import MoveRun
from interlock.coordinator.dispatch import Dispatcher
from interlock.coordinator.intake import Admitter
from interlock.coordinator.standing_rules import StandingRules
from interlock.coordinator.sweep import Sweeper
from interlock.store.connect import driver_connection
from interlock.store.queue.lost_work import LostWork
from interlock.store.queue.waiting import Queue
from interlock.store.records import idempotency as commands
from interlock.store.work.rows import WorkRows
from interlock.workflow.columns import effects
from tests.simulation.mutating import Mutant, collected_in, ordered_otherwise, silenced

MUTANTS: list[Mutant] = []
mutant = collected_in(MUTANTS)


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
    real = LostWork.unseen

    def unseen(lost: LostWork, *args: Any) -> Any:
        waiting, end = real(lost, *args)
        self.met += bool(waiting)
        return [], end

    patch.setattr(LostWork, "unseen", unseen)


@mutant("domains")
def failed_records_are_not_brought_back(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "requeue", 0)


@mutant("domains")
def standing_rules_are_not_looked_after(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, StandingRules, "step", 0)


@mutant("domains")
def records_that_were_found_are_not_admitted(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Admitter, "step", 0)


@mutant()
def attempts_without_a_slot_never_get_one_again(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Sweeper, "reslot", 0)


@mutant()
def lost_work_is_issued_under_the_old_number(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(
        self,
        patch,
        lambda transit: transit.cause == "work.lost",
        lambda transit: replace(transit, counted=()),
    )


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
def a_stage_without_a_running_state_does_not_step_the_version(
    self: Mutant, patch: pytest.MonkeyPatch
) -> None:
    def begin(dispatcher: Dispatcher, tx: Any, post: Any, scope: str, chosen: Any, now: Any) -> set[str]:
        self.meet()
        return {str(one.seen.key) for one in chosen}

    patch.setattr(Dispatcher, "begin", begin)


@mutant("relay")
def any_stage_goes_on_from_a_shared_failed_state(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = Queue.branches

    def branches(queue: Queue) -> list[str]:
        self.meet()
        return [
            *real(queue),
            queue.is_one_of(queue.place.qualified(queue.place.status_sql), [queue.stage.failed]),
        ]

    patch.setattr(Queue, "branches", branches)


@mutant("themes")
def rules_are_not_asked_when_work_begins(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, Queue, "_rules", list)


@mutant(spoil=lambda world: world.ground.plainly("DROP INDEX interlock_work_slot"))
def slots_are_not_unique(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    silenced(self, patch, WorkRows, "slots_in_use", lambda: (set(), set()))


# Counting


@mutant()
def a_try_is_counted_when_work_begins(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(
        self,
        patch,
        lambda transit: transit.cause == "coordinator" or transit.cause.endswith(".created"),
        lambda transit: replace(transit, counted=(*transit.counted, "tries")),
    )


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
    ordered_otherwise(
        self,
        patch,
        lambda transit: transit.cause == "retry.due",
        lambda transit: replace(transit, columns={}),
    )


@mutant("content")
def asking_for_more_time_costs_a_try(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    ordered_otherwise(
        self,
        patch,
        lambda transit: transit.cause.endswith(".again"),
        lambda transit: replace(transit, counted=(*transit.counted, "tries")),
    )


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
    def answer(database: Any, tx: Any, actor: str, key: str, payload: bytes, now: Any, stored: str) -> None:
        self.meet()
        driver_connection(tx).execute(
            "INSERT OR IGNORE INTO interlock_command(actor, key, payload, answer, at, expires_at) "
            "VALUES (?, ?, x'', ?, '', '9')",
            (actor, key, stored),
        )

    patch.setattr(commands, "claim", lambda *_: None)
    patch.setattr(commands, "answer", answer)


@mutant()
def the_version_that_a_person_saw_is_not_compared(self: Mutant, patch: pytest.MonkeyPatch) -> None:
    real = MoveRun.select_known

    def select_known(run: MoveRun, chosen: Any) -> Any:
        self.met += any(one.version is not None for one in run.asked)
        run.asked = [one._replace(version=None) for one in run.asked]
        return real(run, chosen)

    patch.setattr(MoveRun, "select_known", select_known)
