"""Dispatch, claim, finish, expiry, apply, sweep and people on one record: whatever the order of their statements, work is done once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from interlock import Answer, Done, Failed
from interlock.coordinator import Coordinator
from interlock.errors import ConcurrentModificationError, UnknownRecord
from tests.permutation.conftest import OpenSteppable
from tests.permutation.ground import OVER, Ground, play, saving_jobs
from tests.permutation.interleavings import Playing
from tests.permutation.scheduler import Act, Scheduler, in_one_step

Plays = Callable[..., None]


@pytest.fixture(params=["judged", "whole"])
def ground(
    open_steppable: OpenSteppable, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Ground:
    """Coordinators judge row by row, or move whole batches of plain reports."""
    whole = request.param == "whole"
    if not whole:
        monkeypatch.setattr(Coordinator, "moves_batches", False)
    return Ground(open_steppable(saving_jobs()), Done("result") if whole else Done("result", title="done"))


@pytest.fixture
def plays(ground: Ground, scheduler: Scheduler) -> Plays:
    """Plays two acts in every order; nothing may be wrong after any of them."""

    def playing(
        stage: Callable[[], Mapping[str, Act]], look: Callable[[Playing], list[str]], at_least: int
    ) -> None:
        number, problems = play(ground, scheduler, stage, look)
        assert problems == [], problems[0]
        assert number >= (
            at_least if ground.coordinator().moves_batches is False else 4
        )  # a whole batch has fewer statements

    return playing


def conflicts(answer: Any) -> bool:
    return isinstance(answer, ConcurrentModificationError)


def moved(answer: Any) -> bool:
    return isinstance(answer, Answer) and answer.outcome in ("moved", "erased")


def test_two_dispatchers_take_a_record_once(ground: Ground, plays: Plays) -> None:
    first, second = ground.coordinator(), ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.waiting()
        return {"one": lambda: ground.dispatch(first), "two": lambda: ground.dispatch(second)}

    def look(playing: Playing) -> list[str]:
        taken = [playing.answer("one"), playing.answer("two")]
        return [] if sorted(taken) == [0, 1] else [f"taken {taken}"]  # type: ignore[type-var]

    plays(stage, look, 6)


def test_two_runners_never_get_the_same_attempt(ground: Ground, plays: Plays) -> None:
    def stage() -> Mapping[str, Act]:
        ground.dispatched()
        return {"one": lambda: ground.claim("r1"), "two": lambda: ground.claim("r2")}

    def look(playing: Playing) -> list[str]:
        got = [len(playing.answer("one")), len(playing.answer("two"))]  # type: ignore[arg-type]
        return [] if sorted(got) == [0, 1] else [f"claimed {got}"]

    plays(stage, look, 6)


def test_a_finish_and_an_expiry_never_both_count(ground: Ground, plays: Plays) -> None:
    by = ground.coordinator()

    def stage() -> Mapping[str, Act]:
        attempt = ground.running(OVER)
        return {"finish": lambda: ground.finish(attempt), "expire": by.sweeper.expire}

    plays(stage, lambda playing: ended_once(ground, playing, "expire"), 10)


def ended_once(ground: Ground, playing: Playing, other: str) -> list[str]:
    """The report was accepted and saved, or the attempt was ended otherwise; never both, never neither."""
    accepted = playing.answer("finish") == 1
    ended = moved(playing.answer(other)) or playing.answer(other) == 1
    problems = ground.accepted()
    if accepted == ended:
        problems.append(f"accepted: {accepted}, ended otherwise: {ended}")
    return problems + ([] if ground.saved() == ([1] if accepted else []) else [f"saved {ground.saved()}"])


def test_a_finish_and_a_cancel_never_both_count(ground: Ground, plays: Plays) -> None:
    def stage() -> Mapping[str, Act]:
        attempt = ground.running()
        return {"finish": lambda: ground.finish(attempt), "cancel": ground.cancel}

    def look(playing: Playing) -> list[str]:
        said = playing.answer("cancel")
        return ended_once(ground, playing, "cancel") + (
            [] if moved(said) or conflicts(said) else [f"cancel: {said!r}"]
        )

    plays(stage, look, 10)


def test_a_finish_and_an_erasure_never_both_count(ground: Ground, plays: Plays) -> None:
    def stage() -> Mapping[str, Act]:
        attempt = ground.running()
        return {"finish": lambda: ground.finish(attempt), "erase": ground.erase}

    def look(playing: Playing) -> list[str]:
        gone = ground.record() is None
        return [] if gone and moved(playing.answer("erase")) else [f"erase: {playing.answer('erase')!r}"]

    plays(stage, look, 10)


@pytest.mark.parametrize("act", ["cancel", "move"])
def test_a_report_is_applied_once_and_people_hear_that_it_is_finished(
    act: str, ground: Ground, plays: Plays
) -> None:
    by = ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.reported()
        person = ground.cancel if act == "cancel" else lambda: ground.move("failed")
        return {"apply": by.applier.step, "person": person}

    def look(playing: Playing) -> list[str]:
        by.applier.step()  # a report that somebody held for a moment is passed over, and taken the next time
        record, said = ground.record(), playing.answer("person")
        if record is None or record["status"] != "done":
            return [f"{record and record['status']} after {said!r}"]
        return [] if isinstance(said, Exception) else [f"the person was told {said!r}"]

    plays(stage, look, 20)


def test_two_coordinators_apply_a_report_once(ground: Ground, plays: Plays) -> None:
    first, second = ground.coordinator(), ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.reported()
        return {"one": first.applier.step, "two": second.applier.step}

    def look(playing: Playing) -> list[str]:
        record = ground.record()
        counted = [playing.answer("one"), playing.answer("two")]
        return [] if record and record["status"] == "done" and sum(counted) == 1 else [f"{record}: {counted}"]  # type: ignore[arg-type]

    plays(stage, look, 20)


class Resting(Ground):
    """Its stage has no failed state: what fails rests in its running state, with its error and without work."""

    def problems(self) -> list[str]:
        record = self.record()
        rests = record is not None and record["error_code"] is not None
        return [one for one in super().problems() if not (rests and one == "running with 0 work rows")]


def test_what_has_no_state_to_fail_to_rests_once(open_steppable: OpenSteppable, scheduler: Scheduler) -> None:
    ground = Resting(open_steppable(saving_jobs(failed=None)))
    first, second = ground.coordinator(), ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.reported(Failed("BROKEN", "no use", final=True))
        return {"one": first.applier.step, "two": second.applier.step}

    def look(playing: Playing) -> list[str]:
        record = ground.record()
        counted = [playing.answer("one"), playing.answer("two")]
        rests = record is not None and (record["status"], record["error_code"]) == ("running", "BROKEN")
        kept = [row["cause"] for row in ground.rows("interlock_ledger")].count("work.failed")
        right = rests and sum(counted) == kept == 1 and ground.rows("interlock_work") == []  # type: ignore[arg-type]
        return [] if right else [f"{record}: {counted}, {kept} entries"]

    number, problems = play(ground, scheduler, stage, look)
    assert problems == [], problems[0]
    assert number >= 20


def test_a_beat_never_waits_for_the_runners_own_finish_and_tells_the_truth(
    ground: Ground, plays: Plays
) -> None:
    def stage() -> Mapping[str, Act]:
        attempt = ground.running()
        return {"finish": lambda: ground.finish(attempt), "beat": ground.beat}

    def look(playing: Playing) -> list[str]:
        waited = [name for name in ("beat",) if "LOCK" in str(playing.answer(name))]
        return waited + ([] if playing.answer("finish") == 1 else [f"finish: {playing.answer('finish')!r}"])

    plays(stage, look, 10)


def test_two_sweeps_begin_lost_work_anew_once(ground: Ground, plays: Plays) -> None:
    first, second = ground.coordinator(), ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.dispatched()
        with ground.app.database.engine.begin() as tx:
            tx.exec_driver_sql(
                "SET LOCAL session_replication_role = replica"
            )  # no guard keeps it: somebody lost it
            tx.exec_driver_sql("DELETE FROM interlock_work")
        for one in (first, second):
            one.sweeper._patrols.clear()
        return {"one": lambda: reissue(first), "two": lambda: reissue(second)}

    def look(playing: Playing) -> list[str]:
        record = ground.record()
        return [] if record and record["attempt"] == 2 else [f"{record}"]

    plays(stage, look, 20)


def reissue(coordinator: Any) -> int:
    """The patrol's own two transactions, without its tallies."""
    stage_queue = coordinator.stage_queues["jobs.work"]
    with coordinator.database.read() as tx:
        tx.exec_driver_sql("SELECT FROM jobs LIMIT 0")  # here its snapshot is taken
        with in_one_step():
            running, _ = stage_queue.lost_work.running(tx, "", None, 10_000)
    with coordinator.database.write() as tx:
        return int(coordinator.sweeper._reissue(tx, stage_queue, "", running))


