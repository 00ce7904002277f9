"""One key for every spelling of a theme: lower-case words in the singular, joined by underscores."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from typing import Final

from .word_lists import word_list

LONGEST_KEY: Final = 96
KEY_PATTERN: Final = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
STOP_WORDS: Final = frozenset({"a", "an", "the", "of", "for", "in", "on", "to", "at", "by", "with", "from"})
_SIGNS: Final = {"&": " and ", "+": " plus ", "#": " sharp ", "%": " percent "}
_ACRONYM_PLURAL: Final = re.compile(r"\b([A-Z]{2,})['’]?s\b")
_POSSESSIVE: Final = re.compile(r"['’]s?\b")
_WORD: Final = re.compile(r"[a-z0-9]+")
_IRREGULAR: Final = {
    "ads": "ad",
    "analyses": "analysis",
    "batteries": "battery",
    "children": "child",
    "crises": "crisis",
    "evs": "ev",
    "indices": "index",
    "indexes": "index",
    "knives": "knife",
    "lives": "life",
    "matrices": "matrix",
    "men": "man",
    "movies": "movie",
    "people": "people",
    "robotaxis": "robotaxi",
    "shelves": "shelf",
    "taxis": "taxi",
    "ties": "tie",
    "women": "woman",
}
_UNCHANGED: Final = word_list("unchanged")


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """Return the singular of a lower-case English word; a word that is none already is returned as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word in _UNCHANGED or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=50_000)
def canonical_key(theme: str) -> str:
    """Return the key of a theme; it matches `KEY_PATTERN`, has at most 96 characters, and is its own key.

    A theme without any character of a-z or 0-9 gets a key made of its hash; an empty one gets "".
    """
    key = _key_once(theme)
    while (again := _key_once(key)) != key:
        key = again
    if key or not theme.strip():
        return key
    return f"theme_{sha256(unicodedata.normalize('NFKC', theme.strip()).encode()).hexdigest()[:12]}"


def _key_once(theme: str) -> str:
    text = unicodedata.normalize("NFKD", theme)
    text = "".join(one for one in text if not unicodedata.combining(one))
    text = _POSSESSIVE.sub("", _ACRONYM_PLURAL.sub(r"\1", text)).casefold()
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    words = _WORD.findall(text)
    kept = [word for word in words if word not in STOP_WORDS] or words
    return _join([singular(word) for word in kept])


def _join(words: list[str]) -> str:
    """Join as many words as the longest key has room for; a first word that is too long is cut."""
    key = "_".join(words)
    if len(key) <= LONGEST_KEY:
        return key
    cut = key[: LONGEST_KEY + 1].rpartition("_")[0]
    return cut or key[:LONGEST_KEY]
