"""Dates as banks print them, with or without a year, and the time that a statement covers, which gives a year to those without."""

from __future__ import annotations

import itertools
import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ...normalize.date_formats import month_number
from ..dates import dotted_order, full_date_order, read_date, year_is_first
from .lines import Line, Word

FURTHER_NAMES = (
    "januari styczeń stycznia ledna leden január ocak tammikuuta ianuarie enero",
    "februari lutego luty února únor február şubat helmikuuta februarie pebrero",
    "maret marca marzec března březen március mart maaliskuuta martie marts marso",
    "kwietnia kwiecień dubna duben április nisan huhtikuuta aprilie",
    "mei maja května květen május mayıs toukokuuta mayo",
    "czerwca czerwiec června červen június haziran kesäkuuta iunie hunyo",
    "lipca lipiec července červenec július temmuz heinäkuuta iulie julai hulyo",
    "agustus agt sierpnia sierpień srpna srpen augusztus ağustos elokuuta ogos",
    "września wrzesień září szeptember eylül syyskuuta septembrie setiembre setyembre",
    "oktober października październik října říjen október ekim lokakuuta octombrie oktubre",
    "listopadu kasım marraskuuta noiembrie nobyembre",
    "desember des grudnia grudzień prosince prosinec aralık joulukuuta decembrie disember disyembre",
)
"""Names of months in Indonesian, Polish, Czech, Hungarian, Turkish, Finnish, Romanian, Danish, Malay and Filipino. The Polish November is
the Croatian October, and abbreviations that are words of other languages are none."""
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
} | {name: number for number, names in enumerate(FURTHER_NAMES, 1) for name in names.split()}
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
EASTERN = re.compile(
    r"(?:(?:令和|平成|R|H)\s?(?:\d{1,2}|元)|(?:民國\s?)?1[0-2]\d|(?:19|20)\d\d)\s?([-/.年])\s?\d{1,2}\s?[-/.月]\s?\d{1,2}\s?(?:日|(?![年月]))"
)
"""Days with years of a Japanese reign or of the republic of China, or with the signs for year, month and day."""
MONTH = NAME.replace("?P<name>", "?:")
IN_TEXT = re.compile(
    rf"(?<![\d/.-])(?:(?:19|20)\d\d([-/])\d\d\1\d\d|\d{{1,2}}([-/.])\d{{1,2}}\2(?:(?:19|20)\d\d|\d\d)|"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)?[- ]?(?:de )?{MONTH}[- ,]{{0,2}}(?:del? )?(?:(?:19|20)\d\d|\d\d(?!\d| ?{MONTH}\b))|"
    rf"{MONTH} ?\d{{1,2}}(?:(?:st|nd|rd|th)?,? (?:19|20)\d\d|/\d\d)|"
    rf"(?:令和|平成|民國)\s?(?:\d{{1,3}}|元)\s?[./年]\s?\d{{1,2}}\s?[./月]\s?\d{{1,2}}日?|(?:19|20)\d\d年\d{{1,2}}月\d{{1,2}}日|"
    rf"1[0-2]\d/\d\d/\d\d)(?![\d/])",
    re.IGNORECASE,
)
"""“29 dec 30 dec”: the number before another month is no year."""
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
        """With its year, in the notation that was printed; as year, month and day where that notation is known here only."""
        if self.kind == "named" and self._is_known_here_only():
            return f"{self.year or year:04d}-{self.one:02d}-{self.two:02d}"
        if self.year is not None:
            return self.text
        text = self.text.rstrip(".,")
        if self.kind == "open":
            mark = re.search(r"[-/.]", text)
            return f"{text}{mark[0] if mark else '/'}{year}"
        named = re.fullmatch(r"(\D+?)[ .]*(\d{1,2}\D{0,2})", text)
        return f"{named[1]} {named[2]}, {year}" if named else f"{text}{'-' if '-' in text else ' '}{year}"

    def _is_known_here_only(self) -> bool:
        name = re.search(r"[^\W\d_]{3,}", self.text)
        return EASTERN.fullmatch(self.text) is not None or (
            name is not None and name[0].lower() in MONTHS and month_number(name[0]) is None
        )


OF_MONTH_BEFORE = re.compile(rf"\b{MONTH} $", re.IGNORECASE)
"""“Feb 1 Feb 29”: the 1 belongs to the month before it, and 29 is no year."""
DAYS_OF_A_MONTH = re.compile(r"[^\W\d_]+\.? \d{1,2}-\d\d")
"""“June 1-30”, which is no day of 2030."""


