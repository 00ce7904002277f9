"""Files in a folder of this machine: durable before they are visible, visible only whole, and only to their owner."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from ...errors import StoreFull
from ...ids import random_uuid
from .private_files import make_folder, private

_FULL = (errno.ENOSPC, errno.EDQUOT)


class Folder:
    """A place on the local disk."""

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
        fresh = path.with_name(f".{random_uuid().hex}")
        with _nothing_left(fresh):
            with open(fresh, "xb", opener=private) as file:
                file.write(data)
            fresh.replace(path)

    def open(self, name: str) -> IO[bytes]:
        return (self.root / name).open("rb")

    def delete(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    def size(self, name: str) -> int | None:
        try:
            return (self.root / name).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None

    def older_than(self, folder: str, moment: datetime) -> list[str]:
        found = []
        with suppress(FileNotFoundError):
            for entry in os.scandir(self.root / folder):
                with suppress(FileNotFoundError):  # another process sweeps too
                    if datetime.fromtimestamp(entry.stat().st_mtime, UTC) < moment:
                        found.append(f"{folder}/{entry.name}")
        return found

    def _made(self, name: str) -> Path:
        path = self.root / name
        make_folder(path.parent)
        return path


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
