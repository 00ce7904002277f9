"""What gates read for a group of candidates: their payloads, similar items, and the items on which they depend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, select

from ..tables import (
    candidates,
    content_prerequisites,
    content_sketches,
    content_spine,
    in_parts,
    validated,
)
from ..types import ContentType
from .checks import Item, Neighbour
from .normalizing import sketch

MOST_NEIGHBOURS = 300
MOST_REACHED = 2000
Record = Mapping[str, Any]


_CANDIDATES = select(candidates.c.item_id, candidates.c.normalized_data).where(
    candidates.c.item_id.in_(bindparam("ids", expanding=True))
)


def read_candidates(
    tx: Connection, types: Mapping[str, ContentType], records: Sequence[Record]
) -> list[Item]:
    """The candidates as they are stored now; an item that has left CANDIDATE has an empty payload."""
    ids = [str(record["item_id"]) for record in records]
    payloads = {row[0]: row[1] for part in in_parts(ids) for row in tx.execute(_CANDIDATES, {"ids": part})}
    return [
        Item(
            types[record["item_type"]],
            str(record["language"]),
            str(record["level"]),
            payloads.get(id) or {},
            id,
            record["content_hash"],
        )
        for id, record in zip(ids, records, strict=True)
    ]


def read_similar(
    tx: Connection, items: Sequence[Item], replaced: Mapping[str, str | None]
) -> dict[str, list[Neighbour]]:
    """For each item by id, the validated and approved active items of its type and language that have the same content or share a band with
    it, those with the most bands in common first. `replaced` names the item that each one replaces, which is left out."""
    similar: dict[str, list[Neighbour]] = {}
    for kind, language in {(item.kind.name, item.language) for item in items}:
        mine = [item for item in items if (item.kind.name, item.language) == (kind, language)]
        near = _ids_of_similar(tx, kind, language, mine)
        known = _compared_items(tx, mine[0].kind, language, {id for ids in near.values() for id in ids})
        for item in mine:
            left_out = {item.id, replaced.get(item.id)}
            similar[item.id] = [known[id] for id in near[item.id] if id in known and id not in left_out]
    return similar


def _ids_of_similar(tx: Connection, kind: str, language: str, items: Sequence[Item]) -> dict[str, list[str]]:
    """The ids of items with the same content, and behind them of those that share the most bands, for each item."""
    bands = {item.id: set(sketch(str(item.payload.get(item.kind.compared, "")))) for item in items}
    asked = {"item_type": kind, "language": language}
    owners: dict[int, list[str]] = {}
    for part in in_parts(sorted(set().union(*bands.values()))):
        for row in tx.execute(_WITH_BANDS, {**asked, "bands": part}):
            owners.setdefault(row[0], []).append(row[1])
    same: dict[str, list[str]] = {}
    for part in in_parts(sorted({item.content_hash for item in items if item.content_hash})):
        for row in tx.execute(_SAME_CONTENT, {"hashes": part}):
            same.setdefault(row[0], []).append(row[1])
    near = {}
    for item in items:
        shared = Counter(chain.from_iterable(owners.get(band, ()) for band in bands[item.id]))
        nearest = [id for id, _ in shared.most_common(MOST_NEIGHBOURS)]
        near[item.id] = list(dict.fromkeys([*same.get(item.content_hash or "", ()), *nearest]))
    return near


_SAME_CONTENT = select(content_spine.c.content_hash, content_spine.c.item_id).where(
    content_spine.c.content_hash.in_(bindparam("hashes", expanding=True))
)
_WITH_BANDS = select(content_sketches.c.band, content_sketches.c.item_id).where(
    content_sketches.c.item_type == bindparam("item_type"),
    content_sketches.c.language == bindparam("language"),
    content_sketches.c.band.in_(bindparam("bands", expanding=True)),
)
"""Items are read by a statement of their own: a join of both would be planned by how many are validated, of which a database knows little
while a file is imported."""


def _compared_items(
    tx: Connection, kind: ContentType, language: str, ids: Iterable[str]
) -> dict[str, Neighbour]:
    """Those of the items that are validated or approved, and active, each with the text that is compared."""
    asked = _compared(kind.table, kind.compared)
    return {
        row[0]: Neighbour(row[0], kind.name, language, row[1], row[3] or row[4] or "", row[2])
        for part in in_parts(sorted(ids))
        for row in tx.execute(asked, {"ids": part})
    }


@cache
def _compared(table: Table, compared: str) -> Select[Any]:
    items = content_spine
    return (
        select(
            items.c.item_id,
            items.c.level,
            items.c.content_hash,
            table.c[compared],
            validated.c.validated_data[compared].as_string(),
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


def read_reachable(tx: Connection, items: Sequence[Item]) -> dict[str, Neighbour]:
    """Every item that is reached from these by their prerequisites, with its own; items that were rejected are left out."""
    reached: dict[str, Neighbour] = {}
    asked: set[str] = set()
    waiting = {id for item in items for id in item.kind.prerequisites(item.payload)}
    most = MOST_REACHED * len(items)
    while waiting and len(reached) < most:
        after: dict[str, list[str]] = {}
        for part in in_parts(sorted(waiting)):
            for row in tx.execute(_PREREQUISITES, {"ids": part}):
                after.setdefault(row.item_id, []).append(row.prerequisite_id)
            for row in tx.execute(_not_rejected(), {"ids": part}):
                reached[row.item_id] = Neighbour(
                    row.item_id,
                    row.item_type,
                    row.language,
                    row.level,
                    prerequisites=after.get(row.item_id, []),
                )
        asked |= waiting
        waiting = {one for targets in after.values() for one in targets} - asked
    return reached


_PREREQUISITES = select(content_prerequisites).where(
    content_prerequisites.c.item_id.in_(bindparam("ids", expanding=True))
)


@cache
def _not_rejected() -> Select[Any]:
    items = content_spine
    return select(items.c.item_id, items.c.item_type, items.c.language, items.c.level).where(
        items.c.item_id.in_(bindparam("ids", expanding=True)), items.c.standing != "rejected"
    )


def read_dependents(tx: Connection, item_id: str) -> list[str]:
    """The ids of the items that depend on this one."""
    asked = select(content_prerequisites.c.item_id).where(content_prerequisites.c.prerequisite_id == item_id)
    return sorted(row[0] for row in tx.execute(asked))
