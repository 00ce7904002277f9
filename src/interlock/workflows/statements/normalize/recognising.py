"""Tells merchant and category of a description by the rules for its source; each description is looked at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ..rules.rule_set import CategoryRule, Merchant, RuleSet, concerns
from .cleaning import clean_merchant, collapsed, folded
from .matching import Key, Match, Matcher

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
