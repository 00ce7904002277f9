"""The countries that a text names."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

_WORDS = re.compile(r"[^\W\d_]+(?:[.-][^\W\d_]+)*")
SHORTEST = 4
"""Letters of a name that counts in running text: shorter ones are words of some language."""


def _names() -> dict[str, str]:
    text = files(__package__).joinpath("countries.toml").read_text(encoding="utf-8")
    return {name: region for region, names in tomllib.loads(text).items() for name in names}


COUNTRY_NAMES = _names()
"""Region in two letters of each name, in lower case."""


def _by_first_word() -> dict[str, list[list[str]]]:
    names: dict[str, list[list[str]]] = {}
    for name in COUNTRY_NAMES:
        first, *rest = name.split()
        if len(name) >= SHORTEST or not name.isascii():
            names.setdefault(first, []).append(rest)
    return names


_BY_FIRST_WORD = _by_first_word()


def find_countries(text: str) -> set[str]:
    """The regions of the countries whose names stand in a text."""
    words = _WORDS.findall(text.casefold())
    regions = set()
    for place, word in enumerate(words):
        for rest in _BY_FIRST_WORD.get(word, ()):
            if words[place + 1 : place + 1 + len(rest)] == rest:
                regions.add(COUNTRY_NAMES[" ".join((word, *rest))])
    return regions
