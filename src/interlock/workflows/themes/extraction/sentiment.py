"""Good or bad news, sentence by sentence: a lexicon with directions, negation, concessions and turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from .lexicon import BARE_DIRECTIONS, Lexicon, bundled_lexicon, lower_words
from .text import ABBREVIATION, Word
from .tone_pairs import find_pairs
from .word_lists import word_list

Sentiment = Literal["bullish", "bearish", "neutral"]
NEAR: Final = 6
"""Words. How far back a direction looks for what it is the direction of; forward it looks three words."""
LONGEST_APPOSITION: Final = 3
"""Words."""
FAR: Final = 10
"""Words. How far back it looks for what has a word of its own behind it: the cost of … rises."""
NEGATED_AT: Final = 3
"""Words. How far a negation reaches."""
DECIDED: Final = 0.05
_WELCOME: Final = frozenset(
    {
        "growth",
        "gain",
        "gains",
        "rally",
        "expansion",
        "recovery",
        "momentum",
        "strength",
        "boom",
        "upswing",
        "uptrend",
        "euphoria",
    }
)
_ENDS: Final = frozenset({"end", "ends", "ended", "over", "abates", "abated", "resolved"})
_BORDERS: Final = frozenset(",;:—–().!?")
_SHARES: Final = frozenset({"share", "shares", "stock", "stocks", "adr", "adrs", "ads", "units"})
_ARE: Final = frozenset({"is", "are", "was", "were"})
_HAVE: Final = frozenset({"have", "has", "had", "are", "is", "were", "was", "will", "may", "could", "should"})
_LED_BY: Final = word_list("led_by")
"""Behind these, a bare "up" or "down" is a direction."""
_RATE_SETTERS: Final = word_list("rate_setters")
_HIKES: Final = frozenset({"hike", "hikes"})
_BETTORS: Final = frozenset({"markets", "traders", "swaps", "economists"})
"""Who sees a hike means one of rates."""
_BANK_OF: Final = re.compile(
    r"\bBank of (?:England|Canada|Japan|Korea|Mexico|Israel|Thailand|Russia|Indonesia|Australia|New Zealand)\b|"
    r"\b(?:Reserve|National|Norges|Swiss National) Bank\b|\b(?:Monetary Policy|Open Market) Committee\b"
)
"""Central banks by their names, and those in them who vote."""
_RATE_CUTS: Final = frozenset(
    {"cut", "cuts", "cutting", "lower", "lowers", "lowered", "reduce", "reduced", "reduction"}
)
_RATE_RISES: Final = frozenset(
    {"hike", "hikes", "hiked", "raise", "raises", "raised", "lift", "lifts", "lifted"}
)
_RATE_OBJECTS: Final = word_list("rate_objects")
_PERCENT: Final = re.compile(r"\W*(?:[^\W\d]+\W+){0,4}?[+-]?(\d+(?:[.,]\d+)?)\s?(?:%|percent\b|per cent\b)")
_PERCENT_NEXT: Final = re.compile(
    r" (?:about |nearly |almost |over |another |some )?\d+(?:[.,]\d+)?\s?(?:%|percent\b|per cent\b)"
)
_ABOUT_PERCENT: Final = re.compile(
    r" (?:by )?(?:(?:more than|less than|at least|as much as|about|nearly|almost|over|around|roughly|some|another) )+"
    r"\d+(?:[.,]\d+)?\s?(?:%|percent\b|per cent\b)"
)
_PERCENT_BEFORE: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s?(?:%|percent|per cent)\s+$")
_SUBJECT_BEFORE: Final = re.compile(r"(?:^|[;.:,—–]|\b(?:and|but|while|as|that|when|so))\s*$")
"""Behind these a name is what a clause is about."""
_BACKGROUND: Final = re.compile(
    r"\bafter (?:\w+ ){0,2}(?:years|months|decades|quarters|weeks)\b|\bby contrast\b|\bno (?:hint|indication|clue)\b",
    re.IGNORECASE,
)
"""What follows is of the past, of others, or of nobody, and counts little."""
_GLAD, _SAD = "🚀📈🌕🌙🐂💎🙌🔥💰🤑", "📉🐻💀🩸😭🤡⚰"
_EMOJI_WEIGHT: Final = 0.7
_LONG_SINCE: Final = re.compile(
    r"\s+(?:more than |about |nearly |almost )?(?:[\d.,]+\s?%|a (?:quarter|third|fifth)|half)\s+(?:of (?:its|their) (?:value|worth) )?"
    r"(?:over|this year|so far|since|from (?:its|a|their)|in the (?:past|last)|in (?:a year|(?:two|three|four|five|\d+) years)"
    r"|year[- ]to[- ]date|for the year)\b"
)
"""A rise or fall of months, which is no news."""
_CAUSE: Final = frozenset(
    {"on", "over", "amid", "after", "by", "due", "with", "from", "for", "to", "despite"}
)
"""Behind these is why something rises or falls, not what."""
_REASON: Final = frozenset({"on", "over", "amid", "after", "as", "because", "following"})
"""Behind these is why something moved; where that is good news of a fall, or bad news of a rise, what moved is the news."""
REASON_WEIGHT: Final = 0.3
_DATES: Final = word_list("dates")
"""Behind `on` or `after` these are no reason."""
_TURNS_ITS_CLAUSE: Final = frozenset({"nevertheless", "nonetheless", "however", "anyway", "regardless"})
"""These turn the clause that they stand in, before and behind them: the stock nonetheless fell, the stock fell nonetheless."""
_STOPS: Final = frozenset(";:—–")
LONG_SINCE_WEIGHT: Final = 0.2
SHARES_MOVE: Final = 1.6
"""How much the rise or fall of shares weighs without a figure."""
_GROWS: Final = frozenset(
    {"grow", "grows", "grew", "growing", "grown", "expanded", "increased", "doubled", "tripled"}
)
"""What sales do, and no share price: `Red Hat grew 14%`."""
_EXTREMES: Final = frozenset({"high", "highs", "low", "lows"})
_REACHES: Final = frozenset(
    {
        "hit",
        "hits",
        "hitting",
        "touch",
        "touches",
        "touched",
        "reach",
        "reaches",
        "reached",
        "tops",
        "topped",
        "topping",
    }
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a sentence: where its words begin and end, what is good and bad in it, and how much the sentence makes of that."""

    first: int
    last: int
    good: float
    bad: float
    weight: float = 1.0
    is_reaction: bool = False
    reason: Clause | None = None
    """Its part behind a word of reason, with what is good and bad in that by itself."""

    def without_reason(self) -> Clause:
        """Return the clause without what its reason adds."""
        if self.reason is None:
            return self
        good, bad = max(self.good - self.reason.good, 0.0), max(self.bad - self.reason.bad, 0.0)
        return replace(self, good=good, bad=bad, reason=None)

    def weakened(self, factor: float) -> Clause:
        """Return the clause as one that counts less, and is no reaction of the market to the news."""
        return replace(self, good=self.good * factor, bad=self.bad * factor, is_reaction=False)


