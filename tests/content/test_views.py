"""The views that SQL reads: transitions as events, approved items with their deprecation."""

from __future__ import annotations

import json
import re
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import text

from interlock import App
from interlock.store.migrations.full_sql import full_sql
from interlock.testing import Sandbox
from interlock.workflows.content.acts import amend_payload, deprecate, erase
from interlock.workflows.content.workflow import declare
from tests.content.items import ADMIN, OPERATOR, PAYLOADS, STATES, draft, item
from tests.contract.hand import Hand


def read(box: Sandbox, sql: str) -> list[Any]:
    with box.database.read() as tx:
        return [dict(row) for row in tx.execute(text(sql)).mappings()]


def test_every_transition_is_an_event_and_nothing_else_is(box: Sandbox) -> None:
    item(box, "a", "APPROVED")
    draft(box, "b")
    amend_payload(box, "b", payload=PAYLOADS["meaning"], actor="ann", reason="again")
    events = read(box, "SELECT * FROM state_transition_events ORDER BY id")
    assert [(one["item_id"], one["item_type"], one["from_state"], one["to_state"]) for one in events] == [
        ("a", "meaning", old, new) for old, new in pairwise(STATES)
    ]
    assert [json.loads(one["metadata"]) for one in events] == [{}, {}, {"approval_type": "MANUAL"}]
    moves = [
        move for move in box.ledger.history("content", "a", axis="state") if move.old not in (None, move.new)
    ]
    assert len(events) == len(moves) == 3
    erase(box, "a", **ADMIN, reason="asked for")
    after = read(box, "SELECT * FROM state_transition_events ORDER BY id")
    assert [(one["item_id"], one["item_type"], one["metadata"]) for one in after] == [
        ("a", "meaning", "{}")
    ] * 3
    closing = box.ledger.history("content", "a", axis="state")[-1]
    assert (closing.origin, closing.facts) == ("erase", {"item_type": "meaning"})


@pytest.mark.parametrize(
    ("column", "value", "index"),
    [
        ("item_id", "i7", "interlock_ledger"),
        ("item_type", "rule", "content_spine_by_kind"),
        ("to_state", "VALIDATED", "content_transitions_by_state"),
    ],
)
def test_events_are_filtered_by_an_index(box: Sandbox, column: str, value: str, index: str) -> None:
    for number in range(30):
        draft(box, f"i{number}")
    box.move_many("content", [f"i{number}" for number in range(30)], actor="ann", state="CANDIDATE")
    item(box, "v", "VALIDATED", kind="rule")
    draft(box, "gone", kind="rule")
    erase(box, "gone", **ADMIN, reason="asked for")
    events = read(
        box, f"SELECT item_id, to_state FROM state_transition_events WHERE {column} = '{value}' ORDER BY id"
    )
    expected = {"i7": [("i7", "CANDIDATE")], "VALIDATED": [("v", "VALIDATED")]}
    assert [tuple(one.values()) for one in events] == expected.get(
        value, [("v", "CANDIDATE"), ("v", "VALIDATED")]
    )
    plan = "\n".join(explained(box, f"SELECT * FROM state_transition_events WHERE {column} = '{value}'"))
    assert index in plan, plan
    assert not re.search(r"Seq Scan on interlock_ledger|SCAN entry(?! USING)", plan), plan


def explained(box: Sandbox, sql: str) -> list[str]:
    """The plan of a statement; a table of a few rows is scanned by PostgreSQL unless that is turned off."""
    with box.database.write() as tx:
        if box.database.name == "sqlite":
            return [str(row[-1]) for row in tx.execute(text(f"EXPLAIN QUERY PLAN {sql}"))]
        tx.execute(text("SET LOCAL enable_seqscan = off"))
        return [str(row[0]) for row in tx.execute(text(f"EXPLAIN {sql}"))]


def test_the_sql_for_a_dba_makes_the_views_too(database_url: str, hand: Hand) -> None:
    with closing(App([declare()], database=database_url)) as app:
        for statement in full_sql(list(app.workflows.values()), app.database.dialect):
            hand.connection.execute(statement)
        hand.connection.commit()
        assert app.migrate() == []
        with app.database.read() as tx:
            for view in app.workflow("content").views:
                assert tx.execute(text(f"SELECT count(*) FROM {view.name}")).scalar() == 0


def test_approved_views_have_the_deprecation_and_active_ones_leave_it_out(box: Sandbox) -> None:
    item(box, "a", "APPROVED")
    item(box, "b", "APPROVED", payload={"word": "cat", "definition": "it purrs and it sleeps"})
    deprecate(box, "a", **OPERATOR, reason="outdated", replacement_id="b")
    every = read(
        box,
        "SELECT item_id, word, deprecated_at, superseded_by_id FROM approved_meanings_all ORDER BY item_id",
    )
    assert [(one["item_id"], one["word"], one["superseded_by_id"]) for one in every] == [
        ("a", "dog", "b"),
        ("b", "cat", None),
    ]
    assert [one["deprecated_at"] is None for one in every] == [False, True]
    active = read(box, "SELECT item_id, deprecated_at FROM active_meanings")
    assert active == [{"item_id": "b", "deprecated_at": None}]
    for name in ("utterances", "rules", "exercises"):
        assert (
            read(box, f"SELECT * FROM active_{name}") == read(box, f"SELECT * FROM approved_{name}_all") == []
        )
