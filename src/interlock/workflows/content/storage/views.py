"""Views for whoever reads the database with SQL: transitions as events, approved items with their deprecation, and active items only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import ExecutableDDLElement

from interlock.extension import View

from ..types import ContentType

TRANSITION = "entry.kind = 'content' AND entry.axis = 'state' AND entry.from_state <> entry.to_state"
"""Admissions and erasures have no state on one side, amendments the same on both: none of them is a transition."""
EVENTS = """SELECT entry.position AS id, entry.record_id AS item_id, item.item_type AS item_type,
       entry.from_state AS from_state, entry.to_state AS to_state,
       {metadata} AS metadata, entry.at AS created_at
FROM interlock_ledger AS entry
JOIN content_spine AS item ON item.item_id{collated} = entry.record_id
LEFT JOIN interlock_detail AS detail ON detail.digest = entry.detail
WHERE {transition}
UNION ALL
SELECT entry.position, entry.record_id, {kept_type}, entry.from_state, entry.to_state,
       {metadata}, entry.at
FROM interlock_ledger AS closing
JOIN interlock_ledger AS entry ON entry.record_id = closing.record_id
LEFT JOIN interlock_detail AS kept ON kept.digest = closing.detail
LEFT JOIN interlock_detail AS detail ON detail.digest = entry.detail
WHERE closing.kind = 'content' AND closing.axis = 'state' AND closing.origin IN ('deletion', 'erase')
  AND {transition}"""
"""Transitions of items that are there, and of those that were erased: their type is a fact of the entry that closed their history."""
INDEXES = (
    "CREATE INDEX IF NOT EXISTS content_transitions_by_state ON interlock_ledger (to_state) WHERE kind = 'content' "
    "AND axis = 'state' AND from_state <> to_state",
    "CREATE INDEX IF NOT EXISTS content_closed_items ON interlock_ledger (record_id) WHERE kind = 'content' "
    "AND axis = 'state' AND origin IN ('deletion', 'erase')",
)
"""By which the view is filtered by target state, and erased items are known; entries of other kinds are in neither."""
APPROVED = """SELECT approved.*, deprecation.deprecated_at AS deprecated_at, deprecation.replacement_id AS superseded_by_id
FROM {table} AS approved LEFT JOIN deprecations AS deprecation ON deprecation.item_id = approved.item_id"""
ONLY_ACTIVE = "\nWHERE deprecation.item_id IS NULL"


class EventsQuery(ExecutableDDLElement):
    """The query of the view of transitions. The ledger's ids have a collation of their own where the database has several.

    Metadata of `execute_transition` is one fact, so that none of its names is taken for a column of the item; here it is the metadata."""

    inherit_cache = False


@compiles(EventsQuery)
def _events(element: Any, compiler: Any, **options: Any) -> str:
    return EVENTS.format(
        transition=TRANSITION,
        collated="",
        kept_type="kept.facts ->> 'item_type'",
        metadata="coalesce(detail.facts -> 'metadata', detail.facts, '{}')",
    )


@compiles(EventsQuery, "postgresql")
def _events_collated(element: Any, compiler: Any, **options: Any) -> str:
    return EVENTS.format(
        transition=TRANSITION,
        collated=' COLLATE "C"',
        kept_type="CAST(kept.facts AS json) ->> 'item_type'",
        metadata="coalesce(CAST(detail.facts AS json) ->> 'metadata', detail.facts, '{}')",
    )


def declare_views(types: Mapping[str, ContentType]) -> list[View]:
    """`state_transition_events`, and for each type `approved_…_all` and `active_…`, both with the deprecation of each row."""
    views = [View("state_transition_events", EventsQuery(), INDEXES)]
    for kind in types.values():
        table = kind.table.name
        every = APPROVED.format(table=table)
        views.append(View(f"{table}_all", every))
        views.append(View(f"active_{table.removeprefix('approved_')}", every + ONLY_ACTIVE))
    return views
