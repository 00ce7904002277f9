"""The tables of the themes workflow; the engine adds a state row's version, attempts and errors."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    cast,
    false,
    func,
    literal,
    true,
)

from interlock.extension import Instant, SystemClock

from .extraction.canonical import LONGEST_KEY
from .feeds.item import LONGEST_AUTHOR, LONGEST_ID, LONGEST_TITLE, LONGEST_URL

PIPELINES = ("technical", "fundamental")
SOURCE_TYPES = ("substack", "twitter", "news", "reddit", "rss")
LARGEST_ID = 2**53
"""No database gives larger ids than JSON can hold exactly."""
STATUSES = ("pending", "in_progress", "processed", "failed_retryable", "failed_terminal")
SENTIMENTS = ("bullish", "bearish", "neutral")
ID = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData()


def _id() -> Column[int]:
    return Column("id", ID, primary_key=True, autoincrement=True)


def _created() -> Column[Any]:
    return Column("created_at", Instant(), default=lambda: SystemClock().now())


def _one_of(column: str, values: tuple[str, ...], name: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(repr(one) for one in values)})", name=name)


content_sources = Table(
    "content_sources",
    metadata,
    _id(),
    Column("name", String(200), nullable=False, unique=True),
    Column("source_type", String(20), nullable=False),
    Column("url", String(LONGEST_URL)),
    Column("pipelines", JSON, nullable=False),
    Column("is_active", Boolean, nullable=False, server_default=true()),
    Column("priority", Integer, nullable=False, server_default="0"),
    Column("fetch_interval_minutes", Integer, nullable=False, server_default="60"),
    Column("fetched_at", Instant()),
    Column("fetch_error", Text),
    Column("etag", String(300)),
    Column("last_modified", String(100)),
    _one_of("source_type", SOURCE_TYPES, "content_sources_type"),
)
"""`pipelines` is a JSON array of names, and the truth about what a source feeds. `fetched_at` and what follows are those of its feed."""

content_items = Table(
    "content_items",
    metadata,
    _id(),
    Column("source_id", ID, ForeignKey("content_sources.id"), nullable=False, index=True),
    Column("source_type", String(20), nullable=False),
    Column("external_id", String(LONGEST_ID), nullable=False),
    Column("title", String(LONGEST_TITLE)),
    Column("content", Text),
    Column("url", String(LONGEST_URL)),
    Column("author", String(LONGEST_AUTHOR)),
    Column("published_at", Instant(), index=True),
    Column("is_processed", Boolean, nullable=False, default=False, server_default=false()),
    Column("processed_at", Instant()),
    Column("extraction_error", Text),
    _created(),
    UniqueConstraint("source_type", "external_id", name="content_items_identity"),
)
"""`is_processed`, `processed_at` and `extraction_error` are compatibility fields: a mirror of the pipeline states."""

pipeline_state = Table(
    "content_item_pipeline_state",
    metadata,
    _id(),
    Column("content_item_id", ID, ForeignKey("content_items.id", ondelete="CASCADE"), nullable=False),
    Column("pipeline", String(20), nullable=False),
    Column("empty_results", Integer),
    _created(),
    UniqueConstraint("content_item_id", "pipeline", name="content_item_pipeline_state_pair"),
    _one_of("pipeline", PIPELINES, "content_item_pipeline_state_pipeline"),
    _one_of("status", STATUSES, "content_item_pipeline_state_status"),
)
"""`empty_results` counts empty answers since the row last entered `pending`. The engine adds `status` before the table is made."""

theme_mentions = Table(
    "theme_mentions",
    metadata,
    _id(),
    Column("content_item_id", ID, ForeignKey("content_items.id", ondelete="CASCADE"), nullable=False),
    Column("pipeline", String(20), nullable=False),
    Column("raw_theme", String(200), nullable=False),
    Column("canonical_theme", String(LONGEST_KEY), nullable=False),
    Column("tickers", JSON, nullable=False),
    Column("sentiment", String(10), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("excerpt", Text, nullable=False),
    Column("mentioned_at", Instant(), nullable=False),
    Column("extracted_at", Instant(), nullable=False),
    UniqueConstraint("content_item_id", "pipeline", "canonical_theme", name="theme_mentions_once"),
    _one_of("pipeline", PIPELINES, "theme_mentions_pipeline"),
    _one_of("sentiment", SENTIMENTS, "theme_mentions_sentiment"),
)
Index("theme_mentions_by_theme", theme_mentions.c.canonical_theme, theme_mentions.c.mentioned_at)

theme_clusters = Table(
    "theme_clusters",
    metadata,
    Column("canonical_theme", String(LONGEST_KEY), primary_key=True),
    Column("cluster", String(LONGEST_KEY), nullable=False, index=True),
    Column("label", String(200), nullable=False),
    Column("first_mentioned_at", Instant(), nullable=False),
)
"""The cluster of every canonical theme that was ever mentioned."""


def is_fed(pipeline: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a source's JSON array of pipelines names this one; older systems stored names in any case."""
    stored = func.lower(cast(content_sources.c.pipelines, Text))
    return stored.like(literal('%"', Text) + pipeline + literal('"%', Text))
