"""One piece of work as a stage function sees it: a plain value that a test can make by hand."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

_LOG = logging.getLogger("interlock.work")


def _open_path(ref: str) -> IO[bytes]:
    return Path(ref).open("rb")


class Work:
    """The record to work on, which attempt this is, and what went wrong the last time."""

    cancelled = False
    log = _LOG
    beats = 0
    opener: Callable[[str], IO[bytes]] = staticmethod(_open_path)
    _log_ref: str | Callable[[], str] = ""

    def __init__(self, id: Any, record: Mapping[str, Any] | None = None, *, scope: str | None = None, attempt: int = 1,
                 last_error: str | None = None) -> None:
        self.id = id
        self.record: Mapping[str, Any] = record if type(record) is dict else dict(record or {})
        self.scope = scope
        self.attempt = attempt
        self.last_error = last_error

    @property
    def log_ref(self) -> str:
        """Where its log is found; made when somebody asks, for most work is never asked."""
        if not isinstance(self._log_ref, str):
            self._log_ref = self._log_ref()
        return self._log_ref

    @log_ref.setter
    def log_ref(self, ref: str) -> None:
        self._log_ref = ref

    def later_ref(self, make: Callable[[], str]) -> None:
        self._log_ref = make

    def open(self, ref: str) -> IO[bytes]:
        """The file behind a reference, from the file store; in a plain test the reference is a path."""
        return self.opener(ref)

    def beat(self) -> None:
        """Say that long work is alive."""
        self.beats += 1

    def __repr__(self) -> str:
        return f"Work({self.id!r}, attempt={self.attempt})"
