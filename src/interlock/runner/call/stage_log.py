"""Stage logs: what a stage function said with `work.log`, as JSON lines in the file store, without secrets.

A log is made at its first line, kept in memory while the stage runs and written when it ends, in place of the attempt's before it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import IO, Any
from urllib.parse import quote

from ...clock import Clock
from ...store.files.file_store import FileStore
from ...workflow import Work
from ...workflow.work import open_path
from ..executors.tasks import Task
from .redaction import HIDDEN, is_secret, redacted

LARGEST_LOG = 256 * 1024
LONGEST_LINE = 16 * 1024
_SAFE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_OWN = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {"message", "asctime", "taskName"}
_runner_log = logging.getLogger("interlock.runner")


class StageLog(logging.Logger):
    """A logger for one attempt, so cheap that work which says nothing pays nothing: no registry, no handlers, no file."""

    name = "interlock.work"
    level = logging.INFO
    disabled = False
    propagate = False
    parent = None
    filters: Sequence[Any] = ()  # type: ignore[assignment]
    handlers: Sequence[logging.Handler] = ()  # type: ignore[assignment]
    lines: list[bytes] | None = None
    size = left_out = 0

    def __init__(
        self, attempt: int, now: Callable[[], datetime]
    ) -> None:  # Logger's own is too dear to be called per task
        self.attempt, self.now = attempt, now

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 the name is logging's
        return level >= self.level

    def handle(self, record: logging.LogRecord) -> None:
        self.take(line_of(record, self.attempt, self.now()))

    def take(self, line: bytes) -> None:
        """Keep a line while the log is small."""
        if self.size + len(line) > LARGEST_LOG:
            self.left_out += 1
        else:
            self.size += len(line)
            self.lines = self.lines or []
            self.lines.append(line)

    def content(self) -> bytes:
        end = (
            [encode_line({"level": "warning", "message": f"{self.left_out} more lines were left out"})]
            if self.left_out
            else []
        )
        return b"".join([*(self.lines or ()), *end])


class StageKeeper:
    """The logs and files of one stage's work, made when they are asked for."""

    def __init__(self, stage: str, files: FileStore | None, clock: Clock) -> None:
        self._stage, self._files, self._clock = stage, files, clock

    def log(self, work: Work) -> StageLog:
        return StageLog(work.attempt, self._clock.now)

    def log_ref(self, work: Work) -> str:
        return log_ref(self._stage, work)

    @property
    def has_store(self) -> bool:
        return self._files is not None

    def open(self, ref: str) -> IO[bytes]:
        return open_path(ref) if self._files is None else self._files.open(ref)


class StageLogs:
    """Gives each task its log, and writes it."""

    def __init__(self, files: FileStore | None, clock: Clock) -> None:
        self._files, self._clock = files, clock
        self._keepers: dict[str, StageKeeper] = {}

    def attach(self, task: Task) -> None:
        """Nothing here knows the work: what knew it, and was known by it, would be garbage that only a search finds."""
        name = task.stage.name
        keeper = self._keepers.get(name)
        if keeper is None:
            keeper = self._keepers[name] = StageKeeper(name, self._files, self._clock)
        task.work.keeper = keeper

    def write(self, task: Task) -> None:
        """Write the log; if that fails, the work does not fail."""
        log = task.work.own_log
        if isinstance(log, StageLog) and log.lines and self._files is not None:
            try:
                self._files.write_log(task.work.log_ref, log.content())
            except Exception as error:  # noqa: BLE001 any store's any fault
                _runner_log.warning(
                    "the log %s could not be written: %s", task.work.log_ref, redacted(str(error))
                )


def log_ref(stage: str, work: Work) -> str:
    scope = f"@{safe(work.scope)}" if work.scope is not None else ""
    return f"/logs/{stage}/{safe(work.id)}{scope}.log.json"  # a stage is named like its function


def safe(id: Any) -> str:
    """An id as part of a path: most stay as they are, and no two become the same."""
    text = str(id)
    if len(text) < 100 and text.isascii() and text.replace("_", "a").isalnum():
        return text
    if _SAFE.fullmatch(text):
        return text
    quoted = quote(text, safe="").replace(".", "%2E")
    return quoted if 0 < len(quoted) <= 150 else f"{quoted[:80]}%{hash_of(text)}"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def line_of(record: logging.LogRecord, attempt: int, at: datetime) -> bytes:
    """One record as a line of JSON: when, how grave, what, and the fields given as `extra`."""
    stamp = at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    fields: dict[str, Any] = {
        "at": stamp,
        "level": record.levelname.lower(),
        "message": message_of(record),
        "attempt": attempt,
    }
    fields.update(
        (name, value) for name, value in vars(record).items() if name not in _OWN and name not in fields
    )
    if record.exc_info and record.exc_info[1] is not None:
        fields["traceback"] = "".join(traceback.format_exception(record.exc_info[1], limit=-30))[
            -LONGEST_LINE // 2 :
        ]
    return encode_line(fields)


def message_of(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 a wrong format string is no reason to fail the work
        return str(record.msg)


def encode_line(fields: dict[str, Any]) -> bytes:
    """The fields as one line; names that promise a secret hide their value."""
    try:
        line = json.dumps(without_secrets(fields), ensure_ascii=False, default=str)
    except Exception:  # noqa: BLE001 whatever a field holds
        line = json.dumps({name: redacted(str(fields.get(name))) for name in ("at", "level", "message")})
    if len(line) > LONGEST_LINE:
        kept = {name: fields[name] for name in ("at", "level", "attempt") if name in fields}
        line = json.dumps(
            {**kept, "message": redacted(str(fields.get("message")))[: LONGEST_LINE // 2], "cut": True},
            ensure_ascii=False,
        )
    return line.encode("utf-8", "backslashreplace") + b"\n"


def without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            str(name): HIDDEN if is_secret(str(name)) else without_secrets(inner)
            for name, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [without_secrets(inner) for inner in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return redacted(str(value))
