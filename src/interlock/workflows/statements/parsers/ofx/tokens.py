"""Cuts an OFX text into tags and values: SGML without closing tags and XML alike; nothing is expanded, so nothing can explode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...parsed import ParseFault

LONGEST_VALUE = 4_096
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_.\-]{0,40})\s{0,64}(/?)>|<!\[CDATA\[")
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NAMESPACE = re.compile(r"\sxmlns(?::\w{1,20})?=(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}')")
_PREFIX = re.compile(r"<(/?)ofx\d{0,2}:", re.IGNORECASE)
"""The prefix of a namespace, which some programs write before every tag."""
_DECLARATION = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class Tag(NamedTuple):
    """`<NAME>value`, or the end of an aggregate. A start without a value is an aggregate, or an element that is empty."""

    name: str
    value: str
    closes: bool = False


def tags(text: str) -> Iterator[Tag]:
    """Every tag in order, with the text that follows it. Declarations of entities are refused before anything is read."""
    if _DECLARATION.search(text):
        raise ParseFault(
            "XML_ENTITIES",
            "the file declares a document type or entities; OFX has neither, and they are not expanded",
        )
    text = _NAMESPACE.sub(" ", _PREFIX.sub(r"<\1", _COMMENT.sub(" ", text)))
    found = _TAG.search(text)
    while found is not None:
        following = _TAG.search(text, found.end())
        name = found[2]
        if name is None:  # a literal that no element precedes
            following = _TAG.search(text, _end_of_literal(text, found.end()))
        elif found[1]:
            yield Tag(name.upper(), "", True)
        elif found[3]:  # an element of XML that is empty ends where it begins
            yield Tag(name.upper(), "")
            yield Tag(name.upper(), "", True)
        elif (
            following is not None
            and following[2] is None
            and not text[found.end() : following.start()].strip()
        ):
            end = _end_of_literal(text, following.end())
            yield Tag(
                name.upper(),
                " ".join(text[following.end() : min(end, following.end() + LONGEST_VALUE)].split()),
            )
            following = _TAG.search(text, end)
        else:
            yield Tag(
                name.upper(),
                _value(text, found.end(), following.start() if following is not None else len(text)),
            )
        found = following


def _end_of_literal(text: str, start: int) -> int:
    end = text.find("]]>", start)
    return len(text) if end < 0 else end


def _value(text: str, start: int, end: int) -> str:
    """Up to the next tag; a bare `<` or `&` is text like any other."""
    if end - start < 2:
        return text[start:end].strip()
    value = text[start : min(end, start + LONGEST_VALUE)].strip()
    return unescape(" ".join(value.split()) if "\n" in value or "  " in value else value)


def unescape(text: str) -> str:
    """The few entities that banks use, once; one that is not known stays as it is printed."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    if found[3]:
        return _NAMED.get(found[3].lower(), found[0])
    code = int(found[1]) if found[1] else int(found[2], 16)
    return chr(code) if 32 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else " "
