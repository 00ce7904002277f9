"""Outcomes, work, spans and rates are plain values that a test can make by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from interlock import Again, Done, Failed, Work, entering, leaving
from interlock.errors import BadDeclaration
from interlock.extension import read_retry_after
from interlock.workflow.durations import rate, span
from interlock.workflow.rules import several
from tests.kinds import uploads


@pytest.mark.parametrize(
    ("written", "length"),
    [
        ("30s", timedelta(seconds=30)),
        ("5m", timedelta(minutes=5)),
        ("2h", timedelta(hours=2)),
        ("2d", timedelta(days=2)),
        ("1w", timedelta(weeks=1)),
        ("250ms", timedelta(milliseconds=250)),
        ("1.5s", timedelta(seconds=1.5)),
        (" 7 s ", timedelta(seconds=7)),
        ("0s", timedelta(0)),
        (timedelta(minutes=3), timedelta(minutes=3)),
    ],
    ids=str,
)
def test_a_span_is_read(written: Any, length: timedelta) -> None:
    assert span(written) == length


@pytest.mark.parametrize(
    "written",
    ["", "s", "5", "5 minutes", "-5s", "1e3s", "5x", 5, None, timedelta(seconds=-1), "99999999999999d"],
    ids=repr,
)
def test_what_is_no_span_is_refused(written: Any) -> None:
    with pytest.raises(BadDeclaration):
        span(written)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10/m", (10, timedelta(minutes=1))),
        ("1/s", (1, timedelta(seconds=1))),
        ("5/2h", (5, timedelta(hours=2))),
        (" 3 / d ", (3, timedelta(days=1))),
    ],
)
def test_a_rate_is_read(written: str, meant: tuple[int, timedelta]) -> None:
    assert rate(written) == meant


@pytest.mark.parametrize("written", ["", "10", "/m", "0/m", "-1/m", "ten/m", "10/x", "10/"])
def test_what_is_no_rate_is_refused(written: str) -> None:
    with pytest.raises(BadDeclaration):
        rate(written)


def test_done_carries_its_result_its_facts_and_what_it_found() -> None:
    done: Done[list[int]] = Done([1], admits={"pages": [{"url": "u"}]}, empty=False, count=1)
    assert (done.result, done.admits, done.empty, done.facts) == (
        [1],
        {"pages": [{"url": "u"}]},
        False,
        {"count": 1},
    )
    bare: Done[None] = Done()
    assert (bare.result, bare.admits, bare.empty, bare.facts) == (None, {}, None, {})
    assert repr(done) == "Done(count=1)"


def test_failed_carries_its_code_and_whether_it_is_final() -> None:
    failed: Failed[None] = Failed("TORN", "page 2", final=True, pause="1h", pages=3)
    assert (failed.code, failed.message, failed.final, failed.pause, failed.facts) == (
        "TORN",
        "page 2",
        True,
        timedelta(hours=1),
        {"pages": 3},
    )
    assert (Failed("X").final, Failed("X").pause, Failed("X", pause=True).pause) == (False, False, True)
    assert repr(failed) == "Failed('TORN', 'page 2', final=True)"
    with pytest.raises(BadDeclaration):
        Failed("X", pause="soon")


def test_again_says_when() -> None:
    assert Again("5m").after == timedelta(minutes=5)
    with pytest.raises(BadDeclaration):
        Again("later")


def test_work_is_made_by_hand(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    work = Work("u1", {"a": 1}, scope="technical", attempt=2, last_error="TORN")
    assert (work.id, work.record, work.scope, work.attempt, work.last_error, work.cancelled) == (
        "u1",
        {"a": 1},
        "technical",
        2,
        "TORN",
        False,
    )
    with work.open(str(tmp_path / "file")) as file:
        assert file.read() == b"content"
    work.beat()
    assert work.beats == 1
    assert Work("u2").record == {}


def test_a_stage_stays_callable() -> None:
    parse = uploads().stages["parse"]
    assert parse(Work("u1")).facts == {"observations_count": 1}
    assert (parse.name, parse.axis, parse.waiting, parse.done, parse.retry_in) == (
        "parse",
        "status",
        ("queued_for_parse",),
        "parsed",
        "runner",
    )


def test_a_stage_knows_its_loader_saver_and_recheck() -> None:
    parse = uploads().stages["parse"]

    @parse.load
    def load(tx: Any, work: Work) -> None: ...

    @parse.save
    def save(tx: Any, work: Work, result: Any) -> None: ...

    @parse.recheck
    def recheck(tx: Any, work: Work) -> None: ...

    assert (parse.loader, parse.saver, parse.rechecker) == (load, save, recheck)


def test_one_state_or_several() -> None:
    assert several("a") == ("a",)
    assert several(None) == (None,)
    assert several(["b", "a"]) == ("b", "a")
    assert several({"b", "a", None}) == ("a", "b", None)


def test_a_rule_fires_whenever_one_of_its_states_is_entered_or_left_another_of_them_included() -> None:
    into, out = entering(one={"b", "c"}).requires(two="x"), leaving(one={"b", "c"}).requires(two="x")
    crossings = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "a"), (None, "b"), ("b", None)]
    assert [into.fires(old, new) for old, new in crossings] == [True, True, False, False, True, False]
    assert [out.fires(old, new) for old, new in crossings] == [False, True, True, False, False, True]


def test_a_rule_can_be_said_aloud() -> None:
    assert str(entering(one="b").moves(two={None: "x"})) == "entering(one=b).moves(two: null→x)"
    assert str(leaving(one=["b", None]).requires(two={"y", "x"})) == "leaving(one=b|null).requires(two=x|y)"


MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "1e9"}, None),
        ({"retry-after": " 30 "}, 30),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "999999999999"}, 3600),
        ({"retry-after": "Thu, 01 Jan 2026 00:01:00 GMT"}, 60),
        ({"retry-after": "Thursday, 01-Jan-26 00:01:00 GMT"}, 60),
        ({"retry-after": "Wed, 31 Dec 2025 00:01:00 GMT"}, 0),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 -2359"}, 3600),
        (
            {"retry-after": "Sat, 01 Mar 2031 00:00:09 GMT", "date": "Sat, 01 Mar 2031 00:00:00 GMT"},
            9,
        ),
        ({"retry-after": "Thu, 01 Jan 2026 00:01:00 GMT", "date": "today"}, 60),
    ],
)
def test_how_long_an_answer_asks_to_be_left_alone(headers: dict[str, str], seconds: float | None) -> None:
    """A date counts from the answer's own, for its clock need not be ours."""
    asked = read_retry_after(headers, MIDNIGHT, longest="1h")
    assert asked == (None if seconds is None else timedelta(seconds=seconds))
