"""Finds rows that may be there twice: same account and amount, at most a day apart, nearly the same merchant; it flags, it never blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from ..rules.rule_set import SourceOptions
from .likeness import Names


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


class Likeness(NamedTuple):
    """How near two rows must be to be flagged: so many days apart at most, and merchants at least so similar, in percent."""

    days: int = 1
    similarity: int = 90

    @classmethod
    def of(cls, options: SourceOptions) -> Likeness:
        return cls(options.duplicate_days, options.duplicate_similarity)


class Earlier:
    """What has been seen so far: for each account, amount and day the merchants."""

    def __init__(self, days: int, similarity: int) -> None:
        self._reach = [timedelta(days=distance) for distance in range(-days, days + 1)]
        self._similarity = similarity
        self._merchants: dict[tuple[str, str, str, date], Names] = {}

    def remember(self, account: str, amount: str, currency: str, day: date, merchant: str) -> None:
        key = (account, amount, currency, day)
        names = self._merchants.get(key)
        if names is None:
            names = self._merchants[key] = Names(self._similarity)
        names.add(merchant.casefold())

    def has_like(self, account: str, amount: str, currency: str, day: date, merchant: str) -> bool:
        """An earlier row that this one may repeat."""
        for distance in self._reach:
            names = self._merchants.get((account, amount, currency, day + distance))
            if names is not None and names.has_like(merchant.casefold()):
                return True
        return False


def earlier_rows(upload_id: str, already: Iterable[Similar], *, days: int, similarity: int) -> Earlier:
    """What other uploads left; rows of this very upload are those of an earlier run and never count."""
    seen = Earlier(days, similarity)
    for row in already:
        if row.upload_id != upload_id:
            seen.remember(row.account, row.amount, row.currency, row.date, row.merchant)
    return seen
