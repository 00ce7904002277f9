"""Companies in a text: cashtags, exchange symbols in parentheses, bare symbols and names; only of the known universe."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Final

from .word_lists import word_list

FALSE_FRIENDS: Final = word_list("false_friends")
"""Upper-case words that are hardly ever a symbol; a cashtag is believed all the same, except for those of `_NEVER`."""
_NEVER: Final = word_list("never_symbols")
_CASHTAG: Final = re.compile(r"(?<![\w$])\$([A-Za-z]{1,5}(?:[.-][A-Za-z])?)(?![\w])")
_ON_EXCHANGE: Final = re.compile(
    r"\b(?:NYSE|NASDAQ|Nasdaq|NasdaqG[SM]|NYSEARCA|NYSEAMERICAN|AMEX|CBOE|BATS|OTC(?:MKTS|QX|QB)?|TSX|TSXV|LSE|LON|XETRA|ETR|FRA|EPA|AMS|ASX|HKG|TYO)"
    r"(?: American| Arca| GS| GM)?\s*:\s*([A-Z]{1,5}(?:[.-][A-Z])?)\b"
)
_PARENTHESES: Final = re.compile(
    r"[(\[<]\$?(?:ticker:?\s+|symbol:?\s+)?([A-Z]{1,5}(?:[.-][A-Z]{1,2})?)(?:[ :](?:US|UN|UW|NYSE|NASDAQ))?"
    r"(?:[)\]>]|(?<=[A-Z]{2})(?=[,;]? [+$-]?\d))"
)
_LISTING: Final = re.compile(r"-(?:O|OQ|N|K|L|P|PK)$")
"""What wire services put behind a symbol for the exchange that trades it: `NVDA.O`."""
_BARE: Final = re.compile(r"(?<![\w$.&'’-])([A-Z]{3,5})(?![\w&.’'-]*[a-z])(?![\w&-])")
_LEGAL_FORM: Final = re.compile(r" (?:Corp|Inc|Holdings|Group|Ltd|plc|Technologies|Platforms)$")
_BRIEF_FORMS: Final = {
    " Semiconductor": " Semi",
    " Pharmaceuticals": " Pharma",
    " Technology": " Tech",
    " Technologies": " Tech",
    " International": " Intl",
}
"""Words at the end of a name that headlines cut short."""
_NAME_AFTER: Final = re.compile(
    r"(?:['’]s\b|\s+(?:(?:now|also|still|recently|itself|already|just|only|alone)\s+)?(?:Inc|Corp|Co|Ltd|plc|Plc|Group|Holdings|Platforms|shares?|stock|CEO|executives?|said|says|reported|"
    r"reports|announced|announces|posted|posts|plans?|planned|expects?|raised|raises|cut|cuts|beat|beats|missed|misses|unveiled|"
    r"unveils|launched|launches|will|has|is|was|and|rose|fell|gained|gains|dropped|jumped|surged|slid|warned|warns|agreed|signed|"
    r"signs|to|also|which|that|soared|sank|slumped|may|could|would|can|had|did|does|have|lost|won|makes|sells|owns|takes|made|saw|sold|bought|took|gave|led|held|kept|grew|spent|paid|built|began|hit|brought|met|drew|chose|led|sees|says|wants|faces|leads|joins|hires|builds|offers|holds|seeks|gets|gives|needs|keeps|reported|guides|trades|fetches|earns|pays|grows|rises|falls|drops|jumps|slides|loses|reports|posts|adds|launches|remains|looks|went|came|left|told|tells|thinks|let|ran|runs|shut|put|does|assigns|charges|guided|isn['’]t|doesn['’]t|didn['’]t|won['’]t|hasn['’]t|wasn['’]t|can['’]t|[a-z]+ed)\b|,\s+(?:which|by|whose|the|a|meanwhile|for|too)\b|,\s+[A-Z])"
)
_NAME_BEFORE: Final = re.compile(
    r"(?:\b(?:at|from|by|of|like|and|with|including|than|rival|rivals|giant|maker|company|retailer|between|for|to|as|but|while|"
    r"automaker|lender|against|that|when|after|if|since|or|in|owner|parent|buy|sell|versus|vs)|[,;:]|\()\s+$"
)


_NAME_START: Final = re.compile(r"(?<![\w$-])\w+")
_CAPITALISED: Final = re.compile(r"(?<!\$)\b[A-Z][a-z]")
_LOWER_WORD: Final = re.compile(r"(?<![\w$-])[a-z]\w+")
_GOES_ON: Final = re.compile(r"\w|-[a-z]")
"""What may not follow a name, because it would be another word then."""
_NEXT_WORD: Final = re.compile(r"(?:['’]s)?\s+([A-Za-z]+)")
_HEADLINE_VERB: Final = re.compile(r"\s+[a-z]{3,}s\b")
_PLACES: Final = frozenset({"Reddit", "Instagram", "Facebook", "YouTube", "WhatsApp", "LinkedIn", "Snapchat"})
_AT_PLACE: Final = re.compile(r"\b(?:on|via|through) $")
"""What somebody posts on a platform is not about its owner."""
_SOURCE_BEFORE: Final = re.compile(
    r"\b(?:(?:[Aa]nalysts?|[Ee]conomists?|[Ss]trategists?) (?:at|from|with)|(?:arranged|underwritten|advised|compiled) by|according to) $"
)
_SOURCE_AFTER: Final = re.compile(
    r"(?:['’]s?)?\s+(?:analysts?|economists?|strategists?|wrote|numbers|estimates?|forecasts?|research)\b|"
    r"\s+(?:and [A-Z]\w+ )?(?:both )?(?:cut|raised|lifted|lowered|downgraded|upgraded|initiated|reiterated|started) "
    r"(?:it|its|their|his|her|the (?:stock|shares|rating|target))\b|"
    r"\s+(?:cut|raised|lifted|lowered|trimmed|bumped|moved|downgraded|upgraded) [A-Z][\w.&'’ -]{1,40}? to "
    r"(?:[$€£]\s?\d|['\"“‘]?(?:buy|hold|sell|neutral|overweight|underweight|outperform|underperform|market|sector|equal|sell)\b)"
)
_PAST_BEFORE: Final = re.compile(
    r"\b(?:[Ee]x|formerly|previously|late|once|veteran|alumnus|alumna) (?:of|at|with|from) $|\b(?:came|comes|hired|poached) from $"
)
"""Behind these is where somebody worked before; an article is not about it."""
_POLLED_BEFORE: Final = re.compile(r"\b(?:polled|surveyed|compiled|tracked|collected|gathered) by $")
_GIVEN_NAME: Final = re.compile(
    rf"(?<![.!?:;\"“(]) (?!(?:{'|'.join(sorted(word_list('no_given_names')))})\b)[A-Z][a-z]+ $"
)
"""A capitalised word inside a sentence before an everyday name makes it the name of a person or a place: `short seller Carson Block`."""
_LOWER_CASE_WORDS: Final = word_list("lower_case_words") | {one.lower() for one in FALSE_FRIENDS}
_LOWER_CASE_NAMES: Final = word_list("lower_case_names")
_HELD: Final = re.compile(
    r"\b(?:hold|holding|own|owns|long|short|shorting|buy|buying|bought|sell|selling|sold|adding|added|add|trimmed|trimming|grabbed|"
    r"(?:calls|puts|leaps|shares|stock|bullish|bearish|loaded up|in and out of|out of|more) (?:on|in|of)|picked up|loading) "
    r"([a-z]{3,5}\b(?:(?: ?/ ?|,? and |, | & )[a-z]{3,5}\b)*)"
)
"""What somebody who writes without capitals says he holds: `i hold ccj, nxe and the trust`."""
_TRADED: Final = re.compile(
    r"\b([a-z]{3,5}) (?:calls|puts|leaps|shares|stock|earnings|bulls|bears|longs|shorts)\b"
)
_WITH_FIGURE: Final = re.compile(
    r"\b([a-z]{3,5}) (?:[+−–-] ?\d+(?:\.\d+)?%|\$?\d+(?:\.\d+)?(?:b|bn|m|mn|k)\b)"
)
"""What somebody who writes without capitals lists with a figure: `coin -7%, mstr -11%`."""
_LOWER_LIST: Final = re.compile(
    r"\b([a-z]{3,5}(?:(?: ?/ ?|, ?)[a-z]{3,5}\b)+(?:,? (?:and|or) [a-z]{3,5}\b)?)"
)
"""A list of short words without capitals; where all of them are symbols, it names companies."""
_LIST_WORD: Final = re.compile(r"\b[a-z]{2,5}\b")
_DATELINE: Final = re.compile(r"\s+[A-Z]{3,}\b")
"""A second word in capitals behind the first of a text: `SAN DIEGO`, a place and no symbol."""
LEAST_SPACES: Final = 3
"""In a title in capitals; one of fewer words may be symbols."""
QUOTED_SECTORS: Final = frozenset({"bank", "asset_management", "private_equity"})
"""Banks and the like are often named only because their analysts are quoted; an article is not about them then."""


@dataclass(frozen=True)
class Universe:
    """The symbols that count, and the names of companies that stand for them."""

    symbols: frozenset[str]
    names: Mapping[str, str]
    common: Mapping[str, str]
    not_before: Mapping[str, frozenset[str]]
    sectors: Mapping[str, str]
    """Symbols with the key of the theme that their business belongs to."""
    by_first_word: Mapping[str, tuple[str, ...]] = field(repr=False)
    """Names by the letters and digits that they begin with, the longest first."""
    by_lower_word: Mapping[str, tuple[str, ...]] = field(repr=False)
    """The same in lower case, of names that are no everyday words then."""

    def extended(self, symbols: Iterable[str]) -> Universe:
        """Return a universe that knows these symbols too."""
        more = frozenset(one for one in (normal_symbol(symbol) for symbol in symbols) if one)
        return replace(self, symbols=self.symbols | more)

    def keep(self, symbols: Iterable[object]) -> list[str]:
        """Return the known ones among these, in upper case, each once, without false friends."""
        known = (normal_symbol(str(one)) for one in symbols)
        return list(dict.fromkeys(one for one in known if one in self.symbols and one not in _NEVER))


@dataclass(frozen=True, slots=True)
class Sighting:
    """A company in a text, and where it is named."""

    symbol: str
    start: int
    end: int


def normal_symbol(text: str) -> str:
    """Return a symbol in upper case without its cashtag, a share class behind a hyphen: `$brk.b` is `BRK-B`."""
    return text.strip().lstrip("$").upper().replace(".", "-")


@cache
def bundled_universe() -> Universe:
    """Return the companies that come with the package."""
    data = tomllib.loads(files(__package__).joinpath("companies.toml").read_text(encoding="utf-8"))
    names = {name: symbol for symbol, many in data["names"].items() for name in many}
    names = {**_without_legal_forms(names), **names}
    common = {name: symbol for symbol, many in data["common"].items() for name in many}
    by_first_word: dict[str, list[str]] = {}
    for name in sorted({*names, *common}, key=len, reverse=True):
        by_first_word.setdefault(_first_word(name), []).append(name)
    not_before = {name: frozenset(one.casefold() for one in words) for name, words in data["follow"].items()}
    sectors = {symbol: key for key, symbols in data["sectors"].items() for symbol in symbols.split()}
    index = {first: tuple(many) for first, many in by_first_word.items()}
    lower = _index_in_lower_case(names)
    return Universe(frozenset(data["names"]), names, common, not_before, sectors, index, lower)


def _index_in_lower_case(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the names that mean a company in lower case too, by their first word, the longest first."""
    index: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        if len(name) > 3 and name.lower() not in _LOWER_CASE_NAMES:
            index.setdefault(_first_word(name).lower(), []).append(name)
    return {first: tuple(many) for first, many in index.items()}


