"""Lists of content: items by state, the review queue, the history of one item, and figures of approvals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from interlock import App
from interlock.errors import BadInput

from .lifecycle import KIND, read_state
from .review import count_approved, reasons_for_review
from .tables import (
    LANGUAGES,
    LISTED_COLUMNS,
    approval_events,
    content_spine,
    deprecations,
    drafts,
    in_parts,
)
from .types import types_of


@dataclass(frozen=True)
class ItemPage:
    """A page of items in the order of their ids, and whether more come behind it."""

    rows: list[dict[str, Any]]
    has_more: bool


def list_items(
    app: App,
    *,
    state: str | None = None,
    item_type: str | None = None,
    language: str | None = None,
    include_deprecated: bool = False,
    include_rejected: bool = False,
    after: str | None = None,
    limit: int = 50,
) -> ItemPage:
    """Items that fit every filter; deprecated and rejected ones only where they are asked for. A type or a language that is none is
    refused."""
    if item_type is not None and item_type not in (types := types_of(app)):
        raise BadInput(f"there is no content of type {item_type!r}", hint=f"Types are: {', '.join(types)}.")
    if language is not None and language not in LANGUAGES:
        raise BadInput(
            f"there is no content in language {language!r}", hint=f"Languages are: {', '.join(LANGUAGES)}."
        )
    items = content_spine
    asked = select(
        *(items.c[name] for name in LISTED_COLUMNS),
        deprecations.c.deprecated_at,
        deprecations.c.replacement_id.label("superseded_by_id"),
    ).select_from(items.outerjoin(deprecations, deprecations.c.item_id == items.c.item_id))
    for column, value in (
        (items.c.state, state and read_state(state)),
        (items.c.item_type, item_type),
        (items.c.language, language),
    ):
        if value is not None:
            asked = asked.where(column == str(value))
    hidden = [
        name
        for name, wanted in (("deprecated", include_deprecated), ("rejected", include_rejected))
        if not wanted
    ]
    if hidden:
        asked = asked.where(items.c.standing.not_in(hidden))
    if after is not None:
        asked = asked.where(items.c.item_id > after)
    with app.database.read() as tx:
        rows = [dict(row) for row in tx.execute(asked.order_by(items.c.item_id).limit(limit + 1)).mappings()]
    return ItemPage(rows[:limit], len(rows) > limit)


def review_queue(app: App, *, after: str | None = None, limit: int = 50) -> ItemPage:
    """Validated items that are not rejected, each with the reasons for which a person must review it."""
    page = list_items(app, state="VALIDATED", after=after, limit=limit)
    types, counts = types_of(app), dict[tuple[str, str], int]()
    with app.database.read() as tx:
        for row in page.rows:
            place = (row["item_type"], row["language"])
            if place not in counts:
                counts[place] = count_approved(tx, *place)
            row["review"] = reasons_for_review(types[row["item_type"]], row, counts[place])
    return page


def read_drafts(app: App, item_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The payloads of those of these items that are drafts, by id."""
    with app.database.read() as tx:
        return {
            row.item_id: row.raw_data
            for part in in_parts(item_ids)
            for row in tx.execute(select(drafts).where(drafts.c.item_id.in_(part)))
        }


def count_validating(app: App) -> int:
    """How many candidates wait for their gates, or have them run now; none waits while the workflow's stage is paused."""
    items = content_spine
    asked = select(items.c.item_id, items.c.ready_at).where(
        items.c.state == "CANDIDATE", items.c.standing == "active", items.c.validation_wanted.is_(True)
    )
    with app.database.read() as tx:
        rows = tx.execute(asked).all()
    waiting = 0 if any(one.kind == KIND for one in app.paused()) else sum(row[1] is not None for row in rows)
    return waiting or len(app.attempts(KIND, [row[0] for row in rows if row[1] is None]))


def read_history(app: App, item_id: str) -> list[dict[str, Any]]:
    """Every transition of an item on both axes, oldest first; also that of an erased one."""
    return [
        {
            "axis": move.axis,
            "from_state": move.old,
            "to_state": move.new,
            "version": move.version,
            "origin": move.origin,
            "actor": move.actor,
            "role": move.role,
            "reason": move.reason,
            "at": move.at,
        }
        for move in app.ledger.history(KIND, item_id)
    ]


def approval_stats(app: App) -> list[dict[str, Any]]:
    """How many approvals there were of each type, by whom they were made."""
    asked = select(
        approval_events.c.item_type, approval_events.c.approval_type, func.count().label("count")
    ).group_by(approval_events.c.item_type, approval_events.c.approval_type)
    with app.database.read() as tx:
        rows = [dict(row) for row in tx.execute(asked).mappings()]
    return sorted(rows, key=lambda row: (row["item_type"], row["approval_type"]))
