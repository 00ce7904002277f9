"""Finds the rule that names a row's merchant or category: by priority, then exact, by pattern, by likeness."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, Literal, Protocol, TypeVar

from rapidfuzz import fuzz, process

from ..rules.expressions import LONGEST_INPUT, needed
from ..rules.rule_set import CategoryRule, Merchant, Patterns, RuleSet, concerns
from .cleaning import clean_merchant, collapsed, folded

Kind = Literal["exact", "regex", "fuzzy"]
Order = tuple[int, int, int]
_RANK: dict[Kind, int] = {"exact": 0, "regex": 1, "fuzzy": 2}
_SHORT = 3


def _order(match: Match[Any]) -> Order:
    return match.order


class Rule(Protocol):
    """What merchants and category rules have in common."""

    @property
    def id(self) -> str: ...
    @property
    def priority(self) -> int: ...
    @property
    def patterns(self) -> Patterns: ...


R = TypeVar("R", bound=Rule)


@dataclass(frozen=True, slots=True)
class Match(Generic[R]):
    """A rule that fits, how it was found, and how alike the text is (100 unless fuzzy)."""

    order: Order
    rule: R
    kind: Kind
    similarity: float = 100.0


class Key:
    """A folded description, and every three letters that stand together in it."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text[:LONGEST_INPUT]
        self.starts = {self.text[place : place + _SHORT] for place in range(len(self.text) - _SHORT + 1)}


class Literals:
    """Finds in one pass which of many texts occur in a description, so that only their expressions are searched."""

    def __init__(self) -> None:
        self._by_start: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self.always: set[int] = set()

    def add(self, texts: tuple[str, ...], place: int) -> None:
        if not texts or any(len(text) < _SHORT for text in texts):
            self.always.add(place)
        else:
            for text in texts:
                self._by_start[text[:_SHORT]].append((text, place))

    def places_in(self, key: Key) -> set[int]:
        found, text, by_start = set(self.always), key.text, self._by_start
        for start in key.starts:
            if start in by_start:
                for literal, place in by_start[start]:
                    if literal in text:
                        found.add(place)
        return found


class Matcher(Generic[R]):
    """The compiled patterns of a list of rules."""

    def __init__(self, rules: Sequence[R]) -> None:
        self._exact: dict[str, list[Match[R]]] = defaultdict(list)
        self._regex: list[tuple[re.Pattern[str], Match[R]]] = []
        self._fuzzy: list[tuple[str, Match[R]]] = []
        self._literals = Literals()
        for place, rule in enumerate(rules):
            self._add(rule, place)
        self._choices = [text for text, _ in self._fuzzy]
        self._choices_for: dict[int, dict[int, str]] = {}
        self._first_fuzzy = min((match.order for _, match in self._fuzzy), default=None)
        self._cutoff = min((match.rule.patterns.similarity for _, match in self._fuzzy), default=100)

    def _add(self, rule: R, place: int) -> None:
        def match(kind: Kind) -> Match[R]:
            return Match((-rule.priority, _RANK[kind], place), rule, kind)

        for text in rule.patterns.exact:
            self._exact[folded(" ".join(text.split()))[:LONGEST_INPUT]].append(match("exact"))
        for pattern in rule.patterns.regex:
            self._literals.add(needed(pattern), len(self._regex))
            self._regex.append((re.compile(pattern, re.IGNORECASE), match("regex")))
        self._fuzzy += [(folded(text), match("fuzzy")) for text in rule.patterns.fuzzy]

    def best(self, key: Key, name: Callable[[], str]) -> Match[R] | None:
        """The first rule that fits; `name` is what cleaning leaves of the description, asked for only where it is needed."""
        found = self._certain(key)
        if self._first_fuzzy is not None and (not found or self._first_fuzzy < found[0].order):
            found = sorted([*found, *self._alike(name())], key=_order)
        return found[0] if found else None

    def all(self, key: Key, name: Callable[[], str]) -> list[Match[R]]:
        """Every rule that fits, the first one first."""
        found = self._certain(key)
        return found if self._first_fuzzy is None else sorted([*found, *self._alike(name())], key=_order)

    def _certain(self, key: Key) -> list[Match[R]]:
        found = [*self._exact.get(key.text, ()), *self._expressions(key)]
        return sorted(found, key=_order) if len(found) > 1 else found

    def _expressions(self, key: Key) -> list[Match[R]]:
        return [
            self._regex[place][1]
            for place in self._literals.places_in(key)
            if self._regex[place][0].search(key.text)
        ]

    def _of_like_length(self, length: int) -> dict[int, str]:
        """The names, by their place, that are not too long or too short to be alike: the score is twice the letters in common, divided
        by all letters of both."""
        return {
            place: text
            for place, text in enumerate(self._choices)
            if 200 * min(length, len(text)) >= self._cutoff * (length + len(text))
        }

    def _alike(self, name: str) -> list[Match[R]]:
        if not self._choices or len(name) < 4:
            return []  # of short names too many are alike
        found: list[Match[R]] = []
        choices = self._choices_for.get(len(name))
        if choices is None:
            choices = self._choices_for[len(name)] = self._of_like_length(len(name))
        for _, score, place in process.extract(
            name, choices, scorer=fuzz.ratio, score_cutoff=self._cutoff, limit=5
        ):
            match = self._fuzzy[place][1]
            if score >= match.rule.patterns.similarity:
                found.append(Match(match.order, match.rule, "fuzzy", score))
        return sorted(found, key=lambda match: -match.similarity)[:1]


MOST_REMEMBERED = 50_000


@dataclass(frozen=True, slots=True)
class Recognised:
    """What the rules say about one description; which category depends on the amount too."""

    description: str
    merchant: str
    by: Match[Merchant] | None
    categories: tuple[Match[CategoryRule], ...]

    def category(self, amount: Decimal) -> tuple[str, str]:
        """The category and the rule that gave it. A merchant's own is worth an exact match of the merchant's priority."""
        own = self.by is not None and self.by.rule.category
        for match in self.categories:
            if own and self.by is not None and match.order >= (-self.by.rule.priority, 0, -1):
                break
            if match.rule.fits(amount):
                return match.rule.category, f"category:{match.rule.id}"
        return (
            (self.by.rule.category, f"category:merchant:{self.by.rule.id}")
            if self.by is not None and own
            else ("", "")
        )


class Recogniser:
    """The rules of one source, compiled."""

    def __init__(self, merchants: Sequence[Merchant], categories: Sequence[CategoryRule]) -> None:
        self._merchants, self._categories = Matcher(merchants), Matcher(categories)
        self._known: dict[str, Recognised] = {}

    def recognise(self, text: str) -> Recognised:
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[text] = self._look(text)
        return found

    def _look(self, text: str) -> Recognised:
        description = collapsed(text)
        key = Key(folded(description))

        def name() -> str:
            return folded(clean_merchant(text))

        by = self._merchants.best(key, name)
        return Recognised(
            description,
            clean_merchant(text) if by is None else by.rule.name,
            by,
            tuple(self._categories.all(key, name)),
        )


def recogniser(rules: RuleSet, source_type: str) -> Recogniser:
    """Compiled once for each rule set and source, and kept with the rule set."""
    known = rules.compiled.get(source_type)
    if not isinstance(known, Recogniser):
        known = rules.compiled[source_type] = Recogniser(
            [one for one in rules.merchants if concerns(one.sources, source_type)],
            [one for one in rules.categories if concerns(one.sources, source_type)],
        )
    return known
