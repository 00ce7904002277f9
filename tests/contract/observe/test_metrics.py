"""Figures for people who watch: each equals a recount, however the records came to be where they are."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from interlock import App, Done, Extension, Failed
from interlock.coordinator.schedules import LEASE
from interlock.errors import BadDeclaration, StoreBusy
from interlock.observe.metrics import Figure, levels_of
from interlock.observe.metrics.collector import Watch
from tests.contract.queue.test_schedules import Fetching
from tests.contract.recounting import LEVELS, figures, some, watching
from tests.contract.timed import regional, requests, unpaid
from tests.contract.working import STRICT, Boxed, admit, apply, begun, claim, dispatch, finish, jobs
from tests.kinds import uploads


@pytest.mark.postgresql_only
def test_a_move_that_commits_late_is_counted_once_when_it_can_be_seen(boxed: Boxed) -> None:
    box = boxed(uploads())
    watch = watching(box, {})
    box.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    moved = ("statements", "status", "queued_for_parse", "parsing")
    with box.database.engine.connect() as late:
        box.move("statements", "u1", actor="slow", status="parsing", tx=late)
        box.move("statements", "u2", actor="fast", status="parsing")
        assert figures(watch)["interlock_moves_total"].samples[moved] == 1
        late.commit()
    for _ in range(2):
        assert figures(watch)["interlock_moves_total"].samples[moved] == 2


def test_an_attempt_shows_where_it_is_held_up(boxed: Boxed) -> None:
    box = boxed(jobs(deadline="10m"))
    watch = watching(box)
    key = ("jobs", "work", "")

    def said(name: str, *labels: str) -> float:
        return figures(watch)[f"interlock_{name}"].samples[labels or key]

    admit(box, "a", "b")
    box.advance("7s")
    assert (said("due_age_seconds"), said("work_open")) == (pytest.approx(7, abs=0.01), 0)
    assert dispatch(box) == 2
    box.advance("5s")
    assert (said("due_age_seconds"), said("claim_age_seconds"), said("work_open")) == (
        0,
        pytest.approx(5, abs=0.01),
        2,
    )
    first, second = claim(box, runner="r1")
    assert said("claim_age_seconds") == 0
    finish(box, first, Done())
    box.advance("9s")
    assert (said("report_lag_seconds"), said("work_open")) == (pytest.approx(9, abs=0.01), 1)
    apply(box)
    assert said("report_lag_seconds") == 0
    assert said("stuck", "jobs", "work", "lease") == 0
    box.advance("31s")
    assert (said("stuck", "jobs", "work", "lease"), said("stuck", "jobs", "work", "deadline")) == (1, 0)
    box.advance("10m")
    assert said("stuck", "jobs", "work", "deadline") == 1
    assert second.record_id == "b"
    box.drain()
    assert not any(figures(watch)["interlock_stuck"].samples.values())


def test_a_record_that_runs_without_an_attempt_is_stuck_until_the_sweep_finds_it(boxed: Boxed) -> None:
    box = boxed(jobs())
    watch = watching(box)
    admit(box, "a")
    box.move("jobs", "a", actor="ann", status="running")
    assert figures(watch)["interlock_stuck"].samples["jobs", "work", "lost"] == 1
    box.coordinates.sweep()
    assert figures(watch)["interlock_stuck"].samples["jobs", "work", "lost"] == 0
    assert figures(watch)["interlock_stage_total"].samples["jobs", "work", "", "repaired"] == 1


def test_what_waits_for_another_try_has_an_age_of_its_own(boxed: Boxed) -> None:
    box = boxed(jobs(retry=["1m"]), jobs(machine=STRICT, name="strict", retry=["1m"]))
    watch = watching(box)
    for kind in ("jobs", "strict"):
        admit(box, "a", kind=kind)
    dispatch(box)
    for one in claim(box):
        finish(box, one, Failed("BROKEN", "not yet"))
    apply(box)
    retry = figures(watch)["interlock_retry_age_seconds"].samples
    assert not any(retry.values())
    box.advance("2m")
    retry = figures(watch)["interlock_retry_age_seconds"].samples
    assert (
        40 < retry["jobs", "work", ""] < 80
    )  # in `failed`, where the sweep fetches it; the wait was jittered
    assert 40 < retry["strict", "work", ""] < 80  # where it runs, on its work row
    box.drain()
    assert not any(figures(watch)["interlock_retry_age_seconds"].samples.values())


@pytest.mark.leaves("I10")
def test_runners_and_pauses_are_told(boxed: Boxed) -> None:
    box = boxed(jobs())
    watch = watching(box)
    begun(box, "a")
    assert box.runs is not None
    found = figures(watch)
    assert found["interlock_runners"].samples == {(): 1}
    assert found["interlock_runner_capacity"].samples == {(): 2000}
    assert found["interlock_stage_runners"].samples == {("jobs", "work"): 1}
    assert found["interlock_paused"].samples == {("jobs", "work", ""): 0}
    box.pause("jobs", "work", actor="ann", reason="enough")
    box.advance("1h")
    found = figures(watch)
    assert (
        found["interlock_runners"].samples[()],
        found["interlock_paused"].samples["jobs", "work", ""],
    ) == (0, 1)


def test_timers_that_are_due_have_an_age_and_what_came_of_them_is_counted(boxed: Boxed) -> None:
    box = boxed(requests(rules=unpaid()), regional())
    watch = watching(box, {})

    def told(name: str) -> dict[tuple[str, ...], float]:
        return some(figures(watch)[f"interlock_{name}"].samples)

    assert set(figures(watch)["interlock_timers_due"].samples) == {
        ("requests", "status", ""),
        ("offers", "status", "north"),
        ("offers", "status", "south"),
    }
    box.admit_many("requests", [{"id": id} for id in (1, 2, 3)])
    box.admit("offers", {"id": 1})
    box.move("requests", 3, payment="paid", actor="ann")
    box.advance("6d")
    assert (told("timers_due"), told("timer_age_seconds"), told("timer_total")) == ({}, {}, {})
    box.advance("25h")
    assert told("timers_due") == {
        ("requests", "status", ""): 3,
        ("offers", "status", "north"): 1,
        ("offers", "status", "south"): 1,
    }
    assert told("timer_age_seconds")["requests", "status", ""] == pytest.approx(3600, abs=0.01)
    box.coordinates.sweep()
    assert (told("timers_due"), told("timer_age_seconds")) == ({}, {})
    total = {
        ("requests", "status", "", "moved"): 2,
        ("requests", "status", "", "refused"): 1,  # it is paid
        ("offers", "status", "north", "moved"): 1,
        ("offers", "status", "south", "moved"): 1,
    }
    assert told("timer_total") == total
    box.coordinates.sweep()  # folds the counts
    assert told("timer_total") == total
    by_timer = [move for _, move in box.ledger.tail("0.0", limit=100) if move.cause == "timer"]
    assert [(move.kind, move.axis) for move in by_timer].count(("requests", "status")) == 2
    assert {stage for _, stage, *_ in figures(watch)["interlock_stage_total"].samples} == set()


def test_schedules_that_are_late_fail_or_are_paused_are_told(boxed: Boxed) -> None:
    outcomes = iter((None, ValueError("no feed today"), None, None))

    def act(app: App, tick: datetime) -> None:
        if (error := next(outcomes)) is not None:
            raise error

    box = boxed(Fetching("15m", act).workflow)
    watch, key = watching(box, {}), ("feeds", "fetch")

    def told() -> tuple[float, ...]:
        found = figures(watch)
        return tuple(
            found[f"interlock_schedule_{name}"].samples[key] for name in ("late_seconds", "failed", "paused")
        )

    def runs() -> dict[tuple[str, ...], float]:
        return some(figures(watch)["interlock_schedule_runs_total"].samples)

    assert told() == (0, 0, 0)  # no coordinator has seen it yet
    box.drain()
    box.advance("20m")
    assert told() == (300, 0, 0)
    box.drain()
    assert (told(), runs()) == ((0, 0, 0), {(*key, "done"): 1})
    box.advance("15m")
    box.drain()
    assert (told(), runs()) == ((0, 1, 0), {(*key, "done"): 1, (*key, "failed"): 1})
    box.pause("feeds", "fetch", actor="ann", reason="the source is down")
    box.advance("15m")
    box.drain()
    assert told() == (0, 1, 1)
    box.resume("feeds", "fetch")
    box.advance("1s")
    box.drain()
    assert (told(), runs()) == ((0, 0, 0), {(*key, "done"): 2, (*key, "failed"): 1})
    assert [run.outcome for run in box.schedule_runs("feeds", "fetch", 9)] == [
        "done",
        "failed",
        "done",
        "declared",
    ]


def test_a_run_under_way_has_an_age_and_one_that_was_lost_is_counted(boxed: Boxed) -> None:
    box = boxed(Fetching("15m").workflow)
    watch, key = watching(box, {}), ("feeds", "fetch")
    box.drain()
    box.advance("15m")
    assert box.coordinator(start=lambda run: None).sweep() > 0  # claims, and is killed amid its run
    box.advance("10s")
    found = figures(watch)
    assert found["interlock_schedule_running_seconds"].samples == {key: pytest.approx(10, abs=0.01)}
    assert found["interlock_schedule_late_seconds"].samples == {key: 0}
    box.advance(LEASE)
    box.drain()  # another coordinator runs the tick again
    found = figures(watch)
    assert found["interlock_schedule_running_seconds"].samples == {key: 0}
    assert some(found["interlock_schedule_runs_total"].samples) == {(*key, "lost"): 1, (*key, "done"): 1}


def test_records_that_were_found_wait_and_are_counted_by_what_became_of_them(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: Done(admits={"statements": [{"id": "u1"}, {"id": "u1"}]})), uploads())
    watch = watching(box)
    [one] = begun(box, "a")
    finish(
        box,
        one,
        Done(admits={"statements": [{"id": "u1", "file_hash": "h"}, {"id": "u2", "file_hash": "h"}]}),
    )
    assert figures(watch)["interlock_intake_waiting"].samples == {("jobs",): 0, ("statements",): 2}
    apply(box)
    box.coordinates.admitter.step()
    found = figures(watch)
    assert found["interlock_intake_waiting"].samples["statements",] == 0
    assert some(found["interlock_intake_total"].samples) == {
        ("statements", "admitted"): 1,
        ("statements", "exists"): 1,
    }


def test_a_level_tells_who_is_late_and_still_there(boxed: Boxed) -> None:
    box = boxed(jobs())
    watch = watching(box)
    admit(box, "a", "b")
    box.advance("29s")
    assert figures(watch)["interlock_level_late"].samples["work", "jobs", ""] == 0
    box.advance("2s")
    assert figures(watch)["interlock_level_late"].samples["work", "jobs", ""] == 2
    box.drain()
    found = figures(watch)
    assert found["interlock_level_late"].samples["work", "jobs", ""] == 0
    assert found["interlock_level_events_total"].samples["work", "jobs", ""] == 2
    assert found["interlock_level_good_total"].samples["work", "jobs", ""] == 0
    assert found["interlock_level_good_total"].samples["well", "jobs", ""] == 2
    assert found["interlock_level_objective"].samples == {
        ("work", "jobs", ""): 0.99,
        ("well", "jobs", ""): pytest.approx(0.999),
    }


def test_seals_have_an_age_and_what_is_not_sealed_a_number(boxed: Boxed) -> None:
    box = boxed(uploads())
    watch = watching(box, {})
    box.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    assert figures(watch)["interlock_ledger_seal_age_seconds"].samples == {}
    assert figures(watch)["interlock_ledger_unsealed_entries"].samples == {(): 2}
    box.ledger.seal()
    box.advance("3m")
    box.admit("statements", {"id": "u3"})
    found = figures(watch)
    assert found["interlock_ledger_seal_age_seconds"].samples[()] == pytest.approx(180, abs=0.01)
    assert found["interlock_ledger_unsealed_entries"].samples == {(): 1}


@pytest.mark.sqlite_only
def test_an_answer_is_kept_for_a_moment_and_longer_if_it_was_dear(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = [100.0]
    monkeypatch.setattr("interlock.observe.metrics.collector.monotonic", lambda: ticks[0])
    workflow = uploads()
    workflow.extension = Extension(metrics=lambda tx, workflow: dear())
    box = boxed(workflow)
    asked: list[float] = []

    def dear() -> list[Figure]:
        asked.append(ticks[0])
        ticks[0] += 2
        return [Figure("statements_dear", "Took long.", samples={(): len(asked)})]

    watch = Watch(box.database, box.clock, box.workflows)
    box.admit("statements", {"id": "u1"})
    first = figures(watch)["interlock_records"].samples
    box.admit("statements", {"id": "u2"})
    ticks[0] += 0.5 - 2  # less than an answer is kept
    assert figures(watch)["interlock_records"].samples == first
    ticks[0] += 1
    assert figures(watch)["interlock_records"].samples != first
    assert (len(asked), figures(watch)["interlock_metrics_seconds"].samples["statements",]) == (1, 2)
    ticks[0] += 41
    assert figures(watch)["statements_dear"].samples == {(): 2}


@pytest.mark.sqlite_only
def test_what_a_workflow_brings_may_fail_and_takes_nothing_along(boxed: Boxed) -> None:
    workflow = uploads()
    workflow.extension = Extension(metrics=lambda tx, workflow: 1 / 0)  # type: ignore[arg-type,return-value]
    box = boxed(workflow)
    found = figures(watching(box, {}))
    assert found["interlock_metrics_failed"].samples["statements",] == 1
    assert "interlock_records" in found


@pytest.mark.sqlite_only
def test_whoever_asks_while_another_counts_for_long_is_told_so(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlock.observe.metrics.collector.PATIENCE", 0.01)
    box = boxed(uploads())
    watch = watching(box, {})
    with watch._asking, pytest.raises(StoreBusy):
        watch.figures()


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, "does not say kind, leave, share, within"),
        ({"kind": "nothing"}, "this app has jobs"),
        ({"leave": "nowhere"}, "no axis knows"),
        ({"share": 100}, "between 0 and 100"),
        ({"share": "much"}, "between 0 and 100"),
        ({"over": "1h"}, "need a day or more"),
        ({"into": ["done", "gone"]}, "names the state 'gone'"),
        ({"among": ["done", "gone"]}, "names the state 'gone'"),
        ({"into": ["done"], "among": ["failed"]}, "counts done as good and not among what counts"),
        ({"color": "red"}, "unknown words: color"),
    ],
)
def test_a_level_that_makes_no_sense_is_refused(words: dict[str, Any], said: str) -> None:
    full = {"kind": "jobs", "leave": "waiting", "within": "30s", "share": 99, **words} if words else {}
    with pytest.raises(BadDeclaration, match=said):
        levels_of([jobs()], {"bad": full})


@pytest.mark.sqlite_only
def test_a_level_written_down_wins_over_one_that_the_workflow_brings() -> None:
    workflow = jobs()
    workflow.extension = Extension(levels={"work": {"leave": "waiting", "within": "1h", "share": 90}})
    [brought] = levels_of([workflow], {})
    [written] = levels_of([workflow], {"work": LEVELS["work"]})
    assert (brought.within, written.within) == (timedelta(hours=1), timedelta(seconds=30))
    assert brought.axis == "status"  # the only one that knows the state
