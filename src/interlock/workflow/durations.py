"""Lengths of time that stages ask for, and rates."""

from __future__ import annotations

from datetime import timedelta

from ..errors import BadDeclaration
from ..machine.durations import WRITTEN, Span, span

__all__ = ["LONGEST", "Span", "bounded_span", "rate", "span"]

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
