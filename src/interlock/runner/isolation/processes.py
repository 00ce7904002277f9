"""Runs isolated stages: one warm process per thread and stage, killed when time is up or nobody wants the result, then replaced."""

from __future__ import annotations

import errno
import logging
import os
import select
import shutil
import signal
import tempfile
import threading
from contextlib import suppress
from datetime import timedelta
from typing import IO, Any

from ...clock import monotonic
from ...errors import BadInput, IsolationLost
from ...store.files.file_store import content_ref
from ...workflow import Again, Failed, Outcome, Stage
from ..call.classify import bad_outcome, crashed, judged, message_of, timed_out
from ..call.gating import ask_gates
from ..call.stage_log import LONGEST_LINE, StageLog
from ..executors.tasks import CANCELLED, Cancelled, Ended, Postponed, Task
from ..executors.threads import Report, ThreadPool
from ..executors.timers import Timers
from .child import too_large
from .codec import Codec
from .messages import (
    BEAT,
    FILE,
    LAST_RESULT,
    LOG,
    NO_FILE,
    OPEN,
    OPEN_YOURSELF,
    RESULT,
    TASK,
    Gone,
    Link,
    TooBig,
    packed,
)
from .protections import Protections
from .zygote import Zygote, ZygoteDied

START = 30.0
DYING = 1000
RUNS_AFTER_LOSS = 2
"""How often work is run again whose process ended with its zygote; work that ends zygotes must not go on for ever."""
_log = logging.getLogger("interlock.runner")


class StillBorn(OSError):
    """A process that ended before it could take work."""


class Lost(Exception):
    """A process ended because its zygote did: not the work's fault."""


