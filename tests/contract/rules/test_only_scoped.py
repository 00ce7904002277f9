"""Records whose whole state is per scope, as a team's own table of articles has it: admitted, worked on and told like any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text, select

from interlock import App, Axis, Done, Machine, Move, Outcome, Work, Workflow, operator
from interlock.errors import NotPermitted, UnknownRecord
from tests.contract.conftest import Opener
from tests.contract.working import Boxed

EXTRACTION = Machine(
    "extraction",
    initial="pending",
    moves={
        "pending": ["in_progress"],
        "in_progress": ["processed", "failed_retryable", "failed_terminal"],
        "processed": [operator("pending")],
        "failed_retryable": ["in_progress", "failed_terminal"],
        "failed_terminal": [operator("pending")],
    },
)


def articles(*, paired: bool = False) -> Workflow:
    metadata = MetaData()
    items = Table(
        "content_items",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("title", Text, nullable=False),
        Column("source", String(20), default="wire"),
        Column("link", String(80), unique=True),
    )
    feeds = Table(
        "feeds",
        metadata,
        Column("source", String(20), primary_key=True),
        Column("pipeline", String(20), primary_key=True),
    )
    state = Table(
        "pipeline_state",
        metadata,
        Column("item_id", ForeignKey("content_items.id"), primary_key=True),
        Column("pipeline", String(20), primary_key=True),
    )
    pairs: Any = (
        select(items.c.id, feeds.c.pipeline).join(feeds, feeds.c.source == items.c.source) if paired else None
    )
    workflow = Workflow(
        "themes",
        noun="article",
        records=items,
        unique=("link",),
        tables=[feeds],
        axes=[
            Axis(
                "status",
                EXTRACTION,
                table=state,
                scope=("technical", "fundamental"),
                scope_column="pipeline",
                columns={"tries": "attempt_count"},
                **({"pairs": pairs} if paired else {}),
            )
        ],
    )

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s"],
    )
    def extract_themes(work: Work) -> Outcome[Any]:
        return Done(seen=f"{work.record['title']} {work.scope}")

    return workflow


def states(app: App, id: Any) -> dict[str, str]:
    return {
        scope: app.ledger.history("themes", id, scope=scope)[-1].new for scope in ("technical", "fundamental")
    }  # type: ignore[misc]


def test_each_scope_begins_in_its_first_state(opened: Opener) -> None:
    app = opened(articles())
    answers = app.admit_many(
        "themes", [{"id": 7, "title": "Rates rise", "link": "a"}, {"title": "Rates fall", "link": "b"}]
    )
    assert [answer.outcome for answer in answers] == ["admitted", "admitted"]
    assert [states(app, answer.id) for answer in answers] == [
        {"technical": "pending", "fundamental": "pending"}
    ] * 2
    assert app.get("themes", 7)["source"] == "wire"
    assert app.check().findings == []


def test_what_is_there_is_not_made_twice(opened: Opener) -> None:
    app = opened(articles())
    first = app.admit("themes", {"title": "Rates rise", "link": "a"})
    again = app.admit_many(
        "themes",
        [{"title": "Another", "link": "a"}, {"title": "New", "link": "c"}, {"title": "New", "link": "c"}],
    )
    assert [answer.outcome for answer in again] == ["exists", "admitted", "exists"]
    assert again[0].id == first.id


def test_a_row_that_its_table_refuses_is_refused_alone(opened: Opener) -> None:
    app = opened(articles())
    answers = app.admit_many(
        "themes",
        [{"title": "Good", "link": "a"}, {"title": None, "link": "b"}, {"title": "Good too", "link": "c"}],
    )
    assert [answer.outcome for answer in answers] == ["admitted", "refused", "admitted"]
    assert app.counts() == {
        ("themes", "status", "technical", "pending"): 2,
        ("themes", "status", "fundamental", "pending"): 2,
    }


def test_work_runs_once_for_each_scope(boxed: Boxed) -> None:
    box = boxed(articles())
    id = box.admit("themes", {"title": "Rates rise", "link": "a"}).id
    box.drain()
    assert states(box, id) == {"technical": "processed", "fundamental": "processed"}
    assert [entry.facts for entry in box.ledger.history("themes", id, scope="technical")][-1] == {
        "seen": "Rates rise technical"
    }


def test_only_pairs_that_shall_exist_get_a_state(opened: Opener) -> None:
    workflow = articles(paired=True)
    app = opened(workflow)
    with app.database.engine.begin() as tx:
        tx.execute(
            workflow.records.metadata.tables["feeds"].insert(), [{"source": "wire", "pipeline": "technical"}]
        )
    app.admit("themes", {"title": "Rates rise", "link": "a"})
    assert app.counts() == {("themes", "status", "technical", "pending"): 1}


@pytest.mark.parametrize(
    ("act", "outcome", "origin"), [("erase", "erased", "erase"), ("delete", "deleted", "deletion")]
)
def test_such_records_leave_with_every_scope(
    opened: Opener, whole: Any, act: str, outcome: str, origin: str
) -> None:
    app = opened(articles())
    id, other = (app.admit("themes", {"title": "Rates rise", "link": link}).id for link in "ab")
    app.move("themes", id, actor="ann", status="in_progress", scope="technical", reason="private")
    answer = getattr(app, act)("themes", id, actor="ann", role="admin", reason="asked to")
    assert (answer.outcome, answer.new, answer.version) == (outcome, None, None)
    for scope, version in (("technical", 2), ("fundamental", 1)):
        last = app.ledger.history("themes", id, scope=scope)[-1]
        assert (last.origin, last.new, last.version, last.actor, last.reason) == (
            origin,
            None,
            version,
            "ann",
            "asked to",
        )
    with pytest.raises(UnknownRecord):
        app.get("themes", id)
    assert states(app, other) == {"technical": "pending", "fundamental": "pending"}
    assert app.counts() == {
        ("themes", "status", scope, "pending"): 1 for scope in ("technical", "fundamental")
    }
    with pytest.raises(UnknownRecord):
        getattr(app, act)("themes", id, actor="ann", role="admin", reason="again")
    with pytest.raises(NotPermitted):
        getattr(app, act)("themes", other, actor="ann", role="curator", reason="may not")
    assert app.get("themes", other)["link"] == "b"
    whole(app)


def noted(workflow: Workflow) -> list[tuple[Any, ...]]:
    """What the hooks of the first state are called with."""
    called: list[tuple[Any, ...]] = []

    @workflow.on_move("pending")
    def note(tx: Connection, moves: Sequence[Move]) -> None:
        called.extend(
            (move.id, move.scope, move.version, move.old, move.new, move.actor, move.origin) for move in moves
        )

    return called


def test_hooks_are_called_when_scoped_rows_are_admitted(opened: Opener, whole: Any) -> None:
    workflow = articles()
    called = noted(workflow)
    app = opened(workflow)
    app.admit_many(
        "themes",
        [{"id": 1, "title": "Rates rise", "link": "a"}, {"id": 2, "title": "Again", "link": "a"}],
        actor="ann",
    )
    assert sorted(called) == [
        (1, scope, 0, None, "pending", "ann", "admit") for scope in ("fundamental", "technical")
    ]
    assert states(app, 1) == {"technical": "pending", "fundamental": "pending"}
    whole(app)


def test_hooks_are_called_when_the_sweep_makes_a_pair_that_was_missing(boxed: Boxed) -> None:
    workflow = articles(paired=True)
    called = noted(workflow)
    box = boxed(workflow)
    box.admit("themes", {"id": 7, "title": "Rates rise", "link": "a"})
    assert called == []
    with box.database.engine.begin() as tx:
        tx.execute(
            workflow.records.metadata.tables["feeds"].insert(), [{"source": "wire", "pipeline": "technical"}]
        )
    box.advance("1m")
    box.drain()
    assert called == [(7, "technical", 0, None, "pending", "coordinator", "admit")]
    assert [(move.version, move.new) for move in box.ledger.history("themes", 7, scope="technical")] == [
        (0, "pending"),
        (1, "in_progress"),
        (2, "processed"),
    ]
