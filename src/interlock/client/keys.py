"""API keys as a client sees them, in the app's own database and behind a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..store.records import api_keys as keys
from .api_words import key_of as answered_key
from .api_words import segment
from .convert import key_of, length_of
from .values import ApiKey

if TYPE_CHECKING:  # requests need httpx, which an app without a service has not
    from .connection import Connection
    from .local import LocalClient


class Keys(Protocol):
    """API keys of the HTTP service."""

    def list(self) -> list[ApiKey]:
        """Every key that was ever made."""
        ...

    def create(self, name: str, scope: str, *, expires: str | None = None) -> ApiKey:
        """Make a key; its secret is in this answer and nowhere else. `expires` is a span."""
        ...

    def revoke(self, name: str) -> ApiKey:
        """End a key for good."""
        ...


class LocalKeys:
    """The keys in the app's own database."""

    def __init__(self, client: LocalClient) -> None:
        self.client, self.app = client, client.app

    def list(self) -> list[ApiKey]:
        now = self.app.clock.now()
        with self.app.database.read() as tx:
            return [key_of(one, now) for one in keys.every(tx)]

    def create(self, name: str, scope: str, *, expires: str | None = None) -> ApiKey:
        now = self.app.clock.now()
        until = None if expires is None else now + length_of(expires)
        with self.app.database.write() as tx:
            secret = keys.create(tx, name, scope, by=self.client.actor, now=now, expires_at=until)
            (made,) = (one for one in keys.every(tx) if one.name == name)
        return key_of(made, now, secret)

    def revoke(self, name: str) -> ApiKey:
        now = self.app.clock.now()
        with self.app.database.write() as tx:
            return key_of(keys.revoke(tx, name, now), now)


class RemoteKeys:
    """The keys of a service."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def list(self) -> list[ApiKey]:
        return [answered_key(one) for one in self.connection.ask("GET", "/keys")["keys"]]

    def create(self, name: str, scope: str, *, expires: str | None = None) -> ApiKey:
        body = {"name": name, "scope": scope, "expires": expires}
        return answered_key(self.connection.ask("POST", "/keys", body=body))

    def revoke(self, name: str) -> ApiKey:
        return answered_key(self.connection.ask("DELETE", f"/keys/{segment(name)}"))
