"""Every mechanism of the protocol is needed: taken away or misplaced, the simulation finds it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.testing import HistoryFailed
from interlock.testing.simulation import World, play_one
from tests.simulation.contract_mutants import FOUND_BY
from tests.simulation.mutants import MUTANTS, Mutant
from tests.simulation.workflows import PLAYED

ENOUGH = 1_000


def test_there_are_mutants_of_at_least_twenty_mechanisms() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) > 40


def test_what_a_mutant_changes_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that got another name would be noticed by the long run alone."""
    for mutant in MUTANTS:
        with monkeypatch.context() as patch:
            mutant.change(mutant, patch)
    for change, test in FOUND_BY.values():
        with monkeypatch.context() as patch:
            change(patch)
        assert Path(test).is_file(), test


def played(world: World) -> None:
    for seed in range(ENOUGH):
        play_one(world, seed)


@pytest.mark.soak
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_found_out(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.change(mutant, monkeypatch)
    made = PLAYED[mutant.played]()
    world = World(made["workflows"], made.get("rows"), made.get("results"))
    world.also = made["also"]
    if mutant.spoil is not None:
        mutant.spoil(world)
    with pytest.raises(HistoryFailed):
        played(world)
    assert mutant.met, "it must have been in effect, else something else was found"
