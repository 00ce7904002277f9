"""Hooks of refusals, called in the transaction that records them: what they write stays; whatever they raise, the refusal stands."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, insert, select

from interlock import App, Axis, Machine, Move, Refusal, Workflow
from interlock.errors import BadDeclaration, ConcurrentModificationError, InvalidStateTransition, RuleRefused
from interlock.store.tables import verdict
from tests.kinds import open_app

LINE = Machine("line", initial="draft", moves={"draft": ["ready"], "ready": ["sent"]})


def texts(fault: Exception | None = None) -> tuple[Workflow, Table]:
    """Texts of which number 13 is never ready, and a table of the attempts."""
    metadata = MetaData()
    table = Table("texts", metadata, Column("id", Integer, primary_key=True), Column("title", Text))
    attempts = Table(
        "attempts", metadata, Column("text_id", Integer), Column("actor", Text), Column("what", Text)
    )
    workflow = Workflow(
        "texts",
        noun="text",
        records=table,
        axes=[Axis("status", LINE)],
        tables=[attempts],
        amendable=[table.c.title],
    )

    @workflow.on_move("ready", amended=True)
    def refuse_thirteen(tx: Connection, moves: Sequence[Move]) -> None:
        if any(move.id == 13 for move in moves):
            raise RuleRefused("never thirteen", rule_code="UNLUCKY")

    @workflow.on_refusal
    def log(tx: Connection, refusals: Sequence[Refusal]) -> None:
        rows = [
            {"text_id": one.id, "actor": one.actor, "what": f"{one.origin}: {one.error.code}"}
            for one in refusals
        ]
        tx.execute(insert(attempts), rows)
        if fault is not None:
            raise fault

    return workflow, attempts


def opened(database_url: str, workflow: Workflow, *ids: int) -> App:
    app = open_app(database_url, workflow)
    app.admit_many("texts", [{"id": id, "title": "one"} for id in ids])
    return app


def logged(app: App, table: Table) -> list[tuple[Any, ...]]:
    with app.database.read() as tx:
        return sorted(tuple(row) for row in tx.execute(select(table)))


def test_what_the_hook_writes_about_a_refused_batch_stays_and_the_others_move(database_url: str) -> None:
    workflow, attempts = texts()
    app = opened(database_url, workflow, 1, 13, 2)
    answers = app.move_many("texts", [1, 13, 2], actor="ann", status="ready")
    assert [one.outcome for one in answers] == ["moved", "refused", "moved"]
    assert logged(app, attempts) == [(13, "ann", "move: ILK-205")]
    assert [app.get("texts", id)["status"] for id in (1, 13, 2)] == ["ready", "draft", "ready"]
    app.close()


@pytest.mark.parametrize("key", [None, "k"])
def test_an_illegal_move_is_a_refusal_and_a_conflict_is_none(database_url: str, key: str | None) -> None:
    workflow, attempts = texts()
    app = opened(database_url, workflow, 1)
    with pytest.raises(InvalidStateTransition):
        app.move("texts", 1, actor="ann", key=key, status="sent")
    with pytest.raises(ConcurrentModificationError):
        app.move("texts", 1, actor="ann", version=7, status="ready")
    assert [row[:2] for row in logged(app, attempts)] == [(1, "ann")]
    assert [move.new for move in app.ledger.history("texts", 1)] == ["draft"]
    app.close()


def test_in_a_transaction_of_the_callers_it_stays_where_that_commits(database_url: str) -> None:
    workflow, attempts = texts()
    app = opened(database_url, workflow, 13)
    with app.database.write() as tx, pytest.raises(RuleRefused):
        app.move("texts", 13, actor="ann", tx=tx, status="ready")
    assert len(logged(app, attempts)) == 1
    with pytest.raises(RuleRefused), app.database.write() as tx:
        app.move("texts", 13, actor="ben", tx=tx, status="ready")
    assert [row[1] for row in logged(app, attempts)] == ["ann"]
    app.close()


def test_a_hook_that_raises_is_logged_and_takes_neither_the_refusal_nor_its_verdict_along(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    workflow, attempts = texts(fault=LookupError("no such table"))
    app = opened(database_url, workflow, 13)
    with (
        caplog.at_level(logging.ERROR, "interlock.authority"),
        pytest.raises(RuleRefused, match="never thirteen"),
    ):
        app.move("texts", 13, actor="ann", status="ready")
    assert "the refusal it was called with stands" in caplog.text
    assert logged(app, attempts) == []
    with app.database.read() as tx:
        assert tx.execute(select(verdict.c.code)).scalars().all() == ["ILK-205"]
    app.close()


def test_a_hook_is_declared_before_the_app_and_takes_what_it_is_called_with(database_url: str) -> None:
    workflow, _ = texts()
    workflow.on_refusal(lambda tx: None)
    with pytest.raises(BadDeclaration, match="refusals"):
        open_app(database_url, workflow)
