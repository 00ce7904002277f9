"""Files in a folder of this machine: durable before they are visible, visible only whole, and only to their owner."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from ...errors import StoreDamaged, StoreFull
from ...ids import random_uuid
from .private_files import make_folder, private

INCOMING = "incoming"
"""The folder of what is not whole yet."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
_LINK = (errno.ELOOP, errno.ENOTDIR, errno.ENXIO, errno.EISDIR)
_FOLLOWS_NOTHING = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


class Folder:
    """A place on the local disk. Its own folder may be a link; nothing below it is followed, for nobody but its owner can have put it
    there, and Interlock makes none."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        path = self._made(name)
        with _nothing_left(path), open(path, "xb", opener=private) as file:
            file.writelines(chunks)
            durable(file)

    def create(self, name: str) -> IO[bytes]:
        """A new file, for whoever writes it piece by piece and then renames or deletes it."""
        return open(self._made(name), "xb", opener=private)

    def rename(self, name: str, to: str) -> None:
        target = self._made(to)
        with _nothing_left(self.root / name):
            (self.root / name).replace(target)
        for folder in (
            target.parent,
            target.parent.parent,
            self.root,
        ):  # a new name is durable once its folders are
            _sync(folder)

    def replace(self, name: str, data: bytes) -> None:
        path = self._made(name)
        fresh = self._made(f"{INCOMING}/{random_uuid().hex}")  # swept from there if this process is killed
        with _nothing_left(fresh):
            with open(fresh, "xb", opener=private) as file:
                file.write(data)
            fresh.replace(path)

    def open(self, name: str) -> IO[bytes]:
        return os.fdopen(self._opened(name), "rb")

    def delete(self, name: str) -> None:
        self._unlinked(name).unlink(missing_ok=True)

    def size(self, name: str) -> int | None:
        try:
            with self.open(name) as file:
                return os.fstat(file.fileno()).st_size
        except (FileNotFoundError, StoreDamaged):
            return None

    def older_than(self, folder: str, moment: datetime) -> list[str]:
        found = []
        with suppress(FileNotFoundError):
            for entry in os.scandir(self._unlinked(f"{folder}/x").parent):
                with suppress(FileNotFoundError):  # another process sweeps too
                    about = entry.stat(follow_symlinks=False)
                    is_old = datetime.fromtimestamp(about.st_mtime, UTC) < moment
                    if is_old and not stat.S_ISDIR(about.st_mode):
                        found.append(f"{folder}/{entry.name}")
        return found

    def entries(self) -> Iterator[tuple[str, os.stat_result]]:
        """Everything below the folder with what the system knows of it; links are listed and not followed."""
        for place, folders, files in os.walk(self.root):
            for name in sorted((*folders, *files)):
                path = Path(place, name)
                with suppress(FileNotFoundError):  # removed meanwhile
                    yield str(path.relative_to(self.root)), path.lstat()

    def _opened(self, name: str) -> int:
        """A file descriptor to read from; only of a plain file that no link leads to."""
        if not _FOLLOWS_NOTHING:
            return os.open(self._unlinked(name), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        *folders, last = name.split("/")
        place = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for one in folders:
                below = os.open(one, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
                os.close(place)
                place = below
            found = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
        except OSError as error:
            if error.errno in _LINK:
                raise _not_a_file(name) from error
            raise
        finally:
            os.close(place)
        if not stat.S_ISREG(os.fstat(found).st_mode):
            os.close(found)
            raise _not_a_file(name)
        return found

    def _unlinked(self, name: str) -> Path:
        """The path, unless a folder on the way to it is a link."""
        path = self.root
        for one in name.split("/")[:-1]:
            path = path / one
            if path.is_symlink():
                raise _not_a_file(name)
        return self.root / name

    def _made(self, name: str) -> Path:
        path = self._unlinked(name)
        make_folder(path.parent)
        return path


def _not_a_file(name: str) -> StoreDamaged:
    return StoreDamaged(
        f"{name} in the folder of stored files is a link, or no file: Interlock makes plain files only",
        hint="Find out who put it there, and remove it; what was stored under this name comes from a backup.",
    )


@contextmanager
def in_our_words() -> Iterator[None]:
    """Raise StoreFull where the operating system says that no space is left."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreFull("no space is left for files; nothing was written") from error
        raise


@contextmanager
def _nothing_left(path: Path) -> Iterator[None]:
    """Remove the unfinished file whatever ended its making."""
    try:
        with in_our_words():
            yield
    except BaseException:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def durable(file: IO[bytes]) -> None:
    """Flush the file to disk, so that what was written survives a power cut."""
    file.flush()
    os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    if os.name != "posix":  # elsewhere folders cannot be opened, and need not be
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
