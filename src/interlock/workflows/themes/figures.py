"""Figures of each pipeline: how many rows are where and for how long, how many results were empty or unreadable, and alerts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, exists, func, select

from interlock import Workflow
from interlock.extension import Clock, Figure

from .compat import EMPTY, FAILED, PARSE_FAILURE
from .tables import PIPELINES, STATUSES, content_items, pipeline_state, theme_mentions

WINDOW: Final = timedelta(days=30)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Thresholds:
    """What is too much: shares of rows, and growth over the day before from so many rows on."""

    without_mentions: float
    parse_failures: float
    growth: float
    growth_from: int


ALERTS: Final = Thresholds(0.20, 0.25, 2.0, 10)
DRIFT: Final = Thresholds(0.10, 0.30, 2.0, 25)


@dataclass(frozen=True)
class PipelineFigures:
    """The figures of one pipeline. Counts and ages cover all rows; ratios only items of the last 30 days. Ages are in seconds."""

    pipeline: str
    counts: Mapping[str, int] = field(default_factory=dict)
    pending_age: Mapping[str, float] = field(default_factory=dict)
    retry_age: Mapping[str, float] = field(default_factory=dict)
    processed_recently: int = 0
    without_mentions: int = 0
    attempted_recently: int = 0
    parse_failures: int = 0
    retryable_last_day: int = 0
    retryable_day_before: int = 0

    @property
    def without_mentions_ratio(self) -> float:
        """The share of processed items that have no mention."""
        return self.without_mentions / self.processed_recently if self.processed_recently else 0.0

    @property
    def parse_failure_rate(self) -> float:
        """The share of attempted items whose newest answer could not be read."""
        return self.parse_failures / self.attempted_recently if self.attempted_recently else 0.0

    @property
    def retryable_growth(self) -> float:
        """Retryable failures of the last 24 hours over those of the 24 hours before, at least one."""
        return self.retryable_last_day / max(1, self.retryable_day_before)

    def exceeding(self, limits: Thresholds) -> list[str]:
        """Return what is beyond these thresholds."""
        growing = self.retryable_last_day >= limits.growth_from and self.retryable_growth > limits.growth
        beyond = {
            "processed_without_mentions": self.without_mentions_ratio > limits.without_mentions,
            "parse_failures": self.parse_failure_rate > limits.parse_failures,
            "retryable_growth": growing,
        }
        return [name for name, is_beyond in beyond.items() if is_beyond]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures with the ratios, as the API answers them."""
        return {
            **asdict(self),
            "without_mentions_ratio": round(self.without_mentions_ratio, 4),
            "parse_failure_rate": round(self.parse_failure_rate, 4),
            "retryable_growth": round(self.retryable_growth, 4),
        }


def read_figures(tx: Connection, now: datetime) -> list[PipelineFigures]:
    """Return the figures of every pipeline at this instant."""
    counted = _counts(tx)
    recent = _recent(tx, now)
    return [
        PipelineFigures(
            pipeline,
            counts := {status: counted.get((pipeline, status), 0) for status in STATUSES},
            _ages(tx, pipeline, "pending", pipeline_state.c.since, counts["pending"], now),
            _ages(
                tx,
                pipeline,
                "failed_retryable",
                pipeline_state.c.last_attempt_at,
                counts["failed_retryable"],
                now,
            ),
            **recent.get(pipeline, {}),
        )
        for pipeline in PIPELINES
    ]


def _counts(tx: Connection) -> dict[tuple[str, str], int]:
    rows = pipeline_state.c
    query = select(rows.pipeline, rows.status, func.count()).group_by(rows.pipeline, rows.status)
    return {(pipeline, status): number for pipeline, status, number in tx.execute(query)}


def _ages(
    tx: Connection, pipeline: str, status: str, since: ColumnElement[Any], number: int, now: datetime
) -> dict[str, float]:
    """Return the median and the 95th percentile of the age of what is in a status, by nearest rank; 0 where nothing is."""
    ages = {}
    for name, share in (("p50", 0.50), ("p95", 0.95)):
        rank = max(1, ceil(share * number))
        query = (
            select(since)
            .where(pipeline_state.c.pipeline == pipeline, pipeline_state.c.status == status)
            .where(since.is_not(None))
            .order_by(since.desc())
            .offset(rank - 1)
            .limit(1)
        )
        at = tx.execute(query).scalar() if number else None
        ages[name] = max(0.0, (now - at).total_seconds()) if at is not None else 0.0
    return ages


