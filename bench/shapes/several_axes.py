"""Shapes with more than one status for each record: axes that rules join, and a scoped axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ForeignKey, MetaData, Select, Table, Text, UniqueConstraint

from interlock import App, Axis, Done, Machine, Work, Workflow, entering, leaving
from interlock.workflow.columns.instant import Instant

from .shape import ADMITTED_AT_ONCE, KEY, Shape, admit_rows

CURATION = Machine("curation", initial="New", states=["New", "Selected", "Maybe", "Discarded"])
PROCESSING = Machine(
    "processing",
    initial=None,
    moves={
        None: ["Queued"],
        "Queued": ["Processing", None],
        "Processing": ["Complete", "Failed"],
        "Failed": ["Queued"],
        "Complete": ["Queued"],
    },
)
PUBLISHING = Machine(
    "publishing",
    initial=None,
    moves={None: ["Due"], "Due": ["Publishing"], "Publishing": ["Published", "Stuck"], "Stuck": ["Due"]},
)
EXTRACTION = Machine(
    "extraction",
    initial="pending",
    moves={
        "pending": ["in_progress"],
        "in_progress": ["processed", "failed_retryable", "failed_terminal"],
        "failed_retryable": ["in_progress", "failed_terminal"],
    },
)
SCOPES = ("technical", "fundamental")
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def domains(*more: Axis, rules: Sequence[Any] = ()) -> Workflow:
    """The scraping shape: curation drives processing, and processing asks curation."""
    table = Table("domains", MetaData(), Column("id", KEY, primary_key=True), Column("title", Text))
    workflow = Workflow(
        "domains",
        noun="domain",
        records=table,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis("processing_status", PROCESSING, prefix="processing_"),
            *more,
        ],
        rules=[
            entering(curation_status="Selected").moves(
                processing_status={None: "Queued", "Failed": "Queued", "Complete": "Queued"}
            ),
            leaving(curation_status="Selected").moves(processing_status={"Queued": None}),
            entering(processing_status={"Queued", "Processing"}).requires(curation_status="Selected"),
            *rules,
        ],
    )

    @workflow.stage(
        axis="processing_status", waiting="Queued", running="Processing", done="Complete", failed="Failed"
    )
    def visit(work: Work) -> Done[None]:
        return Done(title=f"title of {work.id}")

    return workflow


def two_axes() -> Sequence[Workflow]:
    return [domains()]


def driven_axis() -> Sequence[Workflow]:
    """What one axis finishes puts another into the queue of the next stage."""
    workflow = domains(
        Axis("publishing_status", PUBLISHING, prefix="publishing_"),
        rules=[
            entering(processing_status="Complete").moves(publishing_status={None: "Due"}),
            entering(publishing_status="Publishing").requires(processing_status="Complete"),
        ],
    )

    @workflow.stage(
        axis="publishing_status", waiting="Due", running="Publishing", done="Published", failed="Stuck"
    )
    def publish(work: Work) -> Done[None]:
        return Done()

    return [workflow]


def select_domains(app: App, records: int) -> None:
    """Admit and curate: the rule puts each into the queue. Not part of what is timed."""
    for start in range(0, records, ADMITTED_AT_ONCE):
        rows: list[dict[str, Any]] = [{}] * min(ADMITTED_AT_ONCE, records - start)
        ids = [answer.id for answer in app.admit_many("domains", rows, actor="bench")]
        answers = app.move_many("domains", ids, actor="bench", curation_status="Selected")
        assert all(answer.outcome == "moved" for answer in answers), "a record was not curated"


def scoped(pairs: Callable[[MetaData, Table], Select[Any]] | None = None) -> Sequence[Workflow]:
    """Two scopes, two waiting states, the newest first by a copy of the record's column."""
    metadata = MetaData()
    items = Table(
        "items",
        metadata,
        Column("id", KEY, primary_key=True),
        Column("published_at", Instant(), nullable=False),
    )
    state = Table(
        "item_state",
        metadata,
        Column("id", KEY, primary_key=True),
        Column("item_id", ForeignKey(items.c.id), nullable=False),
        Column("pipeline", Text, nullable=False),
        UniqueConstraint("item_id", "pipeline"),
    )
    wanted = None if pairs is None else pairs(metadata, items)
    beside = [table for table in metadata.sorted_tables if table not in (items, state)]
    workflow = Workflow(
        "items",
        noun="item",
        records=items,
        tables=beside,
        axes=[
            Axis(
                "status",
                EXTRACTION,
                table=state,
                scope=SCOPES,
                scope_column="pipeline",
                copies={"published_at": items.c.published_at},
                pairs=wanted,
            )
        ],
    )

    @workflow.stage(
        waiting={"pending", "failed_retryable"},
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s", "1m"],
        order=items.c.published_at.desc(),
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    return [workflow]


def item(number: int) -> dict[str, Any]:
    """As feeds bring them: one a minute, each published at some time within the hour before it arrived."""
    return {"published_at": BEGAN + timedelta(minutes=number, seconds=-(number * 7919 % 3_600))}


def shuffled_item(number: int) -> dict[str, Any]:
    """Published in no order at all, as when an archive is imported: every row of a batch is on a page of its own."""
    return {"published_at": BEGAN + timedelta(seconds=number * 7919 % 1_000_003)}


SHAPES = (
    Shape("two_axes", two_axes, select_domains, frozenset({("domains", "processing_status", "Complete")})),
    Shape(
        "driven_axis", driven_axis, select_domains, frozenset({("domains", "publishing_status", "Published")})
    ),
    Shape(
        "scoped",
        scoped,
        admit_rows("items", item),
        frozenset({("items", "status", "processed")}),
        expected=len(SCOPES),
    ),
    Shape(
        "scoped_shuffled",
        scoped,
        admit_rows("items", shuffled_item),
        frozenset({("items", "status", "processed")}),
        expected=len(SCOPES),
    ),
)