@dataclass(frozen=True, slots=True)
class Tone:
    """How much good and how much bad news there is."""

    good: float = 0.0
    bad: float = 0.0
    is_reaction: bool = False
    """Whether a share price rises or falls here by a figure: what the market made of the news."""
    clauses: tuple[Clause, ...] = ()

    def __add__(self, other: Tone) -> Tone:
        return Tone(self.good + other.good, self.bad + other.bad)

    def __mul__(self, factor: float) -> Tone:
        return Tone(self.good * factor, self.bad * factor)

    def reaction(self) -> Tone:
        """Return what of it is the reaction of a share price."""
        if not self.is_reaction:
            return Tone()
        if not any(one.is_reaction for one in self.clauses):
            return Tone(self.good, self.bad)
        good = sum(one.good * one.weight for one in self.clauses if one.is_reaction)
        bad = sum(one.bad * one.weight for one in self.clauses if one.is_reaction)
        return Tone(min(good, self.good), min(bad, self.bad))

    @property
    def balance(self) -> float:
        """From -1, all bad, to 1, all good; near 0 where there is little of either."""
        return (self.good - self.bad) / (self.good + self.bad + 0.75)

    @property
    def sentiment(self) -> Sentiment:
        if abs(self.balance) < DECIDED:
            return "neutral"
        return "bullish" if self.balance > 0 else "bearish"


