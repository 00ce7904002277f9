"""The checks before VALIDATED, as pure functions: each returns what is wrong, as a code and a sentence, or None."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..tables import LANGUAGES, LEVELS
from ..types import ContentType
from .normalizing import similar_texts

Problem = tuple[str, str, dict[str, Any]]
"""A code, a sentence, and details."""
SIMILAR = 0.85

_LATIN = "abcdefghijklmnopqrstuvwxyz"
ALPHABETS = {
    "EN": _LATIN + "éèêëïöüçñâ",
    "IT": _LATIN + "àèéìíîòóùú",
    "PT": _LATIN + "áâãàçéêíóôõúü",
    "SL": "abcčdefghijklmnoprsštuvzžćđqwxy",
    "ES": _LATIN + "áéíñóúü",
}
LONGEST_SENTENCE = {"A0": 12, "A1": 16, "A2": 22, "B1": 30, "B2": 38, "C1": 45, "C2": 50}
"""Words that a sentence may have at each level."""
UNSAFE_WORDS = {
    "EN": ("kill yourself", "heil hitler"),
    "IT": ("ammazzati", "heil hitler"),
    "PT": ("se mata", "heil hitler"),
    "SL": ("ubij se", "heil hitler"),
    "ES": ("mátate", "heil hitler"),
}
PRIVATE = {
    "an e-mail address": re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}"),
    "a web address": re.compile(r"(?:https?://|www\.)\S"),
    "a telephone number": re.compile(r"\+?\d(?:[ ()/-]?\d){8,}"),
    "markup": re.compile(r"</?[a-zA-Z!]"),
}
_TYPING = {
    "white space before a comma or full stop": re.compile(r"\s[,.;:!?](?:\s|$)"),
    "the same sign again and again": re.compile(r"([!?,;:])\1{2,}"),
    "a letter four times in a row": re.compile(r"([^\W\d_])\1{3,}"),
    "a word twice in a row": re.compile(r"\b([^\W\d_]{4,}) \1\b", re.IGNORECASE),
    "capitals inside a word": re.compile(r"\b[^\W\d_]*[a-z][A-Z][^\W\d_]*\b"),
}
_PAIRS = {"(": ")", "[": "]", "{": "}", "«": "»", "“": "”"}


@dataclass(frozen=True)
class Item:
    """A candidate as gates see it: its type, its language and level, and its normalised payload."""

    kind: ContentType
    language: str
    level: str
    payload: Mapping[str, Any]
    id: str = ""
    content_hash: str | None = None


@dataclass(frozen=True)
class Neighbour:
    """Another item, with what the duplication and the prerequisite gate compare."""

    id: str
    kind: str
    language: str
    level: str
    text: str = ""
    content_hash: str | None = None
    prerequisites: Sequence[str] = field(default_factory=list)


def check_schema(item: Item) -> Problem | None:
    """Whether every field is there, known, and of the right size."""
    problems = item.kind.problems(item.payload)
    return ("SCHEMA", "; ".join(problems), {"problems": problems}) if problems else None


def check_language(item: Item) -> Problem | None:
    """Whether the texts use only letters of their language."""
    if item.language not in LANGUAGES:
        return "LANGUAGE_UNKNOWN", f"{item.language} is none of {', '.join(LANGUAGES)}", {}
    allowed = set(ALPHABETS[item.language])
    strange = sorted(
        {
            letter
            for text in item.kind.texts(item.payload)
            for letter in text.casefold()
            if letter.isalpha() and letter not in allowed
        }
    )
    if strange:
        return (
            "LANGUAGE_STANDARD",
            f"{''.join(strange)} does not occur in {item.language}",
            {"letters": strange},
        )
    return None


def check_orthography(item: Item) -> Problem | None:
    """Whether the texts are typed cleanly: signs, brackets, repeated words."""
    for text in item.kind.texts(item.payload):
        if not text.isprintable():
            return "ORTHOGRAPHY", f"there is an invisible character in {text[:60]!r}", {"text": text[:200]}
        for name, pattern in _TYPING.items():
            if pattern.search(text):
                return "ORTHOGRAPHY", f"there is {name} in {text[:60]!r}", {"text": text[:200]}
        if not _is_balanced(text):
            return "ORTHOGRAPHY", f"brackets or quotes are not closed in {text[:60]!r}", {"text": text[:200]}
    return None


def _is_balanced(text: str) -> bool:
    waiting: list[str] = []
    for sign in text:
        if sign in _PAIRS:
            waiting.append(_PAIRS[sign])
        elif sign in _PAIRS.values() and (not waiting or waiting.pop() != sign):
            return False
    return not waiting and text.count('"') % 2 == 0


def check_level(item: Item) -> Problem | None:
    """Whether the level is known and no sentence is longer than it allows."""
    if item.level not in LEVELS:
        return "LEVEL_UNKNOWN", f"{item.level} is none of {', '.join(LEVELS)}", {}
    most = LONGEST_SENTENCE[item.level]
    for text in item.kind.texts(item.payload):
        for sentence in re.split(r"[.!?]+", text):
            if (count := len(sentence.split())) > most:
                return "LEVEL", f"a sentence has {count} words; {item.level} allows {most}", {"words": count}
    return None


def check_safety(item: Item) -> Problem | None:
    """Whether the texts are free of private data, markup and words that harm."""
    for text in item.kind.texts(item.payload):
        for name, pattern in PRIVATE.items():
            if pattern.search(text):
                return "UNSAFE", f"there is {name} in the text", {"kind": name}
        folded = " ".join(["", *re.findall(r"\w+", text.casefold()), ""])
        for words in UNSAFE_WORDS.get(item.language, ()):
            if f" {words} " in folded:
                return "UNSAFE", "there are words in the text that harm", {"kind": "words"}
    return None


def check_duplication(item: Item, others: Sequence[Neighbour]) -> Problem | None:
    """Whether no other item has the same content or, in the field that is compared, a similarity of 0.85 or more."""
    text = str(item.payload.get(item.kind.compared, ""))
    for other in others:
        if other.content_hash is not None and other.content_hash == item.content_hash:
            return "DUPLICATE", f"{other.id} has the same content", {"item_id": other.id, "similarity": 1.0}
    scores = similar_texts(text, [other.text for other in others], SIMILAR)
    score, id = max(
        ((round(one, 4), other.id) for one, other in zip(scores, others, strict=True)), default=(0.0, "")
    )
    if score >= SIMILAR:
        return "DUPLICATE", f"{id} is nearly the same ({score:.2f})", {"item_id": id, "similarity": score}
    return None


def check_prerequisites(item: Item, graph: Mapping[str, Neighbour]) -> Problem | None:
    """Whether everything the item depends on exists, in its language and no higher level, without a cycle. `graph` holds what can be
    reached from it."""
    for id in item.kind.prerequisites(item.payload):
        other = graph.get(id)
        if id == item.id:
            return "PREREQUISITE_CYCLE", f"{id} depends on itself", {"item_id": id}
        if other is None:
            return "PREREQUISITE_MISSING", f"{id} does not exist", {"item_id": id}
        field_name = item.kind.meaning_field
        if field_name and item.payload.get(field_name) == id and other.kind != "meaning":
            return "PREREQUISITE_TYPE", f"{id} is a {other.kind}, not a meaning", {"item_id": id}
        if other.language != item.language:
            return (
                "PREREQUISITE_LANGUAGE",
                f"{id} is in {other.language}, not {item.language}",
                {"item_id": id},
            )
        if LEVELS.index(other.level) > LEVELS.index(item.level):
            return (
                "PREREQUISITE_LEVEL",
                f"{id} is of level {other.level}, above {item.level}",
                {"item_id": id},
            )
    return _cycle(item, graph)


def _cycle(item: Item, graph: Mapping[str, Neighbour]) -> Problem | None:
    waiting = list(item.kind.prerequisites(item.payload))
    seen: set[str] = set()
    while waiting:
        id = waiting.pop()
        if id == item.id:
            return "PREREQUISITE_CYCLE", "what it depends on depends on it", {"item_id": id}
        if id not in seen:
            seen.add(id)
            waiting += graph[id].prerequisites if id in graph else []
    return None


FAST: Mapping[str, Callable[[Item], Problem | None]] = {
    "schema": check_schema,
    "language_standard": check_language,
    "orthography": check_orthography,
    "level": check_level,
    "safety": check_safety,
}
NEVER_RETRIED = frozenset({"schema", "safety", "duplication", "orthography"})
