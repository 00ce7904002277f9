"""Shapes that are about more than moves: records that find others, and the statements workflow as it is."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Column, MetaData, Table, Text

from interlock import App, Axis, Done, Machine, Work, Workflow
from interlock.workflows.statements.receiving import receive
from interlock.workflows.statements.workflow import declare

from .shape import KEY, Shape, admit_rows

CHILDREN = 50
CSV_ROWS = 20
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
)
