"""Apply: reports become moves, in one transaction with their work rows; what cannot be applied is recorded and never lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import CheckConstraint, Column, MetaData, String, Table, Text

from interlock import Again, Axis, Done, Failed, Machine, Move, Outcome, Work, Workflow, entering, operator
from interlock.coordinator import Coordinator
from interlock.coordinator.apply import jitter
from interlock.store.work.attempts import Issue
from tests.contract.worked import counted, moves, said_of, state, work_rows
from tests.contract.working import (
    JOB,
    Boxed,
    admit,
    apply,
    begun,
    broken,
    claim,
    dispatch,
    finish,
    jobs,
    patient,
    still,
)
from tests.kinds import uploads


def test_a_report_moves_its_record_and_ends_its_work_row_with_its_token_in_the_ledger(boxed: Boxed) -> None:
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done(title="t", pages_count=42))
    assert apply(box) == 1
    row = box.get("jobs", "a")
    assert (row["status"], row["title"], row["version"], row["tries"]) == ("done", "t", 2, 1)
    assert work_rows(box) == []
    last = box.ledger.history("jobs", "a")[-1]
    assert (last.old, last.new, last.cause, last.actor, dict(last.facts)) == (
        "running",
        "done",
        "work.completed",
        "coordinator",
        {"title": "t", "pages_count": 42},
    )
    assert apply(box) == 0
    assert counted(box, "done") == 1


def test_the_next_stage_follows_as_a_step_of_its_own(boxed: Boxed) -> None:
    """One statement cannot move a row twice: each stage is two entries, and no version is left out."""
    box = boxed(uploads())
    box.admit("statements", {"id": "u1"})
    box.drain()
    assert [(move.version, move.new) for move in box.ledger.history("statements", "u1")] == [
        (0, "queued_for_parse"),
        (1, "parsing"),
        (2, "parsed"),
        (3, "normalizing"),
        (4, "normalized"),
    ]


def test_an_empty_success_is_counted_on_its_own(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: Done(empty=work.id == "a")))
    admit(box, "a", "b")
    box.drain()
    assert (counted(box, "empty"), counted(box, "done")) == (1, 1)
    assert box.ledger.history("jobs", "a")[-1].facts == {"empty": True}


def test_tries_are_counted_since_the_declared_waiting_state(boxed: Boxed) -> None:
    """A failed state in which it only waits for its next try does not start the count anew."""
    box = boxed(patient(lambda work: broken()))  # two further tries
    admit(box, "a")
    tried = []
    for _ in range(4):
        box.drain()
        tried.append((state(box, "a"), box.get("jobs", "a")["tries"]))
        box.advance("3m")
    assert tried == [("failed", 1), ("failed", 2), ("dead", 3), ("dead", 3)]


def test_somebody_who_stops_an_attempt_does_not_give_it_its_tries_back(boxed: Boxed) -> None:
    box = boxed(patient(terminal=None))
    begun(box, "a")
    box.report("jobs", "a", broken())
    box.advance("67s")
    assert dispatch(box) == 1
    box.move("jobs", "a", actor="ann", status="failed")
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("failed", 1)


def test_tries_survive_the_way_back_from_failed_to_waiting(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: broken(), retry=["1m", "1m"]))
    admit(box, "a")
    tried = []
    for _ in range(4):
        box.drain()
        tried.append((state(box, "a"), box.get("jobs", "a")["tries"]))
        box.advance("2m")
    assert tried == [("failed", 1), ("failed", 2), ("failed", 3), ("failed", 3)]
    assert [new for _, new, _ in moves(box, "a")] == ["waiting", "running", "failed"] * 3
    assert ("failed", "waiting", "retry.due") in moves(box, "a")


@pytest.mark.parametrize("place", ["failed", "running"])
def test_a_failure_that_was_told_when_to_come_back_is_tried_no_sooner(boxed: Boxed, place: str) -> None:
    """Where a stage raises, the table of failures says it; each try counts, and the stage's own delay holds where it is longer."""
    answers: list[Any] = [
        Failed("BUSY", "come back", after="10m"),
        OSError("busy"),
        Failed("BUSY", after="1s"),
        Done(),
    ]

    def work(given: Work) -> Outcome[Any]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    failures: Any = {OSError: Failed("AWAY", after="20m")}
    declared = patient if place == "failed" else jobs
    box = boxed(declared(work, retry=["1m", "1m", "1m"], retry_in=place, failures=failures))
    admit(box, "a")
    tried = []
    for early, rest in (("9m", "61s"), ("19m", "61s"), ("30s", "40s")):
        box.drain()
        tried.append((len(answers), box.get("jobs", "a")["tries"], box.get("jobs", "a")["error_code"]))
        box.advance(early)
        box.drain()
        assert len(answers) == tried[-1][0], "tried too soon"
        box.advance(rest)
    box.drain()
    assert tried == [(3, 1, "BUSY"), (2, 2, "AWAY"), (1, 3, "BUSY")]
    assert state(box, "a") == "done"
    entries = box.ledger.history("jobs", "a")
    assert [one.cause for one in entries].count("work.failed") == 3
    assert box.ledger.verify().ok


