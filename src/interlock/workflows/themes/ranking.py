"""Which themes are mentioned most, and what one cluster of themes is made of."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, distinct, func, select

from interlock import App
from interlock.errors import BadInput, UnknownRecord

from .items import MENTION, known_pipeline
from .sources import Row
from .tables import SENTIMENTS, content_items, theme_clusters, theme_mentions

MOST_THEMES: Final = 200
MOST_TICKERS: Final = 10
MOST_MENTIONS: Final = 50
LONGEST_WINDOW: Final = timedelta(days=3650)
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


def read_window(text: str) -> timedelta:
    """Return the length of a window: 24h, 7d or 4w."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not re.fullmatch(r"[0-9]{1,5}", number) or int(number) == 0:
        raise BadInput(f"{text[:40]!r} is no window", hint="Write 24h, 7d or 4w.")
    length = timedelta(**{_UNITS[unit]: int(number)})
    if length > LONGEST_WINDOW:
        raise BadInput(f"a window has at most {LONGEST_WINDOW.days:,} days")
    return length


def top_themes(app: App, *, pipeline: str | None = None, window: str = "7d", limit: int = 20) -> list[Row]:
    """Return the clusters that were mentioned most within the window: how often, in how many items, in which mood, with which tickers."""
    where = _within(app, pipeline, window)
    joined = theme_mentions.join(
        theme_clusters, theme_clusters.c.canonical_theme == theme_mentions.c.canonical_theme
    )
    number = func.count().label("mentions")
    moods = [func.count().filter(theme_mentions.c.sentiment == one).label(one) for one in SENTIMENTS]
    query = (
        select(
            theme_clusters.c.cluster,
            func.max(theme_clusters.c.label).label("label"),
            number,
            func.count(distinct(theme_mentions.c.content_item_id)).label("items"),
            func.avg(theme_mentions.c.confidence).label("confidence"),
            *moods,
        )
        .select_from(joined)
        .where(*where)
        .group_by(theme_clusters.c.cluster)
        .order_by(number.desc(), theme_clusters.c.cluster)
        .limit(limit)
    )
    with app.database.read() as tx:
        rows = tx.execute(query).mappings().all()
        tickers = _tickers(tx, joined, [row["cluster"] for row in rows], where)
    return [
        {
            "theme": row["cluster"],
            "label": row["label"],
            "mentions": row["mentions"],
            "items": row["items"],
            "confidence": round(float(row["confidence"]), 3),
            **{one: row[one] for one in SENTIMENTS},
            "tickers": tickers.get(row["cluster"], []),
        }
        for row in rows
    ]


def _within(app: App, pipeline: str | None, window: str) -> list[ColumnElement[bool]]:
    since = app.clock.now() - read_window(window)
    where: list[ColumnElement[bool]] = [theme_mentions.c.mentioned_at >= since]
    if pipeline is not None:
        where.append(theme_mentions.c.pipeline == known_pipeline(pipeline))
    return where


def _tickers(
    tx: Any, joined: Any, clusters: list[str], where: list[ColumnElement[bool]]
) -> dict[str, list[str]]:
    """Return the most frequent tickers of each cluster."""
    counts: dict[str, Counter[str]] = {}
    query = (
        select(theme_clusters.c.cluster, theme_mentions.c.tickers)
        .select_from(joined)
        .where(theme_clusters.c.cluster.in_(clusters), *where)
    )
    for cluster, tickers in tx.execute(query):
        counts.setdefault(cluster, Counter()).update(tickers or ())
    return {
        cluster: sorted(number, key=lambda one: (-number[one], one))[:MOST_TICKERS]
        for cluster, number in counts.items()
    }


def read_cluster(app: App, key: str) -> Row:
    """Return one cluster: its themes, how often each was mentioned in each pipeline, and its newest mentions.

    The key is that of the cluster, or of any theme in it.
    """
    with app.database.read() as tx:
        cluster = tx.execute(
            select(theme_clusters.c.cluster)
            .where((theme_clusters.c.canonical_theme == key) | (theme_clusters.c.cluster == key))
            .order_by((theme_clusters.c.cluster == key).desc())
            .limit(1)
        ).scalar()
        if cluster is None:
            raise UnknownRecord("cluster", key)
        members = (
            tx.execute(
                select(theme_clusters)
                .where(theme_clusters.c.cluster == cluster)
                .order_by(theme_clusters.c.canonical_theme)
            )
            .mappings()
            .all()
        )
        themes = [row["canonical_theme"] for row in members]
        counted = tx.execute(
            select(theme_mentions.c.canonical_theme, theme_mentions.c.pipeline, func.count())
            .where(theme_mentions.c.canonical_theme.in_(themes))
            .group_by(theme_mentions.c.canonical_theme, theme_mentions.c.pipeline)
        ).all()
        newest = (
            tx.execute(
                select(
                    theme_mentions.c.content_item_id.label("item_id"),
                    content_items.c.title,
                    *(theme_mentions.c[name] for name in MENTION),
                )
                .join(content_items, content_items.c.id == theme_mentions.c.content_item_id)
                .where(theme_mentions.c.canonical_theme.in_(themes))
                .order_by(theme_mentions.c.mentioned_at.desc(), theme_mentions.c.id.desc())
                .limit(MOST_MENTIONS)
            )
            .mappings()
            .all()
        )
    counts: dict[str, dict[str, int]] = {}
    for theme, pipeline, number in counted:
        counts.setdefault(theme, {})[pipeline] = number
    return {
        "cluster": cluster,
        "label": members[0]["label"],
        "first_mentioned_at": min(row["first_mentioned_at"] for row in members),
        "themes": [{"canonical_theme": one, "mentions": counts.get(one, {})} for one in themes],
        "mentions": [dict(row) for row in newest],
    }
