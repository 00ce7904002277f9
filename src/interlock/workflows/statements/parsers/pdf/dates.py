"""Dates as banks print them, with or without a year; numbers alone are read day first only where the document shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from .places import Word

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
        rf"(?P<one>\d{{1,2}})(?P<mark>[-/.])(?P<two>\d{{1,2}})(?P=mark){YEAR}",
        r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})\.?",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-/ .]{{0,2}}{NAME}(?:[-/ ,']{{0,2}}{YEAR})?",
        rf"{NAME}[-/ .]{{0,2}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[-/ ,']{{1,2}}{YEAR})?",
    )
]
MONTH = NAME.replace("?P<name>", "?:")
IN_TEXT = re.compile(
    rf"(?<![\d/.-])(?:(?:19|20)\d\d-\d\d-\d\d|\d{{1,2}}([-/.])\d{{1,2}}\1(?:(?:19|20)\d\d|\d\d)|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?[- ]?{MONTH}[- ,]{{0,2}}(?:(?:19|20)\d\d|\d\d(?!\d))|"
    rf"{MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d)(?![\d/])",
    re.IGNORECASE,
)
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
    text = text.strip().rstrip("*†‡,^")
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
