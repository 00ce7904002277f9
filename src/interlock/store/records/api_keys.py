"""API keys: made at random, shown once, kept as a digest; each with a scope, perhaps an expiry, and revocable.

A key has 256 random bits, so nobody can go through the possible ones: a plain SHA-256 hides it as well as a slow password hash would, and a
request does not wait for one.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection, insert, literal, or_, select, update

from ...errors import BadInput, UnknownRecord
from ..entry import is_text
from ..tables import access_key

OWN_ACTORS = frozenset({"app", "coordinator", "local"})
"""Actors that Interlock itself writes into the ledger; a key of that name could not be told from them."""
SCOPES = ("viewer", "curator", "operator", "admin", "runner")
PREFIX = "ilk_"
USE_IS_NOTED_EVERY = timedelta(hours=1)
"""When a key was last used is for finding forgotten keys; an hour is exact enough, and a write an hour costs nothing."""


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key; the key itself is not."""

    name: str
    scope: str
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    def holds(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def state(self, now: datetime) -> str:
        return "revoked" if self.revoked_at else "valid" if self.holds(now) else "expired"


_COLUMNS = [
    access_key.c[name]
    for name in ("name", "scope", "created_at", "created_by", "expires_at", "revoked_at", "last_used_at")
]


def digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def create(
    tx: Connection, name: str, scope: str, *, by: str, now: datetime, expires_at: datetime | None = None
) -> str:
    """Make a key and give it out, this once. A name is never used twice: it is the actor in the ledger."""
    if not name.strip() or len(name) > 100 or not name.isprintable() or not is_text(name):
        raise BadInput("the name of a key is 1 to 100 printable characters")
    if name.strip().casefold() in OWN_ACTORS:
        raise BadInput(
            f"{name!r} is an actor of Interlock itself; a key needs a name of its own",
            hint="The ledger names the key as the actor.",
        )
    if scope not in SCOPES:
        raise BadInput(f"a key has one of the scopes {', '.join(SCOPES)}; not {scope!r}")
    if expires_at is not None and expires_at <= now:
        raise BadInput("the key would have expired before it was made")
    if find(tx, name) is not None:
        raise BadInput(
            f"there is, or was, a key {name!r} already",
            hint="Names of keys stand in the ledger, so each is used once.",
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    tx.execute(
        insert(access_key).values(
            name=name,
            digest=digest(secret),
            scope=scope,
            created_at=now,
            created_by=by,
            expires_at=expires_at,
        )
    )
    return secret


def find(tx: Connection, name: str) -> Key | None:
    row = tx.execute(select(*_COLUMNS).where(access_key.c.name == name)).first()
    return None if row is None else Key(*row)


def known_by(tx: Connection, presented: bytes) -> Key | None:
    """The key with this digest, whether it still holds or not."""
    row = tx.execute(select(*_COLUMNS).where(access_key.c.digest == presented)).first()
    return None if row is None else Key(*row)


def every(tx: Connection) -> list[Key]:
    return [
        Key(*row)
        for row in tx.execute(select(*_COLUMNS).order_by(access_key.c.created_at, access_key.c.name))
    ]


def digests(tx: Connection) -> frozenset[bytes]:
    """The digests of every key that was ever made."""
    return frozenset(bytes(row.digest) for row in tx.execute(select(access_key.c.digest)))


def any_holds(tx: Connection, now: datetime) -> bool:
    unexpired = or_(access_key.c.expires_at.is_(None), access_key.c.expires_at > now)
    asked = select(literal(1)).select_from(access_key).where(access_key.c.revoked_at.is_(None), unexpired)
    return tx.execute(asked.limit(1)).first() is not None


def revoke(tx: Connection, name: str, now: datetime) -> Key:
    """End a key for good; one that was revoked before stays as it was."""
    tx.execute(
        update(access_key)
        .where(access_key.c.name == name, access_key.c.revoked_at.is_(None))
        .values(revoked_at=now)
    )
    found = find(tx, name)
    if found is None:
        unknown = UnknownRecord("keys", name)
        unknown.hint = "`interlock key list` lists the keys."
        raise unknown
    return found


def note_use(tx: Connection, name: str, now: datetime) -> None:
    """Note a use; a later one that another process has noted stays."""
    earlier = or_(access_key.c.last_used_at.is_(None), access_key.c.last_used_at < now)
    tx.execute(update(access_key).where(access_key.c.name == name, earlier).values(last_used_at=now))


def use_is_due(key: Key, now: datetime) -> bool:
    return key.last_used_at is None or now - key.last_used_at >= USE_IS_NOTED_EVERY
