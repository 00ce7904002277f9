"""Whose news it is: of a sentence with several clauses, what counts for one company and for one theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .sentiment import Clause, Tone
from .text import Sentence
from .tickers import Sighting

OTHERS: Final = 0.5
"""How much a clause about another company counts where the title names one."""
ELSEWHERE: Final = 0.4
"""How much another clause of a sentence counts that says the contrary of the theme's own."""


def tone_for_subject(tone: Tone, sentence: Sentence, sightings: Sequence[Sighting], subject: str) -> Tone:
    """Return the tone of a sentence for an article about one company: clauses about other companies count less, also those that only
    go on about the company named before them."""
    clauses = [
        one if _is_about(one, sentence, sightings, subject) else one.weakened(OTHERS) for one in tone.clauses
    ]
    if clauses == list(tone.clauses):
        return tone
    changes = list(zip(tone.clauses, clauses, strict=True))
    good = sum((old.good - new.good) * old.weight for old, new in changes)
    bad = sum((old.bad - new.bad) * old.weight for old, new in changes)
    is_reaction = any(one.is_reaction for one in clauses)
    return Tone(max(tone.good - good, 0.0), max(tone.bad - bad, 0.0), is_reaction, tuple(clauses))


def _is_about(clause: Clause, sentence: Sentence, sightings: Sequence[Sighting], subject: str) -> bool:
    """Whether a clause names this company, or no other one in it or before it."""
    start, end = sentence.words[clause.first].start, sentence.words[clause.last - 1].end
    named = [one.symbol for one in sightings if start <= one.start < end]
    before = [one.symbol for one in sightings if one.start < start][-1:]
    return subject in (named or before or [subject])


def tone_for_theme(tone: Tone, places: Sequence[int]) -> Tone:
    """Return the tone of a sentence for a theme whose words are at these places: where their own clause has a tone, what other clauses
    say to the contrary is about something else and counts little. A theme that is named only as the reason has the tone of that."""
    own, others = [], []
    for one in tone.clauses:
        mine = [at for at in places if one.first <= at < one.last]
        if mine and one.reason is not None and min(mine) >= one.reason.first:
            own.append(one.reason)
            others.append(one.without_reason())
        else:
            (own if mine else others).append(one)
    sign = sum(one.good - one.bad for one in own)
    if not any((one.good - one.bad) * sign < 0 for one in others):
        return tone
    good = sum(one.good for one in own) + ELSEWHERE * sum(one.good for one in others)
    bad = sum(one.bad for one in own) + ELSEWHERE * sum(one.bad for one in others)
    return Tone(good, bad, tone.is_reaction)
