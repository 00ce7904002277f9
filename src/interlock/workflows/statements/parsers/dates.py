"""Reads printed dates by their order (ymd, mdy, dmy) or a format such as dd.mm.yyyy, and finds the order that a whole column shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise

from ..normalize.date_formats import compiled, month_number

ORDERS = ("ymd", "mdy", "dmy")

_NUMERIC = re.compile(
    r"(\d{1,4})\s?([./\-\u2010\u2011])\s?(\d{1,2})\s?[./\-\u2010\u2011]\s?(\d{1,4})\.?(?:[T ,;].*)?",
    re.ASCII | re.DOTALL,
)
_COMPACT = re.compile(
    r"(\d{4})(\d{2})(\d{2})(?:(?:\d{2}){2,3})?(?:[.,]\d+)?\s*(?:\[.*\])?(?:[T ].*)?", re.ASCII | re.DOTALL
)
_DAY_FIRST = re.compile(
    r"(?:[^\W\d_]+\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th)?[.\s/\-]*(?:de\s+)?([^\W\d_]{3,})\.?,?[\s/\-]*(?:de\s+)?(\d{4}|\d{2})(?:[T ,].*)?",
    re.DOTALL,
)
_MONTH_FIRST = re.compile(
    r"(?:[^\W\d_]+\.?,?\s+)?([^\W\d_]{3,})\.?[\s/\-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s/\-]+(\d{4}|\d{2})(?:[T ,].*)?",
    re.DOTALL,
)


_REIGN = re.compile(
    r"(?:(?P<letter>[RHS])|(?P<name>令和|平成|昭和))\s?(?P<year>\d{1,2}|元)\s?[./年-]\s?(\d{1,2})\s?[./月-]\s?(\d{1,2})日?"
)
_YEARS_BEFORE = {"R": 2018, "令和": 2018, "H": 1988, "平成": 1988, "S": 1925, "昭和": 1925}
"""The years before the first of each Japanese reign."""
_IN_CHARACTERS = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日(?:\s?\d{1,2}[:時].*)?")
REPUBLIC = 1911
"""The year before the first of the Republic of China, which Taiwan counts from."""
_SHORT_YEAR = re.compile(r"\d{2}[./\-\u2010\u2011]\d{1,2}[./\-\u2010\u2011](\d{2})(?!\d)", re.ASCII)
A_YEAR, MUCH_CLOSER, NEAR_YEARS = 400, 4, 3
"""Days; how much closer together the days of the right reading stand; years of one date that may both be its year."""


@lru_cache(maxsize=8192)
def read_date(text: str, order: str) -> date | None:
    """The day as printed; a time beside it is ignored and no time zone shifts it. None if there is no such day."""
    text = text.strip().strip("'\"").strip()
    if not 6 <= len(text) <= 64:
        return None
    if order not in ORDERS:
        return _by_format(text, order)
    return _numeric(text, order) or _compact(text, order) or _named(text) or _eastern(text)


def _by_format(text: str, written: str) -> date | None:
    found = compiled(written).fullmatch(text)
    if found is None:
        return None
    parts = found.groupdict()
    return _day(
        parts["year"],
        str(month_number(parts["name"]) or 0) if parts.get("name") else parts["month"],
        parts["day"],
    )


def _numeric(text: str, order: str) -> date | None:
    found = _NUMERIC.fullmatch(text)
    if found is None:
        return None
    first, second, third = found[1], found[3], found[4]
    if len(first) == 3 and first[0] == "1" and len(third) <= 2:
        return _day(str(int(first) + REPUBLIC), second, third)
    if len(first) == 4:
        return _day(first, second, third) if len(third) <= 2 else None
    if order == "mdy":
        return _day(third, first, second)
    if order == "dmy":
        return _day(third, second, first)
    return _day(first, second, third) if len(first) == len(third) == 2 else None


def _compact(text: str, order: str) -> date | None:
    found = _COMPACT.fullmatch(text)
    if (
        found is not None
        and (day := _day(found[1], found[2], found[3])) is not None
        and 1900 <= day.year <= 2200
    ):
        return day
    if order in ("mdy", "dmy") and len(text) == 8 and text.isascii() and text.isdigit():
        first, second, year = text[:2], text[2:4], text[4:]
        day = _day(year, first, second) if order == "mdy" else _day(year, second, first)
        return day if day is not None and 1900 <= day.year <= 2200 else None
    return None


def _eastern(text: str) -> date | None:
    """A day with the signs for year, month and day, or with the year of a Japanese reign."""
    if found := _IN_CHARACTERS.fullmatch(text):
        return _day(found[1], found[2], found[3])
    if (found := _REIGN.fullmatch(text)) is None:
        return None
    year = 1 if found["year"] == "元" else int(found["year"])
    return _day(str(_YEARS_BEFORE[found["letter"] or found["name"]] + year), found[4], found[5])


def _named(text: str) -> date | None:
    for pattern, day, month in ((_DAY_FIRST, 1, 2), (_MONTH_FIRST, 2, 1)):
        found = pattern.fullmatch(text)
        if found is not None and (number := month_number(found[month])) is not None:
            return _day(found[3], str(number), found[day])
    return None


def _day(year: str, month: str, day: str) -> date | None:
    if len(year) not in (2, 4):
        return None
    number = int(year)
    if len(year) == 2:
        number += 1900 if number >= 69 else 2000
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None


def is_date(text: str) -> bool:
    """Whether it is a date in any order."""
    return any(read_date(text, order) is not None for order in ORDERS)


_DOTTED = re.compile(r"(\d{1,2})\s?\.\s?(\d{1,2})\s?\.\s?(?:\d{4}|\d{2})(?!\d)", re.ASCII)


_FULL = re.compile(r"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(?:19|20)\d\d(?![\d/-])", re.ASCII)


def are_dotted(texts: Sequence[str]) -> bool:
    """Whether most of these dates are numbers with full stops, the year last."""
    return sum(_DOTTED.match(text.strip()) is not None for text in texts) * 2 > len(texts)


def dotted_order(text: str) -> str:
    """The order that dates with full stops anywhere in a text prove by a number over 12; empty where none does or they contradict."""
    return _order_of([(int(one), int(two)) for one, two in _DOTTED.findall(text)])


def full_date_order(text: str) -> str:
    """The order that dates with slashes or dashes and a year of four digits prove anywhere in a text by a number over 12; empty where none
    does or they contradict."""
    return _order_of([(int(one), int(two)) for one, _, two in _FULL.findall(text)])


def _order_of(pairs: Sequence[tuple[int, int]]) -> str:
    days_first, months_first = any(one > 12 for one, _ in pairs), any(two > 12 for _, two in pairs)
    return "" if days_first == months_first else "dmy" if days_first else "mdy"


def with_full_stops(texts: Sequence[str], candidates: Sequence[str], settled: str = "") -> tuple[str, ...]:
    """The orders to try for these dates. With full stops the day mostly comes first, also in a layout whose dates usually begin with the
    month; `settled` is the order that something else in the file shows, and only a date that cannot be read so contradicts it."""
    if "mdy" not in candidates or not are_dotted(texts):
        return tuple(candidates)
    if settled and all(read_date(text, settled) for text in texts if _DOTTED.match(text.strip())):
        return (*(order for order in candidates if order not in ("mdy", "dmy")), settled)
    return (*(order for order in candidates if order not in ("mdy", "dmy")), "dmy", "mdy")


def likeliest_order(texts: Sequence[str], candidates: Sequence[str]) -> tuple[str, bool]:
    """The candidate that reads the most; a tie is broken by the order of the rows, then by preference. The flag: nothing decided it."""
    if "ymd" in candidates and (short := [text for text in texts if _SHORT_YEAR.match(text.strip())]):
        others = [order for order in candidates if order != "ymd"]
        is_first, is_open = year_is_first(short, others)
        if is_first:
            return "ymd", is_open
        order, guess = likeliest_order(texts, others) if others else ("ymd", False)
        return order, guess or is_open
    fits = {order: sum(read_date(text, order) is not None for text in texts) for order in candidates}
    best = max(fits.values(), default=0)
    equal = [order for order in candidates if fits[order] == best]
    if len(equal) == 1 or best == 0:
        return equal[0], False
    readings = {
        order: [day for text in texts if (day := read_date(text, order)) is not None] for order in equal
    }
    if all(readings[order] == readings[equal[0]] for order in equal):
        return equal[0], False
    orderly = [order for order in equal if _is_sorted(readings[order])]
    if len(orderly) == 1 and best > 2:
        return orderly[0], False
    dense = [order for order in orderly if not _is_monthly(readings[order])]
    return (dense[0] if len(dense) == 1 else equal[0]), True


def year_is_first(texts: Sequence[str], others: Sequence[str]) -> tuple[bool, bool]:
    """Whether two digits that begin a date are its year, and whether that stays open. Days of one file lie close together: read with the
    wrong end as their year they are spread over as many years as a month has days."""
    first = _spread([read_date(text, "ymd") for text in texts])
    if first is None:
        return False, False
    last = [
        spread
        for order in others
        if (spread := _spread([read_date(text, order) for text in texts])) is not None
    ]
    if not last:
        return True, False
    if first * MUCH_CLOSER < min(last) and min(last) > A_YEAR:
        return True, False
    if min(last) * MUCH_CLOSER < first and first > A_YEAR:
        return False, False
    years = {
        (int(text.strip()[:2]), int(match[1])) for text in texts if (match := _SHORT_YEAR.match(text.strip()))
    }
    return False, "-" in texts[0] or any(abs(one - other) <= NEAR_YEARS for one, other in years)


def _spread(days: Sequence[date | None]) -> int | None:
    """How many days lie between the first and the last; None where one is no day of the calendar."""
    known = [day for day in days if day is not None]
    return (max(known) - min(known)).days if len(known) == len(days) else None


def _is_monthly(days: Sequence[date]) -> bool:
    """Whether all lie on the same day of three or more months: days and months that changed places look so."""
    return len({day.day for day in days}) == 1 and len({(day.year, day.month) for day in days}) > 2


def _is_sorted(days: Sequence[date]) -> bool:
    pairs = list(pairwise(days))
    return all(left <= right for left, right in pairs) or all(left >= right for left, right in pairs)
