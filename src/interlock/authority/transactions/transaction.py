"""The one transaction runner: claim the key, run, isolate bad rows, try again after lost races, store the answer.

Bad rows are isolated by a savepoint around all, halved on refusal until what cannot be is alone.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from ...clock import Clock
from ...errors import (
    ConcurrentModificationError,
    InterlockError,
    JudgingFailed,
    RefusedByDatabase,
    StoreError,
)
from ...machine import State
from ...store.connect import Database, settling
from ...store.faults import LostRace, is_driver_error, is_lost_race, translate
from ...store.records import idempotency as commands
from ...workflow import Answer, Verdict
from .answers import stored_answers, unstored_answers

log = logging.getLogger("interlock.authority")

TRIES = 3
FIRST_PAUSE = 0.1
T = TypeVar("T")
Driven = tuple[str, str | None, State, State]
"""What a rule does: axis, scope, from, to."""


Settle = Callable[[Connection, Callable[[list[int]], "Progress"]], Callable[[list[int]], "Progress"]]
"""Makes an act that also looks for what the commit would refuse of it."""


def unsettled(_: Connection, act: Callable[[list[int]], Progress]) -> Callable[[list[int]], Progress]:
    """The act as it is."""
    return act


def raced(error: BaseException) -> bool:
    """Whether the error is, or stands for, a race that the database decided for another transaction."""
    return is_lost_race(error) or (error.__cause__ is not None and is_lost_race(error.__cause__))


@dataclass
class Progress:
    """What one pass over some records came to.

    `lost` are those that somebody else moved in between, and may be tried again; `beaten` are no longer at the version the caller saw.
    """

    answers: dict[int, Answer] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    beaten: list[int] = field(default_factory=list)
    wakes: bool = False
    """Whether something now waits for a coordinator, who gets a hint after the commit."""
    driven: Counter[Driven] = field(default_factory=Counter)
    """How many records rules moved beside those that were asked for, where the command counts them."""

    def add(self, other: Progress) -> Progress:
        return Progress(
            self.answers | other.answers,
            self.lost + other.lost,
            self.beaten + other.beaten,
            self.wakes or other.wakes,
            self.driven + other.driven,
        )

    def repeat(self, first: int, second: int, id: Any) -> None:
        """The same record once more in one command: where the first one has brought it, it is."""
        if first in self.lost:
            self.lost.append(second)
            return
        answer = self.answers[first]
        outcome: Verdict = "unchanged" if answer.outcome == "moved" else answer.outcome
        self.answers[second] = Answer(id, outcome, answer.new, answer.new, answer.version, error=answer.error)

    def open(self, numbers: list[int]) -> list[int]:
        """The numbers of those that have no answer yet."""
        told = {*self.lost, *self.beaten}
        return [number for number in numbers if number not in self.answers and number not in told]


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

    def run_settling(
        self,
        act: Callable[[Connection, bool, Settle], T],
        *,
        exhausted: Callable[[], InterlockError] | None = None,
    ) -> T:
        """As `run`. Where the commit refuses what was done, the act is run again and handed `settling`, to find whose fault it was before
        the commit; the first time it is handed a function that adds nothing."""
        try:
            return self.run(lambda tx, final: act(tx, final, unsettled), exhausted=exhausted)
        except RefusedByDatabase:
            return self.run(lambda tx, final: act(tx, final, settling), exhausted=exhausted)

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
        whole, now = payload(), self.clock.now()
        stored = commands.claim(self.database, tx, actor, key, whole, now)
        if stored is not None:
            return stored_as.read(stored)
        answer = act()
        commands.answer(self.database, tx, actor, key, whole, now, stored_as.write(answer))
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


class Refused(Exception):
    """Carries a refusal out of a savepoint, so that everything in it is undone."""

    def __init__(self, error: InterlockError) -> None:
        super().__init__(str(error))
        self.error = error


def isolate_failures(
    tx: Connection,
    numbers: list[int],
    run: Callable[[list[int]], Progress],
    refuse: Callable[[int, InterlockError], Answer],
) -> Progress:
    """Run over the numbers; faults of the store and lost races go through, refusals stay with their rows."""
    try:
        with tx.begin_nested():
            return _classify_errors(numbers, run)
    except Refused as refused:
        if len(numbers) == 1:
            return Progress({numbers[0]: refuse(numbers[0], refused.error)})
    half = len(numbers) // 2
    first, second = (isolate_failures(tx, part, run, refuse) for part in (numbers[:half], numbers[half:]))
    return first.add(second)


def _classify_errors(numbers: list[int], run: Callable[[list[int]], Progress]) -> Progress:
    try:
        return run(numbers)
    except StoreError:
        raise
    except InterlockError as error:
        raise Refused(error) from error
    except Exception as error:
        if is_lost_race(error):
            raise
        if not is_driver_error(error):
            log.exception("judging %d records failed", len(numbers))
            raise Refused(JudgingFailed(f"{type(error).__name__}: {error}"[:2000])) from error
        refusal = translate(error)
        if isinstance(refusal, StoreError):
            raise refusal from error
        raise Refused(refusal) from error


def _busy() -> InterlockError:
    return ConcurrentModificationError(
        "other transactions changed the same records each time this one was tried",
        hint="Try again: nothing was changed.",
    )
