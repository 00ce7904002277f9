"""A preview says exactly what a run comes to: the counts of every outcome, each refusal with its reason, and it changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from interlock import App
from interlock.errors import BadInput, InvalidStateTransition, UnknownKind
from interlock.observe.records.listing import filter_of
from interlock.operations.describe import describe_operation
from tests.kinds import content, domains, themes, uploads


@pytest.fixture
def app(opened: Any) -> App:
    """Domains in three places, one of them at work on its axis."""
    made: App = opened(domains())
    made.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 13)])
    made.move_many("domains", range(1, 5), actor="ann", curation_status="Selected")
    made.move_many("domains", range(1, 3), actor="ann", processing_status="Processing")
    made.move_many("domains", [11, 12], actor="ann", curation_status="Discarded")
    return made


def came_to(app: App, kind: str, **asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was foreseen of an act, and what came of it."""
    foreseen = app.operations.preview(kind, actor="ann", reason="so", **asked).as_dict()
    made = app.operations.create(kind, actor="ann", reason="so", **asked)
    assert made.records == foreseen["records"]
    return foreseen, describe_operation(app.operations.run(made.id))


def reasons(said: dict[str, Any]) -> list[tuple[str, str, int]]:
    return sorted((one["outcome"], one["code"], one["records"]) for one in said["refusals"])


def test_what_is_foreseen_is_what_comes_with_the_moves_that_rules_drive(app: App, whole: Any) -> None:
    foreseen, done = came_to(app, "domains", axis="curation_status", to="Selected", where={})
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 8, "unchanged": 4, "refused": 0, "conflict": 0, "unknown": 0}
    )
    assert [
        (one["axis"], one["from"], one["to"], one["records"], one["driven"]) for one in foreseen["moves"]
    ] == [
        ("curation_status", "New", "Selected", 6, False),
        ("curation_status", "Discarded", "Selected", 2, False),
        ("processing_status", None, "Queued", 8, True),
    ]
    whole(app)


def test_refusals_come_with_their_reasons_by_machine_and_rule(app: App) -> None:
    foreseen, done = came_to(app, "domains", axis="processing_status", to="Queued", where={})
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 0, "unchanged": 2, "refused": 10, "conflict": 0, "unknown": 0}
    )
    assert (
        reasons(foreseen)
        == reasons(done)
        == [("refused", "ILK-204", 2), ("refused", "ILK-205", 2), ("refused", "ILK-205", 6)]
    )
    assert {one["message"] for one in foreseen["refusals"]} == {one["message"] for one in done["refusals"]}
    assert all(one["examples"] for one in foreseen["refusals"])


def test_ids_that_are_unknown_impossible_or_named_twice_stop_nobody(app: App) -> None:
    foreseen, done = came_to(
        app, "domains", axis="curation_status", to="Maybe", ids=[5, "6", 6, 999, "no number", None]
    )
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 2, "unchanged": 0, "refused": 2, "conflict": 0, "unknown": 1}
    )
    assert (
        reasons(foreseen)
        == reasons(done)
        == [("refused", "ILK-102", 1), ("refused", "ILK-102", 1), ("unknown", "ILK-201", 1)]
    )
    assert [one["examples"] for one in foreseen["refusals"] if one["outcome"] == "unknown"] == [["999"]]
    assert [app.get("domains", id)["curation_status"] for id in (5, 6)] == ["Maybe", "Maybe"]


def test_a_filter_is_that_of_lists_of_records(app: App) -> None:
    wanted = filter_of([("curation_status", "New"), ("processing_status", "null")], text="h1")
    foreseen, done = came_to(app, "domains", axis="curation_status", to="Maybe", where=wanted)
    assert foreseen["outcomes"]["moved"] == done["outcomes"]["moved"] == 1
    assert done["wanted"] == {
        "filter": {"states": {"curation_status": ["New"], "processing_status": [None]}, "text": "h1"}
    }
    assert app.get("domains", 10)["curation_status"] == "Maybe"


def test_a_preview_writes_nothing(app: App) -> None:
    before = app.counts()
    app.operations.preview("domains", axis="curation_status", to="Selected", where={})
    assert app.counts() == before
    assert app.operations.newest() == []


def test_gates_are_looked_at_for_each_record(opened: Any) -> None:
    app: App = opened(content())
    app.admit_many(
        "content", [{"item_id": f"c{number}", "author": "bob", "state": "CANDIDATE"} for number in range(6)]
    )
    for number, passed in ((0, True), (1, True), (2, False)):
        app.judge_gate("content", f"c{number}", "level", passed=passed, actor="gate")
    app.judge_gate("content", "c1", "level", passed=False, actor="gate")
    foreseen, done = came_to(app, "content", to="VALIDATED", where={})
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 1, "unchanged": 0, "refused": 5, "conflict": 0, "unknown": 0}
    )
    said = {one["message"].partition(": ")[2]: one["records"] for one in foreseen["refusals"]}
    assert said == {
        "VALIDATED waits for its gates: level has not run": 3,
        "VALIDATED waits for its gates: level said no": 2,
    }
    assert reasons(foreseen) == reasons(done)


