"""The one transaction runner: claim the key, run, isolate bad rows, try again after lost races, store the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from ...clock import Clock
from ...errors import ConcurrentModificationError, InterlockError, StoreError
from ...store.connect import Database
from ...store.faults import LostRace, is_lost_race
from ...store.records import idempotency as commands
from ...workflow import Answer
from .answers import stored_answers, unstored_answers
from .isolate_failures import Progress

TRIES = 3
FIRST_PAUSE = 0.1
T = TypeVar("T")


def raced(error: BaseException) -> bool:
    """Whether the error is, or stands for, a race that the database decided for another transaction."""
    return is_lost_race(error) or (error.__cause__ is not None and is_lost_race(error.__cause__))


@dataclass(frozen=True)
class Stored(Generic[T]):
    """How an answer is written beside its key, and read again."""

    write: Callable[[T], str]
    read: Callable[[str], T]


ANSWERS: Stored[list[Answer]] = Stored(stored_answers, unstored_answers)


class Transactions:
    """Runs acts of the authority in transactions of one database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database, self.clock = database, clock

    def run(
        self, act: Callable[[Connection, bool], T], *, exhausted: Callable[[], InterlockError] | None = None
    ) -> T:
        """Run the act in a transaction of its own, at most three times: again whenever a race was lost. The act is called with the
        transaction and whether this is its last try. `exhausted` makes the error to raise when all tries are lost."""
        for number in self._tries():
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

    def run_rows(self, count: int, act: Callable[[list[int]], Progress]) -> Progress:
        """Run the act over rows that stand for themselves: those that lost a race again, at most three times. The progress of all tries;
        its `lost` are the rows that lost each of them."""
        done, pending = Progress(), list(range(count))
        for number in self._tries():
            progress = act(pending)
            pending, progress.lost = progress.lost, []
            done = progress if number == 0 else done.add(progress)
            if not pending:
                break
        done.lost = pending
        return done

    def _tries(self) -> Iterator[int]:
        """The number of each try; before every further one a pause that doubles."""
        for number in range(TRIES):
            if number:
                self.clock.sleep(FIRST_PAUSE * 2 ** (number - 1))
            yield number

    def once(
        self,
        tx: Connection,
        actor: str,
        key: str | None,
        payload: Callable[[], bytes],
        act: Callable[[], T],
        stored_as: Stored[T],
    ) -> T:
        """The stored answer where this key was used before, else that of the act, which is stored with it: at most once."""
        if key is None:
            return act()
        stored = commands.claim(self.database, tx, actor, key, payload(), self.clock.now())
        if stored is not None:
            return stored_as.read(stored)
        answer = act()
        commands.answer(tx, actor, key, stored_as.write(answer))
        return answer


def savepoint_for(tx: Connection, key: str | None) -> Any:
    """In a caller's transaction a claimed key is undone together with what it did."""
    return nullcontext() if key is None else tx.begin_nested()


def together_or_apart(together: Callable[[], T], apart: Callable[[Exception], T], lost: Callable[[], T]) -> T:
    """Run all rows together; where a row, a hook or the database refuses, run them apart, passing the error on. A lost race answers
    `lost` instead. Faults of the store go through."""
    try:
        return _unless_raced(together, lost)
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 whatever a row raises is a refusal of that row
        return _unless_raced(partial(apart, error), lost)


def _unless_raced(step: Callable[[], T], lost: Callable[[], T]) -> T:
    try:
        return step()
    except StoreError:
        raise
    except Exception as error:
        if not raced(error):
            raise
        return lost()


def _busy() -> InterlockError:
    return ConcurrentModificationError(
        "other transactions changed the same records each time this one was tried",
        hint="Try again: nothing was changed.",
    )
