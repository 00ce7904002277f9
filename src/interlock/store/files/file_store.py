"""The file store: what was uploaded, by the hash of its bytes, and the logs of stages; in a folder or behind any fsspec URL."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from ...clock import Clock, SystemClock
from ...errors import BadInput, StoreDamaged
from ...ids import random_uuid
from .folder import INCOMING, Folder, durable, in_our_words
from .incoming import Incoming, Landing, ref_of


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
                if is_whole(self._folder, ref, size):  # equal bytes are there already
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


CHUNK = 1 << 20
LEFT_BEHIND = timedelta(hours=1)
_PART = re.compile(r"[^\x00-\x1f\x7f/\\:]{1,200}")
_LOG = re.compile(r"/?logs/[^/]+/[^/]+")
_CONTENT = re.compile(r"([0-9a-f]{2})/([0-9a-f]{2})/(\1\2[0-9a-f]{60})")


class Stored(NamedTuple):
    """Where a file is and what it is."""

    hash: str
    ref: str
    size: int


class TooLarge(BadInput):
    """The file is larger than allowed; nothing of it was kept."""


class Place(Protocol):
    """What a store asks of the disk or the service underneath; names are relative and already checked."""

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        """Write a file durably; of a write that fails nothing is left."""
        ...

    def rename(self, name: str, to: str) -> None: ...

    def replace(self, name: str, data: bytes) -> None:
        """Write a small file that readers see whole: the old one or the new one."""
        ...

    def open(self, name: str) -> IO[bytes]: ...

    def delete(self, name: str) -> None:
        """A name that is not there is as good as deleted."""
        ...

    def size(self, name: str) -> int | None: ...

    def older_than(self, folder: str, moment: datetime) -> list[str]: ...


class FileStore:
    """Content-addressed files (`ab/cd/<hash>`) and logs (`logs/…`)."""

    def __init__(self, location: str | Path, *, clock: Clock | None = None) -> None:
        self.location = str(location)
        self._clock = clock or SystemClock()
        self._place = place_of(self.location)
        self._sweep_after: datetime | None = None

    @property
    def folder(self) -> Path | None:
        """The folder of this machine in which they are kept; None where they are kept elsewhere."""
        return self._place.root if isinstance(self._place, Folder) else None

    def put(self, content: bytes | IO[bytes] | Iterable[bytes], limit: int | None = None) -> Stored:
        """Keep these bytes; the hash is computed while they stream to a temporary name. Equal bytes are kept once."""
        self._sweep_now_and_then()
        measured = _Measured(content, limit)
        name = f"{INCOMING}/{random_uuid().hex}"
        self._place.write(name, measured)
        ref = ref_of(measured.hex)
        if is_whole(self._place, ref, measured.size):
            self._place.delete(name)
        else:
            self._place.rename(name, ref)
        return Stored(f"sha256:{measured.hex}", ref, measured.size)

    def receive(self) -> Incoming:
        """A file that arrives piece by piece, and of which nobody knows yet whether it may stay."""
        self._sweep_now_and_then()
        landing: Landing = (
            InFolder(self._place, INCOMING) if isinstance(self._place, Folder) else Spooled(self)
        )
        return Incoming(landing)

    def open(self, ref: str) -> IO[bytes]:
        """The file behind a reference, with the bytes of its hash: whoever changed it since is found out before anything is read.
        FileNotFoundError if there is none."""
        file, hash = self._place.open(checked(ref)), hash_of(ref)
        if hash is None:
            file.close()
            raise BadInput(
                f"{ref!r} is not a reference to a stored file", hint="References read like ab/cd/<hash>."
            )
        return verified(file, hash)

    def exists(self, ref: str) -> bool:
        return self._place.size(checked(ref)) is not None

    def delete(self, ref: str) -> None:
        self._place.delete(checked(ref))

    def write_log(self, ref: str, data: bytes) -> None:
        """Write a log in place of the one before it."""
        self._place.replace(log_name(ref), data)

    def read_log(self, ref: str) -> bytes:
        with self._place.open(log_name(ref)) as file:
            return file.read()

    def sweep(self) -> int:
        """Delete what puts that were killed have left; a put that still writes touches its file and is not old."""
        left = self._place.older_than(INCOMING, self._clock.now() - LEFT_BEHIND)
        for name in left:
            self._place.delete(name)
        return len(left)

    def _sweep_now_and_then(self) -> None:
        now = self._clock.now()
        if self._sweep_after is None or now >= self._sweep_after:
            self._sweep_after = now + LEFT_BEHIND
            self.sweep()


class _Measured:
    """Chunks on their way into the store: hashed, counted, and stopped at the limit."""

    def __init__(self, content: bytes | IO[bytes] | Iterable[bytes], limit: int | None) -> None:
        self._content, self._limit = content, limit
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def hex(self) -> str:
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        for chunk in chunks_of(self._content):
            self.size += len(chunk)
            if self._limit is not None and self.size > self._limit:
                raise TooLarge(f"the file is larger than {self._limit:,} bytes", limit=self._limit)
            self._hash.update(chunk)
            yield chunk


def hash_of(ref: str) -> str | None:
    """The hash that a file of this name has to have; None of other names."""
    named = _CONTENT.fullmatch(ref)
    return None if named is None else named[3]


def verified(file: IO[bytes], hash: str | None) -> IO[bytes]:
    """The file at its beginning, once it was read to its end; one with other bytes is closed and refused. One that is not of this machine
    is copied on the way: read anew, it might be another one."""
    copy: IO[bytes] = file if has_descriptor(file) else tempfile.TemporaryFile()  # noqa: SIM115 the caller closes it
    try:
        measured = _Measured(file, None)
        if copy is file:
            for _ in measured:
                pass
        else:
            with file:
                copy.writelines(measured)
        if measured.hex != hash:
            raise StoreDamaged(
                f"the stored file {hash} does not have the content that it was stored with",
                hint="Restore it from a backup, or upload the same file again: it is kept under its hash anew.",
            )
        copy.seek(0)
    except BaseException:
        copy.close()
        raise
    return copy


def has_descriptor(file: IO[bytes]) -> bool:
    """Whether it is a file of the operating system."""
    try:
        file.fileno()
    except (OSError, AttributeError):
        return False
    return True


def is_whole(place: Place, ref: str, size: int) -> bool:
    """Whether the file is there with the size and the bytes of its name."""
    if place.size(ref) != size:
        return False
    try:
        verified(place.open(ref), hash_of(ref)).close()
    except (OSError, StoreDamaged):
        return False
    return True


def chunks_of(content: bytes | IO[bytes] | Iterable[bytes]) -> Iterable[bytes]:
    if isinstance(content, (bytes, bytearray, memoryview)):
        return (bytes(content),)
    read: Any = getattr(content, "read", None)
    return iter(lambda: read(CHUNK), b"") if read is not None else content


def content_ref(ref: str) -> str:
    """The reference, unless it leads to logs or to files that are arriving: their names can be guessed, a hash cannot."""
    if ref.lstrip("/").partition("/")[0] in ("logs", INCOMING):
        raise BadInput(
            f"{ref!r} is not a reference to a stored file", hint="References read like ab/cd/<hash>."
        )
    return ref


def checked(ref: Any) -> str:
    """The reference if it names something inside the store: relative, no way up, nothing odd."""
    parts = ref.split("/") if isinstance(ref, str) else []
    if not parts or any(not _PART.fullmatch(part) or part.strip(". ") == "" for part in parts):
        raise BadInput(
            f"{ref!r} is not a reference into the file store", hint="References read like ab/cd/<hash>."
        )
    return str(ref)


def log_name(ref: Any) -> str:
    """The name of a log; its reference on records and in URLs begins with a slash."""
    if not isinstance(ref, str) or not _LOG.fullmatch(ref):
        raise BadInput(
            f"{ref!r} is not a reference to a log",
            hint="References to logs read like /logs/parse/UL_7.log.json.",
        )
    return checked(ref.removeprefix("/"))


def place_of(location: str) -> Place:
    """A folder, unless the location is a URL of another scheme than file."""
    scheme, separator, rest = location.partition("://")
    if not separator:
        return Folder(Path(location))
    if scheme == "file":
        return Folder(Path(rest))
    from .remote import Remote

    return Remote(location)
