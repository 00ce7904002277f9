"""A process that kills itself, as `kill -9` would, before one chosen statement of a batch."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

import psycopg
from sqlalchemy import Engine, event

from interlock import App
from tests.concurrency.workers import answering
from tests.kinds import domains

RECORDS = list(range(1, 9))
IN_THE_MIDST = 4
"""A statement of every chunk that changes records, and not its last."""


class Fuse:
    """Counts statements once it is lit; at the chosen one the process is gone."""

    def __init__(self, chosen: int) -> None:
        self.chosen, self.count, self.lit = chosen, 0, False

    def tick(self, *_: Any) -> None:
        if self.lit:
            self.count += 1
            if self.count == self.chosen:
                os.kill(os.getpid(), signal.SIGKILL)


def cursor_that(ticks: Callable[[], None]) -> type[psycopg.Cursor[Any]]:
    class Ticking(psycopg.Cursor[Any]):
        def execute(self, *given: Any, **options: Any) -> Any:
            ticks()
            return super().execute(*given, **options)

    return Ticking


def lay(engine: Engine, fuse: Fuse) -> None:
    """Every statement ticks; on SQLite each one inside a trigger too."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        if isinstance(connection, psycopg.Connection):
            connection.cursor_factory = cursor_that(fuse.tick)
        else:
            connection.set_trace_callback(fuse.tick)

    if engine.dialect.name == "postgresql":
        event.listen(engine, "commit", fuse.tick)


@answering
def move_until(connection: Connection, url: str, state: str, chosen: int) -> int:
    """Move all records in one batch, dying at the chosen statement; how many statements it took if it lived."""
    fuse = Fuse(chosen)
    with closing(App([domains()], database=url)) as app:
        lay(app.database.engine, fuse)
        with app.database.write():
            pass  # connected: what counts from here on is the batch
        fuse.lit = True
        answers = app.move_many(
            "domains", RECORDS, actor="ann", reason="to see whether it holds", curation_status=state
        )
        assert all(answer.ok for answer in answers)
        fuse.tick()
        fuse.lit = False
        return fuse.count
