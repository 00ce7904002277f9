"""An operation moves what was frozen and nothing else, in chunks, under one reason; it pauses, goes on, and is never run by two at once."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from interlock import App, Machine, Move
from interlock.clock import FrozenClock
from interlock.errors import (
    BadInput,
    ConcurrentModificationError,
    InvalidStateTransition,
    KeyReused,
    UnknownRecord,
)
from interlock.operations.describe import describe_operation
from tests.kinds import open_app, plain

LIGHT = Machine("light", initial="red", moves={"red": ["green", "off"], "green": ["red"], "off": []})
RECORDS = [f"r{number:02}" for number in range(20)]


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(plain(LIGHT))
    made.admit_many("things", [{"id": id} for id in RECORDS])
    return made


def planned(app: App, **said: Any) -> str:
    return app.operations.create(
        "things",
        **{"to": "green", "where": {"status": "red"}, "actor": "ann", "reason": "it is time", **said},
    ).id


def outcomes(app: App, id: str) -> dict[str, int]:
    return {
        name: number
        for name, number in describe_operation(app.operations.get(id))["outcomes"].items()
        if number
    }


def test_every_entry_has_the_operation_as_its_cause_and_one_reason_for_all(app: App, whole: Any) -> None:
    done = app.operations.run(planned(app, role="operator"), chunk=6)
    assert (done.status, done.records, done.reached, done.idle) == ("finished", 20, 20, True)
    for id in RECORDS:
        last = app.ledger.history("things", id)[-1]
        assert (last.new, last.actor, last.role, last.reason) == ("green", "ann", "operator", "it is time")
        assert last.cause == f"operation.{done.id}"
    with app.database.read() as tx:
        assert (
            tx.execute(text("SELECT count(*) FROM interlock_detail WHERE reason = 'it is time'")).scalar_one()
            == 1
        )
    whole(app)


def test_what_matches_later_is_not_in_the_scope(app: App) -> None:
    id = planned(app)
    app.admit("things", {"id": "late"})
    assert app.operations.run(id).records == 20
    assert app.get("things", "late")["status"] == "red"


def test_a_record_that_was_moved_since_is_a_conflict_and_is_left_alone(app: App) -> None:
    id = planned(app)
    app.move("things", "r03", actor="eve", status="green")
    app.move("things", "r03", actor="eve", status="red")
    app.delete("things", "r04", actor="eve", role="admin", reason="gone")
    app.operations.run(id, chunk=7)
    assert outcomes(app, id) == {"moved": 18, "conflict": 1, "unknown": 1}
    assert app.get("things", "r03")["status"] == "red"
    (refused,) = [
        one for one in describe_operation(app.operations.get(id))["refusals"] if one["code"] == "ILK-208"
    ]
    assert ("by eve" in refused["message"], refused["examples"]) == (True, ["r03"])
    assert [one.record_id for one in app.operations.items(id, outcome="conflict")] == ["r03"]


def test_a_ramp_moves_some_and_waits_for_somebody_to_look(app: App) -> None:
    id = planned(app, ramp=3)
    assert (app.operations.run(id, chunk=2).status, outcomes(app, id)) == ("paused", {"moved": 3})
    with pytest.raises(BadInput, match="is paused"):
        app.operations.run(id)
    told: list[int] = []
    assert app.operations.resume(id, chunk=10, tell=lambda one: told.append(one.reached)).status == "finished"
    assert told == [13, 20]
    assert outcomes(app, id) == {"moved": 20}


def test_a_pause_takes_hold_between_two_chunks_and_can_be_taken_back(app: App) -> None:
    id = planned(app)
    assert (
        app.operations.run(
            id, chunk=5, tell=lambda one: one.reached == 10 and app.operations.pause(id)
        ).status
        == "paused"
    )
    assert outcomes(app, id) == {"moved": 10}
    assert app.operations.pause(id).status == "paused"

    def change_of_mind(one: Any) -> None:
        if one.status == "finished":
            return
        assert app.operations.pause(id).pausing
        assert app.operations.resume(id).pausing is False

    assert app.operations.resume(id, chunk=5, tell=change_of_mind).status == "finished"


def test_what_was_paused_before_it_began_begins_when_it_is_resumed(app: App) -> None:
    id = planned(app)
    assert app.operations.pause(id).status == "paused"
    assert app.operations.resume(id).status == "finished"


def test_two_runners_of_one_operation_never_move_a_record_twice(
    app: App, database_url: str, whole: Any
) -> None:
    """The second is refused while the first is at it; once the lease is over it takes over, and the first one stops."""
    id = planned(app)
    hour_later = FrozenClock(app.clock.now() + timedelta(hours=1))
    with (
        closing(open_app(database_url, plain(LIGHT), clock=hour_later)) as later,
        closing(open_app(database_url, plain(LIGHT))) as other,
    ):
        first = app.operations.begin(id, chunk=4)
        first.operation = first.patiently()
        with pytest.raises(ConcurrentModificationError, match="being run by another"):
            other.operations.run(id)
        assert (
            later.operations.run(id, stop=lambda: later.operations.get(id).reached >= 8, chunk=4).status
            == "running"
        )
        assert later.operations.get(id).stalled
        taken = later.operations.begin(id, chunk=4)
        with pytest.raises(ConcurrentModificationError, match="taken over"):
            first.go()
        assert taken.go().status == "finished"
    assert outcomes(app, id) == {"moved": 20}
    assert {len(app.ledger.history("things", record)) for record in RECORDS} == {2}
    whole(app)


def test_an_operation_that_was_stopped_goes_on_where_it_was(app: App) -> None:
    id = planned(app)
    stopped = app.operations.run(id, chunk=8, stop=lambda: app.operations.get(id).reached == 8)
    assert (stopped.status, app.operations.get(id).stalled) == ("running", True)
    assert app.operations.run(id).status == "finished"
    assert outcomes(app, id) == {"moved": 20}


def test_what_a_hook_refuses_does_not_stop_the_others(opened: Any, whole: Any) -> None:
    workflow = plain(LIGHT)

    @workflow.on_move("green")
    def never_seven(tx: Any, moves: list[Move]) -> None:
        if any(move.id == "r07" for move in moves):
            raise ValueError("not seven")

    app: App = opened(workflow)
    app.admit_many("things", [{"id": id} for id in RECORDS])
    id = planned(app)
    app.operations.run(id, chunk=10)
    assert outcomes(app, id) == {"moved": 19, "refused": 1}
    assert [(one.record_id, one.code) for one in app.operations.items(id, outcome="refused")] == [
        ("r07", "ILK-214")
    ]
    whole(app)


def test_one_key_makes_one_operation(app: App) -> None:
    assert planned(app, key="k1") == planned(app, key="k1") != planned(app, key="k2")
    assert planned(app, key="k3", where=None, ids=["r01"]) == planned(app, key="k3", where=None, ids=["r01"])
    with pytest.raises(KeyReused):
        planned(app, key="k1", to="off")
    assert len(app.operations.newest()) == 3


@pytest.mark.parametrize(
    "said",
    [
        {"reason": ""},
        {"reason": " "},
        {"reason": None},
        {"actor": ""},
        {"ramp": 0},
        {"where": 7},
        {"where": {"status": "green"}},
        {"where": None, "ids": []},
    ],
)
def test_an_operation_without_a_reason_or_without_records_is_not_made(app: App, said: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        planned(app, **said)
    assert app.operations.newest() == []


def test_the_life_of_an_operation_has_no_way_back(app: App) -> None:
    id = planned(app)
    with pytest.raises(InvalidStateTransition):
        app.operations.undo(id, actor="ann", reason="nothing has happened yet")
    app.operations.run(id)
    for act in (app.operations.run, app.operations.resume, app.operations.pause):
        with pytest.raises(InvalidStateTransition):
            act(id)
    with pytest.raises(UnknownRecord):
        app.operations.get("op_nothing")


def test_the_newest_operations_come_first_and_are_plain_words(app: App) -> None:
    first, second = planned(app), planned(app, where=None, ids=["r01", "r02"])
    assert [one.id for one in app.operations.newest()] == [second, first]
    assert [one.id for one in app.operations.newest(limit=1)] == [second]
    said = describe_operation(app.operations.get(second))
    assert (said["wanted"], said["records"], said["done"], said["status"]) == (
        {"ids": 2, "answered": 0},
        2,
        0,
        "planned",
    )
    assert json.dumps(said, default=str)
