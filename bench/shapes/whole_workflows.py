"""Shapes that are about more than moves: records that bring others, and the statements, content and themes workflows as they are."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path

from sqlalchemy import Column, MetaData, Table, Text

from interlock import App, Axis, Done, Machine, Work, Workflow
from interlock.workflows.content.commands.importing import read_file
from interlock.workflows.content.commands.source import Local
from interlock.workflows.content.workflow import declare as declare_content
from interlock.workflows.statements.uploads.receiving import receive
from interlock.workflows.statements.workflow import declare
from interlock.workflows.themes.extraction.mentions import Mention
from interlock.workflows.themes.items import ingest
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.sources import add_source
from interlock.workflows.themes.workflow import declare as declare_themes
from tests.content.sample_items import write_file

from .shape import ADMITTED_AT_ONCE, KEY, Shape, admit_rows

CHILDREN = 50
CSV_ROWS = 20
IMPORTED_AT_ONCE = 500
SITE = Machine("site", initial="waiting", moves={"waiting": ["reading"], "reading": ["read", "failed"]})
PAGE = Machine("page", initial="new", moves={"new": ["kept"]})


def children() -> Sequence[Workflow]:
    """Each record finds fifty others, under a natural key."""
    metadata = MetaData()
    sites = Table("sites", metadata, Column("id", KEY, primary_key=True))
    pages = Table("pages", metadata, Column("id", KEY, primary_key=True), Column("url", Text, nullable=False))
    parents = Workflow("sites", noun="site", records=sites, axes=[Axis("status", SITE)])
    kept = Workflow("pages", noun="page", records=pages, unique=[pages.c.url], axes=[Axis("status", PAGE)])

    @parents.stage(waiting="waiting", running="reading", done="read", failed="failed")
    def read(work: Work) -> Done[None]:
        return Done(
            admits={
                "pages": [{"url": f"https://example.org/{work.id}/{number}"} for number in range(CHILDREN)]
            }
        )

    return [parents, kept]


def statements() -> Sequence[Workflow]:
    """Both real stages; a runner's threads parse, for what is measured is not how long a process takes to start."""
    workflow = declare()
    workflow.stages["parse"].isolate = False
    workflow.stages["parse"].memory = None
    return [workflow]


def upload_files(app: App, records: int) -> None:
    """Each another file of twenty rows, taken in as the service does it. Not part of what is timed."""
    assert app.files is not None
    workflow = app.workflow("statements")
    for number in range(records):
        rows = "".join(
            f"01/{row % 28 + 1:02d}/2024,SHOP {row} OF {number},-{row + 1}.{number % 100:02d}\n"
            for row in range(CSV_ROWS)
        )
        content = f"Date,Description,Amount\n{rows}".encode()
        with app.files.receive() as file:
            file.write(content)
            receive(app, workflow, file, f"{number}.csv", None, actor="bench")


def content() -> Sequence[Workflow]:
    """Eight gates for each item: five of the text, two that ask the database, and one of a team's own."""
    return [declare_content(external={"provider": lambda item: None})]


def import_items(app: App, records: int) -> None:
    """A JSON Lines file, imported as the command does it, up to the gates. Not part of what is timed."""
    source = Local(app, "bench")
    with tempfile.TemporaryDirectory() as folder:
        items = read_file(write_file(Path(folder) / "items.jsonl", records))
        while part := list(islice(items, IMPORTED_AT_ONCE)):
            new = [row["item_id"] for row in source.submit(part)]
            rows = source.validate(new)
            assert all(row["outcome"] == "moved" for row in rows), "an item was not promoted"


def themes() -> Sequence[Workflow]:
    """Pairs, order, mirror, mentions and clusters as they are; what an article is about is known, for extractors are measured apart."""
    mention = Mention("AI chips", "ai_chip", ("NVDA",), "bullish", 0.9, "Demand for AI chips is strong.")
    return [declare_themes(Options(fetch=False), extract=lambda title, content, pipeline: [mention])]


def shuffled(number: int) -> int:
    """An instant at which an article was published, in no order: the newest first is another order than that of arrival."""
    return 1_700_000_000 + number * 7919 % 1_000_003


def admit_articles(app: App, records: int, published: Callable[[int], int] = shuffled) -> None:
    """Articles of one source that feeds both pipelines. Not part of what is timed."""
    source = add_source(app, name="bench", source_type="news")["id"]
    for start in range(0, records, ADMITTED_AT_ONCE):
        admit_more(app, source, range(start, min(start + ADMITTED_AT_ONCE, records)), published)


def admit_more(app: App, source: int, numbers: Iterable[int], published: Callable[[int], int]) -> None:
    """Admit articles with these numbers to a source, as the API does it."""
    entries = [
        {
            "external_id": str(number),
            "title": f"Article {number}",
            "content": "Demand for AI chips is strong.",
            "published_at": published(number),
        }
        for number in numbers
    ]
    rows = ingest(app, entries, actor="bench", source_id=source)
    assert all(row["outcome"] == "admitted" for row in rows), "an article was not admitted"


SHAPES = (
    Shape(
        "children",
        children,
        admit_rows("sites"),
        frozenset({("pages", "status", "new")}),
        expected=CHILDREN,
        unit="rows/s",
        per_record=CHILDREN,
        share=1 / 20,
    ),
    Shape(
        "statements",
        statements,
        upload_files,
        frozenset({("statements", "status", "normalized")}),
        unit="uploads/s",
        share=1 / 20,
    ),
    Shape(
        "content",
        content,
        import_items,
        frozenset({("content", "state", "VALIDATED")}),
        unit="items/s",
        share=1 / 2,
    ),
    Shape(
        "themes",
        themes,
        admit_articles,
        frozenset({("themes", "status", "processed")}),
        expected=2,
        share=1 / 2,
    ),
)
