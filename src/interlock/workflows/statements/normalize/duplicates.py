"""Finds rows that may be there twice: same account and amount, at most a day apart, nearly the same merchant; it flags, it never blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from rapidfuzz import fuzz, process

from ..rules.rule_set import SourceOptions

FEW = 32


class Names:
    """Names that have been seen, and where each pair of neighbouring letters occurs in them."""

    __slots__ = ("_by_pair", "_names", "_similarity")

    def __init__(self, similarity: int) -> None:
        self._similarity = similarity
        self._names: dict[str, None] = {}
        self._by_pair: dict[str, list[str]] | None = None

    def add(self, name: str) -> None:
        if name not in self._names:
            self._names[name] = None
            if self._by_pair is not None:
                self._note(name, self._by_pair)

    def has_like(self, name: str) -> bool:
        """One of them is this very name, or as similar as asked."""
        return name in self._names or self._nearest(name, self._candidates(name))

    def _nearest(self, name: str, candidates: dict[str, None]) -> bool:
        return (
            process.extractOne(name, candidates.keys(), scorer=fuzz.ratio, score_cutoff=self._similarity)
            is not None
        )

    def _candidates(self, name: str) -> dict[str, None]:
        """Letters that come or go change at most two pairs each. So among one pair more than can be changed, one is left: those names that
        share none of the rarest such pairs cannot be alike."""
        pairs = set(_pairs(name))
        changes = int((100 - self._similarity) * 2 * len(name) / self._similarity)
        if len(self._names) <= FEW or len(pairs) <= 2 * changes:
            return self._names
        index = self._indexed()
        rarest = sorted(pairs, key=lambda pair: len(index.get(pair, ())))[: 2 * changes + 1]
        return dict.fromkeys(other for pair in rarest for other in index.get(pair, ()))

    def _indexed(self) -> dict[str, list[str]]:
        if self._by_pair is None:
            self._by_pair = defaultdict(list)
            for name in self._names:
                self._note(name, self._by_pair)
        return self._by_pair

    @staticmethod
    def _note(name: str, index: dict[str, list[str]]) -> None:
        for pair in set(_pairs(name)):
            index[pair].append(name)


def _pairs(name: str) -> list[str]:
    return [name[place : place + 2] for place in range(len(name) - 1)]


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
    insertion_sequence: int = 0


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
