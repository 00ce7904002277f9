"""Rules between axes of one row: what a move drives, what it requires, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, Text, bindparam

from interlock import App, Axis, Machine, Workflow, entering, leaving
from interlock.errors import RuleRefused
from tests.kinds import content, domains

FREE = Machine("left", initial="a", states=["a", "b", "c"])
ALSO = Machine("right", initial="x", states=["x", "y", "z"])


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(domains())
    made.admit("domains", {"id": 1, "host": "one"})
    return made


def pairs(*rules: Any) -> Workflow:
    table = Table("pairs", MetaData(), Column("id", String(9), primary_key=True), Column("note", Text))
    return Workflow(
        "pairs",
        records=table,
        axes=[Axis("one", FREE, prefix="one_"), Axis("two", ALSO, prefix="two_")],
        rules=rules,
    )


def states(app: App) -> tuple[Any, Any]:
    row = app.get("domains", 1)
    return row["curation_status"], row["processing_status"]


def test_entering_drives_the_other_axis_in_the_same_act(app: App, whole: Any) -> None:
    answer = app.move("domains", 1, actor="ann", role="curator", reason="good", curation_status="Selected")
    assert states(app) == ("Selected", "Queued")
    (driven,) = answer.driven
    assert (driven.axis, driven.old, driven.new, driven.version, driven.actor) == (
        "processing_status",
        None,
        "Queued",
        1,
        "ann",
    )
    assert (driven.origin, driven.cause) == ("rule", "rule.entering.curation_status.Selected")
    last = app.ledger.history("domains", 1)[-1]
    assert (last.axis, last.origin, last.cause, last.version) == (
        "processing_status",
        "rule",
        "rule.entering.curation_status.Selected",
        1,
    )
    whole(app)


def test_leaving_drives_back(app: App, whole: Any) -> None:
    app.move("domains", 1, actor="ann", curation_status="Selected")
    answer = app.move("domains", 1, actor="ann", curation_status="Discarded")
    assert states(app) == ("Discarded", None)
    assert [move.cause for move in answer.driven] == ["rule.leaving.curation_status.Selected"]
    whole(app)


def test_a_driven_axis_that_stands_elsewhere_is_left_alone(app: App, whole: Any) -> None:
    app.move("domains", 1, actor="ann", curation_status="Selected")
    app.move("domains", 1, actor="ann", processing_status="Processing")
    answer = app.move("domains", 1, actor="ann", curation_status="Maybe")
    assert (states(app), answer.driven) == (("Maybe", "Processing"), [])
    whole(app)


def test_selecting_what_is_selected_changes_nothing(app: App) -> None:
    app.move("domains", 1, actor="ann", curation_status="Selected")
    app.move("domains", 1, actor="ann", processing_status=None)
    before = app.get("domains", 1), len(app.ledger.history("domains", 1))
    answer = app.move("domains", 1, actor="ann", curation_status="Selected")
    assert (answer.outcome, answer.driven) == ("unchanged", [])
    assert (app.get("domains", 1), len(app.ledger.history("domains", 1))) == before


def test_entering_needs_what_the_rule_requires(app: App) -> None:
    with pytest.raises(RuleRefused) as refusal:
        app.move("domains", 1, actor="ann", processing_status="Queued")
    assert refusal.value.code == "ILK-205"
    assert "curation_status" in refusal.value.message
    assert "Selected" in refusal.value.message
    assert states(app) == ("New", None)


def test_staying_needs_nothing(app: App, whole: Any) -> None:
    app.move("domains", 1, actor="ann", curation_status="Selected")
    app.move("domains", 1, actor="ann", processing_status="Processing")
    app.move("domains", 1, actor="ann", curation_status="Discarded")
    assert app.move("domains", 1, actor="ann", processing_status="Complete").outcome == "moved"
    whole(app)


def test_moving_within_the_states_of_a_rule_is_not_entering(app: App) -> None:
    app.move("domains", 1, actor="ann", curation_status="Selected")
    app.move("domains", 1, actor="ann", processing_status="Processing")
    app.move("domains", 1, actor="ann", curation_status="Maybe")
    app.move("domains", 1, actor="ann", processing_status="Failed")
    with pytest.raises(RuleRefused):
        app.move("domains", 1, actor="ann", processing_status="Queued")


def test_a_condition_on_the_own_row_may_ask_who_moves(opened: Any) -> None:
    app: App = opened(content())
    app.admit_many(
        "content",
        [
            {"item_id": "c1", "author": "eve", "state": "CANDIDATE"},
            {"item_id": "c2", "state": "CANDIDATE"},
            {"item_id": "c3", "author": "bob", "rejected_at": "today", "state": "CANDIDATE"},
        ],
    )
    for id in ("c1", "c2", "c3"):
        app.judge_gate("content", id, "level", passed=True, actor="gate")
    app.move_many("content", ["c1", "c2", "c3"], actor="eve", state="VALIDATED")
    said = {"role": "operator", "reason": "good", "state": "APPROVED"}
    assert [
        answer.outcome for answer in app.move_many("content", ["c1", "c2", "c3"], actor="eve", **said)
    ] == ["refused"] * 3
    answers = app.move_many("content", ["c1", "c2", "c3"], actor="ann", **said)
    assert [answer.outcome for answer in answers] == [
        "moved",
        "refused",
        "refused",
    ]  # a null author is nobody one could differ from
    assert {answer.error.code for answer in answers if answer.error} == {"ILK-205"}


def test_a_condition_may_ask_for_the_role(opened: Any) -> None:
    app: App = opened(pairs(entering(one="b").requires(bindparam("role") == "chief")))
    app.admit("pairs", {"id": "p"})
    with pytest.raises(RuleRefused):
        app.move("pairs", "p", actor="ann", one="b")
    assert app.move("pairs", "p", actor="ann", role="chief", one="b").outcome == "moved"


def test_a_driven_move_is_judged_by_the_rules_too(opened: Any, whole: Any) -> None:
    app: App = opened(pairs(entering(one="b").moves(two={"x": "y"}), entering(two="y").requires(one="c")))
    app.admit("pairs", {"id": "p"})
    with pytest.raises(RuleRefused):
        app.move("pairs", "p", actor="ann", one="b")
    row = app.get("pairs", "p")
    assert (row["one"], row["two"], row["one_version"]) == ("a", "x", 0)
    whole(app)


def test_rules_that_chase_each_other_are_refused_not_endless(opened: Any, whole: Any) -> None:
    app: App = opened(pairs(entering(one="b").moves(two={"x": "y"}), entering(two="y").moves(one={"b": "c"})))
    app.admit("pairs", {"id": "p"})
    with pytest.raises(RuleRefused) as refusal:
        app.move("pairs", "p", actor="ann", one="b")
    assert "twice" in refusal.value.message
    assert app.get("pairs", "p")["one"] == "a"
    whole(app)


def test_leaving_may_require(opened: Any) -> None:
    app: App = opened(pairs(leaving(one="a").requires(two={"y", "z"})))
    app.admit("pairs", {"id": "p"})
    with pytest.raises(RuleRefused):
        app.move("pairs", "p", actor="ann", one="b")
    app.move("pairs", "p", actor="ann", two="z")
    assert app.move("pairs", "p", actor="ann", one="b").outcome == "moved"


def test_one_batch_drives_each_row_by_where_it_stands(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 7)])
    app.move_many("domains", [1, 2, 3], actor="ann", curation_status="Selected")
    app.move_many("domains", [2, 3], actor="ann", processing_status="Processing")
    app.move("domains", 3, actor="ann", processing_status="Complete")
    answers = app.move_many("domains", range(1, 7), actor="ann", curation_status="Maybe")
    assert [answer.outcome for answer in answers] == ["moved"] * 6
    assert [len(answer.driven) for answer in answers] == [1, 0, 0, 0, 0, 0]
    answers = app.move_many("domains", range(1, 7), actor="ann", curation_status="Selected")
    assert [[(move.old, move.new) for move in answer.driven] for answer in answers] == [
        [(None, "Queued")],
        [],
        [("Complete", "Queued")],
        [(None, "Queued")],
        [(None, "Queued")],
        [(None, "Queued")],
    ]
    whole(app)
