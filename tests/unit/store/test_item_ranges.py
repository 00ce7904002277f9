"""What came of many records is written by ranges of those that came to the same, and hashed like each alone."""

from __future__ import annotations

from datetime import UTC, datetime

from interlock.store.entry import GENESIS, EntryTemplate, chain, chain_rows
from interlock.store.records.item_ranges import alike_in_a_row


def test_neighbours_that_came_to_the_same_are_one_range_and_nothing_between_them_is() -> None:
    marks = [
        (3, "refused", "x"),
        (1, "moved", None),
        (2, "moved", None),
        (4, "moved", None),
        (6, "moved", None),
    ]
    assert list(alike_in_a_row(marks)) == [
        (1, 2, ("moved", None)),
        (3, 3, ("refused", "x")),
        (4, 4, ("moved", None)),
        (6, 6, ("moved", None)),
    ]
    assert list(alike_in_a_row([])) == []


def test_entries_of_many_records_have_the_hashes_that_each_has_alone() -> None:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    template = EntryTemplate("pages", "status", None, 'a"b', at, "ann", None, "rule.1", "rule", "0" * 16)
    heads, names, versions = [None, b"\x01" * 32], ["7", 'ä"\\'], [1, 12]
    write = template.writer("de")
    alone = [
        chain(head or GENESIS, write(name, version, None, None))
        for head, name, version in zip(heads, names, versions, strict=True)
    ]
    assert chain_rows(template, "de", heads, names, versions) == alone
