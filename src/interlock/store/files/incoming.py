"""A file on its way in: hashed and counted while it is written, kept or thrown away once somebody has decided; never left half."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Protocol

from .folder import in_our_words

HEAD = 65_536
"""So many of its first bytes are remembered, to tell what it is."""


def ref_of(hex: str) -> str:
    """Where the bytes of a hash are kept."""
    return f"{hex[:2]}/{hex[2:4]}/{hex}"


class Landing(Protocol):
    """Where the bytes go: a store knows a place that it can rename from, or has none and takes them from a temporary file."""

    def begin(self) -> IO[bytes]: ...

    def keep(self, file: IO[bytes], hex: str, size: int) -> str:
        """Make it durable under its hash; its reference."""
        ...

    def discard(self, file: IO[bytes]) -> None: ...


class Incoming:
    """Use it as a context: what was not kept by its end is gone."""

    def __init__(self, landing: Landing) -> None:
        self._landing = landing
        self._file: IO[bytes] | None = None
        self._hash = hashlib.sha256()
        self.size, self.head = 0, b""

    @property
    def hex(self) -> str:
        return self._hash.hexdigest()

    @property
    def hash(self) -> str:
        return f"sha256:{self.hex}"

    @property
    def ref(self) -> str:
        """The reference under which `keep` would keep what has arrived."""
        return ref_of(self.hex)

    def write(self, chunk: bytes) -> None:
        if self._file is None:
            self._file = self._landing.begin()
        with in_our_words():
            self._file.write(chunk)
        self._hash.update(chunk)
        self.size += len(chunk)
        if len(self.head) < HEAD:
            self.head += chunk[: HEAD - len(self.head)]

    def write_all(self, chunks: Iterable[bytes]) -> None:
        for chunk in chunks:
            self.write(chunk)

    def keep(self) -> str:
        """The reference under which it is now kept."""
        file, self._file = self._file or self._landing.begin(), None
        return self._landing.keep(file, self.hex, self.size)

    def discard(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                self._landing.discard(file)

    def __enter__(self) -> Incoming:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()
