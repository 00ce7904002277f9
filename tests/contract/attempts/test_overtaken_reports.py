"""Reports that find their record elsewhere: a rule drove its axis on, somebody changed it past the guards, its stage runs elsewhere now."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, MetaData, String, Table

from interlock import Axis, Done, Failed, Machine, Outcome, Work, Workflow, entering
from interlock.store.connect import Database
from interlock.testing import Sandbox
from tests.contract.hand import Hand
from tests.contract.worked import moves, said_of, state, work_rows
from tests.contract.working import Boxed, admit, apply, begun, claim, dispatch, finish, jobs

LEFT = Machine("left", initial="new", moves={"new": ["busy"], "busy": ["over", "bad"]})
RIGHT = Machine(
    "right", initial="new", moves={"new": ["busy", "dropped"], "busy": ["over", "bad", "dropped"]}
)


def pairs() -> Workflow:
    table = Table("pairs", MetaData(), Column("id", String(9), primary_key=True))
    workflow = Workflow(
        "pairs",
        records=table,
        axes=[Axis("left", LEFT, prefix="left_"), Axis("right", RIGHT, prefix="right_")],
        rules=[entering(left="over").moves(right={"busy": "dropped", "new": "dropped"})],
    )

    @workflow.stage(axis="right", waiting="new", running="busy", done="over", failed="bad")
    def two(work: Work) -> Outcome[None]:
        return Done()

    @workflow.stage(axis="left", waiting="new", running="busy", done="over", failed="bad")
    def one(work: Work) -> Outcome[None]:
        return Done()

    return workflow


@pytest.fixture
def box(boxed: Boxed) -> Sandbox:
    made = boxed(pairs())
    admit(made, "p", kind="pairs")
    assert dispatch(made) == 2
    return made


@pytest.mark.parametrize("batch", [1, 500])
def test_a_report_that_a_driven_move_overtakes_is_recorded_once(
    batch: int, box: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both reports may be taken together, or only the one that drives the other's axis on."""
    monkeypatch.setattr(Database, "batch", batch)
    left, right = sorted(claim(box), key=lambda one: one.axis)
    assert finish(box, left, Done()) == 1
    assert finish(box, right, Failed("LATE", "not the first")) == 1
    apply(box)
    record = box.get("pairs", "p")
    assert (record["left"], record["right"]) == ("over", "dropped")
    assert work_rows(box) == []
    assert said_of(box, "p", "pairs") == [("stale", "ILK-209")]


def test_work_that_has_said_nothing_ends_without_a_word(box: Sandbox) -> None:
    left, right = sorted(claim(box), key=lambda one: one.axis)
    finish(box, left, Done())
    apply(box)
    assert box.get("pairs", "p")["right"] == "dropped"
    assert (work_rows(box), said_of(box, "p", "pairs")) == ([], [])
    assert finish(box, right, Done()) == 0  # what comes now is refused, and said
    assert said_of(box, "p", "pairs") == [("stale", "ILK-209")]


@pytest.mark.leaves("I2")
def test_a_record_that_was_changed_past_the_guards_stops_no_batch(boxed: Boxed, hand: Hand) -> None:
    """Its report comes too late, whatever its history says of where it is; those beside it are applied."""
    box = boxed(jobs())
    admit(box, "a", "changed", "c")
    dispatch(box)
    with hand.without_guards_of("jobs"):
        hand.run("UPDATE jobs SET status = 'waiting' WHERE id = 'changed'")
    for attempt in claim(box):
        finish(box, attempt, Done())
    apply(box)
    apply(box)
    assert [state(box, id) for id in ("a", "changed", "c")] == ["done", "waiting", "done"]
    assert (work_rows(box), said_of(box, "changed")) == ([], [("stale", "ILK-209")])


TWICE = Machine(
    "twice",
    initial="waiting",
    moves={
        "waiting": ["running", "busy"],
        "running": ["done", "failed"],
        "busy": ["done", "failed"],
        "failed": ["waiting"],
    },
)


@pytest.mark.parametrize("expires", [False, True])
def test_an_attempt_whose_stage_runs_elsewhere_now_is_not_late_and_rests_with_an_error(
    boxed: Boxed, expires: bool
) -> None:
    """Nobody was faster: the record stands where the attempt began, also if it was amended since."""
    old = boxed(jobs(machine=TWICE))
    (attempt,) = begun(old, "a")
    old.amend("jobs", "a", facts={"host": "h"}, actor="ann", reason="now known")
    if not expires:
        finish(old, attempt, Done(title="t"))
    new = boxed(jobs(machine=TWICE, running="busy"))
    new.advance("31s")
    new.coordinates.step()
    record = new.get("jobs", "a")
    assert (record["status"], record["error_code"], record["title"]) == ("running", "STAGE_CHANGED", None)
    assert moves(new, "a")[-1] == ("running", "running", "work.refused")
    assert (work_rows(new), [one for one, _ in said_of(new, "a")]) == ([], ["refused"])
    new.move("jobs", "a", actor="ann", status="failed")
    assert state(new, "a") == "failed"
