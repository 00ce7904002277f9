"""A loop steps while there is work, and survives races, a database that is away, and errors that nobody expected."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from interlock.errors import ConcurrentModificationError, StoreUnavailable
from interlock.loop import AFTER_FAULT, SHORTEST, Loop


class Waiting:
    """Writes down how long it was asked to wait, and ends the loop when the steps are used up."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.acknowledged = 0

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return False

    def acknowledge(self) -> None:
        self.acknowledged += 1


def play(*steps: Any) -> Waiting:
    """Run a loop over these: numbers are answered, exceptions raised; then it is stopped."""
    waiting, stop = Waiting(), threading.Event()
    left: Iterator[Any] = iter(steps)

    def step() -> int:
        answer = next(left, None)
        if answer is None:
            stop.set()
            return 0
        if isinstance(answer, Exception):
            raise answer
        return int(answer)

    Loop(step, waiting, stop).run()
    return waiting


def test_it_waits_only_when_there_was_nothing_to_do_and_longer_each_time() -> None:
    assert play(1, 5, 0, 0, 3, 0).waits[:4] == [SHORTEST, SHORTEST * 2, SHORTEST, SHORTEST * 2]


def test_a_lost_race_is_run_again() -> None:
    waiting = play(1, ConcurrentModificationError("another transaction was faster"), 1)
    assert (
        waiting.acknowledged == 3
    )  # two steps and the one that stops; what was not committed is not acknowledged


def test_a_database_that_is_away_is_waited_for_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "interlock.loop"):  # whatever commands of other tests have set
        waiting = play(StoreUnavailable("it is away"), StoreUnavailable("it is away"), 1)
    assert waiting.waits[:2] == [AFTER_FAULT, AFTER_FAULT]
    assert [record.levelname for record in caplog.records if record.name == "interlock.loop"] == [
        "ERROR",
        "WARNING",
    ]


def test_an_unexpected_error_is_logged_with_its_traceback_and_the_loop_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "interlock.loop"):
        waiting = play(1, ZeroDivisionError(), 1)
    assert waiting.waits[0] == AFTER_FAULT
    assert waiting.acknowledged == 3
    (record,) = (record for record in caplog.records if record.name == "interlock.loop")
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError
