"""Shapes of one axis: the plain one, and what a team adds to it: facts, hooks, failures, gates and domain rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text

from interlock import Axis, Done, Failed, Move, Outcome, Work, Workflow

from ..kind import KIND, UPLOAD
from ..whole import reference
from .shape import KEY, Shape, admit_rows, insert_rows

FINISHED = frozenset({(KIND, "status", "normalized")})
FIRST: dict[str, Any] = {
    "waiting": "queued_for_parse",
    "running": "parsing",
    "done": "parsed",
    "failed": "error",
}
SECOND: dict[str, Any] = {
    "waiting": "parsed",
    "running": "normalizing",
    "done": "normalized",
    "failed": "error",
}
ROWS_SAVED = 20


def uploads(*columns: Column[Any], beside: Table | None = None) -> Workflow:
    """The records of W, with some more columns, and a table that stages or hooks write."""
    table = Table("uploads", MetaData(), Column("id", KEY, primary_key=True), *columns)
    return Workflow(
        KIND,
        noun="upload",
        records=table,
        axes=[Axis("status", UPLOAD)],
        tables=[] if beside is None else [beside],
    )


def add_no_op_stages(workflow: Workflow) -> None:
    for name, states in (("parse", FIRST), ("normalize", SECOND)):

        def stage(work: Work) -> Done[None]:
            return Done()

        stage.__name__ = name
        workflow.stage(**states)(stage)


def facts() -> Sequence[Workflow]:
    """Every `done` writes two columns."""
    workflow = uploads(
        Column("rows_read", Integer),
        Column("log_ref", Text),
        Column("rows_kept", Integer),
        Column("title", Text),
    )

    @workflow.stage(**FIRST)
    def parse(work: Work) -> Done[None]:
        return Done(rows_read=work.id % 1000, log_ref=f"/logs/{work.id}/parse.json")

    @workflow.stage(**SECOND)
    def normalize(work: Work) -> Done[None]:
        return Done(rows_kept=work.id % 900, title=f"statement of {work.id}")

    return [workflow]


def hook() -> Sequence[Workflow]:
    """One row for every move, inserted set-based in the move's transaction."""
    log = Table(
        "upload_log",
        MetaData(),
        Column("id", KEY, primary_key=True),
        Column("upload_id", KEY, nullable=False),
        Column("state", Text, nullable=False),
    )
    workflow = uploads(beside=log)
    add_no_op_stages(workflow)

    @workflow.on_move()
    def keep_log(tx: Connection, moves: Sequence[Move]) -> None:
        insert_rows(
            tx,
            log,
            {"upload_id": "bigint", "state": "text"},
            {"upload_id": [int(move.id) for move in moves], "state": [move.new for move in moves]},
        )

    return [workflow]


def failures() -> Sequence[Workflow]:
    """In each stage one in ten fails once, and is tried again by its row."""
    workflow = uploads()

    @workflow.stage(**FIRST, retry=["0s", "1s"])
    def parse(work: Work) -> Outcome[None]:
        return Failed("BROKEN", "once") if work.id % 10 == 0 and work.last_error is None else Done()

    @workflow.stage(**SECOND, retry=["0s", "1s"])
    def normalize(work: Work) -> Outcome[None]:
        return Failed("BROKEN", "once") if work.id % 10 == 5 and work.last_error is None else Done()

    return [workflow]


def gates() -> Sequence[Workflow]:
    """Three gates for each record, all of which pass; their verdicts are stored."""
    workflow = uploads()
    add_no_op_stages(workflow)
    for number in (1, 2, 3):

        def gate(work: Work) -> Outcome[None]:
            return Done()

        gate.__name__ = f"gate_{number}"
        workflow.gate("normalized", tier=number)(gate)
    return [workflow]


def save_many() -> Sequence[Workflow]:
    """Twenty domain rows for each record, in the finish of its second stage."""
    lines = Table(
        "upload_lines",
        MetaData(),
        Column("id", KEY, primary_key=True),
        Column("upload_id", KEY, nullable=False),
        Column("line", Integer, nullable=False),
        Column("body", Text, nullable=False),
    )
    workflow = uploads(beside=lines)
    columns = {"upload_id": "bigint", "line": "int", "body": "text"}

    @workflow.stage(**FIRST)
    def parse(work: Work) -> Done[None]:
        return Done()

    @workflow.stage(**SECOND)
    def normalize(work: Work) -> Done[list[str]]:
        return Done([f"line {number} of {work.id}" for number in range(ROWS_SAVED)])

    def keep(tx: Connection, results: Sequence[tuple[Work, list[str]]]) -> None:
        insert_rows(
            tx,
            lines,
            columns,
            {
                "upload_id": [int(work.id) for work, bodies in results for _ in bodies],
                "line": [number for _, bodies in results for number in range(len(bodies))],
                "body": [body for _, bodies in results for body in bodies],
            },
        )

    if hasattr(normalize, "save_many"):
        normalize.save_many(keep)
    else:
        normalize.save(lambda tx, work, result: keep(tx, [(work, result)]))
    return [workflow]


PLAIN = Shape("plain", lambda: [reference()], admit_rows(KIND), FINISHED)
SHAPES = (
    Shape("facts", facts, admit_rows(KIND), FINISHED),
    Shape("hook", hook, admit_rows(KIND), FINISHED),
    Shape("failures", failures, admit_rows(KIND), FINISHED),
    Shape("save_many", save_many, admit_rows(KIND), FINISHED),
    Shape("gates", gates, admit_rows(KIND), FINISHED, unit="items/s"),
)
