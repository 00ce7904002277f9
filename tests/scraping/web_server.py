"""A web server on loopback whose pages a test decides; it notes when each request came."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Self

Content = bytes | AsyncIterator[bytes] | Awaitable[bytes]
Answer = bytes | Callable[["Request"], Content]
PART = 65_536
"""Bytes that are written at once."""


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    path: str
    host: str
    headers: Mapping[str, str]
    began: float
    address: str = ""
    """The address of this machine to which it came."""


def answer(
    body: bytes = b"", *, status: str = "200 OK", kind: str = "text/html; charset=utf-8", **headers: str
) -> bytes:
    """A whole HTTP answer."""
    lines = [
        f"HTTP/1.1 {status}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@dataclass
class WebServer:
    """Serves `pages` by path, or by host and path; what is not there is 404."""

    pages: dict[str, Answer] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    port: int = 0
    bound_to: str = "127.0.0.1"
    _spans: list[tuple[str, float, float]] = field(default_factory=list)
    _open: int = 0
    _closed: threading.Condition = field(default_factory=threading.Condition)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def spans(self) -> list[tuple[str, float, float]]:
        """Host, beginning and end of each request that was answered, once none is open: a client has its answer before the server has
        noted its end."""
        with self._closed:
            assert self._closed.wait_for(lambda: self._open == 0, 10), f"{self._open} requests are still open"
            return list(self._spans)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve(ready))
        self._loop.close()

    async def _serve(self, ready: threading.Event) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(
            self._handle, self.bound_to, 0, family=socket.AF_INET, backlog=1024
        )
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stop.wait()
        server.close()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def find(self, request: Request) -> Answer | None:
        """What is answered to a request; None for 404."""
        return self.pages.get(f"{request.host}{request.path}", self.pages.get(request.path))

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with self._closed:
            self._open += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")
            headers = {
                name.strip().lower(): value.strip()
                for name, _, value in (line.partition(":") for line in lines if line)
            }
            address = str(writer.get_extra_info("sockname")[0])
            request = Request(
                first.split(" ")[1], headers.get("host", ""), headers, time.monotonic(), address
            )
            self.requests.append(request)
            ended = await self._answer(request, reader, writer)
            self._spans.append((request.host, request.began, ended))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
            with self._closed:
                self._open -= 1
                self._closed.notify_all()

    async def _answer(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> float:
        """Send the answer, or stop when the client goes away; when that was."""
        page = self.find(request)
        if page is None:
            page = answer(b"not here", status="404 Not Found")
        content: Content = page(request) if callable(page) else page
        sending = asyncio.ensure_future(_send(content, writer))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            return sending.result() if sending.done() else time.monotonic()
        except ConnectionError:
            return time.monotonic()
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)


async def _send(content: Content, writer: asyncio.StreamWriter) -> float:
    """Send it all; when its last part was on its way. That is noted before, for the client may be quicker than whoever notes it after."""
    ended = time.monotonic()
    if isinstance(content, AsyncIterator):
        async for part in content:
            ended = time.monotonic()
            writer.write(part)
            await writer.drain()
        return ended
    whole = content if isinstance(content, bytes) else await content
    for first in range(0, len(whole), PART):
        ended = time.monotonic()
        writer.write(whole[first : first + PART])
        await writer.drain()
    return ended
