"""A mention: one theme in one article, with its companies, its sentiment, and the sentence that shows it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from .canonical import canonical_key
from .sentiment import Sentiment
from .text import shorten
from .tickers import Universe

LONGEST_THEME: Final = 200
LONGEST_EXCERPT: Final = 500
MOST_MENTIONS: Final = 50
MOST_TICKERS: Final = 25
_THOUGHTS: Final = re.compile(r"<(/?)(?:think|thinking|reasoning)\b[^<>]*>", re.IGNORECASE)
_FENCE: Final = re.compile(r"\A\s*```[a-zA-Z0-9_-]*[ \t]*\n?(.*?)\n?```", re.DOTALL)
_INNER_FENCE: Final = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)\n?```", re.DOTALL)
_JSON_START: Final = re.compile(r"[\[{]")
MOST_STARTS: Final = 50
"""Places at which JSON is looked for in an answer of other words."""
_DECODER: Final = json.JSONDecoder()
_SENTIMENTS: Final[dict[str, Sentiment]] = {
    "bullish": "bullish",
    "positive": "bullish",
    "bearish": "bearish",
    "negative": "bearish",
    "neutral": "neutral",
    "mixed": "neutral",
}


@dataclass(frozen=True)
class Mention:
    """One theme in one article."""

    theme: str
    """As the article or the provider calls it."""
    key: str
    """The canonical key."""
    tickers: tuple[str, ...]
    sentiment: Sentiment
    confidence: float
    excerpt: str


class ResponseNotParseable(ValueError):
    """A provider answered with something that is no JSON array of themes."""


def read_mentions(answer: str, universe: Universe) -> list[Mention]:
    """Return the mentions of a provider's answer: a JSON array, perhaps in a code fence or behind thoughts.

    An object with exactly one list, such as `{"themes": […]}`, is read as that list. `[]` is no mention and no error.
    """
    data = _parse(answer)
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        if len(lists) != 1:
            raise ResponseNotParseable("the answer is an object without exactly one list of themes")
        data = lists[0]
    if not isinstance(data, list):
        raise ResponseNotParseable(f"the answer is a JSON {type(data).__name__}, not an array of themes")
    mentions = [_read_mention(one, universe) for one in data[:MOST_MENTIONS]]
    return list(merge_mentions(one for one in mentions if one.key))


def merge_mentions(mentions: Iterable[Mention]) -> Iterable[Mention]:
    """Return one mention for each key: the most confident one, with the tickers of all."""
    best: dict[str, Mention] = {}
    for one in mentions:
        there = best.get(one.key)
        if there is None:
            best[one.key] = one
            continue
        tickers = tuple(dict.fromkeys((*there.tickers, *one.tickers)))[:MOST_TICKERS]
        chosen = one if one.confidence > there.confidence else there
        best[one.key] = Mention(
            chosen.theme, chosen.key, tickers, chosen.sentiment, chosen.confidence, chosen.excerpt
        )
    return best.values()


def _without_thoughts(answer: str) -> str:
    """Return the answer without what is between think tags; a closing tag without an opening one ends thoughts from the start."""
    kept: list[str] = []
    depth, start = 0, 0
    for tag in _THOUGHTS.finditer(answer):
        if tag.group(1):
            if depth == 0:
                kept.clear()
            depth, start = max(0, depth - 1), tag.end()
        else:
            if depth == 0:
                kept.append(answer[start : tag.start()])
            depth += 1
    if depth == 0:
        kept.append(answer[start:])
    return "".join(kept)


def _parse(answer: str) -> Any:
    text = _without_thoughts(answer).strip().lstrip("\ufeff")
    fence = _FENCE.match(text) or _INNER_FENCE.search(text)
    if fence:
        text = fence.group(1).strip()
    if not text:
        raise ResponseNotParseable("the answer is empty")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ResponseNotParseable("the answer is nested too deeply") from error
    except ValueError as error:
        inside = None if text[0] in "[{" else _find_themes(text)
        if inside is None:
            raise ResponseNotParseable(f"{error} in {shorten(' '.join(text.split()), 120)!r}") from error
        return inside


def _find_themes(text: str) -> Any:
    """Return the JSON of themes that stands inside other words: the first list of objects, or the first object with one such list; an
    empty list where no object is there at all; None where there is none of these. What begins as JSON is cut off, and is not searched."""
    empty: list[Any] | None = None
    for start in islice(_JSON_START.finditer(text), MOST_STARTS):
        try:
            data, _ = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        lists = [one for one in data.values() if isinstance(one, list)] if isinstance(data, dict) else [data]
        if len(lists) == 1 and lists[0] and all(isinstance(one, dict) for one in lists[0]):
            return lists[0]
        empty = [] if data == [] and "{" not in text else empty
    return empty


def _read_mention(data: object, universe: Universe) -> Mention:
    if not isinstance(data, Mapping) or not isinstance(data.get("theme"), str):
        raise ResponseNotParseable("an element of the answer is no object with a theme")
    theme = shorten(" ".join(_printable(data["theme"]).split()), LONGEST_THEME)
    tickers = data.get("tickers") or []
    if isinstance(tickers, str):
        tickers = re.split(r"[,\s]+", tickers)
    if not isinstance(tickers, list):
        raise ResponseNotParseable(f"the tickers of {theme!r} are no list")
    sentiment = _SENTIMENTS.get(str(data.get("sentiment") or "neutral").strip().casefold(), "neutral")
    excerpt = _printable(str(data.get("excerpt") or ""))
    return Mention(
        theme,
        canonical_key(theme),
        tuple(universe.keep(one for one in tickers if isinstance(one, str))[:MOST_TICKERS]),
        sentiment,
        _read_confidence(data.get("confidence")),
        shorten(" ".join(excerpt.split()), LONGEST_EXCERPT),
    )


def _read_confidence(value: object) -> float:
    """Return a number from 0 to 1; a percentage is divided, a little over 1 is 1, what is no number is 0.5."""
    try:
        number = float(str(value).strip().rstrip("%"))
    except ValueError:
        return 0.5
    if not math.isfinite(number):
        return 0.5
    if 2 <= number <= 100:
        number /= 100
    return round(min(max(number, 0.0), 1.0), 3)


def _printable(text: str) -> str:
    """Return the text without characters that a database refuses: NUL and lone surrogates."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
