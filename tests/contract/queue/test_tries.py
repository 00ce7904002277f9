"""`tries` are the attempts that runners claimed since the record came to where its stage waits, the one that succeeded included."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import Again, Done, Failed, Work
from tests.contract.worked import moves, state
from tests.contract.working import (
    LEASE,
    STRICT,
    Boxed,
    admit,
    begun,
    broken,
    claim,
    dispatch,
    jobs,
    patient,
    still,
)
from tests.kinds import uploads


@pytest.mark.parametrize("whole", [True, False])
def test_a_first_success_is_one_try(boxed: Boxed, whole: bool) -> None:
    box = boxed(jobs())
    box.coordinates._may_move_batches = whole
    admit(box, "a", "b")
    box.drain()
    assert [(state(box, id), box.get("jobs", id)["tries"]) for id in "ab"] == [("done", 1)] * 2
    assert len(moves(box, "a")) == 3


@pytest.mark.parametrize("outcome", [Done(title="t"), Done(empty=True)])
def test_a_success_with_something_to_say_is_one_try(boxed: Boxed, outcome: Done[Any]) -> None:
    box = boxed(jobs(lambda work: outcome))
    admit(box, "a")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("done", 1)
    assert moves(box, "a")[-1] == ("running", "done", "work.completed")


@pytest.mark.parametrize("make", [jobs, patient, lambda function, **stage: jobs(function, STRICT, **stage)])
def test_failures_before_a_success_are_counted_with_it(boxed: Boxed, make: Any) -> None:
    """Wherever the next try waits: in the failed state, in one that is waited in, or where it runs."""
    outcomes = iter([broken(), broken(), Done()])
    box = boxed(make(lambda work: next(outcomes), retry=["1m", "2m"]))
    admit(box, "a")
    for _ in range(4):
        box.drain()
        box.advance("3m")
    row = box.get("jobs", "a")
    assert (row["status"], row["tries"], row["attempt"]) == ("done", 3, 3)


def test_what_ran_out_of_its_lease_is_counted_and_what_was_put_off_is_not(boxed: Boxed) -> None:
    outcomes: list[Any] = [Again("1m"), Done()]

    def work(given: Work) -> Any:
        return outcomes.pop(0)

    box = boxed(jobs(work))
    begun(box, "a")
    box.advance(LEASE * 2)
    box.coordinates.sweep()
    assert box.get("jobs", "a")["tries"] == 1
    box.drain()
    box.advance("2m")
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["tries"], row["attempt"]) == ("done", 2, 3)


def test_counting_begins_anew_where_the_next_stage_waits(boxed: Boxed) -> None:
    box = boxed(uploads())
    box.admit("statements", {"id": "u"})
    assert dispatch(box) == 1
    box.report("statements", "u", Done(observations_count=1))
    assert (state(box, "u", "statements"), box.get("statements", "u")["tries"]) == ("parsed", 0)
    box.drain()
    assert (state(box, "u", "statements"), box.get("statements", "u")["tries"]) == ("normalized", 1)


def test_a_stage_without_a_running_state_counts_its_success(boxed: Boxed) -> None:
    box = boxed(still())
    admit(box, "a")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("there", 1)


def test_work_that_nobody_claimed_and_moves_by_hand_are_no_tries(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    assert dispatch(box) == 2
    box.move("jobs", "a", actor="ann", status="done")
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("done", 0)
    (attempt,) = claim(box)
    assert attempt.record_id == "b"
    box.report("jobs", "b", Failed("NO", final=True))
    assert (state(box, "b"), box.get("jobs", "b")["tries"]) == ("failed", 1)
