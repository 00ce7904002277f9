"""A real server on a real port, in a thread of the test's own process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from interlock.cli.processes.serve import listening_on
from interlock.service.connections.slow_clients import HEAD_SECONDS, ending_slow_clients


class Served(uvicorn.Server):
    """Says when it is up, and leaves signals to pytest."""

    def __init__(self, application: Any, head_seconds: float = HEAD_SECONDS, idle_seconds: int = 5) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                http=ending_slow_clients(head_seconds),
                log_level="warning",
                access_log=False,
                timeout_keep_alive=idle_seconds,
                timeout_graceful_shutdown=1,
            )
        )
        self.up = threading.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.up.set()


@contextmanager
def served(
    application: Any, head_seconds: float = HEAD_SECONDS, *, idle_seconds: int = 5, port: int = 0
) -> Iterator[str]:
    """The address of the application while it is served, on any port or on this one. `idle_seconds` is how long a connection may say
    nothing between two requests, which is uvicorn's own limit."""
    with listening_on("127.0.0.1", port) as listening:
        server = Served(application, head_seconds, idle_seconds)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        assert server.up.wait(30), "the server did not start"
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)
            assert not thread.is_alive()
