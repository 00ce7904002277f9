"""How hints travel: that there is work, or a report. A hint may be lost, repeated or late; polling is the truth."""

from __future__ import annotations

from ..errors import BadInput
from ..store.connect import Database
from .contract import Listener, Topic, Transport
from .database import DatabaseTransport

__all__ = ["DatabaseTransport", "Listener", "Topic", "Transport", "choose_transport"]


def choose_transport(choice: str | Transport | None, database: Database) -> Transport:
    """The transport of an app: the database itself unless another is named or given."""
    if choice is None or choice == "database":
        return DatabaseTransport(database)
    if isinstance(choice, str):
        raise BadInput(
            f"there is no transport {choice!r}",
            hint='There is "database", the default; or give an object with the methods of '
            "interlock.transport.Transport.",
        )
    return choice
