"""Calls to the Linux kernel that Python has no function for; elsewhere each of them raises `OSError`."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import lru_cache
from typing import Any

NEW_USER, NEW_NETWORK, NEW_MOUNTS, NEW_IPC, NEW_PIDS = (
    0x10000000,
    0x40000000,
    0x00020000,
    0x08000000,
    0x20000000,
)
PDEATHSIG, DUMPABLE, SECCOMP, DROP_BOUND, NO_NEW_PRIVS, CHILD_SUBREAPER = 1, 4, 22, 24, 38, 36

_MOUNT_SETATTR, _LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 442, 444, 445, 446
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_NO_SUID_DEV_EXEC, _NO_SUID_DEV = 0xE, 0x6
_AT_CURRENT, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY = 1
_CAPABILITIES_VERSION = 0x20080522


class _MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user"))


class _Ruleset(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("files", "network", "scope"))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


@lru_cache(1)
def _library() -> Any:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _call(name: str, *arguments: Any) -> int:
    """Call a function of the C library; raises `OSError` where it fails or does not exist."""
    function = getattr(_library(), name, None)
    if function is None:
        raise OSError(errno.ENOSYS, f"this system has no {name}")
    answer = int(function(*arguments))
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return answer


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    _call("prctl", option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)


def seccomp(program: Any) -> None:
    """Hand a filter of system calls to the kernel."""
    _call("prctl", SECCOMP, ctypes.c_ulong(2), ctypes.byref(program), *[ctypes.c_ulong(0)] * 2)


def unshare(namespaces: int) -> None:
    _call("unshare", namespaces)


def enter(namespace: int, kind: int) -> None:
    """Let children be born into this open namespace."""
    _call("setns", namespace, kind)


def map_own_user(user: int, group: int) -> None:
    """In a user namespace of its own, a process keeps its numbers; where that is refused it is nobody, which serves as well."""
    for file, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        try:
            with open(f"/proc/self/{file}", "w") as kept:  # noqa: PTH123 few objects: this is a copy of another process
                kept.write(line)
        except OSError:
            continue


def keep_mounts_private() -> None:
    """What is mounted from here on is seen by this process and its children only."""
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)


def mount_own_proc() -> None:
    """Show the processes of this process's own namespace under /proc, and no others."""
    _mount("proc", "/proc", "proc", _NO_SUID_DEV_EXEC)


def mount_memory(folder: str, size: str) -> None:
    """An empty file system in memory over this folder."""
    _mount("tmpfs", folder, "tmpfs", _NO_SUID_DEV, f"size={size}")


def mount_itself(folder: str) -> None:
    """Make a mount of a folder, whose attributes can then differ from those around it."""
    _mount(folder, folder, None, _BIND | _RECURSIVE)


def mount_over(file: str, place: str) -> None:
    """Show one file in the place of another."""
    _mount(file, place, None, _BIND)


def mount_read_only(folder: str) -> None:
    """Let nothing be written in any mount under this folder."""
    _mount_attributes(folder, _AT_RECURSIVE, _MountAttributes(_READ_ONLY, 0, 0, 0))


def mount_writable(folder: str) -> None:
    _mount_attributes(folder, 0, _MountAttributes(0, _READ_ONLY, 0, 0))


def drop_capabilities() -> None:
    """Give up every privilege for good, also those that a program started later would get back."""
    for number in range(64):
        try:
            prctl(DROP_BOUND, number)
        except OSError:
            break
    header = _CapabilityHeader(_CAPABILITIES_VERSION, 0)
    _call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def landlock_version() -> int:
    """The version of Landlock in this kernel; 0 where there is none."""
    try:
        return _call("syscall", ctypes.c_long(_LANDLOCK_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def landlock_ruleset(files: int, network: int, scope: int, version: int) -> int:
    """An open set of rules: everything handled is refused unless a rule allows it."""
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _Ruleset(files, network, scope)
    return _call(
        "syscall",
        ctypes.c_long(_LANDLOCK_CREATE),
        ctypes.byref(rules),
        ctypes.c_size_t(size),
        ctypes.c_uint32(0),
    )


def landlock_allow(ruleset: int, access: int, folder: int) -> None:
    """Allow this access beneath an open folder, or to an open file."""
    rule = _PathBeneath(access, folder)
    _call("syscall", ctypes.c_long(_LANDLOCK_ADD), ruleset, 1, ctypes.byref(rule), ctypes.c_uint32(0))


def landlock_restrict(ruleset: int) -> None:
    """Hold this process and its children to the rules, for good."""
    _call("syscall", ctypes.c_long(_LANDLOCK_RESTRICT), ruleset, ctypes.c_uint32(0))


def _mount(source: str | None, place: str, kind: str | None, flags: int, data: str | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (source, place, kind, data)]
    _call("mount", texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])


def _mount_attributes(folder: str, flags: int, attributes: _MountAttributes) -> None:
    _call(
        "syscall",
        ctypes.c_long(_MOUNT_SETATTR),
        _AT_CURRENT,
        os.fsencode(folder),
        flags,
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )
