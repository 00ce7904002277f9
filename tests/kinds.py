"""Small workflows shaped like the four real ones, made fresh for each test: tables and machines of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text, bindparam

from interlock import (
    Again,
    App,
    Axis,
    Done,
    Failed,
    Machine,
    Move,
    Work,
    Workflow,
    during,
    entering,
    leaving,
    operator,
    retry,
)

UPLOAD = Machine(
    "upload",
    initial="queued_for_parse",
    moves={
        "queued_for_parse": ["parsing", "error"],
        "parsing": ["parsed", "error"],
        "parsed": ["normalizing", "error"],
        "normalizing": ["normalized", "error"],
        "error": [retry("queued_for_parse"), retry("parsed")],
    },
)
LIFECYCLE = Machine(
    "content",
    initial="DRAFT",
    moves={"DRAFT": ["CANDIDATE"], "CANDIDATE": ["VALIDATED"], "VALIDATED": [operator("APPROVED")]},
)
CURATION = Machine(
    "curation",
    initial="New",
    states=["New", "Selected", "Maybe", "Discarded"],
    aliases={"Archived": "Discarded"},
)
PROCESSING = Machine(
    "processing",
    initial=None,
    aliases={"Error": "Failed"},
    moves={
        None: ["Queued"],
        "Queued": ["Processing", None],
        "Processing": ["Complete", "Failed"],
        "Failed": ["Queued"],
        "Complete": ["Queued"],
    },
)
EXTRACTION = Machine(
    "extraction",
    initial="pending",
    moves={
        "pending": ["in_progress"],
        "in_progress": ["processed", "failed_retryable", "failed_terminal"],
        "processed": [operator("pending")],
        "failed_retryable": ["in_progress", "failed_terminal"],
        "failed_terminal": [operator("pending")],
    },
)


def uploads() -> Workflow:
    """One axis, two stages, retries from an error; text ids and a natural key."""
    table = Table(
        "uploads",
        MetaData(),
        Column("id", String(40), primary_key=True),
        Column("file_hash", Text),
        Column("observations_count", Integer),
        Column("canonicals_count", Integer),
    )
    workflow = Workflow(
        "statements",
        noun="upload",
        records=table,
        unique=[table.c.file_hash],
        axes=[Axis("status", UPLOAD, max_retries="max_retries", retries_reset_at={"normalized"})],
    )

    @workflow.stage(
        waiting="queued_for_parse",
        running="parsing",
        done="parsed",
        failed="error",
        retry=["2s", "4s", "8s"],
        retry_in="runner",
        deadline="60m",
    )
    def parse(work: Work) -> Done[None] | Failed[None]:
        return Done(observations_count=1)

    @workflow.stage(
        waiting="parsed",
        running="normalizing",
        done="normalized",
        failed="error",
        only_if=table.c.observations_count > 0,
    )
    def normalize(work: Work) -> Done[None]:
        return Done(canonicals_count=1)

    return workflow


def domains() -> Workflow:
    """Two axes in one row with rules between them; integer ids, null as a state."""
    table = Table(
        "domains",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("host", Text, unique=True),
        Column("title", Text),
    )
    workflow = Workflow(
        "domains",
        noun="domain",
        records=table,
        unique=[table.c.host],
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis(
                "processing_status",
                PROCESSING,
                prefix="processing_",
                columns={"error_message": "processing_error"},
                stamps={"Queued": "queued_at"},
            ),
        ],
        rules=[
            entering(curation_status="Selected").moves(
                processing_status={None: "Queued", "Failed": "Queued", "Complete": "Queued"}
            ),
            leaving(curation_status="Selected").moves(processing_status={"Queued": None}),
            during(curation_status="Selected").moves(processing_status={None: "Queued"}),
            entering(processing_status={"Queued", "Processing"}).requires(curation_status="Selected"),
        ],
    )

    @workflow.stage(
        waiting="Queued",
        running="Processing",
        done="Complete",
        failed="Failed",
        retry=["5m", "10m", "20m"],
        rate="10/m",
    )
    def domain(work: Work) -> Done[None] | Again:
        return Done(title="a title")

    return workflow


def content() -> Workflow:
    """Forward only, a gate, an operator's approval that authors may not give themselves, a payload table per state, a frozen table."""
    metadata = MetaData()
    items = Table(
        "items",
        metadata,
        Column("item_id", String(40), primary_key=True),
        Column("author", Text),
        Column("level", Text),
        Column("rejected_at", Text),
    )
    approved = Table(
        "approved_items",
        metadata,
        Column("item_id", String(40), primary_key=True),
        Column("approved_by", Text),
    )
    workflow = Workflow(
        "content",
        records=items,
        axes=[Axis("state", LIFECYCLE)],
        frozen=[approved],
        rules=[
            entering(state="APPROVED").requires(
                items.c.author != bindparam("actor"), items.c.rejected_at.is_(None)
            )
        ],
    )

    @workflow.gate("VALIDATED")
    def level(work: Work) -> Done[None] | Failed[None]:
        return Done() if work.record["level"] else Failed("LEVEL_UNKNOWN")

    @workflow.on_move("APPROVED")
    def to_approved(tx: Connection, moves: Sequence[Move]) -> None:
        tx.execute(approved.insert(), [{"item_id": move.id, "approved_by": move.actor} for move in moves])

    return workflow


def themes() -> Workflow:
    """One axis on the record and one scoped axis on a state table of its own, with rules that reach across the tables."""
    metadata = MetaData()
    items = Table("articles", metadata, Column("id", Integer, primary_key=True), Column("title", Text))
    state = Table(
        "article_pipeline_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
    )
    return Workflow(
        "themes",
        noun="article",
        records=items,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis(
                "status",
                EXTRACTION,
                table=state,
                scope=("technical", "fundamental"),
                scope_column="pipeline",
                columns={"tries": "attempt_count"},
                stamps={"in_progress": "last_attempt_at", "processed": "processed_at"},
            ),
        ],
        rules=[entering(status="in_progress").requires(curation_status={"New", "Selected"})],
    )


def four_kinds() -> list[Workflow]:
    return [uploads(), domains(), content(), themes()]


def plain(machine: Machine, name: str = "things", **options: Any) -> Workflow:
    """One machine on a bare table with text ids."""
    table = Table(name, MetaData(), Column("id", String(40), primary_key=True), Column("note", Text))
    return Workflow(name, records=table, axes=[Axis("status", machine)], **options)


PREPARED_BY: dict[str, Callable[[Sequence[Workflow]], None]] = {}
"""Databases that the user of this URL may not change: who makes them ready instead."""


def prepare(url: str, workflows: Sequence[Workflow]) -> None:
    """Have the owner of this database make it ready, where its user may not."""
    if url in PREPARED_BY:
        PREPARED_BY[url](workflows)


def open_app(url: str, *workflows: Workflow, **options: Any) -> App:
    """An app whose database is ready."""
    app = App(workflows, database=url, **options)
    prepare(url, workflows)
    app.migrate()
    return app
