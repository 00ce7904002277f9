"""Draws an account's month with known balances, and writes numbers and tables as institutions write them."""

from __future__ import annotations

import calendar
import csv
import io
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from tests.statements.world.truth import Made, Row

from .words import TONGUES

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True)
class Book:
    """A month of one account, oldest row first. What is owed on a card is a balance below zero."""

    opening: Decimal
    rows: tuple[Row, ...]
    first: date
    last: date
    chance: random.Random

    @property
    def closing(self) -> Decimal:
        return self.rows[-1].balance if self.rows else self.opening

    @property
    def newest(self) -> tuple[Row, ...]:
        return self.rows[::-1]

    @property
    def paid(self) -> Decimal:
        return sum((row.amount for row in self.rows if row.amount < 0), Decimal(0))

    @property
    def received(self) -> Decimal:
        return sum((row.amount for row in self.rows if row.amount > 0), Decimal(0))

    def digits(self, count: int) -> str:
        return str(self.chance.randint(1, 9)) + "".join(self.chance.choices("0123456789", k=count - 1))

    def letters(self, count: int) -> str:
        return "".join(self.chance.choices(LETTERS, k=count))

    def clock(self, row: Row, seconds: bool = True) -> str:
        """When within its day this row happened: later rows later, whatever their day."""
        place, gap = self.rows.index(row), 14 * 3600 // len(self.rows)
        moment = 7 * 3600 + place * gap + self.chance.randint(0, gap - 60)
        hour, rest = divmod(moment, 3600)
        return f"{hour:02}:{rest // 60:02}" + (f":{rest % 60:02}" if seconds else "")

    def before(self, day: date, most: int = 2) -> date:
        """When what was booked on this day may have happened."""
        return day - timedelta(days=self.chance.randint(0, most))

    def told(self, text: Callable[[Row], str]) -> Book:
        """With the texts as this export prints them."""
        return replace(self, rows=tuple(replace(row, text=text(row)) for row in self.rows))

    def of(self, rows: Sequence[Row]) -> Book:
        return replace(self, rows=tuple(rows))

    def charged(self, fees: Sequence[Decimal]) -> Book:
        """Each row with its fee gone from it and from the balance."""
        pairs = zip(self.rows, fees, strict=True)
        return self.of(running(self.opening, ((row.day, row.text, row.amount - fee) for row, fee in pairs)))

    def without(self, place: int) -> Book:
        return replace(self, rows=self.rows[:place] + self.rows[place + 1 :])


def draw(
    seed: str,
    tongue: str,
    *,
    year: int = 2025,
    month: int = 1,
    count: int = 13,
    scale: int = 1,
    places: int = 2,
    is_card: bool = False,
    until: int = 31,
    opening: str | None = None,
) -> Book:
    """A month; the same seed gives the same rows. `scale`: how much larger its numbers are than those of a euro."""
    chance = random.Random(f"blind {seed}")
    first = date(year, month, 1)
    last = first.replace(day=calendar.monthrange(year, month)[1])
    step = Decimal(1).scaleb(-places)

    def money(low: int, high: int) -> Decimal:
        return (Decimal(chance.randint(low * scale, high * scale)) / 100).quantize(step)

    words = TONGUES[tongue]
    spent = chance.sample(words.spent, len(words.spent))
    came = words.paid if is_card else words.came
    start = Decimal(opening) if opening is not None else money(150_000, 700_000)
    if is_card and opening is None:
        start = -money(9_000, 90_000)
    highest = min(until, last.day)
    days = sorted([*chance.choices(range(2, highest), k=count - 1), highest - chance.randint(0, 1)])
    incomes = set(chance.sample(range(1, count - 1), max(2, count // 6)))
    rows: list[Row] = []
    balance = start
    for place, number in enumerate(days):
        if place in incomes:
            text, amount = came[len(rows) % len(came)], money(15_000, 70_000 if is_card else 240_000)
        else:
            text, amount = spent[place % len(spent)], -money(310, chance.choice((2_500, 9_000, 24_000)))
        balance += amount
        rows.append(Row(first.replace(day=number), text, amount, balance))
    return Book(start, tuple(rows), first, last, chance)


def running(opening: Decimal, moves: Iterable[tuple[date, str, Decimal]]) -> tuple[Row, ...]:
    """Rows of these moves, each with the balance after it."""
    rows, balance = [], opening
    for day, text, amount in moves:
        balance += amount
        rows.append(Row(day, text, amount, balance))
    return tuple(rows)


@dataclass(frozen=True)
class Style:
    """How numbers are written."""

    decimal: str = "."
    group: str = ""
    places: int = 2
    minus: str = "-"
    plus: str = ""
    lakh: bool = False

    def size(self, value: Decimal) -> str:
        whole, _, rest = f"{abs(value):.{self.places}f}".partition(".")
        parts: list[str] = []
        width = 3
        while whole:
            parts.insert(0, whole[-width:])
            whole = whole[:-width]
            width = 2 if self.lakh else 3
        return self.group.join(parts) + (self.decimal + rest if rest else "")

    def signed(self, value: Decimal) -> str:
        return (self.minus if value < 0 else self.plus) + self.size(value)

    def out(self, value: Decimal, otherwise: str = "") -> str:
        return self.size(value) if value < 0 else otherwise

    def came(self, value: Decimal, otherwise: str = "") -> str:
        return self.size(value) if value > 0 else otherwise


PLAIN = Style()
ENGLISH = Style(group=",")
COMMA = Style(decimal=",")
GERMAN = Style(decimal=",", group=".")
NARROW = Style(decimal=",", group="\u202f")
SPACED = Style(decimal=",", group=" ")
FIXED_SPACE = Style(decimal=",", group="\u00a0")
SWISS = Style(group="'")
WHOLE = Style(places=0)
WHOLE_ENGLISH = Style(group=",", places=0)
WHOLE_DOTTED = Style(decimal=",", group=".", places=0)
LAKH = Style(group=",", lakh=True)

QUOTING: dict[str, Literal[0, 1, 2]] = {
    "needed": csv.QUOTE_MINIMAL,
    "all": csv.QUOTE_ALL,
    "text": csv.QUOTE_NONNUMERIC,
}


def table(lines: Iterable[Sequence[object]], sep: str = ",", quote: str = "needed", end: str = "\r\n") -> str:
    """Lines as comma separated values; `quote` is needed, all, text or none (what stands there already)."""
    if quote == "none":
        return "".join(sep.join(str(cell) for cell in line) + end for line in lines)
    sink = io.StringIO()
    writer = csv.writer(sink, delimiter=sep, quoting=QUOTING[quote], lineterminator=end)
    for line in lines:
        if line:
            writer.writerow(line)
        else:
            sink.write(end)
    return sink.getvalue()


def export(
    name: str,
    text: str,
    rows: Sequence[Row],
    currency: str,
    label: str,
    *,
    encoding: str = "utf-8",
    both: bool = False,
    incomplete: bool = False,
    currencies: Sequence[str] = (),
) -> Made:
    return Made(
        name,
        text.encode(encoding),
        tuple(rows),
        currency,
        label,
        states_both_ends=both,
        is_incomplete=incomplete,
        currencies=tuple(currencies),
    )