def _first_word(name: str) -> str:
    begin = _NAME_START.search(name)
    return begin.group() if begin else name


def _without_legal_forms(names: Mapping[str, str]) -> dict[str, str]:
    """Names of several words as articles use them, without their legal form: `Uranium Energy` of `Uranium Energy Corp`. One word alone may
    mean anything."""
    short = {_LEGAL_FORM.sub("", name): symbol for name, symbol in names.items()}
    for long, brief in _BRIEF_FORMS.items():
        short |= {name.replace(long, brief): symbol for name, symbol in names.items() if name.endswith(long)}
    return {name: symbol for name, symbol in short.items() if " " in name}


def find_tickers(text: str, universe: Universe, *, is_title: bool = False) -> list[Sighting]:
    """Return the companies that a sentence names, in its order; a symbol within a longer name is part of the name."""
    named = list(_by_name(text, universe, is_title))
    if _is_without_capitals(text):
        named += _by_name_in_lower_case(text, universe)
    elif is_title and is_in_capitals(text):
        named += _by_name_in_capitals(text, universe, named)
    symbols = [
        one
        for one in _by_symbol(text, universe, is_title)
        if not any(name.start <= one.start and one.end < name.end for name in named)
    ]
    return sorted((*symbols, *named), key=lambda one: one.start)


