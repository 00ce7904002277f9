"""The one transaction runner: claim the key, run, isolate bad rows, try again after lost races, store the answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

from sqlalchemy import Connection

from ..clock import Clock
from ..errors import ConcurrentModificationError, InterlockError, StoreError
from ..store import commands
from ..store.connect import Database
from ..store.faults import LostRace, is_lost_race
from ..workflow import Answer
from .answers import stored_answers, unstored_answers

TRIES = 3
FIRST_PAUSE = 0.1
T = TypeVar("T")


def raced(error: BaseException) -> bool:
    """Whether the error is, or stands for, a race that the database decided for another transaction."""
    return is_lost_race(error) or (error.__cause__ is not None and is_lost_race(error.__cause__))


class Transactions:
    """Runs acts of the authority in transactions of one database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database, self.clock = database, clock

    def run(
        self, act: Callable[[Connection, bool], T], *, exhausted: Callable[[], InterlockError] | None = None
    ) -> T:
        """Run the act in a transaction of its own, at most three times: again whenever a race was lost. The act is called with the
        transaction and whether this is its last try. `exhausted` makes the error to raise when all tries are lost."""
        for number in range(TRIES):
            if number:
                self.clock.sleep(FIRST_PAUSE * 2 ** (number - 1))
            final = number == TRIES - 1
            try:
                with self.database.write() as tx:
                    return act(tx, final)
            except (InterlockError, LostRace) as error:
                if not raced(error):
                    raise
                if final:
                    fault = (exhausted or _busy)()
                    raise fault from error
        raise AssertionError("the last try answers or raises")

    def once(
        self,
        tx: Connection,
        actor: str,
        key: str | None,
        payload: Callable[[], bytes],
        act: Callable[[], list[Answer]],
    ) -> list[Answer]:
        """The stored answers where this key was used before, else those of the act, which are stored with it: at most once."""
        if key is None:
            return act()
        stored = commands.claim(self.database, tx, actor, key, payload(), self.clock.now())
        if stored is not None:
            return unstored_answers(stored)
        answers = act()
        commands.answer(tx, actor, key, stored_answers(answers))
        return answers


def savepoint_for(tx: Connection, key: str | None) -> Any:
    """In a caller's transaction a claimed key is undone together with what it did."""
    return nullcontext() if key is None else tx.begin_nested()


def isolate_races(step: Callable[[], T], lost: Callable[[], T]) -> T:
    """Run the step; what a lost race answers instead. Faults of the store go through."""
    try:
        return step()
    except StoreError:
        raise
    except (InterlockError, LostRace) as error:
        if not raced(error):
            raise
        return lost()


def _busy() -> InterlockError:
    return ConcurrentModificationError(
        "other transactions changed the same records each time this one was tried",
        hint="Try again: nothing was changed.",
    )
