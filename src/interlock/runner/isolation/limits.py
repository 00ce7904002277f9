"""How much an isolated process may take: memory, processor time, files and their size; and that Python refuses it sockets."""

from __future__ import annotations

import math
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import BadDeclaration
from ...workflow import Stage
from . import kernel

OPEN_FILES = 256
LARGEST_FILE = 1024 * 1024 * 1024
HEADROOM = 32 * 1024 * 1024
"""What a process may take beyond its limit to say that it met it."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMG])i?B", re.IGNORECASE)
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_REACHING = frozenset(
    {
        "socket.connect",
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
    }
)


def memory_bytes(written: str) -> int:
    """The bytes of "512MB"; the units are powers of two."""
    found = _SIZE.fullmatch(written.strip())
    if found is None or float(found[1]) == 0:
        raise BadDeclaration(f"{written!r} is not an amount of memory", hint='Write "512MB" or "2GB".')
    return int(float(found[1]) * _UNITS[found[2].upper()])


def die_with(parent: int, by: signal.Signals) -> None:
    """Get this signal when the parent is gone, also if that was a moment ago."""
    with suppress(OSError):
        kernel.prctl(kernel.PDEATHSIG, by)
    if os.getppid() != parent:
        os._exit(1)


def refuse_sockets() -> None:
    """Refuse in Python too, with a sentence that says why; it also covers sockets in the file system."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _REACHING:
        raise PermissionError("an isolated stage has no network")


def limit_process(stage: Stage) -> None:
    """The limits that hold for the whole life of the process."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    largest = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    size = LARGEST_FILE if largest == resource.RLIM_INFINITY else min(LARGEST_FILE, largest)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with suppress(OSError):  # when memory gets scarce, the kernel takes these before the runner
        Path("/proc/self/oom_score_adj").write_text("500")
    if stage.memory is not None:
        ceiling = mapped_bytes() + memory_bytes(
            stage.memory
        )  # what the runner's code has mapped is not the work's
        resource.setrlimit(resource.RLIMIT_AS, (ceiling, ceiling + HEADROOM))


def allow_headroom(stage: Stage, *, allowed: bool) -> None:
    """Outside the stage function there is a little more memory, for the answer."""
    if stage.memory is not None:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard if allowed else min(soft, hard - HEADROOM), hard))


def limit_task(stage: Stage) -> None:
    """Processor time for one task, counted from what the process has used: a second line behind the runner's own clock."""
    if stage.timeout is not None:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = math.ceil(used.ru_utime + used.ru_stime + stage.timeout.total_seconds()) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def mapped_bytes() -> int:
    return _memory(0)


def resident_bytes() -> int:
    return _memory(1)


def _memory(field: int) -> int:
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[field]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
