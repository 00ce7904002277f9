"""The countries that a text names."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from importlib.resources import files
from itertools import islice

import phonenumbers

_WORDS = re.compile(r"[^\W\d_]+(?:[.-][^\W\d_]+)*")
SHORTEST = 4
"""Letters of a name that counts in running text: shorter ones are words of some language."""


def _names() -> dict[str, str]:
    text = files(__package__).joinpath("countries.toml").read_text(encoding="utf-8")
    return {name: region for region, names in tomllib.loads(text).items() for name in names}


COUNTRY_NAMES = _names()
"""Region in two letters of each name, in lower case."""


REGIONS: dict[str, dict[str, str]] = tomllib.loads(
    files(__package__).joinpath("regions.toml").read_text(encoding="utf-8")
)
"""By top-level domain, by language, and by what names a register of one country."""
_CLUES = {region: re.compile(pattern) for region, pattern in REGIONS["clue"].items()}
_ABROAD = re.compile(r"(?<![\w+])\+[1-9][\d ()/.-]{7,18}\d")
_ACCOUNT = re.compile(r"\bIBAN\W{0,3}([A-Z]{2})\d\d")
MOST_NUMBERS = 20


def find_registers(text: str) -> list[str]:
    """The regions that a text belongs to by its bank accounts, its registers and its postcodes."""
    regions = {region for region, pattern in _CLUES.items() if pattern.search(text)}
    regions.update(_ACCOUNT.findall(text))
    return sorted(regions & set(phonenumbers.SUPPORTED_REGIONS))


def find_clues(text: str) -> list[str]:
    """The regions that a text belongs to by its numbers with a plus and by its registers."""
    regions = set(find_registers(text))
    for match in islice(_ABROAD.finditer(text), MOST_NUMBERS):
        with suppress(phonenumbers.NumberParseException):
            number = phonenumbers.parse(match[0])
            regions.add(phonenumbers.region_code_for_number(number) or "")
    return sorted(regions & set(phonenumbers.SUPPORTED_REGIONS))


_CAPITALS = re.compile(r"(?<![\w.])(?:UK|USA|UAE)(?![\w.])")
"""Names so short that they count only in capitals."""


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
    return regions | {COUNTRY_NAMES[name.lower()] for name in _CAPITALS.findall(text)}
