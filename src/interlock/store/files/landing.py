"""Where incoming files land: beside the folder's own files, to be renamed; for every other store in a temporary file, to be copied."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO, Protocol

from ...ids import random_uuid
from .folder import Folder, durable, in_our_words
from .incoming import ref_of


class InFolder:
    """A temporary name in the folder itself, so that keeping is a rename and costs no second writing."""

    def __init__(self, folder: Folder, under: str) -> None:
        self._folder, self._name = folder, f"{under}/{random_uuid().hex}"

    def begin(self) -> IO[bytes]:
        with in_our_words():
            return self._folder.create(self._name)

    def keep(self, file: IO[bytes], hex: str, size: int) -> str:
        ref = ref_of(hex)
        try:
            with in_our_words():
                if self._folder.size(ref) == size:  # equal bytes are there already
                    self.discard(file)
                    return ref
                durable(file)
                file.close()
                self._folder.rename(self._name, ref)
        except BaseException:
            self.discard(file)
            raise
        return ref

    def discard(self, file: IO[bytes]) -> None:
        file.close()
        self._folder.delete(self._name)


class Puts(Protocol):
    def put(self, content: IO[bytes]) -> tuple[str, str, int]: ...


class Spooled:
    """An object store shows an object when it is whole, and renames nothing: the bytes wait in a nameless local file."""

    def __init__(self, store: Puts) -> None:
        self._store = store

    def begin(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=Path(tempfile.gettempdir()))

    def keep(self, file: IO[bytes], hex: str, size: int) -> str:
        with file:
            file.seek(0)
            return self._store.put(file)[1]

    def discard(self, file: IO[bytes]) -> None:
        file.close()
