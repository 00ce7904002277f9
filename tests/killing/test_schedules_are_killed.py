"""Coordinators that are killed while they claim, run or end a tick: it is run again, by whoever comes next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from interlock import App
from tests.killing.processes import Crew
from tests.killing.workload import prepare


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(prepare(database_url, "rounds")) as app:
        yield app


def outcomes(app: App) -> list[tuple[str, int]]:
    return [(run.outcome, run.attempt) for run in app.schedule_runs("rounds", "go_round", 100)]


@pytest.mark.parametrize("point", ["schedule: before the commit", "schedule: after the commit"])
def test_a_tick_whose_coordinator_is_killed_is_run_again(app: App, crew: Crew, point: str) -> None:
    first = crew.start("coordinator", kinds=("rounds",))
    crew.until(lambda: ("done", 1) in outcomes(app))
    first.kill()
    assert first.ended()
    dying = crew.start("coordinator", kinds=("rounds",), trap=("killed", point, 1))
    assert dying.ended()
    assert dying.noted("killed") == [point]
    before = len(outcomes(app))
    crew.start("coordinator", kinds=("rounds",))
    crew.until(
        lambda: len(outcomes(app)) > before and all(outcome != "running" for outcome, _ in outcomes(app)[:1])
    )
    assert {outcome for outcome, _ in outcomes(app)[1:]} <= {"done", "declared"}
    assert max(attempt for _, attempt in outcomes(app)) <= 2
    assert app.check().findings == []
