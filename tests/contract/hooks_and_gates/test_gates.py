"""Gates: a state behind a gate is entered only when every gate has passed for the record's current version."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table

from interlock import App, Axis, Done, Machine, Work, Workflow, entering
from interlock.errors import GateRejected, UnknownKind, UnknownRecord
from tests.kinds import content

LEFT = Machine("left", initial="a", states=["a", "b"])
RIGHT = Machine("right", initial="x", states=["x", "y"])


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(content())
    made.admit("content", {"item_id": "c1", "level": "A1", "state": "CANDIDATE"})
    return made


def test_without_a_verdict_the_state_is_not_entered(app: App, whole: Any) -> None:
    with pytest.raises(GateRejected) as refusal:
        app.move("content", "c1", actor="ann", state="VALIDATED")
    assert (refusal.value.code, refusal.value.facts["gates"]) == ("ILK-206", ["level has not run"])
    assert "No stage leads to VALIDATED, so nothing runs level" in refusal.value.hint
    assert app.get("content", "c1")["state"] == "CANDIDATE"
    whole(app)


def test_the_newest_verdict_of_a_gate_counts(app: App) -> None:
    assert app.judge_gate("content", "c1", "level", passed=True, actor="gate") == 1
    assert (
        app.judge_gate(
            "content",
            "c1",
            "level",
            passed=False,
            actor="gate",
            reason="unknown level",
            details={"level": "A1"},
        )
        == 2
    )
    with pytest.raises(GateRejected) as refusal:
        app.move("content", "c1", actor="ann", state="VALIDATED")
    assert refusal.value.facts["gates"] == ["level said no"]
    assert app.judge_gate("content", "c1", "level", passed=True, actor="gate") == 3
    assert app.move("content", "c1", actor="ann", state="VALIDATED").outcome == "moved"


def test_each_record_of_a_batch_has_its_own_verdict(app: App) -> None:
    app.admit_many("content", [{"item_id": f"d{number}", "state": "CANDIDATE"} for number in range(4)])
    for number in (1, 3):
        app.judge_gate("content", f"d{number}", "level", passed=True, actor="gate")
    answers = app.move_many("content", [f"d{number}" for number in range(4)], actor="ann", state="VALIDATED")
    assert [answer.outcome for answer in answers] == ["refused", "moved", "refused", "moved"]


def test_a_verdict_for_nobody_or_by_nobody_is_refused(app: App) -> None:
    with pytest.raises(UnknownRecord):
        app.judge_gate("content", "nobody", "level", passed=True, actor="gate")
    with pytest.raises(UnknownKind):
        app.judge_gate("content", "c1", "no such gate", passed=True, actor="gate")


def test_several_gates_must_all_pass(opened: Any) -> None:
    workflow = content()

    @workflow.gate("VALIDATED", tier=2)
    def grammar(work: Work) -> Done[None]:
        return Done()

    app: App = opened(workflow)
    app.admit("content", {"item_id": "c1", "state": "CANDIDATE"})
    app.judge_gate("content", "c1", "level", passed=True, actor="gate")
    with pytest.raises(GateRejected) as refusal:
        app.move("content", "c1", actor="ann", state="VALIDATED")
    assert refusal.value.facts["gates"] == ["grammar has not run"]
    app.judge_gate("content", "c1", "grammar", passed=True, actor="gate")
    assert app.move("content", "c1", actor="ann", state="VALIDATED").outcome == "moved"


def test_a_driven_move_waits_for_the_gates_of_its_own_axis(opened: Any, whole: Any) -> None:
    table = Table("pairs", MetaData(), Column("id", String(9), primary_key=True))
    workflow = Workflow(
        "pairs",
        records=table,
        axes=[Axis("one", LEFT, prefix="one_"), Axis("two", RIGHT, prefix="two_")],
        rules=[entering(one="b").moves(two={"x": "y"})],
    )

    @workflow.gate("y")
    def fit(work: Work) -> Done[None]:
        return Done()

    app: App = opened(workflow)
    app.admit("pairs", {"id": "p"})
    with pytest.raises(GateRejected):
        app.move("pairs", "p", actor="ann", one="b")
    app.judge_gate("pairs", "p", "fit", passed=True, actor="gate")
    assert [move.new for move in app.move("pairs", "p", actor="ann", one="b").driven] == ["y"]
    whole(app)
