"""Words for a terminal: values as people read them, widths as terminals count them; text of records can never steer the terminal."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Any

from ...client.plain import plain
from ...workflow.columns.instant import instant_text

ELLIPSIS = "…"


def harmless(text: str) -> str:
    """The text without anything a terminal would obey: control and direction-changing characters become visible escapes."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign == "\n" or sign.isprintable() else sign.encode("unicode_escape").decode()
        for sign in text
    )


def one_line(text: str) -> str:
    """The harmless text in one line: what a record is called begins no line of its own."""
    return harmless(text).replace("\n", "\\n")


def cell(value: Any) -> str:
    """One value in one line; null is a word, for it is a state too."""
    if value is None:
        return "null"
    if isinstance(value, datetime):
        return instant_text(value)[:19].replace("T", " ")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return " ".join(f"{harmless(str(name))}={cell(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(cell, value))
    return one_line(str(plain(value)))


def width(text: str) -> int:
    """How many columns a terminal needs for it."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def fitted(text: str, room: int) -> str:
    """The text cut to the room there is, with a sign that it was cut."""
    if width(text) <= room:
        return text
    kept = text
    while kept and width(kept) > room - 1:
        kept = kept[:-1]
    return kept + ELLIPSIS


def padded(text: str, room: int) -> str:
    return text + " " * max(0, room - width(text))


def ago(then: datetime, now: datetime) -> str:
    """How long something has lasted, in the largest unit that says something."""
    seconds = max(0, int((now - then.astimezone(UTC)).total_seconds()))
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
