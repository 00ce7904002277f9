"""Steps several acts statement by statement: each runs in its own thread and pauses before every statement and every commit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal

import psycopg
from sqlalchemy import Connection, Engine, event

PATIENCE = 20.0
GLANCE = 0.001
NO_STEP = (
    "SELECT set_config(",
    "SAVEPOINT",
    "RELEASE",
)  # what concerns only one's own transaction commutes with all that others do

Act = Callable[[], Any]
_here = threading.local()


@dataclass
class Actor:
    """One act in its own thread, and where it stands."""

    name: str
    act: Act
    turn: threading.Condition
    state: Literal["running", "paused", "finished"] = "running"
    answer: Any = None
    pid: int = 0
    free: bool = False
    statements: list[str] = field(default_factory=list)

    def run(self) -> None:
        _here.actor = self
        try:
            self.answer = self.act()
        except BaseException as error:  # noqa: BLE001  an act answers with what it raised, whatever that is
            self.answer = error
        with self.turn:
            self.state = "finished"
            self.turn.notify_all()

    def pause(self, pid: int, statement: str) -> None:
        if self.free:
            return
        with self.turn:
            self.pid, self.state = pid, "paused"
            self.statements.append(statement)
            self.turn.notify_all()
            self.turn.wait_for(lambda: self.state == "running")

    def resume(self) -> None:
        with self.turn:
            self.state = "running"
            self.turn.notify_all()

    def release(self) -> None:
        """Run to the end without further pauses."""
        self.free = True
        self.resume()


class PausingCursor(psycopg.Cursor[Any]):
    """Tells the act of this thread which statement comes next, and waits for its turn."""

    def execute(self, query: Any, *values: Any, **options: Any) -> Any:
        pause(self.connection, query if isinstance(query, str) else bytes(query).decode())
        return super().execute(query, *values, **options)

    def executemany(self, query: Any, *values: Any, **options: Any) -> Any:
        pause(self.connection, query if isinstance(query, str) else bytes(query).decode())
        return super().executemany(query, *values, **options)


def pause(connection: Any, statement: str) -> None:
    actor = getattr(_here, "actor", None)
    if actor is not None and not statement.startswith(NO_STEP):
        actor.pause(connection.info.backend_pid, statement)


@contextmanager
def in_one_step() -> Iterator[None]:
    """Statements that see one snapshot are as good as one: the act of this thread makes them without pauses."""
    actor = getattr(_here, "actor", None)
    free = actor is None or actor.free
    if actor is not None:
        actor.free = True
    yield
    if actor is not None:
        actor.free = free


def make_steppable(engine: Engine) -> None:
    """Every statement and commit of this engine, made in an act's thread, becomes a step; other threads notice nothing."""

    @event.listens_for(engine, "connect")
    def prepare(connection: psycopg.Connection[Any], _: Any) -> None:
        connection.cursor_factory = PausingCursor

    @event.listens_for(engine, "commit")
    def commit(connection: Connection) -> None:
        pause(connection.connection.driver_connection, "COMMIT")


class Scheduler:
    """Lets one act after another take a step, and knows which of them wait for a lock."""

    def __init__(self, observer: psycopg.Connection[Any]) -> None:
        self.observer = observer
        self.turn = threading.Condition()

    def play(self, acts: Mapping[str, Act], choose: Callable[[list[str]], str]) -> dict[str, Actor]:
        """Run the acts to their ends; `choose` names who takes the next step among those who can."""
        actors = {name: Actor(name, act, self.turn) for name, act in acts.items()}
        threads = [threading.Thread(target=actor.run, daemon=True) for actor in actors.values()]
        for thread in threads:
            thread.start()
        try:
            while ready := self._ready(actors):
                actors[choose(ready)].resume()
        finally:
            for actor in actors.values():
                if actor.state != "finished":
                    actor.release()
            for thread in threads:
                thread.join(PATIENCE)
        return actors

    def _ready(self, actors: Mapping[str, Actor]) -> list[str]:
        """Wait until everybody is paused, finished or kept waiting by a lock; who is paused. None when all are finished."""
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            with self.turn:
                self.turn.wait_for(lambda: all(actor.state != "running" for actor in actors.values()), GLANCE)
                running = [actor for actor in actors.values() if actor.state == "running"]
                paused = [actor.name for actor in actors.values() if actor.state == "paused"]
            if not running or (paused and all(self._waits(actor) for actor in running)):
                return paused
        raise TimeoutError({actor.name: (actor.state, actor.statements[-1:]) for actor in actors.values()})

    def _waits(self, actor: Actor) -> bool:
        """Whether the act's connection waits for a lock that somebody else holds."""
        row = self.observer.execute("SELECT cardinality(pg_blocking_pids(%s))", (actor.pid,)).fetchone()
        return bool(row and row[0])
