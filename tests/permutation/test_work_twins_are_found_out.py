"""Each lock and each order that keeps work single, taken away: the same interleavings must then find something wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import text

from interlock import Answer, Done
from interlock.authority.attempts import Attempts
from interlock.coordinator import Coordinator
from interlock.coordinator.dispatch import Dispatcher
from interlock.store.postgresql.engine import PostgresqlEngine
from interlock.store.work.rows import WorkRows
from tests.permutation.conftest import OpenSteppable
from tests.permutation.ground import OVER, Ground, play, saving_jobs
from tests.permutation.interleavings import Playing, every_interleaving
from tests.permutation.ledger_order import entered_only_while, entries
from tests.permutation.scheduler import Act, Scheduler
from tests.permutation.themed_work import Themed, themed


@pytest.fixture
def ground(open_steppable: OpenSteppable, monkeypatch: pytest.MonkeyPatch) -> Ground:
    monkeypatch.setattr(
        Coordinator, "moves_batches", False
    )  # what is undone here is part of judging row by row
    return Ground(open_steppable(saving_jobs()))


@pytest.fixture
def whole_ground(open_steppable: OpenSteppable) -> Ground:
    return Ground(open_steppable(saving_jobs()), Done("result"))


def found_out(
    ground: Ground,
    scheduler: Scheduler,
    stage: Callable[[], Mapping[str, Act]],
    look: Callable[[Playing], list[str]],
) -> bool:
    return bool(play(ground, scheduler, stage, look)[1])


def nothing(playing: Playing) -> list[str]:
    return []


def test_a_claim_without_locks_gives_the_same_work_twice(
    ground: Ground, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkRows, "locked", lambda self, *, skip: "")
    ground.drop_work_guards()

    def stage() -> Mapping[str, Act]:
        ground.dispatched()
        return {"one": lambda: ground.claim("r1"), "two": lambda: ground.claim("r2")}

    def look(playing: Playing) -> list[str]:
        both = len(playing.answer("one")) + len(playing.answer("two"))  # type: ignore[arg-type]
        return [] if both == 1 else [f"{both} claims"]

    assert found_out(ground, scheduler, stage, look)


def test_an_expiry_that_locks_nothing_loses_an_accepted_report(
    ground: Ground, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = ground.coordinator()
    monkeypatch.setattr(WorkRows, "locked", lambda self, *, skip: "")

    def stage() -> Mapping[str, Act]:
        attempt = ground.running(OVER)
        return {"finish": lambda: ground.finish(attempt), "expire": by.sweeper.expire}

    assert found_out(ground, scheduler, stage, lambda playing: ground.accepted())


def test_a_cancel_that_does_not_hold_the_work_row_loses_an_accepted_report(
    ground: Ground, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlocked(self: Attempts, tx: Any, command: Any, names: Any, keys: Any) -> Any:
        found = self.rows.of(tx, command.kind, names, [str(key) for key in keys], lock=False)
        return {(one.record_id, one.axis, one.scope): one for one in found}

    monkeypatch.setattr(Attempts, "lock", unlocked)

    def stage() -> Mapping[str, Act]:
        attempt = ground.running()
        return {"finish": lambda: ground.finish(attempt), "cancel": ground.cancel}

    assert found_out(ground, scheduler, stage, lambda playing: ground.accepted())


def test_a_report_that_is_not_held_against_its_token_lands_twice(
    ground: Ground, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fence without its condition: whoever comes last writes over what was said, and saves too."""

    def unfenced(self: WorkRows, tx: Any, reports: Any) -> set[str]:
        for one in reports:
            self.run(
                tx,
                "UPDATE interlock_work SET reported_at = NOW, outcome = %(outcome)s, report = %(report)s, "
                "shape = %(shape)s, facts = %(facts)s, gates = %(gates)s WHERE position = %(position)s",
                one._asdict(),
            )
        return {one.token for one in reports}

    monkeypatch.setattr(WorkRows, "report", unfenced)
    ground.drop_work_guards()
    by = ground.coordinator()

    def stage() -> Mapping[str, Act]:
        attempt = ground.running(OVER)
        return {"finish": lambda: ground.finish(attempt), "expire": by.sweeper.expire}

    assert found_out(ground, scheduler, stage, lambda playing: ground.accepted())


