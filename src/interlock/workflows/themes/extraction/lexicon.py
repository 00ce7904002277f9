"""The words and phrases by which a sentence about markets is good or bad news."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from .text import Word, split_words

BARE_DIRECTIONS: Final = frozenset({"up", "down", "off"})


@dataclass(frozen=True)
class Lexicon:
    """Words and phrases with what they mean."""

    positive: frozenset[str]
    negative: frozenset[str]
    up: frozenset[str]
    down: frozenset[str]
    unwelcome: frozenset[str]
    bad_things: frozenset[str]
    """Of these bad words, less is good news: fears fade, but a painful fall is no good news."""
    negation: frozenset[str]
    concession: frozenset[str]
    turn: frozenset[str]
    own_rates: frozenset[str]
    burden_prices: frozenset[str]
    border: frozenset[str]
    phrases: Mapping[tuple[str, ...], float]
    longest: Mapping[str, int]
    """How many words the longest phrase has that begins with a word."""


@cache
def bundled_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    data = tomllib.loads(files(__package__).joinpath("sentiment.toml").read_text(encoding="utf-8"))
    phrases = data.pop("phrases")
    words = {name: frozenset(value.split()) for name, value in data.items()}
    for name in ("up", "down"):
        words[name] |= {form for verb in words[name] - BARE_DIRECTIONS for form in _inflect(verb)} - words[
            "keep"
        ]
    del words["keep"]
    by_words = {tuple(lower_words(split_words(phrase))): float(weight) for phrase, weight in phrases.items()}
    longest: dict[str, int] = {}
    for first, *rest in by_words:
        longest[first] = max(longest.get(first, 0), 1 + len(rest))
    return Lexicon(phrases=by_words, longest=longest, **words)


def _inflect(verb: str) -> Iterable[str]:
    """Yield the regular forms of a verb; of an irregular one, or of a form, what comes out is no word and does no harm."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    if verb.endswith("e"):
        return (f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return (f"{verb}es", f"{verb}ed", f"{verb}ing")
    return (f"{verb}s", f"{verb}ed", f"{verb}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing")


def lower_words(words: Sequence[Word]) -> list[str]:
    """Return the words as the lexicon has them."""
    return [word.raw.casefold().replace("’", "'") for word in words]
