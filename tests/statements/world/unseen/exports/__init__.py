"""Exports as banks, cards, wallets and brokers of the world write them, by someone who never saw the reader.

How truth is told where a file says more than one thing of a row:
- rows stand in the order of the file;
- the day is the one of booking (posting, completion); labels with "dates" name files whose other day differs;
- the text stands in the file, within a longer one in some; it is the name of the other party where both stand;
- `balance` is that of the account after the row, printed or not; what is owed on a card is below zero;
- fees beside an amount that move the balance with it are part of the row: one row, net (Revolut, PayPal, Stripe,
  Square, Capitec); fees in rows of their own are rows (Coinbase, BCP);
- pending, reserved, blocked, declined and future rows are no rows.
"""

from __future__ import annotations

import itertools
import re
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from . import (
    africa_gulf,
    alps,
    benelux,
    britain,
    brokers_tools,
    businesses,
    canada,
    central_europe,
    danube,
    east_asia,
    east_europe,
    france,
    germany,
    germany_cards,
    latin,
    nordics,
    oceania,
    south_asia,
    south_europe,
    usa_banks,
    usa_cards,
    wallets,
)

PLACES = (
    usa_banks,
    usa_cards,
    canada,
    wallets,
    businesses,
    brokers_tools,
    britain,
    germany,
    germany_cards,
    alps,
    france,
    benelux,
    south_europe,
    central_europe,
    danube,
    nordics,
    east_europe,
    africa_gulf,
    south_asia,
    east_asia,
    oceania,
    latin,
)


def breaks(rows: list[Row]) -> int:
    """How often a balance is not the one before it and its row's amount."""
    return sum(after.balance != before.balance + after.amount for before, after in itertools.pairwise(rows))


def figures(content: bytes) -> str:
    """What the file prints, with nothing between the digits of a number."""
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8", "latin-1"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return re.sub(r"(?<=\d)[.,' \xa0\u202f](?=\d)", "", text)
    raise AssertionError("no encoding fits")


def digits(value: Decimal) -> str:
    return re.sub(r"\D", "", f"{abs(value).normalize():f}").lstrip("0")


def check(made: Made) -> None:
    """The truth of a file agrees with itself and with what is printed; its balances chain but for a row taken out."""
    assert made.rows, made.label
    text = figures(made.content)
    assert all(digits(row.amount) in text or digits(row.balance) in text for row in made.rows), made.label
    assert not made.currencies or len(made.currencies) == len(made.rows), made.label
    currencies = made.currencies or (made.currency,) * len(made.rows)
    for currency in set(currencies):
        rows = [row for row, its in zip(made.rows, currencies, strict=True) if its == currency]
        if all(row.balance == 0 for row in rows):
            continue  # a file without balances, whose truth was made row by row
        fewest = min(breaks(rows), breaks(rows[::-1]))
        assert fewest == (1 if made.is_incomplete else 0), (made.label, fewest)
        ends = (digits(rows[0].balance), digits(rows[-1].balance))
        assert not made.states_both_ends or any(end in text for end in ends), made.label


def made() -> list[Made]:
    files = [file for place in PLACES for file in place.files()]
    for file in files:
        check(file)
    assert len({file.label for file in files}) == len(files)
    return files
