"""Unpacks compressed bodies with a limit that holds at every byte: a small body that grows without end costs no memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

STEP = 65_536
_GZIP = b"\x1f\x8b"


class TooLarge(ValueError):
    """More bytes than the limit allows."""


class BadEncoding(ValueError):
    """A body that is not what its encoding says."""


class Unpacker:
    """Takes a body part by part; `content` is what came out, at most `limit` bytes."""

    def __init__(self, encoding: str, limit: int) -> None:
        self.has_begun = False
        self.limit, self._parts, self._size = limit, list[bytes](), 0
        self._layers = [_Inflated(name) for name in _names(encoding)]

    def feed(self, part: bytes) -> None:
        """Add the next part of the body."""
        self.has_begun = self.has_begun or bool(part)
        self._through(0, part)

    def _through(self, layer: int, part: bytes) -> None:
        if layer == len(self._layers):
            self._size += len(part)
            if self._size > self.limit:
                raise TooLarge(f"more than {self.limit} bytes")
            self._parts.append(part)
            return
        for piece in self._layers[layer].pieces(part):
            self._through(layer + 1, piece)

    @property
    def content(self) -> bytes:
        return b"".join(self._parts)

    @property
    def is_cut(self) -> bool:
        """Whether a compressed body ended before its end."""
        return any(not layer.is_over for layer in self._layers)


class _Inflated:
    """One layer of compression, undone piece by piece. A gzip body may have several members, one behind the other."""

    def __init__(self, name: str) -> None:
        self.is_over = False
        """Whether its last member has ended."""
        self._name = name
        self._inflater: Any = None
        self._behind = b""
        """The first bytes behind a member, until it is clear whether they begin another one."""
        self._is_full = False
        """Whether the last piece was as large as pieces may be: more may be ready without further input."""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What the next bytes unpack to, in pieces of at most 64 KiB; what stands behind the end is left out."""
        while data or self._is_full:
            if self.is_over:
                data = self._behind + data
                self._behind = data[: len(_GZIP)]
                if not data.startswith(_GZIP):
                    return  # rubbish, or too little to tell
                self.is_over, self._behind = False, b""
            inflater = self._inflater = self._inflater or self._begin(data)
            try:
                piece = inflater.decompress(data, STEP)
            except zlib.error as error:
                raise BadEncoding(f"the body is not {self._name}: {error}") from error
            self._is_full = len(piece) == STEP and not inflater.eof
            if piece:
                yield piece
            data = inflater.unconsumed_tail
            if inflater.eof:
                data, self._inflater, self.is_over = inflater.unused_data, None, True

    def _begin(self, data: bytes) -> Any:
        if self._name == "gzip":
            return zlib.decompressobj(16 + zlib.MAX_WBITS)
        is_wrapped = len(data) > 1 and (data[0] & 0x0F) == 8 and (data[0] * 256 + data[1]) % 31 == 0
        return zlib.decompressobj(zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)


def _names(encoding: str) -> list[str]:
    """The encodings in the order in which they are undone; unknown ones are refused."""
    names = [name.strip().lower().removeprefix("x-") for name in encoding.split(",") if name.strip()]
    for name in names:
        if name not in ("gzip", "deflate", "identity"):
            raise BadEncoding(f"encoding {name[:20]!r} was not asked for")
    return [name for name in reversed(names) if name != "identity"]


def unpack(content: bytes, limit: int) -> bytes:
    """Content without its gzip wrapping, if it has one; twice wrapped too."""
    for _ in range(2):
        if not content.startswith(_GZIP):
            break
        unpacker = Unpacker("gzip", limit)
        try:
            unpacker.feed(content)
        except BadEncoding:
            if not unpacker.content:
                raise  # nothing could be read; else what came before the fault is kept
        content = unpacker.content
    return content
