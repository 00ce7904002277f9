"""Further files of many countries, and traps: each is read right, or says that it is in doubt."""

from __future__ import annotations

from .further.catalogue import IN_DOUBT, UNPROVED, further_files
from .measure import measure

MADE = list(further_files())


def test_no_further_file_is_silently_wrong_and_nearly_all_are_right() -> None:
    labels = [made.label for made in MADE]
    assert len(labels) == len(set(labels)) >= 170
    assert set(labels) >= IN_DOUBT.keys() | UNPROVED.keys()
    outcomes = {made.label: measure(made) for made in MADE}
    assert [one for one in outcomes.values() if one.is_silent] == []
    complete = {made.label for made in MADE if not made.is_incomplete}
    assert {label for label in complete if not outcomes[label].right} == IN_DOUBT.keys()
    proved = {
        made.label for made in MADE if made.states_both_ends and made.label in complete - IN_DOUBT.keys()
    }
    assert {label for label in proved if outcomes[label].reconciled != "yes"} == UNPROVED.keys()
