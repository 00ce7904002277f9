"""A reason given for several records belongs to none of them alone: erasing one leaves what was said of the others."""

from __future__ import annotations

from typing import Any

from interlock import Machine
from tests.kinds import plain

BRANCHES = Machine("branches", initial="a", moves={"a": ["b", "c"], "b": ["c"]})


def test_what_was_said_of_many_outlives_the_one_that_came_another_way(opened: Any, whole: Any) -> None:
    app = opened(plain(BRANCHES))
    app.admit_many(
        "things",
        [{"id": "1"}, {"id": "2", "note": "other columns"}, {"id": "3", "note": "other columns"}],
        reason="imported",
    )
    app.move("things", "1", status="b", actor="ann")
    app.move_many("things", ["1", "2", "3"], status="c", actor="ann", reason="tidied up")
    app.erase("things", "1", actor="ann", role="admin", reason="asked to")
    assert [(move.new, move.reason) for move in app.ledger.history("things", "2")] == [
        ("a", "imported"),
        ("c", "tidied up"),
    ]
    whole(app)


def test_what_was_said_of_one_goes_with_it(opened: Any, whole: Any) -> None:
    app = opened(plain(BRANCHES))
    app.admit("things", {"id": "1"}, reason="a name")
    app.move_many("things", ["1"], status="b", actor="ann", reason="another name", facts={"who": "Lee"})
    app.erase("things", "1", actor="ann", role="admin", reason="asked to")
    assert [(move.reason, dict(move.facts)) for move in app.ledger.history("things", "1")] == [
        (None, {}),
        (None, {}),
        ("asked to", {}),
    ]
    whole(app)