def _by_symbol(text: str, universe: Universe, is_title: bool) -> Iterable[Sighting]:
    for pattern in (_CASHTAG, _ON_EXCHANGE):
        for match in pattern.finditer(text):
            yield from _known(universe, match, _NEVER)
    for match in _PARENTHESES.finditer(text):
        yield from _known(universe, match, FALSE_FRIENDS)
    if not (is_title and text.isupper()) and sum(one.isupper() for one in text) < 0.5 * len(text):
        for match in _BARE.finditer(text):
            if match.start() == 0 and _DATELINE.match(text, match.end()):
                continue
            for one in _known(universe, match, FALSE_FRIENDS):
                is_source = universe.sectors.get(one.symbol) in QUOTED_SECTORS
                if not (is_source and _is_quoted(text, one.start, one.end)):
                    yield one


def _is_without_capitals(text: str) -> bool:
    """Whether a sentence is written in lower case throughout; symbols of several capitals may be in it."""
    return text[:1].islower() and not _CAPITALISED.search(text)


def _by_name_in_lower_case(text: str, universe: Universe) -> Iterable[Sighting]:
    """Yield the companies of a sentence without capitals: names that are no everyday words, and symbols that somebody holds or trades."""
    for found in _LOWER_WORD.finditer(text):
        for name in universe.by_lower_word.get(found.group(), ()):
            end = found.start() + len(name)
            if text.startswith(name.lower(), found.start()) and not _GOES_ON.match(text, end):
                yield Sighting(universe.names[name], found.start(), end)
                break
    lists = [one for one in _LOWER_LIST.finditer(text) if _is_list_of_symbols(one.group(1), universe)]
    for held in (*_HELD.finditer(text), *_TRADED.finditer(text), *_WITH_FIGURE.finditer(text), *lists):
        for word in _LIST_WORD.finditer(text, held.start(1), held.end(1)):
            if _is_symbol(word.group(), universe):
                yield Sighting(word.group().upper(), word.start(), word.end())


