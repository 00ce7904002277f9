"""Who answers the commands: the app on its own database, or a service; both are asked in the same words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from interlock import App
from interlock.client import Client
from interlock.commands import Session
from interlock.errors import RequestTooLarge, UnknownKind, UnknownRecord
from interlock.extension import write_instant

from .. import health, items, ranking, sources
from ..feeds.item import Item

if TYPE_CHECKING:
    from interlock.client import RemoteClient

Json = dict[str, Any]
CHUNK = 500
MOST_BYTES = 900_000
"""Of the items of one request; a service takes a million bytes unless somebody changed that."""


class Themes(Protocol):
    """What the commands ask."""

    def add_source(self, values: Json) -> Json: ...

    def list_sources(self) -> list[Json]: ...

    def reassign(self, source: str, change: Json) -> Json: ...

    def ingest(self, source: str, read: Sequence[Item]) -> list[Json]: ...

    def item(self, id: str) -> Json: ...

    def mentions(self, id: str) -> list[Json]: ...

    def reset(self, id: str, command: Json) -> Json: ...

    def reset_many(self, command: Json) -> Json: ...

    def top(self, pipeline: str | None, window: str, limit: int) -> list[Json]: ...

    def health(self) -> Json: ...


class Local:
    """The app on its own database; every act is this actor's, in the role that the act needs."""

    def __init__(self, app: App, actor: str, client: Client) -> None:
        self.app, self.actor, self.client = app, actor, client

    def add_source(self, values: Json) -> Json:
        return sources.add_source(self.app, **values)

    def list_sources(self) -> list[Json]:
        return sources.list_sources(self.app)

    def reassign(self, source: str, change: Json) -> Json:
        id = sources.find_source(self.app, source)["id"]
        return sources.reassign(self.app, id, actor=self.actor, role="operator", **change)

    def ingest(self, source: str, read: Sequence[Item]) -> list[Json]:
        id = sources.find_source(self.app, source)["id"]
        return [
            row
            for start in range(0, len(read), CHUNK)
            for row in items.ingest(self.app, read[start : start + CHUNK], actor=self.actor, source_id=id)
        ]

    def item(self, id: str) -> Json:
        return items.read_item_row(self.app, read_id(id))

    def mentions(self, id: str) -> list[Json]:
        return items.read_item_mentions(self.app, read_id(id))

    def reset(self, id: str, command: Json) -> Json:
        return items.reset_item(self.app, read_id(id), actor=self.actor, role="operator", **command)

    def reset_many(self, command: Json) -> Json:
        dry_run = command.pop("dry_run")
        bulk = items.reset_command(role="operator", **command)
        if dry_run:
            preview = self.client.operations.preview(bulk)
            return _counted(True, preview.records, preview.outcomes, None)
        made = self.client.operations.create(bulk)
        done = self.client.operations.run(made.id)
        return _counted(False, done.records, done.outcomes, done.id)

    def top(self, pipeline: str | None, window: str, limit: int) -> list[Json]:
        return ranking.top_themes(self.app, pipeline=pipeline, window=window, limit=limit)

    def health(self) -> Json:
        return health.read_health(self.app)


class Distant:
    """Themes behind a service; acts are those of whoever the key belongs to."""

    def __init__(self, client: RemoteClient) -> None:
        self.client = client

    def _ask(self, method: str, path: str, **more: Any) -> Any:
        return self.client.request(method, f"/themes{path}", **more)

    def add_source(self, values: Json) -> Json:
        return dict(self._ask("POST", "/sources", body=values))

    def list_sources(self) -> list[Json]:
        return list(self._ask("GET", "/sources")["sources"])

    def _source_id(self, source: str) -> int:
        return int(sources.choose_source(self.list_sources(), source)["id"])

    def reassign(self, source: str, change: Json) -> Json:
        return dict(self._ask("PATCH", f"/sources/{self._source_id(source)}", body=change))

    def ingest(self, source: str, read: Sequence[Item]) -> list[Json]:
        id = self._source_id(source)
        return [row for part in _parts(id, read) for row in self._send(part)]

    def _send(self, rows: list[Json]) -> list[Json]:
        """Bring these items, in halves where they are too much for one request; an item that is too large by itself is refused."""
        try:
            return list(self._ask("POST", "/items", body={"items": rows})["items"])
        except RequestTooLarge as error:
            if len(rows) > 1:
                half = len(rows) // 2
                return self._send(rows[:half]) + self._send(rows[half:])
            problem = f"{rows[0]['external_id']}: {error.message}"
            return [{"id": None, "outcome": "refused", "problem": problem}]

    def item(self, id: str) -> Json:
        return dict(self._ask("GET", f"/items/{quote(id, safe='')}"))

    def mentions(self, id: str) -> list[Json]:
        return list(self._ask("GET", f"/items/{quote(id, safe='')}/mentions")["mentions"])

    def reset(self, id: str, command: Json) -> Json:
        return dict(self._ask("POST", f"/items/{quote(id, safe='')}/reset", body=command))

    def reset_many(self, command: Json) -> Json:
        return dict(self._ask("POST", "/reset", body=command))

    def top(self, pipeline: str | None, window: str, limit: int) -> list[Json]:
        query = [("pipeline", pipeline), ("window", window), ("limit", limit)]
        return list(self._ask("GET", "/top", query=query)["themes"])

    def health(self) -> Json:
        return dict(self._ask("GET", "/health"))


def _counted(dry_run: bool, records: int, counts: Any, operation: str | None) -> Json:
    return {"dry_run": dry_run, "records": records, "counts": dict(counts), "operation": operation}


def _parts(source_id: int, read: Sequence[Item]) -> Iterator[list[Json]]:
    """Yield the items in parts that a service takes in one request."""
    part: list[Json] = []
    size = 0
    for one in read:
        at = None if one.published_at is None else write_instant(one.published_at)
        values = {**vars(one), "published_at": at, "source_id": source_id}
        row = {name: value for name, value in values.items() if value is not None}
        length = len(json.dumps(row))
        if part and (len(part) == CHUNK or size + length > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(row)
        size += length
    if part:
        yield part


def read_id(text: str) -> int:
    """Return the id of an item that was typed."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise UnknownRecord("themes", text)
    return int(text)


def themes_of(running: Session, actor: str | None = None, *, prepare: bool = False) -> Themes:
    """Return the service that was named, or the app; without one the workflows that come with Interlock. `prepare` makes a database
    ready that is not there yet."""
    if (service := running.service) is not None:
        return Distant(service)
    app = running.bundled_app()
    if "themes" not in app.workflows:
        raise UnknownKind(f"this app has no themes; it has {', '.join(app.workflows)}", kind="themes")
    if prepare:
        app.migrate()
    else:
        app.ready()
    return Local(app, running.actor(actor), running.client(actor))
