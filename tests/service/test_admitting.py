"""Records come in over HTTP: each row is admitted once, or answered with why not, and none stops the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    DateTime,
    Enum,
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
from interlock.service.application import build
from interlock.workflow.columns.instant import Instant
from tests.kinds import four_kinds, open_app
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key


@pytest.fixture
def operator(app: App, ask: Ask) -> Asker:
    return ask(build(app, limits=WIDE), make_key(app, "operator", "olga"))


@contextmanager
def declared_with(url: str, ask: Ask, extension: Extension) -> Iterator[Asker]:
    """An operator's client of an app whose statements workflow has this extension."""
    workflows = four_kinds()
    workflows[0].extension = extension
    app = App(workflows, database=url)
    yield ask(build(app, limits=WIDE), make_key(app, "operator", "olga"))
    app.close()


def test_one_row_becomes_one_record_and_is_there_when_it_comes_again(app: App, operator: Asker) -> None:
    row = {"id": "u/9", "file_hash": "h9"}
    made = operator.post("/statements/records", {"row": row, "reason": "by mail"})
    assert (made.status_code, made.headers["location"]) == (201, "/api/v1/statements/records/u%2F9")
    assert made.json() == {
        "kind": "statements",
        "id": "u/9",
        "outcome": "admitted",
        "new_status": "queued_for_parse",
        "version": 0,
        "driven": [],
    }
    assert (
        operator.get(made.headers["location"].removeprefix("/api/v1")).json()["record"]["file_hash"] == "h9"
    )
    (entry,) = app.ledger.history("statements", "u/9")
    assert (entry.actor, entry.reason, entry.cause) == ("olga", "by mail", "upload.created")
    again = operator.post("/statements/records", {"row": {**row, "id": "other"}})
    assert (again.status_code, again.json()["outcome"], again.json()["id"]) == (200, "exists", "u/9")


def test_of_several_rows_each_is_answered_for_itself_in_their_order(app: App, operator: Asker) -> None:
    rows = [
        {"id": 10, "host": "ten.example", "curation_status": "Selected"},
        {"id": 11, "host": "host1.example"},
        {"id": "x", "host": "x"},
        {"id": 12, "hots": "twelve"},
        {"id": 13, "host": 13},
        {"id": 14, "host": "lost", "curation_status": "Lost"},
        {"host": "last.example"},
    ]
    answer = operator.post("/domains/records", {"rows": rows})
    assert answer.status_code == 207
    said = answer.json()
    assert said["outcomes"] == {"admitted": 2, "exists": 1, "refused": 4}
    told = [one["problem"] and (one["problem"]["status"], one["problem"]["code"]) for one in said["answers"]]
    assert [(one["outcome"], one["id"], why) for one, why in zip(said["answers"], told, strict=True)] == [
        ("admitted", 10, None),
        ("exists", 1, None),
        ("refused", "x", (400, "ILK-102")),
        ("refused", 12, (400, "ILK-102")),
        ("refused", 13, (400, "ILK-102")),
        ("refused", 14, (422, "ILK-203")),
        ("admitted", said["answers"][-1]["id"], None),
    ]
    assert [one["new_status"] for one in said["answers"][0]["driven"]] == ["Queued"]
    assert "'hots'" in said["answers"][3]["problem"]["detail"]
    assert "host" in said["answers"][3]["problem"]["hint"]
    assert app.get("domains", said["answers"][-1]["id"])["host"] == "last.example"
    assert app.check().findings == []


def test_the_same_key_makes_a_record_once_and_answers_the_same(app: App, operator: Asker) -> None:
    key = {"Idempotency-Key": "k"}
    body = {"rows": [{"host": "a.example"}, {"host": 7}, {"host": "b.example"}]}
    first = operator.post("/domains/records", body, headers=key)
    assert first.json()["outcomes"] == {"admitted": 2, "refused": 1}
    assert operator.post("/domains/records", body, headers=key).json() == first.json()
    changed = {"rows": [body["rows"][0], {"host": 8}, body["rows"][2]]}
    problem(operator.post("/domains/records", changed, headers=key), 422, "ILK-212")
    assert len(app.ledger.history("domains", first.json()["answers"][0]["id"], axis="curation_status")) == 1
    one = {"row": {"host": "c.example"}}
    made = [operator.post("/domains/records", one, headers={"Idempotency-Key": "one"}) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json() == made[1].json()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "ILK-102"),
        ({"row": {"id": "a"}, "rows": [{"id": "b"}]}, 400, "ILK-102"),
        ({"rows": []}, 400, "ILK-102"),
        ({"rows": [{"id": "a"}] * 1001}, 400, "ILK-102"),
        ({"row": [1]}, 400, "ILK-102"),
        ({"row": {"id": "a"}, "reason": " "}, 400, "ILK-102"),
        ({"row": {"id": "a", "version": 4}}, 400, "ILK-102"),
        ({"row": {"id": "a\u0000"}}, 400, "ILK-102"),
        ({"row": {}}, 400, "ILK-102"),
        ({"row": {"id": "a", "status": "lost"}}, 422, "ILK-203"),
        ({"row": {"id": "a", "status": "parsed"}}, 409, "ILK-204"),
    ],
)
def test_what_cannot_be_a_record_is_refused_and_nothing_is_made(
    app: App, operator: Asker, body: Any, status: int, code: str
) -> None:
    before = app.counts()
    problem(operator.post("/statements/records", body), status, code)
    assert app.counts() == before


