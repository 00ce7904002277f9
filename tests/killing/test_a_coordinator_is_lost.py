"""Coordinators have no leader and no memory: one is killed and another goes on, two of one host do not mistake each other."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from interlock import App
from tests.killing.child import KEPT
from tests.killing.judging import all_ended, judge
from tests.killing.processes import Crew
from tests.servers.postgres import Server


def bring(app: App, ids: Iterable[str]) -> None:
    app.admit_many("uploads", [{"id": id, "behaviour": "plain"} for id in ids])


def test_when_a_coordinator_is_killed_the_other_goes_on(app: App, crew: Crew) -> None:
    """Both are called the same, as two on one host are."""
    first, second = crew.start("coordinator", "one-host"), crew.start("coordinator", "one-host")
    crew.start("runner", "one-host", lease=KEPT)
    early, late = [f"early-{number}" for number in range(8)], [f"late-{number}" for number in range(8)]
    bring(app, early)
    crew.until(lambda: all_ended(app, {"uploads": early[:1]}) or not first.alive)
    first.kill()
    bring(app, late)
    crew.until(lambda: all_ended(app, {"uploads": early + late}))
    assert second.alive
    assert judge(app, {"uploads": early + late}, crew.reported()).faults == {}


@pytest.mark.parametrize("point", ["dispatch: after the commit", "apply: before the commit"])
def test_a_coordinator_that_dies_around_its_commit_leaves_all_or_nothing(
    app: App, crew: Crew, point: str
) -> None:
    """Before the commit nothing has happened; after it everything has, though nobody was told."""
    crew.start("runner", lease=KEPT)
    crew.until(app.runners)
    ids = [f"U{number}" for number in range(5)]
    bring(app, ids)
    for _ in range(3):
        assert crew.start("coordinator", trap=("killed", point, 1)).ended()
    crew.start("coordinator")
    crew.until(lambda: all_ended(app, {"uploads": ids}))
    assert {row["tries"] for row in (app.get("uploads", id) for id in ids)} == {1}
    assert judge(app, {"uploads": ids}, crew.reported()).faults == {}


@pytest.mark.postgresql_only
def test_everybody_survives_the_death_of_the_database(app: App, crew: Crew, mortal_server: Server) -> None:
    if mortal_server.data is None:
        pytest.skip("the server of INTERLOCK_TEST_POSTGRES_URL is not ours to kill")
    everybody = [crew.start("coordinator"), crew.start("runner"), crew.start("both")]
    early, late = [f"early-{number}" for number in range(8)], [f"late-{number}" for number in range(8)]
    bring(app, early)
    crew.until(lambda: len(app.runners()) == 2)
    mortal_server.kill()
    mortal_server.restart()
    crew.until(lambda: all_ended(app, {"uploads": early}))
    bring(app, late)
    mortal_server.restart()
    crew.until(lambda: all_ended(app, {"uploads": early + late}))
    assert all(member.alive for member in everybody)
    assert judge(app, {"uploads": early + late}, crew.reported()).faults == {}
