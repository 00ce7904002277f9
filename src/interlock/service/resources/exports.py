"""The ledger over HTTP, streamed: one snapshot, read no faster than its reader takes it, and let go when the reader has gone."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Generator
from itertools import islice
from threading import BoundedSemaphore, Lock, Thread

from anyio import fail_after
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from ...app import App
from ...errors import InterlockError, TooManyRequests
from ..http.guard import PATIENCE
from ..http.limits import Limits
from .ledger import VERIFY_SECONDS
from .proofs import Detail, Number

log = logging.getLogger("interlock.service")
EXPORT = {
    "application/x-ndjson": {
        "type": "string",
        "example": '{"interlock":"ledger 1",…}\n{"machine":…}\n{"entry":…}\n{"end":…}\n',
    }
}
LINES = 500
STALLED_SECONDS = 60.0
"""A reader who takes nothing for so long is gone: the database keeps what he would have seen for as long as he stays."""


class Reading:
    """One export under way: read by one thread at a time, and closed once, whoever is in the middle of it."""

    def __init__(self, lines: Generator[str, None, None], closed: Callable[[], None]) -> None:
        self._lines, self._closed, self._open, self._lock = lines, closed, True, Lock()

    def piece(self) -> bytes:
        """The next lines; nothing at the end."""
        with self._lock:
            return "".join(f"{line}\n" for line in islice(self._lines, LINES)).encode()

    def close(self) -> None:
        with self._lock:
            if self._open:
                self._open = False
                self._lines.close()
                self._closed()


class Streamed(StreamingResponse):
    """An export as an answer; without its last line it broke off, and the connection ends without an end."""

    def __init__(self, reading: Reading, first: bytes) -> None:
        self.reading, self.first = reading, first
        super().__init__(
            self.pieces(), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
        )

    async def pieces(self) -> AsyncIterator[bytes]:
        piece = self.first
        while piece:
            yield piece
            piece = await run_in_threadpool(self.reading.piece)
        self.reading.close()  # all was read, so nothing is waited for; who has heard the end may ask again at once

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            with fail_after(STALLED_SECONDS):
                await send(message)

        try:
            await super().__call__(scope, receive, send_in_time)
        except (InterlockError, TimeoutError) as error:
            log.warning("an export broke off: %s", getattr(error, "code", "its reader took nothing any more"))
        finally:  # a thread of its own: whatever is awaited here can be cancelled too, when the service stops
            Thread(target=self.reading.close, name="interlock-export-ends").start()


class Exporting:
    """Exports of an app; each holds a connection and a snapshot, so only some at once."""

    def __init__(self, app: App, limits: Limits) -> None:
        self.app, self.most, self._free = app, limits.exports, BoundedSemaphore(limits.exports)

    def export(
        self, request: Request, kind: str | None = None, after_seal: Number = 0, detail: Detail = True
    ) -> Streamed:
        """History as lines of JSON, as `interlock ledger export` writes it: machines, seals, entries, verdicts, and an end."""
        request.scope[PATIENCE] = VERIFY_SECONDS
        workflow = None if kind is None else self.app.workflow(kind)
        if not self._free.acquire(blocking=False):
            raise TooManyRequests(f"{self.most} exports are under way already", retry_after=10)
        reading = Reading(
            self.app.ledger.export(kind=workflow, after_seal=after_seal, detail=detail), self._free.release
        )
        try:
            return Streamed(reading, reading.piece())
        except BaseException:
            reading.close()
            raise
