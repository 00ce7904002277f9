"""The local extractor: market themes, tickers and sentiment of an English article, without a network, a key or a model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from .canonical import canonical_key
from .lexicon import bundled_lexicon
from .mentions import LONGEST_EXCERPT, MOST_TICKERS, Mention
from .sentiment import Tone, measure_tone, sum_tones
from .signals import add_figures, measure_position
from .taxonomy import Taxonomy, Theme, bundled_taxonomy
from .text import SHORT_ARTICLE, Sentence, Word, shorten, split_article
from .tickers import QUOTED_SECTORS, Sighting, Universe, bundled_universe, find_tickers
from .tone_scope import tone_for_subject, tone_for_theme
from .word_lists import word_list

MOST_THEMES: Final = 6
MOST_KEYPHRASES: Final = 2
TITLE_WEIGHT, LEAD_WEIGHT, BODY_WEIGHT = 2.5, 1.3, 1.0
SECTOR_WEIGHT: Final = 0.7
TITLE_TONE: Final = 2.0
"""How much more the tone of a title counts than that of a sentence."""
REACTION_TONE: Final = 0.8
"""How much the reaction of a share price counts for a theme that is named elsewhere."""
REACTION_WEIGHT: Final = 2.0
"""How much more it counts than other sentences: it is what the market made of all of them."""
ENOUGH, ENOUGH_IN_LEAD = 2.0, 1.6
ENOUGH_IN_NOTE: Final = 1.3
"""A phrase of several words in a short note about a company that has no other theme than its figures."""
ENOUGH_FOR_SECTOR: Final = 2 * SECTOR_WEIGHT
"""A company in the title and again in the lead."""
LEAST_SHARE: Final = 0.16
"""Of the strongest theme's score; weaker themes are left out."""
ENOUGH_BUSINESS: Final = 2
"""Sentences with business words, and half of all, from which on a phrase that the taxonomy does not know may be a theme."""
ENOUGH_ELSEWHERE: Final = 3
"""Different words of sports, kitchens and the like."""
ENOUGH_COMPANIES: Final = 2
"""Companies of one business, from which on an article without any other theme is about that; one in a short article with figures."""
ENOUGH_IN_GROUP: Final = 3
"""Companies of one business, from which on a sentence that lists them is about that."""
FITTING_PIPELINE: Final = 1.25
_FUNCTION_WORDS: Final = word_list("function")
_GENERAL_WORDS: Final = word_list("general")
_BUSINESS_WORDS: Final = word_list("business")
_ELSEWHERE_WORDS: Final = word_list("elsewhere")
_FIGURE: Final = re.compile(
    r"\b(?:[\w-]+-(?:year|month|week|session)|all-time|record|multi-year) (?:lows?|highs?|peaks?)\b|"
    r"\b(?:IBEX|Nikkei|Topix|Kospi|FTSE|DAX|CAC 40|Sensex|Nifty|Stoxx|STOXX|Hang Seng|Bovespa|Russell 2000|Taiex)\b|"
    r"\d\s?%|[$€£¥]\s?\d|\$[A-Za-z]{2,5}\b|\b(?:NYSE|NASDAQ|Nasdaq)\b"
)
_SPEAKS: Final = re.compile(
    r"(?:['’]s [A-Z]\w+)? (?:says?|sees?|tells?|warns?|urges?|recommends?|likes?|prefers?|thinks|favou?rs)\b"
)
"""What a bank whose analysts are quoted does in a title: `Morgan Stanley says rotate`."""
_RATES: Final = re.compile(
    r"(?: (?:downgrades?|upgrades?|downgraded|upgraded|initiates?|reiterates?)\b| on [\w '’&.-]{2,40}:| starts? [\w '’&.-]{2,40} at\b)"
)
"""What only a bank's analysts do in a title: `Jefferies downgrades Chipotle`, `Evercore on managed care: …`."""
_MOVES: Final = re.compile(r" (?:lifts|raises|trims|cuts|lowers|bumps|starts) ")
"""With a company behind it, what a bank's analysts do too: `Piper lifts Shopify`."""


