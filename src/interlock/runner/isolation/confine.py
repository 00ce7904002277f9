"""Takes from a process, step by step, what isolated work must not have. Each step is tried, and what it achieved is reported.

A zygote leaves the runner's namespaces; each isolated process then gets process numbers, mounts and a user of its own, gives up its
privileges and is held to rules by Landlock and by a filter of system calls. Where the system refuses namespaces, the rest still holds.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from . import kernel
from .protections import Files, Protections
from .syscall_filter import refuse_privileged_calls

SHARED_MEMORY = "64m"
MOST_PROCESSES = 64
"""Processes and threads that one isolated process may have, where they can be counted apart from others."""
PROCESS_NUMBERS = "400"
"""How many process numbers its namespace has, where the kernel counts per namespace; 301 are the fewest it takes."""
KEPT = frozenset(
    {
        *(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TERM",
            "TMPDIR",
            "LD_LIBRARY_PATH",
        ),
        *(
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "OMP_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "MKL_NUM_THREADS",
            "TESSDATA_PREFIX",
        ),
    }
)
"""The variables of the environment that isolated work sees, with those that begin with LC_ or PYTHON."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
_WRITING = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))
_TO_FILES = 1 << 1 | 1 << 14
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_NETWORK, _SCOPE = 0b11, 0b11


@dataclass(frozen=True)
class Apart:
    """Which namespaces a zygote has of its own."""

    user: bool = False
    network: bool = False
    mounts: bool = False
    numbers: bool = False


_ALL = kernel.NEW_NETWORK | kernel.NEW_MOUNTS | kernel.NEW_IPC | kernel.NEW_PIDS
_TRIED = (
    (kernel.NEW_USER | _ALL, Apart(True, True, True, True)),
    (_ALL, Apart(False, True, True, True)),
    (kernel.NEW_USER | kernel.NEW_NETWORK, Apart(True, True)),
    (kernel.NEW_NETWORK, Apart(False, True)),
)


def leave_namespaces() -> Apart:
    """Leave as many of the runner's namespaces as the system allows; children are then born into new process numbers."""
    user, group = os.geteuid(), os.getegid()
    with suppress(OSError):
        kernel.prctl(kernel.NO_NEW_PRIVS, 1)
    for namespaces, apart in _TRIED:
        if apart.numbers and not hasattr(os, "pidfd_open"):
            continue
        try:
            kernel.unshare(namespaces)
        except OSError:
            continue
        if apart.user:
            kernel.map_own_user(user, group)
        if apart.mounts:
            with suppress(OSError):
                kernel.keep_mounts_private()
        return apart
    return Apart()


