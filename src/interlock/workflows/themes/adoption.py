"""Items from before Interlock: each pipeline of an item begins where its mentions and the older system's flags say."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    bindparam,
    exists,
    func,
    literal,
    literal_column,
    select,
    union,
    union_all,
)

from interlock import Adopt
from interlock.extension import Instant

from .tables import PIPELINES, content_items, content_sources, is_fed, theme_mentions

NAME: Final = "themes-1"
LEGACY_ERROR: Final = "legacy_extraction_error"
LEGACY_EMPTY: Final = "legacy_processed_without_mentions"
LONGEST_MESSAGE: Final = 4_000
FLAGS: Final = ("is_processed", "processed_at", "extraction_error")


def adoption(now: datetime) -> Adopt:
    """Return how legacy items get their rows; the first rule that matches wins.

    A mention in the pipeline proves that it was processed. An error, or a flag without a mention, is tried again: to extract an item once
    more costs less than to lose it. `now` dates attempts of which nothing else is known. Every rule sets the same columns, because flags
    that change before the cutover lead a row from one rule to another.
    """
    item, mention = content_items.c, theme_mentions.c
    mine = (mention.content_item_id == item.id, mention.pipeline == bindparam("scope", required=True))
    mentioned_at = select(func.min(mention.extracted_at)).where(*mine).scalar_subquery()
    attempted = _first_of(item.processed_at, literal(now, Instant()))
    processed = _first_of(item.processed_at, mentioned_at, literal(now, Instant()))
    no_error: dict[str, Any] = {"error_code": None, "error_message": None}
    failed: dict[str, Any] = {"attempt_count": 1, "last_attempt_at": attempted, "processed_at": None}
    return Adopt(
        NAME,
        targets=legacy_pairs(),
        rules=[
            (
                "mention",
                exists().where(*mine),
                "processed",
                {
                    **no_error,
                    "attempt_count": 1,
                    "last_attempt_at": processed,
                    "processed_at": processed,
                },
            ),
            (
                "error",
                item.extraction_error.is_not(None),
                "failed_retryable",
                {
                    **failed,
                    "error_code": LEGACY_ERROR,
                    "error_message": func.substr(item.extraction_error, 1, LONGEST_MESSAGE),
                },
            ),
            (
                "flag",
                item.is_processed,
                "failed_retryable",
                {
                    **failed,
                    "error_code": LEGACY_EMPTY,
                    "error_message": "processed before Interlock, and no mention is there",
                },
            ),
            (
                "rest",
                literal_column("1") == literal_column("1"),
                "pending",
                {**no_error, "attempt_count": 0, "last_attempt_at": None, "processed_at": None},
            ),
        ],
        flags=FLAGS,
    )


def _first_of(*instants: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(*instants, type_=Instant())


def legacy_pairs() -> Any:
    """Select (item, pipeline) for the pipelines of the item's source, active or not, and for those in which it has a mention."""
    names: list[Any] = [select(literal_column(f"'{one}'").label("pipeline")) for one in PIPELINES]
    pipelines = union_all(*names).subquery("known")
    fed = (
        select(content_items.c.id, pipelines.c.pipeline)
        .join(content_sources, content_sources.c.id == content_items.c.source_id)
        .join(pipelines, is_fed(pipelines.c.pipeline))
    )
    mentioned = select(theme_mentions.c.content_item_id, theme_mentions.c.pipeline)
    return union(fed, mentioned.where(theme_mentions.c.pipeline.in_(PIPELINES)))
