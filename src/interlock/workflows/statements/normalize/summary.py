"""Adds up what a normalization made: the numbers that its log and the metrics carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from . import currencies
from .canonical import Canonical, RowFailure
from .judging import counted


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
        code: {"in": currencies.written(into, code), "out": currencies.written(out, code)}
        for code, (into, out) in sorted(sums.items())
    }
