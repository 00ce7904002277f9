"""Cuts an OFX text into tags and values: SGML without closing tags and XML alike; nothing is expanded, so nothing can explode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...parsed import ParseFault

LONGEST_VALUE = 4_096
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_.\-]{0,40})\s{0,64}(/?)>|<!\[CDATA\[")
_LITERAL = re.compile(r"\s*<!\[CDATA\[")
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
_DECLARATION = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class Tag(NamedTuple):
    """`<NAME>value`, or the end of an aggregate. A start without a value is an aggregate, or an element that is empty."""

    name: str
    value: str
    closes: bool = False


def tags(text: str) -> Iterator[Tag]:
    """Every tag in order, with the text that follows it. Declarations of entities are refused before anything is read."""
    if _DECLARATION.search(text):
        raise ParseFault("XML_ENTITIES", "the file declares a document type or entities; OFX has neither, and they are not expanded")
    position = 0
    while (found := _TAG.search(text, position)) is not None:
        position = found.end()
        if found[2] is None:
            continue
        if found[1] or found[3]:
            yield Tag(found[2].upper(), "", True) if found[1] else Tag(found[2].upper(), "")
            continue
        value, position = _value(text, position)
        yield Tag(found[2].upper(), value)


def _value(text: str, position: int) -> tuple[str, int]:
    """Up to the next tag; a bare `<` or `&` is text like any other."""
    if (literal := _LITERAL.match(text, position)) is not None:
        start = literal.end()
        end = text.find("]]>", start)
        end = len(text) if end < 0 else end
        return " ".join(text[start:min(end, start + LONGEST_VALUE)].split()), end
    following = _TAG.search(text, position)
    end = following.start() if following is not None else len(text)
    return unescape(" ".join(text[position:min(end, position + LONGEST_VALUE)].split())), end


def unescape(text: str) -> str:
    """The few entities that banks use, once; one that is not known stays as it is printed."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    if found[3]:
        return _NAMED.get(found[3].lower(), found[0])
    code = int(found[1]) if found[1] else int(found[2], 16)
    return chr(code) if 32 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else " "
