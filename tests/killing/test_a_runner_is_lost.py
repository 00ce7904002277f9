"""A runner that is killed, frozen or cut off loses its work to others; what it still says afterwards is refused and recorded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from interlock import App
from tests.killing.child import KEPT, LEASE
from tests.killing.judging import all_ended, judge, open_work, rows_of, saved_by, verdicts_of
from tests.killing.processes import Crew, Member, TooLate
from tests.killing.workload import begun, make_gate, open_gate

LOOK_SECONDS = 0.05
STALE = ("stale", "ILK-209")


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return make_gate(tmp_path / "gate")


def ended(app: App, *ids: str) -> Callable[[], bool]:
    return lambda: all_ended(app, {"uploads": ids})


def started_on(app: App, crew: Crew, gate: Path, behaviour: str = "gated", **orders: Any) -> Member:
    """A coordinator, and a runner that has begun the one record there is and waits at its gate."""
    crew.start("coordinator")
    runner = crew.start("runner", **orders)
    app.admit("uploads", {"id": "U1", "behaviour": behaviour, "place": str(gate)})
    crew.until(lambda: begun(gate) == [runner.pid])
    return runner


def issued_to_nobody(app: App, crew: Crew, *ids: str) -> None:
    """Work rows that no runner has claimed: the one for whom they were issued died just before."""
    crew.start("coordinator")
    assert crew.start("runner", trap=("killed", "before claim", 1)).ended()
    app.admit_many("uploads", [{"id": id, "behaviour": "plain"} for id in ids])
    for _ in range(5):
        with suppress(
            TooLate
        ):  # on a busy machine the dead runner's registration may have ended before anything was issued
            crew.until(lambda: len(open_work(app)) == len(ids), 8.0)
            break
        assert crew.start("runner", trap=("killed", "before claim", 1)).ended()
    assert len(open_work(app)) == len(ids)
    assert {row["claimed_by"] for row in open_work(app)} == {None}


def test_the_work_of_a_killed_runner_runs_again_soon(app: App, crew: Crew, gate: Path) -> None:
    first = started_on(app, crew, gate)
    second = crew.start("runner", lease=KEPT)
    crew.until(lambda: len(app.runners()) == 2)
    first.kill()
    looks = 0

    def is_taken_over() -> bool:
        nonlocal looks
        looks += 1
        return second.pid in begun(gate)

    crew.until(is_taken_over, look_every=LOOK_SECONDS)
    assert looks * LOOK_SECONDS < LEASE + 5, "counted in looks: while the whole machine pauses nobody looks"
    open_gate(gate)
    crew.until(ended(app, "U1"))
    assert {process for _, _, process in saved_by(app, "U1")} == {second.pid}
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


def test_a_frozen_runner_that_is_still_at_work_ends_it_in_vain(app: App, crew: Crew, gate: Path) -> None:
    """It goes on, learns that its work was taken over, and only then its work comes to an end."""
    zombie = started_on(app, crew, gate, "gated once")
    zombie.freeze()
    crew.until(lambda: app.runners() == [])
    other = crew.start("runner", lease=KEPT)
    crew.until(ended(app, "U1"))
    zombie.go_on()
    crew.until(lambda: len(app.runners()) == 2)
    open_gate(gate)
    crew.until(lambda: verdicts_of(app, "U1"))
    assert verdicts_of(app, "U1") == [STALE]
    assert {process for _, _, process in saved_by(app, "U1")} == {other.pid}
    assert zombie.alive
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


def test_a_runner_frozen_before_its_report_reports_in_vain(app: App, crew: Crew) -> None:
    issued_to_nobody(app, crew, "U1")
    zombie = crew.start("runner", trap=("frozen", "before finish", 1))
    crew.until(zombie.is_frozen)
    other = crew.start("runner", lease=KEPT)
    crew.until(ended(app, "U1"))
    zombie.go_on()
    crew.until(lambda: verdicts_of(app, "U1"))
    assert verdicts_of(app, "U1") == [STALE]
    assert {process for _, _, process in saved_by(app, "U1")} == {other.pid}
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


def test_a_runner_outage_burns_no_try_of_work_that_nobody_ran(app: App, crew: Crew) -> None:
    ids = ["U1", "U2", "U3"]
    issued_to_nobody(app, crew, *ids)
    crew.until(lambda: app.runners() == [])
    assert {row["attempt"] for row in open_work(app)} == {1}
    crew.start("runner", lease=KEPT)
    crew.until(ended(app, *ids))
    assert {(row["attempt"], row["tries"]) for row in rows_of(app, "uploads").values()} == {
        (2, 1)
    }  # one attempt of each stage
    assert judge(app, {"uploads": ids}, crew.reported()).faults == {}


@pytest.mark.postgresql_only
def test_work_whose_claim_was_not_answered_goes_back_and_costs_no_try(app: App, crew: Crew) -> None:
    """The claim was committed, and its runner told that it failed: it must not renew for ever what it does not know of."""
    issued_to_nobody(app, crew, "U1", "U2")
    runner = crew.start("runner", trap=("unanswered", "claim: the answer to the commit is lost", 1))
    crew.until(lambda: runner.noted("unanswered"))
    crew.until(ended(app, "U1", "U2"))
    assert {(row["attempt"], row["tries"]) for row in rows_of(app, "uploads").values()} == {(2, 1)}
    assert judge(app, {"uploads": ["U1", "U2"]}, crew.reported()).faults == {}


@pytest.mark.postgresql_only
def test_a_report_whose_answer_was_lost_is_a_duplicate_when_it_comes_again(app: App, crew: Crew) -> None:
    issued_to_nobody(app, crew, "U1")
    crew.start("runner", trap=("unanswered", "finish: the answer to the commit is lost", 1))
    crew.until(ended(app, "U1"))
    crew.until(lambda: verdicts_of(app, "U1"))
    assert [verdict for verdict, _ in verdicts_of(app, "U1")] == ["duplicate"]
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}
