"""The tables of content: one spine row per item for life, one table per state for the payload. The engine adds both axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

from interlock.extension import Instant

metadata = MetaData()
MOST_AT_ONCE = 500
"""Values in one statement."""
LANGUAGES = ("EN", "IT", "PT", "SL", "ES")
LEVELS = ("A0", "A1", "A2", "B1", "B2", "C1", "C2")

RESERVED_IDS = frozenset(
    {"review-queue", "approval-stats", "promotion-failures", "records", "counts", "errors", "machines"}
    | {"pairs", "patterns", "schedules", "stages"}
)
"""What follows `/content/` in the API and is no item."""


def _item(*, primary: bool = True) -> Column[str]:
    """Whose row this is; it leaves with the item."""
    return Column(
        "item_id",
        String(64),
        ForeignKey("content_spine.item_id", ondelete="CASCADE"),
        primary_key=primary,
        nullable=False,
        index=not primary,
    )


def _number() -> Column[int]:
    return Column(
        "id", BigInteger().with_variant(Integer(), "sqlite"), Identity(always=True), primary_key=True
    )


content_spine = Table(
    "content_spine",
    metadata,
    Column("item_id", String(64), primary_key=True),
    Column("item_type", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("level", String(8), nullable=False),
    Column("author", Text, nullable=False),
    Column("source", Text),
    Column("confidence", Float),
    Column("replaces", String(64)),
    Column("content_hash", String(64), index=True),
    Column("submitted", JSON(none_as_null=True)),
    Column("validation_wanted", Boolean, nullable=False, default=False, server_default=false()),
    Column("created_at", Instant()),
)
"""`submitted` holds the payload only until the admission's hook has put it into `drafts`, in the same transaction."""
FIXED_COLUMNS = frozenset(content_spine.c.keys()) - {"validation_wanted"}
"""What an item is and who wrote it; no fact of a later move changes it."""
Index("content_spine_by_kind", content_spine.c.item_type, content_spine.c.language, content_spine.c.item_id)

drafts = Table(
    "drafts",
    metadata,
    _item(),
    Column("raw_data", JSON, nullable=False),
    Column("source", Text),
    Column("created_at", Instant(), nullable=False, index=True),
)
candidates = Table(
    "candidates",
    metadata,
    _item(),
    Column("normalized_data", JSON, nullable=False),
    Column("created_at", Instant(), nullable=False, index=True),
)
validated = Table(
    "validated",
    metadata,
    _item(),
    Column("validated_data", JSON, nullable=False),
    Column("validation_results", JSON, nullable=False),
    Column("created_at", Instant(), nullable=False, index=True),
)
content_sketches = Table(
    "content_sketches",
    metadata,
    _number(),
    _item(primary=False),
    Column("item_type", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("band", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
"""The bands of validated and approved items. Similar texts share some: the duplication gate compares a candidate with these few items
instead of with all."""
Index(
    "content_sketches_by_band",
    content_sketches.c.item_type,
    content_sketches.c.language,
    content_sketches.c.band,
)
content_editors = Table("content_editors", metadata, _item(), Column("editor", String(200), primary_key=True))
"""Everybody who has amended the payload of an item; none of them approves it."""
content_prerequisites = Table(
    "content_prerequisites",
    metadata,
    _item(),
    Column("prerequisite_id", String(64), primary_key=True, index=True),
)
"""On which items an item depends, from CANDIDATE on."""


def approved_table(name: str, *columns: Column[Any]) -> Table:
    """The table of approved items of one type, with the typed columns of its payload."""
    return Table(
        name,
        metadata,
        _item(),
        *columns,
        Column("language", String(8), nullable=False, index=True),
        Column("level", String(8), nullable=False),
        Column("prerequisites", JSON, nullable=False),
        Column("approved_at", Instant(), nullable=False),
    )


approved_meanings = approved_table(
    "approved_meanings",
    Column("word", Text, nullable=False, index=True),
    Column("definition", Text, nullable=False),
    Column("tags", JSON, nullable=False),
)
approved_utterances = approved_table(
    "approved_utterances",
    Column("meaning_id", String(64), nullable=False, index=True),
    Column("text", Text, nullable=False),
)
approved_rules = approved_table(
    "approved_rules",
    Column("title", Text, nullable=False),
    Column("explanation", Text, nullable=False),
    Column("examples", JSON, nullable=False),
)
approved_exercises = approved_table(
    "approved_exercises",
    Column("prompt", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("correct_answer", Integer, nullable=False),
    Column("languages", JSON, nullable=False),
)

approval_events = Table(
    "approval_events",
    metadata,
    _number(),
    _item(primary=False),
    Column("item_type", String(40), nullable=False),
    Column("approval_type", String(16), nullable=False),
    Column("operator_id", Text),
    Column("notes", Text),
    Column("created_at", Instant(), nullable=False),
    sqlite_autoincrement=True,
)
rejected_items = Table(
    "rejected_items",
    metadata,
    Column("item_id", String(64), primary_key=True),
    Column("item_type", String(40), nullable=False),
    Column("content_hash", String(64), nullable=False, index=True),
    Column("reason", Text, nullable=False),
    Column("operator_id", Text, nullable=False),
    Column("created_at", Instant(), nullable=False),
)
"""Without a foreign key: the hash of rejected content is remembered when its item is erased; the reason is not."""
deprecations = Table(
    "deprecations",
    metadata,
    _item(),
    Column("item_type", String(40), nullable=False),
    Column("reason", Text, nullable=False),
    Column(
        "replacement_id", String(64), ForeignKey("content_spine.item_id", ondelete="SET NULL"), index=True
    ),
    Column("operator_id", Text, nullable=False),
    Column("deprecated_at", Instant(), nullable=False),
)
immutability_violations = Table(
    "immutability_violations",
    metadata,
    _number(),
    Column("item_id", String(64), nullable=False, index=True),
    Column("item_type", String(40), nullable=False),
    Column("operation", String(16), nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text),
    Column("created_at", Instant(), nullable=False),
    sqlite_autoincrement=True,
)
"""Attempts to change approved content through Interlock; without a foreign key, so that they outlive the item, without their reasons."""

content_promotions = Table(
    "content_promotions",
    metadata,
    _item(),
    Column("state", String(16), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_at", Instant(), nullable=False),
    Column("error_code", String(64), nullable=False),
    Column("error_message", Text, nullable=False),
)
"""Promotions by a batch that failed, in the version that was tried."""

LISTED_COLUMNS = (
    "item_id",
    "item_type",
    "language",
    "level",
    "state",
    "standing",
    "version",
    "author",
    "confidence",
    "error_code",
)
"""The columns of the spine, those of its axes included, that lists of items have."""
ITEM_COLUMNS = (*LISTED_COLUMNS, "source", "replaces", "error_message")
"""The columns of the spine that the answer about one item has."""
STATE_TABLES = {"DRAFT": drafts, "CANDIDATE": candidates, "VALIDATED": validated}
PAYLOAD_COLUMNS = {"DRAFT": "raw_data", "CANDIDATE": "normalized_data", "VALIDATED": "validated_data"}
"""Where the payload of an item is in each state before APPROVED."""
SIDE_TABLES = (
    drafts,
    candidates,
    validated,
    content_sketches,
    content_prerequisites,
    content_editors,
    approval_events,
    rejected_items,
    deprecations,
    immutability_violations,
    content_promotions,
)


def in_parts(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """The values in pieces that fit into one statement."""
    return (values[start : start + MOST_AT_ONCE] for start in range(0, len(values), MOST_AT_ONCE))