@dataclass
class _Evidence:
    """What an article has about one theme."""

    theme: Theme
    score: float = 0.0
    has_phrase: bool = False
    in_title: bool = False
    in_lead: bool = False
    is_prominent_sector: bool = False
    is_subject: bool = False
    """Whether a company of this business is what the title begins with."""
    sentences: dict[int, float] = field(default_factory=dict)
    places: dict[int, list[int]] = field(default_factory=dict)
    """Where in each sentence its words are."""

    def add(
        self, number: int, sentence: Sentence, weight: float, is_hint: bool, place: int | None = None
    ) -> None:
        self.has_phrase |= not is_hint
        self.in_title |= sentence.is_title and not is_hint
        self.in_lead |= sentence.is_lead and not is_hint
        self.score += weight * self.theme.weight
        self.sentences[number] = self.sentences.get(number, 0.0) + weight
        if place is not None:
            self.places.setdefault(number, []).append(place)

    def is_enough(self, words: int) -> bool:
        """Whether the article is about this theme and does not only touch it."""
        least = SECTOR_WEIGHT if self.is_subject else ENOUGH_FOR_SECTOR
        is_business_of_it = self.is_prominent_sector and self.score >= least
        if not self.has_phrase:
            return is_business_of_it
        if self.in_title or self.score >= ENOUGH or (self.is_subject and is_business_of_it):
            return True
        return self.in_lead and (self.score >= ENOUGH_IN_LEAD * self.theme.weight or words < SHORT_ARTICLE)