def test_a_dispatch_that_moves_what_got_no_work_row_makes_two_of_one(
    ground: Ground, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the record's lock nor the insert is asked who came first."""
    begin = Dispatcher.begin

    def careless(self: Any, tx: Any, stage_queue: Any, scope: Any, chosen: Any, now: Any) -> set[str]:
        moved = begin(self, tx, stage_queue, scope, chosen, now)
        return moved | {str(one.seen.key) for one in chosen}

    first, second = ground.coordinator(), ground.coordinator()
    for one in (first, second):
        queue = one.stage_queues["jobs.work"].queue
        monkeypatch.setattr(
            queue, "_due_sql", lambda *given, made=queue._due_sql: made(*given).partition(" FOR NO KEY")[0]
        )
    monkeypatch.setattr(Dispatcher, "begin", careless)
    monkeypatch.setattr(
        WorkRows,
        "issue",
        lambda self, tx, kind, axis, scope, stage, issues: {one.record_id for one in issues},
    )

    def stage() -> Mapping[str, Act]:
        ground.waiting()
        return {"one": lambda: ground.dispatch(first), "two": lambda: ground.dispatch(second)}

    assert found_out(ground, scheduler, stage, nothing)


def test_a_dispatch_of_whole_batches_that_neither_locks_nor_minds_a_work_row_makes_two_of_one(
    whole_ground: Ground, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record may have moved by the time it is moved: without its lock the move must ask where it stands. The guard would refuse its
    hash, which follows from what is no longer the last entry."""
    whole_ground.drop_hash_guard()
    first, second = whole_ground.coordinator(), whole_ground.coordinator()
    for one in (first, second):
        stage_queue = one.stage_queues["jobs.work"]
        with whole_ground.app.database.write() as tx:
            one.stage_moves.begin(
                tx,
                stage_queue.name,
                stage_queue.workflow,
                stage_queue.stage,
                stage_queue.queue,
                "",
                1,
                whole_ground.app.clock.now(),
            )
        ((batch, _),) = one.stage_moves._begins[stage_queue.name] or []
        made: Any = batch
        unlocked = re.sub(r" FOR NO KEY UPDATE OF \w+ SKIP LOCKED", "", made.sql)
        careless = unlocked.replace("AND (jobs.status IN ('waiting'))", "").replace(
            "ORDER BY c.n)", "ORDER BY c.n ON CONFLICT DO NOTHING)"
        )
        assert len({made.sql, unlocked, careless}) == 3
        monkeypatch.setattr(made, "sql", careless)

    def stage() -> Mapping[str, Act]:
        whole_ground.waiting()
        return {"one": lambda: whole_ground.dispatch(first), "two": lambda: whole_ground.dispatch(second)}

    assert found_out(whole_ground, scheduler, stage, nothing)


def test_asking_for_no_work_row_under_a_lock_can_be_answered_with_a_record_that_has_one(
    ground: Ground, scheduler: Scheduler
) -> None:
    """Why the sweep reads plainly and moves by the version it read: the lock waits, and the question was answered before."""
    by = ground.coordinator()

    def ask() -> list[Any]:
        with ground.app.database.write() as tx:
            asked = text(
                "SELECT id FROM jobs WHERE id = :id AND status IN ('waiting', 'running') AND NOT EXISTS "
                "(SELECT 1 FROM interlock_work w WHERE w.record_id = jobs.id) FOR UPDATE"
            )
            found = [row.id for row in tx.execute(asked, {"id": ground.id})]
            there = tx.execute(
                text("SELECT 1 FROM interlock_work WHERE record_id = :id"), {"id": ground.id}
            ).first()
            return found if there else []

    def stage() -> Mapping[str, Act]:
        ground.waiting()
        return {"dispatch": lambda: ground.dispatch(by), "ask": ask}

    wrong = [playing for playing in every_interleaving(scheduler, stage) if playing.answer("ask")]
    assert wrong


def only_while_curated(ground: Themed, scheduler: Scheduler) -> tuple[int, list[str]]:
    """Dispatch meets a curator who discards the record and takes his time; how many orders, and which broke the rule."""
    by = ground.app.coordinator()
    broken: list[str] = []
    number = 0

    def stage() -> Mapping[str, Act]:
        ground.ready()
        return {"dispatch": lambda: ground.dispatch(by), "discard": ground.discard}

    for playing in every_interleaving(scheduler, stage):
        number += 1
        told = entries(scheduler.observer, ground.workflow, ground.id)
        if not entered_only_while(told, ("status", "in_progress"), "curation_status", {"New", "Selected"}):
            broken.append(str(playing))
            break
        answer = playing.answer("discard")
        assert isinstance(answer, Answer), playing
        assert answer.outcome == "moved", playing
        assert not isinstance(playing.answer("dispatch"), BaseException), playing
    return number, broken


def test_dispatch_keeps_a_rule_that_asks_about_another_table(
    open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    ground = Themed(open_steppable(themed()))
    number, broken = only_while_curated(ground, scheduler)
    assert broken == []
    assert number >= 10
    left = [
        one for one in ground.app.check().findings if one.invariant != "I5"
    ]  # the ground takes work rows away
    assert left == []


def test_dispatch_that_reads_a_rule_without_its_lock_is_found_out(
    open_steppable: OpenSteppable, scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = PostgresqlEngine.read
    monkeypatch.setattr(
        PostgresqlEngine,
        "read",
        lambda self, tx, reading, keys, scope, lock, said: read(
            self, tx, reading, keys, scope, "" if lock == "share" else lock, said
        ),
    )
    monkeypatch.setattr(
        "interlock.store.queue.waiting.Queue._lock_asked_rows", lambda self, tx, scope, other, found: found
    )
    assert only_while_curated(Themed(open_steppable(themed())), scheduler)[1]
