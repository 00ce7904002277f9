"""Stages that people or failures have paused: nothing more is dispatched, what runs goes on, and everybody can see why."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from interlock import Done, Failed, Work
from interlock.errors import BadInput, UnknownKind
from interlock.store.work.rows import WorkRows
from tests.contract.rules.test_scoped_work import subscribe, themed
from tests.contract.worked import moves, state, work_rows
from tests.contract.working import Boxed, admit, another_runner, apply, begun, claim, dispatch, finish, jobs
from tests.kinds import uploads


class QuotaExhausted(Exception):
    """The provider will not answer for a while."""


@pytest.mark.parametrize("until", ["1h", datetime(2030, 1, 1)])  # noqa: DTZ001 the mistake itself
def test_a_pause_until_what_is_no_instant_is_refused(boxed: Boxed, until: Any) -> None:
    box = boxed(jobs())
    with pytest.raises(BadInput, match=r"is not an instant|has no time zone") as refused:
        box.pause("jobs", "work", actor="ann", reason="lunch", until=until)
    assert "datetime" in refused.value.hint
    assert box.paused() == []


@pytest.mark.parametrize(("actor", "reason"), [("ann", ""), ("ann", 5), ("ann", None), ("", "lunch")])
def test_a_pause_by_nobody_or_for_no_reason_is_refused(boxed: Boxed, actor: Any, reason: Any) -> None:
    box = boxed(jobs())
    with pytest.raises(
        BadInput, match=r"actor must be|reason is empty|reason must be|needs a reason"
    ) as refused:
        box.pause("jobs", "work", actor=actor, reason=reason)
    assert refused.value.hint
    assert box.paused() == []


def test_a_paused_stage_is_not_dispatched_and_what_runs_goes_on(boxed: Boxed) -> None:
    box = boxed(jobs())
    begun(box, "a")
    box.pause("jobs", "work", actor="ann", reason="the disk is full")
    admit(box, "b")
    assert dispatch(box) == 0
    box.report("jobs", "a", Done())
    assert [state(box, id) for id in "ab"] == ["done", "waiting"]
    (told,) = box.paused()
    assert (told.kind, told.stage, told.reason, told.actor, told.until) == (
        "jobs",
        "work",
        "the disk is full",
        "ann",
        None,
    )
    assert box.resume("jobs", "work") == 1
    assert dispatch(box) == 1
    assert (box.paused(), box.resume("jobs", "work")) == ([], 0)


def test_a_pause_may_have_an_end(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    box.pause("jobs", "work", actor="ann", reason="tonight", until=box.time.now() + timedelta(hours=1))
    assert dispatch(box) == 0
    box.advance("61m")
    assert dispatch(box) == 1
    assert box.paused() == []


def test_other_stages_go_on(boxed: Boxed) -> None:
    box = boxed(uploads())
    box.place("statements", "p", status="parsed", record={"observations_count": 1})
    box.admit("statements", {"id": "q"})
    box.pause("statements", "parse", actor="ann", reason="a bad parser")
    box.drain()
    assert [box.get("statements", id)["status"] for id in ("p", "q")] == ["normalized", "queued_for_parse"]


def test_a_failure_can_pause_its_stage_for_a_while(boxed: Boxed) -> None:
    def work(given: Work) -> Any:
        if box.time.now() < began + timedelta(minutes=30):
            raise QuotaExhausted("no more today")
        return Done()

    box = boxed(
        jobs(work, limit=1, failures={QuotaExhausted: Failed("quota_exhausted", final=True, pause="1h")})
    )
    began = box.time.now()
    admit(box, "a", "b")
    box.drain()
    assert [state(box, id) for id in "ab"] == ["failed", "waiting"]
    (told,) = box.paused()
    assert (told.reason, told.actor, told.until) == (
        "quota_exhausted: no more today",
        "coordinator",
        began + timedelta(hours=1),
    )
    box.advance("61m")
    box.drain()
    assert state(box, "b") == "done"


def test_a_failure_can_pause_its_stage_until_somebody_resumes_it(boxed: Boxed) -> None:
    box = boxed(jobs(lambda work: Failed("LICENCE", "expired", final=True, pause=True), limit=1))
    admit(box, "a", "b")
    box.drain()
    box.advance("90d")
    box.drain()
    assert (state(box, "b"), box.paused()[0].until) == ("waiting", None)


def test_a_pause_without_end_is_not_shortened_by_one_that_has_an_end(boxed: Boxed) -> None:
    box = boxed(jobs())
    box.pause("jobs", "work", actor="ann", reason="until I say so")
    box.pause("jobs", "work", actor="bob", reason="a minute", until=box.time.now() + timedelta(minutes=1))
    assert box.paused()[0].until is None


def test_a_long_pause_is_not_shortened_by_a_shorter_failure(boxed: Boxed) -> None:
    box = boxed(jobs())
    begun(box, "a")
    later = box.time.now() + timedelta(hours=5)
    box.pause("jobs", "work", actor="ann", reason="maintenance", until=later)
    box.report("jobs", "a", Failed("quota", final=True, pause="1m"))
    assert box.paused()[0].until == later


def test_somebody_may_shorten_a_pause_by_resuming_and_pausing_anew(boxed: Boxed) -> None:
    box = boxed(jobs())
    box.pause("jobs", "work", actor="ann", reason="long", until=box.time.now() + timedelta(hours=5))
    box.resume("jobs", "work")
    box.pause("jobs", "work", actor="ann", reason="short", until=box.time.now() + timedelta(minutes=1))
    assert box.paused()[0].until == box.time.now() + timedelta(minutes=1)


def test_an_unknown_stage_is_told(boxed: Boxed) -> None:
    box = boxed(jobs())
    with pytest.raises(UnknownKind, match="it has work"):
        box.pause("jobs", "wrok", actor="ann", reason="typo")
    with pytest.raises(UnknownKind):
        box.resume("jobs", "wrok")
    assert work_rows(box) == []


def quota() -> Failed[Any]:
    return Failed("quota_exhausted", "no more today", final=True, pause="1h")


def test_a_quota_error_costs_no_item_that_no_runner_had_claimed(boxed: Boxed) -> None:
    box = boxed(jobs(retry=["1m"]))
    names = [f"j{number}" for number in range(10)]
    admit(box, *names)
    assert dispatch(box) == 10
    (first,) = claim(box, limit=1)
    assert finish(box, first, quota())
    assert claim(box) == []  # not even before the report is applied
    apply(box)
    assert (claim(box), dispatch(box)) == ([], 0)
    box.advance("10m")
    box.coordinates.sweep()
    box.drain()
    failed, *others = (box.get("jobs", name) for name in names)
    assert (failed["status"], failed["error_code"], failed["tries"]) == ("failed", "quota_exhausted", 1)
    assert {(one["status"], one["attempt"], one["tries"], one["error_code"]) for one in others} == {
        ("running", 1, 0, None)
    }
    assert [moves(box, name) for name in names[1:]] == [
        [(None, "waiting", "job.created"), ("waiting", "running", "job.created")]
    ] * 9
    box.advance("51m")
    box.drain()
    assert {state(box, name) for name in names[1:]} == {"done"}
    assert {box.get("jobs", name)["attempt"] for name in names[1:]} == {1}


def test_work_of_a_paused_stage_that_nobody_claimed_takes_no_room_from_others(boxed: Boxed) -> None:
    box = boxed(jobs(), uploads())
    another_runner(box, capacity=3).renew()
    admit(box, "a", "b", "c")
    assert box.coordinates.dispatcher.step(box.coordinates.stage_queues.values()) == 3
    box.admit_many("statements", [{"id": f"u{number}"} for number in range(3)])
    assert box.coordinates.dispatcher.step(box.coordinates.stage_queues.values()) == 0
    box.pause("jobs", "work", actor="ann", reason="the disk is full")
    assert box.coordinates.dispatcher.step(box.coordinates.stage_queues.values()) == 3
    assert [one.record_id for one in claim(box)] == ["u0", "u1", "u2"]
    box.resume("jobs", "work")
    assert [one.record_id for one in claim(box)] == ["a", "b", "c"]


def test_a_pause_of_one_scope_leaves_the_others_their_work_and_their_slots(boxed: Boxed) -> None:
    box = boxed(themed(limit=2))
    subscribe(box, "both", "technical", "fundamental")
    box.admit_many("themes", [{"feed": "both"} for _ in range(2)])
    another_runner(box, capacity=9).renew()
    assert box.coordinates.dispatcher.step(box.coordinates.stage_queues.values()) == 2
    (held,) = {row["scope"] for row in work_rows(box)}
    (other,) = {"technical", "fundamental"} - {held}
    box.pause("themes", "extract", actor="ann", reason="its provider is away", scope=held)
    assert claim(box) == []
    assert box.coordinates.dispatcher.step(box.coordinates.stage_queues.values()) == 2
    box.coordinates.sweep()
    claimed = claim(box)
    assert [one.scope for one in claimed] == [other, other]
    assert [row["slot"] for row in work_rows(box) if row["scope"] == held] == [None, None]
    for attempt in claimed:
        assert finish(box, attempt, Done())
    box.resume("themes", "extract", scope=held)
    box.drain()
    box.coordinates.sweep()  # gives the slots back
    box.drain()
    with box.database.read() as tx:
        rows = tx.execute(
            text("SELECT pipeline, status, attempt FROM article_state ORDER BY article_id, pipeline")
        ).all()
    assert [tuple(row) for row in rows] == [
        ("fundamental", "processed", 1),
        ("technical", "processed", 1),
    ] * 2
    assert all(
        len(box.ledger.history("themes", id, axis="status", scope=scope)) == 3
        for id in (1, 2)
        for scope in (held, other)
    )


def test_a_pause_without_end_holds_issued_work_until_it_is_resumed(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    assert dispatch(box) == 1
    box.pause("jobs", "work", actor="ann", reason="until I say so")
    box.advance("90d")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["attempt"], work_rows(box)[0]["claimed_by"]) == (
        "running",
        1,
        None,
    )
    box.resume("jobs", "work")
    box.drain()
    assert (state(box, "a"), box.get("jobs", "a")["attempt"]) == ("done", 1)


def test_a_claim_that_does_not_mind_pauses_is_found_out(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failing twin: without that condition one quota error burns the next item, too."""
    monkeypatch.setattr(WorkRows, "is_going", lambda self: "1 = 1")
    box = boxed(jobs())
    admit(box, "a", "b")
    assert dispatch(box) == 2
    for _ in range(2):
        (attempt,) = claim(box, limit=1)
        assert finish(box, attempt, quota())
        apply(box)
    assert [state(box, id) for id in "ab"] == ["failed", "failed"]
