"""What gates answered, read by anybody: typed, per version, in order, also of what is gone."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.errors import BadInput, UnknownRecord
from interlock.observe.verdicts import GateVerdict
from tests.kinds import content


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(content())
    made.admit_many("content", [{"item_id": "c1", "author": "bob"}, {"item_id": "c2", "author": "bob"}])
    made.move("content", "c1", actor="bob", state="CANDIDATE")
    return made


def judge(app: App, passed: bool, **options: Any) -> int:
    return app.judge_gate("content", "c1", "level", passed=passed, actor="ann", **options)


def test_every_answer_is_kept_and_read_in_order(app: App, whole: Any) -> None:
    judge(app, False, reason="LEVEL_UNKNOWN", details={"seen": "C7"}, duration_ms=12)
    judge(app, True)
    first, second = app.verdicts("content", "c1")
    assert first == GateVerdict(
        "state", None, 1, "level", 1, False, "LEVEL_UNKNOWN", {"seen": "C7"}, 12, "ann", first.at
    )
    assert (second.number, second.passed, second.reason, second.details) == (2, True, None, {})
    assert first.at <= second.at
    app.move("content", "c1", actor="bob", state="VALIDATED")
    assert app.get("content", "c1")["state"] == app.ledger.history("content", "c1")[-1].new == "VALIDATED"
    assert app.verdicts("content", "c1") == [first, second]
    whole(app)


def test_one_version_can_be_asked_for(app: App) -> None:
    judge(app, False)
    app.amend("content", "c1", facts={"level": "B1"}, actor="bob", reason="it was missing")
    judge(app, True)
    assert [(one.version, one.number, one.passed) for one in app.verdicts("content", "c1")] == [
        (1, 1, False),
        (2, 2, True),
    ]
    assert [one.passed for one in app.verdicts("content", "c1", 2)] == [True]
    assert app.verdicts("content", "c1", version=3) == []
    assert app.get("content", "c1")["version"] == app.ledger.history("content", "c1")[-1].version == 2


def test_a_record_without_verdicts_has_none_and_one_that_never_was_is_unknown(app: App) -> None:
    assert app.verdicts("content", "c2") == []
    with pytest.raises(UnknownRecord):
        app.verdicts("content", "c3")
    for version in (-1, True, "1"):
        with pytest.raises(BadInput):
            app.verdicts("content", "c1", version)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        app.verdicts("content", "c1", scope="technical")


def test_those_of_a_record_that_is_gone_remain(app: App) -> None:
    judge(app, True)
    app.delete("content", "c1", actor="ann", role="admin", reason="sent twice")
    assert [one.passed for one in app.verdicts("content", "c1")] == [True]
    app.delete("content", "c2", actor="ann", role="admin", reason="sent twice")
    assert app.verdicts("content", "c2") == []


def test_a_removal_under_a_key_is_done_once(app: App, whole: Any) -> None:
    said = {"actor": "ann", "role": "admin", "reason": "asked for", "key": "k"}
    first, again = app.erase("content", "c1", **said), app.erase("content", "c1", **said)
    assert (first.outcome, first.version, again.outcome, again.version) == ("erased", 2, "erased", 2)
    assert [move.origin for move in app.ledger.history("content", "c1")] == ["admit", "move", "erase"]
    whole(app)
