"""An app whose machine's clock is wrong: nothing waits for it, and `check` tells."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from interlock import App, Done
from interlock.clock import FrozenClock, SystemClock
from interlock.runner.executors.inline import InlineExecutor
from interlock.store.database_clock import DatabaseClock
from tests.contract.working import jobs
from tests.kinds import prepare

pytestmark = pytest.mark.postgresql_only


class Wrong(SystemClock):
    """A machine's clock that is wrong by so much."""

    def __init__(self, by: timedelta) -> None:
        self.by = by

    def now(self) -> datetime:
        return super().now() + self.by


def opened(url: str, clock: SystemClock) -> App:
    workflow = jobs(lambda work: Done(title="fine"))
    prepare(url, [workflow])
    app = App([workflow], database=url, clock=clock)
    app.migrate()
    return app


@pytest.mark.parametrize("hours", [1, -1])
def test_records_do_not_wait_for_a_clock_that_is_wrong(database_url: str, hours: int) -> None:
    with closing(opened(database_url, Wrong(timedelta(hours=hours)))) as app:
        app.admit_many("jobs", [{"id": f"j{number}"} for number in range(3)])
        app.admit("jobs", {"id": "alone"})
        runner = app.runner(InlineExecutor(app.clock))
        coordinator = app.coordinator()
        ids = ["j0", "j1", "j2", "alone"]
        for _ in range(20):
            runner.step()
            coordinator.step()
        assert {app.get("jobs", id)["status"] for id in ids} == {"done"}
        now = datetime.now(UTC)
        for id in ids:
            assert all(abs(move.at - now) < timedelta(minutes=1) for move in app.ledger.history("jobs", id))
        runner.stop(0)


def test_a_difference_of_more_than_five_seconds_is_noted(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(opened(database_url, Wrong(timedelta(hours=1)))) as app:
        assert app.check().notes == ["the clock of this machine is 3,600 s ahead of the database's"]
        assert [one.message for one in caplog.records if one.name == "interlock.clock"] == [
            "this machine's clock is 3,600 s ahead of the database's; instants are corrected by it. Let both keep time by NTP."
        ]
    with closing(opened(database_url, Wrong(timedelta(seconds=-60)))) as app:
        assert app.check().notes == ["the clock of this machine is 60 s behind the database's"]


def test_a_clock_that_is_right_is_neither_corrected_nor_noted(database_url: str) -> None:
    with closing(opened(database_url, SystemClock())) as app:
        assert app.check().notes == []
        assert abs(app.clock.now() - datetime.now(UTC)) < timedelta(seconds=1)
        assert isinstance(app.clock, DatabaseClock)


def test_a_clock_of_a_test_is_left_alone(database_url: str) -> None:
    clock = FrozenClock()
    with closing(App([jobs(lambda work: Done())], database=database_url, clock=clock)) as app:
        assert app.clock is clock
