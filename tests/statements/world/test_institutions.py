"""Files modelled on those of named institutions are read right, and none that is not looks like one that is."""

from __future__ import annotations

import pytest

from .institutions.catalogue import IN_DOUBT, UNPROVED, institution_files
from .measure import measure
from .truth import Made

MADE = list(institution_files())


def test_the_catalogue_has_every_format() -> None:
    labels = [made.label for made in MADE]
    assert len(labels) == len(set(labels)) >= 150
    assert {"pdf", "csv", "txt", "ofx", "qif", "xml", "sta"} <= {
        made.name.rpartition(".")[2] for made in MADE
    }
    assert set(labels) >= IN_DOUBT.keys() | UNPROVED.keys()


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.label)
def test_a_file_is_read_right_or_says_that_it_is_in_doubt(made: Made) -> None:
    outcome = measure(made)
    assert not outcome.is_silent, outcome
    if made.is_incomplete:
        return
    assert outcome.right == (made.label not in IN_DOUBT), outcome
    is_proved = made.states_both_ends and made.label not in IN_DOUBT.keys() | UNPROVED.keys()
    assert (outcome.reconciled == "yes") == is_proved, outcome
