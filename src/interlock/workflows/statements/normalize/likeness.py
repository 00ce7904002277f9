"""Finds out whether a name is nearly one of many others without comparing it with each: likes must share some pair of letters."""

from __future__ import annotations

from collections import defaultdict

from rapidfuzz import fuzz, process

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
