"""The outermost layer: normalizes paths, refuses requests from other sites, sets headers on every answer, and enforces the time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import BadInput, InterlockError, NotAuthorized, RequestTimedOut, RequestTooSlow
from .hosts import host_name
from .limits import Limits
from .problems import problem, unforeseen

SLASH = "\x00"
"""Stands for a slash within one segment of an address while routes are matched; no id may have this character."""

ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
PATIENCE = "interlock.patience"
"""A route that takes files says under this key of the scope how many seconds it may take."""
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
API = "/api/"


class Answering:
    """The sending side of a request: adds our headers, and drops everything after the time-out was answered."""

    def __init__(self, send: Send) -> None:
        self.send, self.started = send, False
        self.late: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None

    def begin_late(self, scope: Scope, receive: Receive, seconds: float) -> None:
        """Time is up; a stream that has begun lasts as long as it lasts, and a file may take longer to arrive."""
        if (more := scope.get(PATIENCE, seconds)) > seconds:
            self.timer = asyncio.get_running_loop().call_later(
                more - seconds, self.begin_late, scope, receive, more
            )
        elif not self.started:
            answer = problem(RequestTimedOut(f"no answer within {seconds:g} seconds"))
            self.late = asyncio.ensure_future(answer(scope, receive, self.pass_on))

    async def __call__(self, message: Message) -> None:
        if self.late is None:
            await self.pass_on(message)

    async def pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            present = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(one for one in ALWAYS if one[0] not in present)]
            if b"cache-control" not in present:
                message["headers"].append((b"cache-control", b"no-store"))
        await self.send(message)


class Arriving:
    """The receiving side of a request: refuses a body that stops arriving for `idle_seconds`; waits without limit for a disconnect."""

    def __init__(self, receive: Receive, idle_seconds: float) -> None:
        self.receive, self.idle_seconds, self.more = receive, idle_seconds, True

    async def __call__(self) -> Message:
        if not self.more:
            return await self.receive()
        try:
            async with asyncio.timeout(self.idle_seconds):
                message = await self.receive()
        except TimeoutError:
            raise RequestTooSlow(
                f"nothing of the body arrived for {self.idle_seconds:g} seconds", seconds=self.idle_seconds
            ) from None
        self.more = bool(message.get("more_body", False))
        return message


class Guard:
    """The middleware around the API; what is not HTTP passes."""

    def __init__(self, inner: ASGIApp, limits: Limits, hosts: Collection[str] = ()) -> None:
        self.inner, self.limits = inner, limits
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        answering = Answering(send)
        try:
            refuse_two_lengths(Headers(scope=scope))
        except InterlockError as error:  # where the next request begins is in doubt, so there is none
            await problem(error, headers={"Connection": "close"})(scope, receive, answering)
            return
        try:
            refuse_other_sites(scope, self.hosts)
            told_apart = {**scope, "path": path_of(scope)}
        except InterlockError as error:
            await problem(error)(scope, receive, answering)
            return
        await self.within_time(told_apart, receive, answering)

    async def within_time(self, scope: Scope, receive: Receive, answering: Answering) -> None:
        """Answer 504 when time is up. The thread cannot be stopped, so its late answer is dropped."""
        seconds = self.limits.seconds
        answering.timer = asyncio.get_running_loop().call_later(
            seconds, answering.begin_late, scope, receive, seconds
        )
        try:
            await self.inner(scope, Arriving(receive, self.limits.idle_seconds), answering)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 the last place where anything can be met; what was told was also noted there
            if not answering.started:
                await unforeseen(error)(scope, receive, answering)
        finally:
            answering.timer.cancel()
            if answering.late is not None:
                await answering.late


def refuse_two_lengths(headers: Headers) -> None:
    """A request that says twice how long it is: a proxy that believes the one, before a server that believes the other, would let the end
    of its body pass as somebody else's next request."""
    if "transfer-encoding" in headers and "content-length" in headers:
        raise BadInput(
            "the request has a length and comes in chunks",
            hint="Send either Content-Length or Transfer-Encoding.",
        )


def path_of(scope: Scope) -> str:
    """The path, with slashes inside a segment told from those between segments."""
    raw: bytes = scope.get("raw_path") or b""
    if b"%00" in raw:
        raise BadInput("the address has a null character in it")
    path: str = scope["path"]
    if b"%2f" not in raw.lower():
        return path
    parts = [unquote(part) for part in raw.decode("ascii", "replace").partition("?")[0].split("/")]
    return "/".join(part.replace("/", SLASH) for part in parts)


def refuse_other_sites(scope: Scope, hosts: Collection[str]) -> None:
    """A page of another site can make a browser send requests here; such a request says where it comes from. Reading is refused too: it
    may start long work, such as a verification."""
    headers = Headers(scope=scope)
    name = host_name(headers)
    host = headers.get("host", "").lower()
    if hosts and name not in hosts and host not in hosts:
        raise BadInput(
            "this service does not go by that name",
            hint="The header Host must be one of the names it was started with.",
        )
    origin = headers.get("origin")
    if (
        headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not is_visit(scope, headers)
    ) or (origin and scope["method"] in UNSAFE and urlsplit(origin).netloc.lower() != host):
        raise NotAuthorized("a page of another site may not act here", hint="Requests across sites are off.")


def is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether this is a person following a link to a page, which may come from any site. Never for the API: its reads may be expensive."""
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    navigates = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return navigates and scope["method"] in ("GET", "HEAD") and not path.startswith(API)
