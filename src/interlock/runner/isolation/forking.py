"""The processes that fork isolated ones: a keeper, which is a copy of the runner made before it has threads, and the zygotes it forks.

The keeper does nothing but fork a zygote when the runner asks for one, so that a zygote which was killed can be replaced. A zygote has
the stage functions in its memory, wherever they were defined, and none of the runner's files, sockets, locks or environment. It forks
isolated processes, and buries what has ended when the runner asks.
"""

from __future__ import annotations

import errno
import gc
import os
import shutil
import signal
import socket
import struct
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from ...workflow import Stage
from . import kernel
from .child import serve
from .codec import Codec
from .confine import (
    Apart,
    adopt_orphans,
    close_proc,
    confine,
    leave_namespaces,
    mount_apart,
    own_folder,
    scrub_environment,
    take_own_user,
    use_folder,
)
from .limits import limit_process, refuse_sockets
from .syscall_filter import refuse_new_sockets

REQUEST, REPLY = struct.Struct("!cI"), struct.Struct("!i")
NEW_ZYGOTE, SPAWN, BURY = b"Z", b"S", b"B"

Stages = list[tuple[Stage, Codec]]


def be_keeper(
    control: socket.socket, stages: Stages, folder: str, runner: int, hidden: Sequence[str] = ()
) -> NoReturn:
    """The whole life of the keeper: ends when the runner closes its socket, or is gone."""
    try:
        os.setsid()
        ignore_signals()
        let_go_of_files(control.fileno())
        scrub_environment()
        adopt_orphans()
        gc.freeze()  # what is shared with the runner stays shared
        protected = (runner, os.getpid())
        while (request := _request(control)) is not None:
            _, _, files = request
            control.sendall(REPLY.pack(_fork_zygote(control, files[0], stages, folder, protected, hidden)))
            os.close(files[0])
        _end_strays(())
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(0)


def _request(control: socket.socket) -> tuple[bytes, int, list[int]] | None:
    """The next request, with the files that came with it; None when the runner is gone."""
    try:
        message, files, _, _ = socket.recv_fds(control, REQUEST.size, 1)
    except ConnectionError:
        return None
    if len(message) < REQUEST.size:
        return None
    what, number = REQUEST.unpack(message)
    return what, number, list(files)


def _fork_zygote(
    control: socket.socket,
    file: int,
    stages: Stages,
    folder: str,
    protected: tuple[int, ...],
    hidden: Sequence[str],
) -> int:
    """The number of a new zygote; below zero, why there is none. It is born by a process between, which leaves the namespaces: its
    children get process numbers of their own, which it has not itself."""
    _end_strays(())  # the zygote before, and what its workers left behind
    answer, far = os.pipe()
    try:
        between = os.fork()
    except OSError as error:
        os.close(answer)
        os.close(far)
        return -(error.errno or errno.EAGAIN)
    if between == 0:
        try:
            control.close()
            os.close(answer)
            apart = leave_namespaces()
            zygote = os.fork()
            if zygote == 0:
                os.close(far)
                _be_zygote(socket.socket(fileno=file), stages, folder, apart, protected, hidden)
            os.write(far, REPLY.pack(zygote))
        except OSError as error:
            os.write(far, REPLY.pack(-(error.errno or errno.EAGAIN)))
        finally:
            os._exit(0)
    os.close(far)
    with os.fdopen(answer, "rb") as reading:
        reply = reading.read(REPLY.size)
    os.waitpid(between, 0)
    return int(REPLY.unpack(reply)[0]) if len(reply) == REPLY.size else -errno.EAGAIN


@dataclass
class _Zygote:
    """The state of a zygote, the process that forks isolated workers."""

    control: socket.socket
    stages: Stages
    folder: str
    apart: Apart
    protected: tuple[int, ...]
    numbers: int | None
    """Its own process numbers, open: it returns to them after each child was born into others."""
    hidden: Sequence[str] = ()
    """Files and folders of which its children see nothing."""
    children: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Each child's pipe, which tells how its work ended, and temporary folder."""


def _be_zygote(
    control: socket.socket,
    stages: Stages,
    folder: str,
    apart: Apart,
    protected: tuple[int, ...],
    hidden: Sequence[str],
) -> NoReturn:
    """Fork a worker for each request on `control` until the runner closes it, then end the workers; never returns."""
    try:
        os.setsid()
        adopt_orphans()
        refuse_new_sockets()
        numbers = os.open("/proc/self/ns/pid", os.O_RDONLY) if apart.numbers else None
        zygote = _Zygote(
            control, stages, own_folder(folder), apart, (*protected, os.getpid()), numbers, hidden
        )
        while (request := _request(control)) is not None:
            what, number, files = request
            if what == SPAWN:
                _answer_spawn(zygote, number, files[0])
            else:
                control.sendall(REPLY.pack(_bury(zygote, number)))
        _end(zygote)
    finally:
        os._exit(1)


def _answer_spawn(zygote: _Zygote, number: int, file: int) -> None:
    stage, codec = zygote.stages[number]
    born = _spawn(zygote, stage, codec, file)
    os.close(file)
    handle = os.pidfd_open(born) if born > 0 and hasattr(os, "pidfd_open") else None
    socket.send_fds(zygote.control, [REPLY.pack(born)], [] if handle is None else [handle])
    if handle is not None:
        os.close(handle)


