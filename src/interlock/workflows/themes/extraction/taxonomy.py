"""The market themes that the local extractor knows, and where their words are in a sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .canonical import canonical_key
from .text import Word, split_words
from .word_lists import word_list

HINT_WEIGHT = 0.5
_DATES = word_list("dates")


@dataclass(frozen=True)
class Theme:
    """One theme of the taxonomy."""

    key: str
    label: str
    weight: float = 1.0
    pipeline: str | None = None
    mood: float = 0.0
    """What the theme means by itself, as the weight of a word of tone: buybacks are good news, layoffs bad."""
    unless: frozenset[str] = frozenset()
    """Keys of themes beside which the words of this one mean something else: miners beside bitcoin dig for no ore."""
    titles: tuple[re.Pattern[str], ...] = ()
    """What headlines about this theme look like, where its words are not side by side: "A to buy B for $3 billion"."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One phrase of a theme: its words in the form for matching; `raw` keeps capitals where they are needed."""

    forms: tuple[str, ...]
    theme: Theme
    weight: float
    is_hint: bool
    needs_capital: bool
    is_acronym: bool = False
    """Whether it is one word in capitals: a chip is an ASIC, Asics makes shoes."""
    needs_plural: bool = False
    """Whether its first word is "stocks": stocks rise in a rally, the stock of a company rises alone."""


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase of a theme in a sentence, from the first word to behind the last."""

    entry: Entry
    first: int
    last: int


@dataclass(frozen=True)
class Taxonomy:
    """All themes, with an index from the first word of each phrase."""

    themes: tuple[Theme, ...]
    by_first: dict[str, tuple[Entry, ...]]
    ignored: dict[str, tuple[tuple[str, ...], ...]]
    clusters: dict[str, str]
    """The key of a phrase to the key of its theme."""

    def headlines(self, title: str) -> list[Theme]:
        """Return the themes of which a title is a typical headline."""
        forms = {title, title[:1].lower() + title[1:], *((title.lower(),) if title.isupper() else ())}
        return [
            theme for theme in self.themes if any(one.search(form) for one in theme.titles for form in forms)
        ]

    def matches(self, words: Sequence[Word]) -> list[Match]:
        """Return the phrases in a sentence; of one theme, a phrase within a longer one is left out."""
        blocked = self._blocked(words)
        reach: dict[str, int] = {}
        matches = []
        for place, word in enumerate(words):
            for entry in self.by_first.get(word.form, ()):
                last = place + len(entry.forms)
                if blocked[place] or reach.get(entry.theme.key, 0) > place or not _fits(entry, words, place):
                    continue
                reach[entry.theme.key] = last
                matches.append(Match(entry, place, last))
        return matches

    def _blocked(self, words: Sequence[Word]) -> list[bool]:
        blocked = [False] * len(words)
        for place, word in enumerate(words):
            for forms in self.ignored.get(word.form, ()):
                if _is_at(forms, words, place):
                    blocked[place : place + len(forms)] = [True] * len(forms)
        return blocked


def _is_at(forms: tuple[str, ...], words: Sequence[Word], place: int) -> bool:
    """Whether an ignored phrase is here; one that ends with "on" is none before a date: a strike on Thursday is no strike on somebody."""
    last = place + len(forms)
    if tuple(one.form for one in words[place:last]) != forms:
        return False
    return forms[-1] != "on" or last == len(words) or words[last].raw.casefold() not in _DATES


def _fits(entry: Entry, words: Sequence[Word], place: int) -> bool:
    size = len(entry.forms)
    if place + size > len(words) or any(
        words[place + step].form != entry.forms[step] for step in range(1, size)
    ):
        return False
    raw = words[place].raw
    if entry.needs_plural and not raw.endswith("s"):
        return False
    if entry.is_acronym and raw[:1].isupper() and raw[1:].islower():
        return False
    return not entry.needs_capital or raw[:1].isupper() or raw[:1].isdigit()


@cache
def bundled_taxonomy() -> Taxonomy:
    """Return the taxonomy that comes with the package."""
    data = tomllib.loads(files(__package__).joinpath("taxonomy.toml").read_text(encoding="utf-8"))
    themes, entries = [], []
    clusters: dict[str, str] = {}
    for one in data["theme"]:
        theme = Theme(
            canonical_key(one["label"]),
            one["label"],
            one.get("weight", 1.0),
            one.get("pipeline"),
            float(one.get("mood", 0.0)),
            frozenset(canonical_key(label) for label in one.get("unless", ())),
            tuple(re.compile(pattern) for pattern in one.get("titles", ())),
        )
        themes.append(theme)
        entries += _entries(theme, one)
        for phrase in one["phrases"]:
            clusters.setdefault(canonical_key(phrase), theme.key)
    clusters |= {theme.key: theme.key for theme in themes}
    index: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda one: (-len(one.forms), one.is_hint)):
        index.setdefault(entry.forms[0], []).append(entry)
    ignored: dict[str, list[tuple[str, ...]]] = {}
    for phrase in data["ignored"]:
        forms = _forms(phrase)
        ignored.setdefault(forms[0], []).append(forms)
    return Taxonomy(
        tuple(themes),
        {first: tuple(many) for first, many in index.items()},
        {first: tuple(many) for first, many in ignored.items()},
        clusters,
    )


def _entries(theme: Theme, data: dict[str, Any]) -> list[Entry]:
    entries = []
    for phrase in (*data["phrases"], *data.get("hints", ())):
        forms = _forms(phrase)
        is_hint = phrase not in data["phrases"]
        weight = HINT_WEIGHT if is_hint else 1.3 if len(forms) > 1 else 1.0
        is_word = len(forms) == 1
        entries.append(
            Entry(
                forms,
                theme,
                weight,
                is_hint,
                needs_capital=is_word and phrase[0].isupper(),
                is_acronym=is_word and phrase.isupper(),
                needs_plural=phrase.startswith("stocks "),
            )
        )
    return entries


def _forms(phrase: str) -> tuple[str, ...]:
    return tuple(word.form for word in split_words(phrase))
