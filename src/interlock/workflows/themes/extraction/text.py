"""Articles as sentences and words: plain text out of HTML, sentence borders, words with their places and singular forms."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .canonical import singular

MOST_CHARACTERS: Final = 10_000
SHORT_ARTICLE: Final = 80
"""Words. In so short a text one phrase is enough to make a theme."""
MOST_MARKUP: Final = 200_000
"""Characters, tags included, from which the text comes."""
_BLOCK: Final = re.compile(
    r"</?(?:p|div|br|li|ul|ol|h[1-6]|tr|table|article|section|blockquote)\b[^<>]*>", re.IGNORECASE
)
_LIST_ITEM: Final = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_HIDDEN: Final = re.compile(r"<(script|style|noscript)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"<[a-zA-Z/!][^<>]*>")
_BORDER: Final = re.compile(r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9$])|\n+")
ABBREVIATION: Final = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Inc|Corp|Co|Ltd|Cos|Bros|St|vs|No|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|approx|est|Gov|Sen|Rep)|\b[A-Z](?:\.[A-Z])*)\.$"
)
_WIRE_PREFIX: Final = re.compile(
    r"^(?:(?:BRIEF|UPDATE|WRAPUP|EXCLUSIVE|REFILE|CORRECTED|ANALYSIS|FACTBOX|PREVIEW|RPT|GRAPHIC|BREAKING|POLL|INSIGHT|COLUMN|FOCUS|ALERT|"
    r"LIVE|TABLE|TIMELINE|EXPLAINER)(?: \d+)?\s?[-:|–—]\s?)+"
)
"""What wire services put before a headline: `UPDATE 2-`."""
_BOILERPLATE: Final = re.compile(
    r"(?:^|(?<=[.!?”\"] )|(?<=\n))(?:Cautionary (?:Note|Statement)s?\b|Safe Harbor\b|Forward[- ][Ll]ooking [Ss]tatements?\b|"
    r"(?:This|The) (?:press release|news release|announcement|release) (?:contains|includes|may contain) "
    r"(?:certain )?[\"“]?forward[- ]looking|(?:About|ABOUT) [A-Z][\w&.,’' -]{1,60}\n|Disclaimer:)"
)
"""How the part of a press release begins that is in all of them: warnings of lawyers, and what the company is."""
LEAST_BEFORE_BOILERPLATE: Final = 150
"""Characters of news; a text that begins so is about something else."""
_BULLET: Final = re.compile(r"^[*•‣▪–-]\s?(?=[\w$\"“])")
_WORD: Final = re.compile(r"[^\W_]+(?:\.[^\W_]+)*(?:['’][^\W_]+)*\+?", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a sentence: as it is in the text, in the form for matching, and where it begins and ends."""

    raw: str
    form: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """A sentence with its words; the title of an article is its first sentence."""

    text: str
    words: tuple[Word, ...]
    is_title: bool = False
    is_lead: bool = False


def plain_text(text: str) -> str:
    """Return the text without tags and entities, with one line for each paragraph."""
    if "<" in text:
        text = _TAG.sub(" ", _BLOCK.sub("\n", _LIST_ITEM.sub("\n• ", _HIDDEN.sub(" ", text))))
    text = html.unescape(text).replace("\xa0", " ").replace("\x00", " ")
    return "\n".join(line for line in (" ".join(one.split()) for one in text.splitlines()) if line)


def article_text(content: str) -> str:
    """Return what is read of an article: its first 10,000 characters without tags."""
    return plain_text((content or "")[:MOST_MARKUP])[:MOST_CHARACTERS]


def split_article(title: str, content: str) -> list[Sentence]:
    """Return the title and the sentences of the first 10,000 characters; the first two sentences are the lead, and each item of a
    short list is news of its own. What all press releases end with is left out."""
    sentences = []
    heading = _WIRE_PREFIX.sub("", " ".join(plain_text(title or "").split()).lstrip("* "))
    if heading:
        sentences.append(Sentence(heading, split_words(heading), is_title=True))
    body = _without_boilerplate(article_text(content))
    is_short = len(body.split()) < SHORT_ARTICLE
    for number, text in enumerate(_split_sentences(body)):
        bullet = _BULLET.match(text)
        plain = text[bullet.end() :] if bullet else text
        is_item = is_short and bullet is not None
        sentences.append(Sentence(plain, split_words(plain), is_lead=number < 2 or is_item))
    return sentences


def _without_boilerplate(text: str) -> str:
    found = _BOILERPLATE.search(text, LEAST_BEFORE_BOILERPLATE)
    return text[: found.start()] if found else text


def _split_sentences(text: str) -> list[str]:
    sentences: list[str] = []
    start = 0
    for border in _BORDER.finditer(text):
        piece = text[start : border.start()]
        if ABBREVIATION.search(piece[-12:]) and "\n" not in border.group():
            continue
        sentences.append(text[start : border.end()].strip())
        start = border.end()
    sentences.append(text[start:].strip())
    return [one for one in sentences if one]


def split_words(text: str) -> tuple[Word, ...]:
    """Return the words of a text; words joined by a hyphen are words of their own."""
    return tuple(
        Word(match.group(), word_form(match.group()), match.start(), match.end())
        for match in _WORD.finditer(text)
    )


@lru_cache(maxsize=50_000)
def word_form(raw: str) -> str:
    """Return the form of a word for matching: lower-case, without a possessive, in the singular."""
    word = raw.casefold().replace("’", "'")
    return singular(word.removesuffix("'s"))


def shorten(text: str, most: int) -> str:
    """Return at most so many characters, cut at a space and ended by an ellipsis where something is missing."""
    if len(text) <= most:
        return text
    return f"{text[: most - 1].rsplit(' ', 1)[0]}…"
