"""What carries hints between coordinators and runners; the work row in the database is the truth, whatever a transport does."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from sqlalchemy import Connection

Topic = Literal["work", "report"]
"""`work`: attempts were issued, for runners. `report`: something waits for a coordinator: a report, or a record that became due."""


class Listener(Protocol):
    """Somebody who waits for hints; each has its own, so that nobody takes another's."""

    def wait(self, seconds: float) -> bool:
        """Until a hint comes, or this long; whether one came. Hints that came while nobody waited count."""
        ...

    def acknowledge(self) -> None:
        """What the last hints were about has been committed; a broker may forget them."""
        ...

    def wake(self) -> None:
        """End a wait from another thread or a signal handler."""
        ...

    def close(self) -> None: ...


class Transport(Protocol):
    """Publishes hints, and gives out listeners."""

    def within(self, tx: Connection, topic: Topic, stages: Collection[str] = ()) -> None:
        """Hint as part of the transaction, where the database carries hints itself: it arrives with the commit, or never."""
        ...

    def after(self, topic: Topic, stages: Collection[str] = ()) -> None:
        """Hint after the commit; called once for every `within` whose transaction was committed."""
        ...

    def inline(self, topic: Topic) -> str | None:
        """SQL that hints as part of a statement which is its own transaction; None where hints only go out after the commit."""
        ...

    def listen(self, topic: Topic, stages: Collection[str] = ()) -> Listener: ...

    def close(self) -> None: ...
