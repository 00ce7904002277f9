"""Reads printed dates by the formats of their source; where it has none, the whole file shows the order of day and month."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from ..parsers.dates import read_date
from .date_formats import compiled, month_number

DayMonthOrder = Literal["dmy", "mdy"]
AUTO = "auto"
EARLIEST = date(1970, 1, 1)
LONGEST = 64
ENOUGH_TO_SHOW = 4
"""Fewer different days stand in order by chance."""
UNMISTAKABLE = (
    "yyyy-mm-dd",
    "yyyymmdd",
    "yyyy/mm/dd",
    "yyyy.mm.dd",
    "dd.mm.yyyy",
    "dd.mm.yy",
    "mon dd, yyyy",
    "mon dd, yy",
)
"""Formats that mean one thing wherever they are printed, as does a month's name; they are read for every source, after its own."""

_TIME = r"(?:(?:T| |, )\d{1,2}[:.h]\d{2}.{0,40})?"
_NAMED = re.compile(
    r"(?:[^\W\d_]{2,10}\.?,? )?(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?[ /.-]{0,3}(?:de )?(?P<name>[^\W\d_]{3,10})\.?,?"
    r"[ /.-]{0,3}(?:de )?(?P<year>\d{4}|\d{2})" + _TIME,
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(?P<first>\d{1,2})(?P<mark>[-/ ])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})" + _TIME
)


class DateRefused(ValueError):
    """The text is no date, or none that a statement can have."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A day; `ambiguous` if day and month could be the other way round and nothing in the file says which."""

    day: date
    ambiguous: bool = False


def infer_order(texts: Iterable[str], latest: date) -> DayMonthOrder | None:
    """A number over 12 shows which of two is the day; else a reading in which nothing lies ahead of us; else one in which the rows stand
    in order. None: nothing shows it, or the file contradicts itself."""
    found = [_PAIR.fullmatch(text.strip()[:LONGEST]) for text in texts]
    pairs = [
        (int(pair["first"]), int(pair["second"]), _whole_year(pair["year"], latest))
        for pair in found
        if pair is not None
    ]
    days_first, days_second = (
        any(first > 12 for first, _, _ in pairs),
        any(second > 12 for _, second, _ in pairs),
    )
    if days_first or days_second:
        return None if days_first and days_second else "dmy" if days_first else "mdy"
    month_first, day_first = ([(year, *pair[::step]) for *pair, year in pairs] for step in (1, -1))
    end = (latest.year, latest.month, latest.day)
    shown = _the_one(all(day <= end for day in month_first), all(day <= end for day in day_first))
    if shown is not None or len({pair for pair in pairs if pair[0] != pair[1]}) < ENOUGH_TO_SHOW:
        return shown
    return _the_one(_stand_in_order(month_first), _stand_in_order(day_first))


def _the_one(month_first: bool, day_first: bool) -> DayMonthOrder | None:
    """The order that holds, where the other does not."""
    return None if month_first == day_first else "mdy" if month_first else "dmy"


def _whole_year(text: str, latest: date) -> int:
    """Two digits of a year mean this century, unless that lies ahead of us."""
    number = int(text)
    if len(text) == 2:
        number += 2000 if number + 2000 <= latest.year or number < 70 else 1900
    return number


def _stand_in_order(days: Sequence[tuple[int, ...]]) -> bool:
    """Statements list rows from old to new, or from new to old."""
    pairs = list(pairwise(days))
    return all(one <= other for one, other in pairs) or all(one >= other for one, other in pairs)


def _can_be_swapped(text: str) -> bool:
    pair = _PAIR.fullmatch(text)
    return (
        pair is not None
        and int(pair["first"]) <= 12 >= int(pair["second"])
        and int(pair["first"]) != int(pair["second"])
    )


class DateReader:
    """Reads the dates of one file; each text is read once."""

    def __init__(
        self,
        formats: Sequence[str],
        *,
        today: date,
        order: DayMonthOrder | None = None,
        assumed: DayMonthOrder = "mdy",
        hint: str = "",
        is_hint_sure: bool = False,
    ) -> None:
        """`order`: what this file shows; `hint`: what its parser saw (`ymd`, `mdy`, `dmy` or a format), which goes first; `is_hint_sure`:
        it was proved by more than these dates, or a person decided it."""
        self.order, self.assumed, self.hint, self.is_hint_sure = order, assumed, hint, is_hint_sure
        self.latest = today + timedelta(days=1)  # somewhere it is tomorrow already
        self.infers = AUTO in formats
        named = dict.fromkeys([*(one for one in formats if one != AUTO), *UNMISTAKABLE])
        self.patterns = [*(compiled(one) for one in named), _NAMED]
        self.known: dict[str, ReadDate | DateRefused] = {}

    def read(self, text: str) -> ReadDate:
        """The day it names, or DateRefused."""
        found = self.known.get(text)
        if found is None:
            found = self.known[text] = self._judge(text)
        if isinstance(found, DateRefused):
            raise found
        return found

    def _judge(self, text: str) -> ReadDate | DateRefused:
        read = self._parse(text.strip(" \t\r\n\u00a0'\"")) if len(text) <= LONGEST else None
        if read is None:
            return DateRefused("DATE_UNPARSABLE", f"{text[:LONGEST]!r} is not a date that this source prints")
        if not EARLIEST <= read.day <= self.latest:
            return DateRefused("DATE_OUT_OF_RANGE", f"{read.day} is not between {EARLIEST} and {self.latest}")
        return read

    def _parse(self, text: str) -> ReadDate | None:
        day = read_date(text, self.hint) if self.hint else None
        if day is not None:
            return ReadDate(
                day,
                ambiguous=self.hint in ("mdy", "dmy")
                and not self.is_hint_sure
                and self.infers
                and self.order is None
                and _can_be_swapped(text),
            )
        for pattern in self.patterns:
            found = pattern.fullmatch(text)
            if found is not None:
                parts = found.groupdict()
                month = month_number(parts["name"]) if parts.get("name") else int(parts["month"])
                day = self._date(parts["year"], month, int(parts["day"]))
                if day is not None:
                    return ReadDate(day)
        return self._inferred(text) if self.infers else None

    def _inferred(self, text: str) -> ReadDate | None:
        pair = _PAIR.fullmatch(text)
        if pair is None:
            return None
        first, second = int(pair["first"]), int(pair["second"])
        order = self.order or ("dmy" if first > 12 else "mdy" if second > 12 else self.assumed)
        sure = self.order is not None or not _can_be_swapped(text)
        day = self._date(pair["year"], *((second, first) if order == "dmy" else (first, second)))
        return None if day is None else ReadDate(day, ambiguous=not sure)

    def _date(self, year: str, month: int | None, day: int) -> date | None:
        try:
            return date(_whole_year(year, self.latest), month or 0, day)
        except ValueError:
            return None
