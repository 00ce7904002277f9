"""What the processes do: each opens the database for itself, waits for the word, works, and sends what it was answered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import wraps
from multiprocessing.connection import Connection
from typing import Any

from interlock import Answer, App, Machine
from interlock.clock import SystemClock
from interlock.errors import InterlockError, StoreError
from tests.kinds import plain

CYCLE = Machine("cycle", initial="a", moves={"a": ["b"], "b": ["a", "c"], "c": ["b"]})
KIND = "things"
HOT = "hot"
REST = 0.05
"""Seconds between two writes of whoever has made enough of them: writers who never rest make the more work for the others, the slower
the machine is, until nobody comes to an end."""
EXPECTED = {"InvalidStateTransition", "ConcurrentModificationError"}


class CountingClock(SystemClock):
    """How often somebody had to wait for another try."""

    def __init__(self) -> None:
        self.waits = 0

    def sleep(self, seconds: float) -> None:
        self.waits += 1
        super().sleep(seconds)


@dataclass
class Tally:
    """What one process was answered: for the hot record, for each other record, and in all."""

    hot: Counter[str] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    waits: int = 0


def open_cycle(url: str, clock: SystemClock | None = None) -> App:
    return App([plain(CYCLE, KIND)], database=url, clock=clock)


def answering(work: Callable[..., Any]) -> Callable[..., None]:
    """The work's value or fault goes back through the connection."""

    @wraps(work)
    def run(connection: Connection, *given: Any) -> None:
        try:
            connection.send(work(connection, *given))
        except BaseException as error:  # noqa: BLE001  a fault is an answer too: the test raises it
            connection.send(error)

    return run


def on_the_word(connection: Connection) -> None:
    connection.send("ready")
    assert connection.recv() == "go"


def outcome(act: Callable[[], Answer]) -> str:
    """What an act was answered; a refusal that was raised has its class's name. The store's own faults are no answer."""
    try:
        return act().outcome
    except StoreError:
        raise
    except InterlockError as error:
        return (
            type(error).__name__ if type(error).__name__ in EXPECTED else f"{type(error).__name__}: {error}"
        )


@answering
def hammer(connection: Connection, url: str, number: int, others: int, rounds: int, batch: int) -> Tally:
    """Single moves of the hot record between batches of others, whose ids overlap and come in any order."""
    chance, tally, clock = random.Random(number), Tally(), CountingClock()
    with closing(open_cycle(url, clock)) as app:
        on_the_word(connection)
        for turn in range(rounds):
            for _ in range(3):
                state = chance.choice("abc")
                tally.hot[
                    outcome(lambda state=state: app.move(KIND, HOT, actor=f"p{number}", status=state))
                ] += 1  # type: ignore[misc]
            ids = [f"r{one}" for one in chance.sample(range(others), min(batch, others))]
            for answer in app.move_many(KIND, ids, actor=f"p{number}", status=chance.choice("abc")):
                tally.outcomes[answer.outcome] += 1
                tally.moved[answer.id] += answer.outcome == "moved"
            if turn % 4 == number % 4:
                app.fold_counters()
    tally.waits = clock.waits
    return tally


@answering
def move_once(connection: Connection, url: str, key: str) -> Answer:
    with closing(open_cycle(url)) as app:
        on_the_word(connection)
        return app.move(KIND, HOT, actor="ann", key=key, status="b")


@answering
def migrate(connection: Connection, url: str) -> list[str]:
    with closing(open_cycle(url)) as app:
        on_the_word(connection)
        return app.migrate()


@answering
def migrate_and_move(connection: Connection, url: str, number: int, moves: int) -> int:
    """Migrates like everybody else, then moves records of its own while the others may still migrate."""
    with closing(open_cycle(url)) as app:
        on_the_word(connection)
        app.migrate()
        ids = [f"p{number}-{one}" for one in range(moves)]
        admitted = app.admit_many(KIND, [{"id": id} for id in ids])
        moved = [app.move(KIND, id, actor=f"p{number}", status="b") for id in ids]
        return sum(answer.ok for answer in (*admitted, *moved))
