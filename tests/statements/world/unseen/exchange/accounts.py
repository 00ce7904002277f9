"""Draws the booked lines of one account, and turns a written file into what a test expects of it."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .voices import Voice

PLACES = {"JPY": 0, "CLP": 0, "KWD": 3, "BHD": 3}
UNSAFE = {"ä": "ae", "ö": "oe", "ü": "ue", "Ü": "Ue", "ß": "ss", "&": "+", "#": " ", "*": " "}
SCALES = {"JPY": 100, "CLP": 500, "HUF": 200, "INR": 40, "CZK": 15, "SEK": 8, "NOK": 8, "DKK": 6, "PLN": 4}


@dataclass(frozen=True)
class Book:
    """What one account really did between two balances."""

    currency: str
    opening: Decimal
    rows: tuple[Row, ...]
    first: date
    last: date

    @property
    def closing(self) -> Decimal:
        return self.opening + sum((row.amount for row in self.rows), Decimal(0))

    def printed(self, gap: int | None = None) -> tuple[Row, ...]:
        """The rows that a file prints; `gap` is the place of the one that it lost."""
        return self.rows if gap is None else self.rows[:gap] + self.rows[gap + 1 :]


def places(currency: str) -> int:
    return PLACES.get(currency, 2)


def draw(
    key: str,
    currency: str,
    voice: Voice,
    first: date,
    *,
    count: int = 9,
    span: int = 27,
    opening: Decimal | None = None,
    is_card: bool = False,
    large: int = 1,
) -> Book:
    """The same key gives the same book; bookings fall on weekdays."""
    chance = random.Random(f"unseen {key}")
    scale, unit = SCALES.get(currency, 1) * large, Decimal(1).scaleb(-places(currency))
    days = [day for day in (first + timedelta(days=n) for n in range(span + 1)) if day.weekday() < 5]

    def some(low: int, high: int) -> Decimal:
        return (Decimal(chance.randint(low * 1000 * scale, high * 1000 * scale)) / 1000).quantize(unit)

    start = some(400, 5200) * (-1 if is_card else 1) if opening is None else opening
    rows, balance = [], start
    incoming = {chance.randrange(1, count), chance.randrange(1, count)} if count > 2 else set()
    for place, day in enumerate(sorted(chance.choice(days) for _ in range(count))):
        if place in incoming:
            amount, text = some(90, 1900), chance.choice(voice.into)
        else:
            amount, text = -some(2, 210), chance.choice(voice.out)
        balance += amount
        rows.append(Row(day, text, amount, balance))
    return Book(currency, start, tuple(rows), first, first + timedelta(days=span))


def book_of(
    currency: str, opening: Decimal, lines: Sequence[tuple[date, str, Decimal]], first: date, last: date
) -> Book:
    """A book whose lines are given, with its running balances."""
    rows, balance = [], opening
    for day, text, amount in lines:
        balance += amount
        rows.append(Row(day, text, amount, balance))
    return Book(currency, opening, tuple(rows), first, last)


def retold(book: Book, changes: dict[int, tuple[str, Decimal]]) -> Book:
    """The book with the text and amount of some rows replaced."""
    lines = [(row.day, *changes.get(place, (row.text, row.amount))) for place, row in enumerate(book.rows)]
    return book_of(book.currency, book.opening, lines, book.first, book.last)


def dated(book: Book, days: dict[int, date]) -> Book:
    """The book with some rows booked on another day."""
    rows = tuple(replace(row, day=days.get(place, row.day)) for place, row in enumerate(book.rows))
    return replace(book, rows=rows)


def check(book: Book) -> None:
    """What the file states as its balances agrees with its rows."""
    balance = book.opening
    for row in book.rows:
        balance += row.amount
        assert row.balance == balance, (row, balance)
        assert row.amount, row
    assert balance == book.closing


def file_of(
    books: Book | Sequence[Book],
    name: str,
    text: str,
    label: str,
    *,
    encoding: str = "utf-8",
    gap: int | None = None,
    states_both_ends: bool = False,
    notes: tuple[str, ...] = (),
) -> Made:
    """A file of these books, in their order; `gap` is the place of a row of the last book that it does not print."""
    several = [books] if isinstance(books, Book) else list(books)
    for book in several:
        check(book)
    gone = None if gap is None else several[-1].rows[gap]
    rows = tuple(row for book in several for row in book.rows if row is not gone)
    told = tuple(book.currency for book in several for row in book.rows if row is not gone)
    stated = sum((book.closing - book.opening for book in several), Decimal(0))
    assert (sum((row.amount for row in rows), Decimal(0)) != stated) == (gap is not None), label
    return Made(
        name,
        text.encode(encoding),
        rows,
        several[0].currency,
        label,
        states_both_ends=states_both_ends,
        is_incomplete=gap is not None,
        notes=notes,
        currencies=told if len(set(told)) > 1 else (),
    )


def point(amount: Decimal) -> str:
    """-1234.50"""
    return f"{amount:f}"


def comma(amount: Decimal) -> str:
    """-1234,50"""
    return point(amount).replace(".", ",")


def grouped(amount: Decimal, group: str, mark: str) -> str:
    """-1.234,50, with the marks named."""
    whole, _, part = f"{amount:,f}".partition(".")
    return whole.replace(",", group) + (f"{mark}{part}" if part else "")


def digits(key: str, count: int) -> str:
    """A number of an account, a reference or the like: always the same for a key."""
    chance = random.Random(f"digits {key}")
    return "".join(chance.choice("0123456789") for _ in range(count)).replace("0", "8", 1)


def swift_safe(text: str) -> str:
    """A text in the characters that SWIFT lets through."""
    for letter, spelled in UNSAFE.items():
        text = text.replace(letter, spelled)
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
