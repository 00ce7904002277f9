"""Lists by columns of the record: filters, columns and sorts of every type, in pages without gap or repeat; never by private columns."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
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
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    Table,
    Text,
    Uuid,
)

from interlock import App, Axis, Extension, Machine, Workflow
from interlock.errors import BadInput, InterlockError, UnknownKind
from interlock.operations.describe import describe_operation
from interlock.workflow.columns.instant import Instant
from tests.kinds import themes

LINE = Machine("line", initial="open", moves={"open": ["shut"], "shut": []})
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
COMPARED = ("host", "depth", "made_at", "day", "price", "score", "seen", "owner")


def pages() -> Workflow:
    table = Table(
        "pages",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("host", Text, nullable=False),
        Column("depth", Integer),
        Column("made_at", Instant()),
        Column("day", Date),
        Column("price", Numeric(10, 2)),
        Column("score", Float),
        Column("seen", Boolean),
        Column("owner", Uuid),
        Column("tags", JSON),
        Column("raw", LargeBinary),
        Column("secret", Text),
    )
    return Workflow(
        "pages", records=table, axes=[Axis("status", LINE)], extension=Extension(private=[table.c.secret])
    )


def row(number: int) -> dict[str, Any]:
    """Values with ties, and every fifth record without any."""
    if number % 5 == 0:
        return {"id": number, "host": "none"}
    return {
        "id": number,
        "host": f"h{number % 3}",
        "depth": number % 4,
        "made_at": BEGAN + timedelta(hours=number % 6),
        "day": date(2026, 1, 1 + number % 4),
        "price": Decimal(number % 3) / 4,
        "score": number % 4 / 8,
        "seen": number % 2 == 0,
        "owner": UUID(int=number % 3),
        "tags": ["x"],
        "secret": "s3cret",
    }


ROWS = [row(number) for number in range(1, 24)]


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(pages())
    made.admit_many("pages", ROWS)
    made.move_many("pages", range(1, 12), actor="ann", status="shut")
    return made


def ids(app: App, **asked: Any) -> list[int]:
    return [record.id for record in app.list("pages", limit=100, **asked).records]


@pytest.mark.parametrize("name", COMPARED)
def test_a_column_filters_by_one_value_by_several_and_by_null(app: App, name: str) -> None:
    values = [row.get(name) for row in ROWS]
    first, second = list(dict.fromkeys(value for value in values if value is not None))[:2]
    for wanted in (first, [first, second], None, [first, None], []):
        several = wanted if isinstance(wanted, list) else [wanted]
        expected = [row["id"] for row in ROWS if row.get(name) in several]
        assert ids(app, where={name: wanted}) == expected, (name, wanted)


def test_values_may_be_typed_as_text(app: App) -> None:
    for name, text, value in (
        ("depth", "2", 2),
        ("made_at", "2026-01-01T02:00:00Z", BEGAN + timedelta(hours=2)),
        ("day", "2026-01-02", date(2026, 1, 2)),
        ("price", "0.25", Decimal("0.25")),
        ("score", "0.125", 0.125),
        ("seen", "true", True),
        ("owner", str(UUID(int=1)), UUID(int=1)),
    ):
        found = ids(app, where={name: text})
        assert found == ids(app, where={name: value}), name
        assert found, name


def test_columns_and_axes_narrow_together(app: App) -> None:
    expected = [row["id"] for row in ROWS if row["host"] in ("h1", "none") and row["id"] < 12]
    assert ids(app, where={"host": ["h1", "none"], "status": "shut"}) == expected
    assert ids(app, where={"host": "h1", "status": "open"}, younger="1h") == [
        row["id"] for row in ROWS if row["host"] == "h1" and row["id"] >= 12
    ]
    assert ids(app, where={"id": [3, 4]}) == [3, 4]


def test_columns_are_read_with_the_record(app: App) -> None:
    page = app.list("pages", columns=("host", "depth", "made_at", "tags"), limit=2)
    assert [record.columns for record in page.records] == [
        {name: row[name] for name in ("host", "depth", "made_at", "tags")} for row in ROWS[:2]
    ]
    assert [place.state for place in page.records[0].where] == ["shut"]
    assert app.list("pages", limit=1).records[0].columns == {}
    assert page.next == 2
    assert [record.id for record in app.list("pages", after=page.next, limit=3).records] == [3, 4, 5]


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("name", ["id", *COMPARED])
def test_sorted_pages_have_every_record_once_and_in_order(app: App, name: str, sign: str) -> None:
    """Ascending, nulls are last; descending is the exact reverse."""
    expected = sorted(ROWS, key=lambda row: (row.get(name) is None, row.get(name) or 0, row["id"]))
    if name == "host":
        expected = sorted(ROWS, key=lambda row: (row["host"], row["id"]))
    if name == "owner":
        expected = sorted(ROWS, key=lambda row: (row.get(name) is None, str(row.get(name)), row["id"]))
    found: list[int] = []
    after: Any = None
    for _ in range(20):
        page = app.list("pages", sort=sign + name, after=after, limit=4)
        found += [record.id for record in page.records]
        after = page.next
        if after is None:
            break
    assert found == [row["id"] for row in (expected[::-1] if sign else expected)]


def test_a_sorted_list_is_narrowed_too(app: App) -> None:
    page = app.list(
        "pages", where={"status": "open", "seen": True}, sort="-depth", columns=("depth",), limit=3
    )
    rest = app.list(
        "pages", where={"status": "open", "seen": True}, sort="-depth", columns=("depth",), after=page.next
    )
    depths = [record.columns["depth"] for record in (*page.records, *rest.records)]
    assert depths == sorted(depths, reverse=True)
    assert len(depths) == sum(bool(row.get("seen")) and row["id"] >= 12 for row in ROWS)


@pytest.mark.parametrize(
    "asked",
    [
        {"where": {"nothing": 1}},
        {"where": {"depth": "deep"}},
        {"where": {"depth": True}},
        {"where": {"depth": 2**70}},
        {"where": {"host": 5}},
        {"where": {"host": "a\x00b"}},
        {"where": {"host": "\ud800"}},
        {"where": {"made_at": "2026-01-01T00:00:00"}},
        {"where": {"owner": "me"}},
        {"where": {"tags": "x"}},
        {"where": {"status": "lost"}},
        {"sort": "raw"},
        {"sort": "tags"},
        {"sort": "--depth"},
        {"sort": ""},
        {"columns": "host"},
        {"columns": ("host", "nothing")},
        {"limit": 0},
        {"after": "x"},
        {"sort": "depth", "after": "x"},
        {"sort": "depth", "after": 5},
        {"sort": "depth", "after": "eyJhIjogMX0"},
        {"sort": "depth", "after": "WyJkZWVwIiwgMV0"},
        {"sort": "depth", "after": "WzEsIG51bGxd"},
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_refused(app: App, asked: dict[str, Any]) -> None:
    with pytest.raises(InterlockError) as refused:
        app.list("pages", **asked)
    assert refused.value.code in ("ILK-102", "ILK-103", "ILK-203")


@pytest.mark.parametrize(
    "asked", [{"where": {"secret": "s3cret"}}, {"sort": "secret"}, {"columns": ["secret"]}]
)
def test_private_columns_are_in_none_of_it(app: App, asked: dict[str, Any]) -> None:
    with pytest.raises(UnknownKind) as refused:
        app.list("pages", **asked)
    assert "secret" not in refused.value.message.partition("it has")[2]
    assert ids(app, text="s3cret") == []
    assert ids(app, text="none") == [5, 10, 15, 20]


def test_a_bulk_operation_is_about_what_columns_say(app: App, whole: Any) -> None:
    where = {"host": ["h1", "none"], "made_at": [None, BEGAN + timedelta(hours=4)], "status": "open"}
    expected = [
        row["id"]
        for row in ROWS
        if row["host"] in ("h1", "none")
        and row.get("made_at") in (None, BEGAN + timedelta(hours=4))
        and row["id"] >= 12
    ]
    looked = app.operations.preview("pages", axis="status", to="shut", where=where)
    assert looked.as_dict()["outcomes"]["moved"] == len(expected)
    made = app.operations.create(
        "pages", axis="status", to="shut", where=where, actor="ann", reason="a full house"
    )
    assert made.wanted["filter"]["states"]["made_at"] == [None, "2026-01-01T04:00:00.000000Z"]
    done = app.operations.run(made.id)
    assert describe_operation(done)["outcomes"]["moved"] == len(expected)
    causes = {row["id"]: app.ledger.history("pages", row["id"])[-1].cause for row in ROWS}
    assert [id for id, cause in causes.items() if cause == f"operation.{made.id}"] == expected
    assert all(app.get("pages", id)["status"] == "shut" for id in expected)
    with pytest.raises(BadInput):
        app.operations.create(
            "pages", axis="status", to="shut", where={"depth": "x"}, actor="ann", reason="no"
        )
    whole(app)


def test_records_of_a_scoped_kind_are_listed_by_columns_too(opened: Any) -> None:
    app: App = opened(themes())
    app.admit_many("themes", [{"id": number, "title": title} for number, title in enumerate("bca", 1)])
    page = app.list(
        "themes", where={"status": "pending"}, scope="technical", columns=("title",), sort="title"
    )
    assert [(record.id, record.columns["title"]) for record in page.records] == [(3, "a"), (1, "b"), (2, "c")]
    assert [(place.axis, place.scope) for place in page.records[0].where] == [
        ("curation_status", None),
        ("status", "technical"),
        ("status", "fundamental"),
    ]
