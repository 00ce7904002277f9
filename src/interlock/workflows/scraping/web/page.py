"""A web page as a tree: what a reader sees of it, its links, and what it says about itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import islice
from typing import Any

from lxml import etree, html

from .addresses import BadAddress, read_url
from .faults import FetchFault
from .fetching import Fetched
from .text import clean, decode, shorten
from .walls import detect_wall

MOST_LINKS = 20_000
MOST_TEXT = 2_000_000
MOST_ELEMENTS = 100_000
"""What is behind so many elements is not looked at: no page needs them, and reading them costs seconds."""
MOST_TAGS = 2 * MOST_ELEMENTS
"""What is behind so many tags is not even parsed: elements begin and end with one, and half a million elements take 400 MB."""
LONGEST_TITLE, LONGEST_DESCRIPTION = 300, 1_000
_MEDIA = {"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""}
_UNSEEN = {
    "script",
    "style",
    "template",
    "head",
    "title",
    "math",
    "object",
    "iframe",
    "select",
    "textarea",
}
_BLOCKS = {
    "p", "div", "li", "ul", "ol", "td", "th", "tr", "table", "br", "hr", "section", "article", "header", "footer", "address", "h1", "h2",
    "h3", "h4", "h5", "h6", "dd", "dt", "dl", "form", "nav", "aside", "main", "blockquote", "pre", "figure", "figcaption", "body", "label",
    "button", "option", "center", "fieldset", "legend", "caption", "tbody", "thead", "summary", "details",
}  # fmt: skip
_SIGNS = frozenset({"@", "at", "ät", ".", "dot", "punkt"})
"""What the picture of a sign has as its text."""
_KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE)
_REVERSED = re.compile(
    r"direction\s*:\s*rtl[^}]*unicode-bidi|unicode-bidi\s*:\s*bidi-override", re.IGNORECASE
)

_WRITTEN_IN_PLACE = re.compile(
    r"""\s*(?:<!--\s*)?document\.write(?:ln)?\(\s*(?:'([^'"<>\\\n]{1,100})'|"([^'"<>\\\n]{1,100})")\s*\)\s*;?\s*"""
)
"""A script that writes nothing but one text where it stands."""
MOST_WRITTEN = 1000
_CLASS = re.compile(r"(?:^|,)\s*(?:span|b|i|em|strong|small|s|u|del|code|bdo)?\.([\w-]+)\s*(?=,|$)")
MOST_STYLE = 200_000
_INLINE = {"span", "b", "i", "em", "strong", "small", "s", "u", "del", "code", "bdo", "font"}
"""Elements in which an address is taken apart or filled up; a block that a style hides may be opened by its reader."""
_ICON = {"i", "span", "svg", "use", "em", "img"}
_PHONE_ICON = re.compile(
    r"(?:^|[\s#/_-])(?:tele)?(?:phone|tel|mobile|cellphone|whatsapp|handy)(?:[\s_.-]|$)", re.IGNORECASE
)
_AT_ICON = re.compile(r"(?:^|[\s#/_-])at(?:[\s_.-]|$)", re.IGNORECASE)
_FAX_ICON = re.compile(r"(?:^|[\s#/_-])(?:tele)?fax(?:[\s_.-]|$)", re.IGNORECASE)
_PICTURE = re.compile(
    r"(?:^|/)(?:(?:icons?|ico|ic|img|small)[._-])?(?:(phone|telephone|telefon|tel|mobile|mobil|handy|call)|((?:tele)?fax)|(at|arobase|arroba|klammeraffe|snabel))"
    r"(?:[._-](?:icons?|ico|white|black|dark|small|sign|symbol|\d{1,3}))*(?:@\dx)?\.(?:png|gif|svg|webp|jpe?g)(?:\?.*)?$",
    re.IGNORECASE,
)
"""The file of a picture that stands for a phone, a fax, or an @."""
_CONTENT = re.compile(r"(?:^|[;{\s])content\s*:([^;]{1,300})", re.IGNORECASE)
_CONTENT_PART = re.compile(
    r""""((?:[^"\\\n]|\\.){0,200})"|'((?:[^'\\\n]|\\.){0,200})'|attr\(\s*([\w-]{1,60})\s*\)"""
)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_ADDED = re.compile(
    r"(?:^|,)\s*\w{0,10}(\.[\w-]+|#[\w-]+|\[[\w-]+\])::?(before|after)\s*(?=,|$)", re.IGNORECASE
)
"""(class, id or attribute; place) of the texts that a style sheet puts before or behind elements."""
MOST_ADDED = 300
"""Letters that style sheets may put at one element."""
_ADDRESS_ALONE = re.compile(r"\s*[^\s@]{1,64}@[^\s@]{1,190}\.[A-Za-z]{2,24}\s*")


@dataclass(frozen=True)
class Link:
    """Where a link leads, as written, what it shows, and what its classes, its icon and its label call it."""

    href: str
    text: str
    rel: str = ""
    names: str = ""


class Page:
    """A parsed page. Everything on it is hostile: sizes are limited, nothing is fetched or run."""

    def __init__(self, url: str, text: str) -> None:
        self.url = url
        self.source = text = _with_most_tags(text)
        parser = html.HTMLParser(
            encoding="utf-8", recover=True, no_network=True, huge_tree=False, remove_pis=True
        )
        try:
            self.tree = html.document_fromstring(
                text.encode("utf-8", "ignore") or b"<html></html>", parser=parser
            )
        except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
            self.tree = html.document_fromstring(b"<html><body></body></html>")
        template: Any
        for template in list(self.tree.iter("template")):
            if template.get("shadowrootmode") is None:
                template.drop_tree()  # nobody sees it before a script uses it
        for script in islice(list(self.tree.iter("script")), MOST_WRITTEN):
            if written := _WRITTEN_IN_PLACE.fullmatch(script.text or ""):
                script.tag, script.text = "span", str(written[1] or written[2])

    @cached_property
    def title(self) -> str:
        for path in ("//head/title", "//title", "//meta[@property='og:title']/@content", "//h1"):
            for one in self._xpath(path):
                text = one if isinstance(one, str) else "".join(map(str, one.itertext()))
                if text.strip():
                    return shorten(clean(text), LONGEST_TITLE)
        return ""

    @cached_property
    def description(self) -> str:
        lower = "translate(@name, 'DESCRIPTON', 'descripton')"
        for path in (
            f"//meta[{lower}='description']/@content",
            "//meta[@property='og:description']/@content",
        ):
            for one in self._xpath(path):
                if str(one).strip():
                    return shorten(clean(str(one)), LONGEST_DESCRIPTION)
        return ""

    @cached_property
    def language(self) -> str:
        """The page's language in two letters, with its region where it names one: `de`, `en-GB`."""
        declared = self.tree.get("lang") or self.tree.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        return declared.strip()[:10]

    @cached_property
    def base(self) -> str:
        for one in self._xpath("//base/@href"):
            try:
                return read_url(str(one), self.url)
            except BadAddress:
                break
        return self.url

    @cached_property
    def links(self) -> list[Link]:
        """The first links of the page, with what each shows."""
        links = []
        for element in self.tree.iter("a", "area"):
            href = element.get("href")
            if href:
                links.append(
                    Link(
                        clean(href.strip()),
                        shorten(clean("".join(map(str, element.itertext()))), 200),
                        element.get("rel") or "",
                        _names_of(element),
                    )
                )
            if len(links) >= MOST_LINKS:
                break
        return links

    @cached_property
    def _own_links(self) -> list[Link]:
        """Where the head of the page says that the same people are: `<link rel="me">`."""
        links = islice(self.tree.iter("link"), MOST_LINKS)
        return [
            Link(clean((one.get("href") or "").strip()), "", one.get("rel") or "")
            for one in links
            if {"me", "author", "publisher"} & set((one.get("rel") or "").lower().split())
        ]

    def elements(self) -> Iterator[etree._Element]:
        """The elements of the page in their order, without comments."""
        return islice(self.tree.iter(etree.Element), MOST_ELEMENTS)

    def addresses(self) -> Iterator[tuple[str, Link]]:
        """Each link that leads to a web page, with its address: those that a reader can follow, and those in its head to who it is."""
        for link in (*self.links, *self._own_links):
            try:
                yield read_url(link.href, self.base), link
            except BadAddress:
                continue

    @cached_property
    def lines(self) -> list[str]:
        """What a reader sees, one line for each block; text in one block is not torn apart where its markup is."""
        lines: list[str] = []
        parts: list[str] = []
        size = 0

        def end_line() -> None:
            line = " ".join("".join(parts).split())
            parts.clear()
            if line:
                lines.append(line)

        for kind, text in _visible_texts(self.tree, self._styles):
            if kind == "break":
                end_line()
            else:
                parts.append(f" {text}" if parts and _are_apart(parts[-1], text) else text)
                size += len(text)
                if size > MOST_TEXT:
                    break
        end_line()
        return lines

    @cached_property
    def _styles(self) -> _Styles:
        sheets = ("".join(map(str, one.itertext())) for one in self.tree.iter("style"))
        return _read_styles("\n".join(islice(sheets, 100))[:MOST_STYLE])

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    def _xpath(self, path: str) -> list[etree._Element | str]:
        result: Any = self.tree.xpath(path)
        return list(result)


def _added_text(contents: dict[str, str], element: etree._Element) -> str:
    """The text that a style sheet puts at an element, by its classes, its id or an attribute."""
    names = (
        *(f".{one}" for one in _classes(element)),
        f"#{element.get('id')}",
        *(f"[{one!s}]" for one in element.attrib),
    )
    return "".join(
        text for name in names if name in contents for text in _content_texts(contents[name], element)
    )[:MOST_ADDED]


def _content_texts(content: str, element: etree._Element) -> Iterator[str]:
    for double, single, attribute in _CONTENT_PART.findall(content):
        yield (
            str(element.get(attribute) or "") if attribute else _CSS_ESCAPE.sub(_unescaped, double or single)
        )


def _unescaped(match: re.Match[str]) -> str:
    return chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else str(match[2])


@dataclass(frozen=True)
class _Styles:
    """The classes that the style sheets of a page hide, those whose letters they turn around, and what they add to the text."""

    hidden: frozenset[str] = frozenset()
    reversed: frozenset[str] = frozenset()
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)


def _read_styles(sheet: str) -> _Styles:
    """The classes that a sheet hides or turns around on every screen."""
    if not (_HIDDEN.search(sheet) or _REVERSED.search(sheet) or _CONTENT.search(sheet)):
        return _Styles()
    added: dict[str, dict[str, str]] = {"before": {}, "after": {}}
    hidden: set[str] = set()
    turned: set[str] = set()
    for names, rules in _rules(sheet):
        for pattern, classes in ((_HIDDEN, hidden), (_REVERSED, turned)):
            if pattern.search(rules):
                classes.update(_CLASS.findall(names))
        content = _CONTENT.search(rules)
        if content is not None and re.search(r"@|\\0*40|attr\(|\.[a-z]{2}", content[1]):
            for selector, place in _ADDED.findall(names):
                added[place.lower()][selector] = content[1]
    return _Styles(frozenset(hidden), frozenset(turned), added["before"], added["after"])


def _with_most_tags(text: str) -> str:
    """Text up to the first tag that is one too many."""
    if text.count("<") <= MOST_TAGS:
        return text
    end = next(islice(re.finditer("<", text), MOST_TAGS, None)).start()
    return text[:end]


def _without_remarks(sheet: str) -> Iterator[str]:
    """The parts of a style sheet between its remarks; a remark that does not end takes the rest."""
    first, *others = sheet.split("/*")
    yield first
    yield from (one.partition("*/")[2] for one in others)


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) of a style sheet that count on every screen: what `@media` and the like hold is passed over."""
    depth, names = 0, ""
    for part in re.split(r"([{}])", "".join(_without_remarks(sheet))):
        if part == "{":
            depth += 1
        elif part == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            names = part.rpartition(";")[2].strip()[-500:]
        elif depth == 1 and not names.startswith("@"):
            yield names, part


def _visible_texts(tree: etree._Element, styles: _Styles) -> Iterator[tuple[str, str]]:
    """The visible texts of a tree and the breaks between its blocks, in order; without recursion, pages can be deep. Where lines are shown
    as they are written, each one is a block."""
    stack: list[tuple[etree._Element, bool, bool]] = [(tree, False, False)]
    left = 2 * MOST_ELEMENTS
    while stack and left:
        left -= 1
        element, is_left, in_lines = stack.pop()
        tag: Any = element.tag
        name = tag if isinstance(tag, str) else ""  # a comment has none
        if is_left:
            yield from _added(styles.after, element)
            yield from _ends(element, name)
        elif name and name not in _UNSEEN and not _is_hidden(element, name, styles):
            if name in _BLOCKS:
                yield "break", ""
            keeps_lines = in_lines or name == "pre" or bool(_KEEPS_LINES.search(element.get("style") or ""))
            yield from _added(styles.before, element)
            for text in _own_texts(element, name, styles):
                yield from _in_blocks(text, keeps_lines)
            stack.append((element, True, in_lines))
            if (child := next(element.iterchildren(), None)) is not None:
                stack.append((child, False, keeps_lines))
            continue
        if element is not tree:
            if element.tail:
                yield from _in_blocks(element.tail, in_lines)
            if (following := element.getnext()) is not None:
                stack.append((following, False, in_lines))


def _added(contents: dict[str, str], element: etree._Element) -> Iterator[tuple[str, str]]:
    """The text that a style sheet puts at an element, where it puts one."""
    if contents and (text := _added_text(contents, element)):
        yield "text", text


def _ends(element: etree._Element, name: str) -> Iterator[tuple[str, str]]:
    """What stands behind the last text of an element: a break where it is a block, a blank between two links."""
    if name in _BLOCKS:
        yield "break", ""
    elif name == "a" and not element.tail and getattr(element.getnext(), "tag", "") == "a":
        yield "text", " "  # two links are two words


def _in_blocks(text: str, keeps_lines: bool) -> Iterator[tuple[str, str]]:
    """A text, with breaks between its lines where they are shown."""
    for number, line in enumerate(text.split("\n") if keeps_lines else [text]):
        if number:
            yield "break", ""
        yield "text", line


def _own_texts(element: etree._Element, name: str, styles: _Styles) -> Iterator[str]:
    """What an element shows before its first child: what its picture stands for, and its text as it is read."""
    if name in _ICON and not (element.text or "").strip():
        yield from _icon_texts(element, name)
    text = element.text
    if not text:
        return
    if _is_reversed(element, name, styles):
        yield text[::-1]
    elif name in _INLINE and "@" in text and len(text) < 300 and _ADDRESS_ALONE.fullmatch(text):
        yield f" {text}"  # an address in an element of its own is not the rest of the word before it
    else:
        yield text


def _is_reversed(element: etree._Element, name: str, styles: _Styles) -> bool:
    """Whether the letters of an element are shown from their last to their first."""
    if name == "bdo":
        return (element.get("dir") or "").lower() == "rtl"
    return bool(_REVERSED.search(element.get("style") or "") or _classes(element) & styles.reversed)


def _icon_texts(element: etree._Element, name: str) -> Iterator[str]:
    """The sign or the label that an icon or a small picture stands for."""
    if name == "img" and (element.get("alt") or "").strip().strip("()[]{}").lower() in _SIGNS:
        sign = str(element.get("alt")).strip().strip("()[]{}")
        yield sign if sign in "@." else f" [{sign}] "
        return
    names = " ".join(str(element.get(one) or "") for one in ("class", "alt", "href"))[:300]
    if picture := _PICTURE.search(str(element.get("src") or "")[-200:]):
        names = " ".join((names, *("phone" if picture[1] else "fax" if picture[2] else "at",)))
    if _AT_ICON.search(names) and _is_inside_word(element):
        yield "@"
        return
    if _FAX_ICON.search(names):
        yield " Fax: "
    elif _PHONE_ICON.search(names):
        yield " ☎ "


def _names_of(link: etree._Element) -> str:
    """What a link, what is round it and what is first in it are called by their classes, labels and pictures."""
    near = (link.getparent(), link, *islice(link.iterdescendants(etree.Element), 3))
    names = (
        one.get(name) or ""
        for one in near
        if one is not None
        for name in ("class", "aria-label", "title", "alt")
    )
    return " ".join(filter(None, names))[:300]


def _is_inside_word(element: etree._Element) -> bool:
    """Whether a letter stands directly before an element, and one directly behind it."""
    previous, parent = element.getprevious(), element.getparent()
    before = previous.tail if previous is not None else parent.text if parent is not None else ""
    return (before or "")[-1:].isalnum() and (element.tail or "")[:1].isalnum()


def _classes(element: etree._Element) -> set[str]:
    return set((element.get("class") or "").split())


def _are_apart(before: str, text: str) -> bool:
    """Whether two texts of neighbouring elements are two words though no blank is between them: a letter and a digit, or `deTelefon`."""
    last, first = before[-1:], text[:1]
    if last.isdigit() != first.isdigit():
        return last.isalnum() and first.isalnum()
    return last.islower() and first.isupper()


def _is_hidden(element: etree._Element, name: str, styles: _Styles) -> bool:
    if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
        return True
    return bool(styles.hidden) and name in _INLINE and bool(_classes(element) & styles.hidden)


def read_page(fetched: Fetched) -> Page:
    """The page that was fetched; FetchFault where it is no page, or one that a wall shows instead of it."""
    media = fetched.media_type
    head = fetched.content[:1000].lstrip().lower()
    looks_html = head.startswith((b"<!doctype", b"<html", b"<head", b"<body", b"<!--")) or b"<html" in head
    if media not in _MEDIA and not (
        looks_html and media in ("application/octet-stream", "binary/octet-stream")
    ):
        raise FetchFault("NOT_HTML", f"{fetched.url} is {media[:60]}, no web page")
    if not looks_html and (
        head.startswith((b"%pdf", b"\x89png", b"gif8", b"pk\x03\x04", b"\xff\xd8")) or b"\x00" in head[:200]
    ):
        raise FetchFault("NOT_HTML", f"{fetched.url} is no text")
    text = decode(fetched.content, fetched.headers.get("content-type", ""))
    page = Page(
        fetched.url, f"<pre>{escape(text)}</pre>" if media == "text/plain" and not looks_html else text
    )
    wall = detect_wall(page.source, page.text, fetched.headers)
    if wall:
        raise FetchFault("BLOCK_PAGE", f"{fetched.url} shows {wall} instead of the page")
    return page
