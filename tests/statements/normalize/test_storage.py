"""The tables keep what normalization made, on both databases: rows of the latest attempt only, pages that go on where they were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, delete, event, func, insert, select
from sqlalchemy.schema import MetaData

from interlock import Axis, Workflow
from interlock.errors import RefusedByDatabase
from interlock.store.connect import Database
from interlock.workflows.statements.normalize.normalizing import duplicate_keys, normalize
from interlock.workflows.statements.parsed import ObservedRow, Parsed
from interlock.workflows.statements.rules import builtin_rules
from interlock.workflows.statements.tables import (
    metadata,
    observations,
    statement_logs,
    transactions,
    uploads,
)
from interlock.workflows.statements.uploads import duplicate_flags, storing
from tests.kinds import UPLOAD, open_app

AT = datetime(2024, 6, 1, 12, tzinfo=UTC)
TODAY = AT.date()
HASH = "sha256:" + "0123456789abcdef" * 4
ROWS = [
    ObservedRow(
        0,
        "01/15/2024",
        "STARBUCKS #1234",
        "-4.50",
        account="1",
        warnings=("odd",),
        date_format="mdy",
        decimal_separator=".",
    ),
    ObservedRow(1, "01/16/2024", "Café Ünïcode 日本", "1,234.56", account="1", sign=-1),
]
PARSED = Parsed("csv:chase", "1.0.0", "chase_csv", "text/csv", rows=ROWS)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The tables alone: no engine, no guards; its columns, where a workflow of this process has added them, may stay empty."""
    opened = Database(database_url)
    copied = MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(copied)
    for column in copied.tables["uploads"].columns:
        column.nullable = column.nullable or column.name in ("status", "version")
    with opened.write() as tx:
        copied.create_all(tx)
    yield opened
    opened.close()


def upload(tx: Connection, upload_id: str, number: int = 0, **values: Any) -> None:
    tx.execute(
        insert(uploads).values(
            **{
                "upload_id": upload_id,
                "file_hash": f"sha256:{number:064x}",
                "storage_ref": "ab/cd/x",
                "source_type": "chase_csv",
                "file_name": "x.csv",
                "file_size_bytes": 10,
                "mime_type": "text/csv",
                "upload_log_ref": f"/logs/uploads/{upload_id}.log",
                "created_at": AT,
                **values,
            }
        )
    )


def canonicals(upload_id: str, rows: list[ObservedRow] = ROWS) -> Any:
    return normalize(upload_id, rows, builtin_rules(), source_type="chase_csv", today=TODAY, at=AT).canonicals


def test_observations_come_back_as_the_parser_left_them(database: Database) -> None:
    with database.write() as tx:
        upload(tx, "UL_a")
        storing.replace_observations(tx, [("UL_a", 1, PARSED)], AT)
    with database.read() as tx:
        assert storing.observed_rows(tx, ["UL_a"]) == {"UL_a": ROWS}


def test_a_second_attempt_replaces_every_row_of_the_first_and_no_other_upload(database: Database) -> None:
    with database.write() as tx:
        for number, name in enumerate(("UL_a", "UL_b")):
            upload(tx, name, number)
            storing.replace_observations(tx, [(name, 1, PARSED)], AT)
            storing.replace_transactions(tx, [(name, 1, canonicals(name))])
        storing.replace_observations(tx, [("UL_a", 2, Parsed("p", "1", "s", "m", rows=ROWS[:1]))], AT)
        storing.replace_transactions(tx, [("UL_a", 2, canonicals("UL_a", ROWS[:1]))])
    with database.read() as tx:
        for table in (observations, transactions):
            found = tx.execute(select(table.c.upload_id, table.c.attempt).order_by(table.c.upload_id)).all()
            assert found == [("UL_a", 2), ("UL_b", 1), ("UL_b", 1)]


