"""The life of an isolated process: takes tasks of one stage one by one, calls the function, answers; knows no database and no network."""

from __future__ import annotations

import asyncio
import builtins
import errno
import gc
import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from ... import errors
from ...clock import SystemClock, monotonic
from ...workflow import Failed, Outcome, Stage, Work
from ...workflow.work import open_path
from ..call.classify import bad_outcome, call, call_async, failure, is_async
from ..call.stage_log import StageLog
from .codec import CannotLeave, Codec, Undeclared
from .limits import allow_headroom, limit_task, mapped_bytes, memory_bytes, resident_bytes
from .messages import (
    BEAT,
    FILE,
    LARGEST,
    LAST_RESULT,
    LOG,
    OPEN,
    OPEN_YOURSELF,
    READY,
    RESULT,
    Gone,
    Link,
    unpacked,
)
from .protections import Protections

MOST_TASKS = 10_000
LEAK = 256 * 1024 * 1024
FEW_FILES = 8
LOOK_EVERY = 16
BEAT_EVERY = 0.1


class SentLog(StageLog):
    """Sends each line at once: what was said before a crash is what people want to read after it."""

    def __init__(self, attempt: int, link: Link) -> None:
        super().__init__(attempt, SystemClock().now)
        self._link = link

    def take(self, line: bytes) -> None:
        with suppress(Gone):
            self._link.send(LOG, line)


class DistantWork(Work):
    """Work whose files are opened by the runner, and whose beats are heard there."""

    def __init__(
        self,
        link: Link,
        id: Any,
        record: dict[str, Any],
        scope: str | None,
        attempt: int,
        last_error: str | None,
        log_ref: str,
        state: dict[str, Any] | None,
    ) -> None:
        super().__init__(id, record, scope=scope, attempt=attempt, last_error=last_error, state=state)
        self._link, self._last_beat = link, 0.0
        self.log_ref, self.log = log_ref, SentLog(attempt, link)
        self.opener = self._open

    def beat(self) -> None:
        super().beat()
        if monotonic() - self._last_beat > BEAT_EVERY:
            self._last_beat = monotonic()
            self._link.send(BEAT)

    def _open(self, ref: str) -> IO[bytes]:
        with self._link.lock:
            self._link.send(OPEN, ref.encode())
            kind, payload, file = self._link.receive(files=True)
        if kind == FILE and file is not None:
            return os.fdopen(file, "rb")
        name, text, number = unpacked(payload)
        if name == OPEN_YOURSELF:
            return open_path(ref)
        raise rebuilt(name, text, number)


def rebuilt(name: str, text: str, number: int | None) -> Exception:
    """The error that opening met in the runner; its class decides what the stage makes of it."""
    kind = getattr(builtins, name, None) or getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, OSError):
        return kind(number or errno.EIO, text)
    if isinstance(kind, type) and issubclass(kind, errors.InterlockError):
        return errors.InterlockError.__reduce__(errors.BadInput(text))[0](kind, text, "", {})  # type: ignore[no-any-return]
    return OSError(errno.EIO, f"{name}: {text}")


def serve(end: socket.socket, stage: Stage, codec: Codec, protections: Protections) -> NoReturn:
    """Until the runner closes the socket, or the process is no longer as good as new."""
    link = Link(end)
    asynchronous, health = is_async(stage), _Health(stage)
    gc.enable()
    with suppress(Gone):
        link.send(READY, protections.to_bytes())
        while True:
            _, payload, _ = link.receive(files=True)
            answer = _answer(link, stage, codec, payload, asynchronous)
            last = health.is_failing()
            link.send(LAST_RESULT if last else RESULT, answer)
            if last:
                break
    os._exit(0)


def _answer(link: Link, stage: Stage, codec: Codec, payload: bytes, asynchronous: bool) -> bytes:
    *about, loaded = unpacked(payload)
    work = DistantWork(link, *about)
    del payload, about
    limit_task(stage)
    allow_headroom(stage, allowed=False)
    try:
        outcome = asyncio.run(call_async(stage, work, loaded)) if asynchronous else call(stage, work, loaded)
    except BaseException as error:  # noqa: BLE001 an event loop that cannot be made or closed
        outcome = failure(stage, work, error)
    allow_headroom(stage, allowed=True)
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    return sendable(stage, codec, work, outcome)


def sendable(stage: Stage, codec: Codec, work: Work, outcome: Outcome[Any]) -> bytes:
    """The outcome as bytes; one that may not leave the process, or is too large to, is a failure that no retry mends."""
    try:
        payload = codec.encode(outcome)
    except MemoryError as error:
        return codec.encode(failure(stage, work, error))
    except Undeclared as error:
        return codec.encode(Failed("UNDECLARED_RESULT", str(error), final=True))
    except Exception as error:  # noqa: BLE001 whatever the result's classes raise
        why = str(error) if isinstance(error, CannotLeave) else type(error).__name__
        return codec.encode(bad_outcome(f"the result of {stage.name} cannot leave its process: {why}"))
    if len(payload) > LARGEST:
        return codec.encode(too_large(len(payload)))
    return payload


def too_large(size: int) -> Failed[Any]:
    return Failed(
        "RESULT_TOO_LARGE", f"{size:,} bytes; at most {LARGEST:,} may leave an isolated process", final=True
    )


class _Health:
    """Whether the process may take another task: it ends itself when work has left memory, threads, files or processes behind."""

    def __init__(self, stage: Stage) -> None:
        self._tasks, self._files = 0, _open_files()
        self._measure = resident_bytes if stage.memory is None else mapped_bytes
        self._most = self._measure() + (LEAK if stage.memory is None else memory_bytes(stage.memory) // 2)

    def is_failing(self) -> bool:
        self._tasks += 1
        if (
            self._tasks >= MOST_TASKS
            or threading.active_count() > 1
            or _has_children()
            or self._measure() > self._most
        ):
            return True
        return self._tasks % LOOK_EVERY == 0 and _open_files() > self._files + FEW_FILES


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _open_files() -> int:
    try:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    except OSError:
        return 0
