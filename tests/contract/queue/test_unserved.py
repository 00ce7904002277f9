"""Work that nobody will take up is noticed: a stage with something to do, and no living runner that serves it."""

from __future__ import annotations

from typing import Any

from interlock.store.verify.work import GRACE
from tests.contract.working import Boxed, admit, jobs

NOTE = "2 of jobs wait for stage work, and no runner serves it"


def test_records_that_wait_for_a_stage_without_a_runner_are_noted(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    assert box.check().notes == []  # they only just came
    box.advance(GRACE * 2)
    assert box.check().notes == [NOTE]
    box.pause("jobs", "work", actor="ann", reason="lunch")
    assert box.check().notes == []
    box.resume("jobs", "work")
    box.drain()
    assert box.check().notes == []
    assert {box.get("jobs", id)["status"] for id in ("a", "b")} == {"done"}


def test_work_that_was_issued_to_a_runner_that_is_gone_is_noted(boxed: Boxed, hand: Any) -> None:
    box = boxed(jobs())
    admit(box, "a", "b")
    assert box.runs is not None
    box.runs.renew()
    box.coordinates.step()
    assert hand.one("SELECT count(*) FROM interlock_work WHERE claimed_by IS NULL") == 2
    hand.run("DELETE FROM interlock_runner")
    box.advance(GRACE * 2)
    assert box.check().notes == [NOTE]
    box.runs.renew()
    assert box.check().notes == []
