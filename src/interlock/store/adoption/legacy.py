"""Writes past Interlock while a table is being adopted: the detail that their entries share, and the columns that a state needs. Pure."""

from __future__ import annotations

from hashlib import sha256

from ..entry import Detail, detail_digest
from ..placement import Placement

REASON = "written past Interlock, while the table is being adopted"


def legacy_detail(place: Placement) -> Detail:
    """The reason of every such entry of one axis. Its salt is always the same, so that the guard's text is: it hides nothing."""
    adopt = place.axis.adopt
    name = "" if adopt is None else adopt.name
    salt = sha256(f"interlock {place.kind}.{place.name} {name}".encode()).digest()[:16]
    return Detail(salt, REASON, "{}", detail_digest(salt, REASON, "{}"), shared=True)
