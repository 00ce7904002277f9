"""The one real database that all processes of a simulated world share: SQLite in memory, or a PostgreSQL named by its URL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sqlalchemy import Connection, Engine

from ....store.connect import Database
from ..faults import Faults
from .watching import LogLine


class Ground(Protocol):
    """A migrated database with every table of the workflows, watched from inside; each history begins with it empty."""

    engine: Engine
    faults: Faults

    def plainly(self, sql: str, values: Any = ()) -> Any:
        """Execute a statement of the simulation itself, which is not counted; returns the driver's cursor."""
        ...

    def text(self, sql: str) -> str:
        """A statement written for psycopg, as `plainly` takes it."""
        ...

    def database(self, between: Callable[[], None]) -> Database:
        """The database as one process sees it; `between` is called before each of its transactions."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection that reads what was committed; its statements are not counted."""
        ...

    def begin_history(self) -> None: ...

    def end_history(self) -> None: ...

    def log(self) -> list[LogLine]:
        """Everything that was committed, in order; a line `commit` after each transaction."""
        ...

    def close(self) -> None: ...
