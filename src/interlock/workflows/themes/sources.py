"""Sources: who feeds which pipelines, and what becomes of items when that changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, exists, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from interlock import App
from interlock.errors import BadInput, DuplicateRecord, RefusedByDatabase, UnknownRecord

from .feeds.item import LONGEST_URL
from .tables import PIPELINES, SOURCE_TYPES, content_items, content_sources, is_fed, pipeline_state

KIND: Final = "themes"
REMOVED: Final = "source_pipeline_removed"
CHUNK: Final = 500
LONGEST_NAME: Final = 200
MOST_NAMED: Final = 10
LARGEST_PRIORITY: Final = 1_000_000
LONGEST_INTERVAL: Final = 60 * 24 * 30
"""Minutes."""

Row = dict[str, Any]


def read_pipelines(names: Sequence[str]) -> list[str]:
    """Return the pipelines that a person named, in the order of the workflow; refuses unknown and repeated ones."""
    if unknown := [one for one in names if one not in PIPELINES]:
        raise BadInput(f"{unknown[0]!r} is no pipeline", hint=f"The pipelines are {' and '.join(PIPELINES)}.")
    if len(set(names)) != len(names):
        raise BadInput("a pipeline is named twice")
    return [one for one in PIPELINES if one in names]


def stored_pipelines(value: Any) -> list[str]:
    """Return the pipelines of a stored value, as the database itself reads it: names that are none of ours feed nothing."""
    text = (value if isinstance(value, str) else json.dumps(value)).lower()
    return [one for one in PIPELINES if f'"{one}"' in (f'"{text}"' if isinstance(value, str) else text)]


def add_source(
    app: App,
    *,
    name: str,
    source_type: str,
    url: str | None = None,
    pipelines: Sequence[str] = PIPELINES,
    is_active: bool = True,
    priority: int = 0,
    fetch_interval_minutes: int = 60,
) -> Row:
    """Make a source and return it; one with this name is refused."""
    values = {
        "name": _read_name(name),
        "source_type": _read_type(source_type),
        "url": read_feed_url(url),
        "pipelines": read_pipelines(pipelines),
        "is_active": is_active,
        "priority": priority,
        "fetch_interval_minutes": fetch_interval_minutes,
    }
    if not 1 <= fetch_interval_minutes <= LONGEST_INTERVAL:
        raise BadInput(f"a feed is fetched every 1 to {LONGEST_INTERVAL:,} minutes")
    if abs(priority) > LARGEST_PRIORITY:
        raise BadInput(f"a priority is from -{LARGEST_PRIORITY:,} to {LARGEST_PRIORITY:,}")
    try:
        with app.database.write() as tx:
            made = tx.execute(insert(content_sources).values(values).returning(content_sources.c.id))
            id = int(made.scalar_one())
    except (IntegrityError, RefusedByDatabase) as error:
        raise DuplicateRecord(f"there is a source called {name!r} already") from error
    return read_source(app, id)


def read_feed_url(url: str | None) -> str | None:
    """Return the address of a feed that a person wrote, or None."""
    if url is None or not url.strip():
        return None
    address = url.strip()
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and address.isprintable()
    except ValueError:  # brackets that hold no address
        is_address = False
    if not is_address or len(address) > LONGEST_URL:
        raise BadInput(f"{url[:80]!r} is no address of a feed", hint="Write http:// or https:// and a host.")
    return address


def _read_name(name: str) -> str:
    plain = " ".join(name.split())
    if not plain or len(plain) > LONGEST_NAME or "\x00" in plain:
        raise BadInput(f"a source has a name of 1 to {LONGEST_NAME} characters")
    return plain


def _read_type(source_type: str) -> str:
    if source_type not in SOURCE_TYPES:
        raise BadInput(
            f"{source_type!r} is no type of source", hint=f"The types are {', '.join(SOURCE_TYPES)}."
        )
    return source_type


def list_sources(app: App) -> list[Row]:
    """Return every source, the most important first."""
    order = (content_sources.c.priority.desc(), content_sources.c.id)
    with app.database.read() as tx:
        return [_plain(dict(row)) for row in tx.execute(select(content_sources).order_by(*order)).mappings()]


def read_source(app: App, id: int) -> Row:
    """Return one source."""
    with app.database.read() as tx:
        row = tx.execute(select(content_sources).where(content_sources.c.id == id)).mappings().first()
    if row is None:
        raise UnknownRecord("source", id)
    return _plain(dict(row))


def find_source(app: App, name: str) -> Row:
    """Return the source with this name, or with this id."""
    return choose_source(list_sources(app), name)


def choose_source(sources: Sequence[Row], name: str) -> Row:
    """Return the one of these sources with this name, or with this id; refuses any other with the names that there are."""
    for one in sources:
        if name in (one["name"], str(one["id"])):
            return one
    error = UnknownRecord("source", name)
    names = ", ".join(repr(one["name"]) for one in sources[:MOST_NAMED])
    error.hint = (
        f"There is {names}." if names else "There is no source yet: `interlock themes source NAME` adds one."
    )
    raise error


def _plain(row: Mapping[str, Any]) -> Row:
    hidden = ("etag", "last_modified")
    return {
        **{name: value for name, value in row.items() if name not in hidden},
        "pipelines": stored_pipelines(row["pipelines"]),
    }


def reassign(
    app: App,
    id: int,
    *,
    pipelines: Sequence[str] | None = None,
    is_active: bool | None = None,
    actor: str,
    role: str | None,
    reason: str,
) -> Row:
    """Change what a source feeds, and return it with how many state rows were added and how many attempts were taken back.

    Added pipelines get their missing rows. Of removed ones only what is in progress is ended; other rows rest, and come back with the
    pipeline. A process that dies half-way leaves the rest to `settle_sources`.
    """
    if pipelines is None and is_active is None:
        raise BadInput("nothing is changed", hint="Name pipelines, or is_active.")
    values: Row = {} if pipelines is None else {"pipelines": read_pipelines(pipelines)}
    if is_active is not None:
        values["is_active"] = is_active
    if not reason.strip():
        raise BadInput("reason is empty", hint="Say why; it is kept in the ledger.")
    before = read_source(app, id)
    with app.database.write() as tx:
        tx.execute(update(content_sources).where(content_sources.c.id == id).values(values))
    source = read_source(app, id)
    acting = {"actor": actor, "reason": reason}
    return {
        "source": source,
        "added": [one for one in source["pipelines"] if one not in before["pipelines"]],
        "removed": [one for one in before["pipelines"] if one not in source["pipelines"]],
        "rows_added": add_missing_rows(app, source, **acting) if source["is_active"] else 0,
        "rows_ended": take_back(app, content_items.c.source_id == id, role=role, **acting),
    }


def add_missing_rows(app: App, source: Row, *, actor: str, reason: str | None) -> int:
    """Make the rows that items of a source lack; how many that were."""
    made = 0
    for pipeline in source["pipelines"]:
        there = exists().where(
            pipeline_state.c.content_item_id == content_items.c.id, pipeline_state.c.pipeline == pipeline
        )
        lacking = select(content_items.c.id).where(content_items.c.source_id == source["id"], ~there)
        for ids in _chunks(app, lacking, content_items.c.id):
            made += app.add_scopes(KIND, [(one, pipeline) for one in ids], actor=actor, reason=reason)
    return made


def take_back(
    app: App, which: ColumnElement[bool], *, actor: str, role: str | None = None, reason: str
) -> int:
    """End what is in progress for pipelines that its source no longer feeds; how many attempts that were.

    Its worker is refused when it reports: the token of its attempt is gone.
    """
    ended = 0
    for pipeline in PIPELINES:
        orphaned = (
            select(pipeline_state.c.content_item_id)
            .join(content_items, content_items.c.id == pipeline_state.c.content_item_id)
            .join(content_sources, content_sources.c.id == content_items.c.source_id)
            .where(
                which,
                pipeline_state.c.pipeline == pipeline,
                pipeline_state.c.status == "in_progress",
                ~is_fed(literal(pipeline)),
            )
        )
        for ids in _chunks(app, orphaned, pipeline_state.c.content_item_id):
            answers = app.move_many(
                KIND,
                ids,
                scope=pipeline,
                status="failed_retryable",
                actor=actor,
                role=role,
                reason=reason,
                facts={
                    "error_code": REMOVED,
                    "error_message": f"the source no longer feeds {pipeline}: {reason}"[:4000],
                },
            )
            ended += sum(answer.outcome == "moved" for answer in answers)
    return ended


def settle_sources(app: App) -> int:
    """End what a reassignment left in progress, because it raced with a dispatch or its process died; how many attempts that were."""
    return take_back(
        app,
        content_items.c.source_id == content_sources.c.id,
        actor="coordinator",
        reason="settled after a reassignment",
    )


def _chunks(app: App, query: Any, key: ColumnElement[Any]) -> Iterator[list[int]]:
    """Yield the ids of a query by key, a chunk at a time, each read when it is asked for."""
    after = None
    while True:
        asked = (query if after is None else query.where(key > after)).order_by(key).limit(CHUNK)
        with app.database.read() as tx:
            ids = [int(one) for one in tx.execute(asked).scalars()]
        if ids:
            after = ids[-1]
            yield ids
        if len(ids) < CHUNK:
            return
