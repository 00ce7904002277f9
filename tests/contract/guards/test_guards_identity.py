"""Raw SQL that renames, swaps or swallows records by the row numbers that SQLite keeps behind a key is refused."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject

UPLOADED = SUBJECTS["one axis"]
NUMBERS = ("rowid", "oid", "_rowid_")

pytestmark = pytest.mark.sqlite_only


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("value", ["77", "(SELECT max(rowid) FROM {table})"])
def test_the_number_of_a_row_never_changes(
    app: App, subject: Subject, hand: Hand, number: str, value: str
) -> None:
    hand.refused(
        "ILK-21",
        f"UPDATE OR REPLACE {subject.table} SET {number} = {value.format(table=subject.table)} WHERE {subject.where}",
        *subject.key,
    )
    assert app.check().findings == []


def test_two_records_are_not_swapped_by_their_numbers(app: App, subject: Subject, hand: Hand) -> None:
    hand.refused("ILK-21", f"UPDATE {subject.table} SET rowid = -rowid")
    assert app.check().findings == []


@pytest.mark.parametrize("number", NUMBERS)
def test_a_new_record_takes_no_other_ones_number(opened: Any, hand: Hand, number: str) -> None:
    app: App = opened(UPLOADED.make())
    UPLOADED.admit(app)
    entry = hand.entry(UPLOADED, UPLOADED.first, record_id="u9", version=0, from_state=None, origin="admit")
    sql, values = hand.insert_entry(entry)
    hand.run(sql, *values)
    row = f"(SELECT {number} FROM uploads WHERE id = 'u2'), 'u9', ?, 0, ?"
    hand.refused(
        "ILK-213",
        f"INSERT OR REPLACE INTO uploads({number}, id, status, version, head) VALUES ({row})",
        UPLOADED.first,
        entry["hash"],
    )
    assert [row[0] for row in hand.rows("SELECT id FROM uploads ORDER BY id")] == ["u1", "u2", "u3"]


def test_the_first_entry_of_a_deleted_record_is_not_replaced(opened: Any, hand: Hand) -> None:
    app: App = opened(UPLOADED.make())
    UPLOADED.admit(app)
    app.delete("statements", "u2", actor="ann", role="admin", reason="a duplicate")
    entry = hand.entry(UPLOADED, UPLOADED.first, record_id="u2", version=0, from_state=None, actor="eve")
    sql, values = hand.insert_entry(entry)
    hand.refused("ILK-213", sql.replace("INSERT INTO", "INSERT OR REPLACE INTO"), *values)
    assert app.check().findings == []


@pytest.mark.parametrize("position", [-5, 0, 1, 2**40])
def test_an_entry_stands_behind_all_others(app: App, subject: Subject, hand: Hand, position: int) -> None:
    sql, values = hand.move(subject, subject.legal)
    placed = sql.replace("(kind,", "(position, kind,").replace("VALUES (", "VALUES (?, ")
    hand.refused("ILK-210", placed, position, *values)
    assert app.check().findings == []


def test_an_update_that_no_guard_is_about_calls_no_trigger(opened: Any, hand: Hand) -> None:
    opened(UPLOADED.make())
    steps = hand.rows("EXPLAIN UPDATE uploads SET since = NULL, error_code = NULL")
    assert "Program" not in {step[1] for step in steps}
    for column in ("status", "version", "head", "id", *NUMBERS):
        steps = hand.rows(f"EXPLAIN UPDATE uploads SET {column} = 1")
        assert "Program" in {step[1] for step in steps}, column


def test_an_odd_instant_behind_a_good_one_is_refused(opened: Any, hand: Hand) -> None:
    app: App = opened(UPLOADED.make())
    UPLOADED.admit(app)
    good = hand.entry(UPLOADED, UPLOADED.first, record_id="u8", version=0, from_state=None, origin="admit")
    odd = {**good, "record_id": "u9", "at": good["at"].replace(year=2999)}
    sql, values = hand.insert_entry(good)
    _, others = hand.insert_entry(odd)
    both = sql + sql[sql.index(" VALUES ") :].replace(" VALUES ", ", ")
    hand.refused("ILK-213: ledger entry with an instant", both, *values, *others)
    assert hand.rows("SELECT record_id FROM interlock_ledger WHERE record_id IN ('u8', 'u9')") == []
