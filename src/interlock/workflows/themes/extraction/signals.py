"""What a text says outright: the position that its writer takes, a figure beside the one that was expected, a change with its sign."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from .sentiment import Tone

POSITION_WEIGHT: Final = 3.0
"""A writer who buys or sells decides more than the words of an article that argues both ways."""
SURPRISE_WEIGHT: Final = 1.0
FEARED_WEIGHT: Final = 2.5
"""Also makes up for the word of fear itself."""
ASKED: Final = 0.4
"""How much of the tone of a statement a question has."""
CALM_WEIGHT: Final = 2.0
CALMED: Final = 0.3
"""Where nothing changes, the two: what both sides of the balance get, and how much is left of other words."""
MOST_SIGNED: Final = 3
"""Changes with a sign that count in one sentence."""

_WRITER: Final = (
    r"\b(?:[Ii]|[Ww]e)(?:['’]?(?:d|ve|ll|re|m))?(?: (?:would|will|have|had|am|are|was|were|just|also|still|rather|only|recently|gladly|"
    r"happily|already|both|now|slowly|bought|remain|stay|keep))* "
)
_REFUSES: Final = (
    r"\b(?:[Ii]|[Ww]e)(?:(?: would|['’]d| will|['’]ll) (?:not|never)| (?:wouldn|won)['’]t) (?:\w+ )?"
)
_OBJECT: Final = r"\b(?! (?:any|none|nothing|no|neither|out|off|back|in your|it was|to|that|the idea)\b)"
_STAYS: Final = r"\b(?:[Ss]tay|[Ss]taying|[Rr]emains?|[Gg]o|[Gg]oing|[Gg]et|[Kk]eep|modest) "
_RATES: Final = r" (?:[\w&.'’]+ ){0,5}to (?:an? )?['\"“‘]?"
_GLAD: Final = tuple(
    re.compile(pattern)
    for pattern in (
        _WRITER
        + r"(?:buy|bought|buying|own|hold|holding|add|added|adding|accumulate|accumulated|accumulating|prefer|long|overweight|"
        r"upgrade|upgraded|bullish|believers?|averaging down|loading up)" + _OBJECT,
        _REFUSES + r"(?:sell|short|bet against|trim)\b",
        r"\b[Uu]pgrad(?:e|es|ed|ing)\b" + _RATES + r"(?:strong buy|buy|overweight|outperform)\b",
        r"\b(?:[Rr]aised|[Ll]ifted|[Mm]oved)\b (?:[\w&.'’]+ ){0,5}to an? ['\"“‘]?(?:strong buy|buy|overweight|outperform)\b",
        _STAYS + r"(?:long|overweight|bullish)\b",
        r"\b(?:is|are|remains?|stays?) (?:both |still |now )?(?:an? )?(?:strong )?buys?\b(?! (?:one|back|in|it|a|the)\b)",
        r"\bI like (?:the|this|that) (?:stock|shares|name|setup|company)\b|\bI(?:['’]ve| have)? (?:bought .{0,25} back|rebought)\b",
        r"\bbuying opportunit|\b(?:our|my) (?:top |favou?rite |best )?(?:pick|idea)\b",
        r"\b[Bb]uy the dip\b|\btoo cheap to ignore\b|\bthe cheapest ticket\b|\b(?<!not )(?:[Bb]ullish|[Cc]onstructive) on\b",
        r"^(?:Positions?|Disclosure|Disc): (?!.*\b(?:puts|short|none|no position)\b).*\b(?:shares|long|calls?|\d+c)\b",
    )
)
_SAD: Final = tuple(
    re.compile(pattern)
    for pattern in (
        _WRITER
        + r"(?:sold|sell|selling|short|shorted|shorting|trimmed|trim|trimming|exit|exited|avoid|avoiding|underweight|bearish|"
        r"downgrade|downgraded|sceptical|skeptical|wait|fading)" + _OBJECT,
        _REFUSES + r"(?:buy|chase|own|touch|add|hold|trust)\b|\bnor would (?:I|we) (?:own|buy|touch)\b",
        r"\bI (?:do not|don['’]t) (?:trust|like|believe|buy) (?:it|this|them|these|that)\b",
        r"\b[Dd]owngrad(?:e|es|ed|ing)\b"
        + _RATES
        + r"(?:strong sell|sell|underweight|underperform|reduce|hold|neutral)\b",
        _STAYS + r"(?:short|underweight|bearish)\b",
        r"\b(?:I|[Ww]e)(?:['’](?:m|re)| am| are) (?:still |now |all )?out of\b|^Not (?:touching|buying|chasing)\b",
        r"\b(?:I|[Ww]e)(?:['’](?:m|re)| am| are) (?:still )?not (?:touching|tempted|buying|chasing|interested|a buyer|buyers)\b",
        r"\b(?:[Ss]tay(?:ing)? away from|[Ss]teer clear of|[Ww]rong (?:moment|time) to|great \w+, wrong (?:moment|time|price))\b",
        r"\b(?:expect worse|see no bottom|no bottom in sight|dead money|value trap)\b|\b(?<![Nn]ot )[Bb]earish on\b",
        r"^(?:Positions?|Disclosure|Disc): .*\b(?:puts|short)\b",
    )
)
_ONCE: Final = re.compile(r"\b(?:I told you|I used to|[Bb]ack when|I wrote|I said)\b")
"""Behind these is what the writer thought before."""
_OTHER_SIGN: Final = re.compile(
    r"\b(?:prices?|inflation|claims|jobless|unemployment|costs?|supply|supplies|crop|harvest|inventories|stockpiles|deficit|"
    r"loss(?:es)?|layoffs)\b",
    re.IGNORECASE,
)
"""Words of which more is not simply good news."""
_EXPECTED: Final = (
    r"(?: (?:what|the|an?|its|their|most|all|some|earlier|previous|average))*(?: [\w$€£¥.,%-]+){0,5}? "
    r"(?:(?:that |which )?(?:the )?(?:analysts|economists|Street|Wall Street|investors|markets?|bankers|most)\b"
    r"|consensus\b|expected\b|forecasts?\b|estimate[sd]\b|pencill?ed\b)"
)
_ABOVE: Final = re.compile(
    r"\b(?:above|ahead of|topping|beating|exceeding|better than|more than)" + _EXPECTED
)
_BELOW: Final = re.compile(
    r"\b(?:below|under|short of|shy of|missing|trailing|less than|worse than)" + _EXPECTED
)
_PREMIUM: Final = re.compile(
    r"\bpremium of (?:about |roughly |nearly |some )?\d+(?:\.\d+)?%|"
    r"\b\d+(?:\.\d+)?% (?:premium|(?:over|above) (?:the|its) (?:undisturbed|closing|last|unaffected))"
)
_FEAR: Final = r"(?:feared|dreaded)\b"
_LESS: Final = (
    r"\b(?:less|fewer|milder|smaller|narrower|shallower|softer|lower|lighter|better|cheaper|gentler|shorter|weaker|slower|cooler|"
    r"not as \w+) "
    r"(?:[\w'’$€.,%-]+ ){0,6}?(?:than|as) (?:[\w'’]+ ){0,5}?"
)
_MORE: Final = (
    r"\b(?:more|worse|larger|bigger|deeper|wider|greater|steeper|higher|sharper|longer|costlier) "
    r"(?:[\w'’$€.,%-]+ ){0,6}?than (?:[\w'’]+ ){0,5}?"
)
_LESS_FEARED: Final = re.compile(_LESS + _FEAR, re.IGNORECASE)
_MORE_FEARED: Final = re.compile(_MORE + _FEAR, re.IGNORECASE)
_HARM: Final = (
    r"\b(?:hurt|hurts|hit|loss|losses|damage|impact|cost|costs|pain|toll|writedowns?|layoffs|default\w*|provisions)\b "
    r"(?:[\w'’$€.,%-]+ ){0,5}?"
)
_THOUGHT: Final = r"(?:thought|expected|anticipated|forecast|predicted|estimated|planned)\b"
_LESS_HARM: Final = re.compile(_HARM + _LESS.removeprefix(r"\b") + _THOUGHT, re.IGNORECASE)
_CALM: Final = re.compile(
    r"\b(?:unchanged|sideways|mixed|range-?bound|little (?:changed|moved)|barely (?:moved|changed)|moved little|tread(?:s|ing)? water|"
    r"stands? pat|in line with|(?:exactly )?as (?:widely |\w+ )?(?:expected|forecast)|routine|unaffected|"
    r"matched (?:the |\w+ )?(?:estimate|forecast|expectation|flash)s?|no details|declined to comment|no decision has|at an early stage|"
    r"(?:reaffirm|confirm|reiterat|maintain)(?:s|ed|es|ing) (?:its |the |\w+ )?(?:guidance|outlook|forecasts?|targets?)|"
    r"where it (?:began|started)|stuck between|on the sidelines|wait and see|nothing to see|nothing happened|(?:is|was) flat|"
    r"to publish|comment period|annual meeting|slightly (?:up|down|higher|lower) .{0,30}slightly (?:up|down|higher|lower))\b",
    re.IGNORECASE,
)
"""A sentence in which nothing much happens."""
_MONEY: Final = r"[$€£¥]\s?(\d+(?:,\d{3})*(?:\.\d+)?)(?: ?(million|billion|trillion|m|bn|mn)\b)?"
_TWO_LOSSES: Final = re.compile(
    r"\bloss(?:es)? (?:\w+ ){0,3}?" + _MONEY + r"(?: (?:a|per) share)?[^.;$€£¥]{0,30}?\b"
    r"(?:against|compared (?:with|to)|versus|vs\.?|from)\b[^.;$€£¥]{0,40}?" + _MONEY,
    re.IGNORECASE,
)
"""A loss beside the one of a year before."""
_SCALE: Final = {"million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
_SIGNED: Final = re.compile(r"(?<![\w.%])([+−–-])\s?(\d+(?:\.\d+)?)\s?%")


def measure_position(text: str) -> Tone:
    """Return the tone of the positions that the writer himself takes in a sentence; what somebody is quoted with is none, nor is a question
    or what he once wrote."""
    if _ONCE.search(text) or text.rstrip().endswith("?"):
        return Tone()
    return Tone(POSITION_WEIGHT * _is_taken(_GLAD, text), POSITION_WEIGHT * _is_taken(_SAD, text))


def _is_taken(positions: Iterable[re.Pattern[str]], text: str) -> bool:
    """Whether one of these positions is in a sentence, outside of quotation marks."""
    places = (found.start() for one in positions if (found := one.search(text)))
    return any(
        text.count('"', 0, place) % 2 == 0 and text.rfind("“", 0, place) <= text.rfind("”", 0, place)
        for place in places
    )


def add_figures(tone: Tone, text: str) -> Tone:
    """Return the tone of a sentence with that of its figures: above or below what was expected or feared, a premium paid, a change that is
    written with its sign; where nothing changes, what else is good or bad in it counts less."""
    if text.rstrip().endswith("?"):
        tone = replace(tone, good=tone.good * ASKED, bad=tone.bad * ASKED)
    calm = 0.0
    if _CALM.search(text):
        calm = CALM_WEIGHT
        if not tone.is_reaction:
            tone = replace(tone, good=tone.good * CALMED, bad=tone.bad * CALMED)
    if (losses := _TWO_LOSSES.search(text)) is not None and "profit" not in losses.group().casefold():
        now, before = (_amount(losses.group(one), losses.group(one + 1) or losses.group(4)) for one in (1, 3))
        good, bad = (FEARED_WEIGHT, 0.0) if now < before else (0.0, SURPRISE_WEIGHT)
        tone = replace(tone, good=tone.good + good, bad=tone.bad + bad)
    feared = FEARED_WEIGHT * (bool(_LESS_FEARED.search(text)) or bool(_LESS_HARM.search(text)))
    dreaded = FEARED_WEIGHT * bool(_MORE_FEARED.search(text))
    premium = SURPRISE_WEIGHT * bool(_PREMIUM.search(text))
    tone = replace(tone, good=tone.good + calm + feared + premium, bad=tone.bad + calm + dreaded)
    if _OTHER_SIGN.search(text):
        return tone
    good = SURPRISE_WEIGHT * bool(_ABOVE.search(text))
    bad = SURPRISE_WEIGHT * bool(_BELOW.search(text))
    for sign, size in _SIGNED.findall(text)[:MOST_SIGNED]:
        weight = min(0.5 + float(size) / 10, 1.2)
        good, bad = (good + weight, bad) if sign == "+" else (good, bad + weight)
    return replace(tone, good=tone.good + good, bad=tone.bad + bad)


def _amount(figure: str, scale: str | None) -> float:
    return float(figure.replace(",", "")) * _SCALE.get((scale or "").casefold(), 1.0)
