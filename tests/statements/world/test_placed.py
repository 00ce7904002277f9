"""Papers of banks with their words at the places where those banks print them are read right, or say that they are in doubt."""

from __future__ import annotations

import pytest

from .measure import measure
from .placed.sheets import papers
from .truth import Made

MADE = list(papers())
OPEN = {"nordea_without_a_currency": "names no currency"}
"""Papers that leave something open, and what."""
IN_DOUBT = {
    "an_unknown_column": "the balances allow another sign",
    "an_unknown_bank_abroad": "names no currency",
}
"""Papers that are not read right, and what says so."""


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.label)
def test_a_paper_is_read_right_and_proved_where_it_proves_itself(made: Made) -> None:
    outcome = measure(made)
    doubts = OPEN | IN_DOUBT
    assert outcome.right == (made.label not in IN_DOUBT), outcome
    assert doubts.get(made.label, "") in " ".join(outcome.warnings), outcome
    assert (outcome.reconciled == "yes") == (made.label not in doubts), outcome
