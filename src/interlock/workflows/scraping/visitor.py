"""Who visits: one fetcher with its robots for each event loop of a process, made when first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from .contacts.mail_domains import MailDomains
from .options import Options
from .web.fetching import Fetched, Fetcher, FetchLimits
from .web.resolving import Resolver
from .web.robots import RobotsCache

P = ParamSpec("P")
T = TypeVar("T")
READ_AT_ONCE = 2
"""Pages and sitemaps that are read at once: a hostile one takes 100 MB as a tree, and each thread keeps some of that for its next one."""


@dataclass(frozen=True)
class Visitor:
    """Fetches what robots.txt allows."""

    fetcher: Fetcher
    robots: RobotsCache
    mail_domains: MailDomains
    readers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(READ_AT_ONCE, "reader"))

    async def get(self, url: str, **how: object) -> Fetched:
        """Fetch a URL that its site's robots.txt allows, on every redirect; FetchFault where nothing came of it."""
        return await self.fetcher.get(url, judge=self.robots.check, **how)  # type: ignore[arg-type]

    async def read(self, reader: Callable[P, T], *content: P.args, **how: P.kwargs) -> T:
        """What this reader makes of what was fetched, in a thread: other visits go on."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.readers, partial(reader, *content, **how))


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
