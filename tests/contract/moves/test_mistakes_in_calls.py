"""Mistakes in calls and in hand-typed SQL: each is refused with a code and a hint, and neither row nor history changes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Integer, MetaData, Numeric, Table, Text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Session

from interlock import App, Axis, InterlockError, Machine, Workflow, operator, retry

MACHINE = Machine(
    "order",
    initial="placed",
    moves={
        "placed": ["packing"],
        "packing": ["packed", "failed"],
        "packed": [operator("placed")],
        "failed": [retry("placed")],
    },
)
Mistake = tuple[Callable[[App], Any], str, str, str]


def orders() -> Workflow:
    table = Table(
        "orders",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("customer", Text, nullable=False),
        Column("note", Text),
        Column("paid", Boolean),
        Column("price", Numeric(10, 2)),
    )
    return Workflow("orders", noun="order", records=table, axes=[Axis("status", MACHINE)])


def move(id: Any = 1, **options: Any) -> Callable[[App], Any]:
    parts = {"status": "packing", "actor": "eve", **options}
    return lambda app: app.move(
        "orders", id, **{name: value for name, value in parts.items() if value != ...}
    )


def admit(row: Any) -> Callable[[App], Any]:
    return lambda app: app.admit("orders", row)


def amend(**facts: Any) -> Callable[[App], Any]:
    return lambda app: app.amend("orders", 1, facts=facts, actor="eve", reason="typo")


def raised(answers: list[Any]) -> None:
    """Raise what the first record was answered."""
    raise answers[0].error


MISTAKES: dict[str, Mistake] = {
    "a record without a value that it needs": (
        admit({"id": 9}),
        "ILK-213",
        "customer",
        "Give customer a value",
    ),
    "a column that is a typo": (
        admit({"custmer": "Ann"}),
        "ILK-102",
        "no column 'custmer'",
        "It has customer",
    ),
    "a workflow that is a typo": (
        lambda app: app.admit("oders", {"customer": "Ann"}),
        "ILK-103",
        "no workflow 'oders'; it has orders",
        "Did you mean 'orders'?",
    ),
    "a table instead of a workflow": (
        lambda app: app.move(app.workflow("orders").records, 1, status="packing", actor="eve"),  # type: ignore[arg-type]
        "ILK-102",
        "named by its name, not by Table Table('orders'",
        "It is one of 'orders'",
    ),
    "a runner with a pool of Python's": (
        lambda app: app.runner(ThreadPoolExecutor()),  # type: ignore[arg-type]
        "ILK-101",
        "lacks free, collect",
        "`interlock runner` makes its own",
    ),
    "a verdict of a gate that there is not": (
        lambda app: app.judge_gate("orders", 1, "weighed", passed=True, actor="eve"),
        "ILK-103",
        "orders has no gate 'weighed'",
        "Declare one",
    ),
    "an act on many that is a typo": (
        lambda app: app.operations.preview("orders", act="mvoe", to="packing", actor="eve", reason="x"),
        "ILK-102",
        "'mvoe' is no act on many records",
        "Did you mean 'move'?",
    ),
    "a service with a name instead of a function": (
        lambda app: app.asgi("eve"),  # type: ignore[arg-type]
        "ILK-101",
        "identify='eve' is not a function",
        "def who(request)",
    ),
    "the history of a workflow that is a typo": (
        lambda app: app.ledger.history("ordres", 1),
        "ILK-103",
        "no workflow 'ordres'; it has orders",
        "Did you mean 'orders'?",
    ),
    "several records to admit": (
        admit([{"customer": "Ann"}]),
        "ILK-102",
        "a record is a mapping",
        "admit_many",
    ),
    "one row where several are admitted": (
        lambda app: app.admit_many("orders", {"customer": "Ann"}),  # type: ignore[arg-type]
        "ILK-102",
        "several records are a list of rows, not dict",
        "admit takes one row",
    ),
    "a value of another type than its column's": (
        admit({"customer": "Ann", "paid": "yes"}),
        "ILK-102",
        "'paid' cannot be 'yes'",
        "paid is BOOLEAN: give it True, False or None",
    ),
    "a number that is none": (
        admit({"customer": "Ann", "price": float("nan")}),
        "ILK-102",
        "'price' is given nan, which is not a number",
        "Give None",
    ),
    "a number without end as a fact": (
        move(facts={"price": Decimal("Infinity")}),
        "ILK-102",
        "'price' is given Infinity, which is not a number",
        "Give None",
    ),
    "a number that is too large": (
        admit({"customer": "Ann", "price": 2**63}),
        "ILK-102",
        "'price' is given a number larger than any column can hold",
        "keep a longer one as text",
    ),
    "a null character": (
        admit({"customer": "A\0"}),
        "ILK-102",
        "null character",
        "Leave such characters out",
    ),
    "half a character": (
        admit({"customer": "\ud800"}),
        "ILK-102",
        "half a surrogate",
        "Leave such characters",
    ),
    "a key that is a number": (
        lambda app: app.admit("orders", {"customer": "Ann"}, key=5),  # type: ignore[arg-type]
        "ILK-102",
        "key must be a text that is not empty, not 5",
        "Leave it out, or write a text",
    ),
    "nothing to admit": (admit(None), "ILK-102", "a record is a mapping", "admit("),
    "a state to begin in that is a typo": (
        admit({"customer": "Ann", "status": "packd"}),
        "ILK-203",
        "no state 'packd'",
        "Did you mean 'packed'?",
    ),
    "a column of the engine": (
        admit({"customer": "Ann", "version": 5}),
        "ILK-102",
        "'version' is kept by Interlock",
        "Leave it out",
    ),
    "an id of another type": (
        admit({"id": "three", "customer": "Ann"}),
        "ILK-102",
        "'three' is not an id of this kind; its ids are whole numbers",
        "key column itself",
    ),
    "a value that no database has": (admit({"customer": object()}), "ILK-213", "refused", "a type that"),
    "a state that is a typo": (
        move(status="packng"),
        "ILK-203",
        "no state 'packng'",
        "Did you mean 'packing'?",
    ),
    "a move that is not legal": (
        move(status="packed"),
        "ILK-204",
        "legal from placed: packing",
        "record why",
    ),
    "an actor that is empty": (move(actor=""), "ILK-102", "actor must be a text", 'actor="eve"'),
    "an actor that is a number": (move(actor=7), "ILK-102", "actor must be a text", 'actor="eve"'),
    "no axis": (move(status=...), "ILK-102", "exactly one axis of orders: status=…", 'status="…"'),
    "two axes": (move(state="packing"), "ILK-102", "exactly one axis of orders", 'status="…"'),
    "an axis that is a typo": (
        move(status=..., state="packing"),
        "ILK-103",
        "no axis 'state'; it has status",
        "Did you mean 'status'?",
    ),
    "a record that is not there": (move(99), "ILK-201", "orders has no record 99", "record list"),
    "no id": (move(None), "ILK-102", "an id may not be empty", "key column itself"),
    "a row instead of its id": (move({"id": 1}), "ILK-102", "is not an id of this kind", "key column itself"),
    "a state that is a number": (
        move(status=3),
        "ILK-102",
        "takes a state, which is text or None, not 3",
        "It has placed, packing",
    ),
    "a scope where there is none": (move(scope="de"), "ILK-102", "has no scopes", "Leave scope out"),
    "a version that was overtaken": (move(version=7), "ILK-208", "orders 1", "Read the record again"),
    "a version as text": (
        move(version="1"),
        "ILK-102",
        "version must be a whole number",
        "the row that you read",
    ),
    "facts as a list": (move(facts=["heavy"]), "ILK-102", "facts must be a mapping", 'facts={"weight": 3}'),
    "a fact that cannot be kept": (
        move(facts={"x": object()}),
        "ILK-102",
        "cannot be kept in the ledger",
        "text",
    ),
    "a fact of another type than its column's": (
        move(facts={"paid": "yes"}),
        "ILK-102",
        "'paid' cannot be 'yes'",
        "paid is BOOLEAN: give it True, False or None",
    ),
    "a status among the facts": (
        move(facts={"status": "packed"}),
        "ILK-102",
        "'status' is kept by Interlock",
        "app.move(…, status=…)",
    ),
    "a reason that is empty": (move(reason=""), "ILK-102", "reason is empty", "say why"),
    "a transaction that is none": (move(tx="mine"), "ILK-102", "tx must be a Session", "Leave tx out"),
    "one id to move many": (
        lambda app: app.move_many("orders", 1, status="packing", actor="eve"),  # type: ignore[arg-type]
        "ILK-102",
        "several records are a list of ids, not 1",
        "[7, 8]",
    ),
    "text to move many": (
        lambda app: app.move_many("orders", "1", status="packing", actor="eve"),
        "ILK-102",
        "several records are a list of ids, not '1'",
        "[7, 8]",
    ),
    "an operator's move without a role": (
        move(2, status="placed"),
        "ILK-211",
        'needs role="operator"; no role was given',
        'role="operator"',
    ),
    "an operator's move without a reason": (
        move(2, status="placed", role="operator"),
        "ILK-211",
        "needs a reason",
        'reason="…"',
    ),
    "a role that is not the one": (
        move(2, status="placed", role="boss", reason="why not"),
        "ILK-211",
        'the role was "boss"',
        'role="operator"',
    ),
    "a retry of what has not failed": (
        lambda app: app.retry("orders", 1, actor="eve", reason="again"),
        "ILK-102",
        "there is nothing to retry",
        "record why",
    ),
    "an amended status": (
        amend(status="packed"),
        "ILK-102",
        "status is kept by Interlock",
        "customer, note, paid, price",
    ),
    "an amended key": (amend(id=7), "ILK-102", "id is kept by Interlock", "customer, note, paid, price"),
    "an amended value of another type": (
        amend(note=7),
        "ILK-102",
        "note is TEXT, and cannot be 7",
        "note is TEXT: give it text",
    ),
    "nothing to amend": (amend(), "ILK-102", "amend needs facts to change", "facts={"),
    "a column that may not be emptied": (
        amend(customer=None),
        "ILK-102",
        "customer may not be empty",
        "Give it a value",
    ),
    "an erasure without the role": (
        lambda app: app.erase("orders", 1, actor="eve", role="guest", reason="asked"),
        "ILK-211",
        'erasing needs role="admin"; the role was "guest"',
        'role="admin"',
    ),
    "a record to read that is not there": (
        lambda app: app.get("orders", 99),
        "ILK-201",
        "no record 99",
        "record list",
    ),
    "a removal without a reason": (
        lambda app: app.delete("orders", 1, actor="eve", role="admin", reason=""),
        "ILK-102",
        "reason is empty",
        "say why",
    ),
    "a cancel of a kind without stages": (
        lambda app: app.cancel("orders", 1, actor="eve", reason="enough"),
        "ILK-102",
        "orders has no stages",
        "app.move()",
    ),
    "a pause of a stage that is not there": (
        lambda app: app.pause("orders", "pack", actor="eve", reason="lunch"),
        "ILK-103",
        "orders has no stage 'pack'",
        "interlock stage list",
    ),
    "attempts of one id": (
        lambda app: app.attempts("orders", 1),  # type: ignore[arg-type]
        "ILK-102",
        "several records are a list of ids, not 1",
        'app.attempts("orders", [7])',
    ),
    "three parts for an id": (
        lambda app: raised(app.move_many("orders", [(1, 0, 0)], status="packing", actor="eve")),  # type: ignore[list-item]
        "ILK-102",
        "is neither an id nor (id, version)",
        "[7, 8]",
    ),
    "an id that is too large": (move(2**70), "ILK-102", "is larger than any id can be", "key column itself"),
    "a filter that is a typo": (
        lambda app: app.list("orders", where={"stats": "packed"}),
        "ILK-103",
        "no axis or column 'stats'",
        "Did you mean 'status'?",
    ),
    "a filter by a state that is a typo": (
        lambda app: app.list("orders", where={"status": "pakced"}),
        "ILK-203",
        "no state 'pakced'",
        "Did you mean 'packed'?",
    ),
    "a filter as text": (
        lambda app: app.list("orders", where="status=placed"),  # type: ignore[arg-type]
        "ILK-102",
        "where is a mapping of axes and columns to values, not 'status=placed'",
        'where={"status": "placed"}',
    ),
    "a page without records": (
        lambda app: app.list("orders", limit=0),
        "ILK-102",
        "a page has at least one record, not 0",
        "limit=50",
    ),
    "a page by a word": (
        lambda app: app.list("orders", limit="5"),  # type: ignore[arg-type]
        "ILK-102",
        "a page has at least one record, not '5'",
        "limit=50",
    ),
    "a piece of history without entries": (
        lambda app: app.ledger.tail(limit=0),
        "ILK-102",
        "a page has at least one record, not 0",
        "limit=50",
    ),
    "a sort by a list": (
        lambda app: app.list("orders", sort=["note"]),  # type: ignore[arg-type]
        "ILK-102",
        "records are sorted by one column, not ['note']",
        'sort="priority"',
    ),
    "a cursor that is a number": (
        lambda app: app.ledger.tail(5),  # type: ignore[arg-type]
        "ILK-102",
        "'5' is not a cursor",
        "0.1500",
    ),
    "an instant that is a word": (
        lambda app: app.ledger.as_of("orders", 1, "yesterday"),  # type: ignore[arg-type]
        "ILK-102",
        "'yesterday' is not an instant",
        "datetime.now(UTC)",
    ),
    "one column without brackets": (
        lambda app: app.list("orders", columns="note"),
        "ILK-102",
        "columns are a list",
        'columns=["note"]',
    ),
}
TYPED = {
    "UPDATE orders SET status = 'packing' WHERE id = 1": ("ILK-204", "app.move()"),
    "UPDATE orders SET status = 'packed' WHERE id = 1": ("ILK-204", "app.move()"),
    "UPDATE orders SET version = 9 WHERE id = 1": ("ILK-204", "app.move()"),
    "INSERT INTO orders (id, customer, status) VALUES (50, 'Bob', 'placed')": ("ILK-213", "app.admit()"),
    "DELETE FROM orders WHERE id = 1": ("ILK-213", "app.delete()"),
}


@pytest.fixture
def app(opened: Any) -> App:
    """Record 1 is placed, record 2 is packed."""
    made: App = opened(orders())
    made.admit_many("orders", [{"id": 1, "customer": "Ann"}, {"id": 2, "customer": "Bob"}])
    for state in ("packing", "packed"):
        made.move("orders", 2, status=state, actor="eve")
    return made


def content(app: App) -> tuple[Any, Any]:
    """Every row and every entry."""
    return [app.get("orders", one.id) for one in app.list("orders").records], [
        (move.id, move.version, move.old, move.new) for _, move in app.ledger.tail()
    ]


def test_a_mistake_in_a_call_is_refused_with_a_hint_and_changes_nothing(app: App, whole: Any) -> None:
    before = content(app)
    for name, (call, code, message, hint) in MISTAKES.items():
        with pytest.raises(InterlockError) as refused:
            call(app)
        assert (name, refused.value.code) == (name, code)
        assert message in str(refused.value), name
        assert hint, name
        assert hint in refused.value.hint, name
        assert content(app) == before, name
    whole(app)


def test_sql_typed_by_hand_is_refused_with_the_call_to_use(app: App, hand: Any, whole: Any) -> None:
    before = content(app)
    for statement, (code, call) in TYPED.items():
        with pytest.raises(Exception, match="ILK") as refused:
            hand.run(statement)
        assert code in str(refused.value), statement
        assert call in str(refused.value), statement
        assert content(app) == before, statement
    whole(app)


def test_a_row_added_through_a_session_is_refused_with_the_call_to_use(app: App, whole: Any) -> None:
    class Base(DeclarativeBase):
        pass

    class Order(Base):
        __table__ = app.workflow("orders").records

    before = content(app)
    with Session(app.database.engine) as session:
        session.add(Order(id=70, customer="Cleo", status="placed"))
        with pytest.raises(DBAPIError, match=r"app\.admit\(\)"):
            session.commit()
    with Session(app.database.engine) as session:
        session.get_one(Order, 1).status = "packing"
        with pytest.raises(DBAPIError, match=r"app\.move\(\)"):
            session.commit()
    assert content(app) == before
    whole(app)


def test_a_move_that_only_newer_code_knows_is_refused_with_the_command_that_upgrades_the_guards(
    app: App, database_url: str, whole: Any
) -> None:
    before = content(app)
    longer = Machine("order", initial="placed", moves={"placed": ["packing", "lost"], "packing": ["packed"]})
    later = Workflow("orders", noun="order", records=orders().records, axes=[Axis("status", longer)])
    newer = App([later], database=database_url)
    try:
        with pytest.raises(InterlockError) as refused:
            newer.move("orders", 1, status="lost", actor="eve")
    finally:
        newer.close()
    assert refused.value.code in ("ILK-204", "ILK-304")
    assert "interlock db upgrade" in refused.value.hint
    assert content(app) == before
    whole(app)
