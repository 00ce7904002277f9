"""Govern: what waits for me, what changed, did the gates pass for this version, may I approve it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from interlock import App
from interlock.errors import InterlockError
from interlock.extension import PageContext

from ..acts import read_item
from ..lifecycle import KIND
from ..reading import list_items, review_queue
from ..tables import LISTED_COLUMNS, PAYLOAD_COLUMNS, STATE_TABLES, content_editors, content_spine
from ..types import ContentType, types_of
from ..workflow import STATES
from .comparing import compare

TEMPLATE = Path(__file__).with_name("govern.html")
SHOWN_ITEMS = 5
SYMBOLS = {
    "DRAFT": ("m-waiting", "waiting"),
    "CANDIDATE": ("m-waiting", "waiting"),
    "VALIDATED": ("m-asks", "person"),
    "APPROVED": ("m-final", "done"),
}
REVIEW_WORDS = {
    "LOW_CONFIDENCE": "its source is not sure enough",
    "ALWAYS_REVIEWED": "every one of this type is reviewed",
    "FIRST_OF_ITS_KIND": "one of the first of its kind",
    "SAMPLE": "in the sample",
}
STEPS_SINCE = {"VALIDATED": 1, "APPROVED": 2}
"""Versions between the last verdict of the gates and a state, where nobody changed the text."""
TIER_WORDS = {1: "Tier 1, the text alone", 2: "Tier 2, the database", 3: "Tier 3, somebody else"}


def render(context: PageContext) -> tuple[Path, Mapping[str, Any]]:
    """A column for each of the four states, and the item that the address names, or the first one that waits for a person."""
    app: App = context.client.app
    kind = context.query.get("type") or None
    types = types_of(app)
    kind = kind if kind in types else None
    counts = counts_of(context, app, kind)
    queue = [row for row in review_queue(app, limit=200).rows if kind is None or row["item_type"] == kind]
    columns = [describe_state(app, state, counts, kind, queue) for state in STATES]
    ids = [row["item_id"] for row in queue]
    named = context.query.get("item") or (ids[0] if ids else None)
    own = sum(row["author"] == context.actor for row in queue)
    return TEMPLATE, {
        "columns": columns,
        "waiting": len(queue),
        "own": own,
        "held": counts.get("held", 0),
        "types": list(types),
        "type": kind or "",
        "item": item_of(context, app, named, ids) if named else None,
        "here": context.kind,
        "view": "one" if context.query.get("view") == "one" else "",
    }


def counts_of(context: PageContext, app: App, kind: str | None) -> dict[str, int]:
    """Items in each state, of one type or of all, and how many candidates a gate holds."""
    held = sum(one.records for one in context.client.errors(KIND))
    if kind is None:
        counts = {
            one.state: one.records for one in context.client.counts(KIND) if one.axis == "state" and one.state
        }
        return {**counts, "held": held}
    items = content_spine.c
    asked = select(items.state, func.count()).where(items.item_type == kind).group_by(items.state)
    of_kind = select(func.count()).where(items.item_type == kind, items.error_code.is_not(None))
    with app.database.read() as tx:
        return {**{row[0]: row[1] for row in tx.execute(asked)}, "held": tx.execute(of_kind).scalar_one()}


def describe_state(
    app: App, state: str, counts: Mapping[str, int], kind: str | None, queue: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """One state: its first items, each with what is to be known of it there."""
    if state == "VALIDATED":
        rows: list[Any] = [dict(row) for row in queue[:SHOWN_ITEMS]]
    else:
        rows = list_items(app, state=state, item_type=kind, limit=SHOWN_ITEMS).rows
    titles = titles_of(app, state, rows)
    words = {
        "DRAFT": "Submitted, not yet promoted",
        "CANDIDATE": f"Gates decide; {counts.get('held', 0)} held by one",
        "VALIDATED": "Wait for a person",
        "APPROVED": "Cannot be changed, only superseded",
    }
    symbol, tone = SYMBOLS[state]
    return {
        "state": state,
        "symbol": symbol,
        "tone": tone,
        "words": words[state],
        "records": counts.get(state, 0),
        "folded": state != "VALIDATED",
        "more": max(0, counts.get(state, 0) - len(rows)),
        "items": [
            {
                "id": row["item_id"],
                "title": titles.get(row["item_id"], row["item_id"]),
                "meta": f"{row['item_id']}, {row['item_type']}, {row['language']}, {row['level']}, by {row['author']}",
                "note": "; ".join(REVIEW_WORDS.get(one, one) for one in row.get("review") or []),
                "problem": row["error_code"] or "",
            }
            for row in rows
        ],
    }


def titles_of(app: App, state: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What each item is called, read from its payload."""
    payloads: dict[str, Mapping[str, Any]] = {}
    with app.database.read() as tx:
        if state in STATE_TABLES:
            table = STATE_TABLES[state]
            data = table.c[PAYLOAD_COLUMNS[state]]
            ids = [row["item_id"] for row in rows]
            found = tx.execute(select(table.c.item_id, data).where(table.c.item_id.in_(ids)))
            payloads = {row.item_id: row[1] for row in found}
        else:
            for row in rows:
                table = types_of(app)[row["item_type"]].table
                approved = tx.execute(select(table).where(table.c.item_id == row["item_id"]))
                payloads[row["item_id"]] = dict(approved.mappings().first() or {})
    kinds = {row["item_id"]: types_of(app)[row["item_type"]] for row in rows}
    return {id: title_of(kinds[id], payload) for id, payload in payloads.items()}


