"""Views for whoever reads the database with SQL: transitions as events, approved items with their deprecation, and active items only."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, MetaData, event
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import ExecutableDDLElement

from .tables import content_spine, metadata
from .types import CONTENT_TYPES

TRANSITION = "entry.kind = 'content' AND entry.axis = 'state' AND entry.from_state <> entry.to_state"
"""Admissions and erasures have no state on one side, amendments the same on both: none of them is a transition."""
EVENTS = """CREATE VIEW state_transition_events AS
SELECT entry.position AS id, entry.record_id AS item_id, item.item_type AS item_type,
       entry.from_state AS from_state, entry.to_state AS to_state,
       coalesce(detail.facts, '{{}}') AS metadata, entry.at AS created_at
FROM interlock_ledger AS entry
JOIN content_spine AS item ON item.item_id{collated} = entry.record_id
LEFT JOIN interlock_detail AS detail ON detail.digest = entry.detail
WHERE {transition}
UNION ALL
SELECT entry.position, entry.record_id, {kept_type}, entry.from_state, entry.to_state,
       coalesce(detail.facts, '{{}}'), entry.at
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
APPROVED = """CREATE VIEW {name} AS
SELECT approved.*, deprecation.deprecated_at AS deprecated_at, deprecation.replacement_id AS superseded_by_id
FROM {table} AS approved LEFT JOIN deprecations AS deprecation ON deprecation.item_id = approved.item_id{where}"""
ONLY_ACTIVE = "\nWHERE deprecation.item_id IS NULL"


class EventsView(ExecutableDDLElement):
    """The view of transitions; the ledger's ids have a collation of their own where the database has several."""

    inherit_cache = False


@compiles(EventsView)
def _events(element: Any, compiler: Any, **options: Any) -> str:
    return EVENTS.format(collated="", transition=TRANSITION, kept_type="kept.facts ->> 'item_type'")


@compiles(EventsView, "postgresql")
def _events_collated(element: Any, compiler: Any, **options: Any) -> str:
    return EVENTS.format(
        collated=' COLLATE "C"', transition=TRANSITION, kept_type="CAST(kept.facts AS json) ->> 'item_type'"
    )


def approved_views() -> list[str]:
    """The views of approved items: `approved_…_all` and `active_…` for each type, both with the deprecation of each row."""
    made = []
    for kind in CONTENT_TYPES.values():
        table = kind.table.name
        active = table.replace("approved_", "active_", 1)
        made.append(APPROVED.format(name=f"{table}_all", table=table, where=""))
        made.append(APPROVED.format(name=active, table=table, where=ONLY_ACTIVE))
    return made


def create_views(target: MetaData, connection: Connection, **created: Any) -> None:
    """Make the views when a migration has made the tables of content."""
    if content_spine in (created.get("tables") or ()):
        connection.execute(EventsView())
        for statement in (*INDEXES, *approved_views()):
            connection.exec_driver_sql(statement)


def declare_views() -> None:
    """Have the views made with the tables; doing it again changes nothing."""
    if not event.contains(metadata, "after_create", create_views):
        event.listen(metadata, "after_create", create_views)