def test_a_transaction_comes_back_exact(database: Database) -> None:
    made = canonicals("UL_a")
    with database.write() as tx:
        upload(tx, "UL_a")
        storing.replace_transactions(tx, [("UL_a", 1, made)])
    with database.read() as tx:
        found = storing.transactions_page(tx)
    assert [{name: one[name] for name in made[0].row()} for one in found] == [one.row() for one in made]
    assert [one["amount"] for one in found] == ["-4.50", "-1234.56"]


def test_pages_go_on_where_they_were_though_rows_before_are_replaced(database: Database) -> None:
    rows = [ObservedRow(number, "01/15/2024", f"SHOP {number}", "-1.00") for number in range(25)]
    with database.write() as tx:
        upload(tx, "UL_a")
        upload(tx, "UL_b", 1)
        storing.replace_transactions(tx, [("UL_b", 1, canonicals("UL_b", rows[:3]))])
        storing.replace_transactions(tx, [("UL_a", 1, canonicals("UL_a", rows))])
    with database.read() as tx:
        first = storing.transactions_page(tx, limit=10)
    with database.write() as tx:
        storing.replace_transactions(tx, [("UL_b", 2, canonicals("UL_b", rows[:3]))])
    seen = [one["insertion_sequence"] for one in first]
    with database.read() as tx:
        while page := storing.transactions_page(tx, after=seen[-1], limit=10):
            seen += [one["insertion_sequence"] for one in page]
        assert seen == sorted(set(seen))
        assert len(seen) == 31
        every = storing.all_transactions(tx, upload_id="UL_a", page=7)
        assert [one["observation_id"] for one in every] == [f"UL_a:{number}" for number in range(25)]


def test_a_number_is_never_given_out_twice(database: Database) -> None:
    with database.write() as tx:
        upload(tx, "UL_a")
        storing.replace_transactions(tx, [("UL_a", 1, canonicals("UL_a"))])
        highest = tx.execute(select(func.max(transactions.c.insertion_sequence))).scalar_one()
        storing.replace_transactions(tx, [("UL_a", 2, canonicals("UL_a"))])
        assert tx.execute(select(func.min(transactions.c.insertion_sequence))).scalar_one() > highest


def test_similar_transactions_of_other_uploads_are_found_and_ones_own_are_not(database: Database) -> None:
    with database.write() as tx:
        for number, name in enumerate(("UL_a", "UL_b")):
            upload(tx, name, number)
        storing.replace_transactions(tx, [("UL_a", 1, canonicals("UL_a"))])
    keys = duplicate_keys(ROWS, builtin_rules(), source_type="chase_csv", today=TODAY)
    with database.read() as tx:
        assert {
            (one.upload_id, one.amount, one.date)
            for one in duplicate_flags.similar_transactions(tx, {"UL_b": keys})["UL_b"]
        } == {("UL_a", "-4.50", date(2024, 1, 15)), ("UL_a", "-1234.56", date(2024, 1, 16))}
        assert duplicate_flags.similar_transactions(tx, {"UL_a": keys}) == {"UL_a": []}
        assert duplicate_flags.similar_transactions(tx, {"UL_b": []}) == {"UL_b": []}
        found = duplicate_flags.similar_transactions(tx, {"UL_b": keys})["UL_b"]
    made = normalize(
        "UL_b", ROWS, builtin_rules(), source_type="chase_csv", today=TODAY, at=AT, already=found
    )
    assert all("possible_duplicate" in one.flags for one in made.canonicals)


def test_looking_for_duplicates_takes_a_statement_for_each_five_hundred_amounts(database: Database) -> None:
    keys = [("1", f"-{number}.00", date(2024, 1, 15)) for number in range(1200)]
    asked: list[str] = []
    with database.read() as tx:
        event.listen(tx, "before_cursor_execute", lambda *said: asked.append(said[2]))
        duplicate_flags.similar_transactions(tx, {"UL_b": keys})
    assert len([statement for statement in asked if statement.startswith("SELECT")]) == 3


