"""Isolates bad rows: a savepoint around all, halved on refusal until what cannot be is alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from ..errors import InterlockError, StoreError
from ..store.faults import is_driver_error, is_lost_race, translate
from ..workflow import Answer


@dataclass
class Progress:
    """What one pass over some records came to; `lost` are those that somebody else moved in between."""

    answers: dict[int, Answer] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)


class Refused(Exception):
    """Carries a refusal out of a savepoint, so that everything in it is undone."""

    def __init__(self, error: InterlockError) -> None:
        super().__init__(str(error))
        self.error = error


def carefully(tx: Connection, numbers: list[int], run: Callable[[list[int]], Progress],
              refuse: Callable[[int, InterlockError], Answer]) -> Progress:
    """Run over the numbers; faults of the store and lost races go through, refusals stay with their rows."""
    try:
        with tx.begin_nested():
            return _told_apart(numbers, run)
    except Refused as refused:
        if len(numbers) == 1:
            return Progress({numbers[0]: refuse(numbers[0], refused.error)})
    half = len(numbers) // 2
    first, second = (carefully(tx, part, run, refuse) for part in (numbers[:half], numbers[half:]))
    return Progress(first.answers | second.answers, first.lost + second.lost)


def _told_apart(numbers: list[int], run: Callable[[list[int]], Progress]) -> Progress:
    try:
        return run(numbers)
    except StoreError:
        raise
    except InterlockError as error:
        raise Refused(error) from error
    except Exception as error:
        if not is_driver_error(error) or is_lost_race(error):
            raise
        refusal = translate(error)
        if isinstance(refusal, StoreError):
            raise refusal from error
        raise Refused(refusal) from error
