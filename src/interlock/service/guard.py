"""The outermost layer: addresses that are told apart, other sites kept out, headers on every answer, and an answer within the time."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..errors import BadInput, InterlockError, NotAuthorized, RequestTimedOut
from .limits import Limits
from .problems import log, problem, unforeseen

SLASH = "\x00"
"""Stands for a slash within one segment of an address while routes are matched; no id may have this character."""

ALWAYS = [
    (b"x-content-type-options", b"nosniff"), (b"x-frame-options", b"DENY"), (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"), (b"cross-origin-resource-policy", b"same-origin"),
]
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Answering:
    """What the client is sent: our headers on it, and nothing more once it was told that time is up."""

    def __init__(self, send: Send) -> None:
        self.send, self.started, self.over = send, False, False

    async def __call__(self, message: Message) -> None:
        if self.over:
            return
        if message["type"] == "http.response.start":
            self.started = True
            given = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(one for one in ALWAYS if one[0] not in given)]
            if b"cache-control" not in given:
                message["headers"].append((b"cache-control", b"no-store"))
        await self.send(message)


class Guard:
    """Wraps the API; what is not HTTP passes."""

    def __init__(self, inner: ASGIApp, limits: Limits, hosts: Collection[str] = ()) -> None:
        self.inner, self.limits = inner, limits
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return
        answering = Answering(send)
        try:
            refuse_other_sites(scope, self.hosts)
            told_apart = {**scope, "path": path_of(scope)}
        except InterlockError as error:
            await problem(error)(scope, receive, answering)
            return
        await self.within_time(told_apart, receive, answering)

    async def within_time(self, scope: Scope, receive: Receive, answering: Answering) -> None:
        """A thread cannot be stopped, so whoever waits for it is told, and what it answers later is dropped."""
        task = asyncio.ensure_future(self.inner(scope, receive, answering))
        try:
            await asyncio.wait({task}, timeout=self.limits.seconds)
            if not task.done() and answering.started:
                await asyncio.wait({task})  # a stream: it began in time, and lasts as long as it lasts
        except asyncio.CancelledError:
            task.cancel()
            raise
        if not task.done():
            await problem(RequestTimedOut(f"no answer within {self.limits.seconds:g} seconds"))(scope, receive, answering)
            answering.over = True
            task.add_done_callback(forgotten)
        elif (error := task.exception()) is not None and not answering.started:
            await unforeseen(error)(scope, receive, answering)


def forgotten(task: asyncio.Future[Any]) -> None:
    """Ask for the exception, so that nobody complains that no one did."""
    if not task.cancelled() and task.exception() is not None:
        log.error("a request that was late failed", exc_info=task.exception())


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
    """A page of another site can make a browser send requests here; such a request says where it comes from."""
    headers = Headers(scope=scope)
    host = headers.get("host", "").lower()
    if hosts and (host.rpartition(":")[0] or host) not in hosts and host not in hosts:
        raise BadInput("this service does not go by that name", hint="The header Host must be one of the names it was started with.")
    if scope["method"] not in UNSAFE:
        return
    origin = headers.get("origin")
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") or (origin and urlsplit(origin).netloc.lower() != host):
        raise NotAuthorized("a page of another site may not act here", hint="Requests across sites are off.")
