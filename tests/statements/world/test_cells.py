"""A cell that is lost, spoilt or moved in a table that was read right is never missed in silence."""

from __future__ import annotations

from collections import Counter

import pytest

from .cells import MUTATIONS, mutated_tables
from .further.catalogue import further_files
from .institutions.catalogue import institution_files
from .measure import measure
from .newcomers.catalogue import newcomers
from .truth import Made


def tables() -> list[Made]:
    """The tables of all catalogues that are read right."""
    files = [*newcomers(), *further_files(), *institution_files()]
    every = [
        made for made in files if made.name.endswith((".csv", ".txt", ".tsv")) and not made.is_incomplete
    ]
    return [made for made in every if measure(made).right]


TABLES = tables()


def silent(made: list[Made], seed: int) -> tuple[Counter[str], list[str]]:
    """How many mutants there are of each kind, and which are silently wrong."""
    kinds: Counter[str] = Counter()
    missed = []
    for one in made:
        for mutant in mutated_tables(one, seed):
            kinds[mutant.label.rpartition(": ")[2]] += 1
            outcome = measure(mutant)
            if outcome.is_silent:
                missed.append(f"{outcome.label} ({outcome.reconciled}): {outcome.detail}")
    return kinds, missed


def test_a_mutated_cell_is_never_missed_in_silence() -> None:
    kinds, missed = silent(TABLES, 0)
    assert kinds.keys() == MUTATIONS.keys()
    assert sum(kinds.values()) > 700
    assert missed == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 31))
def test_many_mutated_cells_are_never_missed_in_silence(seed: int) -> None:
    assert silent(TABLES, seed)[1] == []