class Child:
    """An isolated process, from the runner's side. One thread talks to it; any may kill it."""

    def __init__(self, zygote: Zygote, kind: str, stage: Stage) -> None:
        self._zygote, self._codec = zygote, zygote.codec(kind, stage)
        born = zygote.spawn(kind, stage)  # nobody buries it but us, so the number stays its own
        self._generation, self._pid, self._handle, end = born
        self._link = Link(end)
        self._watch = select.poll()
        self._watch.register(end, select.POLLIN)
        if self._handle is not None:
            self._watch.register(
                self._handle, select.POLLIN
            )  # a process of its own may hold its socket open after it has died
        self._lock = threading.Lock()
        self._token: str | None = None
        self.alive = True
        end.settimeout(START)
        try:
            _, payload, _ = self._link.receive()
            self.protections = Protections.from_bytes(payload)
            zygote.learn(self.protections)
        except (Gone, TooBig, OSError, ValueError, TypeError):
            self._end()
            raise StillBorn(errno.EAGAIN, "an isolated process ended before it took work") from None

    def run(self, task: Task, payload: bytes) -> Ended:
        with self._lock:
            self._token = task.token
        try:
            return CANCELLED if task.work.cancelled else self._converse(task, payload)
        except TimeoutError:
            self._end()
            return timed_out(task.stage)
        except TooBig as error:
            self._end()
            return too_large(error.args[0])
        except Gone:
            return self._cause_of_death(task)
        finally:
            with self._lock:
                self._token = None

    def kill(self, token: str) -> None:
        """Kill it if it still works on this."""
        with self._lock:
            if self._token == token:
                self._kill()

    def dismiss(self) -> None:
        """End a process that has nothing to do."""
        if self.alive:
            self._end()

    def _converse(self, task: Task, payload: bytes) -> Outcome[Any]:
        timeout = task.stage.timeout.total_seconds() if task.stage.timeout is not None else None
        deadline = None if timeout is None else monotonic() + timeout
        self._link.end.settimeout(timeout)
        self._link.send(TASK, payload)
        while True:
            self._await_word(deadline)
            kind, payload, _ = self._link.receive()
            if kind in (RESULT, LAST_RESULT):
                if kind == LAST_RESULT:
                    self._end()
                return received(task.stage, self._codec, payload)
            if kind == LOG and isinstance(task.work.log, StageLog):
                task.work.log.take(payload[: LONGEST_LINE * 4])
            elif kind == OPEN:
                self._hand_over(task, payload)
            elif kind == BEAT:
                task.work.beat()

    def _await_word(self, deadline: float | None) -> None:
        """Until it says something; it may die instead, or the time may be up."""
        left = None if deadline is None else max(0.0, deadline - monotonic()) * 1000
        said = [number for number, _ in self._watch.poll(left)]
        if not said:
            raise TimeoutError
        if self._link.end.fileno() not in said:
            raise Gone

    def _hand_over(self, task: Task, ref: bytes) -> None:
        """Open a stored file for it: it gets an open copy, for it has neither the store nor a network. Paths it opens itself: the runner
        may read more than it may, its own environment to begin with. Of the store it gets files whose hash it knows."""
        keeper = task.work.keeper
        if task.work.opener is None and (keeper is None or not keeper.has_store):
            self._link.send(NO_FILE, packed((OPEN_YOURSELF, "", None)))
            return
        try:
            with task.work.open(content_ref(ref.decode())) as source, private_copy(source) as file:
                self._link.send(FILE, file=file.fileno())
        except (Gone, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 whatever the store raises is the stage's to judge
            self._link.send(
                NO_FILE, packed((type(error).__name__, message_of(error), getattr(error, "errno", None)))
            )

    def _cause_of_death(self, task: Task) -> Failed[Any] | Cancelled:
        if self._handle is not None:
            dead = select.poll()
            dead.register(self._handle, select.POLLIN)
            dead.poll(DYING)  # it may have closed its socket and live on
        status = self._end()
        if task.work.cancelled:
            return CANCELLED
        if status is None:
            raise Lost
        if status == -signal.SIGXCPU and task.stage.timeout is not None:
            return timed_out(task.stage)
        return crashed(
            task.stage,
            f"the process ended with {f'signal {-status}' if status < 0 else f'exit status {status}'}",
        )

    def _end(self) -> int | None:
        """Kill it and everything it started, bury it, and let go of what it held here."""
        with self._lock:
            self._token = None
            self._kill()
            self.alive = False
            self._link.end.close()
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
        try:
            return self._zygote.bury(self._generation, self._pid)
        except ZygoteDied:
            return None

    def _kill(self) -> None:
        if self._handle is not None:  # its number may be one that only its zygote knows
            with suppress(OSError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            return
        for kill in (os.killpg, os.kill):  # the group first: its leader may be dead already
            with suppress(ProcessLookupError, PermissionError):
                kill(self._pid, signal.SIGKILL)


class ProcessPool(ThreadPool):
    """Each thread of the pool waits for the process that it has given its task to."""

    def __init__(self, capacity: int, report: Report, timers: Timers, zygote: Zygote) -> None:
        super().__init__(capacity, report, timers)
        self._zygote = zygote
        self._mine = threading.local()
        self._at_work: dict[str, Child] = {}
        self._stopped = False

    def free(self, stage: Stage) -> int:
        return 0 if self._zygote.lost else super().free(stage)

    def submit(self, task: Task) -> None:
        if not self._zygote.knows(task.kind, task.stage):
            raise BadInput(
                f"{task.kind!r} has no isolated stage {task.stage.name!r} that this runner was started with"
            )
        super().submit(task)

    def cancel(self, task: Task) -> None:
        child = self._at_work.get(task.token)
        if child is not None:
            child.kill(task.token)

    def watched(self, stage: Stage) -> timedelta | None:
        """A process is killed on time, so its thread is free again; gates run in the thread itself, which nobody can kill."""
        return stage.timeout if stage.guards() else None

    def perform(self, task: Task) -> Ended | Postponed:
        """Gates are asked here, in the runner; only the function is handed to the process."""
        try:
            return CANCELLED if task.work.cancelled else self._perform(task)
        except (OSError, IsolationLost) as error:
            # no process to be had: not the work's fault, and another runner may do better
            _log.warning(
                "no isolated process for %s: %s", task.stage.name, message_of(error) or type(error).__name__
            )
            return Again("1s")
        except Exception as error:  # noqa: BLE001 the thread must live to serve the next task
            _log.exception("an isolated process of %s was lost", task.stage.name)
            return crashed(task.stage, f"the process was lost: {type(error).__name__}")

    def _perform(self, task: Task) -> Ended | Postponed:
        if (gates := task.stage.guards()) and (refusal := ask_gates(task, gates)) is not None:
            return refusal
        payload = request_of(task)
        if isinstance(payload, Failed):
            return payload
        for _ in range(1 + RUNS_AFTER_LOSS):
            try:
                return self._run(task, payload)
            except Lost:
                _log.warning(
                    "%s %s: its process ended with its zygote",
                    task.stage.name,
                    task.work.id,
                    extra={"stage": task.stage.name},
                )
                if task.work.cancelled or self._stopped:
                    return CANCELLED
        return crashed(task.stage, f"its process ended with its zygote, {1 + RUNS_AFTER_LOSS} times")

    def _run(self, task: Task, payload: bytes) -> Ended:
        child = self._child(task)
        self._at_work[task.token] = child
        try:
            return CANCELLED if task.work.cancelled or self._stopped else child.run(task, payload)
        finally:
            self._at_work.pop(task.token, None)
            if not child.alive:
                del self._mine.children[task.kind, task.stage.name]

    def leave(self) -> None:
        for child in getattr(self._mine, "children", {}).values():
            child.dismiss()

    def stop(self) -> None:
        self._stopped = True
        for token, child in list(self._at_work.items()):
            child.kill(token)
        super().stop()
        for thread in self._threads:
            thread.join(1.0)

    def _child(self, task: Task) -> Child:
        if not hasattr(self._mine, "children"):
            self._mine.children = {}
        key = (task.kind, task.stage.name)
        children: dict[tuple[str, str], Child] = self._mine.children
        if key not in children:
            children[key] = Child(self._zygote, task.kind, task.stage)
        return children[key]


def request_of(task: Task) -> bytes | Failed[Any]:
    """What the process needs to know of the task; what cannot travel fails for good."""
    work = task.work
    try:
        payload = packed(
            (
                work.id,
                dict(work.record),
                work.scope,
                work.attempt,
                work.last_error,
                work.log_ref,
                None if work.state is work.record else dict(work.state),
                task.loaded,
            )
        )
    except Exception as error:  # noqa: BLE001 whatever the classes of its values raise
        return Failed(
            "BAD_INPUT", f"the work cannot be sent to an isolated process: {message_of(error)}", final=True
        )
    return payload


def received(stage: Stage, codec: Codec, payload: bytes) -> Outcome[Any]:
    """The outcome that a process sent, if it is one."""
    try:
        return judged(stage, codec.decode(payload))
    except Exception as error:  # noqa: BLE001 anything may be in it, and the declared classes may raise anything
        return bad_outcome(
            f"the result of {stage.name} was refused: {message_of(error) or type(error).__name__}"
        )


def private_copy(source: IO[bytes]) -> IO[bytes]:
    """The content in a nameless temporary file. Whoever holds a file of his own user can change its rights, and open it anew to write."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115 the caller closes it
    shutil.copyfileobj(source, copy)
    copy.seek(0)
    return copy