def test_a_fresh_start_in_the_declared_state_has_all_its_tries_again(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: broken(), retry=["1m"]))
    admit(box, "a")
    for _ in range(3):
        box.drain()
        box.advance("2m")
    assert box.get("jobs", "a")["tries"] == 2
    box.move("jobs", "a", actor="ann", status="waiting")
    assert box.get("jobs", "a")["tries"] == 0


def test_a_retry_in_place_rewrites_the_work_row_and_holds_no_slot(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: broken(), retry=["1m"], retry_in="running", limit=1))
    (first,) = begun(box, "a")
    position = work_rows(box)[0]["position"]
    finish(box, first, broken())
    apply(box)
    (row,) = work_rows(box)
    assert (row["position"], row["attempt"], row["slot"], row["claimed_by"], row["outcome"]) == (
        position,
        2,
        None,
        None,
        None,
    )
    assert row["token"] != first.token
    assert box.ledger.history("jobs", "a")[-1].origin == "reissue"
    assert claim(box) == []  # not before it is due, nor without its slot
    admit(box, "b")
    assert dispatch(box) == 1  # the slot is free while the other waits


def test_again_costs_no_try_and_ends_at_the_deadline(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: Again("20m"), deadline="1h"))
    admit(box, "a")
    for _ in range(3):
        box.drain()
        assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("running", 0)
        box.advance("20m")
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["error_code"]) == ("failed", "DEADLINE")


def refusing() -> Workflow:
    """Done is refused by a rule, by a gate that never ran, by a CHECK, or by a hook, as the record's host says."""
    table = Table(
        "jobs",
        MetaData(),
        Column("id", String(40), primary_key=True),
        Column("host", Text),
        Column("title", Text, CheckConstraint("title <> 'bad'")),
    )
    workflow = Workflow(
        "jobs",
        noun="job",
        records=table,
        axes=[Axis("status", JOB)],
        rules=[entering(status="done").requires(table.c.host.is_distinct_from("rule"))],
    )

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed", retry=["1m"])
    def work(given: Work) -> Outcome[Any]:
        return Done(title="bad" if given.record["host"] == "check" else "good")

    @workflow.on_move("done")
    def fussy(tx: Any, moved: Sequence[Move]) -> None:
        if any(move.id == "hook" for move in moved):
            raise ValueError("not this one")

    return workflow


@pytest.mark.parametrize("why", ["rule", "check", "hook"])
def test_a_report_whose_move_is_refused_fails_without_its_facts_and_its_neighbours_pass(
    why: str, boxed: Boxed, whole: Any
) -> None:
    box = boxed(refusing())
    admit(box, "a", "z")
    admit(box, why, host=why)
    box.drain()
    row = box.get("jobs", why)
    assert (row["status"], row["error_code"], row["title"], row["failed_from"]) == (
        "failed",
        "refused",
        None,
        "waiting",
    )
    assert row["ready_at"] is None  # refused is not tried again by itself
    assert [verdict for verdict, _ in said_of(box, why)] == ["refused"]
    assert [state(box, id) for id in "az"] == ["done", "done"]
    assert work_rows(box) == []
    whole(box)