@pytest.mark.postgresql_only
def test_what_only_the_database_knows_to_be_impossible_is_refused_beside_what_is_possible(
    app: App, operator: Asker
) -> None:
    said = operator.post(
        "/statements/records",
        {"rows": [{"id": "a", "observations_count": 2**40}, {"id": "b", "observations_count": 1}]},
    )
    assert [one["problem"] and one["problem"]["code"] for one in said.json()["answers"]] == ["ILK-213", None]


@pytest.mark.sqlite_only
def test_a_curator_may_not_bring_records_and_an_unknown_kind_is_said(
    app: App, ask: Ask, operator: Asker
) -> None:
    curator = ask(build(app, limits=WIDE), make_key(app, "curator", "carl"))
    problem(curator.post("/statements/records", {"row": {"id": "a"}}), 403, "ILK-403")
    problem(operator.post("/nothing/records", {"row": {"id": "a"}}), 404, "ILK-103")


@pytest.mark.sqlite_only
def test_a_kind_with_a_way_in_of_its_own_says_which(shop_url: str, ask: Ask) -> None:
    with declared_with(shop_url, ask, Extension(intake="POST /api/v1/uploads")) as operator:
        refused = problem(operator.post("/statements/records", {"row": {"id": "a"}}), 400, "ILK-102")
    assert refused["hint"] == "They come by POST /api/v1/uploads."


@pytest.mark.sqlite_only
def test_the_address_of_a_record_is_true_where_the_service_is_mounted(app: App, ask: Ask) -> None:
    api = FastAPI()
    api.mount("/interlock", build(app, lambda _: ("eve", "operator"), limits=WIDE))
    asker = ask(api, prefix="")
    made = asker.post("/interlock/api/v1/statements/records", {"row": {"id": "u9"}})
    assert made.headers["location"] == "/interlock/api/v1/statements/records/u9"
    assert asker.get(made.headers["location"]).status_code == 200


@pytest.mark.sqlite_only
def test_a_column_that_no_surface_shows_cannot_be_given_over_one(shop_url: str, ask: Ask) -> None:
    with declared_with(shop_url, ask, Extension(private=["file_hash"])) as operator:
        refused = problem(
            operator.post("/statements/records", {"row": {"id": "a", "file_hash": "h"}}), 400, "ILK-102"
        )
    assert "file_hash" not in refused["hint"]


def typed() -> Workflow:
    table = Table(
        "shipments",
        MetaData(),
        Column("id", Uuid(), primary_key=True),
        Column("sent_at", Instant()),
        Column("noted", DateTime()),
        Column("day", Date),
        Column("price", Numeric(12, 2)),
        Column("weight", Float),
        Column("fragile", Boolean),
        Column("label", LargeBinary),
        Column("more", JSON),
        Column("size", Enum("small", "large", name="shipment_size")),
        Column("pieces", Integer),
        Column("note", Text),
    )
    return Workflow(
        "shipments",
        records=table,
        axes=[Axis("status", Machine("shipment", initial="open", moves={"open": ["sent"]}))],
    )


@pytest.fixture
def shipments(database_url: str) -> Iterator[App]:
    made = open_app(database_url, typed())
    yield made
    made.close()


def test_values_that_json_has_no_word_for_come_as_text(shipments: App, ask: Ask) -> None:
    asker = ask(build(shipments, limits=WIDE))
    made = asker.post(
        "/shipments/records",
        {
            "row": {
                "sent_at": "2026-01-31T09:00:00+01:00",
                "noted": "2026-01-31T09:00:00",
                "day": "2026-01-31",
                "price": "12.50",
                "weight": 3,
                "fragile": True,
                "label": "00ff",
                "more": {"a": [1, None]},
                "size": "large",
                "pieces": 2,
                "note": None,
            }
        },
    )
    assert made.status_code == 201, made.text
    row = shipments.get("shipments", made.json()["id"])
    assert row["sent_at"] == datetime(2026, 1, 31, 8, tzinfo=UTC)
    assert (row["noted"], row["day"], row["price"]) == (
        datetime.fromisoformat("2026-01-31T09:00:00"),
        date(2026, 1, 31),
        Decimal("12.50"),
    )
    assert (row["weight"], row["fragile"], bytes(row["label"]), row["more"]) == (
        3.0,
        True,
        b"\x00\xff",
        {"a": [1, None]},
    )
    assert (row["size"], row["pieces"], row["note"]) == ("large", 2, None)


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    "row",
    [
        {"sent_at": "2026-01-31T09:00:00"},
        {"sent_at": 5},
        {"noted": "2026-01-31T09:00:00Z"},
        {"day": "yesterday"},
        {"day": 3},
        {"price": "much"},
        {"price": "NaN"},
        {"price": True},
        {"weight": "3"},
        {"fragile": 1},
        {"label": "xyz"},
        {"more": {"a": "\ud800"}},
        {"size": "huge"},
        {"size": ["large"]},
        {"pieces": 2.0},
        {"pieces": True},
        {"pieces": 2**70},
        {"note": {"a": 1}},
        {"id": "no uuid"},
    ],
)
def test_a_value_of_another_type_is_refused_by_name(shipments: App, ask: Ask, row: dict[str, Any]) -> None:
    asker = ask(build(shipments, limits=WIDE))
    sent = {
        "content": json.dumps({"row": row}),
        "headers": {"Content-Type": "application/json"},
    }  # half a character can only be escaped
    refused = problem(asker.ask("POST", "/shipments/records", **sent), 400, "ILK-102")
    assert f"'{next(iter(row))}'" in refused["detail"]
