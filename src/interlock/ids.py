"""Names for things that have none: random, unguessable, never derived from a host or a clock."""

from __future__ import annotations

import secrets
from uuid import UUID, uuid4

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz"


def random_id(prefix: str, length: int = 16) -> str:
    """An id such as `op_7Hk2…`, safe in URLs and easy to read aloud."""
    return prefix + "".join(secrets.choice(_ALPHABET) for _ in range(length))


def random_token() -> str:
    """128 random bits as text: the fence of one attempt."""
    return secrets.token_hex(16)


def random_uuid() -> UUID:
    """An id for a record whose table has uuids and no default."""
    return uuid4()
