"""A file that arrives piece by piece is kept whole or leaves no trace."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from interlock.errors import StoreFull
from interlock.store.files.file_store import FileStore
from interlock.store.files.incoming import HEAD
from tests.unit.store.test_files import Buckets, buckets

__all__ = ["buckets"]  # a fixture

PIECES = [b"one,", b"two\n" * 50_000, b"", b"three"]
WHOLE = b"".join(PIECES)


def broken_off() -> Iterator[bytes]:
    yield WHOLE
    raise KeyError


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_is_kept_is_found_under_its_hash(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with store.receive() as file:
        file.write_all(PIECES)
        assert (file.size, file.hash, file.head) == (
            len(WHOLE),
            f"sha256:{sha256(WHOLE).hexdigest()}",
            WHOLE[:HEAD],
        )
        ref = file.keep()
    assert ref == f"{file.hex[:2]}/{file.hex[2:4]}/{file.hex}"
    assert kept(tmp_path) == [tmp_path / ref]
    assert (tmp_path / ref).read_bytes() == WHOLE


def test_what_is_not_kept_is_gone_whatever_happened(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with store.receive() as file:
        file.write(WHOLE)
    with pytest.raises(KeyError), store.receive() as file:
        file.write_all(broken_off())
    with store.receive():
        pass
    assert kept(tmp_path) == []


def test_equal_bytes_are_kept_once(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    refs = []
    for _ in range(3):
        with store.receive() as file:
            file.write(WHOLE)
            refs.append(file.keep())
    assert len(set(refs)) == len(kept(tmp_path)) == 1


def test_an_empty_file_can_be_kept_too(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    with store.receive() as file:
        assert (tmp_path / file.keep()).read_bytes() == b""


@pytest.mark.parametrize("step", ["write", "keep"])
def test_a_full_disk_is_said_in_our_words_and_leaves_nothing(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = FileStore(tmp_path)
    with store.receive() as file:
        file.write(WHOLE)
        if step == "keep":
            monkeypatch.setattr("interlock.store.files.file_store.durable", full)
            with pytest.raises(StoreFull):
                file.keep()
        else:
            monkeypatch.setattr(file, "_file", Broken(file._file, full))
            with pytest.raises(StoreFull):
                file.write(WHOLE)
    assert kept(tmp_path) == []


class Broken:
    """A file on a disk that has become full."""

    def __init__(self, inner: Any, write: Any) -> None:
        self.close, self.write = inner.close, write


def test_elsewhere_the_bytes_wait_in_a_file_without_a_name(buckets: Buckets) -> None:
    store = FileStore("s3://bucket/interlock")
    with store.receive() as file:
        file.write_all(PIECES)
        assert buckets.objects == {}
        ref = file.keep()
    assert buckets.objects == {f"bucket/interlock/{ref}": WHOLE}
    with store.receive() as file:
        file.write(b"not kept")
    assert len(buckets.objects) == 1
