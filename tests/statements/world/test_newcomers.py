"""Files of banks that no other folder has are read right, or say that they are in doubt."""

from __future__ import annotations

from .measure import measure
from .newcomers.catalogue import IN_DOUBT, UNPROVED, newcomers

MADE = list(newcomers())


def test_no_newcomer_is_silently_wrong_and_nearly_all_are_right() -> None:
    labels = [made.label for made in MADE]
    assert len(labels) == len(set(labels)) >= 100
    assert len({made.currency for made in MADE}) >= 25
    assert set(labels) >= IN_DOUBT.keys() | UNPROVED.keys()
    outcomes = {made.label: measure(made) for made in MADE}
    assert [one for one in outcomes.values() if one.is_silent] == []
    complete = {made.label for made in MADE if not made.is_incomplete}
    assert {label for label in complete if not outcomes[label].right} == IN_DOUBT.keys()
    proved = {
        made.label for made in MADE if made.states_both_ends and made.label in complete - IN_DOUBT.keys()
    }
    assert {label for label in proved if outcomes[label].reconciled != "yes"} == UNPROVED.keys()
