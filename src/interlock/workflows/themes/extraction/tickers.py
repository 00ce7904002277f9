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
_NAME_AFTER: Final = re.compile(
    r"(?:['’]s\b|\s+(?:Inc|Corp|Co|Ltd|plc|Plc|Group|Holdings|Platforms|shares?|stock|CEO|executives?|said|says|reported|"
    r"reports|announced|announces|posted|posts|plans?|planned|expects?|raised|raises|cut|cuts|beat|beats|missed|misses|unveiled|"
    r"unveils|launched|launches|will|has|is|was|and|rose|fell|gained|gains|dropped|jumped|surged|slid|warned|warns|agreed|signed|"
    r"signs|to|also|which|that|soared|sank|slumped|may|could|would|can|had|did|does|have|lost|won|makes|sells|owns|takes|made|saw|sold|bought|took|gave|led|held|kept|grew|spent|paid|built|began|hit|brought|met|drew|chose|led|sees|says|wants|faces|leads|joins|hires|builds|offers|holds|seeks|gets|gives|needs|keeps|reported|[a-z]+ed)\b|,\s+(?:which|by|whose|the|a|meanwhile|for|too)\b|,\s+[A-Z][a-z])"
)
_NAME_BEFORE: Final = re.compile(
    r"(?:\b(?:at|from|by|of|like|and|with|including|than|rival|rivals|giant|maker|company|retailer|between|for|to|as|but|while|"
    r"automaker|lender|against|that|when|after|if|since|or|in|owner|parent|buy|sell|versus|vs)|,|\()\s+$"
)


_HEADLINE_VERB: Final = re.compile(r"\s+[a-z]{3,}s\b")
_PLACES: Final = frozenset({"Reddit", "Instagram", "Facebook", "YouTube", "WhatsApp", "LinkedIn", "Snapchat"})
_AT_PLACE: Final = re.compile(r"\b(?:on|via|through) $")
"""What somebody posts on a platform is not about its owner."""
_SOURCE_BEFORE: Final = re.compile(r"\b(?:[Aa]nalysts?|[Ee]conomists?|[Ss]trategists?) (?:at|from|with) $")
_SOURCE_AFTER: Final = re.compile(r"(?:['’]s?)?\s+(?:analysts?|economists?|strategists?|wrote)\b")
_QUOTED_SECTORS: Final = frozenset({"bank", "asset_management", "private_equity"})
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
    pattern: re.Pattern[str] = field(repr=False)

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
    spelled = sorted({*names, *common}, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w$-])(?:{'|'.join(re.escape(one) for one in spelled)})(?![\w]|-[a-z])")
    not_before = {name: frozenset(one.casefold() for one in words) for name, words in data["follow"].items()}
    sectors = {symbol: key for key, symbols in data["sectors"].items() for symbol in symbols.split()}
    return Universe(frozenset(data["names"]), names, common, not_before, sectors, pattern)


def _without_legal_forms(names: Mapping[str, str]) -> dict[str, str]:
    """Names of several words as articles use them, without their legal form: `Uranium Energy` of `Uranium Energy Corp`. One word alone may
    mean anything."""
    short = {_LEGAL_FORM.sub("", name): symbol for name, symbol in names.items()}
    return {name: symbol for name, symbol in short.items() if " " in name}


def find_tickers(text: str, universe: Universe, *, is_title: bool = False) -> list[Sighting]:
    """Return the companies that a sentence names, in its order."""
    sightings = [*_by_symbol(text, universe, is_title), *_by_name(text, universe, is_title)]
    return sorted(sightings, key=lambda one: one.start)


def _by_symbol(text: str, universe: Universe, is_title: bool) -> Iterable[Sighting]:
    for pattern in (_CASHTAG, _ON_EXCHANGE):
        for match in pattern.finditer(text):
            yield from _known(universe, match, _NEVER)
    for match in _PARENTHESES.finditer(text):
        yield from _known(universe, match, FALSE_FRIENDS)
    if not (is_title and text.isupper()) and sum(one.isupper() for one in text) < 0.5 * len(text):
        for match in _BARE.finditer(text):
            yield from _known(universe, match, FALSE_FRIENDS)


def _known(universe: Universe, match: re.Match[str], friends: frozenset[str]) -> Iterable[Sighting]:
    symbol = normal_symbol(match.group(1))
    if symbol not in universe.symbols:
        symbol = _LISTING.sub("", symbol)
    if symbol in universe.symbols and symbol not in friends:
        yield Sighting(symbol, match.start(), match.end())


def _by_name(text: str, universe: Universe, is_title: bool) -> Iterable[Sighting]:
    for match in universe.pattern.finditer(text):
        name = match.group()
        after = re.match(r"\s+([A-Za-z]+)", text[match.end() :])
        if after and after.group(1).casefold() in universe.not_before.get(name, frozenset()):
            continue
        if name in _PLACES and _AT_PLACE.search(text[: match.start()]):
            continue
        if name in universe.names:
            symbol = universe.names[name]
            if not (universe.sectors.get(symbol) in _QUOTED_SECTORS and _is_quoted(text, match)):
                yield Sighting(symbol, match.start(), match.end())
        elif _is_company(text, match, is_title):
            yield Sighting(universe.common[name], match.start(), match.end())


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """Whether a company is named here for what its analysts or economists say."""
    return bool(_SOURCE_BEFORE.search(text[: match.start()]) or _SOURCE_AFTER.match(text[match.end() :]))


def _is_company(text: str, match: re.Match[str], is_title: bool) -> bool:
    """Whether a name that is an everyday word too means a company here."""
    begins = not text[: match.start()].strip(" \"“‘'(")
    if _NAME_AFTER.match(text[match.end() :]):
        return True
    if is_title and begins and _HEADLINE_VERB.match(text[match.end() :]):
        return True
    return not begins and not is_title and bool(_NAME_BEFORE.search(text[: match.start()]))
