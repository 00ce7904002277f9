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
from ..gates.normalizing import normalize_value
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

    def left_behind(self, items: Sequence[Json]) -> list[str]:
        """The ids of those of these items that are drafts with just this payload: a file that was submitted before, but not to its end."""
        ...

    def validate(self, item_ids: Sequence[str]) -> list[Json]: ...

    def amend(self, item_id: str, fields: Json, reason: str) -> Json:
        """Change fields of an item's payload; the others stay, and null removes one."""
        ...

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

    def left_behind(self, items: Sequence[Json]) -> list[str]:
        known = reading.read_drafts(self.app, [item["item_id"] for item in items])
        return [id for item in items if (id := item["item_id"]) in known and known[id] == item["payload"]]

    def validate(self, item_ids: Sequence[str]) -> list[Json]:
        """Make candidates of drafts and have their gates run; what came of each."""
        answers = acts.promote_many(self.app, item_ids, actor=self.actor, validate=True)
        return [result(answer) for answer in answers]

    def amend(self, item_id: str, fields: Json, reason: str) -> Json:
        item = acts.read_item(self.app, item_id)
        answer = acts.amend_payload(
            self.app,
            item_id,
            payload=changed(item["payload"], fields),
            actor=self.actor,
            reason=reason,
            version=item["version"],
        )
        return result(answer)

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

    def __init__(self, client: RemoteClient, types: Mapping[str, ContentType] = CONTENT_TYPES) -> None:
        self.client, self.types = client, types

    def submit(self, items: Sequence[Json]) -> list[Json]:
        """Submit one after the other; one that is refused stops no other."""
        return [self._submit(item) for item in items]

    def _submit(self, item: Json) -> Json:
        try:
            return self._ask("POST", "/content", item)
        except OF_ONE_ITEM as error:
            return refusal(item.get("item_id"), error)

    def _ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """Ask the service, as soon as its limit of requests allows."""
        while True:
            try:
                return dict(self.client.request(method, path, body=body))
            except TooManyRequests as error:
                self.client.clock.sleep(float(error.facts.get("retry_after", 1)))

    def left_behind(self, items: Sequence[Json]) -> list[str]:
        return [item["item_id"] for item in items if self._is_left_behind(item)]

    def _is_left_behind(self, item: Json) -> bool:
        """Whether the item is such a draft, or was made a candidate of which no gate was asked yet."""
        now = self.show(item["item_id"])
        if now["state"] == "CANDIDATE":
            return not now["verdicts"] and bool(now["payload"] == normalize_value(item["payload"]))
        return bool(now["state"] == "DRAFT" and now["payload"] == item["payload"])

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

    def amend(self, item_id: str, fields: Json, reason: str) -> Json:
        item = self.show(item_id)
        body = {"payload": changed(item["payload"], fields), "reason": reason, "version": item["version"]}
        return self._ask("PATCH", _address(item_id), body)

    def act(self, verb: str, item_id: str, values: Json) -> Json:
        body = {**values, **({"again": True} if verb == "promote" else {})}
        return self._ask("POST", f"{_address(item_id)}/{verb}", body)

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
        return self._ask("GET", _address(item_id))


def _address(item_id: str) -> str:
    return f"/content/{quote(item_id, safe='')}"


def changed(payload: Json, fields: Json) -> Json:
    """The payload with these fields changed; those that are null are left out."""
    return {name: value for name, value in {**payload, **fields}.items() if value is not None}


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
    """The service that was named, or the app; `prepare` makes an embedded database ready that is not there yet. The types of content of a
    service are those of the app that is named beside it, else the bundled ones."""
    if (service := running.service) is not None:
        return Distant(service, CONTENT_TYPES if running.settings.app is None else types_of(running.declared))
    app = running.bundled_app()
    if KIND not in app.workflows:
        raise UnknownKind(f"this app has no content; it has {', '.join(app.workflows)}", kind=KIND)
    if prepare:
        app.migrate()
    else:
        app.ready()
    return Local(app, running.actor(actor))