class LocalExtractor:
    """Extracts the themes of articles; one object serves any number of threads."""

    def __init__(self, universe: Universe | None = None, taxonomy: Taxonomy | None = None) -> None:
        self.universe = universe or bundled_universe()
        self.taxonomy = taxonomy or bundled_taxonomy()
        self.lexicon = bundled_lexicon()

    def extract(self, title: str, content: str, pipeline: str | None = None) -> list[Mention]:
        """Return the mentions of an article, the strongest first."""
        sentences = split_article(title, content)
        sightings = [find_tickers(one.text, self.universe, is_title=one.is_title) for one in sentences]
        if sentences and sentences[0].is_title:
            sightings[0] = self._without_sources(sentences, sightings)
        is_about_markets = _is_about_markets(sentences)
        if not any(sightings) and not is_about_markets:
            return []
        tones = [
            add_figures(
                measure_tone(one.text, one.words, self.lexicon, [(at.start, at.end) for at in some]), one.text
            )
            for one, some in zip(sentences, sightings, strict=True)
        ]
        symbols = [list(dict.fromkeys(one.symbol for one in some)) for some in sightings]
        subject = next((one.symbol for one in sightings[0] if one.start <= 1 and sentences[0].is_title), None)
        if sentences[0].is_title and len(symbols[0]) == 1:
            tones = [
                tone_for_subject(tone, sentence, some, symbols[0][0])
                for tone, sentence, some in zip(tones, sentences, sightings, strict=True)
            ]
        positions = [measure_position(one.text) for one in sentences]
        evidence = self._collect(sentences, symbols, subject, pipeline, is_about_markets)
        owners = _assign_tickers(evidence, sentences, symbols)
        return [
            Mention(
                one.theme.label,
                one.theme.key,
                tuple(owners[place])[:MOST_TICKERS],
                _tone_of(one, sentences, tones, positions).sentiment,
                round(min(0.97, 1 - 0.75 * math.exp(-one.score / 4)), 2),
                shorten(sentences[_best_sentence(one, sentences)].text, LONGEST_EXCERPT),
            )
            for place, one in enumerate(evidence)
        ]

    def _without_sources(
        self, sentences: Sequence[Sentence], sightings: Sequence[list[Sighting]]
    ) -> list[Sighting]:
        """Return the companies of the title without banks that only speak there, and of which the text names nothing but their analysts."""
        title, body = sentences[0].text, sentences[1:]
        acting = {one.symbol for some in sightings[1:] for one in some}
        starts = {one.start for one in sightings[0]}
        return [
            one
            for one in sightings[0]
            if one.symbol in acting
            or self.universe.sectors.get(one.symbol) not in QUOTED_SECTORS
            or not (
                _RATES.match(title, one.end)
                or ((moves := _MOVES.match(title, one.end)) is not None and moves.end() in starts)
                or (
                    _SPEAKS.match(title, one.end)
                    and any(title[one.start : one.end] in sentence.text for sentence in body)
                )
            )
        ]

    def _collect(
        self,
        sentences: Sequence[Sentence],
        symbols: Sequence[list[str]],
        subject: str | None,
        pipeline: str | None,
        is_about_markets: bool,
    ) -> list[_Evidence]:
        """Return the themes that the article is about, the strongest first; keyphrases come last. Of an article that is not about markets
        only themes that its title names."""
        by_key: dict[str, _Evidence] = {}
        covered: set[str] = set()
        for number, sentence in enumerate(sentences):
            place = _place_weight(sentence)
            for match in self.taxonomy.matches(sentence.words):
                theme = match.entry.theme
                fits = FITTING_PIPELINE if pipeline and theme.pipeline == pipeline else 1.0
                evidence = by_key.setdefault(theme.key, _Evidence(theme))
                weight = match.entry.weight * place * fits
                evidence.add(number, sentence, weight, match.entry.is_hint, match.first)
                if not match.entry.is_hint:
                    covered.update(word.form for word in sentence.words[match.first : match.last])
            for theme in self.taxonomy.headlines(sentence.text) if sentence.is_title else ():
                evidence = by_key.setdefault(theme.key, _Evidence(theme))
                if not evidence.in_title:
                    evidence.add(number, sentence, place, is_hint=False)
        self._add_sectors(by_key, sentences, symbols)
        self._add_groups(by_key, sentences, symbols)
        if (key := self._business_of_title(symbols[0], subject)) is not None:
            by_key[key].is_subject = True
        prominent = {key for key, one in by_key.items() if one.in_title or one.in_lead}
        by_key = {key: one for key, one in by_key.items() if not one.theme.unless & prominent}
        words = sum(len(one.words) for one in sentences)
        enough = sorted((one for one in by_key.values() if one.is_enough(words)), key=lambda one: -one.score)
        if words < SHORT_ARTICLE and any(symbols) and not any(one.theme.weight >= 1 for one in enough):
            named = [
                one
                for one in by_key.values()
                if one.has_phrase and one.theme.weight >= 1 and one.score >= ENOUGH_IN_NOTE
            ]
            enough += sorted(named, key=lambda one: -one.score)[:1]
            enough.sort(key=lambda one: -one.score)
        phrased = max((one.score for one in enough if one.has_phrase and one.theme.weight >= 1), default=0.0)
        kept = [
            one
            for one in enough
            if (one.in_title or one.score >= LEAST_SHARE * enough[0].score)
            and (one.has_phrase or one.is_subject or one.score > phrased)
        ][:MOST_THEMES]
        if kept or not is_about_markets:
            return [one for one in kept if one.in_title or is_about_markets]
        is_business = sum(map(_is_business, sentences)) >= max(ENOUGH_BUSINESS, len(sentences) / 2)
        is_note = words < SHORT_ARTICLE and any(_FIGURE.search(one.text) for one in sentences)
        phrases = _keyphrases(sentences, covered, MOST_KEYPHRASES if is_business else 0)
        return (
            phrases
            or [one for one in by_key.values() if one.is_prominent_sector][:1]
            or self._shared_business(symbols, 1 if is_note else ENOUGH_COMPANIES)
        )

    def _business_of_title(self, symbols: Sequence[str], subject: str | None) -> str | None:
        """Return the theme of the business that companies of the title share, or of the one that it begins with."""
        if subject is None:
            return None
        sectors = self.universe.sectors
        shared = Counter(sectors[one] for one in symbols if one in sectors).most_common(1)
        return shared[0][0] if shared and shared[0][1] >= ENOUGH_COMPANIES else sectors.get(subject)

    def _shared_business(self, symbols: Sequence[list[str]], least: int) -> list[_Evidence]:
        """Return the theme of the business that most companies of the article share, where at least so many do."""
        places: dict[str, dict[str, int]] = {}
        for number, many in enumerate(symbols):
            for symbol in many:
                if (key := self.universe.sectors.get(symbol)) is not None:
                    places.setdefault(key, {}).setdefault(symbol, number)
        key = max(places, key=lambda one: len(places[one]), default="")
        if len(places.get(key, ())) < least:
            return []
        theme = next(one for one in self.taxonomy.themes if one.key == key)
        numbers = sorted(set(places[key].values()))
        return [
            _Evidence(theme, SECTOR_WEIGHT * len(numbers), sentences=dict.fromkeys(numbers, SECTOR_WEIGHT))
        ]

    def _add_sectors(
        self, by_key: dict[str, _Evidence], sentences: Sequence[Sentence], symbols: Sequence[list[str]]
    ) -> None:
        """Count a company in the title or the lead as a hint at the theme of its business."""
        themes = {theme.key: theme for theme in self.taxonomy.themes}
        for number, sentence in enumerate(sentences):
            if not (sentence.is_title or sentence.is_lead):
                continue
            for key in {
                self.universe.sectors[one] for one in symbols[number] if one in self.universe.sectors
            }:
                evidence = by_key.setdefault(key, _Evidence(themes[key]))
                evidence.add(number, sentence, SECTOR_WEIGHT, is_hint=True)
                evidence.is_prominent_sector |= sentence.is_title

    def _add_groups(
        self, by_key: dict[str, _Evidence], sentences: Sequence[Sentence], symbols: Sequence[list[str]]
    ) -> None:
        """Count a sentence that names several companies of one business, and hardly any others, as one about that business."""
        themes = {theme.key: theme for theme in self.taxonomy.themes}
        for number, sentence in enumerate(sentences):
            counts = Counter(self.universe.sectors.get(one, "") for one in symbols[number])
            for key, count in counts.most_common(1):
                if key and count >= ENOUGH_IN_GROUP and 2 * count > len(symbols[number]):
                    by_key.setdefault(key, _Evidence(themes[key])).add(
                        number, sentence, ENOUGH, is_hint=False
                    )


