"""API keys over HTTP, for admins: list, make, revoke."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.requests import Request

from ...app import App
from ...store.records import api_keys as keys
from ...workflow.durations import span
from ..http.answers import Json
from ..http.guard import SLASH
from ..http.routing import who_asks
from ..schemas import access as shapes


class AccessKeys:
    """The keys of this service."""

    def __init__(self, app: App, forget: Callable[[], None]) -> None:
        self.app, self.forget = app, forget

    def list(self) -> Json:
        """Every key that was ever made, and whether it holds."""
        with self.app.database.read() as tx:
            return Json({"keys": [self.describe(key) for key in keys.every(tx)]})

    def create(self, request: Request, body: shapes.KeyCommand) -> Json:
        """Make a key; it is in this answer, and nowhere else ever again."""
        now = self.app.clock.now()
        until = None if body.expires is None else now + span(body.expires)
        with self.app.database.write() as tx:
            secret = keys.create(
                tx, body.name, body.scope, by=who_asks(request).actor, now=now, expires_at=until
            )
            made = keys.find(tx, body.name)
        self.forget()
        return Json({**self.describe(made), "key": secret}, 201)

    def revoke(self, name: str) -> Json:
        """End a key for good."""
        with self.app.database.write() as tx:
            revoked = keys.revoke(tx, name.replace(SLASH, "/"), self.app.clock.now())
        self.forget()
        return Json(self.describe(revoked))

    def describe(self, key: Any) -> dict[str, Any]:
        return {**asdict(key), "state": key.state(self.app.clock.now())}
