"""Batches that are moved as a whole leave behind what judging leaves behind, and leave to that what has to be judged."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import BigInteger, Column, MetaData, String, Table, Uuid, text

from interlock import Axis, Done, Failed, Outcome, Work, Workflow
from interlock.authority.stage_batches import StageMoves
from interlock.coordinator import Coordinator
from interlock.errors import BadDeclaration
from interlock.testing import Sandbox
from tests.contract.worked import counted, moves, state, work_rows
from tests.contract.working import JOB, Boxed, admit, apply, begun, claim, dispatch, finish, jobs, still

ODD = [
    "plain",
    "it's",
    'quo"ted',
    "back\\slash",
    "per%cent",
    "ünï\u2028x",
    "\U0001f600",
    "tab\there",
    "null",
    "{a,b}",
    "$1",
    "\x7f",
]


def through(box: Sandbox, *ids: str) -> None:
    for attempt in begun(box, *ids):
        assert finish(box, attempt, Done()) == 1
    apply(box)


def left_behind(box: Sandbox, kind: str) -> list[Any]:
    """Everything of this kind's records but what is random: entries, engine columns, work rows, what was counted."""
    names = ("a", "b", "c")
    rows = [{name: value for name, value in box.get(kind, id).items() if name != "head"} for id in names]
    entries = [
        [
            (one.version, one.old, one.new, one.cause, one.actor, one.origin, one.at)
            for one in box.ledger.history(kind, id)
        ]
        for id in names
    ]
    return [
        rows,
        entries,
        work_rows(box),
        counted(box, "done", kind),
        [value for key, value in box.counts().items() if key[0] == kind],
    ]


def set_unguarded(box: Sandbox, id: str, status: str) -> None:
    """As the owner could: no way of ours leads there."""
    with box.database.engine.begin() as tx:
        guards = []
        if box.database.name == "sqlite":
            guards = tx.execute(
                text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'jobs'")
            ).all()
            for name, _ in guards:
                tx.exec_driver_sql(f"DROP TRIGGER {name}")
        else:
            tx.execute(text("SET LOCAL session_replication_role = replica"))
        tx.execute(text("UPDATE jobs SET status = :status WHERE id = :id"), {"status": status, "id": id})
        for _, made in guards:
            tx.exec_driver_sql(made)


def test_a_batch_moved_as_a_whole_and_a_judged_one_leave_the_same_behind(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs(name="judged"), jobs(name="whole"))
    for kind in ("judged", "whole"):
        monkeypatch.setattr(Coordinator, "moves_batches", kind == "whole")
        admit(box, "a", "b", "c", kind=kind)
        box.drain()
    assert left_behind(box, "judged") == left_behind(box, "whole")
    assert counted(box, "done", "whole") == 3


@pytest.mark.parametrize(
    ("column", "ids"),
    [(BigInteger(), [1, 2, 2**62]), (Uuid(), [UUID(int=1), UUID(int=2**127)]), (String(40), ODD)],
    ids=["number", "uuid", "text"],
)
def test_hashes_that_the_database_makes_are_those_that_we_would_make(
    column: Any, ids: list[Any], boxed: Boxed
) -> None:
    table = Table("jobs", MetaData(), Column("id", column, primary_key=True))
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[Any]:
        return Done()

    box = boxed(workflow)
    box.admit_many("jobs", [{"id": id} for id in ids])
    box.drain()
    assert {state(box, id) for id in ids} == {"done"}
    assert box.ledger.verify("jobs").ok
    with box.database.read() as tx:
        said = tx.execute(
            text("SELECT version, count(token) FROM interlock_ledger GROUP BY version ORDER BY version")
        ).all()
    assert [tuple(row) for row in said] == [(0, 0), (1, 0), (2, len(ids))]


