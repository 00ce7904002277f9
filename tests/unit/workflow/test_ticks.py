"""When schedules are due: spans counted from 1970, and the five fields of cron, in a time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlock import cron
from interlock.errors import BadDeclaration
from interlock.workflow.schedule import Ticks, ticks_of


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def following(ticks: Ticks, start: str, count: int) -> list[str]:
    found, now = [], at(start)
    for _ in range(count):
        now = ticks.next(now)
        found.append(f"{now:%Y-%m-%d %H:%M}")
    return found


@pytest.mark.parametrize(
    ("text", "start", "expected"),
    [
        ("0 6 * * *", "2026-01-31 07:00", ["2026-02-01 06:00", "2026-02-02 06:00"]),
        ("*/15 * * * *", "2026-01-01 00:01", ["2026-01-01 00:15", "2026-01-01 00:30"]),
        ("30 9-17/4 * * mon-fri", "2026-01-02 14:00", ["2026-01-02 17:30", "2026-01-05 09:30"]),
        ("0 0 29 2 *", "2026-01-01 00:00", ["2028-02-29 00:00", "2032-02-29 00:00"]),
        ("0 0 1 jan,jul *", "2026-02-01 00:00", ["2026-07-01 00:00", "2027-01-01 00:00"]),
        ("0 12 13 * fri", "2026-02-12 00:00", ["2026-02-13 12:00", "2026-02-20 12:00"]),
        ("5 4 * * 7", "2026-01-01 00:00", ["2026-01-04 04:05", "2026-01-11 04:05"]),
        ("10/20 0 * * *", "2026-01-01 00:00", ["2026-01-01 00:10", "2026-01-01 00:30"]),
    ],
)
def test_the_five_fields_mean_what_they_always_did(text: str, start: str, expected: list[str]) -> None:
    assert following(cron(text), start, len(expected)) == expected


def test_an_hour_that_the_clock_skips_is_due_once_it_is_skipped_and_a_repeated_one_once() -> None:
    night = cron("30 2 * * *", zone="Europe/Berlin")
    assert following(night, "2026-03-28 12:00", 2) == ["2026-03-29 01:30", "2026-03-30 00:30"]
    assert following(night, "2026-10-24 12:00", 2) == ["2026-10-25 00:30", "2026-10-26 01:30"]


@settings(deadline=None)  # a busy machine is no fault
@given(
    st.sampled_from(["* * * * *", "7 3 * * *", "*/13 */5 1-9 * *", "0 0 29 2 *", "15 14 1 * sun"]),
    st.sampled_from(["UTC", "America/New_York", "Australia/Lord_Howe"]),
    st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1)),  # noqa: DTZ001 drawn without a zone, and read in UTC
)
def test_the_latest_tick_is_the_one_after_which_the_next_one_comes(
    text: str, zone: str, moment: datetime
) -> None:
    ticks, now = cron(text, zone=zone), moment.replace(tzinfo=UTC)
    latest, coming = ticks.latest(now), ticks.next(now)
    assert latest <= now < coming
    assert ticks.latest(latest) == latest
    assert ticks.next(latest) == coming
    assert ticks.latest(coming) == coming


@pytest.mark.parametrize(
    "text",
    [
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "5-1 * * * *",
        "*/0 * * * *",
        "x * * * *",
        "0 0 30 2 *",
        "² * * * *",
    ],
)
def test_what_is_no_cron_is_refused(text: str) -> None:
    with pytest.raises(BadDeclaration):
        cron(text)


def test_a_zone_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadDeclaration, match="not a time zone"):
        cron("0 6 * * *", zone="Europe/Nowhere")


@pytest.mark.parametrize("when", ["0s", "10ms", "soon", timedelta(0)])
def test_what_is_no_span_or_too_short_is_refused(when: Any) -> None:
    with pytest.raises(BadDeclaration):
        ticks_of(when)


def test_spans_are_counted_from_the_same_instant_everywhere() -> None:
    quarter = ticks_of("15m")
    assert following(quarter, "2026-01-01 00:07", 3) == [
        "2026-01-01 00:15",
        "2026-01-01 00:30",
        "2026-01-01 00:45",
    ]
    assert quarter.latest(at("2026-01-01 00:15")) == at("2026-01-01 00:15")
    assert quarter.words == "every 15m"
