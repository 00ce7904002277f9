"""Exports of banks whose words, encodings and orders of days the first catalogue had not are read right, and doubt is said."""

from __future__ import annotations

import pytest

from .exports import exports
from .measure import measure
from .truth import Made

MADE = [made for seed in range(2) for made in exports(seed)]


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.label)
def test_the_export_of_every_bank_is_read_right(made: Made) -> None:
    outcome = measure(made)
    assert outcome.right, outcome
    assert (outcome.reconciled == "yes") == made.states_both_ends, outcome
