"""Bad input gets a clear refusal with a code, and nothing is written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from interlock import App
from interlock.errors import (
    BadInput,
    InterlockError,
    StoreUnavailable,
    UnknownKind,
    UnknownRecord,
    UnknownState,
)
from tests.kinds import domains, themes, uploads

GOOD: dict[str, Any] = {"kind": "statements", "id": "u1", "actor": "ann", "status": "parsing"}


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads())
    made.admit("statements", {"id": "u1"})
    return made


@pytest.fixture
def numbered(opened: Any) -> App:
    """Kinds whose ids are numbers, one of them with scopes."""
    made: App = opened(domains(), themes())
    made.admit("domains", {"id": 1, "host": "a"})
    made.admit("themes", {"id": 1})
    return made


def endless() -> dict[str, Any]:
    nested: dict[str, Any] = {}
    nested["again"] = nested
    return nested


BAD: dict[str, tuple[dict[str, Any], type[InterlockError]]] = {
    "an unknown state": ({"status": "parsng"}, UnknownState),
    "a state of another case": ({"status": "PARSING"}, UnknownState),
    "an empty state": ({"status": ""}, UnknownState),
    "null where it is no state": ({"status": None}, UnknownState),
    "a state that is a number": ({"status": 7}, BadInput),
    "a state that is a list": ({"status": ["parsing"]}, BadInput),
    "an unknown kind": ({"kind": "nothing"}, UnknownKind),
    "a kind that is no text": ({"kind": 7}, BadInput),
    "an unknown record": ({"id": "nobody"}, UnknownRecord),
    "an empty id": ({"id": ""}, BadInput),
    "no id": ({"id": None}, BadInput),
    "a number for an id that is text": ({"id": 7}, BadInput),
    "bytes for an id": ({"id": b"u1"}, BadInput),
    "a list for an id": ({"id": ["u1"]}, BadInput),
    "an id with a null character": ({"id": "u\x001"}, BadInput),
    "an id that is half a character": ({"id": "\ud800"}, BadInput),
    "an id that is far too long": ({"id": "x" * 513}, BadInput),
    "no actor": ({"actor": None}, BadInput),
    "an empty actor": ({"actor": ""}, BadInput),
    "a blank actor": ({"actor": "  "}, BadInput),
    "an actor that is a number": ({"actor": 7}, BadInput),
    "an actor that is far too long": ({"actor": "x" * 201}, BadInput),
    "an actor with a null character": ({"actor": "a\x00"}, BadInput),
    "an actor that is half a character": ({"actor": "\udfff"}, BadInput),
    "a role that is a number": ({"role": 7}, BadInput),
    "an empty role": ({"role": ""}, BadInput),
    "an oversized reason": ({"reason": "x" * 4001}, BadInput),
    "an empty reason": ({"reason": ""}, BadInput),
    "a reason that is bytes": ({"reason": b"why"}, BadInput),
    "a reason with a null character": ({"reason": "a\x00"}, BadInput),
    "a reason that is half a character": ({"reason": "\ud800"}, BadInput),
    "an empty key": ({"key": ""}, BadInput),
    "an oversized key": ({"key": "k" * 201}, BadInput),
    "a negative version": ({"version": -1}, BadInput),
    "a version that is text": ({"version": "0"}, BadInput),
    "a version that is a boolean": ({"version": False}, BadInput),
    "a version that is a fraction": ({"version": 0.0}, BadInput),
    "a scope where there are none": ({"scope": "technical"}, BadInput),
    "facts that are a list": ({"facts": [1]}, BadInput),
    "facts that are text": ({"facts": "x"}, BadInput),
    "oversized facts": ({"facts": {"text": "x" * 70_000}}, BadInput),
    "bytes in the facts": ({"facts": {"a": b"x"}}, BadInput),
    "an object in the facts": ({"facts": {"a": object()}}, BadInput),
    "NaN in the facts": ({"facts": {"a": float("nan")}}, BadInput),
    "infinity in the facts": ({"facts": {"a": [float("inf")]}}, BadInput),
    "half a character in the facts": ({"facts": {"a": "\ud800"}}, BadInput),
    "facts without end": ({"facts": endless()}, BadInput),
    "a number that no column can hold": ({"facts": {"observations_count": 2**70}}, BadInput),
    "the status as a fact": ({"facts": {"status": "parsed"}}, BadInput),
    "the version as a fact": ({"facts": {"version": 7}}, BadInput),
    "the head as a fact": ({"facts": {"head": "x"}}, BadInput),
    "the id as a fact": ({"facts": {"id": "u2"}}, BadInput),
    "the number of retries as a fact": ({"facts": {"retry_count": 0}}, BadInput),
}


def test_move_refuses(app: App, hand: Any, subtests: pytest.Subtests) -> None:
    """All of it in one database, where each refusal leaves everything but the list of refusals as it was."""

    def kept() -> dict[str, Any]:
        return {name: rows for name, rows in hand.everything().items() if name != "interlock_verdict"}

    before = kept()
    for what, (changed, expected) in BAD.items():
        with subtests.test(what):
            with pytest.raises(expected) as refusal:
                app.move(**{**GOOD, **changed})
            assert refusal.value.code == expected.code
            assert refusal.value.message
            assert len(refusal.value.message) < 2000
            assert kept() == before
    assert app.check().findings == []


@pytest.mark.parametrize(
    "axes", [{}, {"status": "parsing", "curation_status": "New"}, {"nothing": "parsing"}], ids=str
)
def test_a_move_names_exactly_one_axis_of_its_kind(app: App, axes: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refusal:
        app.move("statements", "u1", actor="ann", **axes)
    assert "status" in refusal.value.message


def test_a_number_is_wanted_where_ids_are_numbers(numbered: App, subtests: pytest.Subtests) -> None:
    wrong: list[Any] = ["x", "1.0", 1.0, True, 2**63, -(2**63) - 1, "9" * 30, "--5", "", None, b"1"]
    for id in wrong:
        with subtests.test(repr(id)), pytest.raises(BadInput):
            numbered.move("domains", id, actor="ann", curation_status="Maybe")
    assert numbered.get("domains", 1)["curation_version"] == 0


@pytest.mark.parametrize("id", [2**62, -5, 0])
def test_a_number_that_nobody_has_is_unknown_or_refused(numbered: App, id: int) -> None:
    (answer,) = numbered.move_many("domains", [id], actor="ann", curation_status="Maybe")
    assert answer.outcome in ("unknown", "refused")
    assert answer.error is not None


def test_the_text_of_a_number_is_understood(numbered: App) -> None:
    assert numbered.move("domains", "1", actor="ann", curation_status="Maybe").outcome == "moved"


@pytest.mark.parametrize("scope", [None, "", "nothing", 7])
def test_a_scoped_axis_needs_one_of_its_scopes(numbered: App, scope: Any) -> None:
    with pytest.raises(BadInput) as refusal:
        numbered.move("themes", 1, actor="ann", scope=scope, status="in_progress")
    assert "technical" in refusal.value.message


@pytest.mark.parametrize("value", ["many", [1], {"a": 1}, datetime(2026, 1, 1)], ids=repr)  # noqa: DTZ001
def test_a_fact_that_does_not_fit_its_column_is_refused_or_kept_but_never_a_fault(
    app: App, hand: Any, value: Any
) -> None:
    """SQLite takes text into a column of numbers; what it cannot take is a refusal with a code."""
    (answer,) = app.move_many(
        "statements", ["u1"], actor="ann", facts={"observations_count": value}, status="parsing"
    )
    if answer.outcome != "moved":
        assert answer.error is not None
        assert answer.error.code in ("ILK-213", "ILK-102")
        assert app.get("statements", "u1")["version"] == 0
    assert app.check().findings == []


def test_a_closed_app_says_so(app: App) -> None:
    app.close()
    for act in (
        lambda: app.move(**GOOD),
        lambda: app.get("statements", "u1"),
        app.check,
        app.migrate,
        app.counts,
        app.ledger.tail,
        lambda: app.admit("statements", {"id": "u2"}),
        lambda: app.explain("statements", "u1"),
    ):
        with pytest.raises(StoreUnavailable) as refusal:
            act()
        assert (refusal.value.code, bool(refusal.value.hint)) == ("ILK-301", True)
