"""Records are found by where they are: any axis, error, age and text, in pages that follow each other."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import BadInput, UnknownKind, UnknownState
from interlock.observe.records.listing import count, filter_of, grouped_errors, page
from tests.kinds import domains, themes, uploads


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def app(opened: Any, clock: FrozenClock) -> App:
    made: App = opened(uploads(), domains(), themes(), clock=clock)
    made.admit_many(
        "statements", [{"id": f"u{number}", "file_hash": f"100%_{number}"} for number in range(6)]
    )
    made.admit_many("themes", [{"id": 1, "title": "Rates RISE"}, {"id": 2, "title": "none"}])
    clock.advance(timedelta(hours=2))
    for number in (1, 3, 4):
        made.move(
            "statements",
            f"u{number}",
            actor="ann",
            status="error",
            facts={"error_code": "BROKEN" if number < 4 else "LATE", "error_message": "page 3"},
        )
    made.move("themes", 2, actor="ann", scope="technical", status="in_progress")
    return made


def found(
    app: App,
    kind: str,
    where: list[tuple[str, str]] = [],  # noqa: B006
    *,
    limit: int = 50,
    after: Any = None,
    backwards: bool = False,
    **narrowed: Any,
) -> list[Any]:
    rows = page(
        app.database,
        app.workflow(kind),
        filter_of(where, **narrowed),
        app.clock.now(),
        limit=limit,
        after=after,
        backwards=backwards,
    )
    return [row["id"] for row in rows]


def test_states_of_one_axis_are_any_and_of_several_axes_all(app: App) -> None:
    assert found(app, "statements", [("status", "error")]) == ["u1", "u3", "u4"]
    assert len(found(app, "statements", [("status", "error"), ("status", "queued_for_parse")])) == 6
    assert found(app, "themes", [("curation_status", "New"), ("status", "in_progress")]) == [2]
    assert found(app, "themes", [("curation_status", "Maybe"), ("status", "in_progress")]) == []


def test_errors_and_ages_are_asked_of_the_same_row_as_the_state(app: App) -> None:
    assert found(app, "statements", error="BROKEN") == ["u1", "u3"]
    assert found(app, "statements", older="1h") == ["u0", "u2", "u5"]
    assert found(app, "statements", younger="1h") == ["u1", "u3", "u4"]
    assert found(app, "statements", [("status", "error")], older="1h") == []
    assert found(app, "themes", [("status", "pending")], older="1h") == [1, 2]
    assert found(app, "themes", [("status", "pending")], scope="technical", older="1h") == [1]
    assert found(app, "themes", [("status", "in_progress")], older="1h") == []


def test_text_is_found_in_whatever_case_and_taken_as_it_is(app: App) -> None:
    assert found(app, "themes", text="rise") == [1]
    assert found(app, "statements", text="0%_3") == ["u3"]
    assert found(app, "statements", text="%") == [f"u{number}" for number in range(6)]
    assert found(app, "statements", text="u_") == []
    assert found(app, "statements", text="queued") == [], (
        "the engine's own columns are no texts of the record"
    )


def test_pages_go_both_ways_and_meet(app: App) -> None:
    first = found(app, "statements", limit=4)
    assert first + found(app, "statements", limit=4, after=first[-1]) == [f"u{number}" for number in range(6)]
    assert found(app, "statements", limit=2, after="u3", backwards=True) == ["u2", "u1"]


def test_counting_stops_where_it_makes_no_difference(app: App) -> None:
    asked = (app.database, app.workflow("statements"), filter_of([("status", "error")]), app.clock.now())
    assert (count(*asked, at_most=10), count(*asked, at_most=2)) == (3, 2)


def test_errors_are_grouped_by_code_and_message_largest_first(app: App) -> None:
    groups = grouped_errors(app.database, list(app.workflows.values()))
    assert [(one["kind"], one["code"], one["message"], one["records"], one["example"]) for one in groups] == [
        ("statements", "BROKEN", "page 3", 2, "u1"),
        ("statements", "LATE", "page 3", 1, "u4"),
    ]
    assert groups[0]["first"] == groups[0]["last"] == app.clock.now()


@pytest.mark.parametrize(
    ("where", "narrowed", "error"),
    [
        ([("status", "lost")], {}, UnknownState),
        ([("colour", "red")], {}, UnknownKind),
        ([], {"axis": "colour"}, UnknownKind),
        ([], {"scope": "none"}, BadInput),
        ([], {"older": "soon"}, BadInput),
        ([], {"older": "99999999w"}, BadInput),
        ([], {"text": ""}, BadInput),
    ],
)
def test_what_there_is_not_is_refused(
    where: list[tuple[str, str]], narrowed: dict[str, str], error: type[Exception], app: App
) -> None:
    with pytest.raises(error):
        found(app, "statements", where, **narrowed)
