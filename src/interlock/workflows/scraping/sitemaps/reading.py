"""Reads a sitemap whatever it is: XML of pages or of other sitemaps, RSS, Atom, plain text, packed or not, well formed or not."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from html.entities import html5
from io import BytesIO
from string import whitespace
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from lxml import etree

from ..web.addresses import BadAddress, read_url, without_www
from ..web.faults import FetchFault
from ..web.text import decode, unescape
from ..web.unpacking import BadEncoding, TooLarge, unpack

Kind = Literal["urlset", "index", "rss", "atom", "text"]
MOST_URLS = 50_000
"""The most that the protocol allows in one file; what stands behind is counted and left out."""
MOST_BYTES = 60_000_000
"""Unpacked. The protocol allows 50 MB."""
LONGEST_LINE = 20_000
_HTML = re.compile(rb"^\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_ENTITIES = re.compile(rb"<!ENTITY", re.IGNORECASE)
_STRAY = re.compile(rb"&(?!(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)(?:([A-Za-z]{2,10});)?")
_CDATA = re.compile(rb"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)
_LOC = re.compile(rb"<loc>\s*(?:<!\[CDATA\[)?\s*([^<>\]]{1,3000})(?=<|\]\]>)", re.IGNORECASE)
_LOOKS_XML = re.compile(rb"^\s*<")
_ROOT = re.compile(rb"<(?:[\w-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>/]", re.IGNORECASE)
_IN_PAGE = re.compile(rb"<(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
"""A list that a server wraps into a web page."""
_PROLOG = re.compile(rb"^\s*(?:<\?|<!)")
_ENCODING = re.compile(r"^(\s*<\?xml[^>]*?)\s+encoding\s*=\s*[\"'][^\"']*[\"']")
_OTHER_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["'](?!utf-?8["'])""", re.IGNORECASE)
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,9}://")
_BARE_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,24}(?=[/?]|$)", re.IGNORECASE)
_UNMARKED = {b"<\x00": b"\xff\xfe", b"h\x00": b"\xff\xfe", b"\x00<": b"\xfe\xff", b"\x00h": b"\xfe\xff"}
"""How UTF-16 begins that lacks its mark, and the mark."""
_BLANK = f"{whitespace}\u0085\u00a0\u2000\u2002\u2003\u2009\u200b\u2028\u2029\u202f\u2060\u3000\ufeff"
"""What stands round an address and is not seen."""
MOST_BEFORE = 50_000
"""Bytes of warnings and the like that may stand before a sitemap."""


@dataclass
class Sitemap:
    """What one file gave: pages, further sitemaps, and how many lines were no address."""

    kind: Kind
    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    skipped: int = 0
    left_out: int = 0
    is_broken: bool = False
    """Its XML ends too early or is not well formed; what could be read is kept."""


def read_sitemap(content: bytes, url: str, content_type: str = "") -> Sitemap:
    """Read a fetched file; FetchFault where it is no sitemap."""
    try:
        content = unpack(content, MOST_BYTES)
    except TooLarge as error:
        raise FetchFault("TOO_LARGE", f"{url} unpacks to more than {MOST_BYTES} bytes") from error
    except BadEncoding as error:
        raise FetchFault("BAD_ENCODING", f"{url}: {error}") from error
    if content[:2] in _UNMARKED:
        content = _UNMARKED[content[:2]] + content
    content = content.lstrip(b"\xef\xbb\xbf \t\r\n\x00")
    if not content:
        raise FetchFault("NOT_A_SITEMAP", f"{url} is empty")
    if _HTML.match(content[:2000]):
        if (listed := _IN_PAGE.search(content, 0, MOST_BEFORE)) is None:
            raise FetchFault("NOT_A_SITEMAP", f"{url} is a web page, no sitemap")
        content = content[listed.start() :]
    content = _as_utf8(content, content_type)
    content = _without_preface(content)
    if not _LOOKS_XML.match(content):
        return _read_text(decode(content, content_type), url)
    if _ENTITIES.search(content[:100_000]):
        raise FetchFault("ENTITIES", f"{url} declares entities, which no sitemap needs")
    return _read_xml(_with_escapes(content), url)


