"""What the gates of the database tier read: similar items, and the items on which one depends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, Table, and_, bindparam, func, select

from .gates import Item, Neighbour
from .normalizing import content_hash
from .tables import (
    candidates,
    content_prerequisites,
    content_sketches,
    content_spine,
    validated,
)
from .types import ContentType

MOST_NEIGHBOURS = 300
MOST_REACHED = 2000


_CANDIDATE = select(candidates.c.normalized_data).where(candidates.c.item_id == bindparam("item_id"))


def read_candidate(tx: Connection, types: Mapping[str, ContentType], record: Mapping[str, Any]) -> Item:
    """The candidate as it is stored now; an item that has left CANDIDATE has an empty payload."""
    payload = tx.execute(_CANDIDATE, {"item_id": record["item_id"]}).scalar() or {}
    kind = types[record["item_type"]]
    return Item(kind, str(record["language"]), str(record["level"]), payload, str(record["item_id"]))


def read_similar(tx: Connection, item: Item, replaces: str | None) -> list[Neighbour]:
    """Validated and approved active items of the same type and language that have the same content or share a band with this one, those
    with the most bands in common first; the item that this one replaces is left out."""
    kind = item.kind
    same = content_hash(kind.name, item.language, item.payload)
    near = [row[0] for row in tx.execute(_SAME_CONTENT, {"content_hash": same})]
    near += [row[0] for row in tx.execute(_SHARING_BANDS, {"item_id": item.id})]
    ranks = {id: rank for rank, id in enumerate(near) if id not in (item.id, replaces)}
    if not ranks:
        return []
    rows = tx.execute(_compared(kind.table, kind.compared), {"ids": list(ranks)}).all()
    return [
        Neighbour(
            row[0],
            kind.name,
            item.language,
            row[1],
            row[3] or str((row[4] or {}).get(kind.compared, "")),
            row[2],
        )
        for row in sorted(rows, key=lambda row: ranks[row[0]])
    ]


_MINE, _THEIRS = content_sketches.alias("mine"), content_sketches.alias("theirs")
_SAME_CONTENT = select(content_spine.c.item_id).where(
    content_spine.c.content_hash == bindparam("content_hash")
)
_SHARING_BANDS = (
    select(_THEIRS.c.item_id)
    .join(
        _MINE,
        and_(
            _MINE.c.item_type == _THEIRS.c.item_type,
            _MINE.c.language == _THEIRS.c.language,
            _MINE.c.band == _THEIRS.c.band,
        ),
    )
    .where(_MINE.c.item_id == bindparam("item_id"))
    .group_by(_THEIRS.c.item_id)
    .order_by(func.count().desc())
    .limit(MOST_NEIGHBOURS)
)
"""By the bands that were stored with the candidate. Items are read by a statement of their own: a join of both would be planned by how many
are validated, of which a database knows little while a file is imported."""


@cache
def _compared(table: Table, compared: str) -> Select[Any]:
    """What is compared with, of these items: those that are validated or approved, and active."""
    items = content_spine
    return (
        select(
            items.c.item_id,
            items.c.level,
            items.c.content_hash,
            table.c[compared],
            validated.c.validated_data,
        )
        .select_from(
            items.outerjoin(table, table.c.item_id == items.c.item_id).outerjoin(
                validated, validated.c.item_id == items.c.item_id
            )
        )
        .where(
            items.c.item_id.in_(bindparam("ids", expanding=True)),
            items.c.state.in_(["VALIDATED", "APPROVED"]),
            items.c.standing == "active",
        )
    )


def read_reachable(tx: Connection, starts: Sequence[str]) -> dict[str, Neighbour]:
    """Every item that is reached from these by its prerequisites, with its own; items that were rejected are left out."""
    reached: dict[str, Neighbour] = {}
    waiting = set(starts)
    while waiting and len(reached) < MOST_REACHED:
        edges = select(content_prerequisites).where(content_prerequisites.c.item_id.in_(waiting))
        after: dict[str, list[str]] = {}
        for row in tx.execute(edges):
            after.setdefault(row.item_id, []).append(row.prerequisite_id)
        items = select(
            content_spine.c.item_id,
            content_spine.c.item_type,
            content_spine.c.language,
            content_spine.c.level,
        ).where(and_(content_spine.c.item_id.in_(waiting), content_spine.c.standing != "rejected"))
        for row in tx.execute(items):
            reached[row.item_id] = Neighbour(
                row.item_id, row.item_type, row.language, row.level, prerequisites=after.get(row.item_id, [])
            )
        waiting = {one for targets in after.values() for one in targets} - set(reached)
    return reached


def read_dependents(tx: Connection, item_id: str) -> list[str]:
    """The ids of the items that depend on this one."""
    asked = select(content_prerequisites.c.item_id).where(content_prerequisites.c.prerequisite_id == item_id)
    return sorted(row[0] for row in tx.execute(asked))
