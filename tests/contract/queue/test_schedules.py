"""Schedules: a function runs once for each tick, across coordinators; visible, pausable, with a bounded history."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text

from interlock import App, Axis, Machine, Workflow, cron
from interlock.coordinator.schedules import LEASE, TRIES
from interlock.errors import BadDeclaration, UnknownKind
from interlock.store.queue import schedules as rows
from interlock.testing import Sandbox
from interlock.workflow.durations import Span
from tests.contract.hand import Hand
from tests.contract.working import Boxed

FEED = Machine("feed", initial="new", moves={"new": ["read"]})
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


class Fetching:
    """A workflow with one schedule, and what was called."""

    def __init__(self, when: Span | Any = "15m", act: Any = None) -> None:
        table = Table("feeds", MetaData(), Column("id", Integer, primary_key=True), Column("note", Text))
        self.workflow = Workflow("feeds", noun="feed", records=table, axes=[Axis("status", FEED)])
        self.calls: list[datetime] = []

        @self.workflow.every(when)
        def fetch(app: App, tick: datetime) -> None:
            self.calls.append(tick)
            if act is not None:
                act(app, tick)


def minutes(*numbers: int) -> list[datetime]:
    return [BEGAN + timedelta(minutes=number) for number in numbers]


def outcomes(box: App) -> list[tuple[int, str, int]]:
    """(minute, outcome, attempt) of each run, oldest first."""
    runs = box.schedule_runs("feeds", "fetch", 100)
    return [(int((run.tick - BEGAN).total_seconds() // 60), run.outcome, run.attempt) for run in runs[::-1]]


def test_a_schedule_runs_once_for_each_tick_from_the_next_one_on(boxed: Boxed) -> None:
    one = Fetching()
    box = boxed(one.workflow)
    box.drain()
    assert one.calls == []
    for _ in range(6):
        box.advance("5m")
        box.drain()
    assert one.calls == minutes(15, 30)
    assert outcomes(box) == [(0, "declared", 0), (15, "done", 1), (30, "done", 1)]


def test_what_it_admits_and_moves_is_like_any_other_command(boxed: Boxed) -> None:
    def act(app: App, tick: datetime) -> None:
        app.admit("feeds", {"id": tick.minute}, actor="fetch", key=f"{tick}")
        app.move("feeds", tick.minute, status="read", actor="fetch")

    box = boxed(Fetching(act=act).workflow)
    box.drain()
    box.advance("15m")
    box.drain()
    assert [(move.new, move.actor) for move in box.ledger.history("feeds", 15)] == [
        ("new", "fetch"),
        ("read", "fetch"),
    ]


def test_ticks_that_were_missed_run_once(boxed: Boxed) -> None:
    one = Fetching()
    box = boxed(one.workflow)
    box.drain()
    box.advance("10h")
    box.drain()
    box.drain()
    assert one.calls == minutes(600)


def test_of_several_coordinators_one_runs_a_tick(boxed: Boxed) -> None:
    one = Fetching()
    box = boxed(one.workflow)
    box.drain()
    others = [box.coordinator() for _ in range(3)]
    for _ in range(3):
        box.advance("15m")
        for coordinator in [*others, box.coordinates]:
            coordinator.sweep()
    assert one.calls == minutes(15, 30, 45)


def test_a_run_that_raises_is_recorded_and_the_next_tick_runs(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    def act(app: App, tick: datetime) -> None:
        if tick.minute == 15:
            raise ValueError("no \x00 answer")

    one = Fetching(act=act)
    box = boxed(one.workflow)
    box.drain()
    for _ in range(2):
        box.advance("15m")
        box.drain()
    assert outcomes(box) == [(0, "declared", 0), (15, "failed", 1), (30, "done", 1)]
    assert box.schedule_runs("feeds", "fetch")[1].message == "ValueError: no  answer"
    assert "schedule feeds.fetch failed" in caplog.text
    assert one.calls == minutes(15, 30), "the function had its say: its tick is not run again"


def test_a_tick_whose_coordinator_was_lost_is_run_again_and_at_last_has_failed(boxed: Boxed) -> None:
    one = Fetching("1h")
    box = boxed(one.workflow)
    box.drain()
    box.advance("1h")
    lost = box.coordinator(start=lambda run: None)  # claims, and is killed before its run says anything
    assert lost.sweep() > 0
    assert box.coordinates.sweep() == 0
    assert one.calls == []
    box.advance(LEASE + timedelta(seconds=1))
    box.drain()
    assert one.calls == minutes(60)
    assert outcomes(box)[-1] == (60, "done", 2)
    box.advance("1h")
    for _ in range(TRIES):
        assert box.coordinator(start=lambda run: None).sweep() > 0
        box.advance(LEASE + timedelta(seconds=1))
    box.drain()
    assert outcomes(box)[-1] == (120, "failed", TRIES)
    assert "3 coordinators were lost" in (box.schedule_runs("feeds", "fetch")[0].message or "")
    assert one.calls == minutes(60)


def test_a_run_that_ends_after_its_tick_was_taken_over_changes_nothing(boxed: Boxed) -> None:
    one = Fetching("1h")
    box = boxed(one.workflow)
    box.drain()
    box.advance("1h")
    held: list[Any] = []
    slow = box.coordinator(start=held.append)
    slow.sweep()
    box.advance(LEASE + timedelta(seconds=1))
    box.drain()
    assert outcomes(box)[-1] == (60, "done", 2)
    held[0]()
    slow.sweep()
    assert outcomes(box)[-1] == (60, "done", 2)


def test_a_long_run_keeps_its_lease_and_no_other_tick_begins_meanwhile(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlock.coordinator.schedules.LEASE", timedelta(seconds=40))
    ticking = iter(range(0, 10**6, 15))
    monkeypatch.setattr("interlock.coordinator.schedules.monotonic", lambda: float(next(ticking)))
    one = Fetching("1m")
    box = boxed(one.workflow)
    box.drain()
    box.advance("1m")
    held: list[Any] = []
    slow = box.coordinator(start=held.append)
    slow.sweep()
    for _ in range(10):
        box.advance("20s")
        slow.sweep()
        assert box.coordinates.sweep() == 0
    held[0]()
    slow.sweep()
    assert [run[1] for run in outcomes(box)] == ["declared", "done", "running"]
    assert len(held) == 2, "of the ticks that passed meanwhile the last one has begun"


def test_a_paused_schedule_runs_no_ticks_and_goes_on_with_the_last_one(boxed: Boxed) -> None:
    one = Fetching()
    box = boxed(one.workflow)
    box.drain()
    box.pause("feeds", "fetch", actor="eve", reason="the feeds move")
    box.advance("1h")
    box.drain()
    (told,) = box.schedules()
    assert (told.paused, told.reason, told.actor, told.outcome) == (True, "the feeds move", "eve", None)
    assert one.calls == []
    assert box.resume("feeds", "fetch") == 1
    box.advance("1s")
    box.drain()
    assert one.calls == minutes(60)


def test_a_pause_that_ends_by_itself(boxed: Boxed) -> None:
    one = Fetching()
    box = boxed(one.workflow)
    box.drain()
    box.pause("feeds", "fetch", actor="eve", reason="short", until=box.clock.now() + timedelta(minutes=20))
    box.advance("15m")
    box.drain()
    assert one.calls == []
    box.advance("6m")
    box.drain()
    assert one.calls == minutes(15)


def test_what_is_told_of_schedules(boxed: Boxed) -> None:
    one = Fetching(cron("0 6 * * *"))
    box = boxed(one.workflow)
    box.drain()
    (told,) = box.schedules()
    assert (told.when, told.last_run, told.outcome, told.next_tick) == (
        "cron 0 6 * * *",
        None,
        None,
        BEGAN + timedelta(hours=6),
    )
    box.advance("6h")
    box.drain()
    (told,) = box.schedules()
    assert (told.last_tick, told.outcome, told.seconds, told.attempt) == (
        BEGAN + timedelta(hours=6),
        "done",
        0.0,
        1,
    )
    assert told.next_tick == BEGAN + timedelta(hours=30)
    with pytest.raises(UnknownKind, match="it has fetch"):
        box.schedule_runs("feeds", "nothing")


def test_history_is_bounded(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows.end, "__defaults__", (5,))
    box = boxed(Fetching().workflow)
    box.drain()
    for _ in range(9):
        box.advance("15m")
        box.drain()
    assert [minute for minute, *_ in outcomes(box)] == [75, 90, 105, 120, 135]


def test_a_coordinator_of_a_process_runs_it_beside_its_own_steps(opened: Any) -> None:
    """In a thread: the coordinator steps on while the function runs."""
    begun, may_end = threading.Event(), threading.Event()

    def act(app: App, tick: datetime) -> None:
        begun.set()
        assert may_end.wait(20)

    app = opened(Fetching("1s", act=act).workflow)
    coordinator = app.coordinator()
    while not begun.is_set():
        coordinator.sweep()
    coordinator.sweep()
    assert app.schedules()[0].outcome == "running"
    may_end.set()
    coordinator.stop(20)
    assert app.schedules()[0].outcome in ("done", "running")
    assert "done" in {run.outcome for run in app.schedule_runs("feeds", "fetch")}


def test_names_of_stages_and_schedules_are_apart() -> None:
    one = Fetching()

    def fetch(app: App, tick: datetime) -> None:
        raise AssertionError

    with pytest.raises(BadDeclaration, match="already has a stage or schedule 'fetch'"):
        one.workflow.every("1h")(fetch)
    with pytest.raises(BadDeclaration, match="already has a stage or schedule 'fetch'"):
        one.workflow.stage(waiting="new", done="read")(fetch)
    Sandbox([one.workflow]).close()
    with pytest.raises(BadDeclaration, match="frozen"):
        one.workflow.every("1h")


@pytest.mark.leaves("guards")
def test_a_later_tick_is_never_followed_by_an_earlier_one(boxed: Boxed, hand: Hand) -> None:
    """A coordinator whose clock is behind finds a tick that somebody has passed."""
    box = boxed(Fetching().workflow)
    box.drain()
    box.advance("30m")
    box.drain()
    with box.database.write() as tx:
        work = box.coordinates.work
        assert not rows.claim(work, tx, "feeds", "fetch", minutes(15)[0], "t1", "late", LEASE)
        assert not rows.claim(work, tx, "feeds", "fetch", minutes(30)[0], "t2", "late", LEASE)
        assert rows.claim(work, tx, "feeds", "fetch", minutes(45)[0], "t3", "early", LEASE)
        assert not rows.claim(work, tx, "feeds", "fetch", minutes(60)[0], "t4", "other", LEASE)
    hand.drop_guards_of("interlock_schedule_run")
    assert hand.run("DELETE FROM interlock_schedule_run WHERE token = 't3'") == 1
