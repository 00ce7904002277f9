"""Reads what a page says of itself for machines: JSON-LD, microdata and RDFa."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

from ..web.addresses import without_www
from ..web.page import Page
from ..web.text import clean, unescape
from .countries import COUNTRY_NAMES
from .scripts import decode_base64, undo_escapes

DEEPEST, MOST_BLOCKS, LONGEST_BLOCK = 12, 50, 500_000
_COMMENTS = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/)\s*$"
)
_TRAILING = re.compile(r",\s*([}\]])")
_FIELD = re.compile(
    r'"(email|telephone|faxNumber|sameAs|addressCountry)"\s*:\s*(\[[^\]]{1,5000}\]|"[^"\n]{1,500}")'
)
_TEXT = re.compile(r'"([^"\n]{1,500})"')
_SCRIPT_FIELD = re.compile(
    r"""(?<![\w$])["']?([A-Za-z][\w-]{1,40})["']?\s*:\s*(?:\[\s*(?:\d\s*,\s*)?)?(?:"([^"<>\n]{5,300})"|'([^'<>\n]{5,300})')"""
)
_IS_DATA = re.compile(r"__next_f\.push|window\.__\w+__\s*=|JSON\.parse\(")
"""What a script has that hands over the content of a page, which is then shown."""
_USER_BEFORE = re.compile(r"(mailto:)?([\w.+%-]{1,64})$", re.IGNORECASE)
_HOST_BEHIND = re.compile(r"(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w@-])")
MOST_SIGNS = 1000
_DIALLED = re.compile(r"(tel|mailto):", re.IGNORECASE)
_CARD = re.compile(r"data:text/(?:x-)?(?:vcard|directory|calendar)\b", re.IGNORECASE)
_CARD_LINE = re.compile(
    r"^(?:item\d+\.)?(EMAIL|TEL|URL)((?:;[^:\r\n]{0,80})?):([^\r\n]{3,200})", re.IGNORECASE | re.MULTILINE
)
_ORGANIZER = re.compile(r"^ORGANIZER[^:\r\n]{0,80}:mailto:([^\r\n]{3,200})", re.IGNORECASE | re.MULTILINE)
"""Whom the date of a calendar names as its host."""
_CARD_NAMES = {"EMAIL": "email", "TEL": "telephone", "URL": "sameas"}
MOST_SCRIPT_DATA = 1_000_000
_NAMES_IN_SCRIPTS = {
    "email": re.compile(r"(?i:\w*e[_-]?mail(?:[_-]?address)?|\w+[_-]mail|mail|mailto|mailaddress)"),
    "telephone": re.compile(
        r"(?i:(?:\w*[_-])?(?:tele)?phone(?:[_-]?number)?|tel|tlf|gsm|fon|handy|cell(?:phone)?|mobil|mobiel|m[óo]vil|celular|t[ée]l[ée][fp](?!ax)\w{1,9}|mobile(?:[_-]?number)?)|\w*Phone(?:Number)?|\w+Tel"
    ),
    "faxNumber": re.compile(r"(?i:(?:\w*[_-])?fax(?:[_-]?number)?)|\w*Fax(?:Number)?"),
    "sameAs": re.compile(
        r"(?i:(?:\w*[_-])?(?:facebook|twitter|instagram|linkedin|youtube|tiktok|pinterest|github|xing|threads|bluesky|mastodon|telegram|whatsapp|vk|vimeo|discord|snapchat)(?:[_-]?(?:url|link|href|profile|page))?|(?:profile|social|account|channel|page)[_-]?(?:url|link|href|uri)|sameas|url|href|link)"
    ),
}
"""The names under which scripts keep contacts, by the field of schema.org that each stands for."""


@dataclass
class StructuredData:
    """What a page states: addresses, numbers, numbers of faxes, profiles, and the country it is in."""

    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    faxes: list[str] = field(default_factory=list)
    profiles: list[str] = field(default_factory=list)
    country: str = ""


def read_structured_data(page: Page) -> StructuredData:
    """What JSON-LD, microdata, RDFa and the data that its scripts begin with state; what cannot be read is passed over."""
    stated = StructuredData()
    for block in _blocks(page):
        for name, value in _pairs(block, 0):
            _add(stated, name, value)
    for name, value in _script_fields(page):
        _add(stated, name, value)
    for name, value in _cards(page):
        _add(stated, name, value)
    for element in page.elements():
        for name in (element.get("itemprop") or element.get("property") or "").split():
            _add(stated, name.rpartition(":")[2], _value_of(element))
        if name := _card_field(element):
            _add(stated, name, _card_value(element))
    return stated


def _script_fields(page: Page) -> Iterator[tuple[str, str]]:
    """(field, text) of contacts in the data that scripts of a page begin with, and in attributes that hand such data to them."""
    left = MOST_SCRIPT_DATA
    for text in _script_data(page):
        if left <= 0:
            return
        yield from _fields(text[:left].replace('\\"', '"'), page.url)
        if text[:1] in "{[" or _IS_DATA.search(text[:10_000]):
            yield from (("email", one) for one in _shown_later(text[:left], page.url))
        left -= len(text)


def _script_data(page: Page) -> Iterator[str]:
    for element in islice(page.tree.iter("script"), 1000):
        if "ld+json" not in (element.get("type") or "").lower():
            yield "".join(map(str, element.itertext())).strip()
    for element in page.elements():
        for value in element.attrib.values():
            text = str(value)
            if text[:1] in ("{", "[") and ":" in text:
                yield text


def _fields(text: str, url: str) -> Iterator[tuple[str, str]]:
    """(field, text) of contacts by the names they stand under: `"supportEmail": "…"`; under any other name, addresses of the site."""
    for match in _SCRIPT_FIELD.finditer(text):
        value = undo_escapes(match[2] or match[3])
        if link := _DIALLED.match(value):
            yield "email" if link[1].lower() == "mailto" else "telephone", value
        elif field := _field_of(match[1]):
            yield field, value
        elif "@" in value and _is_of_site(value, url):
            yield "email", value


def _shown_later(text: str, url: str) -> Iterator[str]:
    """The addresses within the texts of data that a script shows: those of the site, and those of links that write to them."""
    if ("@" not in text and "\\u0040" not in text) or "&q;" in text:
        return  # nothing, or written so that no page shows it as it is
    plain = undo_escapes(undo_escapes(text))
    for match in islice(re.finditer("@", plain), MOST_SIGNS):
        user = _USER_BEFORE.search(plain[max(0, match.start() - 80) : match.start()])
        host = _HOST_BEHIND.match(plain[match.end() : match.end() + 200])
        if user and host and (user[1] or _is_of_site(f"{user[2]}@{host[0]}", url)):
            yield f"{user[2]}@{host[0]}"


def _cards(page: Page) -> Iterator[tuple[str, str]]:
    """(field, text) of the vCards and of the dates that links of a page carry in themselves."""
    for link in page.links:
        kind, mark, body = link.href.partition(",")
        if not mark or not _CARD.match(kind):
            continue
        text = decode_base64(body) if kind.lower().endswith(";base64") else unquote(body)
        if "calendar" in kind.lower():
            yield from (("email", match[1]) for match in islice(_ORGANIZER.finditer(text), 50))
        else:
            for match in islice(_CARD_LINE.finditer(text), 50):
                name = "faxnumber" if "FAX" in match[2].upper() else _CARD_NAMES[match[1].upper()]
                yield name, match[3]


def _is_of_site(address: str, url: str) -> bool:
    """Whether a text is nothing but an address at the host of a page, or at the one that it is a part of."""
    _, _, host = address.rpartition("@")
    site = without_www((urlsplit(url).hostname or "").lower())
    return "." in host and (site == host.lower() or site.endswith(f".{host.lower()}"))


def _field_of(name: str) -> str:
    """The field that a name in a script stands for; empty for all others."""
    return next((field for field, pattern in _NAMES_IN_SCRIPTS.items() if pattern.fullmatch(name)), "")


def _card_field(element: Any) -> str:
    """The field of an hCard that an element is by its classes: `tel` or `email`; empty for all others and for faxes."""
    classes = set((element.get("class") or "").split())
    if classes & {"tel", "p-tel"}:
        return "" if "fax" in classes or re.search(r"\bfax\b", _text(element), re.IGNORECASE) else "tel"
    return "email" if classes & {"email", "u-email"} else ""


def _card_value(element: Any) -> str:
    """What the field of an hCard has as its value: an element of its own for it, its link, or its text."""
    for inner in element.iter():
        if isinstance(inner.tag, str) and "value" in (inner.get("class") or "").split():
            return str(inner.get("title") or "") or _text(inner)
    return _value_of(element)


def _text(element: Any) -> str:
    return "".join(map(str, element.itertext()))[:1000]


def _blocks(page: Page) -> Iterator[Any]:
    for number, element in enumerate(page.tree.iter("script")):
        if number >= 1000:
            return
        if "ld+json" in (element.get("type") or "").lower():
            text = (
                _COMMENTS.sub("", "".join(map(str, element.itertext()))[:LONGEST_BLOCK]).strip().rstrip(";")
            )
            yield _read_json(text)


def _read_json(text: str) -> Any:
    """What a block says; where it is not quite JSON, the names that matter and their texts."""
    for one in (text, _TRAILING.sub(r"\1", text)):
        with suppress(ValueError, RecursionError):
            return json.loads(one, strict=False)
    return [
        {match[1]: unescape(value.replace("\\/", "/"))}
        for match in _FIELD.finditer(text)
        for value in _TEXT.findall(match[2])
    ]


def _pairs(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """(name, text) of everything in a JSON value."""
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        for name, inner in list(value.items())[:1000]:
            for one in inner if isinstance(inner, list) else [inner]:
                text = one.get("name") if isinstance(one, dict) and name == "addressCountry" else one
                if isinstance(text, str):
                    yield str(name), text
            yield from _pairs(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value[:1000]:
            yield from _pairs(inner, depth + 1)


def _value_of(element: Any) -> str:
    for name in ("content", "href", "src", "datetime"):
        if value := element.get(name):
            return str(value)
    return _text(element)


def _add(stated: StructuredData, name: str, value: str) -> None:
    text = clean(value).strip()
    if not text or len(text) > 2_000:
        return
    match name.lower():
        case "email":
            stated.emails.append(re.sub(r"^mailto:", "", text, flags=re.IGNORECASE).partition("?")[0])
        case "telephone" | "phone" | "tel" | "phone_number":
            stated.phones.append(re.sub(r"^tel:", "", text, flags=re.IGNORECASE))
        case "faxnumber" | "fax":
            stated.faxes.append(re.sub(r"^(?:fax|tel):", "", text, flags=re.IGNORECASE))
        case "sameas":
            stated.profiles.append(text)
        case "addresscountry" | "country-name" if not stated.country:
            stated.country = COUNTRY_NAMES.get(text.casefold(), text.upper() if len(text) == 2 else "")
        case _:
            pass
