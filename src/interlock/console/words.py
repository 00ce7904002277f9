"""Numbers, spans and instants as people read them, and commands as a shell takes them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Signs that turn the direction of what stands behind them."""
SPANS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def number(value: float | int | None) -> str:
    """A count with commas between thousands; nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.1f}"
    return f"{int(value):,}".replace("-", "−")


def span(seconds: float | None) -> str:
    """A span in its two largest units: 0.4 s, 21 min, 2 d 4 h; nothing where there is none."""
    if seconds is None:
        return ""
    seconds = max(0.0, float(seconds))
    if seconds < 10:
        return f"{seconds:.1f} s".replace(".0 s", " s")
    left, parts = round(seconds), []
    for unit, size in SPANS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}")
        if parts and (len(parts) == 2 or unit == "min"):
            break
    return " ".join(parts[:2])


def gap(seconds: float | None) -> str:
    """A span between two entries; one that is too short for tenths of a second is in milliseconds."""
    if seconds is not None and 0 < seconds < 0.1:
        return f"{max(1, round(seconds * 1000))} ms"
    return span(seconds)


def day(instant: datetime | None) -> str:
    """A date: 12 November 2026."""
    return "" if instant is None else f"{_utc(instant).day} {_utc(instant):%B %Y}"


def clock(instant: datetime | None) -> str:
    """The time of day in UTC, to the second."""
    return "" if instant is None else f"{_utc(instant):%H:%M:%S}"


def moment(instant: datetime | None) -> str:
    """Date and time in UTC, to the second."""
    return "" if instant is None else f"{_utc(instant):%Y-%m-%d %H:%M:%S}"


def iso(instant: datetime | None) -> str:
    """The instant as the attribute `datetime` of an element has it."""
    return "" if instant is None else f"{_utc(instant):%Y-%m-%dT%H:%M:%SZ}"


def since(instant: datetime | None, now: datetime) -> float | None:
    """Seconds from an instant to now."""
    return None if instant is None else max(0.0, (now - _utc(instant)).total_seconds())


def state_word(state: str | None) -> str:
    """A state as it was declared; null is a state too."""
    return "null" if state is None else state


def short(text: str | None, most: int = 120) -> str:
    """The first sentence of a text, and no more than so many characters of it; an ellipsis where something was left out."""
    whole = (text or "").strip()
    first = whole.partition(". ")[0]
    cut = first if len(first) <= most else first[: most - 1].rpartition(" ")[0] or first[: most - 1]
    return cut if cut == whole or f"{cut}." == whole else f"{cut.rstrip('.,;: ')}…"


def headline(text: str | None, breaks: Sequence[str] = (": ", "; ", ". ")) -> tuple[str, str]:
    """A message as its first clause, with a capital letter, and the rest of it; all of it is the first clause where that is long."""
    whole = (text or "").strip()
    cut = min((at for one in breaks if 8 < (at := whole.find(one)) < 80), default=len(whole))
    return whole[:1].upper() + whole[1:cut], whole[cut:].lstrip(":;., ")


def plural(count: int, one: str, many: str = "") -> str:
    """A count with its noun: 1 record, 3 records."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def unturned(text: str) -> str:
    """The text with signs that turn its direction as visible escapes, so that a name cannot be read backwards; the letters of each script
    keep their own direction."""
    return TURNING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def command(*words: Any) -> str:
    """A command line that a shell reads as exactly these words."""
    return " ".join(shlex.quote(str(word)) for word in words)


def path(*segments: Any) -> str:
    """A path of these segments, each escaped."""
    return "".join(f"/{quote(str(one), safe='')}" for one in segments)


def query(**values: Any) -> str:
    """A query string of the values that are there, with its question mark."""
    chosen = {name: value for name, value in values.items() if value not in (None, "")}
    return f"?{urlencode(chosen)}" if chosen else ""


def _utc(instant: datetime) -> datetime:
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
