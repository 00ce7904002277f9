"""Finds e-mail addresses: plain, in links, written around (`name [at] host dot com`), and hidden from robots by well-known means."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator
from urllib.parse import unquote

from ..web.page import Page

LONGEST = 254
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_HOST = r"(?:[A-Za-z0-9\u00a1-\uffff](?:[A-Za-z0-9\u00a1-\uffff-]{0,61}[A-Za-z0-9\u00a1-\uffff])?\.)+[A-Za-z\u00a1-\uffff]{2,24}"
PLAIN = re.compile(rf"(?<![A-Za-z0-9._%+/@:=-])({_LOCAL}@{_HOST})(?![A-Za-z0-9@_-])")
_AT = (
    r"(?:\s*[\[({<|]\s*(?:at|ät|arroba|chez|klammeraffe|@|a)\s*[\])}>|]\s*|\s+(?:at|AT|arroba|ät)\s+|"
    r"\s*_at_\s*|\s*@\s+|\s+@\s*)"
)
_DOT = r"(?:\s*[\[({<|]\s*(?:dot|punkt|point|punto|ponto|\.)\s*[\])}>|]\s*|\s+(?:dot|DOT|punkt|punto|ponto)\s+|\s*_dot_\s*|\.)"
_WORD = r"[A-Za-z0-9_-]{1,63}"
WRITTEN = re.compile(
    rf"(?<![A-Za-z0-9._%+@-])({_WORD}(?:(?:{_DOT}|\+){_WORD}){{0,4}})({_AT})({_WORD}(?:{_DOT}{_WORD}){{0,4}}){_DOT}([A-Za-z]{{2,24}})(?![A-Za-z0-9@-])"
)
_BRACKETED = re.compile(r"[\[({<|_]")
_WRITTEN_DOT = re.compile(_DOT)
_SCRAMBLED = re.compile(
    r"linkTo_UnCryptMailto\(\s*(?:%27|['\"])(.{3,200}?)(?:%27|['\"])\s*(?:,\s*-?\d+\s*)?\)", re.IGNORECASE
)
_JOINED = re.compile(
    r"""["']([A-Za-z0-9._%+-]{1,64})["']\s*\+\s*["'](?:@|&#64;|\\x40|%40)["']\s*\+\s*["']([A-Za-z0-9.-]{3,120})["']"""
)
_CLOUDFLARE = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-fA-F]{6,500})")
_DISPLAYED = re.compile(r"^\s*mailto\s*:", re.IGNORECASE)

NOT_TOP_LEVEL = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "avif",
        "ico",
        "css",
        "js",
        "mjs",
        "json",
        "xml",
        "html",
        "htm",
        "php",
        "asp",
        "aspx",
        "woff",
        "ttf",
        "eot",
        "mp4",
        "webm",
        "mp3",
        "pdf",
        "zip",
        "gz",
        "tar",
        "exe",
        "dll",
        "scss",
        "less",
        "ts",
        "tsx",
        "jsx",
        "vue",
        "map",
        "txt",
        "csv",
        "md",
        "yml",
        "yaml",
        "ini",
        "log",
        "bak",
        "local",
        "localhost",
        "internal",
        "invalid",
        "test",
        "example",
        "lan",
        "onion",
    ]
)
"""Endings of files and of names that lead nowhere."""
NOBODY = re.compile(
    r"^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|noreply.*|donotreply.*|mailer[-_]?daemon|postmaster|bounces?|unsubscribe|null|nobody|"
    r"example|test|tests|testing|tester|user|username|your[-_.]?name|yourname|name|firstname|first\.last|vorname\.nachname|nom|nombre|"
    r"you|your|your[-_.]?e?mail|youremail|email|e-?mail|mail@|someone|somebody|john\.?doe|jane\.?doe|max\.?mustermann|mustermann|foo|bar|abc|xyz|"
    r"sample|demo|dummy|placeholder|xxx+|aaa+|me|u00[0-9a-f]{2}.*|wght|ital|opsz)$",
    re.IGNORECASE,
)
_OPEN_LOCALS = frozenset({"me", "mail", "email", "e-mail", "name", "you", "demo", "user", "abc", "xyz"})
"""Local parts that real sites use as well: dropped only beside a host that is no site's own."""
NOWHERE = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net|edu|de|co\.uk)|domain\.(?:com|tld|de)|yourdomain\.\w+|your-?(?:company|site|website|email)\.\w+|mydomain\.\w+|mysite\.\w+|"
    r"site\.com|website\.com|company\.com|email\.com|mail\.example|test\.(?:com|de|org)|sentry(?:-next)?\.io|sentry\.wixpress\.com|wixpress\.com|"
    r"ingest\.(?:us|de)?\.?sentry\.io|schema\.org|w3\.org|localhost\.\w+|musterfirma\.\w+|beispiel\.\w+|ejemplo\.\w+|exemple\.\w+|acme\.\w+|xxx+\.\w+|"
    r"godaddy\.com\.example|2x\.\w+|3x\.\w+)$",
    re.IGNORECASE,
)


def emails_of(page: Page) -> list[str]:
    """The addresses on a page, in lower case, in the order they are seen; those of nobody are left out."""
    plain = dict.fromkeys(plain_email(text) for text in _candidates(page))
    return [one for one in plain if one and is_somebodys(one)]


def _candidates(page: Page) -> Iterator[str]:
    yield from _protected(page)
    for link in page.links:
        if _DISPLAYED.match(link.href):
            yield from of_mailto(link.href)
        elif "UnCryptMailto" in link.href:
            yield from _unscrambled(link.href)
    for element in page.elements():
        if element.attrib:
            yield from _of_attributes({str(name): str(value) for name, value in element.attrib.items()})
    for line in page.lines:
        yield from in_text(line)
    for user, host in _JOINED.findall(page.source[:2_000_000]):
        yield f"{user}@{host}"


