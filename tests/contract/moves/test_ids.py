"""An id has the Python type of its table's key everywhere: in answers, hooks, history and tail, whoever moved the record and however."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text, Uuid

from interlock import Axis, Done, Machine, Move, Work, Workflow, entering
from interlock.errors import BadInput
from interlock.service.http.answers import encoded
from interlock.service.resources.ledger import entry
from interlock.testing import Sandbox
from tests.contract.working import Boxed

DASHED = "12345678-1234-5678-1234-567812345678"
PLAIN = DASHED.replace("-", "")
MAIN = Machine(
    "main", initial="new", moves={"new": ["ready"], "ready": ["busy"], "busy": ["done"], "done": ["new"]}
)
SIDE = Machine("side", initial="off", states=["off", "on"])
TYPES: dict[str, tuple[Any, Any, tuple[Any, ...], Any]] = {
    # the column's type, an id as the table has it, other forms of the same id, and its form in JSON
    "integer": (Integer(), 7, ("7",), 7),
    "text": (Text(), "7", (), "7"),
    "uuid": (Uuid(), UUID(DASHED), (DASHED, PLAIN, DASHED.upper()), DASHED),
    "uuid as text": (Uuid(as_uuid=False), DASHED, (UUID(DASHED), PLAIN, DASHED.upper()), DASHED),
}


def declared(kind: Any, seen: list[Any], works: list[Any]) -> Workflow:
    """A stage, a rule within the row, one that reaches into a scoped axis, and a hook for every move of each."""
    metadata = MetaData()
    table = Table("things", metadata, Column("id", kind, primary_key=True), Column("note", Text))
    states = Table(
        "thing_states",
        metadata,
        Column("number", Integer, primary_key=True),
        Column("thing", ForeignKey("things.id")),
        Column("part", String(9)),
    )
    workflow = Workflow(
        "things",
        records=table,
        axes=[
            Axis("main", MAIN, prefix="main_"),
            Axis("side", SIDE, prefix="side_"),
            Axis("share", SIDE, table=states, scope=("a", "b"), scope_column="part", prefix="share_"),
        ],
        rules=[
            entering(main="ready").moves(side={"off": "on"}),
            entering(main="ready").moves(share={"off": "on"}),
        ],
    )

    @workflow.stage(waiting="ready", running="busy", done="done", axis="main")
    def work(given: Work) -> Done[None]:
        works.append(given.id)
        return Done()

    for axis in workflow.axes:

        @workflow.on_move(axis=axis)
        def note(tx: Connection, moves: Sequence[Move]) -> None:
            seen.extend(move.id for move in moves)

    return workflow


def everywhere(box: Sandbox, id: Any) -> list[Any]:
    """The ids of all moves of a record, as each reader of the ledger has them."""
    moves = [
        *box.ledger.history("things", id),
        *(move for _, move in box.ledger.tail()),
        *(move for _, move in box.ledger.tail("0.0")),
        *box.ledger.as_of("things", id, box.clock.now()),
    ]
    return [move.id for move in moves]


def are(found: Sequence[Any], id: Any) -> bool:
    return bool(found) and all(type(one) is type(id) and one == id for one in found)


@pytest.mark.parametrize("name", TYPES)
def test_an_id_has_the_type_of_its_table_whoever_moves_the_record(boxed: Boxed, name: str) -> None:
    kind, id, forms, in_json = TYPES[name]
    seen: list[Any] = []
    works: list[Any] = []
    box = boxed(declared(kind, seen, works))
    for form in (id, *forms):
        assert are([box.admit("things", {"id": form}).id], id)
    moved = box.move("things", forms[-1] if forms else id, actor="ann", main="ready", key="once")
    assert are([moved.id, *(move.id for move in moved.driven)], id)
    assert len(moved.driven) == 3
    again = box.move("things", forms[-1] if forms else id, actor="ann", main="ready", key="once")
    assert again == moved
    assert are([again.id, *(move.id for move in again.driven)], id)
    box.drain()
    for form in forms:
        assert are([answer.id for answer in box.move_many("things", [form], actor="ann", side="off")], id)
        assert are([box.amend("things", form, facts={"note": "n"}, actor="ann", reason="r").id], id)
        assert are(everywhere(box, form), id)
    assert are(everywhere(box, id), id)
    assert are(seen, id)
    assert are(works, id)
    assert [move.new for move in box.ledger.history("things", id, axis="main")][:4] == [
        "new",
        "ready",
        "busy",
        "done",
    ]
    _, newest = box.ledger.tail(limit=1)[0]
    assert json.loads(encoded(entry(newest)))["id"] == in_json


@pytest.mark.parametrize("name", ["uuid", "uuid as text"])
@pytest.mark.parametrize("bad", ["no uuid", 7, DASHED[:-1]])
def test_what_is_no_uuid_is_refused_before_the_database_sees_it(boxed: Boxed, name: str, bad: Any) -> None:
    box = boxed(declared(TYPES[name][0], [], []))
    box.admit("things", {"id": DASHED})
    with pytest.raises(BadInput, match="its ids are"):
        box.move("things", bad, actor="ann", main="ready")
    assert [
        answer.outcome for answer in box.move_many("things", [bad, DASHED], actor="ann", main="ready")
    ] == ["refused", "moved"]
    assert box.get("things", DASHED)["main"] == "ready"
