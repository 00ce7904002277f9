"""What is said about a row beside its values: how sure we are, and what a person should look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from itertools import compress
from typing import Any

from ..rules.rule_set import SourceOptions
from . import currencies
from .canonical import Canonical, RowFailure

FLAGS = (
    "possible_duplicate",
    "large_amount",
    "future_date",
    "ambiguous_date",
    "low_confidence",
    "unknown_merchant",
    "uncategorized",
    "manual_review_required",
    "unreconciled",
)
"""In the order in which a row carries them."""

# The score is a product: each doubt takes its share of what certainty is left. A known merchant with a category and nothing odd has 1.0
# by an exact rule and 0.98 by an expression; a merchant that is only cleaned text, with no category, comes to 0.52: under 0.7.
KNOWN_BY = {"exact": 1.0, "regex": 0.98}
UNKNOWN_MERCHANT, UNCATEGORIZED, AMBIGUOUS_DATE, WARNED = 0.75, 0.7, 0.6, 0.85


def confidence(
    kind: str | None, similarity: float, *, category: str, ambiguous: bool, warnings: int
) -> float:
    """From 0 to 1; what a fuzzy match is worth is how alike it is."""
    score = UNKNOWN_MERCHANT if kind is None else KNOWN_BY.get(kind, similarity / 100)
    if not category:
        score *= UNCATEGORIZED
    if ambiguous:
        score *= AMBIGUOUS_DATE
    return round(score * WARNED ** min(warnings, 3), 2)


def flags(
    options: SourceOptions,
    *,
    amount: Decimal,
    day: date,
    today: date,
    ambiguous: bool,
    duplicate: bool,
    known: bool,
    category: str,
    score: float,
    contradicted: bool = False,
) -> tuple[str, ...]:
    """What holds for this row, and whether somebody must look at it: at a day that may be another, at much money that nobody knows or
    that may be there twice, at a row that we are hardly sure of."""
    large, future = abs(amount) > options.large_amount, day > today
    review = ambiguous or (large and (not known or duplicate or future)) or score < options.review_confidence
    holds = (
        duplicate,
        large,
        future,
        ambiguous,
        score < options.low_confidence,
        not known,
        not category,
        review,
        contradicted,
    )
    return tuple(compress(FLAGS, holds)) if True in holds else ()


def as_duplicate(marks: tuple[str, ...]) -> tuple[str, ...]:
    """The flags of a row that turned out to be there already: much money that may be there twice is for somebody to look at."""
    wanted = {*marks, FLAGS[0], *(["manual_review_required"] if "large_amount" in marks else [])}
    return tuple(name for name in FLAGS if name in wanted)


def as_no_duplicate(options: SourceOptions, marks: tuple[str, ...], score: float) -> tuple[str, ...]:
    """The flags of a row whose like is gone; somebody still looks at it where anything else asks for that."""
    large = "large_amount" in marks and ("unknown_merchant" in marks or "future_date" in marks)
    review = "ambiguous_date" in marks or large or score < options.review_confidence
    gone = {FLAGS[0], *([] if review else ["manual_review_required"])}
    return tuple(name for name in marks if name not in gone)


def counted(all_flags: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """How many rows carry each flag."""
    found = Counter(name for one in all_flags for name in one)
    return {name: found[name] for name in FLAGS if found[name]}


def summarise(
    canonicals: Sequence[Canonical],
    failures: Sequence[RowFailure],
    order: str | None,
    decimal: str,
    digest: str,
) -> dict[str, Any]:
    """Plain values only: it becomes JSON as it is."""
    days = [one.date for one in canonicals]
    categorised = sum(1 for one in canonicals if one.category)
    return {
        "flags": counted(one.flags for one in canonicals),
        "failures_by_code": dict(sorted(Counter(one.error_code for one in failures).items())),
        "categories": dict(sorted(Counter(one.category or "uncategorized" for one in canonicals).items())),
        "category_coverage": round(categorised / len(canonicals), 4) if canonicals else 0.0,
        "totals": _totals(canonicals),
        "first_date": min(days).isoformat() if days else None,
        "last_date": max(days).isoformat() if days else None,
        "day_month_order": order,
        "decimal_mark": decimal,
        "rule_set_digest": digest,
    }


def _totals(canonicals: Sequence[Canonical]) -> dict[str, dict[str, str]]:
    """Money in and out for each currency, exact."""
    sums: dict[str, list[Decimal]] = {}
    for one in canonicals:
        amount = one.value
        both = sums.setdefault(one.currency, [Decimal(0), Decimal(0)])
        both[0 if amount > 0 else 1] += amount
    return {
        code: {"in": currencies.format_amount(into, code), "out": currencies.format_amount(out, code)}
        for code, (into, out) in sorted(sums.items())
    }
