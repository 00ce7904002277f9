"""Scenes: which acts meet on which record, and what must be true of its ledger however their statements interleave."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interlock import App, Workflow
from interlock.errors import InterlockError
from tests.kinds import domains, themes
from tests.permutation.interleavings import every_interleaving
from tests.permutation.ledger_order import Entry, entered_only_while, entries, is_whole, standing
from tests.permutation.scheduler import Act, Scheduler
from tests.permutation.split import SCOPE, requiring_domains, split_domains

MOST = 2000  # a scene with more interleavings than this is not one for every day


@dataclass
class Scene:
    """A workflow, how a record gets ready, the acts that meet, and the rule they may not break."""

    workflow: Callable[[], Workflow]
    ready: Callable[[App, Workflow, int], None]
    acts: Callable[[App, Workflow, int], Mapping[str, Act]]
    keeps: Callable[[list[Entry]], bool]
    numbers: Any = field(default_factory=lambda: itertools.count(1))


def play(scene: Scene, app: App, scheduler: Scheduler) -> list[str]:
    """Play every interleaving; what was broken, each with the interleaving that broke it. The first breach ends the play."""
    workflow = next(iter(app.workflows.values()))
    current: list[int] = []

    def stage() -> Mapping[str, Act]:
        current[:] = [next(scene.numbers)]
        scene.ready(app, workflow, current[0])
        return scene.acts(app, workflow, current[0])

    for number, playing in enumerate(every_interleaving(scheduler, stage), 1):
        assert number <= MOST, f"more than {MOST} interleavings"
        told = entries(scheduler.observer, workflow, current[0])
        faults = [
            actor.name
            for actor in playing.actors.values()
            if isinstance(actor.answer, BaseException) and not isinstance(actor.answer, InterlockError)
        ]
        problems = [f"no answer for {name}" for name in faults]
        problems += [] if is_whole(app, workflow, current[0]) else ["rows and ledger disagree"]
        problems += [] if scene.keeps(told) else [f"the rule is broken: {told}"]
        if problems:
            return [f"{problem}\n{playing}" for problem in problems]
    return []


def both_axes(told: list[Entry]) -> bool:
    """Processing is entered only while Selected, and what left Selected does not stay Queued."""
    states = standing(told)
    stays = states.get("processing_status") == "Queued" and states["curation_status"] != "Selected"
    return not stays and all(
        entered_only_while(told, ("processing_status", state), "curation_status", {"Selected"})
        for state in ("Queued", "Processing")
    )


def only_required(told: list[Entry]) -> bool:
    return entered_only_while(told, ("processing_status", "Processing"), "curation_status", {"Selected"})


def pipeline(told: list[Entry]) -> bool:
    return entered_only_while(told, ("status", "in_progress"), "curation_status", {"New", "Selected"})


def _selected(app: App, workflow: Workflow, id: int) -> None:
    app.admit(workflow, {"id": id})
    app.move(workflow, id, actor="ann", curation_status="Selected")


def _selected_and_queued(app: App, workflow: Workflow, id: int) -> None:
    _selected(app, workflow, id)
    app.move(workflow, id, actor="ann", processing_status="Queued")


def _unqueued(app: App, workflow: Workflow, id: int) -> None:
    _selected(app, workflow, id)
    app.move(workflow, id, actor="ann", processing_status=None)


def _admitted(app: App, workflow: Workflow, id: int) -> None:
    app.admit(workflow, {"id": id})


def discard_and(name: str, **move: Any) -> Callable[[App, Workflow, int], Mapping[str, Act]]:
    """Somebody discards the record while somebody else makes this move."""
    return lambda app, workflow, id: {
        "discard": lambda: app.move(workflow, id, actor="ann", curation_status="Discarded"),
        name: lambda: app.move(workflow, id, actor="bob", **move),
    }


def discard_for_long_and(name: str, **move: Any) -> Callable[[App, Workflow, int], Mapping[str, Act]]:
    """The same, but the discard waits in a transaction of the caller's: alone it could move and commit in one statement."""

    def discard(app: App, workflow: Workflow, id: int) -> Any:
        with app.database.engine.begin() as tx:
            return app.move(workflow, id, actor="ann", tx=tx, curation_status="Discarded")

    return lambda app, workflow, id: {
        "discard": lambda: discard(app, workflow, id),
        name: lambda: app.move(workflow, id, actor="bob", **move),
    }


START = {"processing_status": "Processing"}
IN_ONE_ROW = Scene(domains, _selected, discard_and("start", **START), both_axes)
QUEUE_IN_ONE_ROW = Scene(domains, _unqueued, discard_and("queue", processing_status="Queued"), both_axes)
REQUIRED_IN_ONE_ROW = Scene(
    requiring_domains, _selected_and_queued, discard_and("start", **START), only_required
)
IN_TWO_TABLES = Scene(split_domains, _selected, discard_and("start", scope=SCOPE, **START), both_axes)
REQUIRED_IN_TWO_TABLES = Scene(
    themes, _admitted, discard_for_long_and("start", scope="technical", status="in_progress"), pipeline
)
