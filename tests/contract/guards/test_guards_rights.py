"""What only some may do is kept by the database too: operators' moves, retries, deletions, and tables whose rows are frozen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text

from interlock import App, Axis, Machine, Workflow
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject
from tests.kinds import content

PAPER = SUBJECTS["two axes"]
UPLOADED = SUBJECTS["one axis"]


@pytest.fixture
def accepted(opened: Any) -> App:
    """A paper that only an operator may send back to draft, and one that only a retry may."""
    app: App = opened(PAPER.make())
    PAPER.admit(app)
    app.move_many("papers", ["p1", "p2"], actor="ann", review="sent")
    app.move("papers", "p1", actor="ann", review="accepted")
    app.move("papers", "p2", actor="ann", review="broken")
    return app


BROKEN = replace(PAPER, id="p2")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"role": "operator"},
        {"origin": "operator"},
        {"origin": "operator", "role": "operator"},
        {"origin": "retry", "role": "operator"},
    ],
    ids=str,
)
def test_an_operators_move_without_origin_role_and_reason_is_refused(
    accepted: App, hand: Hand, said: dict[str, Any]
) -> None:
    sql, values = hand.move(PAPER, "draft", **said)
    hand.refused("ILK-213", sql, *values)


def test_an_operators_move_needs_a_reason_that_exists_and_says_something(accepted: App, hand: Hand) -> None:
    for digest in (hand.detail(None), hand.detail(""), b"d" * 32):
        sql, values = hand.move(PAPER, "draft", origin="operator", role="operator", detail=digest)
        hand.refused("ILK-213", sql, *values)
    digest = hand.detail("a mistake")
    for said in ({"origin": "operator"}, {"origin": "move", "role": "operator"}):
        sql, values = hand.move(PAPER, "draft", detail=digest, **said)
        hand.refused("ILK-213", sql, *values)


def test_an_operators_move_typed_with_role_and_reason_passes(accepted: App, hand: Hand) -> None:
    sql, values = hand.move(
        PAPER, "draft", origin="operator", role="operator", detail=hand.detail("a mistake")
    )
    assert hand.run(sql, *values) == 1
    assert hand.row(PAPER)[0] == "draft"
    assert accepted.check().findings == []


@pytest.mark.parametrize("origin", ["move", "operator", "rule", "amend", "backfill"])
def test_a_retry_of_another_origin_is_refused(accepted: App, hand: Hand, origin: str) -> None:
    sql, values = hand.move(BROKEN, "draft", origin=origin, role="operator", detail=hand.detail("again"))
    hand.refused("ILK-213", sql, *values)


def test_a_retry_typed_as_a_retry_passes(accepted: App, hand: Hand) -> None:
    sql, values = hand.move(BROKEN, "draft", origin="retry")
    assert hand.run(sql, *values) == 1
    assert accepted.check().findings == []


@pytest.fixture
def frozen(opened: Any) -> App:
    """A frozen table with rows in it."""
    app: App = opened(content())
    return app


def test_rows_of_a_frozen_table_never_change(frozen: App, hand: Hand) -> None:
    assert (
        hand.run("INSERT INTO approved_items(item_id, approved_by) VALUES ('c1', 'ann'), ('c2', 'bob')") == 2
    )
    hand.refused("ILK-210", "UPDATE approved_items SET approved_by = 'eve'")
    hand.refused("ILK-210", "UPDATE approved_items SET approved_by = 'eve' WHERE item_id = 'c1'")
    hand.refused("ILK-210", "DELETE FROM approved_items WHERE item_id = 'c1'")
    if not hand.is_sqlite:
        hand.refused("ILK-210", "TRUNCATE approved_items")


@pytest.mark.sqlite_only
def test_a_row_of_a_frozen_table_is_not_replaced(frozen: App, hand: Hand) -> None:
    hand.run("INSERT INTO approved_items(item_id, approved_by) VALUES ('c1', 'ann')")
    hand.refused(
        "ILK-210", "INSERT OR REPLACE INTO approved_items(item_id, approved_by) VALUES ('c1', 'eve')"
    )
    hand.refused("ILK-210", "UPDATE OR REPLACE approved_items SET approved_by = 'eve'")


def deletion(hand: Hand, subject: Subject, digest: bytes | None, origin: str) -> list[tuple[str, list[Any]]]:
    """A record taken out with its closing entry: on SQLite the entry goes first, on PostgreSQL the deletion makes it."""
    delete, key = f"DELETE FROM {subject.table} WHERE {subject.where}", list(subject.key)
    entry = hand.entry(subject, None, origin=origin, role="admin", detail=digest)
    if hand.is_sqlite:
        return [hand.insert_entry(entry), (delete, key)]
    says, said = hand.says(entry)
    return [(f"{delete} AND {says}", [*key, *said])]


@pytest.mark.parametrize("name", ["one axis", "scoped"])
@pytest.mark.parametrize("origin", ["deletion", "erase"])
def test_a_record_leaves_with_a_closing_entry_that_says_why(
    opened: Any, hand: Hand, name: str, origin: str
) -> None:
    subject = SUBJECTS[name]
    app: App = opened(subject.make())
    subject.admit(app)
    for sql, values in deletion(hand, subject, hand.detail("a duplicate"), origin):
        assert hand.run(sql, *values) == 1
    assert app.check().findings == []


@pytest.mark.parametrize("reason", [None, ""])
def test_a_record_does_not_leave_without_a_reason(opened: Any, hand: Hand, reason: str | None) -> None:
    UPLOADED.admit(opened(UPLOADED.make()))
    *before, (sql, values) = deletion(hand, UPLOADED, hand.detail(reason), "deletion")
    for entry, given in before:
        hand.run(entry, *given)
    hand.refused("ILK-213", sql, *values)


def test_a_two_axis_record_does_not_leave_with_one_axis_closed(opened: Any, hand: Hand) -> None:
    PAPER.admit(opened(PAPER.make()))
    *before, (sql, values) = deletion(hand, PAPER, hand.detail("a duplicate"), "deletion")
    for entry, given in before:
        hand.run(entry, *given)
    hand.refused("ILK-213", sql, *values)


def test_the_detail_of_a_record_that_was_not_erased_stays(opened: Any, hand: Hand) -> None:
    app: App = opened(UPLOADED.make())
    UPLOADED.admit(app)
    app.move_many("statements", ["u1", "u2"], actor="ann", reason="both", status="parsing")
    app.move("statements", "u1", actor="ann", reason="alone", status="parsed")
    app.erase("statements", "u2", actor="ann", role="admin", reason="asked for it")
    hand.refused("ILK-210", "DELETE FROM interlock_detail WHERE record_id = 'u1'")
    hand.refused("ILK-210", "DELETE FROM interlock_detail WHERE record_id IS NULL")


def cascading() -> Workflow:
    """Records with frozen notes that leave only with their record."""
    metadata = MetaData()
    items = Table("texts", metadata, Column("id", Integer, primary_key=True), Column("title", Text))
    notes = Table(
        "text_notes",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("note", Text),
        Column("text_id", ForeignKey("texts.id", ondelete="CASCADE"), nullable=False),
    )
    machine = Machine("text", initial="draft", moves={"draft": ["done"]})
    return Workflow("texts", records=items, axes=[Axis("status", machine)], frozen=[notes])


NOTES = "SELECT text_id, note FROM text_notes ORDER BY id"


def test_a_statement_that_hits_no_row_of_a_frozen_table_passes(frozen: App, hand: Hand) -> None:
    hand.run("INSERT INTO approved_items(item_id, approved_by) VALUES ('c1', 'ann')")
    assert hand.run("DELETE FROM approved_items WHERE item_id = 'nobody'") == 0
    assert hand.run("UPDATE approved_items SET approved_by = 'eve' WHERE item_id = 'nobody'") == 0
    assert hand.rows("SELECT item_id, approved_by FROM approved_items") == [("c1", "ann")]


@pytest.mark.parametrize("act", ["erase", "delete"])
def test_frozen_rows_leave_with_the_record_they_belong_to_and_with_nobody_else(
    opened: Any, hand: Hand, whole: Any, act: str
) -> None:
    app: App = opened(cascading())
    app.admit_many("texts", [{"id": 1}, {"id": 2}])
    hand.run("INSERT INTO text_notes(id, text_id, note) VALUES (1, 1, 'a'), (2, 2, 'b')")
    hand.refused("ILK-210", "DELETE FROM text_notes WHERE text_id = 1")
    answer = getattr(app, act)("texts", 1, actor="ann", role="admin", reason="asked for")
    assert answer.outcome == {"erase": "erased", "delete": "deleted"}[act]
    assert hand.rows(NOTES) == [(2, "b")]
    assert [move.origin for move in app.ledger.history("texts", 1)] == [
        "admit",
        {"erase": "erase", "delete": "deletion"}[act],
    ]
    hand.refused("ILK-210", "DELETE FROM text_notes")
    hand.refused("ILK-210", "UPDATE text_notes SET note = 'c'")
    hand.refused("ILK-213", "DELETE FROM texts WHERE id = 2")
    whole(app)
