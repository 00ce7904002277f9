"""Hooks of removals: once per batch, in the closing transaction, while the records are there; whatever they raise refuses the removal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, Table, Text, delete, select

from interlock import App, Axis, Machine, Move, Workflow
from interlock.authority.command import asked
from interlock.errors import BadDeclaration, HookFailed, RuleRefused, UnknownRecord
from interlock.store.tables import verdict
from tests.kinds import open_app, themes

LINE = Machine("line", initial="draft", moves={"draft": ["ready"]})
ADMIN = {"actor": "ann", "role": "admin", "reason": "asked for"}


def texts(seen: list[list[Move]], refuse: Any = None) -> Workflow:
    """Records with pages in a table of their own, which reference them and do not go by themselves."""
    metadata = MetaData()
    table = Table("texts", metadata, Column("id", Integer, primary_key=True), Column("title", Text))
    pages = Table(
        "pages",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("text_id", ForeignKey("texts.id"), nullable=False),
    )
    workflow = Workflow("texts", noun="text", records=table, axes=[Axis("status", LINE)], tables=[pages])

    @workflow.on_remove
    def forget(tx: Connection, removals: Sequence[Move]) -> None:
        seen.append(list(removals))
        ids = [move.id for move in removals]
        assert len(tx.execute(select(table.c.id).where(table.c.id.in_(ids))).all()) == len(ids)
        tx.execute(delete(pages).where(pages.c.text_id.in_(ids)))
        if refuse is not None:
            refuse(removals)

    return workflow


def filled(app: App) -> App:
    app.admit_many("texts", [{"id": number, "title": f"t{number}"} for number in (1, 2, 3)])
    app.move("texts", 1, actor="bob", status="ready")
    with app.database.write() as tx:
        tx.execute(pages_of(app).insert(), [{"id": n, "text_id": 1 + n % 3} for n in range(9)])
    return app


def pages_of(app: App) -> Table:
    return app.workflow("texts").tables[0]


def pages(app: App, id: int) -> int:
    table = pages_of(app)
    with app.database.read() as tx:
        return len(tx.execute(select(table.c.id).where(table.c.text_id == id)).all())


@pytest.mark.parametrize("origin", ["erase", "deletion"])
def test_what_belongs_to_a_record_leaves_in_the_transaction_that_removes_it(
    opened: Any, whole: Any, origin: str
) -> None:
    seen: list[list[Move]] = []
    app = filled(opened(texts(seen)))
    act = app.erase if origin == "erase" else app.delete
    assert act("texts", 1, **ADMIN).outcome == {"erase": "erased", "deletion": "deleted"}[origin]
    ((move,),) = seen
    assert (move.kind, move.id, move.axis, move.scope, move.version) == ("texts", 1, "status", None, 2)
    assert (move.old, move.new, move.actor, move.role, move.reason) == (
        "ready",
        None,
        "ann",
        "admin",
        "asked for",
    )
    assert (move.origin, move.cause) == (origin, {"erase": "text.erased", "deletion": "text.deleted"}[origin])
    with pytest.raises(UnknownRecord):
        app.get("texts", 1)
    last = app.ledger.history("texts", 1)[-1]
    assert (last.version, last.old, last.origin, last.at) == (2, "ready", origin, move.at)
    assert [pages(app, id) for id in (1, 2, 3)] == [0, 3, 3]
    whole(app)


def test_a_hook_that_raises_refuses_the_removal_and_leaves_everything(opened: Any, whole: Any) -> None:
    def refuse(removals: Sequence[Move]) -> None:
        raise LookupError("it is cited elsewhere")

    app = filled(opened(texts([], refuse)))
    with pytest.raises(HookFailed, match="hook forget failed: LookupError: it is cited elsewhere"):
        app.erase("texts", 1, **ADMIN)
    assert (app.get("texts", 1)["status"], pages(app, 1)) == ("ready", 3)
    assert [move.new for move in app.ledger.history("texts", 1)] == ["draft", "ready"]
    with app.database.read() as tx:
        (row,) = tx.execute(select(verdict)).all()
    assert (row.record_id, row.verdict, row.code) == ("1", "refused", "ILK-214")
    whole(app)


def test_a_refusal_of_its_own_is_answered_as_it_is(opened: Any, whole: Any) -> None:
    def refuse(removals: Sequence[Move]) -> None:
        raise RuleRefused("texts that were cited stay")

    app = filled(opened(texts([], refuse)))
    with pytest.raises(RuleRefused, match="texts that were cited stay"):
        app.delete("texts", 1, **ADMIN)
    assert (app.get("texts", 1)["version"], pages(app, 1)) == (1, 3)
    whole(app)


def test_a_batch_calls_it_once_with_every_record(opened: Any, whole: Any) -> None:
    seen: list[list[Move]] = []
    app = filled(opened(texts(seen)))
    workflow, closing = app.workflow("texts"), app.authority.removal
    order = closing.order(workflow, "erase", **ADMIN)
    wanted = asked(app.authority.mover.plans.place(workflow, order.axis), [1, 2, 3, 4])
    with app.database.write() as tx:
        answers = closing.run(tx, order, wanted, [0, 1, 2, 3], app.clock.now()).answers
    assert [answers[number].outcome for number in range(4)] == ["erased", "erased", "erased", "unknown"]
    assert [[move.id for move in moves] for moves in seen] == [[1, 2, 3]]
    assert [app.ledger.history("texts", id)[-1].origin for id in (1, 2, 3)] == ["erase"] * 3
    assert [pages(app, id) for id in (1, 2, 3)] == [0, 0, 0]
    whole(app)


def test_what_is_not_there_calls_no_hook(opened: Any) -> None:
    seen: list[list[Move]] = []
    app = filled(opened(texts(seen)))
    with pytest.raises(UnknownRecord):
        app.erase("texts", 99, **ADMIN)
    assert seen == []


def test_in_a_callers_transaction_it_is_undone_with_it(opened: Any, whole: Any) -> None:
    seen: list[list[Move]] = []
    app = filled(opened(texts(seen)))
    with app.database.engine.connect() as tx:
        app.erase("texts", 1, **ADMIN, tx=tx)
        tx.rollback()
    assert len(seen) == 1
    assert (app.get("texts", 1)["status"], pages(app, 1)) == ("ready", 3)
    assert app.ledger.history("texts", 1)[-1].new == "ready"
    whole(app)


def test_a_record_with_scopes_is_one_removal(opened: Any, whole: Any) -> None:
    workflow, seen = themes(), []

    @workflow.on_remove
    def forget(tx: Connection, removals: Sequence[Move]) -> None:
        seen.extend((move.id, move.axis, move.scope, move.old) for move in removals)

    app: App = opened(workflow)
    app.admit("themes", {"id": 1, "title": "t"})
    app.erase("themes", 1, **ADMIN)
    assert seen == [(1, "curation_status", None, "New")]
    assert sum(move.origin == "erase" for move in app.ledger.history("themes", 1)) == 3
    whole(app)


def test_it_is_declared_before_the_app_is_made(database_url: str) -> None:
    workflow = texts([])
    app = open_app(database_url, workflow)
    with pytest.raises(BadDeclaration, match="is frozen"):
        workflow.on_remove(lambda tx, removals: None)
    app.close()


@pytest.mark.parametrize("origin", ["erase", "deletion"])
def test_what_is_called_after_a_removal_sees_it_committed_and_cannot_undo_it(
    opened: Any, whole: Any, origin: str
) -> None:
    seen: list[Any] = []
    workflow = texts([])

    @workflow.after_remove
    def tell(app: App, answers: Sequence[Any]) -> None:
        for answer in answers:
            with pytest.raises(UnknownRecord):
                app.get("texts", answer.id)
            seen.append((answer.id, answer.outcome, app.ledger.history("texts", answer.id)[-1].origin))
        raise LookupError("it cannot be told")

    app = filled(opened(workflow))
    act = app.erase if origin == "erase" else app.delete
    assert act("texts", 1, **ADMIN).outcome == {"erase": "erased", "deletion": "deleted"}[origin]
    assert seen == [(1, {"erase": "erased", "deletion": "deleted"}[origin], origin)]
    whole(app)


def test_nothing_is_called_after_a_removal_that_is_refused_or_that_the_caller_may_still_undo(
    opened: Any,
) -> None:
    seen: list[Any] = []

    def refuse(removals: Sequence[Move]) -> None:
        if removals[0].id == 1:
            raise RuleRefused("texts that were cited stay")

    workflow = texts([], refuse)
    workflow.after_remove(lambda app, answers: seen.extend(answers))
    app = filled(opened(workflow))
    with pytest.raises(RuleRefused):
        app.erase("texts", 1, **ADMIN)
    with suppress(LookupError), app.database.write() as tx:
        app.erase("texts", 2, tx=tx, **ADMIN)
        raise LookupError("changed my mind")
    assert (seen, app.get("texts", 2)["status"]) == ([], "draft")
