"""The zygote: a copy of the runner made before it has threads, from which isolated processes are forked.

It has the stage functions in its memory, wherever they were defined, and none of the runner's files, sockets or locks. It does nothing
but fork, and bury what has ended when the runner asks; so the runner knows that a process number stays its own until then.
"""

from __future__ import annotations

import errno
import gc
import logging
import os
import signal
import socket
import struct
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from ...errors import BadDeclaration
from ...workflow import Stage, Workflow
from .child import serve
from .codec import Codec
from .declared import codec_of
from .limits import die_with, leave_network, memory_bytes, refuse_sockets
from .syscall_filter import refuse_new_sockets

_REQUEST, _REPLY = struct.Struct("!cI"), struct.Struct("!i")
_SPAWN, _BURY = b"S", b"B"
_log = logging.getLogger("interlock.runner")


class ZygoteDied(Exception):
    """The zygote is gone; a runner cannot make another, for it has threads by now."""


class Zygote:
    """The runner's side: asks for processes and buries them."""

    def __init__(self, workflows: Sequence[Workflow]) -> None:
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
        self.dead = False
        self._control, far_end = socket.socketpair()
        self.pid = _fork()
        if self.pid == 0:
            _be_zygote(far_end, [(stage, self._codecs[key]) for key, stage in stages.items()])
        far_end.close()

    def knows(self, kind: str, stage: Stage) -> bool:
        return (kind, stage.name) in self._numbers

    def codec(self, kind: str, stage: Stage) -> Codec:
        """How the results of this stage leave their processes."""
        return self._codecs[kind, stage.name]

    def spawn(self, kind: str, stage: Stage) -> tuple[int, socket.socket]:
        """A fresh process for this stage, and the socket to it."""
        near, far = socket.socketpair()
        try:
            pid = self._ask(_SPAWN, self._numbers[kind, stage.name], far.fileno())
        except ZygoteDied:
            near.close()
            raise
        finally:
            far.close()
        if pid < 0:
            near.close()
            raise OSError(-pid, os.strerror(-pid))
        return pid, near

    def bury(self, pid: int) -> int:
        """The exit status of a process that has ended, or was just killed; below zero it is a signal."""
        return self._ask(_BURY, pid)

    def stop(self) -> None:
        """End it and everything that it forked."""
        with self._lock:
            self.dead = True
            self._control.close()
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    def _ask(self, what: bytes, number: int, file: int | None = None) -> int:
        with self._lock:
            if self.dead:
                raise ZygoteDied
            try:
                socket.send_fds(self._control, [_REQUEST.pack(what, number)], [] if file is None else [file])
                reply = self._control.recv(_REPLY.size, socket.MSG_WAITALL)
            except ConnectionError:
                reply = b""
            if len(reply) < _REPLY.size:
                self.dead = True
                raise ZygoteDied
            return int(_REPLY.unpack(reply)[0])


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
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads; said above in our own words
        return os.fork()


def _be_zygote(control: socket.socket, stages: list[tuple[Stage, Codec]]) -> NoReturn:
    """The whole life of the zygote."""
    try:
        children: set[int] = set()
        runner = os.getppid()
        _ignore_signals_unless_alone(runner, children)
        die_with(runner, signal.SIGTERM)
        os.setsid()
        _let_go_of_files(control.fileno())
        leave_network()
        refuse_new_sockets()
        refuse_sockets()
        gc.freeze()  # what is shared with the runner stays shared
        _obey(control, stages, children)
        _end(children)
    finally:
        os._exit(1)


def _obey(control: socket.socket, stages: list[tuple[Stage, Codec]], children: set[int]) -> None:
    while True:
        message, files, _, _ = socket.recv_fds(control, _REQUEST.size, 1)
        if len(message) < _REQUEST.size:
            return  # the runner is gone
        what, number = _REQUEST.unpack(message)
        if what == _SPAWN:
            stage, codec = stages[number]
            reply = _spawn(control, stage, codec, files[0])
            if reply > 0:
                children.add(reply)
        else:
            reply = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
            children.discard(number)
        control.sendall(_REPLY.pack(reply))


def _spawn(control: socket.socket, stage: Stage, codec: Codec, file: int) -> int:
    """The new process; below zero, why there is none."""
    zygote = os.getpid()
    try:
        pid = os.fork()
    except OSError as error:
        pid = -(error.errno or errno.EAGAIN)
    if pid == 0:
        try:
            die_with(zygote, signal.SIGKILL)
            os.setsid()
            control.close()
            serve(socket.socket(fileno=file), stage, codec)
        finally:
            os._exit(1)
    os.close(file)
    return pid


def _ignore_signals_unless_alone(runner: int, children: set[int]) -> None:
    """A stop of the whole group is the runner's business: it lets work finish. Handlers, for ignored signals would pass on to programs."""
    zygote = os.getpid()

    def look(*_: object) -> None:
        if os.getpid() == zygote and os.getppid() != runner:
            _end(children)

    signal.set_wakeup_fd(-1)
    for number in (
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGHUP,
        signal.SIGQUIT,
        signal.SIGUSR1,
        signal.SIGUSR2,
    ):
        signal.signal(number, look)
    for number in (signal.SIGCHLD, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)


def _end(children: set[int]) -> NoReturn:
    for pid in children:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for pid in children:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    os._exit(0)


def _let_go_of_files(kept: int) -> None:
    """Point every inherited file at nothing; closing them would let objects that still know the numbers close others later."""
    nothing = os.open(os.devnull, os.O_RDWR)
    listed = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else map(str, range(1024))  # noqa: PTH112, PTH208 no objects are made here
    for name in listed:
        number = int(name)
        if number not in (1, 2, kept, nothing):
            with suppress(OSError):
                os.fstat(number)
                os.dup2(nothing, number, inheritable=number == 0)
    os.close(nothing)
