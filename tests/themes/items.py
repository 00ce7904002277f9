"""Sources and items of tests, and what is in their tables and in the ledger."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select

from interlock import App
from interlock.testing import Sandbox
from interlock.workflows.themes.tables import (
    PIPELINES,
    content_sources,
    pipeline_state,
    theme_mentions,
)

from .endpoint_server import Reply, completion

THEMES = [
    {"theme": "AI chips", "tickers": ["NVDA"], "sentiment": "bullish", "confidence": 0.9, "excerpt": "x"},
    {"theme": "Tea & houses", "tickers": [], "sentiment": "neutral", "confidence": 0.4, "excerpt": "y"},
]
TECHNICAL, FUNDAMENTAL = PIPELINES


def add_source(box: App, *pipelines: str, name: str = "n", is_active: bool = True) -> int:
    """Make a source that feeds these pipelines, all of them without a name; its id."""
    with box.database.engine.begin() as tx:
        values = {
            "name": name,
            "source_type": "news",
            "pipelines": list(pipelines or PIPELINES),
            "is_active": is_active,
        }
        made = tx.execute(insert(content_sources).values(values).returning(content_sources.c.id))
        return int(made.scalar_one())


def add_item(box: App, source: int, number: int = 1, **more: Any) -> Any:
    """Make an item of a source; its id."""
    row = {
        "source_id": source,
        "source_type": "news",
        "external_id": f"e{number}",
        "title": "T",
        "content": "C",
        **more,
    }
    return box.admit("themes", row).id


def states(box: App, item: Any) -> dict[str, dict[str, Any]]:
    """The state rows of an item, by pipeline."""
    with box.database.read() as tx:
        rows = tx.execute(select(pipeline_state).where(pipeline_state.c.content_item_id == item))
        return {row["pipeline"]: dict(row) for row in rows.mappings()}


def statuses(box: App, item: Any) -> dict[str, str]:
    return {pipeline: row["status"] for pipeline, row in states(box, item).items()}


def mentions(box: App, item: Any) -> list[tuple[str, str]]:
    """Pipeline and theme of each mention of an item."""
    with box.database.read() as tx:
        query = select(theme_mentions.c.pipeline, theme_mentions.c.canonical_theme)
        rows = tx.execute(query.where(theme_mentions.c.content_item_id == item).order_by(theme_mentions.c.id))
        return [(row[0], row[1]) for row in rows]


def compat(box: App, item: Any) -> tuple[bool, bool, str | None]:
    """Whether it is processed, whether it has an instant for that, and its error."""
    row = box.get("themes", item)
    return row["is_processed"], row["processed_at"] is not None, row["extraction_error"]


def history(box: App, item: Any, pipeline: str) -> list[str | None]:
    return [one.new for one in box.ledger.history("themes", item, axis="status", scope=pipeline)]


def fail_only(pipeline: str, reply: Reply) -> Any:
    """Answer this pipeline so, and the other one well."""
    word = "price action" if pipeline == TECHNICAL else "moves earnings"

    def replied(request: dict[str, Any]) -> Reply:
        return reply if word in request["messages"][0]["content"] else Reply(body=completion(THEMES))

    return replied


def begin(box: Sandbox) -> None:
    """Dispatch what waits, and run none of it."""
    assert box.runs is not None
    box.runs.renew()
    box.coordinates.step()
