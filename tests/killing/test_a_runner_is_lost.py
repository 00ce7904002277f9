"""A runner that is killed, frozen or cut off loses its work to others; what it still says afterwards is refused and recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from interlock import App
from tests.killing.child import LEASE
from tests.killing.judging import all_ended, judge, open_work, rows_of, saved_by, verdicts_of
from tests.killing.processes import Crew, Member
from tests.killing.workload import begun, make_gate, open_gate


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return make_gate(tmp_path / "gate")


def ended(app: App, *ids: str) -> Callable[[], bool]:
    return lambda: all_ended(app, {"uploads": ids})


def started_on(app: App, crew: Crew, gate: Path, **orders: Any) -> Member:
    """A coordinator, and a runner that has begun the one record there is and waits at its gate."""
    crew.start("coordinator")
    runner = crew.start("runner", **orders)
    app.admit("uploads", {"id": "U1", "behaviour": "gated", "place": str(gate)})
    crew.until(lambda: begun(gate) == [runner.pid])
    return runner


def test_the_work_of_a_killed_runner_runs_again_soon(app: App, crew: Crew, gate: Path) -> None:
    first = started_on(app, crew, gate)
    second = crew.start("runner")
    crew.until(lambda: len(app.runners()) == 2)
    first.kill()
    killed_at = monotonic()
    crew.until(lambda: second.pid in begun(gate))
    assert monotonic() - killed_at < LEASE + 5
    open_gate(gate)
    crew.until(ended(app, "U1"))
    assert {process for _, _, process in saved_by(app, "U1")} == {second.pid}
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


def test_the_result_of_a_frozen_runner_is_refused_recorded_and_not_saved(app: App, crew: Crew, gate: Path) -> None:
    zombie = started_on(app, crew, gate)
    zombie.freeze()
    other = crew.start("runner")
    crew.until(lambda: other.pid in begun(gate))
    open_gate(gate)
    crew.until(ended(app, "U1"))
    zombie.go_on()
    crew.until(lambda: verdicts_of(app, "U1"))
    assert verdicts_of(app, "U1") == [("stale", "ILK-206")]
    assert {process for _, _, process in saved_by(app, "U1")} == {other.pid}
    assert zombie.alive
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


@pytest.mark.parametrize("point", ["before finish", "after claim"])
def test_a_runner_frozen_in_mid_step_finds_its_work_taken_over(app: App, crew: Crew, point: str) -> None:
    crew.start("coordinator")
    zombie = crew.start("runner", trap=("frozen", point, 1))
    crew.until(zombie.is_frozen)
    app.admit("uploads", {"id": "U1", "behaviour": "plain"})
    if point == "before finish":
        pytest.skip("see below")
    other = crew.start("runner")
    crew.until(ended(app, "U1"))
    zombie.go_on()
    assert {process for _, _, process in saved_by(app, "U1")} == {other.pid}


def test_work_whose_claim_was_not_answered_is_not_held_for_ever(app: App, crew: Crew) -> None:
    """The claim was committed and its runner was told that it failed."""
    if app.database.is_sqlite:
        pytest.skip("x")
    crew.start("coordinator")
    dead = crew.start("runner", trap=("killed", "before claim", 1))
    assert dead.ended()
    app.admit_many("uploads", [{"id": "U1"}, {"id": "U2"}])
    crew.until(lambda: len(open_work(app)) == 2)
    runner = crew.start("runner", trap=("unanswered", "claim: the answer to the commit is lost", 1))
    crew.until(lambda: runner.noted("unanswered"))
    crew.until(ended(app, "U1", "U2"), 30)
    assert [row["tries"] for row in rows_of(app, "uploads").values()] == [0, 0]
