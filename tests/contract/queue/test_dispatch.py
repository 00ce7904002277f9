"""Dispatch: the waiting state is the queue; what is taken, in which order, and what is left where it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table, Text, Uuid, cast, func

from interlock import Axis, Done, Machine, Move, Outcome, Work, Workflow
from interlock.coordinator import Coordinator
from interlock.store.queue import runners
from interlock.store.work.attempts import Issue
from interlock.testing import Sandbox
from tests.contract.worked import counted, moves, said_of, state, work_rows
from tests.contract.working import (
    JOB,
    Boxed,
    admit,
    another_runner,
    begun,
    broken,
    claim,
    dispatch,
    finish,
    jobs,
    patient,
    still,
)
from tests.kinds import domains, uploads


def only_dispatch(box: Sandbox) -> int:
    return box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())


def test_what_waits_is_moved_and_has_a_work_row(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    assert dispatch(box) == 2
    assert [state(box, id) for id in "ab"] == ["running", "running"]
    rows = work_rows(box)
    assert [(row["record_id"], row["stage"], row["attempt"], row["claimed_by"]) for row in rows] == [
        ("a", "jobs.work", 1, None),
        ("b", "jobs.work", 1, None),
    ]
    assert all(len(row["token"]) == 32 for row in rows)
    assert len({row["token"] for row in rows}) == 2
    assert moves(box, "a")[-1] == ("waiting", "running", "job.created")
    assert box.get("jobs", "a")["ready_at"] is None


def test_a_second_round_takes_nothing_again(boxed: Boxed) -> None:
    box = boxed(jobs(), still_kind())
    admit(box, "a")
    admit(box, "s", kind="stills")
    assert dispatch(box) == 2
    assert dispatch(box) == 0
    assert len(work_rows(box)) == 2


def still_kind() -> Workflow:
    """A stage without a running state, beside the other kind."""
    table = Table("stills", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow(
        "stills",
        records=table,
        axes=[Axis("place", Machine("stills", initial="here", moves={"here": ["there"]}))],
    )

    @workflow.stage(waiting="here", done="there")
    def look(work: Work) -> Outcome[Any]:
        return Done()

    return workflow


def test_nothing_is_dispatched_to_nobody(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    assert only_dispatch(box) == 0
    assert state(box, "a") == "waiting"
    assert work_rows(box) == []


def test_no_more_is_taken_than_the_runners_of_the_stage_have_room_for(boxed: Boxed) -> None:
    box = boxed(jobs(), uploads())
    admit(box, *"abcdefgh")
    box.admit("statements", {"id": "u1"})
    another_runner(box, capacity=3, stages=["jobs.work"]).renew()
    another_runner(box, capacity=2, stages=["work"]).renew()
    assert only_dispatch(box) == 5
    assert only_dispatch(box) == 0
    assert state(box, "u1", "statements") == "queued_for_parse"  # nobody serves it
    first, *_ = claim(box)
    finish(box, first, Done())
    assert only_dispatch(box) == 1


def test_stages_served_by_the_same_runner_share_its_room_and_later_ones_come_first(boxed: Boxed) -> None:
    box = boxed(uploads())
    for number in range(3):
        box.place("statements", f"p{number}", status="parsed", record={"observations_count": 1})
        box.admit("statements", {"id": f"q{number}"})
    another_runner(box, capacity=4).renew()
    assert only_dispatch(box) == 4
    assert sorted(row["stage"] for row in work_rows(box)) == ["statements.normalize"] * 3 + [
        "statements.parse"
    ]


def test_runners_that_stop_or_were_not_heard_of_get_nothing(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    stopping, silent = another_runner(box), another_runner(box)
    stopping.stopping = True
    stopping.renew()
    silent.renew()
    box.advance("31s")
    stopping.renew()
    assert only_dispatch(box) == 0
    silent.renew()
    assert only_dispatch(box) == 1


def test_the_stages_order_comes_before_age(boxed: Boxed) -> None:
    box = boxed(jobs(order=lambda table: (table.c.rank.desc(), table.c.host)))
    for id, rank, host in (("old", 1, "z"), ("b", 2, "b"), ("a", 2, "a"), ("urgent", 9, "z")):
        admit(box, id, rank=rank, host=host)
        box.advance("1s")
    another_runner(box, capacity=3).renew()
    assert box.waiting("work") == ["urgent", "a", "b", "old"]
    assert only_dispatch(box) == 3
    assert {row["record_id"] for row in work_rows(box)} == {"urgent", "a", "b"}
    assert state(box, "old") == "waiting"


def test_without_an_order_whoever_waits_longest_goes_first(boxed: Boxed) -> None:
    box = boxed(jobs())
    for id in ("c", "b", "a"):
        admit(box, id)
        box.advance("1s")
    assert box.waiting("work") == ["c", "b", "a"]


def test_what_is_not_due_yet_stays(boxed: Boxed) -> None:
    box = boxed(patient())
    (attempt,) = begun(box, "a")
    box.report("jobs", "a", broken())
    assert state(box, "a") == "failed"
    assert dispatch(box) == 0
    box.advance("67s")  # a minute and at most a tenth
    assert dispatch(box) == 1
    assert work_rows(box)[0]["attempt"] == attempt.attempt + 1


def test_a_condition_of_the_stage_is_part_of_the_taking_statement(boxed: Boxed) -> None:
    box = boxed(jobs(only_if=lambda table: table.c.size > 0))
    admit(box, "empty", size=0)
    admit(box, "null")
    admit(box, "full", size=3)
    assert dispatch(box) == 1
    assert [row["record_id"] for row in work_rows(box)] == ["full"]
    assert box.get("jobs", "empty")["ready_at"] is None  # it rests: nobody looks at it every time
    box.amend("jobs", "empty", facts={"size": 1}, actor="ann", reason="found one")
    assert dispatch(box) == 1


def test_what_a_condition_keeps_waiting_is_found_by_the_sweep_when_it_changes_behind_our_back(
    boxed: Boxed, hand: Any
) -> None:
    box = boxed(jobs(only_if=lambda table: table.c.size > 0))
    admit(box, "a", size=0)
    dispatch(box)
    box.coordinates.sweep()
    assert dispatch(box) == 0
    hand.run("UPDATE jobs SET size = 1 WHERE id = 'a'")
    box.coordinates.sweep()
    assert counted(box, "repaired") == 1
    assert dispatch(box) == 1


def test_a_condition_does_not_turn_waiting_for_a_try_into_rest(boxed: Boxed, hand: Any) -> None:
    """In a failed state null means rest: what only a condition keeps from its next try must stay due."""
    box = boxed(patient(only_if=lambda table: table.c.size > 0))
    begun(box, "a", size=1)
    box.report("jobs", "a", broken())
    hand.run("UPDATE jobs SET size = 0 WHERE id = 'a'")
    box.advance("67s")
    assert dispatch(box) == 0
    hand.run("UPDATE jobs SET size = 1 WHERE id = 'a'")
    box.coordinates.sweep()
    assert dispatch(box) == 1


def test_a_rule_on_the_running_state_is_part_of_the_taking_statement(boxed: Boxed) -> None:
    box = boxed(domains())
    for host in ("a", "b"):
        box.admit("domains", {"host": host})
    box.move_many("domains", [1, 2], actor="ann", curation_status="Selected")
    box.move("domains", 1, actor="ann", curation_status="Discarded")
    assert dispatch(box) == 1
    assert [box.get("domains", id)["processing_status"] for id in (1, 2)] == [None, "Processing"]


def test_work_rows_come_first_and_only_what_got_one_is_moved(boxed: Boxed, hand: Any) -> None:
    """Somebody else's work row for the same record wins: the record stays where it is."""
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    box.move("jobs", "a", actor="ann", status="waiting")
    with hand.without_guards_of("interlock_work"), box.database.write() as tx:
        box.coordinates.work.issue(
            tx, "jobs", "status", "", "jobs.work", [Issue(attempt.record_id, 9, "f" * 32)]
        )
    assert dispatch(box) == 0
    assert (state(box, "a"), box.get("jobs", "a")["version"]) == ("waiting", 2)
    assert [row["token"] for row in work_rows(box)] == ["f" * 32]
    with box.database.write() as tx:
        box.coordinates.work.remove_of(tx, "jobs", "status", "", ["a"])


