"""Checks a rule file key by key; whatever is wrong is said with the file and the key, all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from ..normalize.currencies import MINOR_UNITS
from ..normalize.date_formats import problem as date_problem
from .expressions import problem as regex_problem

Check = Callable[[Any], str | None]


def text(value: Any) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return "must be a text that is not empty"
    return "is longer than 200 characters" if len(value) > 200 else None


def whole(least: int, most: int) -> Check:
    def check(value: Any) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if fits else f"must be a whole number from {least} to {most}"

    return check


def share(value: Any) -> str | None:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return None if fits else "must be a number from 0 to 1"


def money(value: Any) -> str | None:
    """Money is never a float, in rules neither."""
    try:
        good = (
            isinstance(value, str | int)
            and not isinstance(value, bool)
            and Decimal(value).is_finite()
            and Decimal(value) >= 0
        )
    except InvalidOperation:
        good = False
    return None if good else 'must be an amount as text or whole number, e.g. "10000.00"'


def one_of(*allowed: str) -> Check:
    return lambda value: (
        None
        if isinstance(value, str) and value in allowed
        else f"must be one of {', '.join(map(repr, allowed))}"
    )


def several(check: Check) -> Check:
    def check_all(value: Any) -> str | None:
        if not isinstance(value, list):
            return "must be a list"
        return next(
            (f"entry {place}: {found}" for place, one in enumerate(value) if (found := check(one))), None
        )

    return check_all


def currency(value: Any) -> str | None:
    return None if isinstance(value, str) and value in MINOR_UNITS else "must be a currency code of ISO 4217"


def date_format(value: Any) -> str | None:
    if not isinstance(value, str):
        return "must be a text"
    return None if value == "auto" else date_problem(value)


def expression(value: Any) -> str | None:
    return regex_problem(value) if isinstance(value, str) and value else "must be a regular expression"


OPTIONS: dict[str, Check] = {
    "date_formats": several(date_format),
    "day_month_order": one_of("dmy", "mdy"),
    "decimal": one_of(".", ",", "auto"),
    "currency": currency,
    "large_amount": money,
    "low_confidence": share,
    "review_confidence": share,
    "duplicate_days": whole(0, 31),
    "duplicate_similarity": whole(50, 100),
}
PATTERNS: dict[str, Check] = {
    "exact": several(text),
    "regex": several(expression),
    "fuzzy": several(text),
    "similarity": whole(70, 100),
}
RULE: dict[str, Check] = {"id": text, "priority": whole(-1000, 1000), "sources": several(text), **PATTERNS}
MERCHANT: dict[str, Check] = {**RULE, "name": text, "category": text}
CATEGORY: dict[str, Check] = {
    **RULE,
    "category": text,
    "direction": one_of("in", "out", "any"),
    "least": money,
    "most": money,
}
TOP = {"name", "version", "disable", "options", "source", "merchant", "category"}


def problems(document: Mapping[str, Any]) -> list[str]:
    """Everything that is wrong with a rule file, each as `key: what`."""
    found = [
        f"{key}: is not known here; known are {', '.join(sorted(TOP))}" for key in document if key not in TOP
    ]
    found += [f"{key}: {wrong}" for key in ("name", "version") if (wrong := text(document.get(key)))]
    if wrong := several(text)(document.get("disable", [])):
        found.append(f"disable: {wrong}")
    found += _table("options", document.get("options", {}), OPTIONS, ())
    sources = document.get("source", {})
    if not isinstance(sources, Mapping):
        return [*found, "source: must be a table for each source"]
    for name, options in sources.items():
        found += _table(f"source.{name}", options, OPTIONS, ())
    found += _rules("merchant", document.get("merchant", []), MERCHANT, ("id", "name"))
    return found + _rules("category", document.get("category", []), CATEGORY, ("id", "category"))


def _rules(kind: str, rules: Any, checks: Mapping[str, Check], required: tuple[str, ...]) -> list[str]:
    if not isinstance(rules, list):
        return [f"{kind}: must be a list of tables, [[{kind}]]"]
    found: list[str] = []
    seen: set[str] = set()
    for place, rule in enumerate(rules):
        name = rule.get("id") if isinstance(rule, Mapping) else None
        where = f"{kind}.{name}" if isinstance(name, str) else f"{kind}[{place}]"
        found += _table(where, rule, checks, required)
        if isinstance(rule, Mapping) and not any(rule.get(key) for key in ("exact", "regex", "fuzzy")):
            found.append(f"{where}: matches nothing; give it exact, regex or fuzzy")
        if isinstance(name, str) and name in seen:
            found.append(f"{where}.id: is given twice")
        seen.add(str(name))
    return found


def _table(where: str, table: Any, checks: Mapping[str, Check], required: tuple[str, ...]) -> list[str]:
    if not isinstance(table, Mapping):
        return [f"{where}: must be a table"]
    found = [f"{where}.{key}: is missing" for key in required if key not in table]
    found += [
        f"{where}.{key}: is not known here; known are {', '.join(sorted(checks))}"
        for key in table
        if key not in checks
    ]
    return found + [
        f"{where}.{key}: {wrong}"
        for key, check in checks.items()
        if key in table and (wrong := check(table[key]))
    ]
