"""Items: they come in by source, are read with the states of their pipelines and their mentions, and are reset by people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select

from interlock import Answer, App
from interlock.client import BulkCommand, RecordFilter
from interlock.errors import BadInput, UnknownRecord

from .feeds.item import BadItem, Item, read_item
from .sources import KIND, Row
from .tables import PIPELINES, STATUSES, content_sources, pipeline_state, theme_mentions

ITEM: Final = (
    "id",
    "source_id",
    "source_type",
    "external_id",
    "title",
    "url",
    "author",
    "published_at",
    "created_at",
    "is_processed",
    "processed_at",
    "extraction_error",
)
STATE: Final = (
    "id",
    "content_item_id",
    "pipeline",
    "status",
    "version",
    "attempt_count",
    "error_code",
    "error_message",
    "last_attempt_at",
    "processed_at",
    "created_at",
    "updated_at",
)
MENTION: Final = (
    "pipeline",
    "canonical_theme",
    "raw_theme",
    "tickers",
    "sentiment",
    "confidence",
    "excerpt",
    "mentioned_at",
    "extracted_at",
)
RESETTABLE: Final = ("processed", "failed_terminal")


def ingest(
    app: App, entries: Sequence[Mapping[str, Any] | Item], *, actor: str, source_id: int | None = None
) -> list[Row]:
    """Make items, and return in their order what came of each: `admitted`, `exists` with its id, or `refused` with the problem.

    An entry is a mapping with the names of the API, or an item that was read; `source_id` is that of entries without one.
    """
    types = _source_types(app)
    rows: list[Row | BadItem] = [_row(one, types, source_id, app) for one in entries]
    good = [row for row in rows if not isinstance(row, BadItem)]
    answers = iter(app.admit_many(KIND, good, actor=actor))
    return [
        {"id": None, "outcome": "refused", "problem": str(row)}
        if isinstance(row, BadItem)
        else _admitted(next(answers))
        for row in rows
    ]


def _source_types(app: App) -> dict[int, str]:
    with app.database.read() as tx:
        rows = tx.execute(select(content_sources.c.id, content_sources.c.source_type))
        return {int(id): source_type for id, source_type in rows}


def _row(
    entry: Mapping[str, Any] | Item, types: Mapping[int, str], source_id: int | None, app: App
) -> Row | BadItem:
    try:
        item = entry if isinstance(entry, Item) else read_item(entry)
    except BadItem as problem:
        return problem
    source = source_id if isinstance(entry, Item) else entry.get("source_id", source_id)
    if isinstance(source, str) and source.isascii() and source.isdigit():
        source = int(source)
    if not isinstance(source, int) or source not in types:
        return BadItem(f"source_id: there is no source {source!r}")
    return {**item.row(source, types[source]), "created_at": app.clock.now()}


def _admitted(answer: Answer) -> Row:
    problem = None if answer.error is None else answer.error.message
    return {"id": answer.id, "outcome": answer.outcome, "problem": problem}


def list_items(
    app: App,
    *,
    pipeline: str | None = None,
    status: Sequence[str] = (),
    text: str | None = None,
    source_id: int | None = None,
    limit: int = 50,
    after: Any = None,
) -> tuple[list[Row], Any]:
    """Return a page of items, each with the status of every pipeline of its, and what leads to the next page."""
    where: Row = {"status": list(status)} if status else {"status": list(STATUSES)} if pipeline else {}
    if source_id is not None:
        where["source_id"] = source_id
    columns = tuple(name for name in ITEM if name != "id")
    page = app.list(
        KIND, where=where, columns=columns, scope=pipeline, text=text, limit=limit, after=after, sort="-id"
    )
    rows = [
        {
            "id": one.id,
            **one.columns,
            "pipelines": {str(place.scope): place.state for place in one.where},
        }
        for one in page.records
    ]
    return rows, page.next


def read_item_row(app: App, id: int) -> Row:
    """Return an item with its text, the compatibility fields, and `pipelines`: the state row of each of its pipelines."""
    item = app.get(KIND, id)
    query = select(pipeline_state).where(pipeline_state.c.content_item_id == id)
    with app.database.read() as tx:
        states = sorted(tx.execute(query).mappings(), key=lambda row: PIPELINES.index(row["pipeline"]))
    return {
        **{name: item[name] for name in ITEM},
        "content": item["content"],
        "pipelines": [{name: row[name] for name in STATE} for row in states],
    }


def read_item_mentions(app: App, id: int, pipeline: str | None = None) -> list[Row]:
    """Return the mentions of an item, of every pipeline or of one."""
    app.get(KIND, id)
    query = select(*(theme_mentions.c[name] for name in MENTION)).where(
        theme_mentions.c.content_item_id == id
    )
    if pipeline is not None:
        query = query.where(theme_mentions.c.pipeline == known_pipeline(pipeline))
    with app.database.read() as tx:
        rows = tx.execute(query.order_by(theme_mentions.c.pipeline, theme_mentions.c.id)).mappings()
        return [dict(row) for row in rows]


def known_pipeline(name: str) -> str:
    """Return the name of a pipeline; refuses any other."""
    if name not in PIPELINES:
        raise BadInput(f"{name!r} is no pipeline", hint=f"The pipelines are {' and '.join(PIPELINES)}.")
    return name


def reset_item(
    app: App,
    id: int,
    *,
    pipeline: str | None = None,
    actor: str,
    role: str | None,
    reason: str,
    dry_run: bool = False,
) -> Row:
    """Send an item's pipelines, or one of them, back to `pending`; the answer counts what would be, or was, reset, by status.

    Only what is processed or failed for good is reset; everything else is in the queue already, and is counted as skipped.
    """
    chosen = PIPELINES if pipeline is None else (known_pipeline(pipeline),)
    states = {one["pipeline"]: one for one in read_item_row(app, id)["pipelines"]}
    rows = [states[one] for one in chosen if one in states]
    if not rows:
        raise UnknownRecord(KIND, id, pipeline)
    due = [one for one in rows if one["status"] in RESETTABLE]
    answer: Row = {
        "id": id,
        "dry_run": dry_run,
        "counts": dict(Counter(one["status"] for one in due)),
        "skipped": {one["pipeline"]: one["status"] for one in rows if one["status"] not in RESETTABLE},
        "reset": [],
    }
    if dry_run:
        return answer
    for one in due:
        app.move(
            KIND,
            id,
            scope=one["pipeline"],
            status="pending",
            version=one["version"],
            actor=actor,
            role=role,
            reason=reason,
        )
        answer["reset"].append(one["pipeline"])
    return answer


def reset_command(
    pipeline: str,
    *,
    reason: str,
    role: str | None,
    status: Iterable[str] = RESETTABLE,
    error: str | None = None,
    source_id: int | None = None,
    older: str | None = None,
    younger: str | None = None,
    text: str | None = None,
) -> BulkCommand:
    """Return the bulk command that resets all items of a pipeline that match."""
    chosen = list(status)
    if wrong := [one for one in chosen if one not in RESETTABLE]:
        raise BadInput(
            f"what is {wrong[0]} is not reset", hint=f"Only {' and '.join(RESETTABLE)} go back to pending."
        )
    where: Row = {"status": chosen}
    if source_id is not None:
        where["source_id"] = source_id
    return BulkCommand(
        KIND,
        reason,
        axis="status",
        to="pending",
        scope=known_pipeline(pipeline),
        filter=RecordFilter(
            where, axis="status", scope=pipeline, error=error, older=older, younger=younger, text=text
        ),
        role=role,
    )
