"""A server in a process of its own, and a client that costs next to nothing: what is measured is the server."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

CONNECTIONS = 8


def serve(side: str, database: str, address: str, ready: Any) -> None:
    """Runs in the process: ours, or what is beside it."""
    import uvicorn

    from interlock.cli.processes.serve import listening_on

    if side == "ours":
        from interlock import App
        from interlock.service.http.limits import Limits

        from .kind import uploads

        application: Any = App([uploads()], database=address).asgi(limits=Limits(rate=0))
    else:
        from .beside.service import application as bare

        application = bare(database, address)
    listening = listening_on("127.0.0.1", 0)
    ready.send(listening.getsockname()[1])
    uvicorn.Server(uvicorn.Config(application, log_level="error", access_log=False)).run(sockets=[listening])


@contextmanager
def served(side: str, database: str, address: str) -> Iterator[int]:
    """The port of a server that is up, until it is left."""
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(side, database, address, sending), daemon=True)
    process.start()
    try:
        if not receiving.poll(60):
            raise RuntimeError(f"the server of {side} did not start")
        yield int(receiving.recv())
    finally:
        process.terminate()
        process.join(10)


def get(path: str, key: str) -> bytes:
    return f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode()


def post(path: str, key: str, body: bytes) -> bytes:
    return (
        f"POST /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body


class Client:
    """Keeps a few connections and sends requests over all of them, each waiting for its answer."""

    def __init__(self, port: int) -> None:
        self.port, self.runner = port, asyncio.Runner()
        self.lines: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = self.runner.run(self._connect())

    async def _connect(self) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        return [await asyncio.open_connection("127.0.0.1", self.port) for _ in range(CONNECTIONS)]

    def send(self, requests: Sequence[bytes]) -> None:
        self.runner.run(self._send(requests))

    async def _send(self, requests: Sequence[bytes]) -> None:
        waiting = iter(requests)
        await asyncio.gather(*(self._one_by_one(line, waiting) for line in self.lines))

    async def _one_by_one(
        self, line: tuple[asyncio.StreamReader, asyncio.StreamWriter], waiting: Iterator[bytes]
    ) -> None:
        reader, writer = line
        for request in waiting:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            if not head.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(f"a request was refused: {body[:300]!r}")

    def close(self) -> None:
        for _, writer in self.lines:
            writer.close()
        self.runner.close()
