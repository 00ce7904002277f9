"""Limits per stage and per key are unique slots, rates are windows: both hold across coordinators."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from interlock import Done, Work
from interlock.store.faults import is_driver_error
from interlock.store.work.attempts import Issue
from interlock.testing import Sandbox
from tests.contract.worked import state, work_rows
from tests.contract.working import (
    Boxed,
    admit,
    another_runner,
    begun,
    broken,
    claim,
    dispatch,
    finish,
    jobs,
    still,
)


def slots(box: Sandbox) -> list[int]:
    return [row["slot"] for row in work_rows(box)]


def dispatch_by(coordinator: Any) -> int:
    return int(coordinator.dispatcher.step(coordinator.stage_queues.values()))


def test_no_more_than_the_limit_is_ever_in_flight(boxed: Boxed) -> None:
    box = boxed(jobs(limit=3))
    admit(box, *"abcdefgh")
    other = box.coordinator()
    assert [dispatch(box), dispatch_by(other), dispatch(box)] == [3, 0, 0]
    assert slots(box) == [0, 1, 2]
    attempts = claim(box)
    finish(box, attempts[1], Done())
    assert dispatch_by(other) == 0  # what has reported still holds its slot
    box.coordinates.applier.step()
    assert dispatch_by(other) == 1
    assert sorted(slots(box)) == [0, 1, 2]  # the lowest that is free


@pytest.mark.leaves("I4")
def test_the_database_itself_refuses_a_slot_twice(boxed: Boxed, hand: Any) -> None:
    """Two coordinators that saw the same slot free: one insert wins, the other's record stays where it waits."""
    box = boxed(jobs(limit=3, per_key=lambda table: (table.c.host, 1)))
    work = box.coordinates.work
    with hand.without_guards_of("interlock_work"), box.database.write() as tx:
        issued = work.issue(
            tx,
            "jobs",
            "status",
            "",
            "jobs.work",
            [
                Issue("a", 1, "a" * 32, 0, "h", 0),
                Issue("b", 1, "b" * 32, 0, "i", 0),
                Issue("c", 1, "c" * 32, 1, "h", 0),
                Issue("d", 1, "d" * 32, 1, "i", 0),
            ],
        )
    assert issued == {"a", "d"}


def test_a_stage_without_a_running_state_keeps_its_limit_too(boxed: Boxed) -> None:
    box = boxed(still(limit=1))
    admit(box, "a", "b")
    assert [dispatch(box), dispatch(box)] == [1, 0]


def test_no_more_than_its_share_per_key(boxed: Boxed) -> None:
    box = boxed(jobs(per_key=lambda table: (table.c.host, 2)))
    for host in ("h", "i", None):
        admit(box, *(f"{host}{number}" for number in range(4)), host=host)
    assert [dispatch(box), dispatch(box)] == [6, 0]
    assert Counter(row["limit_key"] for row in work_rows(box)) == {"h": 2, "i": 2, "": 2}


def test_a_long_queue_of_one_key_does_not_hide_the_others(boxed: Boxed) -> None:
    """Fifty thousand pages of one host are a normal case."""
    box = boxed(jobs(per_key=lambda table: (table.c.host, 1)))
    admit(box, *(f"a{number:04}" for number in range(600)), host="crowded")
    box.advance("1s")
    admit(box, "z", host="quiet")
    dispatch(box)
    dispatch(box)
    assert {row["limit_key"] for row in work_rows(box)} == {"crowded", "quiet"}


def test_both_limits_hold_together(boxed: Boxed) -> None:
    box = boxed(jobs(limit=3, per_key=lambda table: (table.c.host, 2)))
    admit(box, *(f"h{number}" for number in range(4)), host="h")
    admit(box, *(f"i{number}" for number in range(4)), host="i")
    assert dispatch(box) == 3
    assert Counter(row["limit_key"] for row in work_rows(box)) == {"h": 2, "i": 1}


def test_waiting_for_a_try_holds_no_slot_and_gets_one_again_when_due(boxed: Boxed) -> None:
    box = boxed(jobs(limit=1, retry=["1m"], retry_in="running"))
    (attempt,) = begun(box, "a")
    finish(box, attempt, broken())
    box.coordinates.applier.step()
    admit(box, "b")
    assert dispatch(box) == 1
    box.advance("67s")
    box.coordinates.sweep()
    assert [one.record_id for one in claim(box)] == ["b"]  # there is only one slot
    box.report("jobs", "b", Done())
    box.coordinates.sweep()
    assert [(one.record_id, one.attempt) for one in claim(box)] == [("a", 2)]
    assert slots(box) == [0]


def test_of_two_coordinators_that_give_the_same_slot_back_one_waits(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs(limit=1, retry=["1s"], retry_in="running"))
    (attempt,) = begun(box, "a")
    finish(box, attempt, broken())
    box.coordinates.applier.step()
    admit(box, "b")
    dispatch(box)
    box.advance("2s")
    monkeypatch.setattr(
        type(box.coordinates.work), "slots_in_use", lambda *_: (set(), set())
    )  # it does not know of the other's yet
    box.coordinates.sweep()
    assert slots(box) == [None, 0]
    assert not is_driver_error(ValueError())


def test_a_rate_is_kept_in_every_window_and_across_coordinators(boxed: Boxed) -> None:
    box = boxed(jobs(rate="3/m"))
    admit(box, *"abcdefgh")
    other = box.coordinator()
    assert [dispatch(box), dispatch_by(other)] == [3, 0]
    box.advance("59s")
    assert dispatch(box) == 0
    box.advance("2s")
    another_runner(box, capacity=1).renew()
    assert dispatch(box) == 3


def test_a_rate_counts_what_was_sent_whatever_came_of_it(boxed: Boxed) -> None:
    seen: list[Any] = []

    def work(given: Work) -> Any:
        seen.append(given.id)
        return Done()

    box = boxed(jobs(work, rate="2/m"))
    admit(box, *"abcd")
    box.drain()
    assert len(seen) == 2
    box.advance("61s")
    box.drain()
    assert len(seen) == 4
    assert [state(box, id) for id in "abcd"] == ["done"] * 4


def test_a_rate_slides_and_does_not_jump(boxed: Boxed) -> None:
    box = boxed(jobs(rate="2/m"))
    admit(box, "a")
    assert dispatch(box) == 1
    box.advance("40s")
    admit(box, *"bcde")
    assert dispatch(box) == 1
    box.advance("21s")  # the first one is out of the window, the second is not
    assert dispatch(box) == 1
    box.advance("10s")
    assert dispatch(box) == 0
