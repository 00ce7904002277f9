"""Writes mentions and clusters inside a transaction that the engine holds; processing an item again replaces its mentions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, or_, select, text

from interlock import Work, insert_rows
from interlock.extension import Instant

from .extraction.clusters import cluster_key, cluster_label
from .extraction.mentions import Mention
from .tables import theme_clusters, theme_mentions

NEW_CLUSTER = text(
    "INSERT INTO theme_clusters (canonical_theme, cluster, label, first_mentioned_at) "
    "VALUES (:canonical_theme, :cluster, :label, :first_mentioned_at) ON CONFLICT DO NOTHING"
).bindparams(bindparam("first_mentioned_at", type_=Instant()))


def replace_mentions(tx: Connection, results: Sequence[tuple[Work, Sequence[Mention]]], at: datetime) -> None:
    """Store the mentions of each (item, pipeline), and none of an earlier attempt of theirs."""
    by_pipeline: dict[str, list[Any]] = {}
    for work, _ in results:
        by_pipeline.setdefault(str(work.scope), []).append(work.id)
    earlier = [
        and_(theme_mentions.c.pipeline == pipeline, theme_mentions.c.content_item_id.in_(ids))
        for pipeline, ids in sorted(by_pipeline.items())
    ]
    if not earlier:
        return
    tx.execute(delete(theme_mentions).where(or_(*earlier)))
    rows = [row for work, mentions in results for row in mention_rows(work, mentions, at)]
    if rows:
        insert_rows(tx, theme_mentions, rows)
        add_clusters(tx, rows, at)


def mention_rows(work: Work, mentions: Sequence[Mention], at: datetime) -> list[dict[str, Any]]:
    """Return the rows of one item's mentions; an item without a date, or with one that is still to come, was mentioned when it was
    extracted: it would be among the top themes until then."""
    return [
        {
            "content_item_id": work.id,
            "pipeline": work.scope,
            "raw_theme": one.theme,
            "canonical_theme": one.key,
            "tickers": list(one.tickers),
            "sentiment": one.sentiment,
            "confidence": one.confidence,
            "excerpt": one.excerpt,
            "mentioned_at": min(work.record["published_at"] or at, at),
            "extracted_at": at,
        }
        for one in mentions
    ]


def add_clusters(tx: Connection, rows: Sequence[Mapping[str, Any]], at: datetime) -> None:
    """Add the clusters of themes that were never mentioned before, in the order of their keys."""
    labels = {str(row["canonical_theme"]): str(row["raw_theme"]) for row in rows}
    there = set(
        tx.execute(
            select(theme_clusters.c.canonical_theme).where(theme_clusters.c.canonical_theme.in_(labels))
        ).scalars()
    )
    missing = [
        {
            "canonical_theme": key,
            "cluster": cluster_key(key),
            "label": cluster_label(cluster_key(key), [labels[key]]),
            "first_mentioned_at": at,
        }
        for key in sorted(labels.keys() - there)
    ]
    if missing:
        tx.execute(NEW_CLUSTER, missing)
