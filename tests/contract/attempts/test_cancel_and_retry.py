"""Cancel and retry: what people do to work that waits, runs, or has failed."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import Done, Failed, Machine, Work, retry
from interlock.errors import BadInput, ConcurrentModificationError, InvalidStateTransition, MaxRetriesExceeded
from interlock.testing import Sandbox
from tests.contract.worked import moves, said_of, state, work_rows
from tests.contract.working import (
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

AGAIN = Machine(
    "again",
    initial="waiting",
    moves={"waiting": ["running", "failed"], "running": ["done", "failed"], "failed": [retry("waiting")]},
)


def cancel(box: Sandbox, id: str = "a", **more: Any) -> Any:
    return box.cancel("jobs", id, actor="ann", reason="not wanted", **more)


def test_what_runs_is_ended_and_rests_where_failures_go(boxed: Boxed) -> None:
    box = boxed(jobs(retry=["1m"]))
    (attempt,) = begun(box, "a")
    answer = cancel(box)
    assert (answer.outcome, answer.old, answer.new) == ("moved", "running", "failed")
    row = box.get("jobs", "a")
    assert (row["error_code"], row["error_message"], row["failed_from"], row["ready_at"], row["tries"]) == (
        "CANCELLED",
        "not wanted",
        "waiting",
        None,
        0,
    )
    assert moves(box, "a")[-1] == ("running", "failed", "command.cancel")
    assert work_rows(box) == []
    assert finish(box, attempt, Done()) == 0
    assert [verdict for verdict, _ in said_of(box, "a")] == ["stale"]
    box.advance("1h")
    box.drain()
    assert state(box, "a") == "failed"


def test_what_waits_is_ended_too_and_can_be_taken_up_again_where_it_was(boxed: Boxed) -> None:
    box = boxed(jobs(machine=AGAIN))
    admit(box, "a")
    cancel(box)
    assert (state(box, "a"), box.get("jobs", "a")["failed_from"]) == ("failed", "waiting")
    box.retry("jobs", "a", actor="ann", reason="wanted after all")
    assert dispatch(box) == 1


def test_what_waits_in_a_failed_state_for_its_next_try_is_ended(boxed: Boxed) -> None:
    box = boxed(patient(lambda work: broken()))
    admit(box, "a")
    box.drain()
    assert cancel(box).new == "dead"
    box.advance("1h")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["failed_from"]) == ("dead", "pending")


def test_a_cancelled_record_rests_even_where_failures_are_tried_again(boxed: Boxed) -> None:
    box = boxed(patient(terminal=None))
    begun(box, "a")
    assert cancel(box).new == "failed"
    box.advance("1h")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["ready_at"]) == ("failed", None)


def test_what_has_reported_is_finished_and_answers_a_conflict(boxed: Boxed) -> None:
    box = boxed(jobs())
    (attempt,) = begun(box, "a")
    finish(box, attempt, Done())
    with pytest.raises(ConcurrentModificationError, match="has just been reported as done"):
        cancel(box)
    with pytest.raises(ConcurrentModificationError):
        box.move("jobs", "a", actor="ann", status="waiting")
    apply(box)
    assert state(box, "a") == "done"
    assert [verdict for verdict, _ in said_of(box, "a")] == ["conflict", "conflict"]


def test_of_many_only_the_reported_ones_conflict(boxed: Boxed) -> None:
    box = boxed(jobs())
    first, _ = begun(box, "a", "b")
    finish(box, first, Done())
    answers = box.move_many("jobs", ["a", "b"], actor="ann", status="failed")
    assert [answer.outcome for answer in answers] == ["conflict", "moved"]
    assert [row["record_id"] for row in work_rows(box)] == ["a"]


def test_there_must_be_something_to_cancel_and_a_reason(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    with pytest.raises(BadInput, match="reason"):
        box.cancel("jobs", "a", actor="ann", reason="")
    box.drain()
    with pytest.raises(BadInput, match="nothing to cancel; status is done"):
        cancel(box)


def test_a_stage_without_a_failed_state_says_so(boxed: Boxed) -> None:
    box = boxed(still())
    admit(box, "a")
    with pytest.raises(BadInput, match="has no failed state"):
        cancel(box)


def test_the_machine_is_asked_as_for_any_move(boxed: Boxed) -> None:
    strict = Machine(
        "no way out", initial="waiting", moves={"waiting": ["running"], "running": ["done", "failed"]}
    )
    box = boxed(jobs(machine=strict))
    admit(box, "a")
    with pytest.raises(InvalidStateTransition):
        cancel(box)


def test_the_same_key_cancels_once(boxed: Boxed) -> None:
    box = boxed(jobs(machine=AGAIN))
    begun(box, "a")
    first = cancel(box, key="k1")
    assert (first.outcome, first.version) == ("moved", 2)
    box.retry("jobs", "a", actor="ann", reason="wanted after all")
    assert len(moves(box, "a")) == 4


def failing(work: Work) -> Failed[Any]:
    return broken(final=True)


def test_a_retry_goes_to_the_state_before_the_failed_stage_with_all_its_tries(boxed: Boxed) -> None:
    box = boxed(uploads())
    box.place("statements", "early", status="parsing")
    box.place("statements", "late", status="normalizing", record={"observations_count": 1})
    for id in ("early", "late"):
        box.report("statements", id, broken(final=True))
        assert box.get("statements", id)["status"] == "error"
        box.retry("statements", id, actor="ann", reason="the file is good now")
    assert {id: box.get("statements", id)["status"] for id in ("early", "late")} == {
        "early": "queued_for_parse",
        "late": "parsed",
    }
    row = box.get("statements", "late")
    assert (row["tries"], row["retry_count"], row["error_code"], row["failed_from"]) == (0, 1, None, None)
    box.drain()
    assert {box.get("statements", id)["status"] for id in ("early", "late")} == {"normalized"}


def test_operator_retries_are_counted_apart_and_bounded(boxed: Boxed) -> None:
    box = boxed(jobs(failing, machine=AGAIN, axis={"max_retries": 2}, retry=["1s"], retry_in="running"))
    admit(box, "a")
    for count in (1, 2):
        box.drain()
        box.retry("jobs", "a", actor="ann", reason="again")
        assert (box.get("jobs", "a")["retry_count"], box.get("jobs", "a")["tries"]) == (count, 0)
    box.drain()
    with pytest.raises(MaxRetriesExceeded):
        box.retry("jobs", "a", actor="ann", reason="once more")


def test_what_rests_without_a_failed_state_is_taken_up_again_by_a_retry(boxed: Boxed) -> None:
    """`No failed: the record rests where it is, error on its row, until app.retry.`"""
    answers = [broken(final=True), Done()]
    box = boxed(still(lambda work: answers.pop(0)))
    admit(box, "a")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("here", "BROKEN")
    box.retry("jobs", "a", actor="ann", reason="try it now")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("there", None)


def test_only_an_attempt_that_a_runner_had_costs_a_try(boxed: Boxed) -> None:
    box = boxed(jobs(machine=AGAIN))
    admit(box, "a")
    dispatch(box)  # issued, and nobody took it
    cancel(box)
    box.retry("jobs", "a", actor="ann", reason="wanted after all")
    dispatch(box)
    (attempt,) = claim(box)
    assert (attempt.attempt, box.get("jobs", "a")["tries"]) == (2, 0)
