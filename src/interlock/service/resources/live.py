"""Live changes as server-sent events: each entry of the ledger once, in commit order; `Last-Event-ID` goes on where a stream broke off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Header, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from ...app import App
from ...errors import InterlockError
from ...store.ledger.read import Cursor
from ..connections.feed import Feed, Found
from ..connections.identity import Callers
from ..http.answers import encoded
from ..http.routing import who_asks
from .ledger import entry

HEARTBEAT_SECONDS = 15.0
Resumed = Annotated[str | None, Header(alias="Last-Event-ID", pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$")]
After = Annotated[str | None, Query(pattern=r"^[0-9]{1,18}\.[0-9]{1,18}$")]


class Live:
    """The stream that pages and programs follow."""

    def __init__(self, app: App, feed: Feed) -> None:
        self.app, self.feed, self.heartbeat = app, feed, HEARTBEAT_SECONDS

    def follow(
        self, request: Request, kind: str | None = None, after: After = None, last_event_id: Resumed = None
    ) -> StreamingResponse:
        """Entries as they are committed, from now on or from behind `Last-Event-ID` (or `after`, for clients that cannot set it)."""
        self.feed.refuse_when_full()
        if kind is not None:
            self.app.workflow(kind)
        cursor = last_event_id or after
        start = Cursor.parse(cursor) if cursor else self.newest()
        return StreamingResponse(
            self.stream(request, start, kind),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    def newest(self) -> Cursor:
        found = self.app.ledger.tail(limit=1)
        return found[-1][0] if found else Cursor()

    async def stream(self, request: Request, cursor: Cursor, kind: str | None) -> AsyncIterator[bytes]:
        """Yield the events of the stream, from behind a cursor; a slow client delays nobody else."""
        listener = self.feed.listen(asyncio.get_running_loop())
        try:
            yield b"retry: 1000\n" + sent("ready", cursor, b"{}")
            while True:
                listener.news.clear()
                found = self.feed.after(cursor)
                if found is None:
                    found = await run_in_threadpool(self.behind, cursor)
                if found:
                    cursor = found[-1][0]
                    if text := b"".join(
                        sent("move", at, encoded(entry(move, at)))
                        for at, move in found
                        if kind in (None, move.kind)
                    ):
                        yield text
                elif not await heard(listener.news, self.heartbeat):
                    if not await self.may_still_see(request):
                        return
                    yield b": still here\nid: " + str(cursor).encode() + b"\n\n"
        finally:
            self.feed.leave(listener)

    def behind(self, cursor: Cursor) -> list[Found]:
        try:
            return self.app.ledger.tail(cursor, limit=500)
        except InterlockError:  # the database is away; the stream stays, and goes on when it is back
            return []

    async def may_still_see(self, request: Request) -> bool:
        """Whether the caller's key still holds; the stream of a revoked or expired key ends."""
        callers: Callers = request.app.state.callers
        try:
            return await callers.of(request) == who_asks(request)
        except InterlockError:
            return False


def sent(event: str, cursor: Cursor, data: bytes) -> bytes:
    return b"id: " + str(cursor).encode() + b"\nevent: " + event.encode() + b"\ndata: " + data + b"\n\n"


async def heard(news: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(news.wait(), seconds)
    except TimeoutError:
        return False
    return True
