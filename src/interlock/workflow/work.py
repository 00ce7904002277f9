"""One piece of work as a stage function sees it: a plain value that a test can make by hand."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Protocol

_LOG = logging.getLogger("interlock.work")


def open_path(ref: str) -> IO[bytes]:
    """Open a reference as a path: for work that was made by hand, in a test."""
    return Path(ref).open("rb")


class Keeper(Protocol):
    """Stores logs and opens files for work; one for all work of a stage."""

    def log(self, work: Work) -> logging.Logger: ...

    def log_ref(self, work: Work) -> str: ...

    def open(self, ref: str) -> IO[bytes]: ...

    @property
    def has_store(self) -> bool:
        """Whether references lead into a file store; otherwise they are paths."""
        ...


class Work:
    """The record to work on, which try of this stage it is since the record came to wait for it, and what went wrong the last time."""

    cancelled = False
    beats = 0
    keeper: Keeper | None = None
    opener: Callable[[str], IO[bytes]] | None = None
    own_log: logging.Logger | None = None
    """The log, once somebody has asked for it; most work says nothing, and has none."""
    _log_ref: str | None = None
    failed_tries: tuple[dict[str, str], ...] = ()
    """Tries that the same runner made before within this attempt: `error_code`, `message` and `ended_at` of each, oldest first."""

    def __init__(
        self,
        id: Any,
        record: Mapping[str, Any] | None = None,
        *,
        scope: str | None = None,
        attempt: int = 1,
        last_error: str | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.record: Mapping[str, Any] = record if type(record) is dict else dict(record or {})
        self.state: Mapping[str, Any] = self.record if state is None else state
        """The row that carries the status of this axis and scope: the record itself, or its row of the state table."""
        self.scope = scope
        self.attempt = attempt
        self.last_error = last_error

    @property
    def log(self) -> logging.Logger:
        """Append a line to the log of this attempt, which is stored with the record at `log_ref`."""
        if self.own_log is None:
            self.own_log = _LOG if self.keeper is None else self.keeper.log(self)
        return self.own_log

    @log.setter
    def log(self, log: logging.Logger) -> None:
        self.own_log = log

    @property
    def log_ref(self) -> str:
        """Where its log is found."""
        if self._log_ref is None:
            self._log_ref = "" if self.keeper is None else self.keeper.log_ref(self)
        return self._log_ref

    @log_ref.setter
    def log_ref(self, ref: str) -> None:
        self._log_ref = ref

    def open(self, ref: str) -> IO[bytes]:
        """The file behind a reference, from the file store; in a plain test the reference is a path."""
        opener = self.opener or (open_path if self.keeper is None else self.keeper.open)
        return opener(ref)

    def beat(self) -> None:
        """Report that long work is still alive."""
        self.beats += 1

    def __repr__(self) -> str:
        return f"Work({self.id!r}, attempt={self.attempt})"
