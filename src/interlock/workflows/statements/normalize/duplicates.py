"""Finds rows that may be there twice: same account and amount, at most a day apart, nearly the same merchant; it flags, it never blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from rapidfuzz import fuzz, process


@dataclass(frozen=True, slots=True)
class Similar:
    """A transaction that is stored already, as far as this needs to know it."""

    canonical_id: str
    upload_id: str
    account: str
    amount: str
    currency: str
    date: date
    merchant: str


class Earlier:
    """What has been seen so far. Merchants are kept once for each day, so that thousands of equal amounts stay cheap."""

    def __init__(self, days: int, similarity: int) -> None:
        self._reach = [timedelta(days=distance) for distance in range(-days, days + 1)]
        self._similarity = similarity
        self._merchants: dict[tuple[str, str, str, date], dict[str, None]] = defaultdict(dict)

    def remember(self, account: str, amount: str, currency: str, day: date, merchant: str) -> None:
        self._merchants[account, amount, currency, day][merchant.casefold()] = None

    def has_like(self, account: str, amount: str, currency: str, day: date, merchant: str) -> bool:
        """An earlier row that this one may repeat."""
        name = merchant.casefold()
        for distance in self._reach:
            known = self._merchants.get((account, amount, currency, day + distance))
            if known is not None and (name in known or self._is_like(name, known)):
                return True
        return False

    def _is_like(self, name: str, known: dict[str, None]) -> bool:
        return process.extractOne(name, known.keys(), scorer=fuzz.ratio, score_cutoff=self._similarity) is not None



def earlier_rows(upload_id: str, already: Iterable[Similar], *, days: int, similarity: int) -> Earlier:
    """What other uploads left; rows of this very upload are those of an earlier run and never count."""
    seen = Earlier(days, similarity)
    for row in already:
        if row.upload_id != upload_id:
            seen.remember(row.account, row.amount, row.currency, row.date, row.merchant)
    return seen
