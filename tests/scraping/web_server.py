"""A web server on loopback whose pages a test decides; it notes when each request came."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

Answer = bytes | Callable[["Request"], Awaitable[bytes] | bytes]


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    path: str
    host: str
    headers: Mapping[str, str]
    began: float


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
    spans: list[tuple[str, float, float]] = field(default_factory=list)
    port: int = 0

    def __enter__(self) -> WebServer:
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
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve(ready))
        self._loop.close()

    async def _serve(self, ready: threading.Event) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._handle, "127.0.0.1", 0, family=socket.AF_INET)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stop.wait()
        server.close()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")
            headers = {
                name.strip().lower(): value.strip()
                for name, _, value in (line.partition(":") for line in lines if line)
            }
            request = Request(first.split(" ")[1], headers.get("host", ""), headers, time.monotonic())
            self.requests.append(request)
            page = self.pages.get(f"{request.host}{request.path}", self.pages.get(request.path))
            if page is None:
                page = answer(b"not here", status="404 Not Found")
            content = page(request) if callable(page) else page
            if not isinstance(content, bytes):
                content = await content
            writer.write(content)
            await writer.drain()
            self.spans.append((request.host, request.began, time.monotonic()))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
