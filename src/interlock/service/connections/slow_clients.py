"""Ends connections whose client sends its request too slowly: a server that waits for ever can be held by a few idle sockets."""

from __future__ import annotations

import asyncio
from typing import Any, cast

HEAD_SECONDS = 10.0
"""How long the head of a request may take, and what is left of a body that nobody reads any more."""


class SlowClientLimit:
    """Goes before uvicorn's own protocol: limits the time in which bytes are awaited and no request is being answered.

    uvicorn itself ends connections that say nothing at all between two requests. Whoever sends half of a head, or a byte now and then of
    a body that was already refused, is never ended by it.
    """

    seconds = HEAD_SECONDS
    limit: asyncio.TimerHandle | None = None
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: Any

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(Any, super()).connection_made(transport)
        self.start_limit()

    def data_received(self, data: bytes) -> None:
        cast(Any, super()).data_received(data)
        if self.is_answering():
            self.stop_limit()
        else:
            self.start_limit()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_limit()
        cast(Any, super()).connection_lost(exc)

    def is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def start_limit(self) -> None:
        """Begin to count, unless it has begun: a byte now and then gains no time."""
        if self.limit is None:
            self.limit = self.loop.call_later(self.seconds, self.end_when_idle)

    def stop_limit(self) -> None:
        if self.limit is not None:
            self.limit.cancel()
            self.limit = None

    def end_when_idle(self) -> None:
        self.limit = None
        if not self.is_answering():
            self.transport.close()


def ending_slow_clients(seconds: float = HEAD_SECONDS) -> type[asyncio.Protocol]:
    """uvicorn's own protocol with this limit."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    return type("EndingSlowClients", (SlowClientLimit, AutoHTTPProtocol), {"seconds": seconds})
