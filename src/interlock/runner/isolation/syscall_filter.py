"""Filters of system calls: a process and its children get an error for those that isolated work has no use for.

A network of its own does not stop sockets in the file system: databases and container engines listen on such sockets and trust whoever
reaches them. Pairs of connected sockets stay allowed.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import sys
from collections.abc import Iterable, Sequence

from . import kernel

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_FOREIGN = 0x40000000
"""From here on, numbers are those of another calling convention of the same kernel."""
_NAMESPACES = 0x7E020000
"""The flags of `clone` that make namespaces."""

_CALLS: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {
            "socket": 41,
            "clone": 56,
            "ptrace": 101,
            "pivot_root": 155,
            "chroot": 161,
            "mount": 165,
            "umount2": 166,
            "init_module": 175,
            "kexec_load": 246,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "open_by_handle_at": 304,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "finit_module": 313,
            "bpf": 321,
            "userfaultfd": 323,
            "kill": 62,
            "tkill": 200,
            "tgkill": 234,
            "rt_sigqueueinfo": 129,
            "rt_tgsigqueueinfo": 297,
            "prlimit64": 302,
            "sched_setscheduler": 144,
            "sched_setparam": 142,
            "sched_setaffinity": 203,
            "sched_setattr": 314,
            "setpriority": 141,
            "fcntl": 72,
            "ioctl": 16,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "socket": 198,
            "clone": 220,
            "ptrace": 117,
            "pivot_root": 41,
            "chroot": 51,
            "mount": 40,
            "umount2": 39,
            "init_module": 105,
            "kexec_load": 104,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "unshare": 97,
            "perf_event_open": 241,
            "open_by_handle_at": 265,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "finit_module": 273,
            "bpf": 280,
            "userfaultfd": 282,
            "kill": 129,
            "tkill": 130,
            "tgkill": 131,
            "rt_sigqueueinfo": 138,
            "rt_tgsigqueueinfo": 240,
            "prlimit64": 261,
            "sched_setscheduler": 119,
            "sched_setparam": 118,
            "sched_setaffinity": 122,
            "sched_setattr": 274,
            "setpriority": 140,
            "fcntl": 25,
            "ioctl": 29,
        },
    ),
}
_SHARED = {
    "io_uring_setup": 425,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsmount": 432,
    "pidfd_open": 434,
    "clone3": 435,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
}
"""Calls that have the same number everywhere."""
_MAKES_SOCKETS = ("socket", "io_uring_setup")
_ON_PROCESSES = (
    *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open"),
    *("prlimit64", "sched_setscheduler", "sched_setparam", "sched_setaffinity", "sched_setattr"),
)
"""Calls whose first argument is a process: they signal it, limit it, or take processor time from it."""
_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX = 8, 10, 15
"""What `fcntl` is asked when a file is to signal a process, of its own accord and with any signal."""
_FILE_OWNER, _SOCKET_OWNER, _TYPE_CHARACTER, _CONSOLE = 0x8901, 0x8902, 0x5412, 0x541C
"""What `ioctl` is asked for the same, and to type into somebody's terminal."""
_ALL_OF_A_GROUP, _ALL_OF_A_USER = 1, 2
"""Whose priority `setpriority` sets, beside that of one process."""


class _Step(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step)))


def refuse_new_sockets() -> bool:
    """Whether the kernel took the filter; it stays for good, and needs no_new_privs set before."""
    calls = _numbers()
    return calls is not None and _load(
        [step for name in _MAKES_SOCKETS for step in _refuse(calls[name], errno.EACCES)]
    )


def refuse_privileged_calls(protected: Sequence[int] = ()) -> bool:
    """Refuse what leads out of a sandbox: namespaces, mounts, other processes' memory, kernel modules, files that signal processes, and
    signals and limits for the protected process numbers; whether the kernel took the filter."""
    calls = _numbers()
    if calls is None:
        return False
    steps: list[_Step] = []
    for name, number in calls.items():
        if name in (*_MAKES_SOCKETS, "clone", "clone3", *_ON_PROCESSES, "setpriority", "fcntl", "ioctl"):
            continue
        steps += _refuse(number, errno.EPERM)
    steps += _refuse(
        calls["clone3"], errno.ENOSYS
    )  # its flags are out of a filter's reach; libraries use `clone` then
    steps += _when(
        calls["clone"],
        [_Step(_LOAD, 0, 0, _FIRST_ARGUMENT), _Step(_ANY_BIT, 0, 1, _NAMESPACES), _answer(errno.EPERM)],
    )
    for name in _ON_PROCESSES if protected else ():
        steps += _when(calls[name], _first_argument_in(protected))
    steps += _when(calls["setpriority"], _refuse_values(_FIRST_ARGUMENT, (_ALL_OF_A_GROUP, _ALL_OF_A_USER)))
    if protected:
        steps += _when(calls["setpriority"], _refuse_values(_SECOND_ARGUMENT, protected))
    steps += _when(calls["fcntl"], _refuse_values(_SECOND_ARGUMENT, (_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX)))
    steps += _when(
        calls["ioctl"],
        _refuse_values(_SECOND_ARGUMENT, (_FILE_OWNER, _SOCKET_OWNER, _TYPE_CHARACTER, _CONSOLE)),
    )
    return _load(steps)


def _numbers() -> dict[str, int] | None:
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return None
    return {**_CALLS[platform.machine()][1], **_SHARED}


def _answer(error: int) -> _Step:
    return _Step(_ANSWER, 0, 0, _ERROR | error)


def _refuse(number: int, error: int) -> list[_Step]:
    return [_Step(_EQUAL, 0, 1, number), _answer(error)]


def _when(number: int, steps: list[_Step]) -> list[_Step]:
    """Carry these out for one call only; afterwards its number is at hand again."""
    return [_Step(_EQUAL, 0, len(steps) + 1, number), *steps, _Step(_LOAD, 0, 0, _NUMBER)]


def _first_argument_in(numbers: Iterable[int]) -> list[_Step]:
    """Refuse the call for these processes, their groups, and for all at once."""
    return _refuse_values(_FIRST_ARGUMENT, sorted({-1, *numbers, *(-number for number in numbers)}))


def _refuse_values(argument: int, values: Iterable[int]) -> list[_Step]:
    """Refuse the call if this argument is one of the values."""
    steps = [_Step(_LOAD, 0, 0, argument)]
    for value in values:
        steps += [_Step(_EQUAL, 0, 1, value & 0xFFFFFFFF), _answer(errno.EPERM)]
    return steps


def _load(rules: list[_Step]) -> bool:
    architecture = _CALLS[platform.machine()][0]
    steps = [
        _Step(_LOAD, 0, 0, _ARCHITECTURE),
        _Step(_EQUAL, 1, 0, architecture),
        _answer(errno.EACCES),
        _Step(_LOAD, 0, 0, _NUMBER),
        _Step(_AT_LEAST, 0, 1, _FOREIGN),
        _answer(errno.EACCES),
        *rules,
        _Step(_ANSWER, 0, 0, _ALLOW),
    ]
    try:
        kernel.seccomp(_Program(len(steps), (_Step * len(steps))(*steps)))
    except OSError:
        return False
    return True
