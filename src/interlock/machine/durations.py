"""Lengths of time as people write them: "30s", "5m", "2h", "2d", or a timedelta."""

from __future__ import annotations

import re
from datetime import timedelta

from interlock.errors import BadDeclaration

Span = str | timedelta

UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)")
WRITE = 'Write "30s", "5m", "2h" or "2d", or give a timedelta.'
_BRIEF = (
    ("d", timedelta(days=1)),
    ("h", timedelta(hours=1)),
    ("m", timedelta(minutes=1)),
    ("s", timedelta(seconds=1)),
)


def span(value: Span) -> timedelta:
    """The span as a timedelta; refuses what is not a length of time."""
    if isinstance(value, timedelta):
        length = value
    else:
        parts = WRITTEN.fullmatch(str(value).strip())
        if parts is None:
            raise BadDeclaration(f"{value!r} is not a span of time", hint=WRITE)
        try:
            length = timedelta(**{UNITS[parts[2]]: float(parts[1])})
        except OverflowError as error:
            raise BadDeclaration(f"{value!r} is longer than any time there is", hint=WRITE) from error
    if length < timedelta(0):
        raise BadDeclaration(f"{value!r} is a negative span of time", hint=WRITE)
    return length


def brief(length: timedelta) -> str:
    """The span in its largest whole unit: "7d", "90m", "1.5s"."""
    for unit, one in _BRIEF:
        if length >= one and length % one == timedelta(0):
            return f"{length // one}{unit}"
    return f"{length.total_seconds():g}s"
