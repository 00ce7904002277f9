"""The press: articles that editors approve, as a team of its own would declare them."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, String, Table, Text, bindparam

from interlock import Axis, Machine, Workflow, entering, operator

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
    own_work = entering(state="APPROVED").requires(
        articles.c.author != bindparam("actor"), says="authors never approve their own", code="OWN_WORK"
    )
    return [
        Workflow("articles", noun="article", records=articles, axes=[Axis("state", DESK)], rules=[own_work])
    ]


workflows = declare()
