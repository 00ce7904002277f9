"""Races and stand-stills: a lost one is tried again as a whole, and a frozen process pins no row for ever."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from interlock import Done
from interlock.clock import SystemClock
from interlock.errors import ConcurrentModificationError, StoreUnavailable
from interlock.runner.executors.inline import InlineExecutor
from interlock.store.connect import IDLE_LIMIT_MS
from interlock.store.faults import LostRace
from interlock.testing import Sandbox
from tests.contract.worked import state, work_rows
from tests.contract.working import Boxed, admit, begun, dispatch, finish, jobs


def deadlocked() -> Exception:
    """As the database's own word arrives here."""
    error = ConcurrentModificationError("another transaction changed the same records at the same time")
    error.__cause__ = psycopg.errors.DeadlockDetected("deadlock detected")
    return error


def every_way(box: Sandbox) -> list[tuple[Any, str]]:
    """Where a coordinator's moves are made: judged, or whole batches in one statement."""
    return [
        (box.coordinates, "move"),
        (box.coordinates.stage_moves, "begin"),
        (box.coordinates.stage_moves, "finish"),
    ]


@pytest.mark.parametrize(
    "fault", [LostRace, deadlocked, psycopg.errors.SerializationFailure], ids=["lost", "40P01", "40001"]
)
@pytest.mark.parametrize("step", ["dispatch", "apply", "expire"])
def test_a_lost_race_undoes_the_whole_step_and_the_next_one_makes_it(
    step: str, fault: Any, boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = boxed(jobs())
    if step == "dispatch":
        admit(box, "a")
        assert box.runs is not None
        box.runs.renew()
    else:
        (attempt,) = begun(box, "a")
        if step == "apply":
            finish(box, attempt, Done())
        box.advance("31s")
    before = (state(box, "a"), work_rows(box))
    with monkeypatch.context() as racing:
        for owner, name in every_way(box):

            def races(*given: Any, act: Any = getattr(owner, name)) -> Any:  # noqa: B008 each has its own
                act(*given)  # everything was done, and then somebody else was faster
                raise fault()

            racing.setattr(owner, name, races)
        box.coordinates.step()
    assert box.coordinates.lost_races >= 1
    assert (state(box, "a"), work_rows(box)) == before
    box.advance("1s")  # until the next sweep
    box.drain()
    assert state(box, "a") == "done"


def test_a_database_that_is_away_is_no_lost_race(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    box = boxed(jobs())
    admit(box, "a")

    def away(*_: Any) -> None:
        raise StoreUnavailable("the database is not available")

    for owner, name in every_way(box):
        monkeypatch.setattr(owner, name, away)
    with pytest.raises(StoreUnavailable):
        dispatch(box)
    assert work_rows(box) == []


@pytest.mark.postgresql_only
def test_every_transaction_that_may_lock_says_how_long_it_may_stand_still(boxed: Boxed) -> None:
    box, asked = (
        boxed(jobs()),
        text("SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'"),
    )
    with box.database.write() as tx:
        assert tx.execute(asked).scalar() == str(IDLE_LIMIT_MS)
    with (
        box.database.engine.begin() as tx
    ):  # it is said for one transaction only: a pooler's next client shall not inherit it
        assert tx.execute(asked).scalar() == "0"


@pytest.mark.postgresql_only
def test_a_frozen_process_pins_no_row_for_ever(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    """A coordinator that stands still in its transaction is thrown out by the server, and another one goes on."""
    box = boxed(jobs())
    admit(box, "a")
    frozen = box.database.write()
    with monkeypatch.context() as impatient:
        impatient.setattr(
            "interlock.store.postgresql.connect.TRANSACTION",
            "SELECT set_config('idle_in_transaction_session_timeout', '50', true)",
        )
        tx = frozen.__enter__()
    tx.execute(text("SELECT 1 FROM jobs WHERE id = 'a' FOR UPDATE"))
    with box.database.engine.begin() as waiting:
        waiting.execute(text("SELECT 1 FROM jobs WHERE id = 'a' FOR UPDATE"))  # until the frozen one is gone
    with pytest.raises(StoreUnavailable):
        frozen.__exit__(None, None, None)
    assert dispatch(box) == 1


class OneHourAhead(SystemClock):
    """A machine whose clock is wrong."""

    def now(self) -> datetime:
        return super().now() + timedelta(hours=1)


@pytest.mark.postgresql_only
def test_leases_go_by_the_databases_clock_whatever_the_machines_say(opened: Any) -> None:
    """A runner that is right and a coordinator an hour ahead: its lease does not run out by that."""
    workflow = jobs()
    right, wrong = opened(workflow), opened(workflow, clock=OneHourAhead())
    right.admit("jobs", {"id": "a"})
    runner = right.runner(InlineExecutor(right.clock), capacity=1)
    runner.renew()
    coordinator = wrong.coordinator()
    coordinator.step()
    with right.database.write() as tx:
        assert len(runner.work.claim(tx, runner.id, ["jobs.work"], 1, runner.lease)) == 1
    coordinator.sweep()
    assert (right.get("jobs", "a")["tries"], len(work_rows(right))) == (0, 1)
    assert [one.id for one in wrong.runners()] == [runner.id]
