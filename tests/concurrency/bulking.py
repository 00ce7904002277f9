"""A process that runs a bulk operation, and may be killed in it as `kill -9` would, before one chosen statement."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from multiprocessing.connection import Connection

from interlock import App, Machine
from interlock.errors import ConcurrentModificationError, InvalidStateTransition
from tests.concurrency.dying import Fuse, lay
from tests.concurrency.workers import REST, answering, on_the_word
from tests.kinds import plain

LIGHT = Machine("light", initial="red", moves={"red": ["green"], "green": ["red"]})


@answering
def run_until(connection: Connection, url: str, id: str, chunk: int, chosen: int) -> int:
    """Run the operation, dying at the chosen statement; how many statements it took if it lived."""
    fuse = Fuse(chosen)
    with closing(App([plain(LIGHT)], database=url)) as app:
        lay(app.database.engine, fuse)
        with app.database.write():
            pass  # connected: what counts from here on is the operation
        fuse.lit = True
        assert app.operations.run(id, chunk=chunk).status == "finished"
        fuse.lit = False
        return fuse.count


@answering
def take_turns(connection: Connection, url: str, id: str, chunk: int) -> int:
    """Run two chunks of the operation whenever nobody else runs it, until it is finished; how many records this process answered."""
    answered = 0
    with closing(App([plain(LIGHT)], database=url)) as app:
        app.operations.lease = timedelta(minutes=5)  # a process that pauses is not to be taken over
        on_the_word(connection)
        while True:
            try:
                run = app.operations.begin(id, chunk=chunk)
            except ConcurrentModificationError:
                connection.poll(REST)  # somebody else is at it, and needs the database for it
                continue
            except InvalidStateTransition:
                return answered  # it is finished
            start = run.operation.reached
            answered += (
                run.go(stop=lambda run=run, start=start: run.operation.reached >= start + 2 * chunk).reached
                - start
            )  # type: ignore[misc]
