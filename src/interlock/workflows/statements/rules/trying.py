"""Tries a rule set on transactions that are there already: what it would change, and how many have a category before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ..normalize.merchants import recogniser
from .rule_set import RuleSet

MOST_SHOWN = 1_000
OF_THE_FILE = "category:source_category"


@dataclass(slots=True)
class Trial:
    """What a rule set does to so many transactions; `changed` has each different change once, with how many rows it concerns."""

    transactions: int = 0
    categorized_before: int = 0
    categorized_after: int = 0
    changed: list[dict[str, Any]] = field(default_factory=list)


def try_rules(rules: RuleSet, rows: Iterable[Mapping[str, Any]]) -> Trial:
    """Read each transaction's description by these rules, and compare; nothing is written."""
    trial, counts = Trial(), Counter[tuple[str, ...]]()
    known = recogniser(rules, "")
    for row in rows:
        recognised = known.recognise(row["description"])
        category, by = recognised.category(Decimal(row["amount"]))
        if not category and OF_THE_FILE in row["applied_rules"]:
            category, by = row["category"], OF_THE_FILE  # the file's own category stays the fallback
        trial.transactions += 1
        trial.categorized_before += bool(row["category"])
        trial.categorized_after += bool(category)
        if (row["merchant"], row["category"]) != (recognised.merchant, category):
            counts[
                row["description"], row["merchant"], recognised.merchant, row["category"], category, by
            ] += 1
    names = ("description", "merchant_before", "merchant", "category_before", "category", "rule")
    trial.changed = [
        {**dict(zip(names, change, strict=True)), "rows": count}
        for change, count in counts.most_common(MOST_SHOWN)
    ]
    return trial
