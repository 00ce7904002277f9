"""A bank by a mapping in a TOML file: columns, dates, sign, separators, currency and what to skip; every mistake is named with its key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .mapping import CsvMapping, Flow, Leg, MappingInvalid, When
from .parser import CONFIGURED, CsvParser

SIGNS: dict[str, Flow] = {
    "negative_is_out": "printed",
    "positive_is_out": "inverted",
    "by_balance": "balance",
}
_TEXTS = {
    "source_type",
    "date",
    "amount",
    "debit",
    "credit",
    "fee",
    "sign",
    "decimal",
    "delimiter",
    "currency",
    "currency_column",
    "account",
    "balance",
    "version",
}
_LISTS = {"description", "header", "columns", "dates"}
KEYS = _TEXTS | _LISTS | {"skip"}


def load_mappings(path: Path) -> list[CsvParser]:
    """Every `[[csv]]` table of the file, one parser per source type."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise MappingInvalid(f"{path.name}: {problem}") from problem
    entries = document.get("csv", [])
    if not isinstance(entries, list) or not entries:
        raise MappingInvalid(f"{path.name}: no [[csv]] table; each describes one layout of a bank")
    if unknown := sorted(set(document) - {"csv"}):
        raise MappingInvalid(
            f"{path.name}: {', '.join(unknown)}: not known beside [[csv]]; rules stand in a file of their own"
        )
    grouped: dict[str, list[CsvMapping]] = {}
    for place, entry in enumerate(entries):
        mapping = mapping_from(entry, f"{path.name}: [[csv]] number {place + 1}")
        grouped.setdefault(mapping.source_type, []).append(mapping)
    return [CsvParser(source_type, tuple(mappings)) for source_type, mappings in grouped.items()]


def mapping_from(entry: Mapping[str, Any], where: str = "mapping") -> CsvMapping:
    """One mapping from plain values, or MappingInvalid with the key that is wrong."""
    _check_keys(entry, where)
    given: dict[str, Any] = {
        name: entry[name]
        for name in (
            "source_type",
            "date",
            "decimal",
            "delimiter",
            "currency",
            "currency_column",
            "account",
            "balance",
            "version",
        )
        if name in entry
    }
    given.update({name: tuple(entry[name]) for name in _LISTS if name in entry})
    given.setdefault("header", () if "columns" in given else tuple(_named(entry)))
    try:
        return CsvMapping(
            legs=_legs(entry),
            skip=tuple(When(column, pattern) for column, pattern in entry.get("skip", {}).items()),
            layout=CONFIGURED,
            certainty=0.97,
            **given,
        )
    except TypeError as problem:
        raise MappingInvalid(
            f"{where}: source_type, date and description are needed ({problem})"
        ) from problem
    except MappingInvalid as problem:
        raise MappingInvalid(f"{where}: {problem}") from problem


def _check_keys(entry: Mapping[str, Any], where: str) -> None:
    for name, value in entry.items():
        if name not in KEYS:
            raise MappingInvalid(
                f"{where}: {name!r} is not a key of a mapping; these are: {', '.join(sorted(KEYS))}"
            )
        if name in _TEXTS and not isinstance(value, str):
            raise MappingInvalid(f"{where}: {name} must be a text")
        if name in _LISTS and not (
            isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        ):
            raise MappingInvalid(f"{where}: {name} must be a list of texts")
        if name == "skip" and not (
            isinstance(value, Mapping) and all(isinstance(one, str) for one in value.values())
        ):
            raise MappingInvalid(f"{where}: skip must be a table of column = pattern")
    if "sign" in entry and entry["sign"] not in SIGNS:
        raise MappingInvalid(f"{where}: sign must be one of {', '.join(SIGNS)}, not {entry['sign']!r}")
    if "amount" in entry and ("debit" in entry or "credit" in entry):
        raise MappingInvalid(f"{where}: either amount, or debit and credit")


def _legs(entry: Mapping[str, Any]) -> tuple[Leg, ...]:
    legs = [Leg(entry["amount"], SIGNS[entry.get("sign", "negative_is_out")])] if "amount" in entry else []
    legs += [Leg(entry[name], flow) for name, flow in (("debit", "out"), ("credit", "in")) if name in entry]  # type: ignore[arg-type]
    if "fee" in entry:
        legs.append(Leg(entry["fee"], "out", note="(fee)", only_if_not_zero=True))
    return tuple(legs)


def _named(entry: Mapping[str, Any]) -> list[str]:
    """Without a header of its own, a mapping is recognised by every column that it uses."""
    names = [
        entry.get("date", ""),
        *entry.get("description", []),
        *(entry.get(name, "") for name in ("amount", "debit", "credit", "balance", "currency_column")),
    ]
    return [name for name in dict.fromkeys(names) if name]
