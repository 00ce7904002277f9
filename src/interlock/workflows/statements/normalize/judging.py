"""What is said about a row beside its values: how sure we are, and what a person should look at."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from decimal import Decimal

from ..rules.rule_set import SourceOptions

FLAGS = ("possible_duplicate", "large_amount", "future_date", "ambiguous_date", "low_confidence", "unknown_merchant", "uncategorized",
         "manual_review_required")
"""In the order in which a row carries them."""

# The score is a product: each doubt takes its share of what certainty is left. A known merchant with a category and nothing odd has 1.0
# by an exact rule and 0.98 by an expression; a merchant that is only cleaned text, with no category, comes to 0.52: under 0.7.
KNOWN_BY = {"exact": 1.0, "regex": 0.98}
UNKNOWN_MERCHANT, UNCATEGORIZED, AMBIGUOUS_DATE, WARNED = 0.75, 0.7, 0.6, 0.85


def confidence(kind: str | None, similarity: float, *, category: str, ambiguous: bool, warnings: int) -> float:
    """From 0 to 1; what a fuzzy match is worth is how alike it is."""
    score = UNKNOWN_MERCHANT if kind is None else KNOWN_BY.get(kind, similarity / 100)
    if not category:
        score *= UNCATEGORIZED
    if ambiguous:
        score *= AMBIGUOUS_DATE
    return round(score * WARNED ** min(warnings, 3), 2)


def flags(options: SourceOptions, *, amount: Decimal, day: date, today: date, ambiguous: bool, duplicate: bool, known: bool, category: str,
          score: float) -> tuple[str, ...]:
    """What holds for this row, and whether somebody must look at it: at a day that may be another, at much money that nobody knows or
    that may be there twice, at a row that we are hardly sure of."""
    holds = {"possible_duplicate": duplicate, "large_amount": abs(amount) > options.large_amount, "future_date": day > today,
             "ambiguous_date": ambiguous, "low_confidence": score < options.low_confidence, "unknown_merchant": not known,
             "uncategorized": not category}
    return tuple(name for name in FLAGS if holds.get(name) or (name == FLAGS[-1] and _needs_a_person(holds, score, options)))


def _needs_a_person(holds: dict[str, bool], score: float, options: SourceOptions) -> bool:
    doubtful = holds["unknown_merchant"] or holds["possible_duplicate"] or holds["future_date"]
    return holds["ambiguous_date"] or (holds["large_amount"] and doubtful) or score < options.review_confidence


def counted(all_flags: Collection[tuple[str, ...]]) -> dict[str, int]:
    """How many rows carry each flag."""
    return {name: count for name in FLAGS if (count := sum(name in one for one in all_flags))}
