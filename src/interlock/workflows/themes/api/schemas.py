"""The schemas of requests and answers about sources, items and themes, as the OpenAPI document shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from interlock.http import Reason, Shape

from ..tables import LARGEST_ID

Pipeline = Literal["technical", "fundamental"]
Status = Literal["pending", "in_progress", "processed", "failed_retryable", "failed_terminal"]
Resettable = Literal["processed", "failed_terminal"]
SourceType = Literal["substack", "twitter", "news", "reddit", "rss"]
Pipelines = Annotated[list[Pipeline], Field(max_length=2, examples=[["technical", "fundamental"]])]
Sentiment = Literal["bullish", "bearish", "neutral"]


class SourceCommand(Shape):
    """A source to add. `url` is the address of its feed, where it has one."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1, max_length=200, examples=["The wire"])]
    source_type: SourceType
    url: Annotated[str | None, Field(max_length=2_000, examples=["https://example.com/feed.xml"])] = None
    pipelines: Pipelines = Field(default_factory=lambda: list[Pipeline](("technical", "fundamental")))
    is_active: bool = True
    priority: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = 0
    fetch_interval_minutes: Annotated[int, Field(ge=1, le=43_200)] = 60


class ReassignCommand(Shape):
    """What a source feeds from now on."""

    model_config = ConfigDict(extra="forbid", strict=True)
    reason: Reason
    pipelines: Pipelines | None = None
    is_active: bool | None = None


class Source(Shape):
    """A source; `fetch_error` is what went wrong when its feed was fetched last."""

    id: int
    name: str
    source_type: str
    url: str | None
    pipelines: list[str]
    is_active: bool
    priority: int
    fetch_interval_minutes: int
    fetched_at: datetime | None
    fetch_error: str | None


class Sources(Shape):
    sources: list[Source]


class Reassigned(Shape):
    """The source as it is now, the pipelines that came and went, and how many state rows were added, how many attempts were ended."""

    source: Source
    added: list[str]
    removed: list[str]
    rows_added: int
    rows_ended: int


class ItemCommand(Shape):
    """One item; without `external_id` its URL identifies it, else its text."""

    model_config = ConfigDict(extra="forbid", strict=True)
    source_id: Annotated[int, Field(ge=1, le=LARGEST_ID)]
    external_id: Annotated[str | None, Field(max_length=5_000)] = None
    title: Annotated[str | None, Field(max_length=5_000, examples=["Chip makers rally"])] = None
    content: Annotated[str | None, Field(max_length=2_000_000)] = None
    published_at: Annotated[
        str | int | float | None,
        Field(examples=["2026-03-01T09:00:00Z"], description="ISO 8601, or seconds since 1970."),
    ] = None
    url: Annotated[str | None, Field(max_length=2_000)] = None
    author: Annotated[str | None, Field(max_length=1_000)] = None


class ItemsCommand(Shape):
    model_config = ConfigDict(extra="forbid", strict=True)
    items: Annotated[list[ItemCommand], Field(min_length=1, max_length=1_000)]


class AdmittedItem(Shape):
    """What came of one item: `admitted`, `exists` with the id of the one that is there, or `refused` with the problem."""

    id: int | None
    outcome: str
    problem: str | None


class AdmittedItems(Shape):
    items: list[AdmittedItem]


class ListedItem(Shape):
    """An item with its compatibility fields and the status of each of its pipelines."""

    id: int
    source_id: int
    source_type: str
    external_id: str
    title: str | None
    url: str | None
    author: str | None
    published_at: datetime | None
    created_at: datetime | None
    is_processed: bool
    processed_at: datetime | None
    extraction_error: str | None
    pipelines: dict[str, str]


class ItemPage(Shape):
    """A page of items, the newest first; `next` leads to the one behind it, and is null on the last."""

    items: list[ListedItem]
    next: str | None


class PipelineState(Shape):
    """The state of an item in one pipeline."""

    id: int
    content_item_id: int
    pipeline: str
    status: str
    version: int
    attempt_count: int
    error_code: str | None
    error_message: str | None
    last_attempt_at: datetime | None
    processed_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None


