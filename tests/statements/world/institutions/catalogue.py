"""Every file of the named institutions."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made
from .american_papers import american_papers
from .european_papers import european_papers
from .exchange import exchange_files
from .other_papers import other_papers
from .tables import tables
from .traps import traps


def institution_files() -> Iterator[Made]:
    yield from american_papers()
    yield from european_papers()
    yield from other_papers()
    yield from tables()
    yield from exchange_files()
    yield from traps()


NO_CURRENCY = "names no currency"
IN_DOUBT = {
    "no_balances": "one column of amounts without signs",
    "early_days_with_a_period": NO_CURRENCY,
    "early_days": "the order of day and month is open",
    "itau txt": NO_CURRENCY,
    "anz au csv without header": NO_CURRENCY,
    "commbank without header": NO_CURRENCY,
    "expenses without a sign": "amounts without signs",
    "balance before the row": NO_CURRENCY,
    "qif early days": "the order of day and month is open",
    "exchange notes of an unknown bank": NO_CURRENCY,
    "an old date and no period": "no year",
    "foreign amounts beside own": "amounts without signs",
    "two ambiguous dates": "the order of day and month is open",
    "debits that raise the balance": "the columns' names contradict the balance",
    "coinbase": "amounts without signs",
}
"""Files that are not read right, and why: each of them must say that it is in doubt."""
UNPROVED = {
    "in_parentheses": NO_CURRENCY,
    "rows_over_a_page": NO_CURRENCY,
    "two_accounts": "two accounts with one number for both",
    "pnc csv": NO_CURRENCY,
    "td canada without header": NO_CURRENCY,
    "santander uk txt": NO_CURRENCY,
    "header on every page": NO_CURRENCY,
    "zero rows and totals": NO_CURRENCY,
    "card balance owed": NO_CURRENCY,
}
"""Files that state balances and are read right, and yet leave something open."""
