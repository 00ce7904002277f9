"""Workflows whose axes live apart: domains() with its second axis in a state table, and a rule that only requires, in one row."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table

from interlock import Axis, Machine, Workflow, entering, leaving, retry
from tests.kinds import CURATION, PROCESSING, plain

SCOPE = "site"
SERVICE = Machine(
    "service",
    initial="queued",
    moves={
        "queued": ["running"],
        "running": ["done", "failed"],
        "failed": [retry("queued"), retry("running"), "abandoned"],
    },
)


def split_domains() -> Workflow:
    """The rules of domains(), but the processing status stands in a table of its own."""
    metadata = MetaData()
    table = Table("split_domains", metadata, Column("id", Integer, primary_key=True))
    state = Table(
        "split_domain_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("domain_id", ForeignKey("split_domains.id"), nullable=False),
        Column("scope", String(20), nullable=False),
    )
    return Workflow(
        "split-domains",
        records=table,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis("processing_status", PROCESSING, prefix="processing_", table=state, scope=(SCOPE,)),
        ],
        rules=[
            entering(curation_status="Selected").moves(
                processing_status={None: "Queued", "Failed": "Queued", "Complete": "Queued"}
            ),
            leaving(curation_status="Selected").moves(processing_status={"Queued": None}),
            entering(processing_status={"Queued", "Processing"}).requires(curation_status="Selected"),
        ],
    )


def requiring_domains() -> Workflow:
    """Two axes in one row; nothing is driven, so only the comparison of the asked axis can keep the rule."""
    table = Table("requiring_domains", MetaData(), Column("id", Integer, primary_key=True))
    return Workflow(
        "requiring-domains",
        records=table,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis("processing_status", PROCESSING, prefix="processing_"),
        ],
        rules=[entering(processing_status={"Processing"}).requires(curation_status="Selected")],
    )


def services() -> Workflow:
    """A failed record can be retried or abandoned, not both."""
    return plain(SERVICE, "services")
