"""What was refused rests ever longer, is told once, and counts as new after a while."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from interlock.clock import FrozenClock
from interlock.coordinator import refused
from interlock.coordinator.refused import Refused

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(START)


@pytest.fixture
def known(clock: FrozenClock) -> Refused:
    return Refused(clock)


def test_each_further_refusal_for_one_reason_rests_twice_as_long_up_to_a_minute(known: Refused) -> None:
    waits = [known.note("one", "no").total_seconds() for _ in range(6)]
    assert waits == [5, 10, 20, 40, 60, 60]
    assert known.note("one", "another reason") == refused.FIRST
    assert known.note("other", "no") == refused.FIRST


def test_it_is_due_again_once_its_pause_is_over(known: Refused, clock: FrozenClock) -> None:
    assert known.is_due("one")
    known.note("one", "no")
    assert not known.is_due("one")
    assert known.is_due("other")
    clock.advance(refused.FIRST)
    assert known.is_due("one")


def test_a_clock_that_is_set_back_keeps_nothing_from_its_turn(known: Refused, clock: FrozenClock) -> None:
    known.note("one", "no")
    clock.advance(timedelta(days=-1))
    assert known.is_due("one")


def test_a_reason_is_news_once_until_it_was_not_met_for_an_hour(known: Refused, clock: FrozenClock) -> None:
    assert known.is_news("one", "no")
    for _ in range(3):
        clock.advance(timedelta(minutes=59))
        assert not known.is_news("one", "no")
    assert known.is_news("one", "another reason")
    clock.advance(timedelta(minutes=61))
    assert known.reason("one") is None
    assert known.is_news("one", "another reason")


def test_of_many_the_newest_are_kept(known: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refused, "MOST", 2)
    for what in ("one", "two", "one", "three"):
        known.note(what, "no")
    assert [known.reason(what) for what in ("one", "two", "three")] == ["no", None, "no"]
