"""Who visits: one fetcher with its robots for each event loop of a process, made when first needed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from .contacts.mail_domains import MailDomains
from .options import Options
from .web.fetching import Fetched, Fetcher, FetchLimits
from .web.resolving import Resolver
from .web.robots import RobotsCache

READ_AT_ONCE = 2


@dataclass(frozen=True)
class Visitor:
    """Fetches what robots.txt allows."""

    fetcher: Fetcher
    robots: RobotsCache
    mail_domains: MailDomains
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READ_AT_ONCE))
    """Held while a page or a sitemap is read: a hostile one takes 100 MB as a tree."""

    async def get(self, url: str, **how: object) -> Fetched:
        """Fetch a URL that its site's robots.txt allows, on every redirect; FetchFault where nothing came of it."""
        return await self.fetcher.get(url, judge=self.robots.check, **how)  # type: ignore[arg-type]


class Visitors:
    """The visitor of the running event loop."""

    def __init__(self, options: Options, limits: FetchLimits | None = None) -> None:
        self._options, self._limits = options, limits
        self._visitors: WeakKeyDictionary[asyncio.AbstractEventLoop, Visitor] = WeakKeyDictionary()

    def here(self) -> Visitor:
        loop = asyncio.get_running_loop()
        visitor = self._visitors.get(loop)
        if visitor is None:
            resolver = Resolver(self._options.nameserver)
            fetcher = Fetcher(
                interval=self._options.interval,
                allowed=self._options.allow_private,
                limits=self._limits,
                verify=self._options.verify_tls,
                gateway=self._options.gateway,
                resolver=resolver,
            )
            mail_domains = MailDomains(resolver, self._options.allow_private)
            visitor = self._visitors[loop] = Visitor(fetcher, RobotsCache(fetcher), mail_domains)
        return visitor