def test_batches_are_moved_as_a_whole_where_they_can_be(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[tuple[str, int]] = []
    begin, finish_ = StageMoves.begin, StageMoves.finish

    def begin_noted(self: Any, *asked: Any) -> Any:
        results = begin(self, *asked)
        moved.append(("begin", sum(result.moved for _, result in results or ())))
        return results

    def finish_noted(self: Any, *asked: Any) -> Any:
        result = finish_(self, *asked)
        moved.append(("finish", 0 if result is None else result.moved))
        return result

    monkeypatch.setattr(StageMoves, "begin", begin_noted)
    monkeypatch.setattr(StageMoves, "finish", finish_noted)
    through(boxed(jobs()), "a", "b")
    assert moved == [("begin", 2), ("finish", 2)]


def test_first_moves_and_later_ones_name_their_own_causes(boxed: Boxed) -> None:
    box = boxed(jobs(retry=["1m"]))
    (attempt,) = begun(box, "old")
    finish(box, attempt, Failed("BROKEN"))
    apply(box)
    box.time.advance(box.coordinates.sweep_every * 120)
    box.coordinates.sweep()
    admit(box, "new")
    assert dispatch(box) == 2
    assert moves(box, "old")[-1] == ("waiting", "running", "coordinator")
    assert moves(box, "new")[-1] == ("waiting", "running", "job.created")


def test_work_is_handed_out_in_the_order_of_the_queue(boxed: Boxed) -> None:
    box = boxed(jobs(order=lambda table: table.c.rank))
    for rank, id in enumerate("dbca"):
        admit(box, id, rank=rank)
    dispatch(box)
    assert [one["record_id"] for one in work_rows(box)] == list("dbca")


def test_what_has_more_to_say_is_judged_beside_what_has_not(boxed: Boxed) -> None:
    box = boxed(jobs())
    outcomes = {
        "a": Done(),
        "b": Done(title="found"),
        "c": Failed("BROKEN", final=True),
        "d": Done(empty=True),
        "e": Done(),
    }
    for attempt in begun(box, *outcomes):
        finish(box, attempt, outcomes[attempt.record_id])
    assert apply(box) == 5
    assert [state(box, id) for id in outcomes] == ["done", "done", "failed", "done", "done"]
    assert (box.get("jobs", "b")["title"], counted(box, "done"), counted(box, "empty")) == ("found", 3, 1)
    assert work_rows(box) == []


def test_a_report_of_a_record_that_stands_elsewhere_is_left_to_be_judged(boxed: Boxed) -> None:
    box = boxed(jobs())
    for attempt in begun(box, "a", "b"):
        finish(box, attempt, Done())
    set_unguarded(box, "a", "waiting")
    assert apply(box) == 2
    set_unguarded(box, "a", "running")
    assert (state(box, "b"), work_rows(box)) == ("done", [])
    assert box.coordinates.sweep() == 1  # it runs without a work row: begun anew
    claim(box)


def test_a_record_whose_work_row_is_still_there_is_not_begun_twice(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    with hand.without_guards_of("interlock_work"), box.database.write() as tx:
        tx.execute(
            text(
                "INSERT INTO interlock_work(kind, record_id, axis, stage, attempt, token, available_at) "
                "VALUES ('jobs', 'a', 'status', 'jobs.work', 7, 'left', '2026-01-01T00:00:00.000000Z')"
            )
        )
    assert dispatch(box) == 1
    assert (state(box, "a"), state(box, "b")) == ("waiting", "running")
    with box.database.write() as tx:
        tx.execute(text("DELETE FROM interlock_work WHERE token = 'left'"))


@pytest.mark.parametrize(
    "workflow",
    [lambda: jobs(limit=2), lambda: jobs(per_key=lambda table: (table.c.host, 1)), still],
    ids=["limit", "limit per key", "no running state"],
)
def test_what_needs_a_look_at_each_record_is_not_begun_as_a_whole(workflow: Any, boxed: Boxed) -> None:
    box = boxed(workflow())
    post = box.coordinates.stage_queues["jobs.work"]
    with box.database.write() as tx:
        assert (
            box.coordinates.stage_moves.begin(
                tx, post.name, post.workflow, post.stage, post.queue, "", 10, box.clock.now()
            )
            is None
        )


def test_a_hook_that_is_declared_late_is_refused_and_records_move_as_before(boxed: Boxed) -> None:
    workflow = jobs()
    box = boxed(workflow)
    through(box, "a")
    called: list[Any] = []
    with pytest.raises(BadDeclaration, match="is frozen"):
        workflow.on_move()(lambda tx, moved: called.extend(moved))
    through(box, "b")
    assert (called, box.get("jobs", "b")["status"]) == ([], "done")
    assert [move.new for move in box.ledger.history("jobs", "b")] == ["waiting", "running", "done"]


def test_moves_are_told_in_the_log(boxed: Boxed, caplog: pytest.LogCaptureFixture) -> None:
    box = boxed(jobs())
    with caplog.at_level(logging.INFO, "interlock.coordinator"):
        through(box, "a")
    assert [record.getMessage() for record in caplog.records if record.name == "interlock.coordinator"] == [
        "Job a: waiting → running (triggered by job.created)",
        "Job a: running → done (triggered by work.completed)",
    ]
