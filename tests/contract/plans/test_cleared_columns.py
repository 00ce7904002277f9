"""Columns that a state empties: by single moves, in batches, by stages, by rules and by retries; history replays to what the rows have."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import JSON, Column, ForeignKey, Integer, MetaData, String, Table, Text, update

from interlock import App, Axis, Done, Machine, Outcome, Work, Workflow, entering, operator
from interlock.errors import BadDeclaration
from interlock.observe.invariants import replay
from interlock.testing import Sandbox
from tests.contract.working import Boxed, apply, claim, dispatch, finish

EXTRACTION = Machine(
    "extraction",
    initial="pending",
    moves={
        "pending": ["in_progress"],
        "in_progress": ["processed", "failed"],
        "processed": [operator("pending"), None],
        "failed": ["pending"],
        None: ["pending"],
    },
)
CURATION = Machine("curation", initial="kept", states=["kept", "renewed"])


def themes(**axis: Any) -> Workflow:
    """Two axes in one row; entering `pending` empties what the last extraction left, entering null a JSON column."""
    table = Table(
        "themes",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("summary", Text),
        Column("tags", JSON),
        Column("title", Text, nullable=False, server_default="untitled"),
    )
    options = {
        "stamps": {"processed": "processed_at"},
        "cleared": {"pending": ["processed_at", "summary"], None: ["tags"], "in_progress": ["summary"]},
        **axis,
    }
    workflow = Workflow(
        "themes",
        records=table,
        axes=[Axis("status", EXTRACTION, **options), Axis("curation", CURATION, prefix="curation_")],
        rules=[entering(curation="renewed").moves(status={"failed": "pending"})],
    )

    @workflow.stage(waiting="pending", running="in_progress", done="processed", failed="failed")
    def extract(work: Work) -> Outcome[None]:
        return Done(summary=f"about {work.id}")

    return workflow


@pytest.fixture
def box(boxed: Boxed) -> Sandbox:
    made = boxed(themes())
    made.admit_many("themes", [{"id": number, "tags": ["a"]} for number in range(1, 6)])
    made.drain()
    return made


def again(box: Sandbox, *ids: int, **options: Any) -> list[str]:
    said = {"actor": "ann", "role": "operator", "reason": "once more", **options}
    return [answer.outcome for answer in box.move_many("themes", ids, status="pending", **said)]


def left(box: App, id: int) -> tuple[Any, Any, Any]:
    row = box.get("themes", id)
    return row["status"], row["processed_at"], row["summary"]


def test_entering_empties_the_columns_in_the_same_move(box: Sandbox) -> None:
    before = left(box, 1)
    assert (before[0], before[2], before[1] is None) == ("processed", "about 1", False)
    assert again(box, 1) == ["moved"]
    assert left(box, 1) == ("pending", None, None)
    assert left(box, 2)[1] is not None  # its neighbour is as it was
    last = box.ledger.history("themes", 1, axis="status")[-1]
    assert (last.old, last.new, last.facts) == ("processed", "pending", {})
    assert replay(box.database, list(box.workflows.values())) == []


def test_a_batch_empties_them_too_and_history_replays_to_the_rows(box: Sandbox) -> None:
    assert again(box, 1, 2, 3, 4, 5) == ["moved"] * 5
    assert {left(box, id) for id in range(1, 6)} == {("pending", None, None)}
    box.drain()
    assert [left(box, id)[2] for id in range(1, 6)] == [f"about {id}" for id in range(1, 6)]
    assert all(left(box, id)[1] is not None for id in range(1, 6))
    assert replay(box.database, list(box.workflows.values())) == []
    assert box.check().findings == []


@pytest.mark.parametrize("batches", [True, False], ids=["whole batches", "row by row"])
def test_a_stage_that_begins_empties_what_its_running_state_says(boxed: Boxed, batches: bool) -> None:
    box = boxed(themes())
    box.coordinates._may_move_batches = batches
    box.admit_many("themes", [{"id": 1, "summary": "old"}, {"id": 2, "summary": "older"}])
    assert [left(box, id)[2] for id in (1, 2)] == ["old", "older"]  # admitted with what the row gives
    assert dispatch(box) == 2
    assert [left(box, id) for id in (1, 2)] == [("in_progress", None, None)] * 2
    for attempt in claim(box):
        finish(box, attempt, Done(summary="new"))
    apply(box)
    assert [left(box, id)[2] for id in (1, 2)] == ["new", "new"]
    assert replay(box.database, list(box.workflows.values())) == []


def test_a_fact_of_the_same_move_comes_before_emptying(box: Sandbox) -> None:
    assert again(box, 1, facts={"summary": "kept for later"}) == ["moved"]
    assert left(box, 1) == ("pending", None, "kept for later")
    assert box.ledger.history("themes", 1, axis="status")[-1].facts == {"summary": "kept for later"}
    assert replay(box.database, list(box.workflows.values())) == []


def test_a_driven_move_empties_them_as_well(boxed: Boxed) -> None:
    box = boxed(themes())
    box.place("themes", 1, status="failed")
    box.amend("themes", 1, facts={"summary": "half"}, actor="ann", reason="by hand", axis="status")
    answer = box.move("themes", 1, actor="ann", curation="renewed")
    assert [(move.axis, move.new) for move in answer.driven] == [("status", "pending")]
    assert left(box, 1) == ("pending", None, None)
    assert replay(box.database, list(box.workflows.values())) == []


def test_the_null_state_empties_a_json_column_to_null(box: Sandbox) -> None:
    box.move("themes", 1, actor="ann", status=None)
    with box.database.read() as tx:
        (empty,) = tx.exec_driver_sql("SELECT tags IS NULL FROM themes WHERE id = 1").one()
    assert (bool(empty), box.get("themes", 2)["tags"]) == (True, ["a"])
    assert box.ledger.history("themes", 1, axis="status")[-1].new is None


def test_a_value_that_sql_puts_back_is_found_by_a_replay(box: Sandbox) -> None:
    again(box, 1)
    table = box.workflow("themes").records
    with box.database.write() as tx:
        tx.execute(update(table).where(table.c.id == 1).values(summary="by hand"))
    (found,) = replay(box.database, list(box.workflows.values()))
    assert (found.id, "summary" in found.problem) == ("1", True)


def test_a_scoped_axis_empties_the_row_of_its_scope_alone(boxed: Boxed) -> None:
    metadata = MetaData()
    articles = Table("articles", metadata, Column("id", Integer, primary_key=True))
    state = Table(
        "article_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
        Column("note", Text),
    )
    axis = Axis(
        "status",
        EXTRACTION,
        table=state,
        scope=("technical", "fundamental"),
        scope_column="pipeline",
        stamps={"processed": "processed_at"},
        cleared={"pending": ["processed_at", "note"]},
    )
    box = boxed(Workflow("articles", records=articles, axes=[axis]))
    box.admit("articles", {"id": 1})
    for scope in axis.scopes:
        box.place("articles", 1, scope=scope, status="processed")
    box.move("articles", 1, actor="ann", role="operator", reason="anew", scope="technical", status="pending")
    with box.database.read() as tx:
        rows = {row.pipeline: row for row in tx.execute(state.select())}
    assert (rows["technical"].status, rows["technical"].processed_at) == ("pending", None)
    assert (rows["fundamental"].status, rows["fundamental"].processed_at is None) == ("processed", False)
    assert box.ledger.history("articles", 1, scope="technical")[-1].new == "pending"


@pytest.mark.parametrize(
    ("cleared", "why"),
    [
        ({"pending": ["sumary"]}, "does not have"),
        ({"pendng": ["summary"]}, "does not have"),
        ({"pending": ["title"]}, "may not be empty"),
        ({"pending": ["version"]}, "the engine sets itself"),
        ({"processed": ["processed_at"]}, "the engine sets itself"),
    ],
)
def test_what_cannot_be_emptied_is_refused_when_it_is_declared(cleared: Any, why: str) -> None:
    with pytest.raises(BadDeclaration, match=why):
        themes(cleared=cleared)