def _spawn(zygote: _Zygote, stage: Stage, codec: Codec, file: int) -> int:
    """The new process; below zero, why there is none."""
    try:
        folder = own_folder(zygote.folder)
        ended, tells = os.pipe()
    except OSError as error:
        return -(error.errno or errno.EIO)
    try:
        if zygote.numbers is not None:
            kernel.unshare(kernel.NEW_PIDS)
        born = os.fork()
    except OSError as error:
        born = -(error.errno or errno.EAGAIN)
    if born == 0:
        try:
            os.close(ended)
            zygote.control.close()
            _be_child(zygote, stage, codec, file, folder, tells)
        finally:
            os._exit(1)
    if zygote.numbers is not None:
        with suppress(OSError):
            kernel.enter(zygote.numbers, kernel.NEW_PIDS)
    os.close(tells)
    if born < 0:
        os.close(ended)
        shutil.rmtree(folder, ignore_errors=True)
    else:
        zygote.children[born] = (ended, folder)
    return born


def _be_child(zygote: _Zygote, stage: Stage, codec: Codec, file: int, folder: str, tells: int) -> NoReturn:
    """In process numbers of its own it becomes their first process and forks the worker, which can die of signals as any other can;
    otherwise it is the worker."""
    with suppress(OSError):
        kernel.prctl(kernel.PDEATHSIG, signal.SIGKILL)
    os.setsid()
    writable = [folder, *(os.path.realpath(one) for one in stage.writes if os.path.isdir(one))]  # noqa: PTH112
    mounted = zygote.apart.mounts and mount_apart(writable, zygote.hidden)
    if zygote.numbers is not None:
        os.close(zygote.numbers)
        ours, theirs = socket.socketpair()
        worker = os.fork()
        if worker != 0:
            os.close(file)
            theirs.close()
            _await(worker, tells, ours)
        ours.close()
        os.setsid()
    os.close(tells)
    let_go_of_signals()
    use_folder(folder)
    end = socket.socket(fileno=file)
    limit_process(stage)
    take_own_user(zygote.apart)
    if zygote.numbers is not None:
        theirs.sendall(b"!")  # nothing is left to be done under /proc
        theirs.recv(1)
        theirs.close()
    refuse_sockets()
    protections = confine(zygote.apart, writable, mounted, zygote.protected)
    serve(end, stage, codec, protections)


def _await(worker: int, tells: int, ready: socket.socket) -> NoReturn:
    """The first process of its numbers: it closes /proc when the worker is ready for that, and says how the worker ended; everything
    that the worker started ends with it."""
    for number in _PASSED_ON:
        signal.signal(number, signal.SIG_IGN)
    if ready.recv(1):
        close_proc()
        with suppress(OSError):
            ready.sendall(b"!")
    ready.close()
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == worker:
            os.write(tells, REPLY.pack(os.waitstatus_to_exitcode(status)))
            os._exit(0)


def _bury(zygote: _Zygote, number: int) -> int:
    """The exit status of a child that has ended; below zero it is a signal. What it left behind is ended too."""
    if number not in zygote.children:
        return -signal.SIGKILL
    ended, folder = zygote.children.pop(number)
    status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    with os.fdopen(ended, "rb") as reading:
        os.set_blocking(ended, False)
        reply = reading.read(REPLY.size) or b""
    if len(reply) == REPLY.size:
        status = int(REPLY.unpack(reply)[0])
    if zygote.numbers is None:
        _end_strays(zygote.children)
    shutil.rmtree(folder, ignore_errors=True)
    return status


def _end_strays(known: Collection[int]) -> None:
    """Kill what dead workers left behind: it became this process's child, with everything below it in turn."""
    while strays := [pid for pid in _own_children() if pid not in known]:
        for pid in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in strays:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _own_children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def _end(zygote: _Zygote) -> NoReturn:
    """Kill everything that it forked; its folders go with it."""
    for pid in zygote.children:
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
    for pid in zygote.children:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    if zygote.numbers is None:
        _end_strays(())
    shutil.rmtree(zygote.folder, ignore_errors=True)
    os._exit(0)


_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def ignore_signals() -> None:
    """A stop of the whole group is the runner's business: it lets work finish. Handlers, for ignored signals would pass on to programs."""
    signal.set_wakeup_fd(-1)
    let_go_of_signals()


def let_go_of_signals() -> None:
    for number in _PASSED_ON:
        signal.signal(number, _do_nothing)
    for number in (signal.SIGCHLD, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)


def _do_nothing(*_: object) -> None:
    """A handler."""


def let_go_of_files(kept: int) -> None:
    """Point every inherited file at nothing; closing them would let objects that still know the numbers close others later."""
    nothing = os.open(os.devnull, os.O_RDWR)
    numbers = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else map(str, range(1024))  # noqa: PTH112, PTH208 no objects are made here
    for name in numbers:
        number = int(name)
        if number not in (1, 2, kept, nothing):
            with suppress(OSError):
                os.fstat(number)
                os.dup2(nothing, number, inheritable=number == 0)
    os.close(nothing)
