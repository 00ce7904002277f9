"""How much a caller may ask for: sizes, pages, time, and requests a second by a bucket of tokens for each caller."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from ...errors import RequestTooLarge, TooManyRequests

CALLERS_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What the service takes; `rate` and `burst` are for each key, or for each address that shows none. 0 switches the rate off.

    `upload` is the largest file in bytes; a file may take `upload_seconds` to arrive, everything else `seconds` to be answered. A body of
    which nothing arrives for `idle_seconds` is not waited for any longer.
    """

    body: int = 1_000_000
    depth: int = 32
    page: int = 500
    rate: float = 100.0
    burst: int = 500
    seconds: float = 30.0
    idle_seconds: float = 10.0
    streams: int = 1_000
    exports: int = 2
    upload: int = 50 * 1024 * 1024
    upload_seconds: float = 600.0


class Buckets:
    """Tokens of every caller, in this process; whoever has not been heard of for longest is forgotten first."""

    def __init__(self, limits: Limits) -> None:
        self.rate, self.burst = limits.rate, float(limits.burst)
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now: float) -> None:
        """Take one token, or refuse and say when there will be one; `now` is the event loop's time."""
        if not self.rate:
            return
        tokens, since = self._left.pop(caller, (self.burst, now))
        tokens = min(self.burst, tokens + (now - since) * self.rate)
        self._left[caller] = (tokens - 1 if tokens >= 1 else tokens, now)
        if len(self._left) > CALLERS_REMEMBERED:
            self._left.popitem(last=False)
        if tokens < 1:
            wait = ceil((1 - tokens) / self.rate)
            raise TooManyRequests(
                f"more than {self.rate:g} requests a second", error="rate_limited", retry_after=wait
            )


def too_large(limit: int) -> RequestTooLarge:
    """A file is larger than is taken."""
    most = round(limit / (1024 * 1024), 3)
    return RequestTooLarge(
        f"the file is larger than {limit:,} bytes",
        error="file_too_large",
        max_size_mb=int(most) if most == int(most) else most,
        hint="Split the file, or export it in parts; nothing was kept of it.",
    )


def refuse_depth(value: object, deepest: int) -> None:
    """Refuse JSON that is nested deeper than anybody needs; iterative, so that it cannot be what breaks."""
    level = [one for one in (value,) if isinstance(one, dict | list)]
    for _ in range(deepest):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise RequestTooLarge(f"the JSON is nested deeper than {deepest} levels")