def is_in_capitals(text: str) -> bool:
    """Whether a title is one of those that desks write in capitals: `*NIKE SEES FY REV DOWN`."""
    return text.isupper() and text.count(" ") >= LEAST_SPACES and len(text.lower()) == len(text)


def _by_name_in_capitals(text: str, universe: Universe, named: Iterable[Sighting]) -> Iterable[Sighting]:
    """Yield the companies of a title in capitals beside those that are there already: names that are no everyday words, and any name of
    which the title says what it does."""
    starts = {one.start for one in named}
    lower = text.lower()
    for found in _LOWER_WORD.finditer(lower):
        for name in universe.by_lower_word.get(found.group(), ()):
            end = found.start() + len(name)
            if lower.startswith(name.lower(), found.start()) and not _GOES_ON.match(lower, end):
                if found.start() not in starts:
                    starts.add(found.start())
                    yield Sighting(universe.names[name], found.start(), end)
                break
    for first in _by_name(lower.capitalize(), universe, is_title=True):
        if first.start not in starts:
            yield first


def _is_symbol(word: str, universe: Universe) -> bool:
    """Whether a word in lower case is a symbol and no everyday word."""
    return word.upper() in universe.symbols and word not in _LOWER_CASE_WORDS


def _is_list_of_symbols(text: str, universe: Universe) -> bool:
    return all(_is_symbol(one, universe) for one in _LIST_WORD.findall(text) if one not in ("and", "or"))


def _known(universe: Universe, match: re.Match[str], friends: frozenset[str]) -> Iterable[Sighting]:
    symbol = normal_symbol(match.group(1))
    if symbol not in universe.symbols:
        symbol = _LISTING.sub("", symbol)
    if symbol in universe.symbols and symbol not in friends:
        yield Sighting(symbol, match.start(), match.end())


def _by_name(text: str, universe: Universe, is_title: bool) -> Iterable[Sighting]:
    for start, name in _names_in(text, universe):
        end = start + len(name)
        after = _NEXT_WORD.match(text, end)
        if after and after.group(1).casefold() in universe.not_before.get(name, frozenset()):
            continue
        before = text[:start]
        if (
            _POLLED_BEFORE.search(before)
            or _PAST_BEFORE.search(before)
            or (name in _PLACES and _AT_PLACE.search(before))
        ):
            continue
        if name in universe.names:
            symbol = universe.names[name]
            if not (universe.sectors.get(symbol) in QUOTED_SECTORS and _is_quoted(text, start, end)):
                yield Sighting(symbol, start, end)
        elif _is_company(text, start, end, is_title):
            yield Sighting(universe.common[name], start, end)


def _names_in(text: str, universe: Universe) -> Iterable[tuple[int, str]]:
    """Yield where a name begins and the name, the longest at each place; names do not overlap."""
    behind = 0
    for word in _NAME_START.finditer(text):
        if word.start() < behind:
            continue
        for name in universe.by_first_word.get(word.group(), ()):
            end = word.start() + len(name)
            if text.startswith(name, word.start()) and not _GOES_ON.match(text, end):
                yield word.start(), name
                behind = end
                break


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether a company is named here for what its analysts or economists say."""
    return bool(_SOURCE_BEFORE.search(text[:start]) or _SOURCE_AFTER.match(text, end))


def _is_company(text: str, start: int, end: int, is_title: bool) -> bool:
    """Whether a name that is an everyday word too means a company here."""
    begins = not text[:start].strip(" \"“‘'(")
    if not is_title and _GIVEN_NAME.search(text[:start]):
        return False
    if _NAME_AFTER.match(text, end):
        return True
    if is_title and begins and _HEADLINE_VERB.match(text, end):
        return True
    return not begins and not is_title and bool(_NAME_BEFORE.search(text[:start]))
