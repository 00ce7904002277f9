"""Calls of synchronous functions from `async` code: each runs in one of a few threads, so that an event loop never waits for a database."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from .errors import BadInput

P = ParamSpec("P")
R = TypeVar("R")


class AwaitableCalls:
    """Makes coroutines of functions, and owns the threads in which they run."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="interlock-aio")

    def awaitable(self, function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
        """Return a coroutine function that runs `function` in a thread, with the caller's context; refuses a transaction (`tx=`)."""

        @wraps(function)
        async def call(*args: P.args, **options: P.kwargs) -> R:
            if options.get("tx") is not None:
                raise BadInput(
                    "a call of app.aio has a thread of its own and cannot join a transaction",
                    hint="Within an AsyncSession: await session.run_sync(lambda tx: app.move(…, tx=tx)).",
                )
            bound = partial(copy_context().run, function, *args, **options)
            return await get_running_loop().run_in_executor(self._threads, bound)

        return call

    def close(self) -> None:
        """Wait for calls that are under way, and end the threads."""
        self._threads.shutdown()
