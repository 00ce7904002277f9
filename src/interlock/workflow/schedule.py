"""Schedules: when a function of a workflow is due, as pure values. A tick is the instant at which a run is due."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import BadDeclaration
from ..machine.durations import Span, brief, span

ScheduledFunction = Callable[[Any, datetime], Any]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SHORTEST = timedelta(seconds=1)
CRON_FIELDS = 5
SEARCHED = 366 * 9
"""Days to look through for a tick: 29 February may be eight years away."""
FIELDS = "Fields are minute 0-59, hour 0-23, day 1-31, month 1-12 or jan-dec, weekday 0-7 or sun-sat; also *, 1-5, */15."
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_DAYS = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}


class Ticks(Protocol):
    """When something is due."""

    @property
    def words(self) -> str:
        """The schedule as people write it, such as `every 15m`."""
        ...

    def latest(self, now: datetime) -> datetime:
        """The last tick that is not after this instant."""
        ...

    def next(self, now: datetime) -> datetime:
        """The first tick after this instant."""
        ...


@dataclass(frozen=True)
class Interval:
    """Every so often, counted from 1970 in UTC: every process knows the same ticks."""

    length: timedelta

    @property
    def words(self) -> str:
        return f"every {brief(self.length)}"

    def latest(self, now: datetime) -> datetime:
        return now - (now - EPOCH) % self.length

    def next(self, now: datetime) -> datetime:
        return self.latest(now) + self.length


@dataclass(frozen=True)
class Cron:
    """Five fields: minute, hour, day of the month, month, day of the week; in a time zone."""

    text: str
    zone: str = "UTC"

    def __post_init__(self) -> None:
        self._fields  # noqa: B018 what cannot be read is refused here
        self._place  # noqa: B018
        if next(self._upward(date(2000, 1, 1)), None) is None:
            raise BadDeclaration(f"cron {self.text!r} is never due", hint="No month has such a day.")

    @property
    def words(self) -> str:
        return f"cron {self.text}" + ("" if self.zone == "UTC" else f" ({self.zone})")

    @cached_property
    def _place(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise BadDeclaration(
                f"{self.zone!r} is not a time zone", hint='Write "Europe/Berlin".'
            ) from error

    @cached_property
    def _fields(self) -> tuple[list[int], list[int], set[int], set[int], set[int]]:
        parts = self.text.split()
        if len(parts) != 5:
            raise BadDeclaration(
                f"cron {self.text!r} has {len(parts)} fields, not five",
                hint='minute hour day month weekday: "0 6 * * *" is every day at six.',
            )
        minutes, hours = self._field(parts[0], 0, 59), self._field(parts[1], 0, 23)
        days, months = self._field(parts[2], 1, 31), self._field(parts[3], 1, 12, _MONTHS)
        weekdays = {number % 7 for number in self._field(parts[4], 0, 7, _DAYS)}
        return minutes, hours, set(days), set(months), weekdays

    def _field(self, text: str, lowest: int, highest: int, names: dict[str, int] | None = None) -> list[int]:
        """The numbers that one field allows, ascending: `*`, `5`, `1-5`, `*/15`, `mon-fri`, and lists of these."""
        found: set[int] = set()
        for part in text.split(","):
            several, slash, step = part.partition("/")
            first, dash, last = several.partition("-")
            if several == "*":
                start, end = lowest, highest
            else:
                start = self._number(first, names)
                end = self._number(last, names) if dash else highest if slash else start
            stride = self._number(step, None) if slash else 1
            if not lowest <= start <= end <= highest or stride < 1:
                raise BadDeclaration(
                    f"cron {self.text!r}: {part!r} is not within {lowest} to {highest}", hint=FIELDS
                )
            found |= set(range(start, end + 1, stride))
        return sorted(found)

    def _number(self, text: str, names: dict[str, int] | None) -> int:
        if names and text.lower() in names:
            return names[text.lower()]
        if not (text.isascii() and text.isdigit()):
            raise BadDeclaration(f"cron {self.text!r}: {text!r} is not a number", hint=FIELDS)
        return int(text)

    def _is_due(self, day: date) -> bool:
        """Where both days are restricted, either will do: that is what cron has always done."""
        _, _, days, months, weekdays = self._fields
        _, _, of_month, _, of_week = self.text.split()
        if day.month not in months:
            return False
        fits, falls = day.day in days, day.isoweekday() % 7 in weekdays
        return (fits or falls) if of_month != "*" and of_week != "*" else (fits and falls)

    def _instants(self, day: date) -> list[datetime]:
        """The ticks of one day, ascending. An hour that a clock skips is due when it has been skipped; one that it repeats, once."""
        minutes, hours, *_ = self._fields
        local = (
            datetime(day.year, day.month, day.day, hour, minute, tzinfo=self._place)
            for hour in hours
            for minute in minutes
        )
        return sorted({one.astimezone(UTC) for one in local})

    def _upward(self, first: date) -> Iterator[date]:
        return (day for number in range(SEARCHED) if self._is_due(day := first + timedelta(days=number)))

    def latest(self, now: datetime) -> datetime:
        today = now.astimezone(self._place).date() + timedelta(days=1)
        for number in range(SEARCHED):
            day = today - timedelta(days=number)
            if self._is_due(day):
                for instant in reversed(self._instants(day)):
                    if instant <= now:
                        return instant
        raise AssertionError("refused when it was declared")

    def next(self, now: datetime) -> datetime:
        for day in self._upward(now.astimezone(self._place).date() - timedelta(days=1)):
            for instant in self._instants(day):
                if instant > now:
                    return instant
        raise AssertionError("refused when it was declared")


def cron(text: str, *, zone: str = "UTC") -> Cron:
    """Due as the five fields of a crontab say, in a time zone: `cron("0 6 * * mon-fri", zone="Europe/Berlin")`."""
    return Cron(text, zone)


def ticks_of(when: Span | Ticks) -> Ticks:
    """A span, or what `cron` returns, as ticks."""
    if not isinstance(when, str | timedelta):
        if not hasattr(when, "latest"):
            raise BadDeclaration(
                f"{when!r} is not a schedule", hint='Write every("15m") or every(cron("0 6 * * *")).'
            )
        return when
    if isinstance(when, str) and len(when.split()) == CRON_FIELDS:
        raise BadDeclaration(
            f"{when!r} is not a span of time, but looks like cron", hint=f'Write every(cron("{when}")).'
        )
    length = span(when)
    if length < SHORTEST:
        raise BadDeclaration(f"a schedule of {when!r} is too short", hint="At least a second.")
    return Interval(length)


@dataclass(frozen=True, eq=False)
class Schedule:
    """A function that runs once for each tick, in one of the coordinators."""

    kind: str
    name: str
    ticks: Ticks
    function: ScheduledFunction

    @property
    def full_name(self) -> str:
        return f"{self.kind}.{self.name}"
