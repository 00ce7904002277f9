"""Two acts that want the same record: whatever the order of their statements, history is one line and everybody is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from interlock import Answer, App, Machine, Workflow
from interlock.errors import (
    ConcurrentModificationError,
    InterlockError,
    InvalidStateTransition,
    UnknownRecord,
)
from tests.kinds import plain
from tests.permutation.conftest import OpenSteppable
from tests.permutation.interleavings import Playing, every_interleaving
from tests.permutation.scheduler import Act, Scheduler
from tests.permutation.split import services

FORK = Machine("fork", initial="start", moves={"start": ["left", "right"], "left": ["end"], "right": ["end"]})
JUDGED = Machine(
    "judged",
    initial="start",
    moves={"start": ["left", "right"], "left": ["end"], "right": ["end"], "lost": ["left", "right"]},
)
"""The same, but with a second way in: where several states lead to the wanted one, a record is read and judged before it moves."""

Meeting = Callable[[App, Workflow, str], Mapping[str, Act]]


def applied(playing: Playing) -> list[str]:
    """The acts that were answered with a success."""
    return [
        name
        for name, actor in playing.actors.items()
        if isinstance(actor.answer, Answer) and actor.answer.outcome != "unchanged"
    ]


def play_all(
    app: App, scheduler: Scheduler, ready: Callable[[str], None], meeting: Meeting
) -> list[tuple[Playing, list[Any]]]:
    """Every interleaving, with what the ledger then says of the record; it is checked each time."""
    workflow = next(iter(app.workflows.values()))
    names: list[str] = []

    def stage() -> Mapping[str, Act]:
        names.append(f"r{len(names)}")
        ready(names[-1])
        return meeting(app, workflow, names[-1])

    played = []
    for playing in every_interleaving(scheduler, stage):
        history = app.ledger.history(workflow, names[-1])
        assert app.check(workflow, names[-1]).findings == [], playing
        assert [move.version for move in history] == list(range(len(history))), playing
        for actor in playing.actors.values():
            assert isinstance(actor.answer, Answer | InterlockError), playing
        played.append((playing, history))
    return played


def admitted(app: App) -> Callable[[str], None]:
    def ready(id: str) -> None:
        app.admit("things", {"id": id})

    return ready


def both_ways(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
    return {
        "left": lambda: app.move(workflow, id, actor="ann", status="left"),
        "right": lambda: app.move(workflow, id, actor="bob", status="right"),
    }


@pytest.mark.parametrize("machine", [FORK, JUDGED], ids=lambda machine: machine.name)
def test_of_two_ways_exactly_one_is_taken(
    machine: Machine, open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    app = open_steppable(plain(machine))
    for playing, history in play_all(app, scheduler, admitted(app), both_ways):
        assert applied(playing) == [history[-1].new], playing
        refusals = [actor.answer for actor in playing.actors.values() if not isinstance(actor.answer, Answer)]
        assert [type(refusal) for refusal in refusals] == [InvalidStateTransition], playing


@pytest.mark.parametrize("machine", [FORK, JUDGED], ids=lambda machine: machine.name)
def test_with_the_version_they_saw_the_second_hears_who_won(
    machine: Machine, open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    app = open_steppable(plain(machine))

    def meeting(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
        return {
            name: partial(app.move, workflow, id, actor=name, version=0, status=name)
            for name in ("left", "right")
        }

    for playing, history in play_all(app, scheduler, admitted(app), meeting):
        (winner,) = applied(playing)
        loser = playing.answer("left" if winner == "right" else "right")
        assert isinstance(loser, ConcurrentModificationError), playing
        assert loser.facts["actor"] == history[-1].actor == winner, playing


def test_the_same_key_is_applied_once(open_steppable: OpenSteppable, scheduler: Scheduler) -> None:
    app = open_steppable(plain(FORK))

    def meeting(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
        return {
            name: lambda: app.move(workflow, id, actor="ann", key=id, status="left")
            for name in ("once", "again")
        }

    for playing, history in play_all(app, scheduler, admitted(app), meeting):
        once, again = playing.answer("once"), playing.answer("again")
        assert isinstance(once, Answer), playing
        assert isinstance(again, Answer), playing
        assert (once.outcome, once.version) == (again.outcome, again.version) == ("moved", 1), playing
        assert len(history) == 2, playing


def failed(app: App) -> Callable[[str], None]:
    def ready(id: str) -> None:
        app.admit("services", {"id": id})
        for state in ("running", "failed"):
            app.move("services", id, actor="ann", status=state)

    return ready


def retried(app: App, workflow: Workflow, id: str) -> Answer:
    return app.retry(workflow, id, actor="ann", reason="the line is up again")


def test_what_is_abandoned_is_not_retried(open_steppable: OpenSteppable, scheduler: Scheduler) -> None:
    app = open_steppable(services())

    def meeting(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
        return {
            "retry": lambda: retried(app, workflow, id),
            "abandon": lambda: app.move(workflow, id, actor="bob", status="abandoned"),
        }

    ends = set()
    for playing, history in play_all(app, scheduler, failed(app), meeting):
        assert len(applied(playing)) == 1, playing
        assert history[-1].new == ("abandoned" if applied(playing) == ["abandon"] else "running"), playing
        ends.add(history[-1].new)
    assert ends == {"abandoned", "running"}


def test_two_retries_count_as_one(open_steppable: OpenSteppable, scheduler: Scheduler) -> None:
    app = open_steppable(services())

    def meeting(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
        return {name: lambda: retried(app, workflow, id) for name in ("first", "second")}

    for playing, history in play_all(app, scheduler, failed(app), meeting):
        assert len(applied(playing)) == 1, playing
        assert app.get("services", history[-1].id)["retry_count"] == 1, playing


def test_what_is_erased_does_not_move(open_steppable: OpenSteppable, scheduler: Scheduler) -> None:
    app = open_steppable(plain(FORK))

    def meeting(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
        return {
            "erase": lambda: app.erase(workflow, id, actor="ann", role="admin", reason="asked to"),
            "move": lambda: app.move(workflow, id, actor="bob", status="left"),
        }

    for playing, history in play_all(app, scheduler, admitted(app), meeting):
        assert history[-1].origin == "erase", playing
        assert "erase" in applied(playing), playing
        assert "move" in applied(playing) or isinstance(
            playing.answer("move"), UnknownRecord | ConcurrentModificationError
        ), playing


def test_the_same_id_is_admitted_once(open_steppable: OpenSteppable, scheduler: Scheduler) -> None:
    app = open_steppable(plain(FORK))

    def meeting(app: App, workflow: Workflow, id: str) -> Mapping[str, Act]:
        return {name: partial(app.admit, workflow, {"id": id}, actor=name) for name in ("ann", "bob")}

    for playing, history in play_all(app, scheduler, lambda id: None, meeting):
        answers = sorted(
            str(getattr(actor.answer, "outcome", actor.answer)) for actor in playing.actors.values()
        )
        assert answers == ["admitted", "exists"], playing
        assert len(history) == 1, playing
