"""The records that are moved: uploads with whole-number ids through four moves, both stages declared so that every engine column exists."""

from __future__ import annotations

from itertools import pairwise

from sqlalchemy import BigInteger, Column, Integer, MetaData, Table

from interlock import Axis, Done, Machine, Work, Workflow, retry

KIND, TABLE, AXIS, ACTOR = "uploads", "uploads", "status", "bench"
STATES = ("queued_for_parse", "parsing", "parsed", "normalizing", "normalized")
MOVES = tuple(pairwise(STATES))
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


def uploads() -> Workflow:
    """Fresh tables each time: a workflow belongs to one app."""
    key = BigInteger().with_variant(Integer, "sqlite")
    table = Table(
        TABLE, MetaData(), Column("id", key, primary_key=True), Column("observations_count", Integer)
    )
    workflow = Workflow(
        KIND,
        noun="upload",
        records=table,
        axes=[Axis(AXIS, UPLOAD, max_retries="max_retries", retries_reset_at={"normalized"})],
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
    def parse(work: Work) -> Done[None]:
        return Done(observations_count=1)

    @workflow.stage(waiting="parsed", running="normalizing", done="normalized", failed="error")
    def normalize(work: Work) -> Done[None]:
        return Done()

    return workflow
