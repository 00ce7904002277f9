"""Fetches one URL: redirects followed by hand, each judged anew, with limits on size, time and hops."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from interlock.extension import SystemClock, read_retry_after

from ...._version import __version__
from .addresses import BadAddress, Network, read_url
from .connecting import GuardedTransport
from .faults import FetchFault
from .politeness import Politeness
from .resolving import Resolver
from .unpacking import BadEncoding, TooLarge, Unpacker

TOKEN = "InterlockBot"
"""The name by which a robots.txt speaks to this crawler."""
USER_AGENT = f"{TOKEN}/{__version__}"
Judge = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class FetchLimits:
    """What a visit may cost."""

    page_bytes: int = 5_000_000
    sitemap_bytes: int = 50_000_000
    seconds: float = 30.0
    connect_seconds: float = 10.0
    redirects: int = 5


@dataclass(frozen=True)
class Fetched:
    """What a URL gave: `url` is where it was in the end. `is_unchanged`: the site says that nothing changed since the last visit."""

    url: str
    status: int
    headers: Mapping[str, str]
    content: bytes = b""
    is_cut: bool = False
    is_unchanged: bool = False
    hops: Sequence[str] = field(default_factory=tuple)

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Fetcher:
    """Visits URLs of many hosts, each at its own pace. Used within one event loop; `close` it at the end."""

    def __init__(
        self,
        *,
        interval: float = 1.0,
        allowed: Sequence[Network] = (),
        limits: FetchLimits | None = None,
        user_agent: str = USER_AGENT,
        verify: bool = True,
        gateway: tuple[str, int] | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        self.limits, self.politeness = limits or FetchLimits(), Politeness(interval)
        # The transport is used without a client: that one would keep cookies, and stumble over redirects before we judge them.
        self._transport = GuardedTransport(allowed, verify=verify, gateway=gateway, resolver=resolver)
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "gzip, deflate"}
        self._timeout = httpx.Timeout(self.limits.seconds, connect=self.limits.connect_seconds).as_dict()

    async def close(self) -> None:
        await self._transport.aclose()

    async def get(
        self,
        url: str,
        *,
        limit: int | None = None,
        accept: str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
        known: Mapping[str, str] | None = None,
        judge: Judge | None = None,
        errors: bool = False,
        may_cut: bool = False,
    ) -> Fetched:
        """Fetch a URL, or raise FetchFault. `known` are headers that make the request conditional. `judge` is asked before every hop and
        raises where it may not be visited. `errors`: answer a 4xx or 5xx instead of raising. `may_cut`: answer the beginning of a body
        that has more than `limit` bytes."""
        hops: list[str] = []
        left = self.limits.seconds * 2
        try:
            target = read_url(url)
            while True:
                if judge is not None:
                    await judge(target)
                fetched, seconds = await self._one(
                    target, limit or self.limits.page_bytes, accept, known or {}, tuple(hops), may_cut
                )
                location = fetched.headers.get("location")
                if fetched.status not in (301, 302, 303, 307, 308) or location is None:
                    return fetched if errors else checked(fetched)
                hops.append(target)
                target = self._next(target, location, hops)
                left -= seconds
                if left <= 0:
                    raise FetchFault("TIMEOUT", f"{url} was not read within {self.limits.seconds * 2:.0f} s")
        except BadAddress as error:
            raise FetchFault("BAD_URL", str(error)) from error

    def _next(self, target: str, location: str, hops: Sequence[str]) -> str:
        try:
            url = read_url(location, target)
        except BadAddress as error:
            raise FetchFault("BAD_REDIRECT", f"redirected to what is no page: {error}") from error
        if url in hops:
            raise FetchFault("REDIRECT_LOOP", f"{url} leads back to itself")
        if len(hops) > self.limits.redirects:
            raise FetchFault("TOO_MANY_REDIRECTS", f"more than {self.limits.redirects} redirects")
        return url

    async def _one(
        self,
        url: str,
        limit: int,
        accept: str,
        known: Mapping[str, str],
        hops: tuple[str, ...],
        may_cut: bool,
    ) -> tuple[Fetched, float]:
        """The answer to one request and how many seconds it took; waiting for the host's turn does not count."""
        async with self.politeness.turn(urlsplit(url).netloc):
            began = asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(self.limits.seconds):
                    headers = {**self._headers, "Accept": accept, **known}
                    request = httpx.Request(
                        "GET", url, headers=headers, extensions={"timeout": self._timeout}
                    )
                    response = await self._transport.handle_async_request(request)
                    try:
                        fetched = await self._read(url, response, limit, hops, may_cut)
                        return fetched, asyncio.get_running_loop().time() - began
                    finally:
                        await response.aclose()
            except FetchFault:
                raise
            except TimeoutError as error:
                raise FetchFault(
                    "TIMEOUT", f"{url} did not answer within {self.limits.seconds:.0f} s"
                ) from error
            except Exception as error:
                raise translated(url, error) from error

    async def _read(
        self, url: str, response: httpx.Response, limit: int, hops: tuple[str, ...], may_cut: bool
    ) -> Fetched:
        headers = {name.lower(): value for name, value in response.headers.items()}
        declared = headers.get("content-length", "")
        if declared.isdigit() and int(declared) > limit and not may_cut:
            raise FetchFault("TOO_LARGE", f"{url} has {declared} bytes; at most {limit} are read")
        is_short = False
        try:
            unpacker = Unpacker(headers.get("content-encoding", ""), limit)
            async for part in response.aiter_raw():
                unpacker.feed(part)
            if unpacker.is_cut and not unpacker.content and unpacker.has_begun:
                raise BadEncoding("its compressed body ends before anything came out")
        except TooLarge as error:
            if not may_cut:
                raise FetchFault("TOO_LARGE", f"{url} has more than {limit} bytes") from error
            is_short = True
        except BadEncoding as error:
            raise FetchFault("BAD_ENCODING", f"{url}: {error}") from error
        return Fetched(
            url,
            response.status_code,
            headers,
            unpacker.content,
            is_cut=unpacker.is_cut or is_short,
            is_unchanged=response.status_code == 304,
            hops=hops,
        )


