"""What operators look at: attempts that runners hold, longest first, and what was turned away."""

from __future__ import annotations

import pytest

from interlock.errors import InvalidStateTransition
from tests.contract.working import Boxed, admit, broken, claim, dispatch, jobs


def test_held_attempts_come_longest_first_and_say_who_holds_them(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b", "c")
    dispatch(box)
    claim(box, 1, runner="r1")
    box.advance("1m")
    claim(box, 1, runner="r2")
    held = box.working().held
    assert [(one.kind, one.id, one.runner, one.attempt) for one in held] == [
        ("jobs", "a", "r1", 1),
        ("jobs", "b", "r2", 1),
    ]
    assert held[0].claimed_at <= held[1].claimed_at < held[1].lease_until
    assert held[0].beat_at is None, "a runner that never registered was never heard of"
    assert [one.id for one in box.working(limit=1).held] == ["a"]


def test_what_was_refused_is_there_newest_first(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    for id in ("a", "b"):
        with pytest.raises(InvalidStateTransition):
            box.move("jobs", id, actor="eve", status="done")
    refused = box.working().refused
    assert [(one.id, one.actor, one.wanted) for one in refused] == [
        ("b", "eve", "done"),
        ("a", "eve", "done"),
    ]
    assert {one.code for one in refused} == {"ILK-204"}
    assert box.get("jobs", "a")["status"] == box.get("jobs", "b")["status"], "neither row moved"


def test_what_is_tried_again_says_when_the_first_is(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: broken(), retry=["1m"]))
    admit(box, "a", "b")
    box.drain()
    (due,) = box.working().retries
    assert (due.kind, due.axis, due.scope, due.code, due.records) == ("jobs", "status", None, "BROKEN", 2)
    assert due.first > box.time.now()
    minutes = box.working().due
    assert (len(minutes), sum(minutes), sum(minutes[:2])) == (60, 2, 2), "both are tried in about a minute"
    assert box.get("jobs", "a")["error_code"] == "BROKEN"
    box.advance("2m")
    box.drain()
    assert box.working().retries == [], "the last try was made: now a person must act"


def test_errors_are_counted_by_the_hour_in_which_their_records_came_to_carry_them(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: broken(), retry=["45m"]))
    admit(box, "a")
    box.drain()
    box.advance("2h")
    admit(box, "b", "c")
    box.drain()
    (counted,) = box.working().errors
    assert (counted.kind, counted.axis, counted.scope, counted.code) == ("jobs", "status", None, "BROKEN")
    assert (counted.records, len(counted.hours)) == (3, 24)
    assert counted.hours[-1] == 3, "the second try of the first one failed just now too"
    assert {box.get("jobs", id)["error_code"] for id in "abc"} == {"BROKEN"}
    minutes = box.working().due
    assert (sum(minutes), sum(minutes[20:])) == (2, 2), "b and c are tried in about 45 minutes"
    box.advance("1410m")
    assert box.working().errors[0].hours[0] == 3
    assert box.working().due[0] == 2, "what is overdue counts into the first minute"
    box.advance("1h")
    (counted,) = box.working().errors
    assert (counted.records, sum(counted.hours)) == (3, 0), "they carry it for longer than a day"
