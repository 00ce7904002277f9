"""How many are where: exact at one instant, before and after the deltas are added up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from interlock import App
from tests.kinds import domains, themes, uploads


def test_counts_follow_every_kind_of_move(opened: Any, whole: Any) -> None:
    app: App = opened(uploads(), domains(), themes())
    app.admit_many("statements", [{"id": f"u{number}"} for number in range(5)])
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 4)])
    app.admit("themes", {"id": 1})
    app.move_many("statements", ["u0", "u1", "nobody"], actor="ann", status="parsing")
    app.move_many("statements", ["u0"], actor="ann", status="error")
    app.retry("statements", "u0", actor="ann", reason="again")
    app.amend("statements", "u4", facts={"observations_count": 1}, actor="ann", reason="y")
    app.erase("statements", "u3", actor="ann", role="admin", reason="y")
    app.move("domains", 1, actor="ann", curation_status="Selected")
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    assert app.counts("statements") == {
        ("statements", "status", None, "queued_for_parse"): 3,
        ("statements", "status", None, "parsing"): 1,
    }
    assert app.counts("domains") == {
        ("domains", "curation_status", None, "New"): 2,
        ("domains", "curation_status", None, "Selected"): 1,
        ("domains", "processing_status", None, None): 2,
        ("domains", "processing_status", None, "Queued"): 1,
    }
    assert app.counts("themes") == {
        ("themes", "curation_status", None, "New"): 1,
        ("themes", "status", "technical", "in_progress"): 1,
        ("themes", "status", "fundamental", "pending"): 1,
    }
    whole(app)


def test_adding_up_changes_no_count(opened: Any, hand: Any, whole: Any) -> None:
    app: App = opened(domains())
    app.admit_many("domains", [{"host": f"h{number}"} for number in range(20)])
    app.move_many("domains", range(1, 11), actor="ann", curation_status="Selected")
    before = app.counts()
    assert app.fold_counters() > 0
    assert hand.one("SELECT count(*) FROM interlock_count_delta") == 0
    assert app.counts() == before
    app.move_many("domains", range(5, 15), actor="ann", curation_status="Maybe")
    whole(app)
    app.fold_counters()
    assert app.fold_counters() == 0
    whole(app)


def test_adding_up_while_others_move_loses_nothing(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    app.admit_many("statements", [{"id": f"u{number}"} for number in range(40)])

    def move(number: int) -> None:
        app.move("statements", f"u{number}", actor="ann", status="parsing")
        app.fold_counters()

    with ThreadPoolExecutor(4) as clients:
        list(clients.map(move, range(40)))
    assert app.counts() == {("statements", "status", None, "parsing"): 40}
    whole(app)


def test_what_was_rolled_back_is_not_counted(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    app.admit("statements", {"id": "u1"})
    with app.database.engine.connect() as connection:
        app.move("statements", "u1", actor="ann", status="parsing", tx=connection)
        app.admit("statements", {"id": "u2"}, tx=connection)
        connection.rollback()
    assert app.counts() == {("statements", "status", None, "queued_for_parse"): 1}
    whole(app)
