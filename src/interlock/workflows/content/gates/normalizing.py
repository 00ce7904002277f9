"""Normalises payloads: trimmed text in one Unicode form; hashes their content, and measures how alike two texts are."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import blake2b, sha256
from types import ModuleType
from typing import Any

Indel: ModuleType | None
try:
    from rapidfuzz.distance import Indel
except ImportError:  # without the extra `content` the same texts are similar, which takes longer to find out
    Indel = None

BANDS = 16
ROWS = 3
ROUNDING = 1e-9
_PRIME = (1 << 61) - 1


def normalize_value(value: Any) -> Any:
    """The value with every text in NFC, trimmed, and its white space reduced to single spaces."""
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", value).split())
    if isinstance(value, list | tuple):
        return [normalize_value(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): normalize_value(one) for name, one in value.items()}
    return value


def content_hash(item_type: str, language: str, payload: Mapping[str, Any]) -> str:
    """SHA-256 of what the content is, whatever its id, its author, the case of its letters, or fields that are named and left empty."""
    known = {name: value for name, value in payload.items() if value not in (None, "", [], {})}
    whole = json.dumps(
        [item_type, language, _folded(known)],
        sort_keys=True,
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return sha256(whole.encode()).hexdigest()


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return value.casefold()
    if isinstance(value, list):
        return [_folded(one) for one in value]
    if isinstance(value, dict):
        return {name: _folded(one) for name, one in value.items()}
    return value


def similarity(one: str, other: str) -> float:
    """How alike two texts are, from 0 to 1; the case of letters does not count."""
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def similar_texts(text: str, others: Iterable[str], least: float) -> list[float]:
    """How alike the text is to each of the others; 0 for those that cannot reach `least` by the characters that both have, which is found
    out much faster."""
    folded = text.casefold()
    return [
        similarity(folded, other) if can_reach(folded, other, least) else 0.0
        for other in map(str.casefold, others)
    ]


def can_reach(one: str, other: str, least: float) -> bool:
    """Whether two folded texts may have a similarity of `least`: by their longest common subsequence where rapidfuzz is installed, else by
    how many of each letter both have."""
    if Indel is not None:
        return bool(Indel.normalized_similarity(one, other) >= least - ROUNDING)
    return shares_letters(one, other, least)


def shares_letters(one: str, other: str, least: float) -> bool:
    """Whether two texts have so many letters in common, in whatever order, that they may have a similarity of `least`."""
    whole = len(one) + len(other)
    if not whole or 2 * min(len(one), len(other)) / whole < least:
        return not whole
    shared = sum([min(one.count(letter), other.count(letter)) for letter in set(one)])
    return 2 * shared / whole >= least - ROUNDING


def sketch(text: str) -> list[int]:
    """Numbers of which similar texts share at least one: MinHash over groups of three characters, in bands."""
    folded = f"  {text.casefold()}  "
    grams = {folded[start : start + 3] for start in range(len(folded) - 2)}
    lowest = [min(column) for column in zip(*map(_permuted, grams), strict=True)]
    return [
        int.from_bytes(
            blake2b(repr((band, lowest[band * ROWS : (band + 1) * ROWS])).encode(), digest_size=7).digest()
        )
        for band in range(BANDS)
    ]


@lru_cache(maxsize=8192)
def _permuted(gram: str) -> tuple[int, ...]:
    """The rank of a group of characters in each of the permutations; a language has a few thousand groups, so most are known."""
    one = int.from_bytes(blake2b(gram.encode(), digest_size=7).digest())
    return tuple([(a * one + b) % _PRIME for a, b in _FACTORS])


def _factor(number: int) -> int:
    return int.from_bytes(blake2b(number.to_bytes(4), digest_size=7).digest())


_FACTORS = [(_factor(2 * number) | 1, _factor(2 * number + 1)) for number in range(BANDS * ROWS)]