def test_a_log_is_kept_by_its_reference_and_replaced_by_the_next(database: Database) -> None:
    with database.write() as tx:
        upload(tx, "UL_a")
        storing.keep_logs(tx, [storing.Log("/logs/parse/UL_a.log.json", "UL_a", 1, {"success": False})], AT)
        storing.keep_logs(
            tx, [storing.Log("/logs/parse/UL_a.log.json", "UL_a", 2, {"success": True, "é": 1})], AT
        )
        storing.keep_logs(tx, [storing.Log("/logs/uploads/UL_a.log", "UL_a", 0, "received\n")], AT)
    with database.read() as tx:
        kind, text = storing.read_log(tx, "/logs/parse/UL_a.log.json") or ("", "")
        assert (kind, json.loads(text)) == ("application/json", {"success": True, "é": 1})
        assert storing.read_log(tx, "/logs/uploads/UL_a.log") == ("text/plain", "received\n")
        assert storing.read_log(tx, "/logs/parse/UL_b.log.json") is None


def test_whoever_removes_an_upload_removes_what_it_said(database: Database) -> None:
    with database.write() as tx:
        upload(tx, "UL_a")
        storing.replace_observations(tx, [("UL_a", 1, PARSED)], AT)
        storing.replace_transactions(tx, [("UL_a", 1, canonicals("UL_a"))])
        storing.keep_logs(tx, [storing.Log("/logs/uploads/UL_a.log", "UL_a", 0, "received\n")], AT)
        tx.execute(delete(uploads).where(uploads.c.upload_id == "UL_a"))
        for table in (observations, transactions, statement_logs):
            assert tx.execute(select(func.count()).select_from(table)).scalar_one() == 0


@pytest.mark.parametrize(
    "values",
    [
        {"upload_id": "UL_"},
        {"upload_id": "XX_1"},
        {"upload_id": "UL_a b"},
        {"upload_id": "UL_a/../b"},
        {"upload_id": "ul_a"},
        {"file_hash": "sha256:xyz"},
        {"file_hash": "sha256:" + "A" * 64},
        {"file_hash": "md5:" + "0" * 67},
        {"file_hash": f"sha256:{0:064x}"},
    ],
)
def test_the_database_refuses_ids_and_hashes_that_cannot_be_and_a_file_twice(
    database: Database, values: dict[str, str]
) -> None:
    with database.write() as tx:
        upload(tx, "UL_first")
    with pytest.raises(RefusedByDatabase), database.write() as tx:
        upload(tx, **{"upload_id": "UL_second", "file_hash": HASH, **values})
    with database.write() as tx:
        upload(tx, "UL_second", file_hash=HASH)


def test_max_retries_is_three_unless_said(database: Database) -> None:
    with database.write() as tx:
        upload(tx, "UL_a")
        assert tx.execute(select(uploads.c.max_retries)).scalar_one() == 3


def test_the_engine_takes_the_tables_as_they_are_and_erasing_an_upload_erases_its_rows(
    database_url: str,
) -> None:
    workflow = Workflow(
        "statements",
        noun="upload",
        records=uploads,
        unique=[uploads.c.file_hash],
        tables=[observations, transactions, statement_logs],
        axes=[Axis("status", UPLOAD, max_retries="max_retries", retries_reset_at={"normalized"})],
    )
    app = open_app(database_url, workflow)
    answer = app.admit(
        "statements",
        {
            "upload_id": "UL_a",
            "file_hash": HASH,
            "storage_ref": "ab/cd/x",
            "source_type": "chase_csv",
            "file_name": "x.csv",
            "file_size_bytes": 10,
            "mime_type": "text/csv",
            "upload_log_ref": "/logs/uploads/UL_a.log",
            "created_at": AT,
        },
    )
    assert answer.outcome == "admitted"
    with app.database.write() as tx:
        storing.replace_observations(tx, [("UL_a", 1, PARSED)], AT)
        storing.replace_transactions(tx, [("UL_a", 1, canonicals("UL_a"))])
    app.erase("statements", "UL_a", actor="eve", role="admin", reason="asked for")
    with app.database.read() as tx:
        assert storing.transactions_page(tx) == []
    app.close()
