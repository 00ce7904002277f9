"""Rows that runners write of themselves are untrusted: what is no registration is refused, and one from before that stops nobody."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.store.engines import sqlite_driver
from interlock.store.queue.runners import stages_in
from tests.contract.hand import Hand
from tests.contract.worked import state
from tests.contract.working import Boxed, admit, jobs

NOW = "'2026-11-01T00:00:00.000000Z'"
NO_STAGES = [
    "{",
    "",
    "null",
    "5",
    '"jobs.work"',
    '{"jobs.work": 1}',
    "[1]",
    "[null]",
    '[["jobs.work"]]',
    "[" * 5000,
]
AHEAD = ["'9000-01-01T00:00:00.000000Z'", "'1999-01-01T00:00:00.000000Z'"]
REFUSALS = ("IL213", "22P02", "22P05", "54001", "22008")


def registered(
    stages: str = "[]", started: str = NOW, beat: str = NOW, lease: str = NOW
) -> tuple[str, tuple[Any, ...]]:
    return (
        "INSERT INTO interlock_runner(id, name, stages, capacity, started_at, beat_at, lease_until) VALUES "
        f"('eve', 'eve', ?, 1, {started}, {beat}, {lease})",
        (stages,),
    )


def refusal(hand: Hand, sql: str, values: tuple[Any, ...]) -> bool:
    """Whether the database refuses it, and keeps nothing of it."""
    try:
        hand.run(sql, *values)
    except Exception as error:
        state = getattr(error, "sqlstate", None)
        if state not in REFUSALS and not isinstance(error, sqlite_driver()[0].Error):
            raise
        hand.connection.rollback()
    return bool(hand.one("SELECT count(*) FROM interlock_runner WHERE id = 'eve'") == 0)


@pytest.mark.parametrize("stages", NO_STAGES, ids=lambda text: text[:12] or "nothing")
def test_a_runner_that_names_no_list_of_stages_is_not_registered(
    stages: str, boxed: Boxed, hand: Hand
) -> None:
    boxed(jobs())
    assert refusal(hand, *registered(stages))


@pytest.mark.parametrize("instant", AHEAD)
def test_a_runner_that_beats_at_no_time_of_ours_is_not_registered(
    instant: str, boxed: Boxed, hand: Hand
) -> None:
    boxed(jobs())
    assert refusal(hand, *registered(beat=instant, lease=instant))
    assert refusal(hand, *registered(started="'0001-01-01T00:00:00.000000Z'"))


@pytest.mark.postgresql_only
def test_a_runner_whose_lease_is_infinite_as_its_beat_is_not_registered(boxed: Boxed, hand: Hand) -> None:
    boxed(jobs())
    assert refusal(hand, *registered(beat="'infinity'", lease="'infinity'"))
    assert refusal(hand, *registered(started="'-infinity'"))


@pytest.mark.leaves("guards")
@pytest.mark.parametrize("stages", NO_STAGES[:-1], ids=lambda text: text[:12] or "nothing")
def test_a_registration_from_before_the_guards_stops_no_coordinator_and_blinds_no_reader(
    stages: str, boxed: Boxed, hand: Hand
) -> None:
    box = boxed(jobs())
    hand.drop_guards_of("interlock_runner")
    future = "'2999-01-01T00:00:00.000000Z'"
    sql, values = registered(stages, lease=future)
    hand.run(sql, *values)
    admit(box, "a")
    box.drain()
    assert state(box, "a") == "done"
    assert ("eve", ()) in [(one.id, one.stages) for one in box.runners()]
    assert {one.invariant for one in box.check().findings} == {"guards"}


def test_what_is_read_of_stages_never_raises() -> None:
    assert [stages_in(one) for one in NO_STAGES] == [()] * len(NO_STAGES)
    assert stages_in('["a", 1, "b"]') == ("a", "b")