def test_role_reason_and_actor_are_what_rules_and_machines_are_asked_with(opened: Any) -> None:
    app: App = opened(content())
    app.admit_many(
        "content",
        [
            {"item_id": f"c{number}", "author": author, "state": "CANDIDATE"}
            for number, author in enumerate("abb")
        ],
    )
    for number in range(3):
        app.judge_gate("content", f"c{number}", "level", passed=True, actor="gate")
    app.operations.run(
        app.operations.create("content", to="VALIDATED", where={}, actor="ann", reason="all pass").id
    )
    plain = app.operations.preview("content", to="APPROVED", where={}, actor="b", reason="good")
    assert {one["code"] for one in plain.as_dict()["refusals"]} == {"ILK-211"}
    said: dict[str, Any] = {"to": "APPROVED", "where": {}, "actor": "b", "role": "operator", "reason": "good"}
    foreseen = app.operations.preview("content", **said).as_dict()
    done = describe_operation(app.operations.run(app.operations.create("content", **said).id))
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 1, "unchanged": 0, "refused": 2, "conflict": 0, "unknown": 0}
    )
    with app.database.read() as tx:
        assert tx.execute(text("SELECT item_id FROM approved_items")).scalars().all() == ["c0"]


def test_one_scope_of_a_scoped_axis_is_acted_on_with_rules_that_look_into_other_tables(
    opened: Any, whole: Any
) -> None:
    app: App = opened(themes())
    app.admit_many("themes", [{"id": number, "title": "t"} for number in range(1, 7)])
    app.move_many("themes", [1, 2], actor="ann", curation_status="Discarded")
    asked: dict[str, Any] = {
        "axis": "status",
        "to": "in_progress",
        "scope": "technical",
        "where": {"status": "pending"},
    }
    foreseen, done = came_to(app, "themes", **asked)
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 4, "unchanged": 0, "refused": 2, "conflict": 0, "unknown": 0}
    )
    assert app.counts()["themes", "status", "fundamental", "pending"] == 6
    with pytest.raises(BadInput, match="needs a scope"):
        app.operations.preview("themes", axis="status", to="in_progress", where={})
    whole(app)


def test_retry_goes_for_each_record_to_where_its_stage_began(opened: Any) -> None:
    app: App = opened(uploads())
    app.admit_many(
        "statements",
        [{"id": f"u{number}", "file_hash": str(number), "max_retries": 1} for number in range(8)],
    )
    app.move_many("statements", [f"u{number}" for number in range(6)], actor="ann", status="parsing")
    app.move_many(
        "statements",
        [f"u{number}" for number in range(3)],
        actor="ann",
        status="parsed",
        facts={"observations_count": 1},
    )
    app.move_many("statements", [f"u{number}" for number in range(6)], actor="ann", status="error")
    app.retry("statements", "u5", actor="ann", reason="once")
    app.move("statements", "u5", actor="ann", status="error")
    foreseen, done = came_to(app, "statements", act="retry", where={})
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 5, "unchanged": 0, "refused": 3, "conflict": 0, "unknown": 0}
    )
    assert reasons(foreseen) == reasons(done) == [("refused", "ILK-102", 2), ("refused", "ILK-207", 1)]
    states = app.counts("statements")
    assert (
        states["statements", "status", None, "parsed"],
        states["statements", "status", None, "queued_for_parse"],
    ) == (3, 4)


def test_cancel_leads_out_of_whatever_stage_a_record_is_in(opened: Any) -> None:
    app: App = opened(uploads())
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": str(number)} for number in range(4)])
    app.move("statements", "u0", actor="ann", status="parsing")
    app.move("statements", "u3", actor="ann", status="error")
    foreseen, done = came_to(app, "statements", act="cancel", where={})
    assert (
        foreseen["outcomes"]
        == done["outcomes"]
        == {"moved": 3, "unchanged": 0, "refused": 1, "conflict": 0, "unknown": 0}
    )
    assert {app.get("statements", f"u{number}")["error_code"] for number in range(3)} == {"CANCELLED"}


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"axis": "curation_status", "to": "Selected"}, BadInput),
        ({"axis": "curation_status", "to": "Selected", "ids": [1], "where": {}}, BadInput),
        ({"to": "Selected", "where": {}}, BadInput),
        ({"axis": "curation_status", "to": "Lost", "where": {}}, InvalidStateTransition),
        ({"axis": "nothing", "to": "Selected", "where": {}}, UnknownKind),
        ({"act": "burn", "where": {}}, BadInput),
        (
            {"axis": "curation_status", "to": "Maybe", "where": {"curation_status": "Lost"}},
            InvalidStateTransition,
        ),
        ({"axis": "curation_status", "to": "Maybe", "ids": "12"}, BadInput),
        ({"act": "retry", "axis": "curation_status", "where": {}}, BadInput),
    ],
)
def test_a_question_that_says_too_little_or_too_much_is_refused(
    app: App, asked: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        app.operations.preview("domains", **asked)
    with pytest.raises(error):
        app.operations.create("domains", actor="ann", reason="so", **asked)
    assert app.operations.newest() == []
