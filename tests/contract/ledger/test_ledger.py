"""The ledger: what history tells, and a tail that neither skips nor repeats."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import BadInput, UnknownKind
from interlock.store.ledger.read import Cursor
from tests.kinds import domains, themes, uploads


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads(), domains(), clock=FrozenClock())
    made.admit_many("statements", [{"id": "u1"}, {"id": "u2"}], actor="ann")
    return made


def test_history_tells_when_from_where_to_where_why_and_by_whom(app: App) -> None:
    app.clock.sleep(90)
    app.move("statements", "u1", actor="bob", reason="it is time", facts={"pages": 3}, status="parsing")
    told = [move.history() for move in app.ledger.history("statements", "u1")]
    start = FrozenClock().now()
    assert told == [
        {
            "timestamp": start,
            "from": None,
            "to": "queued_for_parse",
            "trigger": "upload.created",
            "actor": "ann",
            "reason": None,
        },
        {
            "timestamp": start + timedelta(seconds=90),
            "from": "queued_for_parse",
            "to": "parsing",
            "trigger": "command.move",
            "actor": "bob",
            "reason": "it is time",
        },
    ]


def test_history_can_be_narrowed_to_an_axis_or_a_scope(opened: Any) -> None:
    app: App = opened(themes())
    app.admit("themes", {"id": 1})
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    assert [(move.axis, move.scope) for move in app.ledger.history("themes", 1, axis="curation_status")] == [
        ("curation_status", None)
    ]
    assert [move.new for move in app.ledger.history("themes", 1, scope="technical")] == [
        "pending",
        "in_progress",
    ]
    assert [move.version for move in app.ledger.history("themes", 1, axis="status", scope="fundamental")] == [
        0
    ]


def test_history_of_nobody_is_empty_and_of_no_kind_is_refused(app: App) -> None:
    assert app.ledger.history("statements", "nobody") == []
    with pytest.raises(UnknownKind):
        app.ledger.history("nothing", "u1")


def read_on(
    app: App, cursor: Cursor | str, limit: int = 3, kind: str | None = None
) -> tuple[list[tuple[Any, ...]], Cursor | str]:
    found: list[tuple[Any, ...]] = []
    while page := app.ledger.tail(cursor, limit=limit, kind=kind):
        assert len(page) <= limit
        found += [(move.kind, move.id, move.axis, move.version) for _, move in page]
        cursor = str(page[-1][0])
    return found, cursor


def test_a_tail_read_page_by_page_tells_everything_once_in_order(app: App) -> None:
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 6)])
    for id in ("u1", "u2"):
        app.move("statements", id, actor="ann", status="parsing")
    app.move_many("domains", range(1, 6), actor="ann", curation_status="Selected")
    everything, end = read_on(app, Cursor())
    assert len(everything) == len(set(everything)) == 2 + 10 + 2 + 10
    assert read_on(app, end) == ([], end)
    app.move("statements", "u1", actor="ann", status="parsed")
    assert read_on(app, end)[0] == [("statements", "u1", "status", 2)]
    only, _ = read_on(app, Cursor(), kind="statements")
    assert {kind for kind, *_ in only} == {"statements"}
    assert len(only) == 5


def test_a_tail_without_a_cursor_is_the_newest(app: App) -> None:
    app.move("statements", "u1", actor="ann", status="parsing")
    app.move("statements", "u2", actor="ann", status="error")
    assert [move.new for _, move in app.ledger.tail(limit=2)] == ["parsing", "error"]


def test_a_tail_before_a_cursor_leads_back_to_the_first_entry(app: App) -> None:
    app.move_many("statements", ["u1", "u2"], actor="ann", status="parsing")
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 4)])
    whole = app.ledger.tail("0.0", limit=100)
    back = app.ledger.tail(limit=3)
    while earlier := app.ledger.tail(before=back[0][0], limit=3):
        back = earlier + back
    assert back == whole
    assert app.ledger.tail(before=str(whole[2][0]), kind="domains") == []
    with pytest.raises(BadInput, match="exclude each other"):
        app.ledger.tail("0.0", before="0.1")


@pytest.mark.parametrize("cursor", ["", "nonsense", "1", "1.", ".1", "1.2.3", "-1.2", "1.x"])
def test_a_cursor_that_is_none_is_refused(app: App, cursor: str) -> None:
    with pytest.raises(BadInput) as refusal:
        app.ledger.tail(cursor)
    assert (refusal.value.code, bool(refusal.value.hint)) == ("ILK-102", True)


@pytest.mark.postgresql_only
def test_a_tail_waits_for_a_transaction_that_commits_late(app: App, whole: Any) -> None:
    _, cursor = read_on(app, Cursor())
    with app.database.engine.connect() as late:
        app.move("statements", "u1", actor="slow", status="parsing", tx=late)
        app.move("statements", "u2", actor="fast", status="parsing")
        seen, cursor = read_on(app, cursor)
        late.commit()
    rest, cursor = read_on(app, cursor)
    told = seen + rest
    assert sorted(told) == [("statements", "u1", "status", 1), ("statements", "u2", "status", 1)]
    assert read_on(app, cursor)[0] == []
    whole(app)


@pytest.mark.postgresql_only
def test_what_was_rolled_back_is_never_told(app: App) -> None:
    _, cursor = read_on(app, Cursor())
    with app.database.engine.connect() as late:
        app.move("statements", "u1", actor="slow", status="parsing", tx=late)
        app.move("statements", "u2", actor="fast", status="parsing")
        late.rollback()
    assert read_on(app, cursor)[0] == [("statements", "u2", "status", 1)]


def test_ids_of_any_text_are_told_apart_and_verify(opened: Any, whole: Any) -> None:
    app: App = opened(uploads())
    ids = [
        "plain",
        "quo'te",
        'dou"ble',
        "back\\slash",
        "new\nline",
        "tab\t",
        "\x01\x1f\x7f",
        "ü→é",
        "🚂",
        "%s {} :x",
        "a" * 40,
        "  ",
        "NULL",
        "1",
    ]
    app.admit_many("statements", [{"id": id} for id in ids])
    answers = app.move_many("statements", ids, actor="ann", status="parsing")
    assert [(answer.id, answer.outcome) for answer in answers] == [(id, "moved") for id in ids]
    for id in ids:
        app.move("statements", id, actor="ann", reason=id.strip() or None, status="parsed")
        assert [move.id for move in app.ledger.history("statements", id)] == [id] * 3
    whole(app)