def scrub_environment() -> None:
    """Forget the environment and the arguments of the runner, also the copy that the system shows under /proc: both may hold secrets."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT or name.startswith(("LC_", "PYTHON"))
    }
    os.environ.clear()
    for block, text in zip(_start_blocks(), (b"interlock: isolated processes", b""), strict=False):
        _overwrite(*block, text)
    os.environ.update(kept)
    for arguments in (sys.argv, sys.orig_argv):
        del arguments[1:]


def _start_blocks() -> list[tuple[int, int]]:
    """Where the arguments and the environment that the process was started with are in its memory."""
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123
            numbers = file.read().rpartition(b")")[2].split()
        return [(int(numbers[at]), int(numbers[at + 1])) for at in (45, 47)]
    except (OSError, ValueError, IndexError):
        return []


def _overwrite(start: int, end: int, text: bytes) -> None:
    if 0 < start < end:
        import ctypes

        size = end - start
        ctypes.memmove(start, text[: size - 1].ljust(size, b"\0"), size)


def mount_apart(writable: Sequence[str], hidden: Sequence[str] = ()) -> bool:
    """In mounts of its own: only own processes under /proc, shared memory of its own, nothing in what is hidden, everything else read-only
    but the writable folders; whether that succeeded. Called by the first process of new process numbers."""
    try:
        kernel.unshare(kernel.NEW_MOUNTS)
        kernel.keep_mounts_private()
        _cover(hidden, writable)
        changed = ["/proc"]
        with suppress(OSError):  # containers may hide parts of /proc, and then nobody may mount another
            kernel.mount_own_proc()
        with suppress(OSError):
            kernel.mount_memory("/dev/shm", SHARED_MEMORY)
            changed.append("/dev/shm")
        for folder in writable:
            kernel.mount_itself(folder)
        kernel.mount_read_only("/")
        for folder in (*changed, *writable):
            with suppress(OSError):
                kernel.mount_writable(folder)
    except OSError:
        return False
    if _counts_per_namespace():
        with suppress(OSError), open("/proc/sys/kernel/pid_max", "w") as file:  # noqa: PTH123
            file.write(PROCESS_NUMBERS)
    return True


def _cover(hidden: Sequence[str], writable: Sequence[str]) -> None:
    """Let nothing be read of these files and folders; a folder stays in which something is to be written, or from which code comes."""
    needed = [*writable, *(os.path.realpath(one) for one in (".", sys.prefix, *sys.path))]
    for place in hidden:
        if os.path.isdir(place):  # noqa: PTH112 no objects are made here
            if not any(os.path.commonpath([place, one]) == place for one in needed):
                kernel.mount_memory(place, "4k")
        elif os.path.exists(place):  # noqa: PTH110
            kernel.mount_over("/dev/null", place)


def _counts_per_namespace() -> bool:
    """Whether the number of process numbers is each namespace's own; before Linux 6.14 it is the whole machine's."""
    try:
        return tuple(int(part) for part in os.uname().release.split(".")[:2]) >= (6, 14)
    except ValueError:
        return False


def take_own_user(apart: Apart) -> None:
    """In a user namespace of its own its processes are counted apart, and its mounts belong to another. Writes to /proc."""
    if apart.user:
        user, group = os.geteuid(), os.getegid()
        with suppress(OSError):
            kernel.unshare(kernel.NEW_USER)
            kernel.map_own_user(user, group)
            _limit_processes()


def close_proc() -> None:
    """Let nothing be written under /proc any more: where the runner is root, settings of the whole machine are there."""
    with suppress(OSError):
        kernel.mount_read_only("/proc")


def confine(apart: Apart, writable: Sequence[str], mounted: bool, protected: Sequence[int]) -> Protections:
    """The last steps, in the isolated process itself; what holds of it from here on. `protected` are the numbers of processes that it
    must not signal, where it shares their numbering."""
    adopt_orphans()
    version = restrict_files([*writable, *(["/dev/shm"] if mounted else [])])
    with suppress(OSError):
        kernel.drop_capabilities()
    calls = refuse_privileged_calls(() if apart.numbers else protected)
    return Protections(
        network=apart.network,
        sockets=calls,  # the filter for sockets is the zygote's; both are accepted or neither is
        processes=apart.numbers,
        signals=apart.numbers or version >= 6 or calls,
        memory=apart.user or version > 0,  # Landlock lets nobody trace what is outside
        files=_files(mounted, version),
        calls=calls,
    )


def adopt_orphans() -> None:
    """Become the parent of what own children leave behind, so that it can be noticed and ended."""
    with suppress(OSError):
        kernel.prctl(kernel.CHILD_SUBREAPER, 1)


def own_folder(inside: str) -> str:
    """A new temporary folder that only this user can enter."""
    return tempfile.mkdtemp(dir=inside)


def use_folder(folder: str) -> None:
    """Make this the place for temporary files."""
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = folder


def restrict_files(writable: Sequence[str]) -> int:
    """Let nothing be written but beneath these folders and to harmless devices, and no process outside be signalled; the version of
    Landlock that holds it so, or 0."""
    version = kernel.landlock_version()
    if version == 0:
        return 0
    handled = _WRITING | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    try:
        rules = kernel.landlock_ruleset(
            handled, _NETWORK if version >= 4 else 0, _SCOPE if version >= 6 else 0, version
        )
        for place in (*writable, *DEVICES):
            with suppress(OSError):
                _allow(rules, handled if place in writable else handled & _TO_FILES, place)
        kernel.landlock_restrict(rules)
    except OSError:
        return 0
    os.close(rules)
    return version


def _allow(rules: int, access: int, place: str) -> None:
    opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        kernel.landlock_allow(rules, access, opened)
    finally:
        os.close(opened)


def _limit_processes() -> None:
    import resource

    most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    limit = MOST_PROCESSES if most == resource.RLIM_INFINITY else min(MOST_PROCESSES, most)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))


def _files(mounted: bool, version: int) -> Files:
    if mounted:
        return "mounts and Landlock" if version else "mounts"
    return "Landlock" if version else ""
