"""The past: where a record was, and how many were where, at any instant, from the ledger alone."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import BadInput
from interlock.observe import recent_moves
from interlock.store.ledger import as_of
from tests.kinds import domains, four_kinds, themes, uploads

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


@pytest.fixture
def app(opened: Any) -> App:
    """u1 moves a minute apart; u2 is erased in minute 2."""
    made: App = opened(uploads(), domains(), clock=FrozenClock(START))
    made.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    made.clock.sleep(60)
    made.move("statements", "u1", actor="ann", reason="due", status="parsing")
    made.clock.sleep(60)
    made.erase("statements", "u2", actor="ann", role="admin", reason="asked for")
    made.move("statements", "u1", actor="ann", status="parsed")
    return made


def states(app: App, id: str, minutes: float) -> list[str | None]:
    return [move.new for move in app.ledger.as_of("statements", id, at(minutes))]


def test_a_record_was_where_its_last_entry_before_had_put_it(app: App) -> None:
    assert [states(app, "u1", minutes) for minutes in (-1, 0, 0.5, 1, 1.9, 2, 9)] == [
        [],
        ["queued_for_parse"],
        ["queued_for_parse"],
        ["parsing"],
        ["parsing"],
        ["parsed"],
        ["parsed"],
    ]
    (move,) = app.ledger.as_of("statements", "u1", at(1.5))
    assert (move.version, move.actor, move.reason, move.at) == (1, "ann", "due", at(1))


def test_a_record_was_there_until_it_was_closed(app: App) -> None:
    assert [states(app, "u2", minutes) for minutes in (1, 2, 3)] == [["queued_for_parse"], [], []]
    assert app.ledger.as_of("statements", "nobody", at(9)) == []


def test_counts_are_those_of_that_instant(app: App) -> None:
    key = ("statements", "status", None)
    assert app.ledger.counts_as_of(at(-1)) == {}
    assert app.ledger.counts_as_of(at(0)) == {(*key, "queued_for_parse"): 2}
    assert app.ledger.counts_as_of(at(1)) == {(*key, "queued_for_parse"): 1, (*key, "parsing"): 1}
    assert app.ledger.counts_as_of(at(2), "statements") == {(*key, "parsed"): 1} == app.counts()
    assert app.ledger.counts_as_of(at(2), "domains") == {}


def test_null_is_a_state_and_each_scope_counts_for_itself(opened: Any) -> None:
    app: App = opened(themes(), domains(), clock=FrozenClock(START))
    app.admit("themes", {"id": 1})
    app.admit("domains", {"id": 7, "host": "a"})
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    assert app.ledger.counts_as_of(at(0)) == app.counts()
    assert ("domains", "processing_status", None, None) in app.ledger.counts_as_of(at(0))
    told = {(move.axis, move.scope): move.new for move in app.ledger.as_of("themes", 1, at(0))}
    assert told == {
        ("curation_status", None): "New",
        ("status", "technical"): "in_progress",
        ("status", "fundamental"): "pending",
    }


def test_an_instant_has_a_time_zone(app: App) -> None:
    for ask in (app.ledger.counts_as_of, lambda when: app.ledger.as_of("statements", "u1", when)):
        with pytest.raises(BadInput, match="has no time zone"):
            ask(datetime(2026, 1, 1))  # noqa: DTZ001


def test_the_past_of_one_axis_or_scope_is_asked_for_by_its_name(opened: Any) -> None:
    app: App = opened(themes(), domains(), clock=FrozenClock(START))
    app.admit("themes", {"id": 1, "title": "Rates rise"})
    app.admit("domains", {"id": 1, "host": "a"})
    assert [
        move.scope for move in app.ledger.as_of("themes", 1, at(1), axis="status", scope="technical")
    ] == ["technical"]
    assert {key[1] for key in app.ledger.counts_as_of(at(1), "domains", axis="curation_status")} == {
        "curation_status"
    }
    assert {key[2] for key in app.ledger.counts_as_of(at(1), "themes", scope="fundamental")} == {
        "fundamental"
    }
    for asked in (
        {"scope": "north"},
        {"kind": "themes", "scope": "north"},
        {"kind": "domains", "axis": "curation_status", "scope": "x"},
        {"kind": "themes", "axis": "nothing"},
        {"axis": "status"},
    ):
        with pytest.raises(BadInput):
            app.ledger.counts_as_of(at(1), **asked)


def test_an_instant_that_no_calendar_has_in_utc_is_refused(app: App) -> None:
    for far in (
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-14))),
    ):
        with pytest.raises(BadInput, match="first year"):
            app.ledger.counts_as_of(far)


def from_the_ledger_alone(app: App, when: datetime) -> dict[Any, int]:
    """What the last entry of each record says, read from every entry before an instant."""
    with app.database.read() as tx:
        return {(row.kind, row.axis, row.scope or None, row.state): row.n for row in as_of.counts(tx, when)}


@pytest.mark.parametrize("how", ["followed", "cold", "in slices"])
def test_counting_back_from_now_gives_what_the_ledger_alone_says(
    opened: Any, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent_moves, "AT_ONCE", 7)
    app: App = opened(*four_kinds(), clock=FrozenClock(START))
    chance = random.Random(5)
    if how == "followed":
        app.ledger.activity()
    app.admit_many("domains", [{"id": number, "host": f"{number}.example"} for number in range(12)])
    app.admit_many("themes", [{"id": number, "title": "Rates"} for number in range(4)])
    for step in range(60):
        app.clock.sleep(chance.choice((0, 20, 60, 1_800)))
        id = chance.randrange(12)
        if step == 30:
            app.erase("domains", 3, actor="ann", role="admin", reason="asked for")
        state = chance.choice(("Selected", "Maybe", "Discarded", "New"))
        app.move_many("domains", [id], actor="ann", curation_status=state)
        app.move_many("themes", [id % 4], actor="ann", scope="technical", status="in_progress")
    whole = app.clock.now() - START
    if how == "in slices":
        app.ledger.activity()
        filling = app.ledger._activity.recent.filling
        assert filling is not None, "what is older is counted behind the first look"
        filling.join(30)
        assert app.ledger._activity.recent.is_whole(app.clock.now() - timedelta(hours=24))
    for part in range(41):
        when = START + whole * part / 40
        assert app.ledger.counts_as_of(when) == from_the_ledger_alone(app, when), when
    assert app.ledger.counts_as_of(app.clock.now()) == app.counts()


def test_an_entry_of_a_clock_that_was_ahead_is_counted_by_its_version(opened: Any) -> None:
    app: App = opened(uploads(), clock=FrozenClock(START))
    app.ledger.activity()
    app.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    app.clock.sleep(65)
    app.move("statements", "u1", actor="ahead", status="parsing")
    app.clock.advance(timedelta(seconds=-3))
    app.move("statements", "u1", actor="behind", status="parsed")
    app.clock.sleep(600)
    between = at(1) + timedelta(seconds=3)
    key = ("statements", "status", None)
    assert app.ledger.counts_as_of(between) == {(*key, "queued_for_parse"): 1, (*key, "parsed"): 1}
    assert app.ledger.counts_as_of(between) == from_the_ledger_alone(app, between)
