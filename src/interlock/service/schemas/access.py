"""The shapes of requests and answers about who may use the service: API keys, and browsers that are signed in."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .shape import Shape

Scope = Literal["viewer", "curator", "operator", "admin", "runner"]


class SignedIn(Shape):
    """This browser is signed in, by a cookie."""

    actor: str
    role: str


class KeyCommand(BaseModel):
    """Make an API key."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"name": "nightly-import", "scope": "operator", "expires": "90d"}},
    )
    name: str = Field(min_length=1, max_length=100)
    scope: Scope
    expires: str | None = Field(None, pattern=r"^[0-9]{1,5}(s|m|h|d|w)$")


class Key(Shape):
    """What is known of a key; the key itself is not."""

    name: str
    scope: Scope
    state: Literal["valid", "expired", "revoked"]
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class MadeKey(Key):
    """A new key, with the secret that is shown this once."""

    key: str


class Keys(Shape):
    """Every key that was ever made."""

    keys: list[Key]
