"""What a runner holds, lets go of, takes alone, and whose fault it is when the database or a save says no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text, literal, select, text

from interlock import Axis, Done, Outcome, Work, Workflow
from interlock.errors import StoreUnavailable
from interlock.store.queue import runners
from interlock.testing import Sandbox
from tests.contract.worked import state, work_rows
from tests.contract.working import STRICT, Boxed, admit, another_runner, claim, dispatch, jobs, still
from tests.kinds import CURATION

MISTAKES = {
    "a table that does not exist": "INSERT INTO nowhere VALUES (1)",
    "a column that does not exist": "UPDATE jobs SET nothing = 1",
    "no SQL at all": "SELEKT 1",
    "a function that does not exist": "SELECT nothing_like_it(1)",
}


def away(*_: Any, **__: Any) -> None:
    raise StoreUnavailable("the database is not available")


def scoped_jobs() -> Workflow:
    """The state of each record lives beside it, once for each scope."""
    metadata = MetaData()
    records = Table("jobs", metadata, Column("id", String(40), primary_key=True), Column("title", Text))
    states = Table(
        "job_states",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("job_id", ForeignKey("jobs.id"), nullable=False),
        Column("scope", String(20), nullable=False),
    )
    workflow = Workflow(
        "jobs",
        noun="job",
        records=records,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis(
                "status",
                STRICT,
                table=states,
                scope=("one",),
                pairs=select(records.c.id, literal("one").label("scope")),
            ),
        ],
    )

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[None]:
        return Done()

    return workflow


def lose_runners(box: Sandbox, times: int) -> None:
    """Somebody claims everything and is never heard of again, several times."""
    box.coordinates.sweep()  # pairs get their rows
    for number in range(times):
        dispatch(box)
        assert claim(box, runner=f"lost-{number}")
        box.advance("31s")
        box.coordinates.sweep()
        dispatch(box)


def test_what_a_runner_was_never_told_of_goes_back_uncounted(boxed: Boxed) -> None:
    """Its claim was committed, and the answer lost."""
    box = boxed(jobs())
    runner = another_runner(box)
    runner.renew()
    admit(box, "a")
    dispatch(box)
    claim(box, runner=runner.id)
    box.advance("8s")
    runner.renew()
    assert [(row["attempt"], row["claimed_by"]) for row in work_rows(box)] == [(1, None)]
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["tries"]) == ("done", 1)


def test_what_a_runner_has_fenced_off_is_not_renewed_when_the_database_is_back(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs())
    runner = another_runner(box)
    runner.renew()
    admit(box, "a")
    dispatch(box)
    runner.claim()
    with monkeypatch.context() as patch:
        patch.setattr(runners, "register", away)
        box.advance("30s")
        with pytest.raises(StoreUnavailable):
            runner.renew()
    runner.renew()
    box.advance("1s")
    box.coordinates.sweep()
    assert (box.get("jobs", "a")["tries"], box.get("jobs", "a")["error_code"]) == (1, "LEASE_EXPIRED")


@pytest.mark.parametrize(
    ("make", "losses"),
    [(jobs, 2), (still, 2), (scoped_jobs, 2), (lambda: jobs(machine=STRICT, retry=["1s"]), 1)],
    ids=["lost twice", "without a running state", "scoped", "the last try"],
)
def test_work_that_lost_its_runners_runs_alone(
    boxed: Boxed, make: Callable[[], Workflow], losses: int
) -> None:
    """It may be what kills them: it shall take nobody along, and nobody begins anything beside it."""
    box = boxed(make())
    admit(box, "a", "b", "c")
    lose_runners(box, losses)
    runner = another_runner(box, "careful")
    runner.renew()
    assert [runner.claim(), runner.claim()] == [1, 0]
    held = [row["record_id"] for row in work_rows(box) if row["claimed_by"] == runner.id]
    assert len(held) == 1
    box.drain()


def test_nothing_new_begins_beside_others_before_doubtful_work_had_its_turn(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    lose_runners(box, 1)
    runner = another_runner(box, "busy")
    runner.renew()
    assert runner.claim() == 2  # lost once: that happens
    admit(box, "c")
    dispatch(box)
    assert runner.claim() == 1


def test_others_wait_until_what_runs_alone_is_done(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    lose_runners(box, 2)
    admit(box, "c")
    dispatch(box)
    assert box.runs is not None
    box.drain()
    assert {state(box, id) for id in "abc"} == {"done"}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_save_that_is_wrong_is_the_failure_of_its_own_work(boxed: Boxed, mistake: str) -> None:
    workflow = jobs(lambda work: Done(1) if work.id == "bad" else Done())

    def save(tx: Any, work: Work, result: Any) -> None:
        tx.execute(text(MISTAKES[mistake]))

    workflow.stages["work"].save(save)
    box = boxed(workflow)
    admit(box, "a", "bad", "b")
    box.drain()
    assert {id: state(box, id) for id in ("a", "bad", "b")} == {"a": "done", "bad": "failed", "b": "done"}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_load_that_is_wrong_is_the_failure_of_its_own_work(boxed: Boxed, mistake: str) -> None:
    workflow = jobs(lambda work: Done())
    workflow.stages["work"].function = lambda work, given: Done()
    workflow.stages["work"].load(
        lambda tx, work: tx.execute(text(MISTAKES[mistake])) if work.id == "bad" else None
    )
    box = boxed(workflow)
    admit(box, "a", "bad", "b")
    box.drain()
    assert {id: state(box, id) for id in ("a", "bad", "b")} == {"a": "done", "bad": "failed", "b": "done"}


def test_a_database_that_is_away_while_a_stage_loads_is_not_the_works_fault(boxed: Boxed) -> None:
    faults = [StoreUnavailable("the database is not available")]

    def load(tx: Any, work: Work) -> None:
        if faults:
            raise faults.pop()

    workflow = jobs(lambda work: Done())
    workflow.stages["work"].function = lambda work, given: Done()
    workflow.stages["work"].load(load)
    box = boxed(workflow)
    admit(box, "a", "b")
    with pytest.raises(StoreUnavailable):
        box.drain()
    box.advance("8s")
    box.drain()
    assert {
        (row["status"], row["attempt"], row["tries"]) for row in (box.get("jobs", id) for id in "ab")
    } == {("done", 1, 1)}
