"""What a rule set is: options for each source, merchants and categories; plain values that say nothing about how they are matched."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Literal


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How one source prints, and the thresholds for its rows."""

    date_formats: tuple[str, ...] = ("auto",)
    day_month_order: Literal["dmy", "mdy"] = "mdy"
    decimal: Literal[".", ",", "auto"] = "auto"
    currency: str = ""
    large_amount: Decimal = Decimal(10000)
    low_confidence: float = 0.7
    review_confidence: float = 0.5
    duplicate_days: int = 1
    duplicate_similarity: int = 90


@dataclass(frozen=True, slots=True)
class Patterns:
    """What a description is held against: the whole text, expressions found in it, names it nearly is."""

    exact: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    fuzzy: tuple[str, ...] = ()
    similarity: int = 88


@dataclass(frozen=True, slots=True)
class Merchant:
    """One merchant, however it is spelled."""

    id: str
    name: str
    patterns: Patterns
    category: str = ""
    priority: int = 0
    sources: tuple[str, ...] = ("*",)


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """Rows that belong to a category, by their text and, if it says so, by their direction and size."""

    id: str
    category: str
    patterns: Patterns
    direction: Literal["in", "out", "any"] = "any"
    least: Decimal | None = None
    most: Decimal | None = None
    priority: int = 0
    sources: tuple[str, ...] = ("*",)

    def fits(self, amount: Decimal) -> bool:
        """The amount is on the right side, and within bounds."""
        if self.direction != "any" and (amount > 0) != (self.direction == "in"):
            return False
        size = abs(amount)
        return (self.least is None or size >= self.least) and (self.most is None or size <= self.most)


@dataclass(frozen=True)
class RuleSet:
    """Everything normalization needs to know; `digest` names the content, whatever the version claims."""

    version: str
    digest: str
    options: SourceOptions = SourceOptions()
    sources: dict[str, SourceOptions] = field(default_factory=dict)
    merchants: tuple[Merchant, ...] = ()
    categories: tuple[CategoryRule, ...] = ()
    compiled: dict[str, object] = field(default_factory=dict, compare=False, repr=False, init=False)
    """What the normalizer made of the rules for each source type; it is made where it is first needed."""
    _chosen: dict[str, SourceOptions] = field(default_factory=dict, compare=False, repr=False, init=False)

    def __getstate__(self) -> dict[str, object]:
        """What is compiled stays in its own process."""
        return {**self.__dict__, "compiled": {}, "_chosen": {}}

    def options_for(self, source_type: str) -> SourceOptions:
        """Its own options, those of the longest pattern that names it, or the general ones."""
        known = self._chosen.get(source_type)
        if known is None:
            known = self._chosen[source_type] = self._options_for(source_type)
        return known

    def _options_for(self, source_type: str) -> SourceOptions:
        fitting = [name for name in self.sources if fnmatchcase(source_type, name)]
        return (
            self.sources[max(fitting, key=lambda name: (name == source_type, len(name)))]
            if fitting
            else self.options
        )


def concerns(sources: tuple[str, ...], source_type: str) -> bool:
    """A rule without sources is for all of them."""
    return any(fnmatchcase(source_type, one) for one in sources)
