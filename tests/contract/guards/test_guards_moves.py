"""Raw SQL that tries to change a status, a version or a head past Interlock is refused by the database itself."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from tests.contract.hand import Hand
from tests.contract.subjects import Subject


def update(subject: Subject, **values: Any) -> tuple[str, list[Any]]:
    changes = ", ".join(f"{column} = ?" for column in values)
    return f"UPDATE {subject.table} SET {changes} WHERE {subject.where}", [*values.values(), *subject.key]


def test_a_legal_move_typed_with_its_matching_entry_passes(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = hand.move(subject, subject.legal)
    assert hand.run(sql, *values) == 1
    assert hand.row(subject)[:2] == (subject.legal, 1)
    assert app.check().findings == []
    last = app.ledger.history(subject.kind, subject.id, axis=subject.axis)[-1]
    assert (last.old, last.new, last.actor, last.cause) == (subject.first, subject.legal, "hand", "by.hand")


def test_an_illegal_move_is_refused_even_with_a_matching_entry(
    app: App, subject: Subject, hand: Hand
) -> None:
    sql, values = hand.move(subject, subject.illegal)
    hand.refused("ILK-204", sql, *values)


def test_an_illegal_move_without_an_entry_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    for values in (
        {subject.axis: subject.illegal},
        {subject.axis: subject.illegal, subject.version_column: 1},
        {subject.axis: subject.illegal, subject.version_column: 1, subject.head_column: b"h" * 32},
    ):
        sql, given = update(subject, **values)
        hand.refused("ILK-204", sql, *given)


def test_an_unknown_state_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    for unknown in ("nonsense", "", subject.legal.swapcase(), f" {subject.legal}"):
        sql, given = update(subject, **{subject.axis: unknown, subject.version_column: 1})
        hand.refused("ILK-204", sql, *given)
        sql, given = hand.move(subject, unknown)
        hand.refused("ILK-204", sql, *given)


def test_null_is_refused_where_it_is_no_state(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = hand.move(subject, subject.legal)
    hand.run(sql, *values)
    null_is_a_state = None in subject.definition.states
    sql, values = update(subject, **{subject.axis: None, subject.version_column: 2})
    hand.refused("ILK-213" if null_is_a_state else subject.axis, sql, *values)
    sql, values = hand.move(subject, None)
    if null_is_a_state:
        assert hand.run(sql, *values) == 1
    else:
        hand.refused(subject.axis, sql, *values)


@pytest.mark.parametrize("version", [0, 2, 7, -1])
def test_a_legal_state_whose_version_is_not_stepped_by_one_is_refused(
    app: App, subject: Subject, hand: Hand, version: int
) -> None:
    sql, values = update(subject, **{subject.axis: subject.legal, subject.version_column: version})
    hand.refused("ILK-204", sql, *values)


@pytest.mark.parametrize("version", [1, 3, 9])
def test_a_version_that_is_kept_or_skipped_is_refused_with_an_entry_too(
    app: App, subject: Subject, hand: Hand, version: int
) -> None:
    sql, values = hand.move(subject, subject.legal)
    hand.run(sql, *values)
    onward = subject.definition.next_states(subject.legal)[0]
    sql, values = hand.move(subject, onward, version=version)
    fork, unlike = ("UNIQUE", "ILK-213") if hand.is_sqlite else ("ILK-204", "ILK-204")
    hand.refused(fork if version == 1 else unlike, sql, *values)


def test_a_version_cannot_be_taken_away(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = update(subject, **{subject.version_column: None})
    hand.refused(subject.version_column, sql, *values)


def test_a_legal_move_without_its_entry_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    head = hand.row(subject)[2]
    for values in (
        {},
        {subject.head_column: b"h" * 32},
        {subject.head_column: head},
        {subject.head_column: None},
    ):
        sql, given = update(subject, **{subject.axis: subject.legal, subject.version_column: 1, **values})
        hand.refused("ILK-213", sql, *given)


def test_a_legal_move_of_all_rows_at_once_without_entries_is_refused(
    app: App, subject: Subject, hand: Hand
) -> None:
    hand.refused(
        "ILK-213",
        f"UPDATE {subject.table} SET {subject.axis} = ?, {subject.version_column} = {subject.version_column} + 1",
        subject.legal,
    )


def test_the_state_alone_cannot_change(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = update(subject, **{subject.axis: subject.legal})
    hand.refused("ILK-204", sql, *values)


def test_the_version_alone_cannot_change(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = update(subject, **{subject.version_column: 1})
    hand.refused("ILK-213", sql, *values)


@pytest.mark.parametrize("head", [b"h" * 32, b"", None])
def test_the_head_alone_cannot_change(app: App, subject: Subject, hand: Hand, head: bytes | None) -> None:
    sql, values = update(subject, **{subject.head_column: head})
    hand.refused("ILK-213", sql, *values)


def test_a_record_cannot_be_sent_back_to_what_an_older_entry_says(
    app: App, subject: Subject, hand: Hand
) -> None:
    first = hand.row(subject)
    sql, values = hand.move(subject, subject.legal)
    hand.run(sql, *values)
    sql, values = update(
        subject, **{subject.axis: first[0], subject.version_column: first[1], subject.head_column: first[2]}
    )
    hand.refused("ILK-204", sql, *values)


def test_other_columns_change_freely_one_by_one_and_in_bulk(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = update(subject, **{subject.note: subject.noted})
    assert hand.run(sql, *values) == 1
    rows = hand.one(f"SELECT count(*) FROM {subject.table}")
    assert hand.run(f"UPDATE {subject.table} SET {subject.note} = NULL") == rows
    same = ", ".join(
        f"{column} = {column}" for column in (subject.axis, subject.version_column, subject.head_column)
    )
    assert hand.run(f"UPDATE {subject.table} SET {same}") == rows
    assert app.check().findings == []
