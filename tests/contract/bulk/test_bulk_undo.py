"""Undo brings back all that may be brought back, and says of the rest why not; it is an operation itself, and leaves its own history."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App, Machine, operator
from interlock.errors import InvalidStateTransition
from interlock.operations.describe import describe_operation
from tests.kinds import domains, plain, uploads

SWITCH = Machine(
    "switch", initial="red", moves={"red": ["green", "off"], "green": ["red"], "off": [operator("red")]}
)


def done(app: App, kind: str, **said: Any) -> str:
    id = app.operations.create(kind, **{"actor": "ann", "reason": "so", **said}).id
    app.operations.run(id)
    return id


def undone(app: App, id: str, **said: Any) -> tuple[dict[str, int], dict[str, int], dict[str, Any]]:
    """What an undo was foreseen to come to, what it came to, and the undo itself."""
    said = {"actor": "bob", "reason": "it was wrong", **said}
    foreseen = app.operations.preview_undo(id, **said).as_dict()
    made = describe_operation(app.operations.run(app.operations.undo(id, **said).id))
    assert made["records"] == foreseen["records"]
    assert [(one["code"], one["records"]) for one in foreseen["refusals"]] == [
        (one["code"], one["records"]) for one in made["refusals"]
    ]
    return some(foreseen["outcomes"]), some(made["outcomes"]), made


def some(outcomes: dict[str, int]) -> dict[str, int]:
    return {name: number for name, number in outcomes.items() if number}


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(plain(SWITCH))
    made.admit_many("things", [{"id": f"r{number}"} for number in range(9)])
    return made


def test_each_record_goes_back_to_where_it_came_from(app: App, whole: Any) -> None:
    app.move_many("things", ["r0", "r1"], actor="eve", status="green")
    id = done(app, "things", to="red", where={})
    other = done(app, "things", to="green", where={"status": "red"})
    assert undone(app, other)[:2] == ({"moved": 9}, {"moved": 9})
    foreseen, came, made = undone(app, id)
    assert (foreseen, came) == ({"conflict": 2}, {"conflict": 2})
    assert app.counts()["things", "status", None, "red"] == 9
    assert (app.operations.get(id).status, app.operations.get(id).undone_by) == ("undone", made["id"])
    assert (made["undoes"], made["status"], made["act"]) == (id, "finished", "undo")
    last = app.ledger.history("things", "r5")[-1]
    assert (last.old, last.new, last.actor, last.reason) == ("green", "red", "bob", "it was wrong")
    whole(app)


def test_what_somebody_moved_or_erased_since_stays_and_is_said(app: App, whole: Any) -> None:
    id = done(app, "things", to="green", where={})
    app.move("things", "r1", actor="eve", status="red")
    app.move("things", "r1", actor="eve", status="green")
    app.erase("things", "r2", actor="eve", role="admin", reason="asked to")
    assert undone(app, id)[:2] == (
        {"moved": 7, "conflict": 1, "unknown": 1},
        {"moved": 7, "conflict": 1, "unknown": 1},
    )
    assert app.get("things", "r1")["status"] == "green"
    whole(app)


def test_a_way_back_that_only_operators_have_takes_the_role(app: App) -> None:
    id = done(app, "things", to="off", where={})
    foreseen = app.operations.preview_undo(id).as_dict()
    assert (some(foreseen["outcomes"]), [one["code"] for one in foreseen["refusals"]]) == (
        {"refused": 9},
        ["ILK-211"],
    )
    assert undone(app, id, role="operator")[:2] == ({"moved": 9}, {"moved": 9})


def test_what_the_machine_has_no_way_back_from_stays(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": str(number)} for number in range(4)])
    app.move("statements", "u0", actor="ann", status="parsing")
    id = done(app, "statements", act="cancel", where={})
    foreseen, came, made = undone(app, id)
    assert foreseen == came == {"moved": 3, "refused": 1}
    assert [(one["code"], one["examples"]) for one in made["refusals"]] == [("ILK-204", ["u0"])]
    row = app.get("statements", "u1")
    assert (row["status"], row["retry_count"], row["error_code"]) == ("queued_for_parse", 1, None)
    whole(app)


def test_a_way_back_that_is_a_retry_is_bounded_as_retries_are(opened: Any) -> None:
    app: App = opened(uploads())
    app.admit_many(
        "statements",
        [{"id": f"u{number}", "file_hash": str(number), "max_retries": number} for number in range(3)],
    )
    id = done(app, "statements", act="cancel", where={})
    foreseen, came, made = undone(app, id)
    assert foreseen == came == {"moved": 2, "refused": 1}
    assert [one["code"] for one in made["refusals"]] == ["ILK-207"]


def test_what_rules_drove_goes_back_as_the_rules_say(opened: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit_many("domains", [{"id": number} for number in range(1, 5)])
    id = done(app, "domains", axis="curation_status", to="Selected", where={})
    app.move("domains", 1, actor="ann", processing_status="Processing")
    assert undone(app, id)[:2] == ({"moved": 4}, {"moved": 4})
    assert [app.get("domains", number)["processing_status"] for number in (1, 2)] == ["Processing", None]
    whole(app)


def test_what_was_only_begun_can_be_undone_and_then_goes_on_no_more(app: App) -> None:
    id = app.operations.create("things", to="green", where={}, actor="ann", reason="so", ramp=3).id
    app.operations.run(id)
    assert undone(app, id)[:2] == ({"moved": 3}, {"moved": 3})
    with pytest.raises(InvalidStateTransition):
        app.operations.resume(id)


def test_an_undo_can_be_undone_but_nothing_is_undone_twice(app: App) -> None:
    id = done(app, "things", to="green", where={})
    made = undone(app, id)[2]
    with pytest.raises(InvalidStateTransition):
        app.operations.undo(id, actor="ann", reason="again")
    assert undone(app, made["id"])[1] == {"moved": 9}
    assert app.counts()["things", "status", None, "green"] == 9