def title_of(kind: ContentType, payload: Mapping[str, Any]) -> str:
    """The first text of a payload, by which people know it."""
    return next((text for text in kind.texts(payload) if text), "without a title")[:120]


def item_of(context: PageContext, app: App, id: str, queue: Sequence[str]) -> dict[str, Any] | None:
    """One item for review: its text beside the approved one that it replaces, its verdicts, and what may be done."""
    try:
        item = read_item(app, id)
    except InterlockError:
        return None
    before = approved_before(app, item["replaces"])
    content_type = types_of(app)[item["item_type"]]
    names = [field.name for field in content_type.fields]
    return {
        **{name: item[name] for name in LISTED_COLUMNS},
        "title": title_of(content_type, item["payload"]),
        "before": before and {name: before[name] for name in ("item_id", "author")},
        "rows": [
            compare(
                name,
                (before or {}).get("payload", {}).get(name),
                item["payload"].get(name),
                before is not None,
            )
            for name in names
        ],
        "verdicts": verdicts_of(context, id, item["version"], STEPS_SINCE.get(item["state"], 0)),
        "refusal": refusal_of(context, app, item),
        "next": beside(queue, id, 1),
        "previous": beside(queue, id, -1),
        "api": f"/api/v1/content/{id}",
        "rejection": item["rejection"],
        "approval": item["approval"],
        "replaced_by": item["superseded_by_id"],
    }


def approved_before(app: App, id: str | None) -> dict[str, Any] | None:
    """The approved item that this one replaces, if there is one."""
    if not id:
        return None
    try:
        item = read_item(app, id)
    except InterlockError:
        return None
    return item if item["state"] == "APPROVED" and item["standing"] == "active" else None


def refusal_of(context: PageContext, app: App, item: Mapping[str, Any]) -> tuple[str, str]:
    """Why whoever looks may not decide about this item, with its code; two empty texts where they may."""
    if needed := context.may("POST", "/api/v1/content/{id}/approve"):
        return needed, "ILK-403"
    if item["state"] != "VALIDATED":
        return f"It is in {item['state']}; only validated content is approved or rejected.", "ILK-204"
    if item["standing"] != "active":
        return f"It is {item['standing']} for good.", "ILK-205"
    with app.database.read() as tx:
        editors = set(
            tx.execute(
                select(content_editors.c.editor).where(content_editors.c.item_id == item["item_id"])
            ).scalars()
        )
    if context.actor in {item["author"], *editors}:
        return "You wrote or edited it. Somebody else approves it.", "OWN_WORK"
    return "", ""


def beside(queue: Sequence[str], id: str, by: int) -> str:
    """The item that many places after this one in the queue, which begins again behind its end; empty where there is no other."""
    if id not in queue:
        return queue[0] if queue else ""
    other = queue[(queue.index(id) + by) % len(queue)]
    return "" if other == id else other


def verdicts_of(context: PageContext, id: str, version: int, steps: int) -> dict[str, Any]:
    """What gates answered: by tier for the newest version they saw, and one line for each version before it.

    The version steps when the gates let an item pass, and once more when it is approved: verdicts on a version that is no more than so
    many `steps` ago are about the same text."""
    tiers = {gate.name: gate.tier for gate in context.workflows[KIND].gates}
    newest: dict[tuple[int, str], Any] = {}
    for one in context.client.verdicts(KIND, id):
        newest[one.version, one.gate] = one
    versions = sorted({version for version, _ in newest}, reverse=True)
    judged = [one for (version, _), one in newest.items() if versions and version == versions[0]]
    return {
        "version": versions[0] if versions else version,
        "is_about_this": bool(versions) and version - versions[0] <= steps,
        "tiers": [
            {
                "words": TIER_WORDS.get(tier, f"Tier {tier}"),
                "gates": [one for one in judged if tiers.get(one.gate, 1) == tier],
            }
            for tier in sorted({tiers.get(one.gate, 1) for one in judged})
        ],
        "failed": sum(not one.passed for one in judged),
        "passed": sum(one.passed for one in judged),
        "before": [
            {
                "version": version,
                "passed": sum(one.passed for (other, _), one in newest.items() if other == version),
            }
            for version in versions[1:]
        ],
    }