class ItemAnswer(Shape):
    """An item with its text, its compatibility fields, and its state in each pipeline."""

    id: int
    source_id: int
    source_type: str
    external_id: str
    title: str | None
    content: str | None
    url: str | None
    author: str | None
    published_at: datetime | None
    created_at: datetime | None
    is_processed: bool
    processed_at: datetime | None
    extraction_error: str | None
    pipelines: list[PipelineState]


class Mention(Shape):
    """One theme in one article, as one pipeline sees it."""

    pipeline: str
    canonical_theme: str
    raw_theme: str
    tickers: list[str]
    sentiment: Sentiment
    confidence: float
    excerpt: str
    mentioned_at: datetime
    extracted_at: datetime


class Mentions(Shape):
    mentions: list[Mention]


class ResetCommand(Shape):
    """What to process again; without a pipeline, every pipeline of the item. `dry_run` only counts."""

    model_config = ConfigDict(extra="forbid", strict=True)
    reason: Reason
    pipeline: Pipeline | None = None
    dry_run: bool = False


class Reset(Shape):
    """What was reset; `counts` are by the status that a row had, `skipped` maps pipelines to the status in which they stay."""

    id: int
    dry_run: bool
    counts: dict[str, int]
    skipped: dict[str, str]
    reset: list[str]


class ResetManyCommand(Shape):
    """Which items of a pipeline to process again: every part that is there must hold. Ages are spans such as 2h."""

    model_config = ConfigDict(extra="forbid", strict=True)
    pipeline: Pipeline
    reason: Reason
    status: list[Resettable] = Field(
        default_factory=lambda: list[Resettable](("processed", "failed_terminal")), min_length=1, max_length=2
    )
    error: Annotated[str | None, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")] = None
    source_id: Annotated[int | None, Field(ge=1, le=LARGEST_ID)] = None
    older: Annotated[str | None, Field(max_length=20)] = None
    younger: Annotated[str | None, Field(max_length=20)] = None
    text: Annotated[str | None, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")] = None
    dry_run: bool = False


class ResetMany(Shape):
    """How many items match and what would come of them; without `dry_run` the operation that resets them."""

    dry_run: bool
    records: int
    counts: dict[str, int]
    operation: str | None


class TopTheme(Shape):
    """A cluster of themes with how often it was mentioned within the window."""

    theme: str
    label: str
    mentions: int
    items: int
    confidence: float
    bullish: int
    bearish: int
    neutral: int
    tickers: list[str]


class Top(Shape):
    window: str
    pipeline: str | None
    themes: list[TopTheme]


class ClusterMention(Mention):
    item_id: int
    title: str | None


class ClusterTheme(Shape):
    """A theme of a cluster, with its mentions by pipeline."""

    canonical_theme: str
    mentions: dict[str, int]


class Cluster(Shape):
    """A cluster of themes and its newest mentions."""

    cluster: str
    label: str
    first_mentioned_at: datetime
    themes: list[ClusterTheme]
    mentions: list[ClusterMention]


class InvariantResult(Shape):
    """An invariant of the spec: whether it holds now, at most 100 ids of what breaks it, how many ledger entries are exempt from it, and
    the command that mends it where one is safe."""

    id: str
    severity: str
    statement: str
    holds: bool
    offending: list[str]
    exempt: int
    repair: str | None


class PipelineHealth(Shape):
    """The figures of one pipeline; ages are in seconds, ratios are those of the last 30 days."""

    pipeline: str
    counts: dict[str, int]
    pending_age: dict[str, float]
    retry_age: dict[str, float]
    processed_recently: int
    without_mentions: int
    attempted_recently: int
    parse_failures: int
    retryable_last_day: int
    retryable_day_before: int
    without_mentions_ratio: float
    parse_failure_rate: float
    retryable_growth: float


class Alert(Shape):
    pipeline: str
    alert: str


class PausedPipeline(Shape):
    pipeline: str | None
    until: datetime | None
    reason: str | None


class HealthAnswer(Shape):
    """Figures, alerts and drift of each pipeline, what is paused, and the invariants; `ok` where nothing calls for a person."""

    ok: bool
    pipelines: list[PipelineHealth]
    alerts: list[Alert]
    drift: list[Alert]
    paused: list[PausedPipeline]
    invariants: list[InvariantResult]


class Invariants(Shape):
    """The versioned spec with the result of every invariant, and the deviations that were accepted."""

    name: str
    version: int
    invariants: list[InvariantResult]
    deviations: list[dict[str, Any]]
