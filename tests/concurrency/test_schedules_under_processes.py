"""Four coordinators want the same ticks: each tick runs once."""

from __future__ import annotations

from contextlib import closing

from sqlalchemy import text

from interlock import App
from tests.concurrency.crowd import together
from tests.concurrency.ticking import coordinate, ran, workflow

TICKS = 3


def test_four_coordinators_run_each_tick_once(database_url: str) -> None:
    with closing(App([workflow()], database=database_url)) as app:
        app.migrate()
        ran.create(app.database.engine)
        together(coordinate, [(database_url, TICKS)] * 4)
        with app.database.read() as tx:
            ticks = tx.execute(text("SELECT tick FROM ran")).scalars().all()
        runs = app.schedule_runs("things", "tick_once", 100)
        assert len(set(ticks)) == len(ticks) >= TICKS
        assert sorted(ticks) == sorted(run.tick.isoformat() for run in runs if run.outcome == "done")
        assert {run.attempt for run in runs} == {0, 1}
