"""Past its deadline a runner is asked first whether the work was done after all; no answer means no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text

from interlock import Done, Failed, Outcome, Work, Workflow
from interlock.testing import Sandbox
from tests.contract.worked import said_of, state, work_rows
from tests.contract.working import LEASE, Boxed, another_runner, apply, begun, claim, finish, jobs


def rechecked(answer: Callable[[Connection, Work], Outcome[Any] | None], **stage: Any) -> Workflow:
    workflow = jobs(deadline="10m", **stage)
    workflow.stages["work"].recheck(answer)
    return workflow


def late(box: Sandbox) -> Any:
    """A record whose work is past its deadline, and whose runner is still alive."""
    (attempt,) = begun(box, "a")
    box.advance("11m")
    with box.database.write() as tx:
        box.coordinates.work.beat(tx, "r1", ["jobs.work"], 120 * LEASE)  # it keeps renewing
    box.coordinates.sweep()
    return attempt


def test_nothing_is_ended_before_a_runner_was_asked(boxed: Boxed) -> None:
    box = boxed(rechecked(lambda tx, work: None))
    late(box)
    (row,) = work_rows(box)
    assert row["recheck_at"] is not None
    assert (state(box, "a"), row["rechecked_by"]) == ("running", None)


def test_work_that_was_done_after_all_is_applied(boxed: Boxed) -> None:
    asked: list[tuple[Any, int]] = []

    def look(tx: Connection, work: Work) -> Outcome[Any]:
        asked.append((work.id, work.attempt))
        return Done(title=str(tx.execute(text("SELECT id FROM jobs")).scalar()))

    box = boxed(rechecked(look))
    attempt = late(box)
    another_runner(box).step()
    assert asked == [("a", 1)]
    apply(box)
    assert (state(box, "a"), box.get("jobs", "a")["title"]) == ("done", "a")
    assert finish(box, attempt, Done()) == 0  # the answer counts as its report
    assert [verdict for verdict, _ in said_of(box, "a")] == ["duplicate"]


@pytest.mark.parametrize(("gate", "ends"), [(Done(), "done"), (Failed("TOO_SMALL", "no"), "failed")])
def test_work_that_was_done_after_all_passes_its_gates_or_does_not(
    gate: Outcome[Any], ends: str, boxed: Boxed
) -> None:
    workflow = rechecked(lambda tx, work: Done())

    @workflow.gate("done")
    def large_enough(work: Work) -> Outcome[Any]:
        return gate

    box = boxed(workflow)
    late(box)
    another_runner(box).step()
    apply(box)
    assert state(box, "a") == ends


def refuses(tx: Connection, work: Work) -> None:
    tx.execute(text("SELECT no_such_column FROM jobs"))


def raises(tx: Connection, work: Work) -> None:
    raise ValueError("cannot look")


@pytest.mark.parametrize(
    "answer", [lambda tx, work: None, raises, refuses], ids=["no", "raises", "is refused by the database"]
)
def test_whatever_is_no_answer_means_that_it_was_not_done(answer: Any, boxed: Boxed) -> None:
    box = boxed(rechecked(answer))
    attempt = late(box)
    runner = another_runner(box)
    runner.step()
    assert work_rows(box)[0]["rechecked_by"] == runner.id
    box.coordinates.sweep()
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("failed", "DEADLINE")
    assert finish(box, attempt, Done()) == 0


def test_an_answer_may_say_that_it_failed(boxed: Boxed) -> None:
    box = boxed(rechecked(lambda tx, work: Failed("BOUNCED", final=True)))
    late(box)
    another_runner(box).step()
    apply(box)
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("failed", "BOUNCED")


def test_an_answer_that_cannot_be_saved_is_a_failure_and_not_its_runners_end(boxed: Boxed) -> None:
    workflow = rechecked(lambda tx, work: Done({"pages": 1}))

    @workflow.stages["work"].save
    def keep(tx: Connection, work: Work, result: Any) -> None:
        raise ValueError("no place")

    box = boxed(workflow)
    late(box)
    another_runner(box).step()
    apply(box)
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("failed", "ValueError")


def test_a_runner_may_still_finish_while_it_is_asked_about(boxed: Boxed) -> None:
    box = boxed(rechecked(lambda tx, work: None))
    attempt = late(box)
    assert finish(box, attempt, Done()) == 1
    another_runner(box).step()
    box.coordinates.sweep()
    apply(box)
    assert state(box, "a") == "done"


def test_if_nobody_answers_the_deadline_holds_after_a_while(boxed: Boxed) -> None:
    box = boxed(rechecked(lambda tx, work: None))
    late(box)
    box.advance("29s")
    box.coordinates.sweep()
    assert state(box, "a") == "running"
    box.advance("2s")
    box.coordinates.sweep()
    assert (state(box, "a"), box.get("jobs", "a")["error_code"]) == ("failed", "DEADLINE")


def test_the_next_attempt_is_asked_about_afresh(boxed: Boxed) -> None:
    box = boxed(rechecked(lambda tx, work: None, retry=["1s"], retry_in="running"))
    late(box)
    another_runner(box).rechecker.step()
    box.coordinates.sweep()
    (row,) = work_rows(box)
    assert (row["attempt"], row["recheck_at"], row["rechecked_by"]) == (2, None, None)
    box.advance("2s")
    assert len(claim(box)) == 1
