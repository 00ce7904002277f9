"""A loop counts the steps that went well and what they did, for those who watch; a step that failed is none."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from interlock.errors import ConcurrentModificationError, StoreUnavailable
from interlock.loop import Loop
from tests.unit.test_loop import Waiting


def test_steps_that_failed_do_not_count_and_do_not_look_like_life() -> None:
    stop = threading.Event()
    ages: list[float] = []
    answers: Iterator[int | Exception] = iter(
        [2, StoreUnavailable("away"), ConcurrentModificationError("raced"), 3, 0]
    )

    def step() -> int:
        ages.append(loop.stepped_at)
        match next(answers, None):
            case int(done):
                return done
            case Exception() as error:
                raise error
        stop.set()
        return 0

    loop = Loop(step, Waiting(), stop)
    loop.run()
    assert (loop.steps, loop.done) == (4, 5), "three with an answer, and the one that ended it"
    assert ages[0] <= ages[1] == ages[2] == ages[3] <= ages[4]
