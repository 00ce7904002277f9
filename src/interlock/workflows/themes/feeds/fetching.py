"""Fetches the feeds of sources that are due, and makes items of what they have; a feed that fails never keeps the others waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import select, update

from interlock import App

from ...scraping.web.addresses import Network
from ...scraping.web.faults import FetchFault
from ...scraping.web.fetching import Fetched, Fetcher
from ..items import ingest
from ..tables import content_sources
from .reading import MOST_BYTES, read_items

ACCEPT: Final = "application/rss+xml,application/atom+xml,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
AT_ONCE: Final = 20
"""Feeds that one tick fetches; the others are due at the next one."""
CHUNK: Final = 500
INTERVAL = 1.0
"""Seconds between two requests to one host."""
ACTOR: Final = "feeds"


@dataclass
class Fetching:
    """What came of one tick."""

    fetched: int = 0
    unchanged: int = 0
    failed: int = 0
    admitted: int = 0
    problems: list[str] = field(default_factory=list)


def fetch_due(app: App, now: datetime, allowed: Sequence[Network] = ()) -> Fetching:
    """Fetch the feeds that are due at this instant, the most important first, and make items of what is new."""
    sources = due_sources(app, now)
    done = Fetching()
    if not sources:
        return done
    answers = asyncio.run(_fetch_all([(one["url"], _conditions(one)) for one in sources], allowed))
    for source, answer in zip(sources, answers, strict=True):
        _keep(app, source, answer, now, done)
    return done


def due_sources(app: App, now: datetime) -> list[dict[str, Any]]:
    """Return the active sources with a feed whose interval has passed."""
    table = content_sources.c
    query = select(content_sources).where(table.is_active, table.url.is_not(None))
    with app.database.read() as tx:
        rows = tx.execute(query.order_by(table.priority.desc(), table.fetched_at, table.id)).mappings()
        due = [dict(row) for row in rows if _is_due(row["fetched_at"], row["fetch_interval_minutes"], now)]
    return due[:AT_ONCE]


def _is_due(fetched_at: datetime | None, minutes: int, now: datetime) -> bool:
    return fetched_at is None or fetched_at + timedelta(minutes=minutes) <= now


def _conditions(source: dict[str, Any]) -> dict[str, str]:
    """Return the headers that spare a site an answer that is known already."""
    names = {"If-None-Match": source["etag"], "If-Modified-Since": source["last_modified"]}
    return {name: value for name, value in names.items() if value}


async def _fetch_all(
    wanted: Sequence[tuple[str, dict[str, str]]], allowed: Sequence[Network]
) -> list[Fetched | BaseException]:
    fetcher = Fetcher(interval=INTERVAL, allowed=allowed)
    try:
        return await asyncio.gather(
            *(fetcher.get(url, limit=MOST_BYTES, accept=ACCEPT, known=known) for url, known in wanted),
            return_exceptions=True,
        )
    finally:
        await fetcher.close()


def _keep(
    app: App, source: dict[str, Any], answer: Fetched | BaseException, now: datetime, done: Fetching
) -> None:
    """Make items of an answer, and note on its source when it was fetched and what went wrong."""
    values: dict[str, Any] = {"fetched_at": now, "fetch_error": None}
    if isinstance(answer, BaseException):
        if not isinstance(answer, Exception):
            raise answer
        is_fault = isinstance(answer, FetchFault)
        values["fetch_error"] = (str(answer) if is_fault else f"{type(answer).__name__}: {answer}")[:1000]
        done.failed += 1
    elif answer.is_unchanged:
        done.unchanged += 1
    else:
        problems = _admit(app, source, answer, done)
        values["fetch_error"] = "; ".join(problems[:5])[:1000] or None
        values["etag"] = answer.headers.get("etag", "")[:300] or None
        values["last_modified"] = answer.headers.get("last-modified", "")[:100] or None
    if values["fetch_error"]:
        done.problems.append(f"{source['name']}: {values['fetch_error']}")
    with app.database.write() as tx:
        tx.execute(update(content_sources).where(content_sources.c.id == source["id"]).values(values))


def _admit(app: App, source: dict[str, Any], answer: Fetched, done: Fetching) -> list[str]:
    """Make items of a feed; returns what could not be read."""
    reading = read_items(answer.content, "feed.xml" if answer.content.lstrip()[:1] == b"<" else "")
    for start in range(0, len(reading.items), CHUNK):
        rows = ingest(app, reading.items[start : start + CHUNK], actor=ACTOR, source_id=source["id"])
        done.admitted += sum(row["outcome"] == "admitted" for row in rows)
        reading.problems += [row["problem"] for row in rows if row["problem"]]
    done.fetched += 1
    return reading.problems
