"""The runner's side of forking: asks for isolated processes, buries them, and replaces a zygote that was killed."""

from __future__ import annotations

import logging
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from ...errors import BadDeclaration, IsolationLost
from ...workflow import Stage, Workflow
from . import kernel
from .codec import Codec
from .declared import codec_of
from .forking import BURY, NEW_ZYGOTE, REPLY, REQUEST, SPAWN, be_keeper
from .limits import memory_bytes
from .protections import Protections

ANSWER = 30.0
"""Seconds after which a keeper or zygote that does not answer counts as lost."""
_log = logging.getLogger("interlock.runner")


class ZygoteDied(Exception):
    """The zygote that forked a process is gone, and the process with it."""


class Born(NamedTuple):
    """A new isolated process."""

    generation: int
    """Which zygote forked it, counted from 1."""
    pid: int
    """Its number, as its zygote sees it."""
    handle: int | None
    """An open handle of the process, where the system has them; the runner's to close."""
    end: socket.socket


class Zygote:
    """Asks for processes and buries them. Made before the runner has threads, for the keeper is a copy of it."""

    def __init__(self, workflows: Sequence[Workflow], hidden: Sequence[str] = ()) -> None:
        """`hidden` are files and folders of which isolated processes see nothing, where they have mounts of their own."""
        stages = {
            (workflow.name, stage.name): stage
            for workflow in workflows
            for stage in workflow.stages.values()
            if is_isolated(stage)
        }
        for stage in stages.values():
            if stage.memory is not None:
                memory_bytes(stage.memory)
        self._numbers = {key: number for number, key in enumerate(stages)}
        self._codecs = {key: codec_of(stage) for key, stage in stages.items()}
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self.generation = 0
        self.pid = 0
        self.stopped = False
        self.protections: Protections | None = None
        self._folder = tempfile.mkdtemp(prefix="interlock-")
        self._keeper, far_end = socket.socketpair()
        runner = os.getpid()
        self.keeper_pid = _fork()
        if self.keeper_pid == 0:
            known = [(stage, self._codecs[key]) for key, stage in stages.items()]
            be_keeper(far_end, known, self._folder, runner, hidden)
        far_end.close()
        self._keeper.settimeout(ANSWER)
        with self._lock:
            self._replace()

    def knows(self, kind: str, stage: Stage) -> bool:
        return (kind, stage.name) in self._numbers

    def codec(self, kind: str, stage: Stage) -> Codec:
        """How the results of this stage leave their processes."""
        return self._codecs[kind, stage.name]

    @property
    def lost(self) -> bool:
        """Whether no isolated process can be made any more."""
        return (
            not self.stopped
            and _is_closed(self._keeper)
            and (self._control is None or _is_closed(self._control))
        )

    def spawn(self, kind: str, stage: Stage) -> Born:
        """A fresh process for this stage; where the zygote was killed, from a new one. Raises `IsolationLost` if there is no other, and
        `OSError` if the system has no process to spare."""
        near, far = socket.socketpair()
        try:
            with self._lock:
                pid, handle = self._spawn(self._numbers[kind, stage.name], far.fileno())
                born = Born(self.generation, pid, handle, near)
        except BaseException:
            near.close()
            raise
        finally:
            far.close()
        if pid < 0:
            near.close()
            raise OSError(-pid, os.strerror(-pid))
        return born

    def bury(self, generation: int, pid: int) -> int:
        """The exit status of a process that has ended, or was just killed; below zero it is a signal. Raises `ZygoteDied` if its zygote
        is gone: it died with it."""
        with self._lock:
            if generation != self.generation or self._control is None:
                raise ZygoteDied
            try:
                return _ask(self._control, BURY, pid)[0]
            except ZygoteDied:
                self._forget()
                raise

    def learn(self, protections: Protections) -> None:
        """Keep what the first process says of the protections that hold, and make up for one that the runner can provide itself."""
        if self.protections is not None:
            return
        self.protections = protections
        if not protections.memory:
            with suppress(OSError):
                kernel.prctl(kernel.DUMPABLE, 0)
        if missing := protections.missing():
            _log.warning(
                "this system does not give isolated processes %s; `interlock doctor` tells more",
                ", ".join(missing),
            )

    def stop(self) -> None:
        """End the zygote and everything that it forked, and the keeper."""
        with self._lock:
            self.stopped = True
            self._forget()
            self._keeper.close()
        with suppress(ChildProcessError):
            os.waitpid(self.keeper_pid, 0)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _spawn(self, number: int, file: int) -> tuple[int, int | None]:
        for _ in range(2):
            if self._control is None or _is_closed(self._control):
                self._replace()
            assert self._control is not None
            try:
                return _ask(self._control, SPAWN, number, file)
            except ZygoteDied:
                self._forget()
        raise IsolationLost

    def _replace(self) -> None:
        """Have the keeper fork another zygote."""
        if self.stopped:
            raise IsolationLost
        self._forget()
        near, far = socket.socketpair()
        try:
            pid, _ = _ask(self._keeper, NEW_ZYGOTE, 0, far.fileno())
        except ZygoteDied:
            near.close()
            raise IsolationLost from None
        finally:
            far.close()
        if pid < 0:
            near.close()
            raise OSError(-pid, os.strerror(-pid))
        near.settimeout(ANSWER)
        if self.generation:
            _log.warning("the zygote of isolated processes was lost; another takes its place")
        self._control, self.pid, self.generation = near, pid, self.generation + 1

    def _forget(self) -> None:
        """Let go of the zygote; one that still lives ends when its socket closes. One that hangs is killed."""
        if self._control is not None:
            self._control.close()
            self._control = None
            _end_within(self.pid, 2000)


def _ask(control: socket.socket, what: bytes, number: int, file: int | None = None) -> tuple[int, int | None]:
    """Send a request; the number in the answer, and the file that came with it."""
    try:
        socket.send_fds(control, [REQUEST.pack(what, number)], [] if file is None else [file])
        reply, files, _, _ = socket.recv_fds(control, REPLY.size, 1)
    except OSError:
        raise ZygoteDied from None
    if len(reply) < REPLY.size:
        raise ZygoteDied
    return int(REPLY.unpack(reply)[0]), files[0] if files else None


def _is_closed(control: socket.socket) -> bool:
    """Whether the other side of a socket is gone."""
    if control.fileno() < 0:
        return True
    watch = select.poll()
    watch.register(control, select.POLLIN)
    return any(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, events in watch.poll(0))


def _end_within(pid: int, milliseconds: int) -> None:
    """Wait until a process that was asked to end has ended; kill it if it does not."""
    if not hasattr(os, "pidfd_open"):
        return
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return
    watch = select.poll()
    watch.register(handle, select.POLLIN)
    if not watch.poll(milliseconds):
        with suppress(OSError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    os.close(handle)


def is_isolated(stage: Stage) -> bool:
    return stage.isolate or stage.memory is not None


def _fork() -> int:
    if not hasattr(os, "fork"):
        raise BadDeclaration(
            "isolated stages need a system that can fork",
            hint="Run their runner on Linux, or declare neither isolate nor memory.",
        )
    if threading.active_count() > 1:
        _log.warning(
            "isolated processes are prepared late: the runner already has %d threads",
            threading.active_count(),
        )
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()  # else what is in the buffer would be written twice
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads; the line above has it
        return os.fork()
