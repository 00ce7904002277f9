"""move(): what it answers, what it raises, and what it leaves behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interlock import App, Axis, Machine, Workflow
from interlock.clock import FrozenClock
from interlock.errors import (
    ConcurrentModificationError,
    InvalidStateTransition,
    NotPermitted,
    UnknownRecord,
    UnknownState,
)
from tests.kinds import content, domains, plain, themes, uploads

LINE = Machine("line", initial="a", moves={"a": ["b"], "b": ["c"]})


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads(), clock=FrozenClock())
    made.admit("statements", {"id": "u1"})
    return made


def test_a_move_answers_from_where_to_where_and_its_version(app: App, whole: Any) -> None:
    answer = app.move("statements", "u1", actor="ann", status="parsing")
    assert (answer.id, answer.outcome, answer.old, answer.new, answer.version) == (
        "u1",
        "moved",
        "queued_for_parse",
        "parsing",
        1,
    )
    assert answer.ok
    assert answer.driven == []
    row = app.get("statements", "u1")
    assert (row["status"], row["version"]) == ("parsing", 1)
    whole(app)


def test_to_where_it_already_is_nothing_is_written(app: App, whole: Any) -> None:
    before = app.get("statements", "u1")
    answer = app.move(
        "statements",
        "u1",
        actor="ann",
        reason="again",
        facts={"observations_count": 9},
        status="queued_for_parse",
    )
    assert (answer.outcome, answer.old, answer.new, answer.version) == (
        "unchanged",
        "queued_for_parse",
        "queued_for_parse",
        0,
    )
    assert app.get("statements", "u1") == before
    assert len(app.ledger.history("statements", "u1")) == 1
    whole(app)


def test_an_illegal_move_names_both_states_and_the_legal_ones(app: App) -> None:
    with pytest.raises(InvalidStateTransition) as refusal:
        app.move("statements", "u1", actor="ann", status="normalized")
    error = refusal.value
    assert error.code == "ILK-204"
    assert {"queued_for_parse", "normalized"} <= set(
        error.message.replace(":", " ").replace(",", " ").split()
    )
    assert error.facts["legal"] == ["parsing", "error"]
    assert "parsing, error" in error.message
    assert app.get("statements", "u1")["version"] == 0


def test_an_unknown_state_is_told_with_the_one_that_was_meant(app: App) -> None:
    with pytest.raises(UnknownState) as refusal:
        app.move("statements", "u1", actor="ann", status="parsng")
    assert refusal.value.code == "ILK-203"
    assert "parsing" in refusal.value.hint


def test_an_unknown_record_is_told(app: App) -> None:
    with pytest.raises(UnknownRecord) as refusal:
        app.move("statements", "nobody", actor="ann", status="parsing")
    assert refusal.value.code == "ILK-201"
    assert "nobody" in refusal.value.message


def test_the_version_the_caller_saw_is_held_against_the_row(app: App) -> None:
    assert app.move("statements", "u1", actor="ann", version=0, status="parsing").version == 1
    with pytest.raises(ConcurrentModificationError) as refusal:
        app.move("statements", "u1", actor="bob", version=0, status="parsed")
    error = refusal.value
    assert error.code == "ILK-208"
    assert "ann" in error.message
    assert "2026-01-01 00:00:00" in error.message
    assert (error.facts["seen"], error.facts["version"], error.facts["state"], error.facts["actor"]) == (
        0,
        1,
        "parsing",
        "ann",
    )
    assert app.get("statements", "u1")["status"] == "parsing"


def test_a_refusal_and_a_conflict_are_recorded_as_verdicts(app: App, hand: Any) -> None:
    for version, state in ((None, "normalized"), (7, "parsing")):
        app.move_many("statements", [("u1", version)], actor="ann", status=state)
    rows = hand.rows(
        "SELECT record_id, axis, verdict, code, wanted, actor, source FROM interlock_verdict ORDER BY position"
    )
    assert rows == [
        ("u1", "status", "refused", "ILK-204", "normalized", "ann", "command"),
        ("u1", "status", "conflict", "ILK-208", "parsing", "ann", "command"),
    ]


def test_facts_that_are_columns_land_on_the_row_and_all_of_them_in_the_ledger(app: App) -> None:
    app.move("statements", "u1", actor="ann", status="parsing")
    app.move("statements", "u1", actor="ann", facts={"observations_count": 12, "pages": 3}, status="parsed")
    assert app.get("statements", "u1")["observations_count"] == 12
    assert app.ledger.history("statements", "u1")[-1].facts == {"observations_count": 12, "pages": 3}


def test_an_operators_move_needs_role_and_reason(opened: Any) -> None:
    app: App = opened(content())
    app.admit("content", {"item_id": "c1", "author": "eve", "state": "CANDIDATE"})
    app.judge_gate("content", "c1", "level", passed=True, actor="gate")
    app.move("content", "c1", actor="ann", state="VALIDATED")
    for said, missing in (
        ({}, "role"),
        ({"reason": "good"}, "role"),
        ({"role": "operator"}, "reason"),
        ({"role": "viewer", "reason": "x"}, "operator"),
    ):
        with pytest.raises(NotPermitted) as refusal:
            app.move("content", "c1", actor="ann", state="APPROVED", **said)
        assert refusal.value.code == "ILK-211"
        assert missing in refusal.value.message
    assert (
        app.move("content", "c1", actor="ann", role="operator", reason="good", state="APPROVED").outcome
        == "moved"
    )
    last = app.ledger.history("content", "c1")[-1]
    assert (last.origin, last.role, last.reason) == ("operator", "operator", "good")


def test_null_is_a_state_to_come_from_and_to_go_to(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit("domains", {"id": 1, "host": "a", "curation_status": "Selected"})
    app.move("domains", 1, actor="ann", processing_status=None)
    assert app.get("domains", 1)["processing_status"] is None
    assert app.move("domains", 1, actor="ann", processing_status=None).outcome == "unchanged"
    assert app.move("domains", 1, actor="ann", processing_status="Queued").old is None
    whole(app)


def test_a_scoped_move_moves_its_own_scope_only(opened: Any, whole: Any) -> None:
    app: App = opened(themes())
    app.admit("themes", {"id": 1})
    answer = app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    assert (answer.outcome, answer.version) == ("moved", 1)
    states = {place.scope: place.state for place in app.explain("themes", 1).where if place.axis == "status"}
    assert states == {"technical": "in_progress", "fundamental": "pending"}
    whole(app)


def test_names_of_columns_can_be_mapped(opened: Any, hand: Any, whole: Any) -> None:
    made = plain(LINE)
    table = made.records.to_metadata(type(made.records.metadata)(), name="mapped")
    for name in ("status", "version", "since", "head"):
        table._columns.remove(table.c[name])
    axis = Axis(
        "stand",
        LINE,
        columns={"version": "edition", "since": "stands_since", "head": "seal"},
        stamps={"b": "reached_b"},
    )
    app: App = opened(Workflow("mapped", records=table, axes=[axis]), clock=FrozenClock())
    app.admit("mapped", {"id": "m1"})
    app.clock.sleep(60)
    app.move("mapped", "m1", actor="ann", stand="b")
    row = app.get("mapped", "m1")
    assert (row["stand"], row["edition"], row["reached_b"]) == ("b", 1, app.clock.now())
    assert row["stands_since"] - FrozenClock().now() == timedelta(seconds=60)
    whole(app)
