"""Addresses of sites and pages in one spelling each, and which network addresses may be contacted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

import idna

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

DEFAULT_PORTS = {"http": 80, "https": 443}
LONGEST_URL = 2_048
LONGEST_HOST = 253
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ufeff]")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:(?!\d)")
_BACKSLASHED = re.compile(r"https?:/?\\", re.IGNORECASE)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_USUAL = re.compile(
    r"https?://[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+/[A-Za-z0-9_~/.-]*",
    re.ASCII,
)
"""A URL that is spelled as it is kept."""
_ESCAPED = re.compile(r"%[0-9a-fA-F]{2}")
_SAFE_IN_PATH, _SAFE_IN_QUERY = "/:@!$&'()*+,;=~-._", "/:@!$&'()*+,;=~-._?[]"
NAT64 = ip_network("64:ff9b::/96")


class BadAddress(ValueError):
    """An address that names no web site or page."""


class Site(NamedTuple):
    """Where a site is: `host` keeps a port that is not the default of its scheme."""

    scheme: str
    host: str

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}/"


def read_site(text: str) -> Site:
    """The site that a person wrote: a host, or any URL of it. Without a scheme it is https."""
    trimmed = text.strip()
    if not trimmed:
        raise BadAddress("the address is empty")
    if trimmed.startswith("//"):
        trimmed = f"https:{trimmed}"
    elif not _SCHEME.match(trimmed):
        trimmed = f"https://{trimmed}"
    parts = _split(trimmed)
    return Site(parts.scheme, host_of(parts))


def read_url(text: str, base: str | None = None) -> str:
    """A URL in the one spelling under which a page is kept: no fragment, no default port, no dot segments."""
    trimmed = text.strip()
    if len(trimmed) <= LONGEST_URL and _USUAL.fullmatch(trimmed) and "/." not in trimmed[8:]:
        return trimmed
    if len(trimmed) > LONGEST_URL:
        raise BadAddress(f"the URL has {len(trimmed)} characters; at most {LONGEST_URL} are kept")
    if _BACKSLASHED.match(trimmed):
        raise BadAddress("backslashes before the host")
    try:
        joined = trimmed if base is None else urljoin(base, trimmed)
    except ValueError as error:
        raise BadAddress(f"no URL: {error}") from error
    parts = _split(joined)
    path = _quoted(_without_dots(parts.path) or "/", _SAFE_IN_PATH)
    query = f"?{_quoted(parts.query, _SAFE_IN_QUERY)}" if parts.query else ""
    url = f"{parts.scheme}://{host_of(parts)}{path}{query}"
    if len(url) > LONGEST_URL:
        raise BadAddress(f"the URL has {len(url)} characters; at most {LONGEST_URL} are kept")
    return url


def host_of(parts: SplitResult) -> str:
    """The host of a split URL in ASCII, with its port where that is not the scheme's own."""
    if parts.username is not None or parts.password is not None:
        raise BadAddress("an address with a user name is not visited")
    try:
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"no port: {error}") from error
    name = plain_host(parts.hostname or "")
    if port == 0:
        raise BadAddress("port 0 cannot be visited")
    return name if port is None or port == DEFAULT_PORTS[parts.scheme] else f"{name}:{port}"


def plain_host(name: str) -> str:
    """A host name in lower-case ASCII, or an address in its usual spelling."""
    if ":" in name:
        try:
            return f"[{IPv6Address(name.partition('%')[0])}]"
        except ValueError as error:
            raise BadAddress(f"{unquote(name)[:60]!r} is no host") from error
    try:
        ascii_name = idna.encode(name.rstrip("."), uts46=True, transitional=False).decode() if name else ""
    except idna.IDNAError as error:
        ascii_name = name.rstrip(".").lower()
        if not ascii_name.isascii():
            raise BadAddress(f"{unquote(name)[:60]!r} is no host: {error}") from error
    if (
        not ascii_name
        or len(ascii_name) > LONGEST_HOST
        or not all(map(_LABEL.fullmatch, ascii_name.split(".")))
    ):
        raise BadAddress(f"{unquote(name)[:60]!r} is no host")
    return ascii_name


def without_www(host: str) -> str:
    """The host by which two spellings of one site are the same."""
    return host.removeprefix("www.")


def is_same_site(url: str, host: str) -> bool:
    """Whether a URL, as `read_url` spells it, is on this host; a leading www. does not matter."""
    return without_www(urlsplit(url).netloc) == without_www(host)


def path_depth(url: str) -> int:
    """How many segments a page's path has; the home page has none."""
    return len([part for part in urlsplit(url).path.split("/") if part])


def _split(text: str) -> SplitResult:
    if _CONTROL.search(text):
        text = "".join(quote(letter) if letter == " " else letter for letter in text)
        if _CONTROL.search(text):
            raise BadAddress("the address has control characters")
    try:
        parts = urlsplit(text.encode("utf-8", "strict").decode())
    except (ValueError, UnicodeError) as error:
        raise BadAddress(f"no URL: {error}") from error
    if parts.scheme not in DEFAULT_PORTS:
        raise BadAddress(
            f"only http and https are visited, not {parts.scheme or 'an address without a scheme'}"
        )
    if "\\" in parts.netloc:
        raise BadAddress("a backslash in the host")
    return parts


def _quoted(text: str, safe: str) -> str:
    """Escapes written one way: unreserved characters plain, others as %XX in upper case."""
    done, last = [], 0
    for match in _ESCAPED.finditer(text):
        done.append(quote(text[last : match.start()], safe=safe))
        letter = unquote(match[0])
        done.append(
            letter
            if len(letter) == 1 and (letter.isascii() and (letter.isalnum() or letter in "-._~"))
            else match[0].upper()
        )
        last = match.end()
    return "".join([*done, quote(text[last:], safe=safe)])


def _without_dots(path: str) -> str:
    kept: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            if len(kept) > 1:
                kept.pop()
        elif part != ".":
            kept.append(part)
    ends_in_folder = parts[-1] in (".", "..")
    joined = "/".join(kept)
    return f"{joined}/" if ends_in_folder and not joined.endswith("/") else joined


def read_networks(text: str) -> tuple[Network, ...]:
    """Networks of a setting such as `127.0.0.0/8, ::1`."""
    return tuple(ip_network(one.strip(), strict=False) for one in text.split(",") if one.strip())


def is_public(address: Address, allowed: Sequence[Network] = ()) -> bool:
    """Whether an address may be contacted: it is of the public internet, or one that was allowed by name.

    An address of the sixth version that carries one of the fourth is judged by that one as well.
    """
    if any(address.version == network.version and address in network for network in allowed):
        return True
    if isinstance(address, IPv6Address):
        carried = _carried(address)
        if carried is not None:
            return is_public(carried, allowed)
        if address.is_site_local:
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )


def _carried(address: IPv6Address) -> IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def as_address(text: str) -> Address:
    """An address as the system's resolver writes it; a zone is dropped."""
    return ip_address(text.partition("%")[0])
