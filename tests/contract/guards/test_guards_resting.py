"""A record stays in a running state without an attempt only where its stage has no state to fail to, and says so by its error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from interlock import App, Done, Failed, Machine, Workflow
from interlock.store.engines import sql_of
from interlock.store.resting import Resting, merge, remembered
from interlock.testing import Sandbox
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject
from tests.contract.worked import moves, work_rows
from tests.contract.working import Boxed, apply, begun, claim, finish, jobs

LAX = Machine("lax", initial="waiting", moves={"waiting": ["running"], "running": ["done", "failed"]})
LEAVING = {"failed": "failed"}
RESTING: dict[str, Any] = {"failed": None}


def workflow(**stage: Any) -> Workflow:
    return jobs(machine=LAX, **stage)


def subject(id: str) -> Subject:
    return replace(SUBJECTS["one axis"], kind="jobs", table="jobs", id=id, definition=LAX)


def rest(hand: Hand, id: str, error: str | None = "BROKEN") -> None:
    """Type the entry of a coordinator that keeps the record running; its row has the error."""
    entry = {"actor": "coordinator", "cause": "work.refused", "origin": "reissue"}
    sql, values = hand.move(subject(id), "running", **entry)
    if error is not None and not hand.is_sqlite:
        sql = sql.replace(" WHERE", f", error_code = '{error}' WHERE", 1)
    hand.run(sql, *values)
    if error is not None and hand.is_sqlite:
        hand.run("UPDATE jobs SET error_code = ? WHERE id = ?", error, id)


REMOVE = "DELETE FROM interlock_work WHERE record_id = ?"


def remove(hand: Hand, id: str) -> None:
    assert hand.run(REMOVE, id) == 1


def kept(hand: Hand, id: str) -> None:
    """The database refuses to let the work row go, and nothing has changed."""
    hand.refused("ILK-210", REMOVE, id)


def rests(box: Sandbox, error: str) -> None:
    row = box.get("jobs", "a")
    assert (row["status"], row["error_code"], row["ready_at"]) == ("running", error, None)
    last = moves(box, "a")[-1]
    assert last[:2] == ("running", "running")
    assert work_rows(box) == []
    assert [str(one) for one in box.check().findings] == []


@pytest.mark.parametrize("how", ["reports", "expires", "takes too long"])
def test_what_fails_in_a_stage_without_a_failed_state_rests_in_its_running_state(
    boxed: Boxed, how: str
) -> None:
    box = boxed(workflow(**RESTING, deadline="10s" if how == "takes too long" else None))
    (attempt,) = begun(box, "a")
    if how == "reports":
        finish(box, attempt, Failed("BROKEN", "no use", final=True))
        assert apply(box) == 1
        rests(box, "BROKEN")
        return
    if how == "takes too long":
        box.advance("11s")
        box.coordinates.sweeper.enforce_deadlines()
        rests(box, "DEADLINE")
        return
    for _ in range(4):  # as often as a crash is tried again
        box.advance("31s")
        assert box.coordinates.sweeper.expire() == 1
        claim(box)
    rests(box, "LEASE_EXPIRED")


@pytest.mark.parametrize("reports", [False, True])
def test_work_of_a_stage_that_can_fail_is_not_removed_by_an_entry_that_keeps_its_record_running(
    boxed: Boxed, hand: Hand, reports: bool
) -> None:
    box = boxed(workflow(**LEAVING))
    (attempt,) = begun(box, "a")
    if reports:
        finish(box, attempt, Done())
    rest(hand, "a")
    kept(hand, "a")
    assert len(work_rows(box)) == 1


def test_work_of_a_stage_that_cannot_fail_is_removed_once_it_was_begun_and_the_record_has_an_error(
    boxed: Boxed, hand: Hand
) -> None:
    box = boxed(workflow(**RESTING))
    begun(box, "a")
    kept(hand, "a")  # its record has not been judged
    rest(hand, "a")
    remove(hand, "a")
    rests(box, "BROKEN")


@pytest.mark.postgresql_only  # a trigger of SQLite cannot look into a table that is named by a row
def test_a_record_that_rests_says_with_which_error(boxed: Boxed, hand: Hand) -> None:
    box = boxed(workflow(**RESTING))
    begun(box, "a")
    rest(hand, "a", None)
    kept(hand, "a")
    assert len(work_rows(box)) == 1


def test_work_that_nobody_began_is_not_removed_so(boxed: Boxed, hand: Hand) -> None:
    box = boxed(workflow(**RESTING))
    begun(box, "a")
    with box.database.write() as tx:
        box.coordinates.work.give_back(tx, "r1", [one["token"] for one in work_rows(box)])
    with hand.without_guards_of("interlock_work"):
        hand.run("UPDATE interlock_work SET started_at = NULL")
    rest(hand, "a")
    kept(hand, "a")
    assert len(work_rows(box)) == 1


@pytest.mark.leaves("I5", "guards")
def test_the_guard_that_knows_no_stages_lets_such_a_removal_pass(boxed: Boxed, hand: Hand) -> None:
    """The twin: the tests above would find out a guard that was made without them."""
    box = boxed(workflow(**LEAVING))
    begun(box, "a")
    for statement in sql_of(box.database.dialect).schema.work_guards([]):
        hand.connection.execute(statement)
    hand.connection.commit()
    rest(hand, "a")
    remove(hand, "a")
    found = [str(one) for one in box.check().findings]
    assert any("interlock_over" in one or "interlock_work_delete" in one for one in found)


@pytest.mark.leaves("I5", "guards")  # for the version that is retired at the end
@pytest.mark.parametrize(("before", "after"), [(RESTING, LEAVING), (LEAVING, RESTING)])
def test_while_two_versions_run_what_one_of_them_lets_rest_may_rest(
    boxed: Boxed, hand: Hand, before: dict[str, Any], after: dict[str, Any]
) -> None:
    old = boxed(workflow(**before))
    begun(old, "a", "b")
    new = boxed(workflow(**after))
    rest(hand, "a")
    remove(hand, "a")
    url = hand.address.render_as_string(hide_password=False)
    owner = App(list(new.workflows.values()), database=url, clock=new.clock)
    owner.migrate(contract=True)
    owner.close()
    rest(hand, "b")
    (remove if after is RESTING else kept)(hand, "b")
    assert len(work_rows(new)) == (after is LEAVING)


def versions(*known: Resting) -> Sequence[Resting]:
    return remembered({one.key(): one.text() for one in known})


def test_a_version_of_the_stages_that_no_migration_wrote_widens_nothing() -> None:
    own = Resting("jobs", "status", ("running",), (), "error_code")
    wider = Resting("jobs", "status", (), (("jobs.work", "running"),), "error_code")
    assert versions(own) == [own]
    assert remembered({own.key(): own.text(), f"{own.key()[:-4]}beef": wider.text()}) == [own]
    assert remembered({own.key(): own.text(), "stages: jobs.status 0": "no list"}) == [own]
    assert versions(own, wider) == merge([wider, own])
    assert merge([own, wider])[0].leaves == ()