def measure_tone(
    text: str, words: Sequence[Word], lexicon: Lexicon | None = None, names: Iterable[tuple[int, int]] = ()
) -> Tone:
    """Return the tone of one sentence; the words of names, which begin and end at these places of the text, have none."""
    reading = _Reading(text, words, lexicon or bundled_lexicon())
    reading.leave_out(names)
    return reading.tone()


def sum_tones(tones: Iterable[Tone]) -> Tone:
    """Return all tones together."""
    return sum(tones, Tone())


def _marks_between(text: str, end: int, start: int) -> str:
    """Return what is between two words; the full stop of an abbreviation is no mark."""
    between = text[end:start]
    return " " if between == ". " and ABBREVIATION.search(text[max(0, end - 12) : end + 1]) else between


class _Reading:
    """One sentence while its tone is measured."""

    def __init__(self, text: str, words: Sequence[Word], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.text, self.places = text, words
        self.words = lower_words(words)
        self.clauses = self._number_clauses(text, words, lexicon.border)
        self.used = [False] * len(words)
        self.values = [0.0] * len(words)
        self.own_values = self.values
        """What each word is worth before reasons are weakened."""
        self.reactions: set[int] = set()
        """The clauses in which a share price moves by a figure."""

    @staticmethod
    def _number_clauses(text: str, words: Sequence[Word], border: frozenset[str]) -> list[int]:
        """Number the clauses of the sentence, one number for each word."""
        numbers, clause, last = [], 0, 0
        for word in words:
            if word.raw in border or not _BORDERS.isdisjoint(_marks_between(text, last, word.start)):
                clause += 1
            numbers.append(clause)
            last = word.end
        return numbers

    def leave_out(self, names: Iterable[tuple[int, int]]) -> None:
        """Give the words of names no weight: Rocket Companies do not rocket."""
        spans = list(names)
        for place, word in enumerate(self.places):
            self.used[place] |= any(start <= word.start and word.end <= end for start, end in spans)

    def tone(self) -> Tone:
        self._weigh_pairs()
        self._weigh_phrases()
        for place, word in enumerate(self.words):
            if word in _ENDS and not self.used[place]:
                self._weigh_end(place)
        self._weigh_directions()
        self._weigh_words()
        for place, word in enumerate(self.words):
            if word == "record":
                self._weigh_apposition(place)
        self.own_values = list(self.values)
        for place, word in enumerate(self.words):
            if word in _REASON:
                self._weaken_reason(place)
        weights = self._clause_weights()
        good = bad = 0.0
        for value, weight in zip(self.values, weights, strict=True):
            good, bad = good + max(value * weight, 0.0), bad + max(-value * weight, 0.0)
        glad, sad = (sum(map(self.text.count, many)) for many in (_GLAD, _SAD))
        return Tone(
            good + _EMOJI_WEIGHT * min(glad, 3),
            bad + _EMOJI_WEIGHT * min(sad, 3),
            bool(self.reactions),
            tuple(self._read_clauses(weights)) if good or bad else (),
        )

    def _read_clauses(self, weights: Sequence[float]) -> Iterable[Clause]:
        """Yield the clauses in which anything is good or bad, each with its reasons: `steel rises as quotas are halved` is one."""
        heads = [
            one
            for one in range(len(self.words))
            if one == 0 or (self.clauses[one] != self.clauses[one - 1] and self.words[one] not in _REASON)
        ]
        for first, last in pairwise([*heads, len(self.words)]):
            good, bad = (sum(max(sign * value, 0.0) for value in self.values[first:last]) for sign in (1, -1))
            if good or bad:
                is_reaction = not self.reactions.isdisjoint(self.clauses[first:last])
                yield Clause(
                    first, last, good, bad, weights[last - 1], is_reaction, self._read_reason(first, last)
                )

    def _read_reason(self, first: int, last: int) -> Clause | None:
        """Return the part of a clause behind its word of reason, where anything in it is good or bad."""
        borders = (one for one in range(first + 1, last) if self.clauses[one] != self.clauses[one - 1])
        head = next((one for one in borders if self.words[one] in _REASON), last)
        good, bad = (sum(max(sign * value, 0.0) for value in self.own_values[head:last]) for sign in (1, -1))
        return Clause(head, last, good, bad) if good or bad else None

    def _weigh_pairs(self) -> None:
        """Weigh verbs by their object; what stands between them has no weight of its own."""
        for one in find_pairs(self.words, self.clauses):
            self.values[one.verb] = self._signed(one.verb, one.value)
            self.used[one.first : one.last] = [True] * (one.last - one.first)

    def _weigh_phrases(self) -> None:
        for place, word in enumerate(self.words):
            longest = self.lexicon.longest.get(word, 0)
            for size in range(min(longest, len(self.words) - place), 1, -1):
                weight = self.lexicon.phrases.get(tuple(self.words[place : place + size]))
                if weight is not None and not any(self.used[place : place + size]):
                    if self.words[place + size - 1] in _EXTREMES and self._is_of_unwelcome(place):
                        weight = -weight
                    self.values[place] = (
                        weight if "no" in self.words[place : place + size] else self._signed(place, weight)
                    )
                    self.used[place : place + size] = [True] * size
                    if weight < 0 and (at := self._fades(place + size)) is not None:
                        self.values[place] = self._signed(place, abs(weight))
                        self.used[at] = True
                    break

    def _fades(self, place: int) -> int | None:
        """Return where a bad thing that ends just before this place is said to fall: `price pressures have eased`."""
        if self.words[place - 1] not in self.lexicon.bad_things | self.lexicon.unwelcome:
            return None
        for one in range(place, min(place + 2, len(self.words))):
            if self.clauses[one] == self.clauses[place - 1] and self.words[one] in self.lexicon.down:
                return None if self._is_idle(one) else one
            if self.words[one] not in _HAVE:
                return None
        return None

    def _is_of_unwelcome(self, place: int) -> bool:
        """Whether something unwelcome is what a high or a low is one of: rates near a one-year low."""
        return any(
            self.clauses[one] == self.clauses[place] and not self.used[one] and self._is_unwelcome(one)
            for one in range(max(0, place - NEAR), place)
        )

    def _weigh_directions(self) -> None:
        """Weigh rising and falling by what rises or falls: falling costs are good news."""
        for place, word in enumerate(self.words):
            is_up = word in self.lexicon.up
            if self.used[place] or not (is_up or word in self.lexicon.down) or self._is_idle(place):
                continue
            since = self._since(place)
            near = self._near(place)
            if word in _RATE_CUTS | _RATE_RISES and self._is_of_rates(place, near):
                self.used[place] = True
                self.values[place] = self._signed(place, 0.7 if word in _RATE_CUTS else -0.7)
                continue
            unwelcome = [one for one in near if self._is_unwelcome(one)]
            blurred = [one for one in near if self._is_bad_thing(one) and (one > place or not is_up)]
            if not is_up:
                for one in near:
                    self.used[one] |= self.words[one] in _WELCOME
            if unwelcome or blurred:
                for one in (*unwelcome, *blurred):
                    self.used[one] = True
                value = -1.0 if is_up else 1.0
            else:
                value = 1.0 if is_up else -1.0
            if word in _WELCOME and any(self.words[one] in self.lexicon.down for one in near):
                continue
            self.used[place] = True
            weight = self._reaction(place) if since == 1.0 else since
            self.values[place] = self._signed(place, value * weight)

    def _since(self, place: int) -> float:
        """Return how much a rise or fall counts by when it was: one of months is no news."""
        return LONG_SINCE_WEIGHT if _LONG_SINCE.match(self.text, self.places[place].end) else 1.0

    def _is_of_rates(self, place: int, near: Sequence[int]) -> bool:
        """Whether a cut or a rise is one of a central bank's rates, though none is named: `when the Fed might cut`."""
        setter = any(word in _RATE_SETTERS for word in self.words) or _BANK_OF.search(self.text) is not None
        setter |= self.words[place] in _HIKES and not _BETTORS.isdisjoint(self.words)
        return setter and not any(self.words[one] in _RATE_OBJECTS for one in near)

    def _reaction(self, place: int) -> float:
        """Return how much a rise or fall weighs: the reaction of a share price says most, and the more the larger it is."""
        word = self.places[place]
        share = _PERCENT.match(self.text, word.end) or (
            _PERCENT_BEFORE.search(self.text, 0, word.start) if word.raw in ("higher", "lower") else None
        )
        before = self.places[place - 1] if place else None
        is_company = before is not None and (
            (place > 1 and before.raw[:1].isupper()) or before.raw in ("It", "it")
        )
        first = max(0, place - NEAR)
        is_price = is_company and share is not None and word.raw not in _GROWS and self._is_price_move(place)
        is_share = is_price or any(
            self.words[one] in _SHARES and self.clauses[one] == self.clauses[place]
            for one in range(first, place)
        )
        if share is None:
            return SHARES_MOVE if is_share else 1.0
        if not (is_company or is_share):
            return 1.0
        if is_share:
            self.reactions.add(self.clauses[place])
        size = float(share.group(1).replace(",", "."))
        return min(max(0.5 + size / 8, 0.6), 2.0) * (1.25 if is_share else 1.0)

    def _is_price_move(self, place: int) -> bool:
        """Whether a company's name is what rises or falls here: `Zions dived 13%`, and not `sales at Delta rose 9%`."""
        first = place - 1
        if self.text[self.places[first].end : self.places[place].start] != " ":
            return False
        while first and self.places[first - 1].raw[:1].isupper() and self._is_joined(first):
            first -= 1
        return _SUBJECT_BEFORE.search(self.text, 0, self.places[first].start) is not None

    def _is_joined(self, place: int) -> bool:
        """Whether only a space is between a word and the one before it: they may be one name."""
        return self.text[self.places[place - 1].end : self.places[place].start] == " "

    def _weigh_end(self, place: int) -> None:
        """Weigh the end of something by what ends, which is named shortly before: the end of a slump is good news, of a rally bad."""
        if self.words[place] == "over" and self.clauses[place + 1 : place + 2] == [self.clauses[place]]:
            return  # a preposition: alarm over credit
        for one in range(place - 1, max(-1, place - 4), -1):
            word = self.words[one]
            if self.clauses[one] != self.clauses[place] or self.used[one]:
                continue
            is_bad = word in self.lexicon.negative or self._is_unwelcome(one)
            if is_bad or word in _WELCOME:
                self.values[place] = self._signed(place, 1.0 if is_bad else -1.0)
                self.used[one] = self.used[place] = True
                return

    def _is_unwelcome(self, place: int) -> bool:
        """Whether more of this is bad news; rates and prices are judged by the word before them."""
        word, before = self.words[place], self.words[place - 1] if place else ""
        if word in ("rate", "rates"):
            return before not in self.lexicon.own_rates
        if word in ("price", "prices"):
            return before in self.lexicon.burden_prices
        return word in self.lexicon.unwelcome

    def _is_bad_thing(self, place: int) -> bool:
        return not self.used[place] and self.words[place] in self.lexicon.bad_things

    def _is_idle(self, place: int) -> bool:
        """Whether an "up" or "down" here is no direction: `set up`, not `up 3%`."""
        if self.words[place] not in BARE_DIRECTIONS:
            return False
        after = self.words[place + 1] if place + 1 < len(self.words) else ""
        before = self.words[place - 1] if place else ""
        is_share_of = _ABOUT_PERCENT.match(self.text, self.places[place].end) is not None
        if self.words[place] == "off":
            return not (is_share_of or (after[:1].isdigit() and before in _SHARES | _ARE))
        if self.words[place] == "down" and _PERCENT_BEFORE.search(self.text, 0, self.places[place].start):
            return False
        return not (is_share_of or after[:1].isdigit() or before in _LED_BY)

    def _near(self, place: int) -> list[int]:
        """The places of the same clause that a direction may speak of: six words before it, three behind, up to a word of cause."""
        first, last = max(0, place - NEAR), min(len(self.words), place + 4)
        last = next((one for one in range(place + 1, last) if self.words[one] in _CAUSE), last)
        return [
            one
            for one in range(max(0, place - FAR), last)
            if one != place
            and self.clauses[one] == self.clauses[place]
            and (one >= first or self.words[one + 1] == "of")
        ]

    def _weigh_words(self) -> None:
        for place, word in enumerate(self.words):
            if self.used[place]:
                continue
            if word in _REACHES and any(
                self._is_unwelcome(one) and self.clauses[one] == self.clauses[place]
                for one in range(max(0, place - 3), place)
            ):
                self.values[place] = self._signed(place, -1.0)
            elif word in self.lexicon.positive or self._is_added(place):
                self.values[place] = self._signed(place, self._weight(place))
            elif word in self.lexicon.negative and word not in self.lexicon.negation:
                self.values[place] = self._signed(place, -self._weight(place))
            elif word in self.lexicon.negation & self.lexicon.negative and not self._negates_something(place):
                self.values[place] = -1.0

    def _weigh_apposition(self, place: int) -> None:
        """Let a record in apposition have the sign of the move before it: `distress climbed to 11.7%, a record`."""
        clause = self.clauses[place]
        first = self.clauses.index(clause)
        last = next(
            (one for one in range(place, len(self.words)) if self.clauses[one] != clause), len(self.words)
        )
        if not first or last - first > LONGEST_APPOSITION:
            return
        moved = next((self.values[one] for one in range(first - 1, -1, -1) if self.values[one]), 0.0)
        for one in range(first, last):
            self.values[one] = abs(self.values[one]) * (-1 if moved < 0 else 1)

    def _is_added(self, place: int) -> bool:
        """Whether a price rises by a figure here: `Lynas added 9%`."""
        word = self.places[place]
        return word.raw in ("added", "adds") and _PERCENT_NEXT.match(self.text, word.end) is not None

    def _weight(self, place: int) -> float:
        """Return how much a word counts: one that tells of a price move by its figure, like `lost 17%`, as such."""
        since = self._since(place)
        if since == 1.0 and _PERCENT_NEXT.match(self.text, self.places[place].end):
            return self._reaction(place)
        return since

    def _negates_something(self, place: int) -> bool:
        """Whether the word negates a weighed word behind it, and so is no bad news by itself."""
        behind = self.words[place + 1 : place + 1 + NEGATED_AT]
        weighed = self.lexicon.positive | self.lexicon.negative | self.lexicon.up | self.lexicon.down
        return any(word in weighed for word in behind)

    def _signed(self, place: int, value: float) -> float:
        """Return the value, turned round and weakened where a negation stands shortly before it in the clause."""
        first = max(0, place - NEGATED_AT)
        for one in range(first, place):
            word = self.words[one]
            if self.clauses[one] == self.clauses[place] and (
                word in self.lexicon.negation or word.endswith("n't")
            ):
                if word == "far" and self.words[one + 1 : one + 2] != ["from"]:
                    continue
                return -0.8 * value
        return value

    def _clause_weights(self) -> list[float]:
        """Return a weight for each word: what is conceded counts little, what comes after a turn counts more."""
        weights = [1.0] * len(self.words)
        if behind := _BACKGROUND.search(self.text):
            weights = [0.2 if word.start >= behind.start() else 1.0 for word in self.places]
        for place, word in enumerate(self.words):
            if word in self.lexicon.concession:
                for one in range(place, len(self.words)):
                    if self.clauses[one] != self.clauses[place]:
                        break
                    weights[one] *= 0.3
            elif word in self.lexicon.turn:
                own = self.clauses[place] if word in _TURNS_ITS_CLAUSE else None
                for one in range(len(self.words)):
                    weights[one] *= 1.4 if one > place or self.clauses[one] == own else 0.6
        return weights

    def _weaken_reason(self, place: int) -> None:
        """Let the reason of a move count little where it is of another sign than the move: copper rises after a mine was shut."""
        if any(word in _DATES for word in self.words[place + 1 : place + 2]):
            return
        near = range(place - 1, max(-1, place - NEAR - 3), -1)
        moved, at = next(((self.values[one], one) for one in near if self.values[one]), (0.0, place - 1))
        if any(mark in _STOPS for mark in self.text[self.places[at].end : self.places[place].start]):
            return
        for one in range(place + 1, len(self.words)):
            marks = _marks_between(self.text, self.places[one - 1].end, self.places[one].start)
            if self.words[one] in self.lexicon.turn or (one > place + 1 and not _BORDERS.isdisjoint(marks)):
                return
            if moved * self.values[one] < 0:
                self.values[one] *= REASON_WEIGHT
