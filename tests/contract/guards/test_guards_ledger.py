"""Raw SQL that tries to change, remove, forge or fork history is refused by the database itself."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.errors import InvalidStateTransition
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject
from tests.kinds import uploads

OWN = ("interlock_ledger", "interlock_detail", "interlock_verdict")


@pytest.fixture
def full(opened: Any) -> App:
    """Uploads with entries, details and a verdict."""
    app: App = opened(uploads())
    app.admit_many("statements", [{"id": f"u{number}"} for number in (1, 2, 3)], reason="found")
    app.move("statements", "u1", actor="ann", reason="it is time", status="parsing")
    with pytest.raises(InvalidStateTransition):
        app.move("statements", "u1", actor="ann", status="normalized")
    return app


@pytest.mark.parametrize("table", OWN)
def test_history_is_not_updated(full: App, hand: Hand, table: str) -> None:
    assert hand.one(f"SELECT count(*) FROM {table}") > 0
    column = "reason" if table == "interlock_detail" else "actor"
    hand.refused("ILK-210", f"UPDATE {table} SET {column} = 'somebody else'")
    hand.refused("ILK-210", f"UPDATE {table} SET kind = kind")


@pytest.mark.parametrize("table", OWN)
def test_history_is_not_deleted(full: App, hand: Hand, table: str) -> None:
    hand.refused("ILK-210", f"DELETE FROM {table}")


@pytest.mark.postgresql_only
@pytest.mark.parametrize("table", OWN)
def test_history_is_not_truncated(full: App, hand: Hand, table: str) -> None:
    hand.refused("ILK-210", f"TRUNCATE {table}")


@pytest.mark.sqlite_only
def test_an_entry_is_not_replaced_by_its_position(full: App, hand: Hand) -> None:
    entry = hand.entry(SUBJECTS["one axis"], "parsed")
    sql, values = hand.insert_entry(entry)
    replacing = sql.replace(
        "INSERT INTO interlock_ledger(", "INSERT OR REPLACE INTO interlock_ledger(position, "
    )
    replacing = replacing.replace("VALUES (", "VALUES (?, ")
    position = hand.one("SELECT position FROM interlock_ledger WHERE record_id = 'u2'")
    hand.refused("ILK-210", replacing, position, *values)


@pytest.mark.sqlite_only
def test_an_entry_is_not_replaced_by_its_key(full: App, hand: Hand) -> None:
    for version in (0, 1):
        entry = hand.entry(
            SUBJECTS["one axis"],
            "parsing",
            version=version,
            from_state=None if version == 0 else "queued_for_parse",
        )
        sql, values = hand.insert_entry(entry)
        hand.refused("ILK-21", sql.replace("INSERT INTO", "INSERT OR REPLACE INTO"), *values)


@pytest.mark.sqlite_only
def test_a_detail_or_a_verdict_is_not_replaced(full: App, hand: Hand) -> None:
    before = hand.everything()
    hand.run(
        "INSERT OR REPLACE INTO interlock_detail(digest, salt, reason, facts, kind, record_id) "
        "SELECT digest, salt, 'another reason', facts, 'statements', 'u3' FROM interlock_detail"
    )
    assert hand.everything() == before
    hand.refused(
        "ILK-210",
        "INSERT OR REPLACE INTO interlock_verdict SELECT position, kind, record_id, axis, scope, source, reference, "
        "verdict, code, message, wanted, 'somebody else', at FROM interlock_verdict",
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"version": 2},
        {"version": 9},
        {"to_state": "error"},
        {"hash": b"x" * 32},
        {"record_id": "nobody"},
        {"scope": "technical"},
        {"from_state": "parsed"},
        {"kind": "nothing"},
        {"axis": "other"},
    ],
    ids=str,
)
def test_an_entry_unlike_its_row_is_refused(opened: Any, hand: Hand, changed: dict[str, Any]) -> None:
    """On PostgreSQL the row moves rightly in the same statement; on SQLite an entry that names its row rightly is the move itself."""
    subject = SUBJECTS["one axis"]
    subject.admit(opened(subject.make()))
    right = hand.entry(subject, "parsing")
    sql, values = hand.insert_entry(right | changed)
    if not hand.is_sqlite:
        sql = f"WITH moved AS (UPDATE uploads SET status = ?, version = ?, head = ? WHERE id = ?) {sql}"
        values = [right["to_state"], right["version"], right["hash"], "u1", *values]
    if hand.is_sqlite and set(changed) & {"to_state", "hash"}:
        return  # a legal move to another state, and a wrong hash, which only verification can know
    hand.refused("ILK-213", sql, *values)


def test_an_entry_without_a_move_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    for changed in (
        {"version": 5},
        {"record_id": "12345"},
        {"from_state": subject.illegal},
        {"axis": "nothing"},
        {"kind": "nothing"},
    ):
        sql, values = hand.insert_entry(hand.entry(subject, subject.legal, **changed))
        hand.refused("ILK-213", sql, *values)
    if not hand.is_sqlite:  # on SQLite this is how a move is typed
        sql, values = hand.insert_entry(hand.entry(subject, subject.legal))
        hand.refused("ILK-213", sql, *values)


def test_history_does_not_fork(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = hand.move(subject, subject.legal)
    hand.run(sql, *values)
    onward = subject.definition.next_states(subject.legal)[0]
    for version in (0, 1):
        sql, values = hand.insert_entry(hand.entry(subject, onward, version=version))
        message = hand.refused("", sql, *values)
        assert "ILK-213" in message or "unique" in message.lower()


def test_a_first_entry_for_a_record_that_exists_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    sql, values = hand.insert_entry(
        hand.entry(subject, subject.first, version=0, from_state=None, origin="admit")
    )
    message = hand.refused("", sql, *values)
    assert "ILK-213" in message or "unique" in message.lower()


@pytest.mark.parametrize(
    "changed",
    [{"origin": "nonsense"}, {"actor": ""}, {"hash": b"short"}, {"version": -1}, {"record_id": ""}],
    ids=str,
)
def test_an_entry_that_says_nothing_sensible_is_refused(
    app: App, hand: Hand, subject: Subject, changed: dict[str, Any]
) -> None:
    sql, values = hand.insert_entry(hand.entry(subject, subject.legal, **{"hash": b"h" * 32, **changed}))
    message = hand.refused("", sql, *values)
    assert "check" in message.lower() or "ILK-213" in message


def test_a_closing_entry_without_the_deletion_is_refused(app: App, subject: Subject, hand: Hand) -> None:
    digest = hand.detail("because")
    for changed in ({"record_id": "12345"}, {"version": 3}, {"from_state": subject.illegal}):
        sql, values = hand.insert_entry(
            hand.entry(subject, None, **{"origin": "deletion", "role": "admin", "detail": digest, **changed})
        )
        hand.refused("ILK-213", sql, *values)
    sql, values = hand.insert_entry(hand.entry(subject, None, origin="deletion", role="admin", detail=digest))
    if not hand.is_sqlite:
        hand.refused("ILK-213", sql, *values)
    else:  # SQLite cannot look ahead to the DELETE that follows; what is left alone is located instead
        hand.run(sql, *values)
        assert {(found.invariant, found.id, found.axis) for found in app.check().findings} == {
            ("I2", str(subject.id), subject.axis)
        }


def test_nothing_is_written_behind_a_closing_entry(opened: Any, hand: Hand) -> None:
    subject = SUBJECTS["one axis"]
    app: App = opened(subject.make())
    subject.admit(app)
    right = hand.entry(subject, "parsing")
    app.erase("statements", "u1", actor="ann", role="admin", reason="asked for it")
    for changed in (
        {"version": 2, "from_state": None},
        {"version": 2, "origin": "erase", "from_state": None},
        {"version": 3, "origin": "deletion"},
    ):
        sql, values = hand.insert_entry(right | changed)
        hand.refused("ILK-213", sql, *values)
    assert app.check().findings == []


@pytest.mark.sqlite_only
def test_a_first_entry_whose_record_never_came_is_found(full: App, hand: Hand) -> None:
    """SQLite cannot look ahead to the row that follows; what is left alone is located instead."""
    entry = hand.entry(
        SUBJECTS["one axis"],
        "queued_for_parse",
        version=0,
        from_state=None,
        origin="admit",
        record_id="ghost",
    )
    sql, values = hand.insert_entry(entry)
    hand.run(sql, *values)
    (finding,) = full.check().findings
    assert (finding.invariant, finding.id, finding.problem) == ("I2", "ghost", "history without a row")
