"""Who answers the commands: the app on its own database, or a service; both are asked in the same words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from interlock import Answer, App
from interlock.commands import Session
from interlock.errors import (
    BadInput,
    ConcurrentModificationError,
    DuplicateRecord,
    GateRejected,
    InterlockError,
    InvalidStateTransition,
    RefusedByDatabase,
    RequestTooLarge,
    RuleRefused,
    TooManyRequests,
    UnknownKind,
    UnknownRecord,
)

from .. import acts, promotion, reading
from ..lifecycle import KIND
from ..types import CONTENT_TYPES, ContentType, types_of

if TYPE_CHECKING:
    from interlock.client import RemoteClient

Json = dict[str, Any]
PAGE = 500
OF_ONE_ITEM = (
    BadInput,
    ConcurrentModificationError,
    DuplicateRecord,
    GateRejected,
    InvalidStateTransition,
    RefusedByDatabase,
    RequestTooLarge,
    RuleRefused,
    UnknownRecord,
)
"""Refusals of one item; anything else concerns the caller or the service, and ends the command."""


class Source(Protocol):
    """What the commands ask."""

    @property
    def types(self) -> Mapping[str, ContentType]:
        """The types of content by whose fields a CSV file is read."""
        ...

    def submit(self, items: Sequence[Json]) -> list[Json]: ...

    def validate(self, item_ids: Sequence[str]) -> list[Json]: ...

    def act(self, verb: str, item_id: str, values: Json) -> Json: ...

    def review(self, limit: int) -> list[Json]: ...

    def show(self, item_id: str) -> Json: ...

    def failures(self, limit: int) -> list[Json]: ...


class Local:
    """The app on its own database; every act is this actor's, in the role that the act needs."""

    def __init__(self, app: App, actor: str) -> None:
        self.app, self.actor = app, actor
        self.types = types_of(app)

    def submit(self, items: Sequence[Json]) -> list[Json]:
        rows = [
            {("item_type" if name == "type" else name): one for name, one in item.items()} for item in items
        ]
        return [result(answer) for answer in acts.submit_many(self.app, rows, actor=self.actor)]

    def validate(self, item_ids: Sequence[str]) -> list[Json]:
        """Make candidates of drafts and have their gates run; what came of each."""
        answers = acts.promote_many(self.app, item_ids, actor=self.actor, validate=True)
        return [result(answer) for answer in answers]

    def act(self, verb: str, item_id: str, values: Json) -> Json:
        if verb == "promote":
            return result(acts.promote(self.app, item_id, actor=self.actor))
        if verb == "erase":
            return result(acts.erase(self.app, item_id, actor=self.actor, role="admin", **values))
        acting: dict[str, Callable[..., Answer]] = {
            "approve": acts.approve,
            "reject": acts.reject,
            "deprecate": acts.deprecate,
            "supersede": acts.supersede,
        }
        return result(acting[verb](self.app, item_id, actor=self.actor, role="operator", **values))

    def review(self, limit: int) -> list[Json]:
        return reading.review_queue(self.app, limit=limit).rows

    def show(self, item_id: str) -> Json:
        return acts.read_item(self.app, item_id)

    def failures(self, limit: int) -> list[Json]:
        return promotion.list_failures(self.app, limit=limit)[0]


class Distant:
    """Content behind a service; acts are those of whoever the key belongs to."""

    def __init__(self, client: RemoteClient) -> None:
        self.client = client
        self.types = CONTENT_TYPES

    def submit(self, items: Sequence[Json]) -> list[Json]:
        """Submit one after the other; one that is refused stops no other."""
        return [self._submit(item) for item in items]

    def _submit(self, item: Json) -> Json:
        try:
            return self._post("/content", item)
        except OF_ONE_ITEM as error:
            return refusal(item.get("item_id"), error)

    def _post(self, path: str, body: Json) -> Json:
        """Ask the service, as soon as its limit of requests allows."""
        while True:
            try:
                return dict(self.client.request("POST", path, body=body))
            except TooManyRequests as error:
                self.client.clock.sleep(float(error.facts.get("retry_after", 1)))

    def validate(self, item_ids: Sequence[str]) -> list[Json]:
        """Make candidates of drafts and have their gates run; what came of each."""
        return [self._validate(item_id) for item_id in item_ids]

    def _validate(self, item_id: str) -> Json:
        try:
            answer = self.act("promote", item_id, {})
            self.act("promote", item_id, {})
        except OF_ONE_ITEM as error:
            return refusal(item_id, error)
        return answer

    def act(self, verb: str, item_id: str, values: Json) -> Json:
        body = {**values, **({"again": True} if verb == "promote" else {})}
        return self._post(f"/content/{quote(item_id, safe='')}/{verb}", body)

    def review(self, limit: int) -> list[Json]:
        return self._pages("/content/review-queue", limit)

    def failures(self, limit: int) -> list[Json]:
        return self._pages("/content/promotion-failures", limit)

    def _pages(self, path: str, limit: int) -> list[Json]:
        rows: list[Json] = []
        cursor = None
        while len(rows) < limit:
            query = [("limit", min(PAGE, limit - len(rows))), ("cursor", cursor)]
            page = self.client.request("GET", path, query=query)
            rows += page["items"]
            cursor = page["next"]
            if cursor is None:
                break
        return rows

    def show(self, item_id: str) -> Json:
        return dict(self.client.request("GET", f"/content/{quote(item_id, safe='')}"))


def result(answer: Answer) -> Json:
    """What came of an act, as the HTTP API answers it; of a row that was refused, why."""
    values = {
        "item_id": answer.id,
        "outcome": answer.outcome,
        "from_state": answer.old,
        "to_state": answer.new,
        "version": answer.version,
    }
    if answer.error is not None:
        values |= {"code": answer.error.code, "message": answer.error.message}
    return values


def refusal(item_id: str | None, error: InterlockError) -> Json:
    """What came of an item that a service refused."""
    return {"item_id": item_id, "outcome": "refused", "code": error.code, "message": error.message}


def source_of(running: Session, actor: str | None = None, *, prepare: bool = False) -> Source:
    """The service that was named, or the app; `prepare` makes an embedded database ready that is not there yet."""
    if (service := running.service) is not None:
        return Distant(service)
    app = running.bundled_app()
    if KIND not in app.workflows:
        raise UnknownKind(f"this app has no content; it has {', '.join(app.workflows)}", kind=KIND)
    if prepare:
        app.migrate()
    else:
        app.ready()
    return Local(app, running.actor(actor))