def test_a_refusal_is_recorded_also_where_the_report_arrived_twice(boxed: Boxed, whole: Any) -> None:
    box = boxed(refusing())
    (attempt,) = begun(box, "a", host="rule")
    assert (finish(box, attempt, Done(title="good")), finish(box, attempt, Done(title="good"))) == (1, 0)
    apply(box)
    assert (state(box, "a"), box.get("jobs", "a")["title"]) == ("failed", None)
    assert [verdict for verdict, _ in said_of(box, "a")] == ["duplicate", "refused"]
    whole(box)


def test_a_report_that_can_neither_pass_nor_fail_is_said_once_and_nobody_else_waits_for_it(
    boxed: Boxed,
) -> None:
    """A hook that refuses both ends: the report stays, the others go on, and its coordinator does not run hot over it."""
    workflow = jobs()
    open_again: list[bool] = []

    @workflow.on_move("done", "failed")
    def never(tx: Any, moved: Sequence[Move]) -> None:
        if not open_again and any(move.id == "bad" for move in moved):
            raise ValueError("neither way")

    box = boxed(workflow)
    admit(box, "a", "bad", "c")
    dispatch(box)
    for attempt in claim(box):
        finish(box, attempt, Done())
    assert [box.coordinates.step() > 0, box.coordinates.step(), box.coordinates.step()] == [True, 0, 0]
    assert [state(box, id) for id in ("a", "bad", "c")] == ["done", "running", "done"]
    assert len(said_of(box, "bad")) == 1
    open_again.append(True)
    box.coordinates.step()
    assert state(box, "bad") == "done"


def test_a_report_that_finds_its_record_elsewhere_is_stale_and_said_in_the_log(
    boxed: Boxed, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs())
    (attempt,) = begun(box, "UL_1")
    monkeypatch.setattr(
        box.authority.mover.attempts, "end", lambda *_: None
    )  # the mechanism that makes this impossible is away
    box.move("jobs", "UL_1", actor="ann", status="waiting")
    finish(box, attempt, Done(title="late"))
    with caplog.at_level(logging.WARNING, "interlock.coordinator"):
        apply(box)
    assert "Ignoring work.done for UL_1 (status=waiting)" in caplog.messages
    assert [verdict for verdict, _ in said_of(box, "UL_1")] == ["stale"]
    assert box.get("jobs", "UL_1")["title"] is None
    assert work_rows(box) == []


