"""Names for things that have none: random, unguessable, never derived from a host or a clock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

Source = Callable[[int], bytes]

_source: Source = os.urandom


def random_bytes(count: int) -> bytes:
    """So many random bytes: from the operating system, or in a simulation from its seed."""
    return _source(count)


def random_uuid() -> UUID:
    """An id for a record whose table has uuids and no default."""
    return UUID(bytes=_source(16), version=4)


@contextmanager
def drawn_from(source: Source) -> Iterator[None]:
    """Within this, everything random comes from here, so that a simulated history can be replayed; nothing else may use it."""
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before