def _as_utf8(content: bytes, content_type: str) -> bytes:
    """The file in UTF-8 without a declaration of another encoding, and without characters that XML forbids."""
    is_wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    if is_wide or _OTHER_ENCODING.match(content) or not _is_utf8(content):
        content = _ENCODING.sub(r"\1", decode(content, content_type)).encode()
    return _CONTROL.sub(b"", content) if _CONTROL.search(content) else content


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _without_preface(content: bytes) -> bytes:
    """XML without what a server printed before it, such as warnings of its scripts."""
    root = _ROOT.search(content, 0, MOST_BEFORE)
    if root is None or root.start() == 0 or _PROLOG.match(content):
        return content
    declared = content.rfind(b"<?xml", 0, root.start())
    return content[declared if declared >= 0 else root.start() :]


def _with_escapes(content: bytes) -> bytes:
    """XML in which every stray `&` is escaped: many sites write addresses with parameters as they are."""
    if not _STRAY.search(content):
        return content
    parts = _CDATA.split(content)
    return b"".join(part if number % 2 else _STRAY.sub(_escape, part) for number, part in enumerate(parts))


def _escape(stray: re.Match[bytes]) -> bytes:
    """An `&` that begins the name of a letter in HTML as that letter, any other one escaped."""
    named = html5.get(f"{stray[1].decode()};") if stray[1] else None
    return f"&#{ord(named)};".encode() if named and len(named) == 1 else b"&amp;" + stray[0][1:]


def _read_text(text: str, url: str) -> Sitemap:
    """One address on each line; a line that is none is counted, also one that goes on behind the name of a host without a scheme."""
    sitemap = Sitemap("text")
    adding = _Adding(sitemap, url)
    for line in text.splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            is_address = len(line) < LONGEST_LINE and (len(words) == 1 or _SCHEME.match(words[0]))
            adding.page(words[0]) if is_address else adding.skip()
    if not sitemap.pages:
        raise FetchFault("NOT_A_SITEMAP", f"{url} has no line that is an address")
    return sitemap


class _Adding:
    """Adds addresses once each."""

    def __init__(self, sitemap: Sitemap, url: str) -> None:
        self._sitemap, self._base, self._seen = sitemap, url, set[str]()

    def page(self, text: str, *, is_relative: bool = False) -> None:
        self._add(self._sitemap.pages, text, is_relative)

    def skip(self) -> None:
        self._sitemap.skipped += 1

    def sitemap(self, text: str) -> None:
        self._add(self._sitemap.sitemaps, text, True)

    def _add(self, to: list[str], text: str, is_relative: bool) -> None:
        text = text.strip(_BLANK)
        trimmed = self._with_scheme(unescape(text) if "&amp;" in text else text)
        if not trimmed:
            return
        try:
            if not is_relative and not _SCHEME.match(trimmed):
                raise BadAddress("no address")
            url = read_url(trimmed, self._base)
        except BadAddress:
            self._sitemap.skipped += 1
            return
        if url in self._seen:
            return
        if len(self._seen) >= MOST_URLS:
            self._sitemap.left_out += 1
            return
        self._seen.add(url)
        to.append(url)

    def _with_scheme(self, text: str) -> str:
        """An address that names its site without a scheme, `www.a.com/x`, with that of this file."""
        bare = _BARE_HOST.match(text)
        parts = urlsplit(self._base)
        if bare is None or without_www(bare[0].lower()) != without_www(parts.hostname or ""):
            return text
        return f"{parts.scheme}://{text}"


