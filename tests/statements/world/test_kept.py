"""Statements of known truth that others made and that are kept as they were made: read right, or in doubt."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import pytest

from interlock.workflows.statements.doubt.interpretation import total_of, with_reconciling_signs
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers

from .kept import kept_files
from .measure import measure

OTHER_ROWS = {
    "second": {
        "Revolut, Romania: fee column beside the amount, started and completed time, reverted and pending rows",
        "PostFinance, Switzerland: camt.053.001.04, batches of QR payments and of salaries",
        "Swiss bank: camt.054.001.04 of QR credits collected by day, without balances",
        "SEB, Sweden: camt.053.001.08 with bankgiro batches, closing balance alone",
        "BBVA, Spain: day and month only, booking and value day, running balance, advance notice in prose",
        "M-PESA, Kenya: wallet newest first, charges as rows of their own, a failed row",
    },
    "third": {
        "Revolut, Ireland: fee column besides the amount, reverted and pending rows, two currencies",
        "CAMT.053 v2, Germany: a batch of three within one entry",
        "CAMT.054, Switzerland: credit notification with batches",
    },
}
"""Files that can be read in two ways by their own notes: fees and parts of batches as rows, a row of nought, the day of booking. Their
rows come to the same."""
Set = Literal["second", "third"]


@pytest.mark.parametrize(
    ("which", "room", "files", "right"),
    [
        ("second", "exports", 159, 133),
        ("second", "exchange", 70, 59),
        ("second", "papers", 65, 58),
        ("third", "exports", 100, 73),
        ("third", "exchange", 30, 23),
        ("third", "papers", 51, 36),
    ],
)
def test_no_kept_file_is_silently_wrong_and_so_many_are_right(
    which: Set, room: str, files: int, right: int
) -> None:
    made = list(kept_files(which, room))
    assert len({one.label for one in made}) == len(made) == files
    outcomes = [measure(one) for one in made if one.label not in OTHER_ROWS[which]]
    assert [one for one in outcomes if one.is_silent] == []
    whole = [one for one in outcomes if not one.is_incomplete]
    assert sum(one.right for one in whole) >= right, [one.label for one in whole if not one.right]


@pytest.mark.parametrize("which", ["second", "third"])
def test_files_that_can_be_read_in_two_ways_come_to_the_same(which: Set) -> None:
    made = [one for one in kept_files(which) if one.label in OTHER_ROWS[which]]
    assert len(made) == len(OTHER_ROWS[which])
    for one in made:
        parsed = with_reconciling_signs(bundled_parsers().parse(Document(one.name, one.content)))
        assert total_of(parsed.rows) == sum((row.amount for row in one.rows), Decimal(0)), one.label
