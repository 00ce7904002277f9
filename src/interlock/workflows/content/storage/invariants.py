"""What must hold between an item and its rows: its payload is in the table of its state and in no other, and approvals have their event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, exists, or_, select

from interlock import Invariant

from ..tables import STATE_TABLES, approval_events, content_spine, deprecations
from ..types import ContentType


def invariants(types: Mapping[str, ContentType]) -> list[Invariant]:
    """Made once the workflow has added its axes to the spine."""
    id = content_spine.c.item_id
    misplaced: list[ColumnElement[bool]] = [
        _has(table) != (content_spine.c.state == state) for state, table in STATE_TABLES.items()
    ]
    misplaced += [
        _has(kind.table) != ((content_spine.c.state == "APPROVED") & (content_spine.c.item_type == kind.name))
        for kind in types.values()
    ]
    deprecated = content_spine.c.standing == "deprecated"
    return [
        Invariant(
            "CONTENT-1", "an item is in exactly the table of its state", select(id).where(or_(*misplaced))
        ),
        Invariant(
            "CONTENT-2",
            "an approved item has the event of its approval",
            select(id).where((content_spine.c.state == "APPROVED") & ~_has(approval_events)),
        ),
        Invariant(
            "CONTENT-3",
            "a deprecated item has its deprecation, and no other has one",
            select(id).where(_has(deprecations) != deprecated),
        ),
        Invariant(
            "CONTENT-4",
            "nothing that was submitted stays in the spine",
            select(id).where(content_spine.c.submitted.is_not(None)),
        ),
    ]


def _has(table: Any) -> ColumnElement[bool]:
    return exists().where(table.c.item_id == content_spine.c.item_id)
