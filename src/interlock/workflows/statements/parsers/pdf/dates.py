"""Dates as banks print them, with or without a year, and the time that a statement covers, which gives a year to those without."""

from __future__ import annotations

import itertools
import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ..dates import dotted_order, full_date_order, year_is_first
from .lines import Line, Word

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january janvier januar enero ene janv gennaio gen janeiro januari",
            "feb february fevrier février febr februar febrero fév févr fevr febbraio fevereiro fev februari",
            "mar march mars märz mrz marzo maerz março marco maart mrt",
            "apr april avril avr abril abr aprile",
            "may mai mayo maggio mag maio mei maj",
            "jun june juin juni junio giugno giu junho",
            "jul july juillet juli julio juil luglio lug julho",
            "aug august août aout agosto ago augustus augusti",
            "sep sept september septembre septiembre settembre set setembro",
            "oct october octobre oktober okt octubre ottobre ott outubro out",
            "nov november novembre noviembre novembro",
            "dec december décembre dezember dez diciembre dic déc decembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
}
NAME = "(?P<name>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
YEAR = r"(?P<year>(?:19|20)\d\d|\d\d)"
SHAPES = [
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?P<year>(?:19|20)\d\d)(?P<mark>[-/.])(?P<month>\d\d)(?P=mark)(?P<day>\d\d)",
        rf"(?P<one>\d{{1,2}})(?P<mark>[-/.])(?P<two>\d{{1,2}})(?P=mark){YEAR}\.?",
        r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})\.?",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-/ .]{{0,2}}(?:de )?{NAME}(?:[-/ ,']{{0,2}}(?:del? )?{YEAR})?",
        rf"{NAME}[-/ .]{{0,2}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[-/ ,']{{1,2}}{YEAR})?",
    )
]
MONTH = NAME.replace("?P<name>", "?:")
IN_TEXT = re.compile(
    rf"(?<![\d/.-])(?:(?:19|20)\d\d([-/])\d\d\1\d\d|\d{{1,2}}([-/.])\d{{1,2}}\2(?:(?:19|20)\d\d|\d\d)|"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)?[- ]?(?:de )?{MONTH}[- ,]{{0,2}}(?:del? )?(?:(?:19|20)\d\d|\d\d(?!\d))|"
    rf"{MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d)(?![\d/])",
    re.IGNORECASE,
)
BOTH_DAYS = re.compile(r"^(\d{1,2}\.\d{1,2}\.)/\d{1,2}\.\d{1,2}\.$")
"""“27.12./28.12.”: the day of booking and that of the value in one word."""
WEEKDAY = re.compile(r"(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)[.,]?", re.IGNORECASE)
SIGNAL = re.compile(r"[\d]|^(" + "|".join(MONTHS) + r")[.,]?(\d|$)", re.IGNORECASE)
BROKEN = re.compile(r"[\dOoIl?*#]{1,2}[/.-][\dOoIl?*#A-Za-z]{1,3}([/.-][\dOoIl?*#]{2,4})?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A date as printed; numbers whose order is open are `one` and `two`."""

    text: str
    year: int | None
    one: int
    two: int
    kind: str  # "open": one and two as printed; "named": two is the day and one the month

    def day(self, year: int, day_first: bool) -> date | None:
        """The calendar day, or None where there is no such day."""
        month, day = (self.two, self.one) if self.kind == "open" and day_first else (self.one, self.two)
        try:
            return date(year, month, day)
        except ValueError:
            return None

    def completed(self, year: int) -> str:
        """With its year, in the notation that was printed."""
        if self.year is not None:
            return self.text
        text = self.text.rstrip(".,")
        if self.kind == "open":
            mark = re.search(r"[-/.]", text)
            return f"{text}{mark[0] if mark else '/'}{year}"
        named = re.fullmatch(r"(\D+?)[ .]*(\d{1,2}\D{0,2})", text)
        return f"{named[1]} {named[2]}, {year}" if named else f"{text}{'-' if '-' in text else ' '}{year}"


def printed_date(text: str) -> Printed | None:
    """The date that the whole text is, or None; it may still be no day of the calendar."""
    text = BOTH_DAYS.sub(r"\1", text.strip().rstrip("*†‡,^"))
    for shape in SHAPES:
        found = shape.fullmatch(text)
        if found:
            return _read(text, found.groupdict())
    return None


def _read(text: str, parts: dict[str, str | None]) -> Printed:
    written = parts.get("year")
    year = int(written) if written else None
    if year is not None and year < 100:
        year += 2000 if year < 70 else 1900
    if parts.get("one"):
        return Printed(text, year, int(parts["one"] or 0), int(parts["two"] or 0), "open")
    month = MONTHS[(parts["name"] or "").lower()] if parts.get("name") else int(parts["month"] or 0)
    return Printed(text, year, month, int(parts["day"] or 0), "named")


SHORT = re.compile(r"(\d\d)([-/.])(\d\d)\2(\d\d)")


def with_years_first(column: list[Printed]) -> tuple[list[Printed], bool]:
    """The dates of a column with the year read from their first two digits, where that brings its days together, and whether it stays open
    at which end the year stands."""
    short = [printed.text for printed in column if SHORT.fullmatch(printed.text)]
    is_first, is_open = year_is_first(short, ("mdy", "dmy")) if short else (False, False)
    return [_year_first(printed) if is_first else printed for printed in column], is_open


def _year_first(printed: Printed) -> Printed:
    found = SHORT.fullmatch(printed.text)
    if found is None:
        return printed
    year = int(found[1]) + (2000 if int(found[1]) < 70 else 1900)
    return Printed(printed.text, year, int(found[3]), int(found[4]), "named")


def date_at(words: list[Word], start: int, limit: float = float("inf")) -> tuple[Printed, int] | None:
    """The longest date that begins at this word and does not reach over `limit`, and the index after it."""
    if start < len(words) and WEEKDAY.fullmatch(words[start].text):
        start += 1
    if start >= len(words) or not SIGNAL.search(words[start].text):
        return None
    for end in range(min(start + 3, len(words)), start, -1):
        near = all(_near(words[at], words[at + 1]) for at in range(start, end - 1))
        if not near or words[end - 1].x0 > limit:
            continue
        found = printed_date(" ".join(word.text for word in words[start:end]))
        if found:
            return found, end
    return None


def _near(word: Word, after: Word) -> bool:
    """Whether two words may be parts of one date; a day of one figure may be set to the right of its month, as in `Jan   2`."""
    is_day = word.text.rstrip(".").lower() in MONTHS and re.fullmatch(r"\d", after.text) is not None
    return after.x0 - word.x1 < (2.2 if is_day else 0.9) * word.height


def looks_like_a_broken_date(text: str) -> bool:
    return bool(BROKEN.fullmatch(text)) and any(character.isdigit() for character in text)


BETWEEN = re.compile(
    r"\s*(?:-|–|—|to|through|thru|until|till|and|bis|au|al|a|à|até|hasta|(?:datum )?(?:tot(?: en met)?|t/m)|til|do|/):?\s*",
    re.IGNORECASE,
)
SHORT_START = re.compile(
    r"([A-Za-z]{3,9}\.? ?\d{1,2}|\d{1,2} ?[A-Za-z]{3,9}|\d{1,2}/\d{1,2})\s*(?:-|–|—|to|through|thru)\s*$",
    re.IGNORECASE,
)
CLOSING = re.compile(
    r"(statement|closing|close|cycle|billing|period ending|as of|ending balance|new balance|"
    r"(?:alter|neuer|letzter) (?:saldo|kontostand)|kontostand (?:vom|am|per|zum)|kontoauszug|auszug|relev[ée]|solde|"
    r"extracto|estado de cuenta|estratto|saldo (?:al|final))\b",
    re.IGNORECASE,
)
TITLE = re.compile(rf"\W*(?:{IN_TEXT.pattern})\W*(?:page \d+(?: of \d+)?)?\W*$", re.IGNORECASE)
"""A date that stands for itself at the head of a page."""
ENDS_AT = re.compile(r"\b(?:ending|closing) balance (?:on|as of) (\d{1,2}[/.-]\d{1,2})\b", re.IGNORECASE)
YEARED = re.compile(r"\d\d\b")
LOOKED_AT = 3  # pages, and the end of the last
LATE = timedelta(days=7)
LINES_OF_A_TITLE = 40
GLUED = re.compile(r"(\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2}))[-–—](?=\d{1,2}[/.]\d{1,2}[/.]\d)")
NAMED_AFTER_YEAR = re.compile(rf"((?:19|20)\d\d)[-–—](?={MONTH} ?\d|\d{{1,2}} ?{MONTH})", re.IGNORECASE)
"""“Dec 09 2023-Jan 08 2024”: the dash belongs to neither date."""
_MONTH = r"(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
WITHIN_A_MONTH = re.compile(
    rf"\b{_MONTH} (\d{{1,2}}) ?[-–—] ?(\d{{1,2}}),? ((?:19|20)\d\d)\b|"
    rf"\b(\d{{1,2}}) ?[-–—] ?(\d{{1,2}}) {_MONTH},? ((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
"""“April 1-30, 2024” and “01 - 31 Jan 2024”."""
MONTH_AND_YEAR = re.compile(
    r"\b(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?,?(?: | de |/)((?:19|20)\d\d)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Period:
    """From the first to the last day; the first may be unknown."""

    start: date | None
    end: date | None
    day_first: bool = False
    is_guess: bool = False
    is_year_guess: bool = False
    """Neither a range nor a closing date was found: the year is that of the latest date anywhere in the text."""

    def year_of(self, printed: Printed) -> int | None:
        """The latest year in which this day does not lie after the period."""
        if self.end is None:
            return None
        for year in range(self.end.year + 1, self.end.year - 8, -1):
            day = printed.day(year, self.day_first)
            if day and day <= self.end + LATE:
                return year
        return None


def period_of(
    lines: list[Line],
    column: list[Printed],
    european: bool,
    *,
    are_dots_settled: bool = False,
    is_day_first: bool = False,
) -> Period:
    """Day first or month first by what the column proves, else by the order under which its days fit the period better, else by habit.
    `are_dots_settled`: the country of the statement puts the day first in dates with full stops. `is_day_first`: its bank is of a
    country that does so whatever stands between the numbers."""
    looked_at = [line for line in lines if line.page < LOOKED_AT] + [
        line for line in lines[-60:] if line.page >= LOOKED_AT
    ]
    texts = [NAMED_AFTER_YEAR.sub(r"\1 - ", GLUED.sub(r"\1 - ", line.text)) for line in looked_at]
    proved = _proved(column)
    if proved is not None:
        return _period(texts, proved)
    if _dotted(column) and (are_dots_settled or (order := dotted_order("\n".join(texts)))):
        return _period(texts, are_dots_settled or order == "dmy")
    if order := full_date_order("\n".join(texts)):
        return _period(texts, order == "dmy")
    habit = _period(texts, european or _dotted(column))
    other = _period(texts, not habit.day_first)
    chosen, rejected = (other, habit) if _fit(other, column) > _fit(habit, column) else (habit, other)
    fits = _all_inside(chosen, column)
    decided = fits and not _all_inside(rejected, column)
    decided = decided or (is_day_first and chosen.day_first and (fits or chosen.start is None))
    is_open = any(printed.kind == "open" and printed.one != printed.two for printed in column)
    return replace(chosen, is_guess=is_open and not decided)


def _period(texts: list[str], day_first: bool) -> Period:
    """From a printed range if there is one, else from the closing date, else from the latest date of all."""
    ranges = [found for text in texts for found in ranges_in(text, day_first)]
    if ranges:
        start, end = max(ranges, key=lambda pair: (_plausible(pair), -ranges.index(pair)))
        return Period(start, end, day_first)
    closings = [day for text in texts if CLOSING.search(text) for day in _days(text, day_first)]
    if closings:
        return Period(None, max(closings[:3]), day_first)
    titles = [day for text in texts[:LINES_OF_A_TITLE] if TITLE.match(text) for day in _days(text, day_first)]
    ends = [
        day
        for text in texts
        if (found := ENDS_AT.search(text)) and (printed := printed_date(found[1]))
        for day in titles[:1]
        if printed.day(day.year, day_first) == day
    ]
    if ends:
        return Period(None, ends[0], day_first)
    if days := [day for text in texts for day in _days(text, day_first)]:
        return Period(None, max(days), day_first, is_year_guess=True)
    months = [day for text in texts[:LINES_OF_A_TITLE] for day in _months(text)]
    return Period(None, max(months, default=None), day_first)


def _months(text: str) -> list[date]:
    """The last days of months that are named with their year: “January 2024”."""
    found = [(MONTHS[name.lower()], int(year)) for name, year in MONTH_AND_YEAR.findall(text)]
    return [date(year, month, monthrange(year, month)[1]) for month, year in found]


def _fit(period: Period, column: list[Printed]) -> int:
    """How many days lie in the period, and how many follow each other."""
    days = [
        printed.day(printed.year or period.year_of(printed) or 2000, period.day_first) for printed in column
    ]
    inside = sum(
        1 for day in days if day and period.start and period.end and period.start - LATE <= day <= period.end
    )
    return inside + sum(1 for one, other in itertools.pairwise(days) if one and other and one <= other)


def _all_inside(period: Period, column: list[Printed]) -> bool:
    """Whether the period is known and every day lies in it, but for a few days before."""
    if period.start is None or period.end is None:
        return False
    days = [
        printed.day(printed.year or period.year_of(printed) or 2000, period.day_first) for printed in column
    ]
    return all(day is not None and period.start - LATE <= day <= period.end + LATE for day in days)


def _plausible(pair: tuple[date, date]) -> bool:
    return timedelta(days=5) <= pair[1] - pair[0] <= timedelta(days=400)


def _days(text: str, day_first: bool) -> list[date]:
    days = (_day(found.group(), day_first) for found in IN_TEXT.finditer(text))
    return [day for day in days if day]


def _day(text: str, day_first: bool) -> date | None:
    printed = printed_date(text)
    return printed.day(printed.year, day_first) if printed and printed.year else None


def ranges_in(text: str, day_first: bool) -> list[tuple[date, date]]:
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
    for match in WITHIN_A_MONTH.finditer(text):
        parts = match.groups()
        name, start_day, end_day, written = (
            parts[:4] if parts[0] else (parts[6], parts[4], parts[5], parts[7])
        )
        try:
            month = MONTHS[name.lower()]
            pairs.append((date(int(written), month, int(start_day)), date(int(written), month, int(end_day))))
        except ValueError:
            continue
    return [(start, end) for start, end in pairs if start <= end]


def _proved(column: list[Printed]) -> bool | None:
    """Whether some number is too great to be a month."""
    first = any(printed.kind == "open" and printed.one > 12 for printed in column)
    second = any(printed.kind == "open" and printed.two > 12 for printed in column)
    return first if first != second else None


def _dotted(column: list[Printed]) -> bool:
    return sum(1 for printed in column if printed.kind == "open" and "." in printed.text) > len(column) / 2