def checked(fetched: Fetched) -> Fetched:
    """What was fetched, unless its status says that there is nothing: then FetchFault."""
    status, url = fetched.status, fetched.url
    if status < 300 or status == 304:
        return fetched
    if status in (429, 503):
        code = "RATE_LIMITED" if status == 429 else "SERVER_ERROR"
        after = read_retry_after(fetched.headers, SystemClock().now())
        seconds = None if after is None else after.total_seconds()
        raise FetchFault(code, f"{url} answers {status}", status=status, after=seconds)
    if status >= 500 or status in (408, 425):
        raise FetchFault("SERVER_ERROR", f"{url} answers {status}", status=status)
    if status in (404, 410):
        raise FetchFault("NOT_FOUND", f"{url} answers {status}", status=status)
    if status in (401, 402, 403, 407, 451):
        raise FetchFault("FORBIDDEN", f"{url} answers {status}", status=status)
    raise FetchFault("BAD_STATUS", f"{url} answers {status}", status=status)


def translated(url: str, error: Exception) -> FetchFault:
    """The fault that an exception of the HTTP library stands for."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, FetchFault):
            return cause
        if isinstance(cause, ssl.SSLError):
            return FetchFault("TLS_FAILED", f"{url}: {cause.reason or cause}")
        if isinstance(cause, ConnectionRefusedError):
            return FetchFault("CONNECTION_REFUSED", f"{url} refuses connections")
        cause = cause.__cause__ or cause.__context__
    name = type(error).__name__
    if "Timeout" in name:
        return FetchFault("TIMEOUT", f"{url} did not answer in time")
    if name in ("ConnectError", "ReadError", "WriteError", "CloseError"):
        return FetchFault("CONNECTION_FAILED", f"{url}: {str(error) or name}")
    if isinstance(error, httpx.InvalidURL | UnicodeError):
        return FetchFault("BAD_URL", f"{url}: {error}")
    return FetchFault("BAD_RESPONSE", f"{url}: {name}: {error}"[:500])
