"""Every file of the newcomers."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made
from .exchange import exchange_files
from .papers import papers
from .tables import tables


def newcomers(seed: int = 0) -> Iterator[Made]:
    """One file of each kind; a seed draws other rows."""
    yield from papers(seed)
    yield from tables(seed)
    yield from exchange_files(seed)


NO_CURRENCY = "names no currency, or a sign that several countries share"
IN_DOUBT = {
    "paper transilvania with the turnover of each day": "sums of each day look like rows",
    "paper interbank in two currencies": "a column for each currency",
    "paper lakeside without signs": "amounts without signs",
    "paper rows below the edge": NO_CURRENCY,
    "table days and months that are both 12 or less": NO_CURRENCY,
    "table a ledger of a bookkeeping program with accounts": "debit is money in",
}
"""Files that are not read right, and why: each of them must say that it is in doubt."""
UNPROVED = {
    "paper otp in forints": "little shows that it is an account and no card",
    "paper nubank card": "states no period",
    "paper card of two holders": NO_CURRENCY,
    "table brackets, dollar signs and an opening row": NO_CURRENCY,
}
"""Files that state balances and are read right, and yet leave something open."""
