"""Bulk moves with facts: in every entry and on every row, whoever runs the chunks; and what rules moved beside them is counted."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Date, Integer, MetaData, Numeric, Table, Text

from interlock import App, Axis, Machine, Workflow
from interlock.errors import BadInput, KeyReused
from interlock.observe.invariants import replay
from interlock.operations.describe import describe_operation
from interlock.workflow.columns.instant import Instant
from tests.kinds import domains

LINE = Machine("line", initial="open", moves={"open": ["shut"], "shut": ["open"]})
FACTS = {
    "note": "the lorry left",
    "left_at": datetime(2026, 5, 1, 9, tzinfo=UTC),
    "day": date(2026, 5, 1),
    "price": Decimal("1.20"),
    "count": 3,
    "tags": ["a", {"b": None}],
    "lorry": "L-7",
}


def orders() -> Workflow:
    table = Table(
        "orders",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("note", Text),
        Column("left_at", Instant()),
        Column("day", Date),
        Column("price", Numeric(10, 2)),
        Column("count", Integer),
        Column("tags", JSON),
    )
    return Workflow("orders", records=table, axes=[Axis("status", LINE)])


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(orders())
    made.admit_many("orders", [{"id": number} for number in range(1, 8)])
    return made


def test_facts_are_on_every_row_and_in_every_entry_whatever_the_chunks(app: App, whole: Any) -> None:
    said = {"actor": "ann", "reason": "gone", "axis": "status", "to": "shut", "where": {"status": "open"}}
    made = app.operations.create("orders", **said, facts=FACTS)
    done = app.operations.run(made.id, chunk=3)
    assert (done.status, describe_operation(done)["outcomes"]["moved"], done.facts["lorry"]) == (
        "finished",
        7,
        "L-7",
    )
    for number in range(1, 8):
        row = app.get("orders", number)
        assert {name: row[name] for name in FACTS if name != "lorry"} == {
            name: value for name, value in FACTS.items() if name != "lorry"
        }
        last = app.ledger.history("orders", number)[-1]
        assert (last.new, last.reason, last.facts["lorry"], last.facts["price"]) == (
            "shut",
            "gone",
            "L-7",
            "1.20",
        )
    assert replay(app.database, list(app.workflows.values())) == []
    whole(app)


def test_an_undo_moves_back_and_leaves_what_facts_have_changed(app: App) -> None:
    made = app.operations.create(
        "orders", actor="ann", reason="gone", axis="status", to="shut", ids=[1], facts={"note": "left"}
    )
    app.operations.run(made.id)
    undo = app.operations.undo(made.id, actor="ann", reason="it came back")
    app.operations.run(undo.id)
    row = app.get("orders", 1)
    assert (row["status"], row["note"]) == ("open", "left")
    assert [move.facts for move in app.ledger.history("orders", 1)] == [{}, {"note": "left"}, {}]


@pytest.mark.parametrize(
    "facts", [{"version": 3}, {"count": "three"}, {"note": b"bytes"}, {"note": "x" * 70_000}, {"id": 5}]
)
def test_facts_that_nothing_can_hold_are_refused_before_anything_is_frozen(app: App, facts: Any) -> None:
    said = {"actor": "ann", "reason": "gone", "axis": "status", "to": "shut", "ids": [1]}
    for act in (app.operations.create, app.operations.preview):
        with pytest.raises(BadInput):
            act("orders", **said, facts=facts)
    assert (app.operations.newest(), app.get("orders", 1)["status"]) == ([], "open")
    assert len(app.ledger.history("orders", 1)) == 1


def test_only_a_move_takes_facts_and_a_key_knows_them(app: App) -> None:
    said = {"actor": "ann", "reason": "gone", "axis": "status", "to": "shut", "ids": [1], "key": "k"}
    first = app.operations.create("orders", **said, facts={"note": "one"})
    assert app.operations.create("orders", **said, facts={"note": "one"}).id == first.id
    with pytest.raises(KeyReused):
        app.operations.create("orders", **said, facts={"note": "two"})


def test_what_rules_moved_is_counted_in_the_result(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 7)])
    app.move("domains", 6, actor="ann", curation_status="Selected")
    made = app.operations.create(
        "domains", actor="ann", reason="good", axis="curation_status", to="Selected", ids=list(range(1, 7))
    )
    done = app.operations.run(made.id, chunk=2)
    told = describe_operation(done)
    assert (told["outcomes"]["moved"], told["outcomes"]["unchanged"]) == (5, 1)
    assert told["driven"] == [
        {"axis": "processing_status", "scope": None, "from": None, "to": "Queued", "records": 5}
    ]
    assert [app.get("domains", number)["processing_status"] for number in range(1, 7)] == ["Queued"] * 6
    driven = [move for number in range(1, 6) for move in app.ledger.history("domains", number)]
    assert sum(move.origin == "rule" for move in driven) == 5
    undo = app.operations.run(app.operations.undo(made.id, actor="ann", reason="not good").id)
    assert [(one["from"], one["to"], one["records"]) for one in describe_operation(undo)["driven"]] == [
        ("Queued", None, 5)
    ]
    whole(app)
