"""Names for things that have none: random, unguessable, never derived from a host or a clock."""

from __future__ import annotations

from uuid import UUID, uuid4


def random_uuid() -> UUID:
    """An id for a record whose table has uuids and no default."""
    return uuid4()
