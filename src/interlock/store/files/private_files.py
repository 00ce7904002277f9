"""Files and folders that only the user who made them can read, whatever the process' umask is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700
OTHERS = 0o077


def make_folder(folder: Path) -> None:
    """Make the folder and the missing ones above it, for their owner alone; one that exists keeps its rights."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        with suppress(FileExistsError):  # another process makes it at the same moment
            one.mkdir(mode=FOLDER_MODE)
    folder.mkdir(exist_ok=True)  # refuses a file of that name


def private(path: str, flags: int) -> int:
    """An `opener` for `open`: only its owner can read and write a file that is created."""
    return os.open(path, flags, FILE_MODE)


def create_empty(file: Path) -> None:
    """Make an empty file for its owner alone, unless something is there or its folder is not."""
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), FILE_MODE))


def open_to_others(path: Path) -> str | None:
    """The rights of a file or folder that other users of this machine have some on; None where they have none.

    Where rights are not kept as POSIX modes nothing is known, and None is answered.
    """
    if os.name != "posix":
        return None
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        return None
    return f"{mode:04o}" if mode & OTHERS else None
