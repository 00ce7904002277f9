"""The time a statement covers, whether it writes the day first, and the year of a date that has none."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from datetime import date, timedelta

from .dates import IN_TEXT, Printed, printed_date
from .lines import Line

BETWEEN = re.compile(r"\s*(?:-|–|—|to|through|thru|until|till|and|bis|au|al|hasta|/)\s*", re.IGNORECASE)
SHORT_START = re.compile(
    r"([A-Za-z]{3,9}\.? ?\d{1,2}|\d{1,2} ?[A-Za-z]{3,9}|\d{1,2}/\d{1,2})\s*(?:-|–|—|to|through|thru)\s*$", re.IGNORECASE
)
CLOSING = re.compile(r"(statement|closing|close|cycle|billing|period ending|as of|ending balance|new balance)\b", re.IGNORECASE)
NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})(?:\2(?:\d{4}|\d\d))?(?![\d/.-])")
YEARED = re.compile(r"\d\d\b")
LOOKED_AT = 3  # pages, and the end of the last
LATE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Period:
    """From the first to the last day; the first may be unknown."""

    start: date | None
    end: date | None
    day_first: bool = False

    def year_of(self, printed: Printed) -> int | None:
        """The latest year in which this day does not lie after the period."""
        if self.end is None:
            return None
        for year in (self.end.year + 1, self.end.year, self.end.year - 1):
            day = printed.day(year, self.day_first)
            if day and day <= self.end + LATE:
                return year
        return next((year for year in range(self.end.year, self.end.year - 5, -1) if printed.day(year, self.day_first)), None)


def period_of(lines: list[Line], column: list[str], european: bool) -> Period:
    """From a printed range if there is one, else from the closing date, else from the latest date of all."""
    day_first = _day_first(column, european)
    texts = [line.text for line in lines if line.page < LOOKED_AT] + [line.text for line in lines[-60:] if line.page >= LOOKED_AT]
    ranges = [found for text in texts for found in _ranges(text, day_first)]
    if ranges:
        start, end = max(ranges, key=lambda pair: (_plausible(pair), -ranges.index(pair)))
        return Period(start, end, day_first)
    closings = [day for text in texts if CLOSING.search(text) for day in _days(text, day_first)]
    if closings:
        return Period(None, max(closings[:3]), day_first)
    return Period(None, max((day for text in texts for day in _days(text, day_first)), default=None), day_first)


def _plausible(pair: tuple[date, date]) -> bool:
    return timedelta(days=5) <= pair[1] - pair[0] <= timedelta(days=400)


def _days(text: str, day_first: bool) -> list[date]:
    days = (_day(found.group(), day_first) for found in IN_TEXT.finditer(text))
    return [day for day in days if day]


def _day(text: str, day_first: bool) -> date | None:
    printed = printed_date(text)
    return printed.day(printed.year, day_first) if printed and printed.year else None


def _ranges(text: str, day_first: bool) -> list[tuple[date, date]]:
    """Two dates with a word or a dash between them; the first may leave out its year."""
    found = list(IN_TEXT.finditer(text)) if YEARED.search(text) else []
    pairs = []
    for first, second in itertools.pairwise(found):
        start, end = _day(first.group(), day_first), _day(second.group(), day_first)
        if start and end and start <= end and BETWEEN.fullmatch(text[first.end() : second.start()]):
            pairs.append((start, end))
    for last in found:
        short = SHORT_START.search(text[: last.start()])
        end, printed = _day(last.group(), day_first), printed_date(short[1]) if short else None
        if end and printed and printed.year is None:
            start = printed.day(end.year, day_first) or end
            pairs.append((start if start <= end else start.replace(year=end.year - 1), end))
    return pairs


def _day_first(column: list[str], european: bool) -> bool:
    """What the numbers of the date column prove; where they prove nothing, the habit of the currency and of dots."""
    first = second = dotted = 0
    for text in column:
        for one, mark, two in NUMERIC.findall(text):
            first += int(one) > 12
            second += int(two) > 12
            dotted += mark == "."
    if bool(first) != bool(second):
        return bool(first)
    return european or dotted > len(column) / 2 > 0
