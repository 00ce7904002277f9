"""One request at a time for each host of a process, and a pause between two: its rate, or what its robots.txt asks for."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MOST_HOSTS = 10_000
LONGEST_DELAY = 30.0
"""Seconds. The longest pause that a site gets, however long it asks for: a visit of several requests must end in its time."""


@dataclass
class _Turn:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ended_at: float = float("-inf")
    delay: float = 0.0
    users: int = 0


class Politeness:
    """Whose turn it is at each host. `interval` is the least time in seconds between two requests to one host."""

    def __init__(self, interval: float) -> None:
        self.interval = interval
        self._turns: OrderedDict[str, _Turn] = OrderedDict()

    def slow_down(self, host: str, delay: float | None) -> None:
        """Wait so many seconds between requests to a host from now on; None for the usual interval."""
        self._turn(host).delay = min(delay or 0.0, LONGEST_DELAY)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait for the host's turn, hold it during one request, and start its pause when that ends."""
        turn = self._turn(host)
        turn.users += 1
        try:
            async with turn.lock:
                loop = asyncio.get_running_loop()
                await asyncio.sleep(max(0.0, self._free_at(turn) - loop.time()))
                try:
                    yield
                finally:
                    turn.ended_at = loop.time()
        finally:
            turn.users -= 1

    async def rest(self, host: str) -> None:
        """Wait until the host's pause after its last request is over."""
        turn = self._turns.get(host)
        if turn is not None:
            await asyncio.sleep(max(0.0, self._free_at(turn) - asyncio.get_running_loop().time()))

    def _free_at(self, turn: _Turn) -> float:
        """When the host may be asked again: a delay that its last answer asked for counts from that answer on."""
        return turn.ended_at + max(self.interval, turn.delay)

    def _turn(self, host: str) -> _Turn:
        turn = self._turns.get(host)
        if turn is None:
            turn = self._turns[host] = _Turn()
            self._forget()
        self._turns.move_to_end(host)
        return turn

    def _forget(self) -> None:
        """Drop the hosts that were visited the longest ago, so that memory stays flat."""
        for host in list(self._turns)[: max(0, len(self._turns) - MOST_HOSTS)]:
            if not self._turns[host].users:
                del self._turns[host]
