"""What happened on an account: drawn from lines of text, with balances that are known."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .kit import Paper

ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Figures:
    """How numbers are written."""

    group: str = ","
    decimal: str = "."
    places: int = 2
    symbol: str = ""
    indian: bool = False

    def __call__(self, value: Decimal) -> str:
        """With a minus in front, where it is below zero."""
        whole, _, part = f"{abs(value):.{self.places}f}".partition(".")
        text = self._grouped(whole) + (self.decimal + part if part else "")
        return ("-" if value < 0 else "") + self.symbol + text

    def _grouped(self, whole: str) -> str:
        head, tail = (whole[:-3], whole[-3:]) if self.indian else ("", whole)
        if head:
            pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
            return self.group.join([*reversed(pairs), tail])
        return f"{int(whole):,}".replace(",", self.group)

    def bare(self, value: Decimal) -> str:
        """Without any sign."""
        return self(abs(value))

    def signed(self, value: Decimal) -> str:
        return ("+" if value > 0 else "") + self(value)

    def trailing(self, value: Decimal, minus: str = "-", plus: str = "") -> str:
        return self(abs(value)) + (minus if value < 0 else plus)

    def sides(self, value: Decimal) -> tuple[str, str]:
        """Out and in."""
        return (self.bare(value), "") if value < 0 else ("", self(value))


POINT = Figures()
DOLLAR = Figures(symbol="$")
POUND = Figures(symbol="£")
COMMA = Figures(".", ",")
SPACED = Figures(" ", ",")
SWISS = Figures("'", ".")
WHOLE = Figures(places=0)
RUPEES = Figures(indian=True)


@dataclass(frozen=True)
class Ledger:
    """The rows of one account; `lost` is the place of one that the paper does not show, but counts."""

    opening: Decimal
    rows: tuple[Row, ...]
    lost: int | None = None
    currency: str = ""

    @property
    def closing(self) -> Decimal:
        return self.rows[-1].balance if self.rows else self.opening

    @property
    def shown(self) -> tuple[Row, ...]:
        return self.rows if self.lost is None else self.rows[: self.lost] + self.rows[self.lost + 1 :]

    @property
    def ins(self) -> Decimal:
        return sum((row.amount for row in self.rows if row.amount > 0), Decimal(0))

    @property
    def outs(self) -> Decimal:
        """Below zero."""
        return sum((row.amount for row in self.rows if row.amount < 0), Decimal(0))

    def only(self, *starts: str) -> tuple[Row, ...]:
        """Those shown whose text starts so."""
        return tuple(row for row in self.shown if row.text.startswith(starts))

    def but(self, *starts: str) -> tuple[Row, ...]:
        return tuple(row for row in self.shown if not row.text.startswith(starts))

    def last_of_day(self, row: Row) -> bool:
        """Is this the last shown of its day?"""
        place = self.shown.index(row)
        return place + 1 == len(self.shown) or self.shown[place + 1].day != row.day

    def first_of_day(self, row: Row) -> bool:
        place = self.shown.index(row)
        return place == 0 or self.shown[place - 1].day != row.day

    def less(self, place: int) -> Ledger:
        return replace(self, lost=place)


def total(rows: Sequence[Row]) -> Decimal:
    return sum((row.amount for row in rows), Decimal(0))


def drawn(chance: random.Random, least: str | int, most: str | int, places: int = 2) -> Decimal:
    """A sum between these."""
    step = 10**places
    number = chance.randint(int(Decimal(least) * step), int(Decimal(most) * step))
    return Decimal(number).scaleb(-places)


def digits(chance: random.Random, text: str) -> str:
    """Every ~ becomes a digit."""
    return "".join(chance.choice("0123456789") if letter == "~" else letter for letter in text)


@dataclass
class _Deal:
    text: str
    least: str
    most: str
    at: str = ""
    """"<" on the first day, ">" on the last."""
    repeated: bool = False

    @classmethod
    def read(cls, line: str) -> _Deal:
        flags = ""
        while line[0] in "*<>":
            flags, line = flags + line[0], line[1:].strip()
        least, most, text = line.split(None, 2)
        return cls(text, least, most, flags.strip("*"), "*" in flags)

    def amount(self, chance: random.Random, places: int) -> Decimal:
        sign = -1 if self.least.startswith("-") else 1
        return sign * drawn(chance, self.least.lstrip("+-"), self.most, places)


def ledger(
    chance: random.Random,
    opening: Decimal | str,
    first: date,
    last: date,
    deals: str,
    count: int = 0,
    *,
    places: int = 2,
    weekdays: bool = False,
    currency: str = "",
    inner: str = "%m/%d",
) -> Ledger:
    """Lines "-least most text", in the order of time; of those with * `count` are drawn, any number of times.

    A | in the text begins a further printed line. < puts a row on the first day, > on the last. {d} becomes the
    day of the purchase, at most two days before, written as in `inner`.
    """
    read = [_Deal.read(line.strip()) for line in deals.strip().split("\n")]
    chosen = [deal for deal in read if not deal.repeated]
    pool = [deal for deal in read if deal.repeated]
    for _ in range(count):
        chosen.insert(chance.randint(0, len(chosen)), chance.choice(pool))
    chosen.sort(key=lambda deal: {"<": 0, "": 1, ">": 2}[deal.at])
    span = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    if weekdays:
        span = [day for day in span if day.weekday() < 5]
    days = sorted(chance.choice(span) for _ in chosen)
    balance = opening = Decimal(opening)
    rows = []
    for deal, day in zip(chosen, days, strict=True):
        money = deal.amount(chance, places)
        balance += money
        on = {"<": span[0], ">": span[-1]}.get(deal.at, day)
        bought = on - timedelta(days=chance.randint(0, 2))
        text = digits(chance, deal.text).replace("{d}", bought.strftime(inner))
        rows.append(Row(on, text, money, balance))
    return Ledger(opening, tuple(rows), currency=currency)


def lines(row: Row) -> list[str]:
    """The printed lines of a row's text."""
    return [line.strip() for line in row.text.split("|")]


def before(chance: random.Random, row: Row, most: int = 3) -> date:
    """A day shortly before the row's: when the goods were bought, or the money was worth something."""
    return row.day - timedelta(days=chance.randint(0, most))


def made(
    name: str,
    paper: Paper,
    currency: str,
    label: str,
    *ledgers: Ledger,
    order: Sequence[Row] | None = None,
    both_ends: bool = True,
) -> Made:
    """The file with its truth, which is checked: opening and rows give closing, unless one was taken out."""
    for book in ledgers:
        reached = book.opening + total(book.shown)
        assert (reached == book.closing) == (book.lost is None), label
        assert book.opening + total(book.rows) == book.closing, label
    printed = tuple(row for book in ledgers for row in book.shown)
    if order is not None:
        assert sorted(order, key=repr) == sorted(printed, key=repr), label
        printed = tuple(order)
    rows = tuple(replace(row, text=lines(row)[0]) for row in printed)
    own = tuple(book.currency or currency for book in ledgers for _ in book.shown)
    return Made(
        name,
        paper.pdf(),
        rows,
        currency,
        label,
        states_both_ends=both_ends,
        is_incomplete=any(book.lost is not None for book in ledgers),
        currencies=own if any(one != currency for one in own) else (),
    )
