"""A rule drives an axis on while its own work has reported: the report comes too late, and says so."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, MetaData, String, Table

from interlock import Axis, Done, Failed, Machine, Outcome, Work, Workflow, entering
from interlock.store.connect import Database
from interlock.testing import Sandbox
from tests.contract.worked import said_of, work_rows
from tests.contract.working import Boxed, admit, apply, claim, dispatch, finish

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