def test_a_record_that_moved_in_between_keeps_no_work_row(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    monkeypatch.setattr(Coordinator, "moves_batches", False)
    monkeypatch.setattr(
        box.coordinates, "move", lambda tx, transit, rows, tokens, now: {}
    )  # both races are lost
    assert dispatch(box) == 0
    assert work_rows(box) == []


def test_without_a_running_state_the_version_steps_all_the_same(boxed: Boxed) -> None:
    box = boxed(still())
    admit(box, "a")
    assert dispatch(box) == 1
    row = box.get("jobs", "a")
    assert (row["status"], row["version"], row["attempt"], row["ready_at"]) == ("here", 1, 1, None)
    assert [(move.old, move.new, move.origin) for move in box.ledger.history("jobs", "a")] == [
        (None, "here", "admit"),
        ("here", "here", "reissue"),
    ]


def two_stages() -> Workflow:
    """Two stages that fail into, and are tried again from, one shared state."""
    machine = Machine(
        "two",
        initial="first",
        moves={
            "first": ["one"],
            "one": ["second", "failed"],
            "second": ["two"],
            "two": ["done", "failed"],
            "failed": ["one", "two"],
        },
    )
    workflow = Workflow(
        "jobs",
        noun="job",
        records=Table("jobs", MetaData(), Column("id", String(40), primary_key=True)),
        axes=[Axis("status", machine)],
    )

    @workflow.stage(waiting=("first", "failed"), running="one", done="second", failed="failed", retry=["1m"])
    def early(work: Work) -> Outcome[Any]:
        return Done()

    @workflow.stage(waiting=("second", "failed"), running="two", done="done", failed="failed", retry=["1m"])
    def late(work: Work) -> Outcome[Any]:
        return Done()

    return workflow


@pytest.mark.parametrize(
    ("way", "again"), [(("one",), "one"), (("one", "second", "two"), "two")], ids=["early", "late"]
)
def test_out_of_a_shared_failed_state_only_the_stage_that_failed_takes_it(
    way: Sequence[str], again: str, boxed: Boxed
) -> None:
    box = boxed(two_stages())
    box.place("jobs", "a", status=way[-1])
    box.report("jobs", "a", broken())
    assert state(box, "a") == "failed"
    box.advance("67s")
    assert dispatch(box) == 1
    assert state(box, "a") == again


def test_a_record_that_cannot_be_moved_does_not_stop_the_others(boxed: Boxed) -> None:
    workflow = jobs()

    @workflow.on_move("running")
    def fussy(tx: Any, moved: Sequence[Move]) -> None:
        if any(move.id == "bad" for move in moved):
            raise ValueError("not this one")

    box = boxed(workflow)
    admit(box, "a", "bad", "c")
    box.drain()
    assert {id: state(box, id) for id in ("a", "bad", "c")} == {"a": "done", "bad": "waiting", "c": "done"}
    assert work_rows(box) == []


def test_a_record_that_never_may_begin_does_not_stand_before_the_others(boxed: Boxed) -> None:
    """One place, and the first in line is refused by a hook: the next one gets it, and why the first did not is said once."""
    workflow = jobs()

    @workflow.on_move("running")
    def refuse_a(tx: Any, moves: Sequence[Move]) -> None:
        if any(move.id == "a" for move in moves):
            raise ValueError("never")

    box = boxed(workflow)
    admit(box, "a", "b")
    another_runner(box, capacity=1).renew()
    rounds = box.coordinates.dispatcher
    for _ in range(2):
        box.coordinates._guarded(lambda: rounds.step(box.coordinates.stage_queues.values()))
    assert (state(box, "a"), state(box, "b")) == ("waiting", "running")
    assert said_of(box, "a") == [("refused", "ILK-214")]
    box.advance("6s")  # then it is tried again, and refused for the same reason
    box.coordinates._guarded(lambda: rounds.step(box.coordinates.stage_queues.values()))
    assert (state(box, "a"), len(said_of(box, "a"))) == ("waiting", 1)
    assert [row["record_id"] for row in work_rows(box)] == ["b"]


def test_a_condition_that_the_database_cannot_ask_of_some_row_stops_its_own_stage_alone(
    boxed: Boxed, hand: Any
) -> None:
    def is_one(table: Table) -> Any:
        title = table.c.title
        return func.json_extract(title, "$") == 1 if hand.is_sqlite else cast(title, Integer) == 1

    box = boxed(jobs(only_if=is_one), jobs(name="others"))
    box.admit_many("jobs", [{"id": "a", "title": "1"}, {"id": "bad", "title": "{"}])
    admit(box, "o", kind="others")
    box.drain()
    (lost,) = begun_elsewhere(box)
    box.advance("31s")
    box.drain()
    assert [state(box, id, "others") for id in ("o", lost)] == ["done", "done"]
    assert [state(box, id) for id in ("a", "bad")] == ["waiting", "waiting"]
    hand.run("UPDATE jobs SET title = '0' WHERE id = 'bad'")
    box.drain()
    assert [state(box, id) for id in ("a", "bad")] == ["done", "waiting"]


def begun_elsewhere(box: Sandbox) -> list[str]:
    """A record of the other kind whose runner is not heard of any more."""
    admit(box, "lost", kind="others")
    box.coordinates.step()
    return [one.record_id for one in claim(box, runner="gone", stages=("others.work",))]


def test_many_are_taken_in_bounded_rounds(boxed: Boxed) -> None:
    box = boxed(jobs())
    most = box.database.batch
    admit(box, *(f"j{number}" for number in range(most + 120)))
    assert [dispatch(box), dispatch(box), dispatch(box)] == [most, 120, 0]


def test_the_whole_walk_leaves_no_work_rows(boxed: Boxed, whole: Any) -> None:
    box = boxed(uploads(), patient(), domains())
    box.admit_many("statements", [{"id": f"u{number}"} for number in range(30)])
    admit(box, "p")
    box.admit("domains", {"host": "h"})
    box.move("domains", 1, actor="ann", curation_status="Selected")
    box.drain()
    assert work_rows(box) == []
    assert {box.get("statements", f"u{number}")["status"] for number in range(30)} == {"normalized"}
    assert box.get("domains", 1)["processing_status"] == "Complete"
    whole(box)


def test_registered_runners_say_what_they_serve(boxed: Boxed) -> None:
    box = boxed(jobs())
    mine = another_runner(box, name="hostname", capacity=7)
    mine.renew()
    twin = another_runner(box, name="hostname", capacity=7)
    twin.renew()
    told = box.runners()
    assert [(one.name, one.stages, one.capacity) for one in told] == [("hostname", ("jobs.work",), 7)] * 2
    assert len({one.id for one in told}) == 2  # identity is the process's own, never a host's name
    box.advance("2h")
    with box.database.write() as tx:
        assert runners.forget_dead(box.coordinates.work, tx, timedelta(hours=1)) == 2


@pytest.mark.parametrize("kind", [Uuid(), BigInteger()], ids=["uuid", "bigint"])
def test_ids_of_any_type_are_dispatched_run_and_swept(kind: Any, boxed: Boxed) -> None:
    table = Table("jobs", MetaData(), Column("id", kind, primary_key=True), Column("host", Text))
    workflow = Workflow("jobs", records=table, axes=[Axis("status", JOB)])
    workflow.stage(
        waiting="waiting", running="running", done="done", failed="failed", per_key=(table.c.host, 1)
    )(work_on)
    box = boxed(workflow)
    ids = [answer.id for answer in box.admit_many("jobs", [{"host": "h"}, {"host": "h"}])]
    box.drain()
    assert [box.get("jobs", id)["status"] for id in ids] == ["done", "done"]


def work_on(work: Work) -> Outcome[Any]:
    return Done()
