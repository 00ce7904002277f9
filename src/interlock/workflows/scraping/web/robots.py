"""What a site's robots.txt allows, by RFC 9309: fetched once a day per site, no answer means no visit, no file means every page."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from .faults import FetchFault
from .fetching import TOKEN, Fetched, Fetcher
from .text import decode

MOST_BYTES = 512_000
"""RFC 9309 asks for at least 500 KiB; what stands behind is not read."""
_AGENT = re.compile(r"user[- ]?agent\s*:?\s*(.*)", re.IGNORECASE)
_DELAY = re.compile(r"crawl[- ]?delay\s*:?\s*(\d*[.,]?\d+)\s*(?:s|sec|secs|seconds?)?$", re.IGNORECASE)
_RULES = re.compile(r"(?:dis|dias|allow|sitemap|site-map|request|visit)", re.IGNORECASE)
_UNROOTED = re.compile(r"(allow|disallow)\s*:\s*(?:https?://[^/\s]+/)?([\w%~.-].*)", re.IGNORECASE)
"""A rule whose path lacks its first slash, or has the site before it: what is meant is clear, and kept to."""
_PRODUCT = re.compile(r"[A-Za-z_-]+")
FRESH_SECONDS = 86_400.0
MOST_SITES = 2_000
MOST_SITEMAPS = 100
NOT_THERE = frozenset(
    {
        "BAD_URL",
        "CONNECTION_FAILED",
        "CONNECTION_REFUSED",
        "DNS_FAILED",
        "PRIVATE_ADDRESS",
        "TLS_FAILED",
    }
)
"""Faults of the whole site and not of its robots.txt: they keep their own code."""


@dataclass(frozen=True)
class Robots:
    """The rules of one site for this crawler."""

    rules: Protego | None = None
    sitemaps: tuple[str, ...] = ()
    delay: float | None = None

    def allows(self, url: str) -> bool:
        return self.rules is None or bool(self.rules.can_fetch(url, TOKEN))


EVERYTHING = Robots()


def read_robots(content: bytes) -> Robots:
    """The rules of a file. Lines that are none are passed over, whatever they hold."""
    if len(content) > MOST_BYTES:
        content = content[:MOST_BYTES].rpartition(b"\n")[0]  # half a rule would be another rule
    rules = Protego.parse("\n".join(_plain_lines(decode(content))))
    delay = rules.crawl_delay(TOKEN)
    rate = rules.request_rate(TOKEN)
    spaced = rate.seconds / rate.requests if rate is not None and rate.requests else None
    waits = [float(one) for one in (delay, spaced) if one is not None and 0 <= float(one) < float("inf")]
    return Robots(rules, tuple(dict.fromkeys(rules.sitemaps))[:MOST_SITEMAPS], max(waits, default=None))


def _plain_lines(text: str) -> Iterator[str]:
    """The lines that count, with each group named by the product it is for: this crawler, all, or another one.

    RFC 9309 compares whole product tokens (`Interlock` is not `InterlockBot`, `InterlockBot/1.0` is), and lines that it does not know
    stand between two names of one group without parting them."""
    for line in re.split(
        r"[\r\n]+", re.sub(r"^[^A-Za-z#\r\n]+", "", text)
    ):  # marks of an encoding, whole or in pieces
        rule = line.partition("#")[0].strip()
        if match := _AGENT.match(rule):
            product = _PRODUCT.match(match[1])
            is_ours = product is not None and product[0].casefold() == TOKEN.casefold()
            yield f"User-agent: {TOKEN if is_ours else '*' if match[1].split()[:1] == ['*'] else 'another'}"
        elif match := _DELAY.match(rule):
            yield f"Crawl-delay: {match[1].replace(',', '.')}"
        elif match := _UNROOTED.match(rule):
            yield f"{match[1]}: /{match[2]}"
        elif _RULES.match(rule):
            yield rule


class RobotsCache:
    """The rules of the sites that this process visits."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._known: OrderedDict[str, tuple[float, Robots]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def of(self, url: str) -> Robots:
        """The rules of the site of a URL; FetchFault where the site does not say (it is tried again later)."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        lock = self._asking.setdefault(site, asyncio.Lock())
        try:
            async with lock:
                known, now = self._known.get(site), asyncio.get_running_loop().time()
                if known is None or now - known[0] > FRESH_SECONDS:
                    known = (now, await self._ask(site))
                    self._known[site] = known
                    self._known.move_to_end(site)
                    while len(self._known) > MOST_SITES:
                        self._known.popitem(last=False)
                self._fetcher.politeness.slow_down(parts.netloc, known[1].delay)
                return known[1]
        finally:
            if not lock.locked():
                self._asking.pop(site, None)

    async def check(self, url: str) -> None:
        """Raise ROBOTS_DENIED where the site's rules forbid this URL."""
        robots = await self.of(url)
        if not robots.allows(url):
            raise FetchFault(
                "ROBOTS_DENIED", f"the robots.txt of {urlsplit(url).netloc} does not allow {url}"
            )

    async def _ask(self, site: str) -> Robots:
        try:
            answer = await self._fetcher.get(
                f"{site}/robots.txt",
                accept="text/plain,*/*;q=0.5",
                limit=2 * MOST_BYTES,
                may_cut=True,
                errors=True,
            )
        except FetchFault as fault:
            if fault.code in (
                "TOO_MANY_REDIRECTS",
                "REDIRECT_LOOP",
                "BAD_REDIRECT",
                "BAD_ENCODING",
            ):
                return EVERYTHING  # RFC 9309: what cannot be reached by redirects counts as not there
            if fault.code in NOT_THERE:
                raise
            raise FetchFault(
                "ROBOTS_UNREACHABLE",
                f"the robots.txt of {site} cannot be read: {fault.message}",
                after=fault.after,
            ) from fault
        return self._read(site, answer)

    def _read(self, site: str, answer: Fetched) -> Robots:
        if answer.status >= 500 or answer.status == 429:
            raise FetchFault(
                "ROBOTS_UNREACHABLE",
                f"the robots.txt of {site} answers {answer.status}",
                status=answer.status,
            )
        head = answer.content[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        if answer.status >= 300 or head.startswith((b"<!doctype", b"<html")):
            return EVERYTHING
        return read_robots(answer.content)
