"""The press: articles that editors approve, as a team of its own would declare them."""

from __future__ import annotations

from collections.abc import Sequence

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
    delete,
)

from interlock import Axis, Done, Failed, Machine, Move, Outcome, Work, Workflow, entering, operator

DESK = Machine(
    "desk",
    initial="DRAFT",
    moves={"DRAFT": ["CANDIDATE"], "CANDIDATE": ["VALIDATED"], "VALIDATED": [operator("APPROVED")]},
)


def declare() -> list[Workflow]:
    """The workflows, anew for each app."""
    metadata = MetaData()
    articles = Table(
        "articles",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("author", Text, nullable=False),
        Column("section", String(20)),
        Column("words", Integer),
    )
    excerpts = Table(
        "excerpts",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
    )
    own_work = entering(state="APPROVED").requires(
        articles.c.author != bindparam("actor"), says="authors never approve their own", code="OWN_WORK"
    )
    workflow = Workflow(
        "articles",
        noun="article",
        records=articles,
        axes=[Axis("state", DESK)],
        rules=[own_work],
        tables=[excerpts],
    )

    @workflow.gate("VALIDATED")
    def length(work: Work) -> Outcome[None]:
        words = work.record["words"]
        return Done(words=words) if words >= 3 else Failed("TOO_SHORT", f"{words} words", final=True)

    @workflow.stage(waiting="CANDIDATE", done="VALIDATED")
    def validate(work: Work) -> Outcome[None]:
        return Done()

    @workflow.on_remove
    def forget(tx: Connection, removals: Sequence[Move]) -> None:
        tx.execute(delete(excerpts).where(excerpts.c.article_id.in_([move.id for move in removals])))

    return [workflow]


workflows = declare()
