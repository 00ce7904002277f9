"""Timers: a record that has been in a state for the declared time moves on, once, by the database's clock."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from interlock import App, Failed, Machine, Move, after, operator
from interlock.clock import SystemClock
from interlock.errors import BadDeclaration, NotPermitted
from interlock.testing import Sandbox
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.contract.subjects import Subject
from tests.contract.timed import REQUEST, regional, requests, unpaid, well
from tests.contract.worked import moves, said_of, state, work_rows
from tests.contract.working import Boxed, claim, dispatch, finish

DAY = timedelta(days=1)


def timer_at(box: App, id: int = 1, table: str = "requests") -> Any:
    with box.database.read() as tx:
        return tx.execute(text(f"SELECT timer_at FROM {table} WHERE id = :id"), {"id": id}).scalar()


def entries(box: App, id: int = 1, **where: Any) -> list[Move]:
    return list(box.ledger.history("requests", id, axis="status", **where))


def test_a_record_that_has_been_in_a_state_for_the_declared_time_moves_on(boxed: Boxed, whole: Any) -> None:
    box = boxed(requests())
    box.admit_many("requests", [{"id": 1}, {"id": 2}])
    box.advance(timedelta(days=6, hours=23))
    box.move("requests", 2, status="checking", actor="eve")
    box.coordinates.sweep()
    assert state(box, 1, "requests") == "requested"
    box.advance(timedelta(hours=1))
    assert box.coordinates.sweep() == 1
    assert moves(box, 1, "requests", axis="status") == [
        (None, "requested", "request.created"),
        ("requested", "expired", "timer"),
    ]
    last = entries(box)[-1]
    assert (last.actor, last.origin, last.role, last.at) == ("coordinator", "move", None, box.clock.now())
    assert state(box, 2, "requests") == "checking"
    assert timer_at(box, 1) is None
    assert box.coordinates.sweep() == 0
    whole(box)


def test_a_timer_begins_anew_each_time_its_state_is_entered(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    box.advance(6 * DAY)
    box.move("requests", 1, status="checking", actor="eve")
    box.advance(timedelta(hours=1))
    box.move("requests", 1, status="requested", actor="eve")
    box.advance(6 * DAY)
    box.coordinates.sweep()
    assert state(box, 1, "requests") == "requested"
    box.advance(DAY)
    box.coordinates.sweep()
    assert state(box, 1, "requests") == "expired"


def test_an_amendment_does_not_begin_the_timer_anew(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    box.advance(6 * DAY)
    box.amend("requests", 1, facts={"note": "late"}, actor="eve", reason="it was late", axis="status")
    box.advance(DAY)
    box.coordinates.sweep()
    assert [move.new for move in entries(box)] == ["requested", "requested", "expired"]


def test_nobody_but_the_timer_takes_an_edge_that_is_the_timers_alone(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    for role in (None, "operator", "admin"):
        with pytest.raises(NotPermitted, match="made by its timer only, after 7d"):
            box.move("requests", 1, status="expired", actor="eve", role=role, reason="now")
    with pytest.raises(NotPermitted):
        box.move("requests", 1, status="expired", actor="eve", role="admin", reason="now", override=True)
    assert [move.new for move in entries(box)] == ["requested"]
    assert said_of(box, "1", "requests")[0] == ("refused", "ILK-211")


def test_an_edge_that_is_also_declared_is_everybodys_or_an_operators(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit_many("requests", [{"id": id, "status": "checking"} for id in (1, 2, 3)])
    box.move("requests", 1, status="requested", actor="eve")
    box.move_many("requests", [2, 3], status="granted", actor="eve")
    with pytest.raises(NotPermitted):
        box.move("requests", 2, status="revoked", actor="eve")
    box.move("requests", 2, status="revoked", actor="eve", role="operator", reason="fraud")
    box.advance(30 * DAY)
    box.coordinates.sweep()
    assert [entries(box, id)[-1].cause for id in (2, 3)] == ["command.move", "timer"]
    assert entries(box, 3)[-1].new == "revoked"


def test_rules_apply_and_what_they_drive_moves_too(boxed: Boxed, whole: Any) -> None:
    box = boxed(requests(rules=unpaid()))
    box.admit_many("requests", [{"id": id} for id in range(1, 5)])
    box.move("requests", 2, payment="paid", actor="eve")
    box.advance(7 * DAY)
    box.coordinates.sweep()
    assert [state(box, id, "requests") for id in range(1, 5)] == [
        "expired",
        "requested",
        "expired",
        "expired",
    ]
    assert moves(box, 1, "requests", axis="payment")[-1] == ("open", "void", "rule.entering.status.expired")
    assert said_of(box, "2", "requests") == [("refused", "ILK-205")]
    for _ in range(3):
        box.advance(timedelta(hours=1))
        box.coordinates.sweep()
    assert said_of(box, "2", "requests") == [("refused", "ILK-205")], "recorded once for a version"
    box.move("requests", 2, payment="open", actor="eve")
    box.advance(timedelta(hours=1))
    box.coordinates.sweep()
    assert state(box, 2, "requests") == "expired"
    whole(box)


def test_what_is_refused_does_not_stall_the_others(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlock.coordinator.timers.BATCH", 2)
    box = boxed(requests(rules=unpaid()))
    box.admit_many("requests", [{"id": id} for id in range(1, 9)])
    for id in range(1, 6):
        box.move("requests", id, payment="paid", actor="eve")
    box.advance(7 * DAY)
    box.coordinates.sweep()
    assert [state(box, id, "requests") for id in range(1, 9)] == ["requested"] * 5 + ["expired"] * 3


def test_a_hook_that_refuses_one_record_leaves_its_neighbours(boxed: Boxed) -> None:
    workflow = requests()

    @workflow.on_move("expired", axis="status")
    def mind(tx: Any, all_moves: Any) -> None:
        if any(move.id == 2 for move in all_moves):
            raise ValueError("not this one")

    box = boxed(workflow)
    box.admit_many("requests", [{"id": id} for id in (1, 2, 3)])
    box.advance(7 * DAY)
    box.coordinates.sweep()
    assert [state(box, id, "requests") for id in (1, 2, 3)] == ["expired", "requested", "expired"]
    assert said_of(box, "2", "requests") == [("refused", "ILK-214")]
    assert len(entries(box, 2)) == 1


def test_a_timer_out_of_a_running_state_ends_the_attempt(boxed: Boxed) -> None:
    box = boxed(requests(well))
    box.admit("requests", {"id": 1})
    dispatch(box)
    (attempt,) = claim(box)
    assert state(box, 1, "requests") == "checking"
    box.advance(timedelta(hours=2))
    box.coordinates.timers.step()
    assert moves(box, 1, "requests", axis="status")[-1] == ("checking", "requested", "timer")
    assert work_rows(box) == []
    assert finish(box, attempt, Failed("LATE")) == 0
    assert said_of(box, "1", "requests") == [("stale", "ILK-209")]


def test_a_report_that_has_come_wins_over_the_timer(boxed: Boxed) -> None:
    box = boxed(requests(well))
    box.admit("requests", {"id": 1})
    dispatch(box)
    (attempt,) = claim(box)
    assert finish(box, attempt, well(None)) == 1  # type: ignore[arg-type]
    box.advance(timedelta(hours=2))
    assert box.coordinates.timers.step() == 0
    box.coordinates.applier.step()
    assert [move.new for move in entries(box)] == ["requested", "checking", "granted"]


def test_what_stages_begin_and_finish_in_whole_batches_gets_its_timer(boxed: Boxed) -> None:
    box = boxed(requests(well))
    box.admit_many("requests", [{"id": id} for id in range(1, 6)])
    dispatch(box)
    begun = timer_at(box)
    assert instant(begun) == box.clock.now() + timedelta(hours=2)
    box.drain()
    assert state(box, 1, "requests") == "granted"
    assert instant(timer_at(box)) == box.clock.now() + 30 * DAY


def instant(value: Any) -> datetime:
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found.astimezone(UTC)


def test_timers_of_scopes_are_their_own_and_mirrors_follow(boxed: Boxed) -> None:
    box = boxed(regional())
    box.admit_many("offers", [{"id": 1}, {"id": 2}])
    box.advance(3 * DAY)
    box.move("offers", 1, status="checking", scope="north", actor="eve")
    box.move("offers", 1, status="requested", scope="north", actor="eve")
    box.advance(4 * DAY)
    assert box.coordinates.sweep() == 3
    assert [
        box.ledger.history("offers", 1, axis="status", scope=scope)[-1].new for scope in ("north", "south")
    ] == [
        "requested",
        "expired",
    ]
    assert [box.get("offers", id)["open_regions"] for id in (1, 2)] == [1, 0]


def test_explain_says_when_the_timer_moves_the_record(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    told = box.explain("requests", 1)
    due = box.clock.now() + 7 * DAY
    assert (
        f"its timer moves it to expired at {due:%Y-%m-%d %H:%M:%S} UTC, unless it leaves requested before"
        in [one.what for one in told.waits_for]
    )
    expired = next(one for one in told.next if one.axis == "status" and one.to == "expired")
    assert (expired.allowed, expired.code) == (False, "ILK-211")
    assert "made by its timer only" in expired.reason


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_is_set_by_a_day_fires_none_twice(boxed: Boxed, days: int) -> None:
    box = boxed(requests())
    box.admit_many("requests", [{"id": 1}, {"id": 2}])
    box.advance(7 * DAY)
    box.coordinates.sweep()
    for turn in range(4):  # forward and back again, or the other way round
        box.time.advance(days * DAY * (1 if turn % 2 == 0 else -1))
        box.coordinates.sweep()
    assert [len(entries(box, id)) for id in (1, 2)] == [2, 2]
    assert {move.cause for id in (1, 2) for move in entries(box, id)[1:]} == {"timer"}


class Skewed(SystemClock):
    """A machine whose clock is wrong."""

    def __init__(self, by: timedelta) -> None:
        self.by = by

    def now(self) -> datetime:
        return super().now() + self.by


@pytest.mark.parametrize("days", [1, -1])
def test_a_server_decides_when_timers_are_due_whatever_its_clients_clocks_say(
    postgres_url: str, days: int
) -> None:
    hasty = Machine(
        "hasty", initial="a", moves={"a": [after("1h", "late"), "b"], "b": [after("1ms", "done")]}
    )
    app = App([requests(machine=hasty)], database=postgres_url, clock=Skewed(days * DAY))
    app.migrate()
    app.admit_many("requests", [{"id": 1}, {"id": 2}])
    app.move("requests", 2, status="b", actor="eve")
    coordinator = app.coordinator()
    with app.database.read() as tx:
        (left,) = tx.execute(text("SELECT timer_at - clock_timestamp() FROM requests WHERE id = 1")).one()
    assert timedelta(minutes=59) < left < timedelta(minutes=61)
    coordinator.sweep()
    coordinator.sweep()
    assert [app.get("requests", id)["status"] for id in (1, 2)] == ["a", "done"]
    assert [move.cause for move in app.ledger.history("requests", 2, axis="status")][-1] == "timer"
    app.close()


def test_an_export_with_timers_is_checked_by_the_second_verifier(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    box.advance(7 * DAY)
    box.coordinates.sweep()
    box.ledger.seal()
    assert checked([json.loads(line) for line in box.ledger.export()], ()) == []
    assert box.ledger.verify().ok


def test_two_coordinators_that_saw_the_same_fire_once(boxed: Boxed) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    box.advance(7 * DAY)
    first, second = box.coordinates.timers, box.coordinator().timers
    axis = second.axes[0]
    with box.database.read() as tx:
        due = axis.due(tx, 10)
    assert first.step() == 1
    assert second._move(axis, "requested", "", due) == 0
    assert len(entries(box)) == 2
    assert said_of(box, "1", "requests") == []


def test_a_machine_that_gains_a_timer_dates_the_records_that_are_there(boxed: Boxed) -> None:
    before = Machine(
        "request", initial="requested", moves={"requested": ["expired"], "expired": ["requested"]}
    )
    box = boxed(requests(machine=before))
    box.admit_many("requests", [{"id": 1}, {"id": 2}])
    box.advance(2 * DAY)
    box.move("requests", 2, status="expired", actor="eve")
    timed = Machine(
        "request",
        initial="requested",
        moves={"requested": [after("7d", "expired")], "expired": ["requested"]},
    )
    later = App([requests(machine=timed)], database=box.database.engine, clock=box.time)
    assert "timers: requests.status" in later.migrate()
    assert instant(timer_at(later)) == box.clock.now() + 5 * DAY
    assert timer_at(later, 2) is None
    box.move("requests", 2, status="requested", actor="eve")  # by code that does not know the timer
    coordinator = later.coordinator()
    box.advance(5 * DAY)
    coordinator.sweep()
    assert [later.get("requests", id)["status"] for id in (1, 2)] == ["expired", "requested"]
    assert instant(timer_at(later, 2)) == box.clock.now() + 2 * DAY, (
        "the sweep gave it the date that it lacked"
    )
    box.advance(2 * DAY)
    coordinator.sweep()
    assert later.get("requests", 2)["status"] == "expired"
    longer = Machine(
        "request",
        initial="requested",
        moves={"requested": [after("9d", "expired")], "expired": ["requested"]},
    )
    later.admit("requests", {"id": 3})
    last = App([requests(machine=longer)], database=box.database.engine, clock=box.time)
    last.migrate()
    assert instant(timer_at(last, 3)) == box.clock.now() + 9 * DAY
    assert last.migrate() == []


def test_a_timers_edge_typed_by_hand_is_refused_unless_its_entry_names_the_timer(
    boxed: Boxed, hand: Hand
) -> None:
    box = boxed(requests())
    box.admit("requests", {"id": 1})
    with pytest.raises(Exception, match=r"ILK-2(04|13)"):
        hand.run("UPDATE requests SET status = 'expired', version = version + 1 WHERE id = 1")
    subject = Subject(
        requests, "requests", "status", "requests", 1, "requested", "checking", "granted", REQUEST, ()
    )
    for wrong in ({}, {"cause": "command.move", "role": "admin"}, {"origin": "operator", "role": "admin"}):
        sql, values = hand.move(subject, "expired", **wrong)
        hand.refused("ILK-213", sql, *values)
    assert [move.new for move in entries(box)] == ["requested"]
    assert state(box, 1, "requests") == "requested"
    sql, values = hand.move(subject, "expired", cause="timer")
    hand.run(sql, *values)
    assert [move.new for move in entries(box)] == ["requested", "expired"]


@pytest.mark.parametrize(
    ("edges", "problem"),
    [
        ([after("1d", "b"), after("2d", "c")], "2 timers"),
        ([after("0s", "b")], "timer of"),
        ([after("1d", "a")], "lead to itself"),
    ],
)
def test_a_timer_that_cannot_work_is_refused(edges: Any, problem: str) -> None:
    with pytest.raises(BadDeclaration, match=problem):
        Machine("m", initial="a", moves={"a": edges, "b": ["a"], "c": ["a"]})


def test_a_stage_may_not_take_an_edge_that_is_its_timers_alone() -> None:
    machine = Machine(
        "m", initial="requested", moves={"requested": ["checking"], "checking": [after("1d", "granted")]}
    )
    with pytest.raises(BadDeclaration, match="made by its timer only"):
        Sandbox([requests(well, machine=machine)])


def test_a_machine_knows_its_timers() -> None:
    again = Machine.from_definition(REQUEST.definition())
    assert again == REQUEST
    assert again.timers == REQUEST.timers
    other = Machine(
        "request",
        initial="requested",
        moves={
            "requested": ["checking", after("8d", "expired")],
            "checking": ["granted", "requested", after("2h", "requested")],
            "granted": [operator("revoked"), after("30d", "revoked")],
            "expired": ["requested"],
        },
    )
    assert other.fingerprint != REQUEST.fingerprint
