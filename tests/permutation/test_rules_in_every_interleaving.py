"""A rule between axes cannot be broken by a race, wherever the axes live; and the test would notice if it could."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from interlock.authority.mover import Mover
from interlock.store.contract import MoveBatch
from interlock.store.postgresql.engine import PostgresqlEngine
from tests.permutation import scenes
from tests.permutation.conftest import OpenSteppable
from tests.permutation.scenes import Scene, play
from tests.permutation.scheduler import Scheduler

SCENES = {
    "both axes in one row": scenes.IN_ONE_ROW,
    "a driven axis that stands still, in one row": scenes.QUEUE_IN_ONE_ROW,
    "a rule that only requires, in one row": scenes.REQUIRED_IN_ONE_ROW,
    "axes in two tables": scenes.IN_TWO_TABLES,
    "a rule that only requires, in two tables": scenes.REQUIRED_IN_TWO_TABLES,
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
def test_no_interleaving_breaks_the_rule(
    scene: Scene, open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    app = open_steppable(scene.workflow())
    assert play(scene, app, scheduler) == []
    assert app.check().findings == []


@pytest.fixture
def without_share_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that a rule asks about are read, but not locked."""
    read = PostgresqlEngine.read

    def unlocked(self: Any, tx: Any, reading: Any, keys: Any, scope: str, lock: str, said: Any) -> Any:
        return read(self, tx, reading, keys, scope, "" if lock == "share" else lock, said)  # type: ignore[arg-type]

    monkeypatch.setattr(PostgresqlEngine, "read", unlocked)


@pytest.fixture
def comparing_only_what_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moving statement compares the version of the axes it moves, and not of those it only asked about."""
    make_batch = Mover.make_batch

    def reduced(self: Any, *given: Any) -> MoveBatch:
        made = make_batch(self, *given)
        return replace(made, compared=tuple(sorted(step.index for step in made.steps)))

    monkeypatch.setattr(Mover, "make_batch", reduced)


def found(scene: Scene, open_steppable: OpenSteppable, scheduler: Scheduler) -> bool:
    return any(
        "the rule is broken" in problem
        for problem in play(scene, open_steppable(scene.workflow()), scheduler)
    )


@pytest.mark.usefixtures("without_share_locks")
@pytest.mark.parametrize(
    "scene", [scenes.IN_TWO_TABLES, scenes.REQUIRED_IN_TWO_TABLES], ids=["driven", "required"]
)
def test_a_rule_read_without_its_lock_is_found_out(
    scene: Scene, open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    assert found(scene, open_steppable, scheduler)


@pytest.mark.usefixtures("comparing_only_what_moves")
@pytest.mark.parametrize(
    "scene", [scenes.QUEUE_IN_ONE_ROW, scenes.REQUIRED_IN_ONE_ROW], ids=["driven", "required"]
)
def test_an_axis_asked_about_but_not_compared_is_found_out(
    scene: Scene, open_steppable: OpenSteppable, scheduler: Scheduler
) -> None:
    assert found(scene, open_steppable, scheduler)
