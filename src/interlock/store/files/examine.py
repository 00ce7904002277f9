"""Holds the folder of stored files against what was put there: their content, whose they are, and what was left behind."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ...errors import StoreDamaged
from .file_store import LEFT_BEHIND, FileStore, hash_of
from .folder import INCOMING, Folder
from .private_files import OTHERS


def find_damage(store: FileStore) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of each entry of the folder that is not what Interlock put there. Every stored file is read to its end. Of
    files that are kept elsewhere nothing is asked: they are found out when they are read."""
    folder = store.folder
    if folder is None:
        return
    for name, about in Folder(folder).entries():
        if stat.S_ISDIR(about.st_mode):
            continue
        if not stat.S_ISREG(about.st_mode):
            yield name, "is a link, or no file: Interlock makes plain files only"
        elif hash_of(name) is not None:
            try:
                store.open(name).close()
            except FileNotFoundError:
                continue  # erased meanwhile
            except StoreDamaged:
                yield name, "does not have the content that was stored under this name"
            except OSError as error:
                yield name, f"cannot be read: {error.strerror}"


def describe_rights(store: FileStore) -> str | None:
    """What other users of this machine may do in the folder, with an example; None where they may do nothing. Where rights are not kept
    as POSIX modes nothing is known."""
    folder = store.folder
    if folder is None or os.name != "posix" or not os.access(folder, os.R_OK):
        return None
    if (above := replaceable(folder)) is not None:
        return f"other users of this machine may put another folder in the place of {folder}: they may write {above}"
    if not all(one.stat().st_mode & 0o011 for one in folder.parents):
        return None
    entries = ((folder / name, about) for name, about in Folder(folder).entries())
    names = [
        f"{path} ({stat.S_IMODE(about.st_mode):04o})"
        for path, about in ((folder, folder.stat()), *entries)
        if about.st_mode & OTHERS and not stat.S_ISLNK(about.st_mode)
    ]
    if not names:
        return None
    more = f" and {len(names) - 1:,} more" if names[1:] else ""
    return f"other users of this machine have rights on {names[0]}{more}"


def replaceable(folder: Path) -> Path | None:
    """The folder above this one in which everybody may rename what is not his own, if there is one."""
    for one in folder.resolve().parents:
        mode = one.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return one
    return None


def count_left_behind(store: FileStore, now: datetime) -> int:
    """How many unfinished files lie there that nobody writes any more; the next upload removes them."""
    folder = store.folder
    if folder is None:
        return 0
    return sum(
        name.startswith(f"{INCOMING}/")
        and stat.S_ISREG(about.st_mode)
        and datetime.fromtimestamp(about.st_mtime, UTC) < now - LEFT_BEHIND
        for name, about in Folder(folder).entries()
    )
