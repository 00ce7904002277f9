"""Work that hangs, leaks or kills is parked after exactly its tries, and its neighbours finish."""

from __future__ import annotations

from interlock import App
from interlock.coordinator.decide import CRASH_TRIES
from tests.killing.child import KEPT
from tests.killing.judging import all_ended, judge, rows_of
from tests.killing.processes import Crew
from tests.killing.workload import POISON_TRIES

NEIGHBOURS = [f"neighbour-{number}" for number in range(6)]


def brought(app: App, kind: str, poison: dict[str, str]) -> list[str]:
    """Poison in the midst of its neighbours, all at once."""
    ids = [*NEIGHBOURS[:2], *poison, *NEIGHBOURS[2:]]
    app.admit_many(kind, [{"id": id, "behaviour": poison.get(id, "plain")} for id in ids])
    return ids


def test_isolated_poison_is_parked_after_its_tries_and_costs_its_neighbours_nothing(
    app: App, crew: Crew
) -> None:
    kinds = ("sheets",)
    ids = brought(app, "sheets", {"hangs": "hang", "leaks": "leak", "exits": "exit"})
    crew.start("coordinator", kinds=kinds)
    runner = crew.start("runner", kinds=kinds, lease=KEPT)
    crew.until(lambda: all_ended(app, {"sheets": ids}))
    rows = rows_of(app, "sheets")
    assert {
        id: (rows[id]["attempt"], rows[id]["tries"], rows[id]["error_code"])
        for id in ("hangs", "leaks", "exits")
    } == {
        "hangs": (POISON_TRIES, POISON_TRIES, "TIMEOUT"),
        "leaks": (POISON_TRIES, POISON_TRIES, "MEMORY_LIMIT"),
        "exits": (POISON_TRIES, POISON_TRIES, "CRASHED"),
    }
    assert {(rows[id]["status"], rows[id]["attempt"], rows[id]["tries"]) for id in NEIGHBOURS} == {
        ("done", 1, 1)
    }
    assert runner.alive
    assert judge(app, {"sheets": ids}, crew.reported(), poisoned={"hangs", "leaks", "exits"}).faults == {}


def test_poison_that_kills_its_runner_is_parked_after_its_tries_and_its_neighbours_finish(
    app: App, crew: Crew
) -> None:
    """Nothing isolates it: each time it takes along whatever its runner had claimed. Somebody starts the runner anew."""
    kinds = ("papers",)
    ids = brought(app, "papers", {"exits": "exit"})
    crew.start("coordinator", kinds=kinds)
    runners = [crew.start("runner", kinds=kinds)]

    def at_rest() -> bool:
        if not runners[-1].alive:
            runners.append(crew.start("runner", kinds=kinds))
        return all_ended(app, {"papers": ids})

    crew.until(at_rest)
    rows = rows_of(app, "papers")
    assert (rows["exits"]["status"], rows["exits"]["tries"], rows["exits"]["error_code"]) == (
        "failed",
        CRASH_TRIES,
        "LEASE_EXPIRED",
    )
    assert len(runners) == CRASH_TRIES + 1
    assert {rows[id]["status"] for id in NEIGHBOURS} == {"done"}
    assert judge(app, {"papers": ids}, crew.reported(), poisoned={"exits"}).faults == {}
