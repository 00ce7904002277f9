"""Statements of known truth whose authors never saw the readers are read right, or say that they are in doubt."""

from __future__ import annotations

from decimal import Decimal

from interlock.workflows.statements.doubt.interpretation import total_of, with_reconciling_signs
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers

from .measure import measure
from .unseen.catalogue import BY_POSTING, FEES_APART, IN_DOUBT, UNPROVED, unseen_files

MADE = list(unseen_files())


def test_no_unseen_file_is_silently_wrong_and_nearly_all_are_right() -> None:
    labels = [made.label for made in MADE]
    assert len(labels) == len(set(labels)) >= 360
    assert set(labels) >= IN_DOUBT.keys() | BY_POSTING | FEES_APART | UNPROVED
    files = [made for made in MADE if made.label not in FEES_APART]
    outcomes = {made.label: measure(made, by_posting=made.label in BY_POSTING) for made in files}
    assert [one for one in outcomes.values() if one.is_silent] == []
    complete = {made.label for made in files if not made.is_incomplete}
    assert {label for label in complete if not outcomes[label].right} == IN_DOUBT.keys()
    proved = {
        made.label for made in files if made.states_both_ends and made.label in complete - IN_DOUBT.keys()
    }
    assert {label for label in proved if outcomes[label].reconciled != "yes"} == UNPROVED


def test_fees_that_are_rows_of_their_own_come_to_the_same() -> None:
    for made in MADE:
        if made.label in FEES_APART:
            parsed = with_reconciling_signs(bundled_parsers().parse(Document(made.name, made.content)))
            assert total_of(parsed.rows) == sum((row.amount for row in made.rows), Decimal(0)), made.label
            assert len(parsed.rows) > len(made.rows), made.label