def _text(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _local(tag: object) -> str:
    """The name of an element without its namespace, in lower case; empty for comments and the like."""
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


_KINDS: dict[str, Kind] = {
    "urlset": "urlset",
    "sitemapindex": "index",
    "rss": "rss",
    "rdf": "rss",
    "channel": "rss",
    "feed": "atom",
    "sitemap": "index",  # entries without the element around them
    "url": "urlset",
    "item": "rss",
    "entry": "atom",
}
_ENTRIES = {"url", "sitemap", "item", "entry"}


def _kind_of(name: str, url: str) -> Kind:
    """What a file is by its first element."""
    if name not in _KINDS:
        raise FetchFault("NOT_A_SITEMAP", f"{url} is XML of {name[:40] or 'another kind'}, no sitemap")
    return _KINDS[name]


def _read_xml(content: bytes, url: str) -> Sitemap:
    sitemap: Sitemap | None = None
    adding: _Adding | None = None
    try:
        parsed = _elements(content)
        for event, element in parsed:
            name = _local(element.tag)
            if sitemap is None:
                sitemap = Sitemap(_kind_of(name, url))
                adding = _Adding(sitemap, url)
            if event == "end" and name in _ENTRIES:
                assert adding is not None
                _add_entry(adding, name, element)
                _forget(element)
    except etree.XMLSyntaxError as error:
        if sitemap is None:
            raise FetchFault("NOT_A_SITEMAP", f"{url} is no XML: {error.msg or error}"[:300]) from error
        sitemap.is_broken = True
    if sitemap is None:
        raise FetchFault("NOT_A_SITEMAP", f"{url} has no element")
    sitemap.is_broken |= len(parsed.error_log) > 0
    if sitemap.is_broken and adding is not None:
        _drop_cut_address(sitemap, content, url)
        _add_missed(adding, sitemap, content)
    if sitemap.kind == "urlset" and sitemap.sitemaps and not sitemap.pages:
        sitemap.kind = "index"
    elif sitemap.kind == "index" and sitemap.pages and not sitemap.sitemaps:
        sitemap.kind = "urlset"
    return sitemap


def _add_missed(adding: _Adding, sitemap: Sitemap, content: bytes) -> None:
    """Add the addresses of a broken file that the parser passed over: behind a tag that is not closed, or in a second document."""
    if sitemap.kind not in ("urlset", "index"):
        return
    skipped = sitemap.skipped
    for match in _LOC.finditer(content):
        text = unescape(decode(match[1]))
        adding.sitemap(text) if sitemap.kind == "index" else adding.page(text, is_relative=True)
    sitemap.skipped = skipped  # they were counted when they were parsed


def _drop_cut_address(sitemap: Sitemap, content: bytes, base: str) -> None:
    """Remove the last address where the file ends in the middle of it: the parser keeps its beginning."""
    cut = re.search(rb"<(?:\w+:)?(?:loc|link)\b[^>]*>\s*([^<]*)$", content[-3000:])
    found = sitemap.pages or sitemap.sitemaps
    if cut is not None and found:
        with suppress(BadAddress):
            if read_url(decode(cut[1]), base) == found[-1]:
                found.pop()


def _elements(content: bytes) -> Any:
    """The elements of a file as they begin and end: entities stay unread, nothing is fetched, faults are passed over."""
    return etree.iterparse(
        BytesIO(content),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        recover=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _add_entry(adding: _Adding, name: str, element: etree._Element) -> None:
    if name in ("url", "sitemap"):
        for child in element:
            if _local(child.tag) == "loc":  # that of an image stands deeper
                text = _text(child)
                adding.sitemap(text) if name == "sitemap" else adding.page(text, is_relative=True)
    elif name == "item":
        _add_item(adding, element)
    else:
        _add_atom_entry(adding, element)


def _add_item(adding: _Adding, element: etree._Element) -> None:
    links = [
        child for child in element if _local(child.tag) == "origlink"
    ]  # where the feed counts its readers first
    links += [child for child in element if _local(child.tag) == "link"]
    for link in links:
        text = _text(link).strip() or (link.get("href") or "")
        if text:
            adding.page(text, is_relative=True)
            return
    for child in element:
        if _local(child.tag) == "guid" and child.get("isPermaLink", "true").lower() != "false":
            adding.page(_text(child))
            return


def _add_atom_entry(adding: _Adding, element: etree._Element) -> None:
    links = [child for child in element if _local(child.tag) == "link" and child.get("href")]
    chosen = [link for link in links if (link.get("rel") or "alternate") == "alternate"]
    for link in chosen[:1]:
        adding.page(_with_base(link), is_relative=True)


def _with_base(link: etree._Element) -> str:
    """The address of a link of Atom, from the base that it or an element around it names."""
    href = link.get("href") or ""
    with suppress(ValueError):
        for element in (link, *link.iterancestors()):
            if base := element.get(_BASE):
                href = urljoin(base, href)
    return href


def _forget(element: etree._Element) -> None:
    """Drop what was read, so that memory stays flat."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
