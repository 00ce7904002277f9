"""Lengths of time that stages ask for, and rates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from ..errors import BadDeclaration
from ..machine.durations import WRITTEN, Span, span

__all__ = ["LONGEST", "Span", "bounded_span", "rate", "rate_of_column", "read_retry_after", "span"]

LONGEST = timedelta(days=366)
"""The longest that a stage may ask to wait or to pause: added to any date of this age it is still a date."""


def bounded_span(value: Span) -> timedelta:
    """The span, at most `LONGEST`: a stage may pass on what a site asked for, and a site may ask for anything."""
    try:
        return min(span(value), LONGEST)
    except BadDeclaration:
        if isinstance(value, str) and WRITTEN.fullmatch(value.strip()):
            return LONGEST  # too long for any clock
        raise


def read_retry_after(headers: Mapping[str, str], now: datetime, *, longest: Span = "1d") -> timedelta | None:
    """Return how long an HTTP answer asks to be left alone, at most `longest`; None where it does not ask, or not in a way to be read.

    `Retry-After` is a number of seconds or a date; a date counts from the answer's own `Date`, without one from `now`. The names of
    headers are in lower case, or those of a mapping that does not care.
    """
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", text, re.ASCII):
        return min(timedelta(seconds=float(text)), span(longest))
    until = _http_date(text)
    if until is None:
        return None
    return min(max(until - (_http_date(headers.get("date", "")) or now), timedelta()), span(longest))


def _http_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def rate(value: str) -> tuple[int, timedelta]:
    """How many per how long: "10/m" is ten a minute."""
    count, slash, unit = value.partition("/")
    if not slash or not count.strip().isdigit() or int(count) < 1:
        raise BadDeclaration(f"{value!r} is not a rate", hint='Write "10/m": ten a minute.')
    try:
        return int(count), span(unit if unit.strip()[:1].isdigit() else f"1{unit.strip()}")
    except BadDeclaration as error:
        raise BadDeclaration(
            f"{value!r} is not a rate: {unit.strip()!r} is no unit of time",
            hint='Write "10/m": ten a minute.',
        ) from error


def rate_of_column(value: Any) -> tuple[Any, tuple[int, timedelta]]:
    """Return a column with how many per how long, from `(column, "1/s")`; raises BadDeclaration for what is no such pair."""
    if not isinstance(value, tuple) or len(value) != 2 or not isinstance(value[1], str):
        raise BadDeclaration(
            f"rate_per is a column and a rate, not {value!r}", hint='Write rate_per=(pages.c.host, "1/s").'
        )
    count, window = rate(value[1])
    if not window:
        raise BadDeclaration(f"{value[1]!r} is a rate in no time", hint='Write "1/s": one a second.')
    return value[0], (count, window)
