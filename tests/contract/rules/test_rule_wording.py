"""A requirement in a team's own words: its sentence and its code are in every refusal, wherever it is read."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, Text, bindparam, select

from interlock import App, Axis, Machine, Workflow, entering
from interlock.errors import BadDeclaration, RuleRefused
from interlock.observe.declared.machines import described
from interlock.store.tables import verdict
from interlock.workflow.checks.lint import refusals

LINE = Machine("line", initial="DRAFT", moves={"DRAFT": ["APPROVED", "SHELVED"], "APPROVED": ["SHELVED"]})
DESK = Machine("desk", initial="closed", states=["closed", "open"])
SENTENCE = "authors never approve their own"
WORDED = f"items: {SENTENCE} (OWN_WORK)"


def items() -> Workflow:
    table = Table("items", MetaData(), Column("id", String(9), primary_key=True), Column("author", Text))
    return Workflow(
        "items",
        records=table,
        axes=[Axis("state", LINE), Axis("desk", DESK, prefix="desk_")],
        rules=[
            entering(state="APPROVED").requires(
                table.c.author != bindparam("actor"), says=SENTENCE, code="OWN_WORK"
            ),
            entering(state="SHELVED").requires(desk="open", says="the desk is closed"),
        ],
    )


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(items())
    made.admit_many("items", [{"id": "a", "author": "ann"}, {"id": "b", "author": "bob"}])
    return made


def untouched(app: App, id: str) -> bool:
    """Whether the record is where it was admitted, and its history too."""
    history = app.ledger.history("items", id, axis="state")
    return app.get("items", id)["state"] == "DRAFT" and [move.new for move in history] == ["DRAFT"]


def test_the_sentence_and_the_code_are_in_the_refusal_and_in_its_verdict(app: App) -> None:
    with pytest.raises(RuleRefused, match="authors never approve their own") as caught:
        app.move("items", "a", actor="ann", state="APPROVED")
    assert caught.value.message == WORDED
    assert (caught.value.code, caught.value.facts["rule_code"], caught.value.facts["says"]) == (
        "ILK-205",
        "OWN_WORK",
        SENTENCE,
    )
    assert untouched(app, "a")
    with app.database.read() as tx:
        (row,) = tx.execute(select(verdict)).all()
    assert (row.record_id, row.verdict, row.code, row.message) == ("a", "refused", "ILK-205", WORDED)


def test_of_a_batch_only_whom_the_rule_means_is_refused_and_answers_like_the_move(
    app: App, whole: Any
) -> None:
    refused, moved = app.move_many("items", ["a", "b"], actor="ann", state="APPROVED")
    assert (refused.outcome, str(refused.error), moved.outcome) == ("refused", WORDED, "moved")
    assert untouched(app, "a")
    assert [move.new for move in app.ledger.history("items", "b", axis="state")] == ["DRAFT", "APPROVED"]
    whole(app)


def test_a_requirement_of_another_axis_has_its_sentence_too_and_keeps_its_facts(app: App) -> None:
    (answer,) = app.move_many("items", ["a"], actor="ann", state="SHELVED")
    assert str(answer.error) == "items: the desk is closed"
    assert answer.error is not None
    assert "rule_code" not in answer.error.facts
    assert (answer.error.facts["axis"], answer.error.facts["state"]) == ("desk", "closed")
    assert untouched(app, "a")


def test_a_repeated_command_is_answered_with_the_same_words(app: App) -> None:
    first, again = (
        app.move_many("items", ["a"], actor="ann", key="k", state="APPROVED")[0].error for _ in range(2)
    )
    assert str(first) == str(again) == WORDED
    assert first is not None
    assert again is not None
    assert first.facts == again.facts
    assert untouched(app, "a")


def test_explain_and_a_preview_have_the_sentence(app: App) -> None:
    following = {one.to: one for one in app.explain("items", "a").next if one.axis == "state"}
    assert (following["SHELVED"].code, following["SHELVED"].reason) == (
        "ILK-205",
        "items: the desk is closed",
    )
    looked = app.operations.preview(
        "items", axis="state", to="APPROVED", ids=["a", "b"], actor="ann", reason="a look"
    ).as_dict()
    assert (looked["outcomes"]["refused"], looked["outcomes"]["moved"]) == (1, 1)
    assert [one["message"] for one in looked["refusals"]] == [WORDED]
    assert untouched(app, "a")


def test_the_machines_reference_has_sentence_and_code(app: App) -> None:
    told = described(app.workflow("items"))
    (rule,) = (one for one in told["rules"] if "APPROVED" in one)
    assert f'says="{SENTENCE}", code=OWN_WORK' in rule
    (move,) = (one for one in told["axes"][0]["moves"] if one["to"] == "APPROVED")
    assert any(SENTENCE in need and "OWN_WORK" in need for need in move["needs"])


@pytest.mark.parametrize("wording", [{"says": ""}, {"says": "x" * 301}, {"code": "two words"}, {"code": ""}])
def test_a_wording_that_is_no_sentence_or_no_name_is_refused(wording: dict[str, str]) -> None:
    with pytest.raises(BadDeclaration, match="of a rule is"):
        entering(state="APPROVED").requires(desk="open", **wording)


def test_a_word_of_requires_that_is_also_an_axis_is_refused_when_the_app_is_made() -> None:
    table = Table("doubts", MetaData(), Column("id", String(9), primary_key=True))
    workflow = Workflow(
        "doubts",
        records=table,
        axes=[Axis("state", LINE), Axis("code", DESK, prefix="code_")],
        rules=[entering(state="APPROVED").requires(table.c.id != "x", code="open")],
    )
    assert any("also the name of an axis" in problem for problem in refusals(workflow))
