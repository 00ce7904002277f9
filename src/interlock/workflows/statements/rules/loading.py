"""Loads rule files: ours, which are part of the package, and a team's own, which is laid over them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from interlock.errors import BadInput

from .rule_set import CategoryRule, Merchant, Patterns, RuleSet
from .schema import problems

LARGEST_FILE = 4 * 1024 * 1024
Document = Mapping[str, Any]


def builtin_files() -> dict[str, bytes]:
    """The rule files that come with Interlock, by their names."""
    folder = resources.files(__package__).joinpath("builtin")
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return {entry.name: entry.read_bytes() for entry in sorted(found, key=lambda entry: entry.name)}


@cache
def builtin_rules() -> RuleSet:
    """The rules that come with Interlock. Tests judge them: a process that starts need not do it again."""
    documents = [tomllib.loads(content.decode()) for content in builtin_files().values()]
    rules = RuleSet(version="", digest="")
    for document in documents:
        rules = _laid_over(rules, document)
    version = {document["version"] for document in documents}
    if len(version) != 1:
        raise BadInput(f"the built-in rule files have different versions: {', '.join(sorted(version))}")
    return replace(rules, version=version.pop())


def load_rules(path: Path | str | None = None, over: RuleSet | None = None) -> RuleSet:
    """Our rules (or those given), and over them a file's: same id replaces, `disable` takes away, options of a source add to ours."""
    below = builtin_rules() if over is None else over
    if path is None:
        return below
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file.name}: cannot be read: {error.strerror}") from error
    return _laid_over(below, _checked(content, file.name))


def _checked(content: bytes, name: str) -> Document:
    """The document, or a refusal that names the file and every wrong key."""
    if len(content) > LARGEST_FILE:
        raise BadInput(f"{name}: a rule file has at most {LARGEST_FILE} bytes")
    try:
        document = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{name}: is not TOML: {error}") from error
    if found := problems(document):
        raise BadInput("; ".join(f"{name}: {one}" for one in found), problems=found, file=name)
    return document


def _laid_over(ours: RuleSet, document: Document) -> RuleSet:
    known = {*(one.id for one in ours.merchants), *(one.id for one in ours.categories)}
    if unknown := [one for one in document.get("disable", []) if one not in known]:
        raise BadInput(f"{document['name']}: disable: there are no rules {', '.join(unknown)}")
    gone = set(document.get("disable", []))
    options = replace(ours.options, **_options(document.get("options", {})))
    sources = {
        name: replace(one, **_options(document.get("options", {}))) for name, one in ours.sources.items()
    }
    for name, table in document.get("source", {}).items():
        sources[name] = replace(sources.get(name, options), **_options(table))
    merchants = {one.id: one for one in ours.merchants if one.id not in gone}
    merchants |= {rule["id"]: _merchant(rule) for rule in document.get("merchant", [])}
    categories = {one.id: one for one in ours.categories if one.id not in gone}
    categories |= {rule["id"]: _category(rule) for rule in document.get("category", [])}
    digest = sha256((ours.digest + json.dumps(document, sort_keys=True, default=str)).encode()).hexdigest()
    version = f"{ours.version}+{document['name']}.{document['version']}" if ours.version else ""
    return RuleSet(version, digest, options, sources, tuple(merchants.values()), tuple(categories.values()))


def _options(table: Document) -> dict[str, Any]:
    made = dict(table)
    if "date_formats" in made:
        made["date_formats"] = tuple(made["date_formats"])
    if "large_amount" in made:
        made["large_amount"] = Decimal(made["large_amount"])
    return made


def _patterns(rule: Document) -> Patterns:
    given = {key: tuple(rule[key]) for key in ("exact", "regex", "fuzzy") if key in rule}
    return Patterns(**given, similarity=rule.get("similarity", Patterns().similarity))


def _shared(rule: Document) -> dict[str, Any]:
    sources = tuple(rule.get("sources", ["*"]))
    return {
        "id": rule["id"],
        "patterns": _patterns(rule),
        "priority": rule.get("priority", 0),
        "sources": sources,
    }


def _merchant(rule: Document) -> Merchant:
    return Merchant(name=rule["name"], category=rule.get("category", ""), **_shared(rule))


def _category(rule: Document) -> CategoryRule:
    bounds: dict[str, Any] = {key: Decimal(rule[key]) for key in ("least", "most") if key in rule}
    return CategoryRule(
        category=rule["category"], direction=rule.get("direction", "any"), **bounds, **_shared(rule)
    )
