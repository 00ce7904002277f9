"""One entry whose instant is none hides no others: readers go on and report it, and a verification locates it."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest

from interlock import App
from interlock.workflow.columns.instant import UNREADABLE
from tests.contract.hand import Hand
from tests.kinds import uploads

ODD = {"sqlite": ("not a time", "2026-02-31T00:00:00.000000Z"), "postgresql": ("infinity", "-infinity")}


@pytest.fixture
def app(opened: Any, hand: Hand) -> App:
    made: App = opened(uploads())
    made.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    made.move_many("statements", ["u1", "u2"], actor="ann", status="parsing")
    hand.drop_guards()
    return made


@pytest.mark.parametrize("number", [0, 1])
def test_readers_report_an_entry_whose_instant_cannot_be_read_and_go_on(
    app: App, hand: Hand, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    odd = ODD["sqlite" if hand.is_sqlite else "postgresql"][number]
    hand.run("UPDATE interlock_ledger SET at = ? WHERE record_id = 'u1' AND version = 1", odd)
    with caplog.at_level(logging.WARNING, "interlock.ledger"):
        assert [move.new for move in app.ledger.history("statements", "u1")] == [
            "queued_for_parse",
            "parsing",
        ]
    assert "u1" in caplog.text
    assert app.ledger.history("statements", "u1")[1].at == UNREADABLE
    assert [move.id for _, move in app.ledger.tail()] == ["u1", "u2", "u1", "u2"]
    assert app.explain("statements", "u1").where[0].state == "parsing"
    located = {(one.id, one.version) for one in app.check().findings if "its instant" in one.problem}
    assert located == {("u1", 1)}
    assert app.get("statements", "u1")["version"] == 1


@pytest.mark.parametrize("by", [timedelta(days=-400), timedelta(days=400)], ids=["back", "ahead"])
def test_an_instant_out_of_order_is_located_and_no_other_is(app: App, hand: Hand, by: timedelta) -> None:
    at = app.clock.now() + by
    values = [at.strftime("%Y-%m-%dT%H:%M:%S.000000Z") if hand.is_sqlite else at]
    hand.run("UPDATE interlock_ledger SET at = ? WHERE record_id = 'u1' AND version = 1", *values)
    located = [(one.id, one.version) for one in app.check().findings if "its instant" in one.problem]
    assert located == [("u1", 1)]


def test_clocks_that_differ_by_some_hours_are_no_finding(app: App, hand: Hand) -> None:
    at = app.clock.now() - timedelta(hours=20)
    values = [at.strftime("%Y-%m-%dT%H:%M:%S.000000Z") if hand.is_sqlite else at]
    hand.run("UPDATE interlock_ledger SET at = ? WHERE record_id = 'u1' AND version = 1", *values)
    assert [one for one in app.check().findings if "its instant" in one.problem] == []
