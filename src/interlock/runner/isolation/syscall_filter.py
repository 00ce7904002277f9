"""Has the kernel refuse new sockets to a process and its children: a network of its own does not stop sockets in the file system.

Databases and container engines listen on such sockets and trust whoever reaches them. Pairs of connected sockets stay allowed.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import sys

_SET_SECCOMP, _WITH_FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _ANSWER = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
_ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""How the kernel names the architecture, and the number of its call `socket`."""
_IO_URING_SETUP = 425  # it can make sockets past the call
_FOREIGN = 0x40000000  # the numbers of another way to call the same kernel


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
    """Says whether the kernel took the filter; it stays for good, and wants no_new_privs set before."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        return False
    architecture, make_socket = _ARCHITECTURES[platform.machine()]
    steps = [
        _Step(_LOAD, 0, 0, 4),
        _Step(_EQUAL, 0, 5, architecture),
        _Step(_LOAD, 0, 0, 0),
        _Step(_AT_LEAST, 3, 0, _FOREIGN),
        _Step(_EQUAL, 2, 0, make_socket),
        _Step(_EQUAL, 1, 0, _IO_URING_SETUP),
        _Step(_ANSWER, 0, 0, _ALLOW),
        _Step(_ANSWER, 0, 0, _REFUSE),
    ]
    program = _Program(len(steps), (_Step * len(steps))(*steps))
    return bool(
        ctypes.CDLL(None, use_errno=True).prctl(_SET_SECCOMP, _WITH_FILTER, ctypes.byref(program), 0, 0) == 0
    )
