"""Days that tables write in unusual ways: as numbers of a spreadsheet, in years of the Buddhist era, or in three columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from .mapping import plain
from .words import role_of

_SERIAL = re.compile(r"(\d{5})(?:[.,]\d+)?", re.ASCII)
_FIRST_DAY = date(1899, 12, 30)
_EARLIEST, _LATEST, _LONGEST_SPAN = date(1990, 1, 1), date(2060, 1, 1), 3_660
FEWEST_SERIALS = 3


def day_of_serial(text: str) -> str:
    """The day that a spreadsheet writes as a number, with the time of day as its fraction; empty where it is none of our time."""
    found = _SERIAL.fullmatch(text)
    day = _FIRST_DAY + timedelta(days=int(found[1])) if found else None
    return day.isoformat() if day is not None and _EARLIEST <= day < _LATEST else ""


_BUDDHIST = re.compile(r"(?<!\d)25[4-9]\d(?!\d)", re.ASCII)
_BEFORE_US = 543


def _common_year(found: re.Match[str]) -> str:
    return str(int(found[0]) - _BEFORE_US)


def are_buddhist(texts: Sequence[str]) -> bool:
    """Whether all days of a column have a year of the Buddhist era."""
    return len(texts) >= FEWEST_SERIALS and all(len(_BUDDHIST.findall(text)) == 1 for text in texts)


def are_serials(texts: Sequence[str]) -> bool:
    """Whether all of a column are days as numbers of a spreadsheet that lie within some years."""
    days = [day_of_serial(text) for text in texts]
    if len(days) < FEWEST_SERIALS or not all(days):
        return False
    return (date.fromisoformat(max(days)) - date.fromisoformat(min(days))).days <= _LONGEST_SPAN


@dataclass(frozen=True, slots=True)
class Days:
    """Places of columns of days that are written in unusual ways."""

    serials: tuple[int, ...] = ()
    """Numbers of a spreadsheet."""
    buddhist: tuple[int, ...] = ()
    """Days in years of the Buddhist era."""
    parts: tuple[int, ...] = ()
    """Year, month and day in columns of their own."""

    def __bool__(self) -> bool:
        return bool(self.serials or self.buddhist or self.parts)

    def in_cells(self, cells: Sequence[str]) -> list[str]:
        """The cells with days as other tables write them; in years of the common era."""
        found = list(cells)
        for place in (one for one in self.serials if one < len(found)):
            found[place] = day_of_serial(found[place]) or found[place]
        for place in (one for one in self.buddhist if one < len(found)):
            found[place] = _BUDDHIST.sub(_common_year, found[place])
        if self.parts and max(self.parts) < len(found):
            parts = [found[place] for place in self.parts]
            if all(map(str.isdecimal, parts)):
                found[self.parts[0]] = "-".join(part.zfill(2) for part in parts)
        return found


_PARTS_OF_A_DAY = tuple(
    re.compile(rf"(?:.*\()?(?:{words})\)?") for words in ("年|year|jahr", "月|month|monat", "日|day|tag")
)


def unusual_days(cells: Sequence[str], body: Sequence[Sequence[str]]) -> Days:
    """Columns that are called days and hold numbers of a spreadsheet or years of the Buddhist era in all rows, or that hold the parts of a
    day one after another."""
    names = [plain(cell) for cell in cells]
    dates = [place for place, name in enumerate(names) if role_of(name) in ("date", "value date")]
    parts: tuple[int, ...] = next(
        (
            (place, place + 1, place + 2)
            for place in range(len(names) - 2)
            if all(
                part.fullmatch(name)
                for part, name in zip(_PARTS_OF_A_DAY, names[place : place + 3], strict=True)
            )
            and _are_numbers(_column(body, place))
        ),
        (),
    )
    return Days(
        tuple(place for place in dates if are_serials(_column(body, place))),
        tuple(place for place in dates if are_buddhist(_column(body, place))),
        parts,
    )


def _column(body: Sequence[Sequence[str]], place: int) -> list[str]:
    return [cells[place] for cells in body if place < len(cells) and cells[place]]


def _are_numbers(texts: Sequence[str]) -> bool:
    return bool(texts) and all(map(str.isdecimal, texts))
