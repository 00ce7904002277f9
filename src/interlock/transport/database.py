"""The default transport: the work table itself; hints go by the shortest route that the database has."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection

from ..store.connect import Database
from .contract import Listener, Topic


class DatabaseTransport:
    """Hints through the database; `direct` is its address past a pooler."""

    def __init__(self, database: Database, direct: str | None = None) -> None:
        self._hints = database.sql.hints(database, direct)

    def within(self, tx: Connection, topic: Topic, stages: Collection[str] = ()) -> None:
        self._hints.within(tx, topic)

    def after(self, topic: Topic, stages: Collection[str] = ()) -> None:
        self._hints.after(topic)

    def inline(self, topic: Topic) -> str | None:
        return self._hints.inline(topic)

    def listen(self, topic: Topic, stages: Collection[str] = ()) -> Listener:
        return self._hints.listen(topic)

    def close(self) -> None:
        self._hints.close()
