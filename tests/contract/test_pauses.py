"""Stages that people or failures have paused: nothing more is dispatched, what runs goes on, and everybody can see why."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interlock import Done, Failed, Work
from interlock.errors import UnknownKind
from tests.contract.worked import state, work_rows
from tests.contract.working import Boxed, admit, begun, dispatch, jobs
from tests.kinds import uploads


class QuotaExhausted(Exception):
    """The provider will not answer for a while."""


def test_a_paused_stage_is_not_dispatched_and_what_runs_goes_on(boxed: Boxed) -> None:
    box = boxed(jobs())
    begun(box, "a")
    box.pause("jobs", "work", actor="ann", reason="the disk is full")
    admit(box, "b")
    assert dispatch(box) == 0
    box.report("jobs", "a", Done())
    assert [state(box, id) for id in "ab"] == ["done", "waiting"]
    told, = box.paused()
    assert (told.kind, told.stage, told.reason, told.actor, told.until) == ("jobs", "work", "the disk is full", "ann", None)
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

    box = boxed(jobs(work, limit=1, failures={QuotaExhausted: Failed("quota_exhausted", final=True, pause="1h")}))
    began = box.time.now()
    admit(box, "a", "b")
    box.drain()
    assert [state(box, id) for id in "ab"] == ["failed", "waiting"]
    told, = box.paused()
    assert (told.reason, told.actor, told.until) == ("quota_exhausted: no more today", "coordinator", began + timedelta(hours=1))
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