def _recent(tx: Connection, now: datetime) -> dict[str, dict[str, int]]:
    """Return what ratios are made of, by pipeline: items of the window, and retryable failures of the last two days."""
    rows = pipeline_state.c
    is_recent = func.coalesce(content_items.c.published_at, content_items.c.created_at) >= now - WINDOW
    processed = and_(is_recent, rows.status == "processed")
    mentioned = exists().where(
        theme_mentions.c.content_item_id == rows.content_item_id,
        theme_mentions.c.pipeline == rows.pipeline,
    )
    attempted = and_(is_recent, rows.status.in_(("processed", *FAILED)))
    retryable = and_(rows.status == "failed_retryable", func.coalesce(rows.error_code, "") != EMPTY)
    numbers = {
        "processed_recently": processed,
        "without_mentions": and_(processed, ~mentioned),
        "attempted_recently": attempted,
        "parse_failures": and_(attempted, rows.status.in_(FAILED), rows.error_code == PARSE_FAILURE),
        "retryable_last_day": and_(retryable, rows.last_attempt_at > now - DAY),
        "retryable_day_before": and_(
            retryable, rows.last_attempt_at > now - 2 * DAY, rows.last_attempt_at <= now - DAY
        ),
    }
    query = (
        select(rows.pipeline, *(func.count().filter(one).label(name) for name, one in numbers.items()))
        .join(content_items, content_items.c.id == rows.content_item_id)
        .group_by(rows.pipeline)
    )
    return {row["pipeline"]: {name: row[name] for name in numbers} for row in tx.execute(query).mappings()}


def metrics(clock: Clock) -> Any:
    """Return the function that a scrape calls for this workflow's figures."""

    def measured(tx: Connection, workflow: Workflow) -> Iterable[Figure]:
        return as_metrics(read_figures(tx, clock.now()))

    return measured


def as_metrics(figures: Iterable[PipelineFigures]) -> list[Figure]:
    """Return the figures for Prometheus."""
    items = Figure("interlock_themes_items", "Items in each status, by pipeline.", ("pipeline", "status"))
    ages = Figure(
        "interlock_themes_age_seconds",
        "Age of pending rows, and of retryable failures since their last attempt: median and 95th percentile.",
        ("pipeline", "status", "share"),
    )
    ratios = {
        "without_mentions_ratio": Figure(
            "interlock_themes_without_mentions_ratio",
            "Share of items of the last 30 days that were processed and have no mention.",
            ("pipeline",),
        ),
        "parse_failure_rate": Figure(
            "interlock_themes_parse_failure_rate",
            "Share of items of the last 30 days whose newest answer could not be read.",
            ("pipeline",),
        ),
        "retryable_growth": Figure(
            "interlock_themes_retryable_growth",
            "Retryable failures of the last 24 hours over those of the 24 hours before.",
            ("pipeline",),
        ),
    }
    alert = Figure(
        "interlock_themes_alert",
        "1 where a threshold is exceeded: level is alert or drift.",
        ("pipeline", "level", "alert"),
    )
    for one in figures:
        for status, number in one.counts.items():
            items.put(number, one.pipeline, status)
        for status, spread in (("pending", one.pending_age), ("failed_retryable", one.retry_age)):
            for share, name in (("0.5", "p50"), ("0.95", "p95")):
                ages.put(spread[name], one.pipeline, status, share)
        for name, figure in ratios.items():
            figure.put(getattr(one, name), one.pipeline)
        for level, limits in (("alert", ALERTS), ("drift", DRIFT)):
            beyond = one.exceeding(limits)
            for name in ("processed_without_mentions", "parse_failures", "retryable_growth"):
                alert.put(float(name in beyond), one.pipeline, level, name)
    return [items, ages, *ratios.values(), alert]