def _is_business(sentence: Sentence) -> bool:
    """Whether a sentence has a word or a figure of the business pages."""
    return bool(_FIGURE.search(sentence.text)) or any(word.form in _BUSINESS_WORDS for word in sentence.words)


def _is_about_markets(sentences: Sequence[Sentence]) -> bool:
    """Whether an article that names no company may be about markets: not one without a business word, nor one of sports or kitchens."""
    if not any(_is_business(one) for one in sentences):
        return False
    elsewhere = {word.raw.casefold() for one in sentences for word in one.words} & _ELSEWHERE_WORDS
    return len(elsewhere) < ENOUGH_ELSEWHERE or any(_FIGURE.search(one.text) for one in sentences)


def _place_weight(sentence: Sentence) -> float:
    return TITLE_WEIGHT if sentence.is_title else LEAD_WEIGHT if sentence.is_lead else BODY_WEIGHT


def _keyphrases(sentences: Sequence[Sentence], covered: set[str], most: int) -> list[_Evidence]:
    """Return phrases that the taxonomy does not know and the article repeats: three times, or twice with the title."""
    if not most:
        return []
    counts: Counter[tuple[str, ...]] = Counter()
    places: dict[tuple[str, ...], dict[int, str]] = {}
    for number, sentence in enumerate(sentences):
        for words in _phrases_of(sentence):
            forms = tuple(word.form for word in words)
            counts[forms] += 1
            text = sentence.text[words[0].start : words[-1].end]
            places.setdefault(forms, {}).setdefault(number, text)
    chosen: list[_Evidence] = []
    used: set[str] = set()
    for forms, count in sorted(counts.items(), key=lambda one: (-one[1] * len(one[0]), one[0])):
        in_title = sentences[0].is_title and 0 in places[forms]
        if count < (2 if in_title else 3) or used & set(forms) or covered & set(forms):
            continue
        label = places[forms][max(places[forms])].lower().capitalize()
        evidence = _Evidence(Theme(canonical_key(label), label))
        for number in places[forms]:
            evidence.add(number, sentences[number], 0.5 * _place_weight(sentences[number]), is_hint=False)
        chosen.append(evidence)
        used.update(forms)
        if len(chosen) == most:
            break
    return chosen


