"""Reports are untrusted: each reads as it was written, or is refused with a code; none raises."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from interlock import Again, Failed, Machine
from interlock.coordinator.decide import PLAIN_DONE, Report, decide
from interlock.coordinator.report import parse_report, seconds_since
from interlock.store.entry import FACTS_LIMIT
from interlock.store.work.attempts import Attempt
from interlock.workflow import Stage
from interlock.workflow.durations import LONGEST

ERROR = '{"error_code":"C","error_message":"m"}'
YEAR = LONGEST.total_seconds()


def row(outcome: Any, facts: Any = None, report: Any = None, gates: Any = None, shape: Any = None) -> Attempt:
    return Attempt(
        1,
        "jobs",
        "a",
        "status",
        "",
        "jobs.work",
        1,
        "f" * 32,
        "r1",
        None,
        None,
        outcome,
        report,
        None,
        1,
        shape,
        facts,
        gates,
    )


def is_refused(attempt: Attempt) -> bool:
    report = parse_report(attempt)
    return (report.happening, report.code, report.final) == ("refused", "BAD_REPORT", True) and 0 < len(
        report.message
    ) <= 500


def test_a_report_reads_as_it_was_written() -> None:
    assert parse_report(row("done")) is PLAIN_DONE
    assert parse_report(row("done", '{"a":1}')) == Report("done", facts={"a": 1})
    assert parse_report(row("empty", '{"a":1,"empty":true}')) == Report("done", empty=True, facts={"a": 1})
    assert parse_report(row("again", None, '{"after":5.0}')) == Report("again", after=5.0)
    assert parse_report(row("failed", ERROR)) == Report("failed", "C", "m")
    assert parse_report(row("failed", ERROR, '{"final":true}')) == Report("failed", "C", "m", final=True)
    assert parse_report(row("failed", ERROR, '{"after":90.5}')) == Report("failed", "C", "m", after=90.5)
    gates = '[{"gate":"g","passed":false,"reason":"no"}]'
    facts = '{"a":1,"error_code":"C","error_message":"m"}'
    assert parse_report(row("failed", facts, '{"final":true,"pause":60.0}', gates)) == Report(
        "failed",
        "C",
        "m",
        final=True,
        pause=60.0,
        facts={"a": 1},
        gates=({"gate": "g", "passed": False, "reason": "no"},),
    )


def test_a_fact_named_like_the_gates_is_a_fact() -> None:
    assert parse_report(row("done", '{"interlock_gates":[{}]}')) == Report(
        "done", facts={"interlock_gates": [{}]}
    )


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        "1",
        '"x"',
        "",
        "NaN",
        '{"a":NaN}',
        '{"a":1e999}',
        '{"a":"\\u0000"}',
        '{"a":"\\ud800"}',
        '{"a":' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a":"' + "x" * FACTS_LIMIT + '"}',
        "\ud800",
        '{"a":"\0"}',
        b"{}",
        7,
    ],
)
def test_facts_that_are_no_object_of_modest_size_are_refused(text: Any) -> None:
    assert is_refused(row("done", text))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '{"final":1}',
        '{"final":"yes"}',
        '{"pause":"1h"}',
        '{"pause":null}',
        '{"pause":[]}',
        '{"gates":[]}',
        '{"facts":{}}',
        '{"after":{}}',
        '{"after":null}',
        '{"after":"1h"}',
        '{"after":true}',
        '{"pause":NaN}',
        '{"pause":1e999}',
    ],
)
def test_what_is_neither_outcome_nor_fact_is_read_strictly(text: str) -> None:
    assert is_refused(row("failed", ERROR, text))


@pytest.mark.parametrize(
    "facts",
    [
        None,
        "{}",
        '{"error_code":["C"],"error_message":"m"}',
        '{"error_code":"","error_message":"m"}',
        '{"error_code":"C","error_message":{}}',
        '{"error_code":null}',
    ],
)
def test_a_failure_without_a_code_is_refused(facts: str | None) -> None:
    assert is_refused(row("failed", facts))


@pytest.mark.parametrize(
    "gates",
    [
        "{}",
        "[{}]",
        "[1]",
        '[{"gate":1,"passed":true}]',
        '[{"gate":"g","passed":1}]',
        '[{"gate":"","passed":true}]',
        '[{"gate":"g","passed":true,"details":[]}]',
        '[{"gate":"g","passed":true,"duration_ms":1e9}]',
        '[{"gate":"g","passed":true,"duration_ms":-1}]',
        '[{"gate":"g","passed":true,"version":7}]',
    ],
)
def test_gates_that_are_no_list_of_verdicts_are_refused(gates: str) -> None:
    assert is_refused(row("done", None, None, gates))


@pytest.mark.parametrize("outcome", [None, "", "DONE", "expired", "cancelled", "refused", "done\n"])
def test_an_outcome_that_no_runner_reports_is_refused(outcome: Any) -> None:
    assert is_refused(row(outcome, ERROR))


@pytest.mark.parametrize(
    ("written", "seconds"), [("1e300", YEAR), ("-5", 0), ("0.5", 0.5), ("99999999999999999999999", YEAR)]
)
def test_spans_are_between_nothing_and_a_year(written: str, seconds: float) -> None:
    assert parse_report(row("again", None, f'{{"after":{written}}}')).after == seconds
    assert parse_report(row("failed", ERROR, f'{{"pause":{written}}}')).pause == seconds
    assert parse_report(row("failed", ERROR, f'{{"after":{written}}}')).after == seconds


def test_spans_are_between_nothing_and_a_year_where_they_are_made() -> None:
    for span in ("999999999999s", "9999999999999999999999w", timedelta.max, "900000d"):
        assert Again(span).after == LONGEST
        assert Failed("C", pause=span).pause == LONGEST
        assert Failed("C", after=span).after == LONGEST
    assert (Again("90s").after, Failed("C", pause=True).pause) == (timedelta(seconds=90), True)


def test_an_instant_that_cannot_be_read_was_just_now() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert [
        seconds_since(one, now)
        for one in (None, "not a time", 7, datetime(2026, 1, 1), "-infinity")  # noqa: DTZ001
    ] == [timedelta()] * 5
    assert seconds_since("2025-12-31T23:59:00.000000Z", now) == timedelta(minutes=1)


def drawn(random: Random, depth: int = 0) -> Any:
    """Any JSON value, and some that are none."""
    kind = random.randrange(9 if depth < 4 else 7)
    if kind == 7:
        return [drawn(random, depth + 1) for _ in range(random.randrange(4))]
    if kind == 8:
        names = [
            "final",
            "pause",
            "after",
            "error_code",
            "error_message",
            "gate",
            "passed",
            "empty",
            "x\0",
            "\ud800",
            "a",
        ]
        return {random.choice(names): drawn(random, depth + 1) for _ in range(random.randrange(4))}
    return random.choice(
        [
            None,
            True,
            False,
            random.randint(-(2**70), 2**70),
            random.uniform(-1e308, 1e308),
            float("inf"),
            float("nan"),
            "",
            "C",
            "\0",
            "\udfff",
            "ü" * random.randrange(9),
            "{",
            10 ** random.randrange(300),
        ]
    )


def text_of(random: Random) -> Any:
    if random.random() < 0.3:
        return None
    text = json.dumps(drawn(random), ensure_ascii=random.random() < 0.5)
    return (
        text
        if random.random() < 0.8
        else text[: random.randrange(len(text) + 1)] + random.choice(["", "{", "\0", "]", "\ud800"])
    )


def test_ten_thousand_random_reports_are_each_read_or_refused() -> None:
    random, read = Random(12), 0
    stage = Stage(
        "work", "status", lambda work: None, ("wait",), "done", "run", "failed", retry=(timedelta(seconds=1),)
    )
    machine = Machine(
        "m", initial="wait", moves={"wait": ["run"], "run": ["done", "failed", "wait"], "failed": ["wait"]}
    )
    for _ in range(10_000):
        outcome = random.choice(["done", "empty", "failed", "again", "", None, "again\0", "x"])
        report = parse_report(row(outcome, text_of(random), text_of(random), text_of(random)))
        decision = decide(stage, machine, "run", 0, report, elapsed=timedelta(days=1))
        json.dumps(decision.facts, ensure_ascii=False, allow_nan=False).encode()
        assert datetime(2900, 1, 1, tzinfo=UTC) + (decision.due or decision.again or timedelta())
        read += report.happening != "refused"
    assert 0 < read < 10_000
