"""Every file of the further banks."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made
from .ends import ends
from .exchange import exchange_files
from .mirrors import mirrors
from .papers import papers
from .tables import tables
from .traps import traps


def further_files() -> Iterator[Made]:
    yield from tables()
    yield from papers()
    yield from exchange_files()
    yield from traps()
    yield from ends()
    yield from mirrors()


NO_CURRENCY = "names no currency, or a sign that several countries share"
DAY_OR_MONTH = "the order of day and month is open"
NOT_READ = "an amount stands where no column is known"
IN_DOUBT = {
    "santander poland with a line of the account first": "the account's own line looks like a row",
    "an expense report that is no statement of money in": "amounts without signs",
    "ofx the same id twice": "an identifier that is repeated",
    "ofx a row without its day": "a row has no day",
    "pesos with dots and a dollar sign": NO_CURRENCY,
    "early days in pounds, month first": DAY_OR_MONTH,
    "early days in dollars, day first": DAY_OR_MONTH,
    "early days of the philippines": DAY_OR_MONTH,
    "six digits": "dates of six digits",
    "paper only the day it was printed": "no year",
    "paper in NZD": NO_CURRENCY,
    "paper in NOK": NO_CURRENCY,
    "paper in PKR": NO_CURRENCY,
    "dollars of which country": NO_CURRENCY,
    "the last amount is under another name": NOT_READ,
    "the first amount is under another name": NOT_READ,
    "a petrol station last": "a row that is called like a total",
    "paper an amount under another name and no stated end": NOT_READ,
    "paper one column without signs and no stated end": "amounts without signs",
    "paper a column in another currency beside": "two columns of amounts in two currencies",
    "amounts in pence by name": "whole numbers may be cents",
    "amounts in cents without a word": "whole numbers may be cents",
    "fees beside amounts": "the balance counts fees that stand apart",
    "a currency column of the shop": "amounts in two currencies",
    "only spending with what is owed at both ends": "amounts without signs",
    "only spending with what is owed after each": "amounts without signs",
    "one row with its year first": "the year may stand at either end",
}
"""Files that are not read right, and why: each of them must say that it is in doubt."""
UNPROVED = {
    "paper trailing_minus_running_balance": NO_CURRENCY,
    "paper month_first_heads_per_page": NO_CURRENCY,
    "paper card_abroad": NO_CURRENCY,
    "paper separate_accounts": NO_CURRENCY,
    "paper in CNY": NO_CURRENCY,
    "a card with what is owed at both ends": "only words say that it is a card",
    "early days of a bank in panama": DAY_OR_MONTH,
}
"""Files that state balances and are read right, and yet leave something open."""