def _phrases_of(sentence: Sentence) -> Iterable[tuple[Word, ...]]:
    """Return the runs of two and three content words with only a space or a hyphen between them."""
    for size in (3, 2):
        for first in range(len(sentence.words) - size + 1):
            words = sentence.words[first : first + size]
            if all(_is_content(word, sentence) for word in words) and all(
                sentence.text[left.end : right.start] in (" ", "-") for left, right in pairwise(words)
            ):
                yield words


def _is_content(word: Word, sentence: Sentence) -> bool:
    """Whether a word may be part of a theme: no function word, no everyday word of the business pages, no name, no number."""
    raw = word.raw
    if len(raw) < 3 or not raw.isalpha() or (raw[0].isupper() and not sentence.is_title and word.start > 0):
        return False
    lexicon = bundled_lexicon()
    lower = raw.casefold()
    return not (
        lower in _FUNCTION_WORDS
        or word.form in _FUNCTION_WORDS
        or word.form in _GENERAL_WORDS
        or lower in lexicon.up | lexicon.down | lexicon.positive | lexicon.negative
        or lower.endswith("ly")
    )


def _assign_tickers(
    evidence: Sequence[_Evidence], sentences: Sequence[Sentence], symbols: Sequence[list[str]]
) -> list[list[str]]:
    """Return the tickers of each theme: those named in a sentence with it; one that is near none belongs to the first theme."""
    owners: list[dict[str, None]] = [{} for _ in evidence]
    everything = dict.fromkeys(symbol for many in symbols for symbol in many)
    if not evidence:
        return []
    for owner, one in zip(owners, evidence, strict=True):
        for number in sorted(one.sentences):
            owner.update(dict.fromkeys(symbols[number]))
            is_followed = number + 1 < len(sentences) and not sentences[number].is_title
            if is_followed and not symbols[number]:
                owner.update(dict.fromkeys(symbols[number + 1]))
    owned = {symbol for owner in owners for symbol in owner}
    owners[0].update({symbol: None for symbol in everything if symbol not in owned})
    return [list(owner) for owner in owners]


def _tone_of(
    one: _Evidence, sentences: Sequence[Sentence], tones: Sequence[Tone], positions: Sequence[Tone]
) -> Tone:
    """Return the tone of what is near the theme; the rest of the article counts a little, its title more."""
    parts = [Tone(max(one.theme.mood, 0.0), max(-one.theme.mood, 0.0))]
    scoped = [tone_for_theme(tone, one.places.get(number, ())) for number, tone in enumerate(tones)]
    for number, tone in enumerate(scoped):
        near = 1.0 if number in one.sentences else 0.6 if number - 1 in one.sentences else 0.3
        place = TITLE_TONE if sentences[number].is_title else 1.0
        parts.append(tone * (near * place))
        parts.append(tone.reaction() * ((max(near, REACTION_TONE) * REACTION_WEIGHT - near) * place))
    return sum_tones([*parts, *positions])


def _best_sentence(one: _Evidence, sentences: Sequence[Sentence]) -> int:
    """Return the number of the sentence that says most of the theme; the title only where there is no other."""
    numbers = [number for number in one.sentences if not sentences[number].is_title] or list(one.sentences)
    return max(numbers, key=lambda number: (one.sentences[number], -number))
