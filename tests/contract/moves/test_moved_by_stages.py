"""An axis that stages move is moved by stages, rules, retry and cancel; a person needs the named override, which the ledger shows."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, Text

from interlock import App, Axis, Done, Failed, Machine, Outcome, Work, Workflow, entering, operator, retry
from interlock.errors import BadDeclaration, InvalidStateTransition, MovedByStages, NotPermitted
from tests.contract.working import Boxed

UPLOAD = Machine(
    "upload",
    initial="waiting",
    moves={
        "waiting": ["running", "error"],
        "running": ["done", "error"],
        "error": [retry("waiting")],
        "done": [operator("waiting")],
    },
)
CURATION = Machine("curation", initial="New", states=["New", "Rejected"])


def uploads() -> Workflow:
    table = Table("uploads", MetaData(), Column("id", String(40), primary_key=True), Column("note", Text))
    workflow = Workflow(
        "uploads",
        noun="upload",
        records=table,
        axes=[Axis("status", UPLOAD, moved_by="stages"), Axis("curation", CURATION, prefix="curation_")],
        rules=[entering(curation="Rejected").moves(status={"waiting": "error"})],
    )

    @workflow.stage(waiting="waiting", running="running", done="done", failed="error")
    def parse(work: Work) -> Outcome[None]:
        return Failed("BAD", "no", None, final=True) if str(work.id).startswith("bad") else Done()

    return workflow


def entries(app: App, id: str) -> list[tuple[Any, ...]]:
    return [
        (move.old, move.new, move.origin, move.cause, move.actor, move.role, move.reason)
        for move in app.ledger.history("uploads", id, axis="status")
    ][1:]


def test_a_person_cannot_claim_what_a_stage_has_to_do(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    app.admit_many("uploads", [{"id": "a"}, {"id": "b"}])
    for said in (
        {},
        {"reason": "I know"},
        {"role": "operator", "reason": "I know"},
        {"role": "admin", "reason": "I know", "key": "k"},
    ):
        with pytest.raises(MovedByStages) as refusal:
            app.move("uploads", "a", actor="carl", status="running", **said)
        assert (refusal.value.code, "override=True" in refusal.value.hint) == ("ILK-219", True)
    answers = app.move_many(
        "uploads", ["a", "b"], actor="carl", role="operator", reason="both", status="running"
    )
    assert [(answer.outcome, answer.error and answer.error.code) for answer in answers] == [
        ("refused", "ILK-219")
    ] * 2
    (admitted,) = app.admit_many("uploads", [{"id": "c", "status": "running"}])
    assert admitted.error is not None
    assert [app.get("uploads", id)["status"] for id in "ab"] == ["waiting", "waiting"]
    assert entries(app, "a") == entries(app, "b") == []
    assert app.move("uploads", "a", actor="carl", curation="Rejected").driven[0].new == "error"  # a rule may
    assert app.get("uploads", "a")["status"] == "error"
    whole(app)


def test_stages_retry_cancel_and_declared_operator_moves_move_it(boxed: Boxed) -> None:
    box = boxed(uploads())
    box.admit_many("uploads", [{"id": "good"}, {"id": "bad"}])
    box.drain()
    assert [box.get("uploads", id)["status"] for id in ("good", "bad")] == ["done", "error"]
    assert box.retry("uploads", "bad", actor="ann", reason="again").new == "waiting"
    assert box.cancel("uploads", "bad", actor="ann", reason="never mind").new == "error"
    assert (
        box.move("uploads", "good", actor="ann", role="operator", reason="anew", status="waiting").new
        == "waiting"
    )
    assert [entry[3] for entry in entries(box, "bad")][-2:] == ["command.retry", "command.cancel"]
    preview = box.operations.preview(
        "uploads", act="move", axis="status", to="running", ids=["good"], role="operator", reason="r"
    )
    assert "ILK-219" in str(preview)


def test_an_operator_overrides_it_with_a_reason_and_the_entry_shows_that(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    app.admit("uploads", {"id": "a"})
    for said in ({"role": "operator"}, {"reason": "why"}, {"role": "curator", "reason": "why"}):
        with pytest.raises(NotPermitted) as refusal:
            app.move("uploads", "a", actor="carl", override=True, status="running", **said)
        assert refusal.value.code == "ILK-211"
    with pytest.raises(InvalidStateTransition):
        app.move("uploads", "a", actor="olga", role="operator", reason="stuck", override=True, status="done")
    assert app.get("uploads", "a")["status"] == "waiting"
    answer = app.move(
        "uploads", "a", actor="olga", role="operator", reason="stuck", override=True, status="error"
    )
    assert (answer.outcome, answer.new) == ("moved", "error")
    assert entries(app, "a") == [
        ("waiting", "error", "operator", "command.override", "olga", "operator", "stuck")
    ]
    with pytest.raises(NotPermitted, match="only a retry takes it"):
        app.move(
            "uploads", "a", actor="olga", role="operator", reason="stuck", override=True, status="waiting"
        )
    assert app.get("uploads", "a")["status"] == "error"
    whole(app)


def test_moved_by_knows_two_words() -> None:
    with pytest.raises(BadDeclaration, match="moved_by"):
        Axis("status", UPLOAD, moved_by="nobody")  # type: ignore[arg-type]
