"""A condition with a subquery is asked of each record's own row, in rules and in `only_if`, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    exists,
    func,
    select,
)

from interlock import App, Axis, Done, Machine, Work, Workflow, entering
from interlock.errors import RuleRefused
from tests.contract.working import Boxed
from tests.kinds import EXTRACTION

ORDER = Machine("order", initial="new", moves={"new": ["ready"], "ready": ["packing"], "packing": ["packed"]})


def orders() -> tuple[Workflow, Table, Table]:
    """Orders of customers who may be banned, by somebody in particular; packed once two of their parts are there."""
    metadata = MetaData()
    table = Table("orders", metadata, Column("id", Integer, primary_key=True), Column("customer", Text))
    banned = Table("banned", metadata, Column("customer", Text), Column("by", Text))
    parts = Table("parts", metadata, Column("order_id", Integer), Column("name", Text))
    free = ~exists().where(banned.c.customer == table.c.customer, banned.c.by != bindparam("actor"))
    workflow = Workflow(
        "orders",
        records=table,
        axes=[Axis("status", ORDER)],
        tables=[banned, parts],
        rules=[entering(status="ready").requires(free)],
    )
    there = select(func.count()).select_from(parts).where(parts.c.order_id == table.c.id).scalar_subquery()

    @workflow.stage(waiting="ready", running="packing", done="packed", only_if=there >= 2)
    def pack(work: Work) -> Done[None]:
        return Done()

    return workflow, banned, parts


def insert(app: App, table: Table, *rows: dict[str, Any]) -> None:
    with app.database.write() as tx:
        tx.execute(table.insert(), list(rows))


def test_a_rule_with_a_subquery_is_asked_of_each_records_own_row(opened: Any, whole: Any) -> None:
    workflow, banned, _ = orders()
    app: App = opened(workflow)
    app.admit_many(
        "orders", [{"id": 1, "customer": "ann"}, {"id": 2, "customer": "eve"}, {"id": 3, "customer": "bob"}]
    )
    insert(app, banned, {"customer": "eve", "by": "chief"})
    with pytest.raises(RuleRefused):
        app.move("orders", 2, actor="carl", status="ready")
    answers = app.move_many("orders", [1, 2, 3], actor="carl", status="ready")
    assert [answer.outcome for answer in answers] == ["moved", "refused", "moved"]
    assert [app.get("orders", id)["status"] for id in (1, 2, 3)] == ["ready", "new", "ready"]
    assert (
        app.move("orders", 2, actor="chief", status="ready").outcome == "moved"
    )  # the actor is asked for inside of the subquery
    assert [len(app.ledger.history("orders", id)) for id in (1, 2, 3)] == [2, 2, 2]
    whole(app)


def test_only_if_with_a_subquery_begins_the_records_that_it_is_true_of(boxed: Boxed) -> None:
    workflow, _, parts = orders()
    box = boxed(workflow)
    box.admit_many("orders", [{"id": 1, "customer": "ann"}, {"id": 2, "customer": "eve"}])
    box.move_many("orders", [1, 2], actor="carl", status="ready")
    insert(
        box, parts, {"order_id": 1, "name": "a"}, {"order_id": 2, "name": "a"}, {"order_id": 2, "name": "b"}
    )
    box.drain()
    assert [box.get("orders", id)["status"] for id in (1, 2)] == ["ready", "packed"]
    assert [move.new for move in box.ledger.history("orders", 1)] == ["new", "ready"]
    insert(box, parts, {"order_id": 1, "name": "b"})
    box.advance("1h")
    box.drain()
    assert box.get("orders", 1)["status"] == "packed"


def test_a_condition_on_the_record_and_its_scoped_state_is_correlated_to_both(boxed: Boxed) -> None:
    metadata = MetaData()
    items = Table("articles", metadata, Column("id", Integer, primary_key=True), Column("feed", Text))
    quota = Table("quota", metadata, Column("feed", Text), Column("pipeline", Text))
    state = Table(
        "article_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id")),
        Column("pipeline", String(20)),
    )
    workflow = Workflow(
        "articles",
        records=items,
        tables=[quota],
        axes=[
            Axis(
                "status", EXTRACTION, table=state, scope=("technical", "fundamental"), scope_column="pipeline"
            )
        ],
    )

    @workflow.stage(
        waiting="pending",
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        only_if=exists().where(quota.c.feed == items.c.feed, quota.c.pipeline == state.c.pipeline),
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    @workflow.on_move("processed")
    def count(tx: Connection, moves: Any) -> None:
        tx.execute(quota.delete())

    box = boxed(workflow)
    box.admit_many("articles", [{"id": 1, "feed": "a"}, {"id": 2, "feed": "b"}])
    insert(box, quota, {"feed": "b", "pipeline": "technical"})
    box.drain()
    assert {
        (id, scope): box.ledger.history("articles", id, scope=scope)[-1].new
        for id in (1, 2)
        for scope in ("technical", "fundamental")
    } == {
        (1, "technical"): "pending",
        (1, "fundamental"): "pending",
        (2, "technical"): "processed",
        (2, "fundamental"): "pending",
    }
