"""Ends a PostgreSQL and removes its folder; run as a program, it does so when the process that started it is gone.

It must never end a process other than the one whose command line names the folder.
"""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import signal
import sys
import time
from pathlib import Path

import psutil

GRACE = 10.0
LOOK_EVERY = 0.5


def postmaster(data: Path) -> psutil.Process | None:
    """The running server of this data folder; the pid file may be stale, and its number another's by now."""
    try:
        process = psutil.Process(int((data / "postmaster.pid").read_text().split("\n", 1)[0]))
        ours = str(data) in process.cmdline()
    except (OSError, ValueError, psutil.Error):
        return None
    return process if ours and runs(process) else None


def runs(process: psutil.Process) -> bool:
    """A zombie is over, whenever init may come to bury it."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def ended(processes: list[psutil.Process], *, within: float) -> bool:
    """Wait for all of them; says whether they are over."""
    until = time.monotonic() + within
    while processes := [process for process in processes if runs(process)]:
        if time.monotonic() > until:
            return False
        psutil.wait_procs(processes, timeout=0.02)
    return True


def stop(data: Path) -> None:
    """Ask the server to end at once but cleanly; insist after a while."""
    server = postmaster(data)
    if server is not None:
        server.send_signal(signal.SIGINT)
        if not ended([server], within=GRACE):
            kill(data)


def kill(data: Path) -> None:
    """Cut the server off in mid-statement, all its processes at once, as a power failure would."""
    server = postmaster(data)
    if server is None:
        return
    server.suspend()  # so that it starts no further process while we count
    family = [server, *server.children(recursive=True)]
    for process in family:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    ended(family, within=GRACE)


def remove(home: Path, data: Path) -> None:
    """Stop the server if it runs and leave nothing behind."""
    stop(data)
    forget_shared_memory(data)
    for folder in (data, home):
        shutil.rmtree(folder, ignore_errors=True)


def forget_shared_memory(data: Path) -> None:
    """A killed server leaves its System V segment; the last line but one of its pid file says which."""
    try:
        segment = int((data / "postmaster.pid").read_text().splitlines()[6].split()[1])
        ctypes.CDLL(None).shmctl(segment, 0, None)  # 0 is IPC_RMID
    except (OSError, ValueError, IndexError, AttributeError):
        return


def wait_for_the_end_of(parent: int) -> None:
    """Until the pipe on stdin closes; a forked sibling may hold it open, so the parent's number is looked at too."""
    while os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin], [], [], LOOK_EVERY)
        if readable and not os.read(sys.stdin.fileno(), 1):
            return


if __name__ == "__main__":
    wait_for_the_end_of(int(sys.argv[1]))
    remove(Path(sys.argv[2]), Path(sys.argv[3]))
