"""Raw SQL that tries to make, remove or rename a record past Interlock is refused by the database itself."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.store.entry import GENESIS, chain, entry_text
from interlock.store.ledger import export
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject

NEW = "n1"


def insertion(**values: Any) -> tuple[str, list[Any]]:
    return f"INSERT INTO uploads({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(
        values.values()
    )


def first_entry(hand: Hand, subject: Subject, **changed: Any) -> dict[str, Any]:
    entry = (
        hand.entry(
            subject, subject.first, record_id=NEW, version=0, from_state=None, origin="admit", hash=b""
        )
        | changed
    )
    return entry | {"hash": chain(GENESIS, entry_text(entry))}


def admission(hand: Hand, entry: dict[str, Any], **row: Any) -> tuple[str, list[Any]]:
    """A record typed with its first entry: on SQLite the entry goes first, on PostgreSQL the row makes it."""
    values = {
        "id": NEW,
        "status": entry["to_state"],
        "version": entry["version"],
        "head": entry["hash"],
        **row,
    }
    if hand.is_sqlite:
        sql, given = hand.insert_entry(entry)
        hand.connection.execute(sql, given)  # not committed before the record is there
        return insertion(**values)
    says, said = hand.says(entry)
    return f"INSERT INTO uploads({', '.join(values)}) SELECT {', '.join('?' * len(values))} WHERE {says}", [
        *values.values(),
        *said,
    ]


@pytest.fixture
def subject() -> Subject:
    return SUBJECTS["one axis"]


def test_a_record_typed_with_its_first_entry_passes(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = admission(hand, first_entry(hand, subject))
    assert hand.run(sql, *values) == 1
    assert app.check().findings == []
    assert app.move("statements", NEW, actor="ann", status="parsing").outcome == "moved"


@pytest.mark.parametrize("values", [{}, {"head": b"h" * 32}, {"head": GENESIS}])
def test_a_record_without_its_entry_is_refused(app: App, hand: Hand, values: dict[str, Any]) -> None:
    sql, given = insertion(id=NEW, status="queued_for_parse", version=0, **values)
    hand.refused("ILK-213", sql, *given)


def test_a_record_with_the_head_of_another_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    sql, given = insertion(id=NEW, status="queued_for_parse", version=0, head=hand.row(subject)[2])
    hand.refused("ILK-213", sql, *given)


def test_many_records_without_their_entries_are_refused(app: App, hand: Hand) -> None:
    hand.refused(
        "ILK-213",
        "INSERT INTO uploads(id, status, version) SELECT 'copy of ' || id, status, version FROM uploads",
    )


@pytest.mark.parametrize("version", [1, -1, 7])
def test_a_record_that_begins_at_another_version_is_refused(app: App, hand: Hand, version: int) -> None:
    sql, given = insertion(id=NEW, status="queued_for_parse", version=version)
    hand.refused("ILK-213", sql, *given)


def test_a_record_without_a_version_is_refused(app: App, hand: Hand) -> None:
    hand.refused("version", "INSERT INTO uploads(id, status) VALUES (?, ?)", NEW, "queued_for_parse")


@pytest.mark.parametrize("state", ["parsing", "normalized"])
def test_a_record_that_begins_in_another_state_is_refused(
    app: App, subject: Subject, hand: Hand, state: str
) -> None:
    sql, given = insertion(id=NEW, status=state, version=0)
    hand.refused("ILK-213", sql, *given)
    before = hand.everything()
    sql, given = admission(hand, first_entry(hand, subject, to_state=state))
    with pytest.raises(Exception, match="ILK-213"):
        hand.connection.execute(hand.spelled(sql), given)
    hand.connection.rollback()
    assert hand.everything() == before


def test_a_record_in_an_unknown_state_is_refused(app: App, hand: Hand) -> None:
    sql, given = insertion(id=NEW, status="nonsense", version=0)
    hand.refused("ILK-213", sql, *given)


@pytest.mark.parametrize(
    ("state", "passes"), [("parsed", True), ("nonsense", False), ("Parsed", False), ("", False)]
)
def test_a_record_is_backfilled_only_into_a_state_that_its_machine_has(
    app: App, subject: Subject, hand: Hand, state: str, passes: bool
) -> None:
    entry = first_entry(
        hand,
        subject,
        to_state=state,
        origin="backfill",
        cause=hand.plan(subject, "backfill", (None, state)),
        role="operator",
        detail=hand.detail("was there before"),
    )
    before = hand.everything()
    sql, values = admission(hand, entry)
    if passes:
        assert hand.run(sql, *values) == 1
        assert [(move.origin, move.new) for move in app.ledger.history("statements", NEW)] == [
            ("backfill", state)
        ]
        assert app.check().findings == []
        return
    with pytest.raises(Exception, match="ILK-213"):
        hand.connection.execute(hand.spelled(sql), values)
    hand.connection.rollback()
    assert hand.everything() == before


def test_a_backfill_into_no_state_of_the_machine_is_noticed_by_both_verifiers(
    app: App, subject: Subject, hand: Hand
) -> None:
    entry = first_entry(
        hand,
        subject,
        to_state="nonsense",
        origin="backfill",
        cause=hand.plan(subject, "backfill", (None, "nonsense")),
        role="operator",
        detail=hand.detail("past the guards"),
    )
    hand.drop_guards()
    for sql, values in (
        hand.insert_entry(entry),
        insertion(id=NEW, status="nonsense", version=0, head=entry["hash"]),
    ):
        hand.run(sql, *values)
    findings = app.check().findings
    assert [
        (finding.invariant, finding.id, finding.version)
        for finding in findings
        if "nonsense" in finding.problem
    ] == [("I1", NEW, 0)]
    with app.database.read() as tx:
        lines = list(export.lines(tx, app.clock.now()))
    assert [line for line in checked(lines) if "nonsense" in line and NEW in line]


def test_the_null_state_must_have_its_entry_too(opened: Any, hand: Hand) -> None:
    subject = SUBJECTS["null state"]
    subject.admit(opened(subject.make()))
    hand.refused(
        "ILK-213",
        "INSERT INTO domains(id, host, curation_status, curation_version, processing_version) "
        "VALUES (9, 'x', 'New', 0, 0)",
    )


def test_a_state_row_for_another_scope_needs_its_entry(opened: Any, hand: Hand) -> None:
    subject = SUBJECTS["scoped"]
    subject.admit(opened(subject.make()))
    hand.refused(
        "ILK-213",
        "INSERT INTO article_pipeline_state(id, article_id, pipeline, status, version) "
        "VALUES (99, 1, 'other', 'pending', 0)",
    )


@pytest.mark.parametrize("name", SUBJECTS)
def test_no_record_is_deleted(opened: Any, hand: Hand, name: str) -> None:
    subject = SUBJECTS[name]
    subject.admit(opened(subject.make()))
    hand.refused("ILK-213", f"DELETE FROM {subject.table} WHERE {subject.where}", *subject.key)
    hand.refused("ILK-213", f"DELETE FROM {subject.table}")


@pytest.mark.postgresql_only
@pytest.mark.parametrize("name", SUBJECTS)
def test_no_table_of_records_is_truncated(opened: Any, hand: Hand, name: str) -> None:
    subject = SUBJECTS[name]
    subject.admit(opened(subject.make()))
    hand.refused("ILK-210", f"TRUNCATE {subject.table} CASCADE")


@pytest.mark.parametrize("name", SUBJECTS)
def test_an_id_or_a_scope_never_changes(opened: Any, hand: Hand, name: str) -> None:
    subject = SUBJECTS[name]
    subject.admit(opened(subject.make()))
    for column in filter(None, (subject.key_column, subject.scope_column)):
        other = "other" if column == subject.scope_column or isinstance(subject.id, str) else 77
        if name == "scoped" and column == subject.key_column and not hand.is_sqlite:
            continue  # the foreign key says no before any trigger does
        hand.refused(
            "ILK-210", f"UPDATE {subject.table} SET {column} = ? WHERE {subject.where}", other, *subject.key
        )


@pytest.mark.sqlite_only
def test_a_record_is_not_sent_back_to_its_beginning_by_replacing_it(
    app: App, subject: Subject, hand: Hand
) -> None:
    first = hand.row(subject)
    app.move("statements", "u1", actor="ann", status="parsing")
    hand.refused(
        "ILK-21",
        "INSERT OR REPLACE INTO uploads(id, status, version, head) VALUES (?, ?, ?, ?)",
        "u1",
        *first,
    )
    hand.refused(
        "ILK-21",
        "REPLACE INTO uploads(id, status, version, head) VALUES (?, ?, ?, ?)",
        "u1",
        *hand.row(subject),
    )


@pytest.mark.sqlite_only
def test_no_record_takes_the_place_of_another(app: App, subject: Subject, hand: Hand) -> None:
    app.admit_many("statements", [{"id": "u7", "file_hash": "f7"}, {"id": "u8", "file_hash": "f8"}])
    hand.refused("ILK-210", "UPDATE OR REPLACE uploads SET file_hash = 'f7' WHERE id = 'u8'")
    hand.refused("ILK-210", "UPDATE uploads SET file_hash = 'f7' WHERE id = 'u8'")
    assert hand.run("UPDATE OR REPLACE uploads SET file_hash = file_hash") == 5
    before = hand.everything()["uploads"]
    sql, values = admission(hand, first_entry(hand, subject), file_hash="f7")
    assert hand.run(sql.replace("INSERT INTO", "INSERT OR REPLACE INTO"), *values) == 0
    assert hand.everything()["uploads"] == before


@pytest.mark.sqlite_only
def test_no_state_row_takes_the_place_of_another(opened: Any, hand: Hand) -> None:
    subject = SUBJECTS["scoped"]
    app: App = opened(subject.make())
    subject.admit(app)
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    hand.refused("ILK-21", "UPDATE OR REPLACE article_pipeline_state SET id = 1 WHERE id = 2")
    rows = hand.everything()["article_pipeline_state"]
    hand.refused("ILK-21", "UPDATE OR REPLACE article_pipeline_state SET article_id = 1 WHERE article_id = 2")
    assert (
        hand.run(
            "INSERT OR REPLACE INTO article_pipeline_state(id, article_id, pipeline, status, version) "
            "VALUES (1, 9, 'x', 'pending', 0)"
        )
        == 0
    )
    assert hand.everything()["article_pipeline_state"] == rows
    assert app.check().findings == []


def test_an_erased_record_cannot_be_typed_back(app: App, subject: Subject, hand: Hand) -> None:
    first = hand.row(subject)
    app.erase("statements", "u1", actor="ann", role="admin", reason="asked for it")
    sql, given = insertion(id="u1", status=first[0], version=first[1], head=first[2])
    hand.refused("ILK-213", sql, *given)