def printed_date(text: str) -> Printed | None:
    """The date that the whole text is, or None; it may still be no day of the calendar."""
    text = BOTH_DAYS.sub(r"\1", text.strip().rstrip("*†‡,^"))
    for shape in SHAPES:
        found = None if DAYS_OF_A_MONTH.fullmatch(text) else shape.fullmatch(text)
        if found:
            return _read(text, found.groupdict())
    return _eastern(text)


def _eastern(text: str) -> Printed | None:
    """A day with the year of a reign or of the republic, or with the signs for year, month and day."""
    if EASTERN.fullmatch(text) is None:
        return None
    plain = re.sub(r"\s", "", text)
    if plain.startswith("民國"):
        plain = "-".join(re.findall(r"\d+", plain))
    day = read_date(plain, "ymd")
    return Printed(text, day.year, day.month, day.day, "named") if day else None


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


REIGN = re.compile(r"令和\s?(\d{1,2}|元)\s?年?")
SHORT_OF_REIGN = re.compile(r"(\d{1,2})([-/.])(\d\d)\2(\d\d)")
BEFORE_REIWA = 2018
KANA = re.compile(r"[\u3040-\u30ff]")


def with_years_of_reign(column: list[Printed], text: str) -> tuple[list[Printed], bool]:
    """The dates of a column that begin with the year of the reign that the statement names (“07-03-05” beside 令和7年), and whether it
    stays open that they do: in a Japanese statement that names neither the reign nor their years."""
    named = {1 if year == "元" else int(year) for year in REIGN.findall(text)}
    years = {int(found[1]) for printed in column if (found := SHORT_OF_REIGN.fullmatch(printed.text))}
    if named and years and all(any(abs(year - one) <= 1 for one in named) for year in years):
        return [_of_reign(printed) for printed in column], False
    short = [printed for printed in column if SHORT.fullmatch(printed.text)]
    if not short:
        return column, False
    is_full = all(str(printed.year) in text for printed in short)
    return column, KANA.search(text) is not None and not is_full