@pytest.mark.postgresql_only  # under the one write lock of SQLite no race is ever lost
def test_a_lost_race_is_read_and_judged_anew(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record changed between reading and moving: nothing is lost, and the next round applies the report to what is there now."""
    monkeypatch.setattr(
        Coordinator, "moves_batches", False
    )  # a batch that is moved as a whole is read and moved by one statement
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done(title="t"))
    read = box.coordinates.stage_mover.read
    stale: list[Any] = []

    def outrun(*given: Any, **options: Any) -> Any:
        rows = read(*given, **options)
        if not stale:
            stale.extend(rows)
            return [row._replace(versions=(row.versions[0] - 1,)) for row in rows]
        return rows

    monkeypatch.setattr(box.coordinates.stage_mover, "read", outrun)
    apply(box)
    assert (state(box, "a"), len(work_rows(box))) == ("running", 1)
    apply(box)
    assert (state(box, "a"), work_rows(box)) == ("done", [])


def test_every_exit_from_running_says_where_to_begin_again(boxed: Boxed) -> None:
    box = boxed(jobs())
    for id in ("failed", "cancelled", "moved", "expired"):
        admit(box, id)
    dispatch(box)
    attempts = {attempt.record_id: attempt for attempt in claim(box)}
    finish(box, attempts["failed"], broken(final=True))
    apply(box)
    box.cancel("jobs", "cancelled", actor="ann", reason="not wanted")
    box.move("jobs", "moved", actor="ann", status="failed")
    for _ in range(4):
        box.advance("31s")
        box.coordinates.sweep()
        claim(box)
    rows = {id: box.get("jobs", id) for id in ("failed", "cancelled", "moved", "expired")}
    assert {id: (row["status"], row["failed_from"]) for id, row in rows.items()} == dict.fromkeys(
        rows, ("failed", "waiting")
    )
    assert box.get("jobs", "cancelled")["error_code"] == "CANCELLED"


@pytest.mark.parametrize("leave", ["move", "erase", "amend"])
def test_of_a_stage_without_a_running_state_every_move_ends_the_attempt(leave: str, boxed: Boxed) -> None:
    box = boxed(still())
    (attempt,) = begun(box, "a")
    if leave == "move":
        box.move("jobs", "a", actor="ann", status="there")
    elif leave == "erase":
        box.erase("jobs", "a", actor="ann", role="admin", reason="asked to")
    else:
        box.amend("jobs", "a", facts={"title": "new"}, actor="ann", reason="it was wrong")
    assert work_rows(box) == []
    assert finish(box, attempt, Done()) == 0
    assert [verdict for verdict, _ in said_of(box, "a")] == ["stale"]


def test_an_amendment_while_it_runs_does_not_cost_the_result(boxed: Boxed) -> None:
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    box.amend("jobs", "a", facts={"host": "h"}, actor="ann", reason="now known")
    assert finish(box, attempt, Done(title="t")) == 1
    apply(box)
    row = box.get("jobs", "a")
    assert (row["status"], row["host"], row["title"], row["version"]) == ("done", "h", "t", 3)


def test_a_stage_may_take_an_operators_move_that_it_declares_as_its_done(boxed: Boxed) -> None:
    machine = Machine(
        "published",
        initial="waiting",
        moves={"waiting": ["running"], "running": [operator("done"), "failed"]},
    )
    box = boxed(jobs(machine=machine))
    admit(box, "a")
    box.drain()
    last = box.ledger.history("jobs", "a")[-1]
    assert (last.new, last.origin, last.role, last.reason) == (
        "done",
        "operator",
        "operator",
        "stage work ended as declared",
    )


def test_reports_of_stages_that_this_version_does_not_know_are_left_for_another_and_hide_nothing(
    boxed: Boxed, hand: Any
) -> None:
    box = boxed(jobs())
    work = box.coordinates.work
    with hand.without_guards_of("interlock_work"), box.database.write() as tx:
        work.issue(
            tx,
            "elsewhere",
            "status",
            "",
            "elsewhere.work",
            [Issue(f"e{number}", 1, f"{number:032x}") for number in range(600)],
        )
        tx.exec_driver_sql("UPDATE interlock_work SET claimed_by = 'r', lease_until = available_at")
        tx.exec_driver_sql("UPDATE interlock_work SET reported_at = available_at, outcome = 'done'")
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done())
    assert apply(box) == 1
    assert state(box, "a") == "done"
    assert apply(box) == 0  # nothing to do here: a loop may rest
    assert len(work_rows(box)) == 600


def test_a_failure_without_a_failed_state_rests_where_it_is_with_its_error(boxed: Boxed) -> None:
    box = boxed(still(lambda work: Failed("LEVEL_UNKNOWN", "no level", final=True)))
    admit(box, "a")
    box.drain()
    box.advance("1h")
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["error_code"], row["ready_at"], row["attempt"]) == (
        "here",
        "LEVEL_UNKNOWN",
        None,
        1,
    )


def test_a_delay_is_the_same_when_a_history_is_played_again() -> None:
    assert jitter("0000" + "a" * 28) == 0.9
    assert jitter("ffff" + "a" * 28) == pytest.approx(1.1)