def test_a_sweep_never_begins_anew_what_is_just_being_dispatched(ground: Ground, plays: Plays) -> None:
    sweeping, dispatching = ground.coordinator(), ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.waiting()
        return {"sweep": lambda: reissue(sweeping), "dispatch": lambda: ground.dispatch(dispatching)}

    def look(playing: Playing) -> list[str]:
        record = ground.record()
        return [] if record and (record["status"], record["attempt"]) == ("running", 1) else [f"{record}"]

    plays(stage, look, 15)


def test_what_is_cancelled_while_it_is_dispatched_has_no_work(ground: Ground, plays: Plays) -> None:
    by = ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.waiting()
        return {"dispatch": lambda: ground.dispatch(by), "cancel": ground.cancel}

    def look(playing: Playing) -> list[str]:
        record, said = ground.record(), playing.answer("cancel")
        wanted = "failed" if moved(said) else "running"
        known = moved(said) or conflicts(said)
        return (
            []
            if record and known and record["status"] == wanted
            else [f"{record and record['status']} after {said!r}"]
        )

    plays(stage, look, 20)


def test_what_is_erased_while_it_is_dispatched_has_no_work(ground: Ground, plays: Plays) -> None:
    by = ground.coordinator()

    def stage() -> Mapping[str, Act]:
        ground.waiting()
        return {"dispatch": lambda: ground.dispatch(by), "erase": ground.erase}

    def look(playing: Playing) -> list[str]:
        said = playing.answer("erase")
        return (
            []
            if moved(said) or isinstance(said, UnknownRecord | ConcurrentModificationError)
            else [f"erase: {said!r}"]
        )

    plays(stage, look, 20)