def _of_reign(printed: Printed) -> Printed:
    found = SHORT_OF_REIGN.fullmatch(printed.text)
    if found is None:
        return printed
    year, month, day = BEFORE_REIWA + int(found[1]), int(found[3]), int(found[4])
    return Printed(f"{year}-{found[3]}-{found[4]}", year, month, day, "named")


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
    r"\s*(?:-|–|—|to|through|thru|until|till|and|bis|au|al|a|à|até|hasta|[~～〜]|から|"
    r"(?:datum )?(?:tot(?: en met)?|t/m)|til|do|/)\s*:?\s*",
    re.IGNORECASE,
)
SHORT_START = re.compile(
    r"([A-Za-z]{3,9}\.? ?\d{1,2}|\d{1,2}\.? ?(?:de )?[^\W\d_]{3,9}|\d{1,2}/\d{1,2})\s*"
    r"(?:-|–|—|to|through|thru|au|al|a|à|até|hasta|bis(?: zum)?|tot(?: en met)?|t/m|til)\s*$",
    re.IGNORECASE,
)
CLOSING = re.compile(
    r"(statement|closing|close|cycle|billing|period ending|as of|ending balance|new balance|"
    r"(?:alter|neuer|letzter) (?:saldo|kontostand)|kontostand (?:vom|am|per|zum)|kontoauszug|auszug|relev[ée]|solde|"
    r"extracto|estado de cuenta|estratto|saldo (?:al|final)|situation de vos comptes|fecha de corte|"
    r"datum afschrift)\b|账单日|帳單日|結帳日",
    re.IGNORECASE,
)
OPENING = re.compile(
    r"\b(?:previous|opening|beginning|prior|last|ancien|pr[ée]c[ée]dent|reporté|alte[rn]?|letzte[rn]?|vorherige[rn]?|anterior|inicial|"
    r"iniziale|precedente|vorig|brought forward)\b",
    re.IGNORECASE,
)
DUE = re.compile(
    r"\b(?:due|payable|expir\w*|valid|maturity|pay by|limite|[ée]ch[ée]ance|vencimiento|vencimento|scadenza|f[äa]llig\w*|vervalt\w*|"
    r"afgeschreven|wird am|will be|son [öo]deme)\b|到期|还款日|支払日",
    re.IGNORECASE,
)
"""Of a day on which something falls due, which lies after the statement."""
LABELLED = re.compile(r"(?:date|datum|dato|data|fecha|tanggal|tarih|dátum)", re.IGNORECASE)
TITLE = re.compile(rf"\W*(?:{IN_TEXT.pattern})\W*(?:page \d+(?: of \d+)?)?\W*$", re.IGNORECASE)
"""A date that stands for itself at the head of a page."""
ENDS_AT = re.compile(r"\b(?:ending|closing) balance (?:on|as of) (\d{1,2}[/.-]\d{1,2})\b", re.IGNORECASE)
YEARED = re.compile(r"\d\d(?!\d)")
LOOKED_AT = 3  # pages, and the end of the last
LATE = timedelta(days=7)
LINES_OF_A_TITLE = 40
SHORT_TITLE = 8  # words
GLUED = re.compile(r"((?:\d{1,2}|1[0-2]\d)[/.]\d{1,2}[/.](?:\d{4}|\d{2}))[-–—~](?=\d{1,3}[/.]\d{1,2}[/.]\d)")
NAMED_AFTER_YEAR = re.compile(rf"((?:19|20)\d\d)[-–—](?={MONTH} ?\d|\d{{1,2}} ?{MONTH})", re.IGNORECASE)
"""“Dec 09 2023-Jan 08 2024”: the dash belongs to neither date."""
_MONTH = r"(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
WITHIN_A_MONTH = re.compile(
    rf"\b{_MONTH} (\d{{1,2}}) ?[-–—] ?(\d{{1,2}}),? ((?:19|20)\d\d)\b|"
    rf"\b(\d{{1,2}})\.? ?(?:[-–—]|to|au|al|a|à|até|bis|t/m|tot)\ ?(\d{{1,2}})\.? (?:de )?{_MONTH},? (?:del? )?((?:19|20)\d\d)\b",
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
    texts += _labelled(looked_at)
    proved = _proved(column)
    if proved is not None:
        whole = "\n".join(texts)
        order = full_date_order(whole) or dotted_order(
            whole
        )  # of the period, which may be another than the rows'
        return replace(_period(texts, order == "dmy" if order else proved), day_first=proved)
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
    closing = [text for text in texts if CLOSING.search(text)]
    own = [text for text in closing if not OPENING.search(text) and not DUE.search(text)]
    for chosen in (own, closing):
        if closings := [day for text in chosen for day in _days(text, day_first)]:
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
    short = [text for text in own if text in texts[:LINES_OF_A_TITLE] and len(text.split()) <= SHORT_TITLE]
    if own_months := [day for text in short for day in _months(text)]:
        end, last = (
            max(own_months),
            max((day for text in texts for day in _days(text, day_first)), default=None),
        )
        return Period(None, end, day_first, is_year_guess=last is not None and abs(last - end) > 6 * LATE)
    for chosen in ([text for text in texts if not DUE.search(text)], texts):
        if days := [day for text in chosen for day in _days(text, day_first)]:
            return Period(None, max(days), day_first, is_year_guess=True)
    months = [day for text in texts[:LINES_OF_A_TITLE] for day in _months(text)]
    return Period(None, max(months, default=None), day_first)


def _labelled(lines: list[Line]) -> list[str]:
    """The days of the statement that stand under their names, each behind its name: “Statement Date” over “14 FEB 2025”."""
    found = []
    title = lines[:LINES_OF_A_TITLE]
    for above, below in (*itertools.pairwise(title), *zip(title, title[2:], strict=False)):
        if (
            above.page != below.page
            or below.y - above.y > 3 * above.height
            or not YEARED.search(below.text)
            or any(character.isdigit() for character in above.text)
        ):
            continue
        values = _groups(below)
        for label in _groups(above):
            name = " ".join(word.text for word in label)
            under = [
                value for value in values if value[0].x0 < label[-1].x1 and value[-1].x1 > label[0].x0 - 2
            ]
            if len(under) != 1 or DUE.search(name):
                continue
            text = " ".join(word.text for word in under[0])
            if (CLOSING.search(name) or LABELLED.fullmatch(name)) and printed_date(text) is not None:
                found.append(f"statement {name} {text}")
    return found


def _groups(line: Line) -> list[list[Word]]:
    """The words of a line, those together that do not stand apart."""
    groups: list[list[Word]] = []
    for word in line.words:
        if groups and word.x0 - groups[-1][-1].x1 < 0.9 * word.height:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


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
    days = (
        _day(found.group(), day_first)
        for found in IN_TEXT.finditer(text)
        if not (found.group()[0].isdigit() and OF_MONTH_BEFORE.search(text[: found.start()]))
    )
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
        if short and any(short.start(1) < one.end() <= last.start() for one in found):
            continue
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