def in_text(line: str) -> Iterator[str]:
    """The addresses in a line of text, plain or written around."""
    for match in PLAIN.finditer(line):
        yield match[1]
    if len(line) > 20_000:
        return
    for match in WRITTEN.finditer(line):
        user, at, host, top = match.groups()
        if spells_address(user, at, host, match[0]):
            yield f"{_joined(user)}@{_joined(host)}.{top}"


def spells_address(user: str, at: str, host: str, whole: str) -> bool:
    """Whether words around an `at` mean an address: brackets say so; a bare `at` needs a written dot as well, for people meet at places."""
    if _BRACKETED.search(at) or "@" in at:
        return True
    between = whole[len(user) + len(at) :]
    return bool(re.search(r"\s(?:dot|DOT|punkt|punto|ponto)\s|[\[({<|_]", between))


def _joined(text: str) -> str:
    return re.sub(r"\.+", ".", _WRITTEN_DOT.sub(".", text)).strip(".")


def of_mailto(href: str) -> Iterator[str]:
    """The addresses of a `mailto:` link: its own, and those it copies to."""
    text = entities.unescape(unquote(re.sub(r"^\s*mailto\s*:(?://)?", "", href, flags=re.IGNORECASE)))
    own, _, asked = text.partition("?")
    yield from re.split(r"[,;]", own)
    for part in asked.split("&"):
        name, _, value = part.partition("=")
        if name.strip().lower() in ("cc", "bcc", "to"):
            yield from re.split(r"[,;]", value)


def _protected(page: Page) -> Iterator[str]:
    for element in page.elements():
        if coded := element.get("data-cfemail"):
            yield of_cloudflare(coded)
    for link in page.links:
        if match := _CLOUDFLARE.search(link.href):
            yield of_cloudflare(match[1])


def of_cloudflare(coded: str) -> str:
    """The address behind Cloudflare's protection: each byte is masked by the first."""
    try:
        data = bytes.fromhex(coded.strip())
        return bytes(one ^ data[0] for one in data[1:]).decode("utf-8").partition("?")[0]
    except (ValueError, IndexError, UnicodeDecodeError):
        return ""


def _of_attributes(attributes: dict[str, str]) -> Iterator[str]:
    """Addresses that scripts put together from an element's attributes."""
    user = next(
        (
            attributes[name]
            for name in ("data-user", "data-name", "data-local", "data-u", "data-mailbox")
            if name in attributes
        ),
        "",
    )
    host = next(
        (
            attributes[name]
            for name in ("data-domain", "data-host", "data-d", "data-site")
            if name in attributes
        ),
        "",
    )
    if user and host and "@" not in user:
        top = attributes.get("data-tld", "")
        yield f"{user}@{host}{f'.{top}' if top and '.' not in host else ''}"
    for name in ("data-email", "data-mail", "data-mailto", "data-e-mail"):
        value = attributes.get(name, "")
        if "@" in value or " at " in value or "[at]" in value or "(at)" in value:
            yield from in_text(unquote(value).removeprefix("mailto:"))
        elif value:
            yield from (text for text in (value[::-1], _rotated(value)) if PLAIN.fullmatch(text))


def _rotated(text: str) -> str:
    return "".join(
        chr((ord(one) - base + 13) % 26 + base)
        if one.isalpha() and one.isascii() and (base := 97 if one.islower() else 65)
        else one
        for one in text
    )


def _unscrambled(href: str) -> Iterator[str]:
    """TYPO3 moves each letter by a few places; the shift that gives `mailto:` is the one."""
    match = _SCRAMBLED.search(href)
    if match is None:
        return
    for shift in range(-25, 26):
        text = "".join(_shifted(one, shift) for one in unquote(match[1]))
        if text.lower().startswith("mailto:"):
            yield from of_mailto(text)
            return


def _shifted(letter: str, shift: int) -> str:
    """TYPO3's ranges: digits and their neighbours, capitals, small letters, each turning in itself."""
    for low, high in ((0x2B, 0x3A), (0x40, 0x5A), (0x61, 0x7A)):
        if low <= ord(letter) <= high:
            return chr((ord(letter) - low + shift) % (high - low + 1) + low)
    return letter


def plain_email(text: str) -> str:
    """One spelling for each address; empty where it is none."""
    trimmed = (
        text.strip().strip(".,;:<>()[]{}\"'“”‘’ \u200b\u00ad").replace("\u200b", "").replace("\u00ad", "")
    )
    user, mark, host = trimmed.rpartition("@")
    if not mark or len(trimmed) > LONGEST or not PLAIN.fullmatch(f"{user}@{host}"):
        return ""
    try:
        host = host.lower() if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return ""
    return f"{user.lower()}@{host.lower()}" if len(user) <= 64 and not user.startswith((".", "-")) else ""


def is_somebodys(email: str) -> bool:
    """Whether an address may reach a person: no placeholder, no robot, no file name."""
    user, _, host = email.partition("@")
    top = host.rpartition(".")[2]
    if top in NOT_TOP_LEVEL or NOWHERE.search(host):
        return False
    if re.fullmatch(r"[0-9a-f]{24,}", user) or re.fullmatch(r"\d+x\d*", host.partition(".")[0]):
        return False
    if re.fullmatch(r"[\d.]+", host.rpartition(".")[0] or "x") and not top.isalpha():
        return False
    plus_free = user.partition("+")[0]
    return plus_free in _OPEN_LOCALS or not NOBODY.match(plus_free)
