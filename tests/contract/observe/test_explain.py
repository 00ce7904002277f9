"""explain(): where a record is, why, what it waits for, what may come next and why not the rest."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import BadInput, UnknownRecord
from tests.kinds import content, domains, themes, uploads


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads(), domains(), content(), themes(), clock=FrozenClock())
    made.admit("statements", {"id": "u1"}, actor="ann")
    made.admit("domains", {"id": 1, "host": "a"})
    made.admit("themes", {"id": 1})
    made.admit("content", {"item_id": "c1", "state": "CANDIDATE"})
    return made


def possible(
    app: App, kind: str, id: Any, axis: str, scope: str | None = None
) -> dict[Any, tuple[bool, str]]:
    return {
        one.to: (one.allowed, one.code)
        for one in app.explain(kind, id).next
        if (one.axis, one.scope) == (axis, scope)
    }


def test_it_says_where_since_when_and_why(app: App) -> None:
    app.clock.sleep(60)
    app.move("statements", "u1", actor="bob", reason="it is time", status="parsing")
    told = app.explain("statements", "u1")
    (place,) = told.where
    assert (place.axis, place.state, place.since, place.version) == ("status", "parsing", app.clock.now(), 1)
    assert all(
        word in told.why[0]
        for word in ("parsing", "bob", "queued_for_parse", "2026-01-01 00:01:00", "it is time")
    )
    assert told.as_dict()["where"][0]["state"] == "parsing"


def test_it_says_what_the_record_waits_for(app: App) -> None:
    assert app.explain("statements", "u1").waits_for[0].what == "stage parse is to run"
    app.move("statements", "u1", actor="bob", status="parsing")
    assert [condition.what for condition in app.explain("statements", "u1").waits_for] == [
        "stage parse has no task for it (lost, or moved here by hand); the next sweep starts one"
    ]
    app.move("statements", "u1", actor="bob", facts={"observations_count": 0}, status="parsed")
    conditions = {condition.what: condition.met for condition in app.explain("statements", "u1").waits_for}
    assert [met for what, met in conditions.items() if what.startswith("only if")] == [False]


def test_it_says_what_may_come_next_and_why_not_the_rest(app: App) -> None:
    assert possible(app, "statements", "u1", "status") == {
        "parsing": (True, ""),
        "error": (True, ""),
        "parsed": (False, "ILK-204"),
        "normalizing": (False, "ILK-204"),
        "normalized": (False, "ILK-204"),
    }


def test_it_knows_of_rules(app: App) -> None:
    assert possible(app, "domains", 1, "processing_status")["Queued"] == (False, "ILK-205")
    app.move("domains", 1, actor="ann", curation_status="Selected")
    app.move("domains", 1, actor="ann", processing_status=None)
    assert possible(app, "domains", 1, "processing_status")["Queued"] == (True, "")


def test_it_knows_of_rules_across_tables(app: App) -> None:
    assert possible(app, "themes", 1, "status", "technical")["in_progress"] == (True, "")
    app.move("themes", 1, actor="ann", curation_status="Discarded")
    assert possible(app, "themes", 1, "status", "technical")["in_progress"] == (False, "ILK-205")


def test_it_knows_of_gates_and_of_operators(app: App) -> None:
    assert possible(app, "content", "c1", "state")["VALIDATED"] == (False, "ILK-206")
    app.judge_gate("content", "c1", "level", passed=False, actor="gate", reason="no such level")
    (refused,) = [one for one in app.explain("content", "c1").next if one.to == "VALIDATED"]
    assert "no such level" in refused.reason
    app.judge_gate("content", "c1", "level", passed=True, actor="gate")
    assert possible(app, "content", "c1", "state")["VALIDATED"] == (True, "")
    app.move("content", "c1", actor="ann", state="VALIDATED")
    assert possible(app, "content", "c1", "state")["APPROVED"] == (False, "ILK-211")


def test_it_tells_of_the_last_refusals(app: App) -> None:
    app.move_many("statements", ["u1"], actor="eve", status="normalized")
    assert any(
        "eve" in sentence and "normalized" in sentence and "ILK-204" in sentence
        for sentence in app.explain("statements", "u1").why
    )


def test_every_scope_is_told(app: App) -> None:
    assert {(place.axis, place.scope, place.state) for place in app.explain("themes", 1).where} == {
        ("curation_status", None, "New"),
        ("status", "technical", "pending"),
        ("status", "fundamental", "pending"),
    }


def test_explaining_writes_nothing(app: App, hand: Any) -> None:
    before = hand.everything()
    for kind, id in (("statements", "u1"), ("domains", "1"), ("themes", 1), ("content", "c1")):
        app.explain(kind, id)
    assert hand.everything() == before


def test_nobody_cannot_be_explained(app: App) -> None:
    with pytest.raises(UnknownRecord):
        app.explain("statements", "nobody")
    with pytest.raises(UnknownRecord):
        app.explain("domains", 77)
    with pytest.raises(BadInput):
        app.explain("domains", "x")
