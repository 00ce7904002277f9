"""Lists of words that come with the package as data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _lists() -> dict[str, str]:
    data: dict[str, str] = tomllib.loads(
        files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    )
    return data


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of one list."""
    return frozenset(_lists()[name].split())
