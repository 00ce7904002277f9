"""Lengths of time as people write them: "30s", "5m", "2h", "2d", or a timedelta."""

from __future__ import annotations

import re
from datetime import timedelta

from ..errors import BadDeclaration

Span = str | timedelta

LONGEST = timedelta(days=366)
"""The longest that a stage may ask to wait or to pause: added to any date of this age it is still a date."""

_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)")


def span(value: Span) -> timedelta:
    """The span as a timedelta; refuses what is not a length of time."""
    if isinstance(value, timedelta):
        length = value
    else:
        written = _WRITTEN.fullmatch(str(value).strip())
        if written is None:
            raise BadDeclaration(
                f"{value!r} is not a span of time",
                hint='Write "30s", "5m", "2h" or "2d", or give a timedelta.',
            )
        try:
            length = timedelta(**{_UNITS[written[2]]: float(written[1])})
        except OverflowError as error:
            raise BadDeclaration(f"{value!r} is longer than any time there is") from error
    if length < timedelta(0):
        raise BadDeclaration(f"{value!r} is a negative span of time")
    return length


def bounded_span(value: Span) -> timedelta:
    """The span, at most `LONGEST`: a stage may pass on what a site asked for, and a site may ask for anything."""
    try:
        return min(span(value), LONGEST)
    except BadDeclaration:
        if isinstance(value, str) and _WRITTEN.fullmatch(value.strip()):
            return LONGEST  # too long for any clock
        raise


def rate(value: str) -> tuple[int, timedelta]:
    """How many per how long: "10/m" is ten a minute."""
    count, slash, unit = value.partition("/")
    if not slash or not count.strip().isdigit() or int(count) < 1:
        raise BadDeclaration(f"{value!r} is not a rate", hint='Write "10/m": ten a minute.')
    return int(count), span(unit if unit.strip()[:1].isdigit() else f"1{unit.strip()}")
