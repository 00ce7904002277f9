"""Coordinators that are killed while they make the moves of timers: each move is made once, by whoever comes next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from interlock import App
from tests.killing.processes import Crew
from tests.killing.workload import prepare

IDS = [f"n{number}" for number in range(6)]
POINTS = ("timer: before the commit", "timer: after the commit")


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(prepare(database_url, "notices")) as app:
        yield app


def moved(app: App) -> list[list[tuple[str | None, str | None]]]:
    return [[(move.new, move.cause) for move in app.ledger.history("notices", id)] for id in IDS]


def admit(app: App) -> None:
    app.admit_many("notices", [{"id": id} for id in IDS])


def sent_once(app: App) -> bool:
    return all(app.get("notices", id)["status"] == "sent" for id in IDS)


def kill_at(app: App, crew: Crew, points: list[str]) -> None:
    """One coordinator after another dies at one of these points, each before new records; then one lives."""
    for number, point in enumerate(points):
        again = [id for id in IDS if app.get("notices", id)["status"] == "sent"]
        app.move_many("notices", again, status="written", actor="eve")
        member = crew.start("coordinator", kinds=("notices",), trap=("killed", point, 1))
        assert member.ended(), f"{number}: it never came to {point}"
        assert member.noted("killed") == [point]
    crew.start("coordinator", kinds=("notices",))
    crew.until(lambda: sent_once(app))
    for history in moved(app):
        assert [new for new, _ in history] == ["written", "sent"] * (len(history) // 2)
        assert {cause for new, cause in history if new == "sent"} == {"timer"}
    assert app.check().findings == []


def test_a_coordinator_that_dies_around_a_timers_commit_leaves_all_or_nothing(app: App, crew: Crew) -> None:
    admit(app)
    kill_at(app, crew, list(POINTS))


@pytest.mark.soak
def test_a_coordinator_may_die_at_every_statement_of_a_timer(app: App, crew: Crew) -> None:
    admit(app)
    scout = crew.start("coordinator", kinds=("notices",), lots="none", odds=10**9)
    crew.until(lambda: sent_once(app))
    scout.kill()
    assert scout.ended()
    points = [name for name in dict.fromkeys(scout.noted("passed")) if name.startswith("timer:")]
    assert len(points) > 5
    kill_at(app, crew, points)
