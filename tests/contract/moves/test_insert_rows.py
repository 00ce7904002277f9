"""Rows of a table of one's own are inserted many at once, with the values that SQLAlchemy would have stored."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    Float,
    Identity,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    Table,
    Text,
    Uuid,
    select,
)

from interlock import App, insert_rows
from interlock.errors import BadInput
from interlock.workflow.columns.instant import Instant
from tests.kinds import uploads

METADATA = MetaData()
KEPT = Table(
    "kept rows",
    METADATA,
    Column("number", Integer, Identity(), primary_key=True),
    Column("text", Text),
    Column("a day", Date),
    Column("at", Instant()),
    Column("amount", Numeric(20, 4)),
    Column("share", Float),
    Column("flag", Boolean),
    Column("bytes", LargeBinary),
    Column("id", Uuid),
    Column("facts", JSON),
    Column("left_out", Text, server_default="by the database"),
)
DEFAULTED = Table(
    "defaulted", METADATA, Column("number", Integer, primary_key=True), Column("kind", Text, default="plain")
)


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads())
    with made.database.write() as tx:
        METADATA.create_all(tx)
    return made


def row(text: str | None, **other: Any) -> dict[str, Any]:
    return {
        "text": text,
        "a day": date(2024, 2, 29),
        "at": datetime(2024, 2, 29, 12, 30, 0, 123456, tzinfo=UTC),
        "amount": Decimal("-1234.5600"),
        "share": 0.1,
        "flag": True,
        "bytes": b"\x00\xff",
        "id": UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        "facts": {"a": [1, "ü", None]},
        **other,
    }


def test_values_of_every_type_come_back_as_they_were(app: App) -> None:
    rows = [row("a\tb\\N\nc"), row(None, flag=False, amount=None, facts=None), row("\\."), row("")]
    with app.database.write() as tx:
        assert insert_rows(tx, KEPT, rows) == 4
    with app.database.read() as tx:
        stored = tx.execute(select(KEPT).order_by(KEPT.c.number)).mappings().all()
    assert [{name: one[name] for name in rows[0]} for one in stored] == rows
    assert {one["left_out"] for one in stored} == {"by the database"}


def test_no_rows_are_no_statement(app: App) -> None:
    with app.database.write() as tx:
        assert insert_rows(tx, KEPT, []) == 0


def test_defaults_that_python_computes_are_kept(app: App) -> None:
    with app.database.write() as tx:
        insert_rows(tx, DEFAULTED, [{"number": 1}, {"number": 2}])
        assert tx.execute(select(DEFAULTED).order_by(DEFAULTED.c.number)).all() == [
            (1, "plain"),
            (2, "plain"),
        ]


def test_rows_that_name_other_columns_are_refused_and_nothing_is_inserted(app: App) -> None:
    with app.database.write() as tx:
        with pytest.raises(
            BadInput, match="row 1 of 2 for table kept rows does not name the columns of the first: text"
        ):
            insert_rows(tx, KEPT, [{"text": "a", "share": 1.0}, {"share": 2.0}])
        with pytest.raises(BadInput, match="no column nowhere"):
            insert_rows(tx, KEPT, [{"nowhere": 1}])
        assert tx.execute(select(KEPT)).all() == []


def test_a_row_that_the_database_refuses_takes_the_others_along_and_the_savepoint_holds(app: App) -> None:
    with app.database.write() as tx:
        insert_rows(tx, DEFAULTED, [{"number": 1, "kind": "a"}])
        with pytest.raises(Exception, match=r"(?i)unique"), tx.begin_nested():
            insert_rows(tx, DEFAULTED, [{"number": 2, "kind": "b"}, {"number": 1, "kind": "c"}])
        assert tx.execute(select(DEFAULTED)).all() == [(1, "a")]
