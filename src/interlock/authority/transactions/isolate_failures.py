"""Isolates bad rows: a savepoint around all, halved on refusal until what cannot be is alone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from ...errors import InterlockError, JudgingFailed, StoreError
from ...store.faults import is_driver_error, is_lost_race, translate
from ...workflow import Answer, Verdict

log = logging.getLogger("interlock.authority")


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

    def add(self, other: Progress) -> Progress:
        return Progress(
            self.answers | other.answers,
            self.lost + other.lost,
            self.beaten + other.beaten,
            self.wakes or other.wakes,
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
