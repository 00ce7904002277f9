"""Files are kept by the hash of their bytes, whole or not at all; references cannot lead out of the store."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import pytest

from interlock.clock import FrozenClock, SystemClock
from interlock.errors import BadInput, StoreFull
from interlock.store.files.file_store import FileStore, TooLarge
from interlock.store.files.folder import Folder

BYTES = b"%PDF-1.7 " * 1000
HEX = hashlib.sha256(BYTES).hexdigest()


class Bucket(io.BytesIO):
    """An object that is there once it is closed."""

    def __init__(self, objects: dict[str, bytes], path: str) -> None:
        super().__init__()
        self.objects, self.path = objects, path

    def close(self) -> None:
        if not self.closed:
            self.objects[self.path] = self.getvalue()
        super().close()

    def discard(self) -> None:
        super().close()


class Buckets:
    """As much of an fsspec file system as the store asks for; the real package brings its own network."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.written = SystemClock().now()

    def open(self, path: str, mode: str) -> IO[bytes]:
        if mode == "wb":
            return Bucket(self.objects, path)
        return io.BytesIO(self._found(path))

    def mv(self, path: str, to: str) -> None:
        self.objects[to] = self.objects.pop(path)

    def pipe_file(self, path: str, data: bytes) -> None:
        self.objects[path] = data

    def rm(self, path: str) -> None:
        self._found(path)
        del self.objects[path]

    def info(self, path: str) -> dict[str, Any]:
        return {"size": len(self._found(path))}

    def ls(self, path: str, detail: bool) -> list[dict[str, Any]]:
        return [
            {"name": name, "type": "file", "LastModified": self.written}
            for name in self.objects
            if name.startswith(path)
        ]

    def makedirs(self, path: str, exist_ok: bool) -> None:
        """Buckets have no folders."""

    def _found(self, path: str) -> bytes:
        if path not in self.objects:
            raise FileNotFoundError(errno.ENOENT, "no such object", path)
        return self.objects[path]


@pytest.fixture
def buckets(monkeypatch: pytest.MonkeyPatch) -> Buckets:
    known = Buckets()
    core: Any = ModuleType("fsspec.core")
    core.url_to_fs = lambda url: (known, url.partition("://")[2])
    monkeypatch.setitem(sys.modules, "fsspec", ModuleType("fsspec"))
    monkeypatch.setitem(sys.modules, "fsspec.core", core)
    return known


