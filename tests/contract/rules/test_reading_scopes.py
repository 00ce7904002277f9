"""One record with its state in one scope: the record's row and the state row as one."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.errors import BadInput, UnknownKind, UnknownRecord
from tests.kinds import domains, themes


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(themes(), domains())
    made.admit("themes", {"id": 7, "title": "Rates rise"})
    made.admit("domains", {"id": 1, "host": "h"})
    made.move("themes", 7, actor="ann", scope="technical", status="in_progress")
    return made


def test_the_state_row_of_the_scope_is_merged_into_the_record(app: App) -> None:
    technical, fundamental = (app.get("themes", 7, scope=scope) for scope in ("technical", "fundamental"))
    assert (technical["id"], technical["title"], technical["curation_status"]) == (7, "Rates rise", "New")
    assert (technical["status"], technical["version"], technical["pipeline"]) == (
        "in_progress",
        1,
        "technical",
    )
    assert technical["last_attempt_at"] == app.ledger.history("themes", 7, scope="technical")[-1].at
    assert (fundamental["status"], fundamental["version"], fundamental["last_attempt_at"]) == (
        "pending",
        0,
        None,
    )
    assert app.get("themes", 7, scope="technical", axis="status") == technical
    assert "status" not in app.get("themes", 7)


def test_what_is_not_there_is_refused(app: App) -> None:
    with pytest.raises(BadInput, match="has no scope 'legal'; it has fundamental, technical"):
        app.get("themes", 7, scope="legal")
    with pytest.raises(BadInput, match="has no scope 'technical'; it has none"):
        app.get("domains", 1, scope="technical")
    with pytest.raises(BadInput, match=r"themes\.curation_status has no scope"):
        app.get("themes", 7, scope="technical", axis="curation_status")
    with pytest.raises(UnknownKind):
        app.get("themes", 7, scope="technical", axis="nothing")
    with pytest.raises(UnknownRecord):
        app.get("themes", 8, scope="technical")


def test_a_record_without_a_row_in_the_scope_is_unknown_there(app: App) -> None:
    table = app.workflow("themes").axes["status"].table
    app.erase("themes", 7, actor="ann", role="admin", reason="gone")
    with pytest.raises(UnknownRecord):
        app.get("themes", 7, scope="technical")
    with app.database.read() as tx:
        assert tx.execute(table.select()).all() == []
