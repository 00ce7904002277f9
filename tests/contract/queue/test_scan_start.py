"""Whoever looks for the oldest work begins where work begins; nothing that stands before is lost, only found later."""

from __future__ import annotations

from interlock import Done
from interlock.clock import monotonic
from interlock.store.work.attempts import ReportGroup
from interlock.store.work.scan_start import MANY
from interlock.testing import Sandbox
from tests.contract.worked import state, work_rows
from tests.contract.working import Boxed, admit, apply, begun, claim, dispatch, finish, jobs


def look_too_far_ahead(box: Sandbox) -> None:
    """As if everything there is had been numbered early and committed late; on SQLite, where one writes after the other, nobody does."""
    if box.database.name != "sqlite":
        box.coordinates.work.scan_start._position, box.coordinates.work.scan_start._found = (
            10**12,
            monotonic(),
        )


def test_who_claims_many_goes_on_from_the_lowest_that_is_left(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, *(f"{number:03}" for number in range(MANY + 20)))
    while dispatch(box):
        pass
    assert len(claim(box, MANY)) == MANY
    lowest = min(row["position"] for row in work_rows(box))
    assert box.coordinates.work.scan_start.position == (0 if box.database.name == "sqlite" else lowest)
    assert len(claim(box)) == 20


def test_who_claims_few_looks_everywhere_the_next_time(boxed: Boxed) -> None:
    box = boxed(jobs())
    begun(box, "a", "b")
    assert box.coordinates.work.scan_start.position == 0


def test_work_before_the_front_is_claimed_when_there_is_no_other(boxed: Boxed) -> None:
    box = boxed(jobs())
    admit(box, "a")
    dispatch(box)
    look_too_far_ahead(box)
    assert [one.record_id for one in claim(box)] == ["a"]


def test_reports_before_the_front_are_applied_when_there_are_no_others(boxed: Boxed) -> None:
    box = boxed(jobs())
    plain, telling = begun(box, "a", "b")
    finish(box, plain, Done())
    finish(box, telling, Done(size=3))
    look_too_far_ahead(box)
    apply(box)
    assert (state(box, "a"), state(box, "b")) == ("done", "done")


def test_plain_reports_can_be_left_to_those_who_take_them_together(boxed: Boxed) -> None:
    box = boxed(jobs())
    plain, telling = begun(box, "a", "b")
    finish(box, plain, Done())
    finish(box, telling, Done(size=3))
    work, stages = box.coordinates.work, list(box.coordinates.stage_queues)
    with box.database.write() as tx:
        assert [one.record_id for one in work.reported(tx, stages, 10)] == ["a", "b"]
        assert [
            one.record_id
            for one in work.reported(tx, stages, 10, but=[ReportGroup("jobs.work", "", None, True)])
        ] == ["b"]