@pytest.fixture(params=["folder", "url of a folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    if request.param == "bucket":
        request.getfixturevalue("buckets")
        return FileStore("s3://bucket/interlock")
    return FileStore(tmp_path / "files" if request.param == "folder" else f"file://{tmp_path}/files")


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


CONTENTS = [BYTES, io.BytesIO(BYTES), [BYTES[:1000], b"", BYTES[1000:]], (bytes([byte]) for byte in BYTES)]


@pytest.mark.parametrize("content", CONTENTS, ids=type)
def test_bytes_are_kept_under_their_hash(tmp_path: Path, content: Any) -> None:
    store = FileStore(tmp_path)
    stored = store.put(content, limit=len(BYTES))
    assert stored == (f"sha256:{HEX}", f"{HEX[:2]}/{HEX[2:4]}/{HEX}", len(BYTES))
    with store.open(stored.ref) as file:
        assert file.read() == BYTES
    assert names(tmp_path) == [stored.ref]


def test_equal_bytes_are_kept_once(store: FileStore) -> None:
    first, second = store.put(BYTES), store.put(io.BytesIO(BYTES))
    assert first == second
    assert store.exists(first.ref)
    store.delete(first.ref)
    store.delete(first.ref)
    assert not store.exists(first.ref)
    with pytest.raises(FileNotFoundError):
        store.open(first.ref)


def test_what_is_over_the_limit_leaves_nothing(store: FileStore, tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="larger than 8,999 bytes") as caught:
        store.put(io.BytesIO(BYTES), limit=8999)
    assert (caught.value.code, caught.value.facts) == ("ILK-102", {"limit": 8999})
    assert names(tmp_path) == []
    assert not store.exists(f"{HEX[:2]}/{HEX[2:4]}/{HEX}")


def test_a_stream_that_breaks_leaves_nothing(store: FileStore, tmp_path: Path) -> None:
    def breaking() -> Iterator[bytes]:
        yield BYTES
        raise ConnectionResetError("the client is gone")

    with pytest.raises(ConnectionResetError):
        store.put(breaking())
    assert names(tmp_path) == []


def test_a_full_disk_is_said_in_our_words_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFull):
        FileStore(tmp_path).put(BYTES)
    assert names(tmp_path) == []


def test_many_may_put_the_same_bytes_at_once(tmp_path: Path) -> None:
    store, start, found = FileStore(tmp_path), threading.Barrier(8), []

    def put() -> None:
        start.wait()
        found.append(store.put([BYTES]))

    threads = [threading.Thread(target=put) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert names(tmp_path) == [found[0].ref]


def test_a_file_that_was_cut_from_outside_is_mended_by_the_next_put(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    stored = store.put(BYTES)
    (tmp_path / stored.ref).write_bytes(BYTES[:100])
    store.put(BYTES)
    assert (tmp_path / stored.ref).read_bytes() == BYTES


LEADING_OUT = [
    "",
    "..",
    "../x",
    "a/../../x",
    "/etc/passwd",
    "a//b",
    "a/./b",
    "a\\..\\b",
    "a/b\0",
    "C:/x",
    "a/" + "b" * 300,
    None,
    "a/\n",
]


@pytest.mark.parametrize("ref", LEADING_OUT)
def test_a_reference_cannot_lead_out_of_the_store(store: FileStore, ref: Any) -> None:
    for act in (
        store.open,
        store.exists,
        store.delete,
        store.read_log,
        lambda ref: store.write_log(ref, b""),
    ):
        with pytest.raises(BadInput):
            act(ref)


def test_logs_are_replaced_whole_and_read_by_their_reference(store: FileStore) -> None:
    store.write_log("/logs/parse/UL_7.log.json", b"first")
    store.write_log("logs/parse/UL_7.log.json", b"second")
    assert store.read_log("/logs/parse/UL_7.log.json") == b"second"
    for ref in ("/logs/parse", "/logs/../x/y", "ab/cd/ef", "/logs/a/b/c"):
        with pytest.raises(BadInput):
            store.read_log(ref)


def test_what_killed_puts_left_is_swept_after_an_hour(tmp_path: Path) -> None:
    now = SystemClock().now()
    left, recent = tmp_path / "incoming" / "a", tmp_path / "incoming" / "b"
    left.parent.mkdir()
    for path in (left, recent):
        path.write_bytes(b"half")
    os.utime(left, times=((now - timedelta(hours=2)).timestamp(),) * 2)
    clock = FrozenClock(now)
    store = FileStore(tmp_path, clock=clock)
    store.put(BYTES)  # the first put of a process sweeps
    assert [left.exists(), recent.exists()] == [False, True]
    clock.advance(timedelta(hours=2))
    assert store.sweep() == 1
    assert not recent.exists()


def test_a_bucket_is_swept_too(buckets: Buckets) -> None:
    buckets.objects["bucket/incoming/a"] = b"half"
    buckets.objects["bucket/ab/cd/e"] = b"whole"
    clock = FrozenClock(buckets.written + timedelta(minutes=59))
    store = FileStore("s3://bucket", clock=clock)
    assert store.sweep() == 0
    clock.advance(timedelta(minutes=2))
    assert (store.sweep(), list(buckets.objects)) == (1, ["bucket/ab/cd/e"])


def test_a_url_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(BadInput, match="need the package fsspec") as caught:
        FileStore("s3://bucket")
    assert caught.value.hint == "pip install 'interlock[s3]', or name a folder."


def test_sweeping_where_nothing_was_ever_put_finds_nothing(tmp_path: Path) -> None:
    assert Folder(tmp_path).older_than("incoming", SystemClock().now()) == []
