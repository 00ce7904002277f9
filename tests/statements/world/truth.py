"""What a generated statement says: institutions, their currencies and habits, and rows whose balances are known."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal


@dataclass(frozen=True)
class Institution:
    """A bank and how it writes."""

    name: str
    currency: str
    numeric: str  # how it writes a day in digits
    decimal: str = "."
    group: str = ","
    symbol: str = ""
    words: str = "en"
    is_card: bool = False
    places: int = 2

    @property
    def day_first(self) -> bool:
        return self.numeric.startswith("%d")


INSTITUTIONS = (
    Institution("Chase", "USD", "%m/%d/%Y", symbol="$"),
    Institution("Bank of America", "USD", "%m/%d/%y", symbol="$"),
    Institution("Wells Fargo", "USD", "%m/%d/%Y", symbol="$"),
    Institution("U.S. Bank", "USD", "%m/%d/%Y", symbol="$"),
    Institution("PNC Bank", "USD", "%m/%d/%Y", symbol="$"),
    Institution("American Express", "USD", "%m/%d/%Y", symbol="$", is_card=True),
    Institution("Discover", "USD", "%m/%d/%Y", symbol="$", is_card=True),
    Institution("Citi", "USD", "%m/%d/%Y", symbol="$", is_card=True),
    Institution("Royal Bank of Canada", "CAD", "%m/%d/%Y", symbol="$"),
    Institution("TD Canada Trust", "CAD", "%Y-%m-%d", symbol="$"),
    Institution("Barclays", "GBP", "%d/%m/%Y", symbol="£"),
    Institution("HSBC UK", "GBP", "%d/%m/%Y", symbol="£"),
    Institution("Monzo", "GBP", "%d/%m/%Y", symbol="£"),
    Institution("Deutsche Bank", "EUR", "%d.%m.%Y", ",", ".", "€", "de"),
    Institution("Sparkasse", "EUR", "%d.%m.%Y", ",", ".", "€", "de"),
    Institution("BNP Paribas", "EUR", "%d/%m/%Y", ",", " ", "€", "fr"),
    Institution("BBVA", "EUR", "%d/%m/%Y", ",", ".", "€", "es"),
    Institution("ING", "EUR", "%d-%m-%Y", ",", ".", "€", "nl"),
    Institution("UBS", "CHF", "%d.%m.%Y", ".", "'", "CHF", "de"),
    Institution("SEB", "SEK", "%Y-%m-%d", ",", " ", "kr"),
    Institution("DNB", "NOK", "%d.%m.%Y", ",", ".", "kr"),
    Institution("Danske Bank", "DKK", "%d.%m.%Y", ",", ".", "kr."),
    Institution("PKO Bank Polski", "PLN", "%d.%m.%Y", ",", " ", "zł"),
    Institution("Commonwealth Bank", "AUD", "%d/%m/%Y", symbol="$"),
    Institution("ANZ New Zealand", "NZD", "%d/%m/%Y", symbol="$"),
    Institution("DBS", "SGD", "%d/%m/%Y", symbol="S$"),
    Institution("Hang Seng Bank", "HKD", "%d/%m/%Y", symbol="HK$"),
    Institution("HDFC Bank", "INR", "%d/%m/%Y", symbol="₹"),
    Institution("MUFG Bank", "JPY", "%Y/%m/%d", symbol="¥", places=0),
    Institution("Itau", "BRL", "%d/%m/%Y", ",", ".", "R$", "pt"),
)
SHOPS = (
    "CORNER GROCER 412",
    "TOTAL WINE 77",
    "NEW BALANCE STORE",
    "CITY TRAM 2041",
    "Zelle to Robin",
    "AIR 0012345678901",
    "OPENING NIGHT BAR",
    "PHARMACY 12",
    "SHELL OIL 12345678",
    "STARBUCKS #1234",
    "WATERWORKS",
    "BOOK STORE",
)
INCOME = ("ORCHARD LABS PAYROLL", "DEPOSIT BRANCH 12", "REFUND CORNER GROCER", "INTEREST CREDIT")
PAYMENT = "PAYMENT THANK YOU"


@dataclass(frozen=True)
class Row:
    """One transaction; money out is negative."""

    day: date
    text: str
    amount: Decimal
    balance: Decimal = Decimal(0)


@dataclass(frozen=True)
class Statement:
    """A period of one account. What is owed on a card is a balance below zero."""

    bank: Institution
    account: str
    opening: Decimal
    rows: tuple[Row, ...]
    first: date
    last: date

    @property
    def closing(self) -> Decimal:
        return self.rows[-1].balance if self.rows else self.opening

    def without(self, place: int) -> Statement:
        return replace(self, rows=self.rows[:place] + self.rows[place + 1 :])


@dataclass(frozen=True)
class Made:
    """A file, and the rows that it prints; `states_both_ends`: it prints opening and closing balance itself."""

    name: str
    content: bytes
    rows: tuple[Row, ...]
    currency: str
    label: str
    states_both_ends: bool = False
    is_incomplete: bool = False
    """A row was taken out of it that its balances still count: reading it can never be proved right."""
    notes: tuple[str, ...] = field(default=())
    currencies: tuple[str, ...] = ()
    """Of each row, where not all are in `currency`."""


def draw(bank: Institution, seed: int, fewest: int = 5, most: int = 16, *, starts_on: int = 1) -> Statement:
    """A statement of this bank; the same seed gives the same rows. One that starts later in a month ends in the next."""
    chance = random.Random(f"{bank.name} {seed}")
    month = chance.randint(1, 12)
    first = date(chance.choice((2023, 2024, 2025)), month, starts_on)
    following = (first.replace(day=1) + timedelta(days=31)).replace(day=starts_on)
    last = following - timedelta(days=1)
    step = Decimal(1).scaleb(-bank.places)
    large = 100 if bank.places == 0 else 1
    balance = opening = Decimal(chance.randint(50_000, 900_000) * large).scaleb(-2).quantize(step) * (
        -1 if bank.is_card else 1
    )
    rows, day = [], first
    for _ in range(chance.randint(fewest, most)):
        day = min(last, day + timedelta(days=chance.randint(0, 3)))
        money = Decimal(chance.randint(105, 25_000) * large).scaleb(-2).quantize(step)
        if chance.random() < 0.25:
            text = PAYMENT if bank.is_card else chance.choice(INCOME)
            money *= 3
        else:
            text, money = chance.choice(SHOPS), -money
        balance += money
        rows.append(Row(day, text, money, balance))
    account = "".join(chance.choice("0123456789") for _ in range(10))
    return Statement(bank, account, opening, tuple(rows), first, last)


def money(value: Decimal, bank: Institution, *, group: bool = True) -> str:
    """A number as this bank prints it."""
    text = f"{value:,.{bank.places}f}" if group else f"{value:.{bank.places}f}"
    return text.translate(str.maketrans({",": bank.group, ".": bank.decimal}))
