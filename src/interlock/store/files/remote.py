"""Files behind an fsspec URL (s3://…): the service makes an object visible when it is whole; the rest is as in a folder."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import IO, Any

from ...errors import BadInput

_MODIFIED = ("LastModified", "last_modified", "mtime", "created", "updated")


class Remote:
    """A place that fsspec knows."""

    def __init__(self, url: str) -> None:
        scheme = url.partition("://")[0]
        try:
            core = import_module("fsspec.core")
            self._files, self._root = core.url_to_fs(url)
        except ImportError as error:
            raise BadInput(
                f"files at {scheme}:// need the package fsspec and its driver for {scheme}",
                hint="pip install 'interlock[s3]', or name a folder.",
            ) from error

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        path = self._made(name)
        file: Any = self._files.open(path, "wb")
        try:
            for chunk in chunks:
                file.write(chunk)
        except BaseException:
            with suppress(Exception):
                discard = getattr(file, "discard", None)  # an upload in parts is called off, not completed
                (discard or file.close)()
            with suppress(Exception):
                self._files.rm(path)
            raise
        file.close()

    def rename(self, name: str, to: str) -> None:
        self._files.mv(self._path(name), self._made(to))

    def replace(self, name: str, data: bytes) -> None:
        self._files.pipe_file(self._made(name), data)

    def open(self, name: str) -> IO[bytes]:
        return self._files.open(self._path(name), "rb")  # type: ignore[no-any-return]

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self._files.rm(self._path(name))

    def size(self, name: str) -> int | None:
        try:
            return int(self._files.info(self._path(name))["size"])
        except FileNotFoundError:
            return None

    def older_than(self, folder: str, moment: datetime) -> list[str]:
        try:
            listed = self._files.ls(self._path(folder), detail=True)
        except FileNotFoundError:
            return []
        return [
            f"{folder}/{entry['name'].rpartition('/')[2]}"
            for entry in listed
            if entry.get("type") == "file"
            and (modified := _modified(entry)) is not None
            and modified < moment
        ]

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    def _made(self, name: str) -> str:
        path = self._path(name)
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        return path


def _modified(entry: dict[str, Any]) -> datetime | None:
    """When the object was written; drivers have no common word for it."""
    value = next((entry[word] for word in _MODIFIED if entry.get(word) is not None), None)
    if isinstance(value, (int, float)):
        return datetime.fromtimestamp(value, UTC)
    return value if isinstance(value, datetime) and value.tzinfo is not None else None
