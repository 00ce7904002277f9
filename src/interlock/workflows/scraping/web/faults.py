"""Why a visit failed: a code, a sentence, and whether another try may succeed."""

from __future__ import annotations

RETRIED = frozenset(
    {
        "DNS_FAILED",
        "CONNECTION_FAILED",
        "CONNECTION_REFUSED",
        "TIMEOUT",
        "SERVER_ERROR",
        "RATE_LIMITED",
        "BAD_RESPONSE",
        "ROBOTS_UNREACHABLE",
    }
)
"""What passes: the site or the network is in trouble for now. Every other code is final."""


class FetchFault(Exception):
    """A visit that gave nothing to read. `after` is how many seconds the site asked to be left alone."""

    def __init__(
        self, code: str, message: str, *, status: int | None = None, after: float | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.status, self.after = code, message, status, after

    @property
    def is_final(self) -> bool:
        """Whether another try would end the same."""
        return self.code not in RETRIED
