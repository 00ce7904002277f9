"""The frames that a runner and its isolated processes exchange over a socket.

What the runner sends is pickled. What comes back is never unpickled: a process that reads untrusted files may have been taken over by
one. Results have a codec of their own.
"""

from __future__ import annotations

import pickle
import socket
import struct
import threading
from typing import Any

LARGEST = 64 * 1024 * 1024
_HEADER = struct.Struct("!cI")

OPEN_YOURSELF = "open it yourself"
"""The answer to `OPEN` where there is no file store: the reference is a path, and the process may read what it may."""
READY, TASK, RESULT, LAST_RESULT, LOG, OPEN, FILE, NO_FILE, BEAT = (bytes([code]) for code in b"YTRELOFNB")


class TooBig(Exception):
    """A frame larger than either side takes."""


class Gone(Exception):
    """The other side has closed."""


class Link:
    """One end of the socket; sending is safe from several threads."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.lock = threading.RLock()

    def send(self, kind: bytes, payload: bytes = b"", file: int | None = None) -> None:
        if len(payload) > LARGEST:
            raise TooBig(len(payload))
        message = (
            _HEADER.pack(kind, len(payload)) + payload
            if len(payload) < 65536
            else _HEADER.pack(kind, len(payload))
        )
        with self.lock:
            try:
                if file is not None:
                    socket.send_fds(self.end, [message], [file])
                else:
                    self.end.sendall(message)
                if len(payload) >= 65536:
                    self.end.sendall(payload)
            except (BrokenPipeError, ConnectionError) as error:
                raise Gone from error

    def receive(self, *, files: bool = False) -> tuple[bytes, bytes, int | None]:
        """The next frame; an open file comes with it where files are expected, and only there."""
        file: int | None = None
        try:
            if files:
                head, files_sent, _, _ = socket.recv_fds(self.end, _HEADER.size, 1)
                file = files_sent[0] if files_sent else None
            else:
                head = self.end.recv(_HEADER.size)
            head += self._exactly(_HEADER.size - len(head)) if head else b""
        except ConnectionError as error:
            raise Gone from error
        if not head:
            raise Gone
        kind, size = _HEADER.unpack(head)
        if size > LARGEST:
            raise TooBig(size)
        return kind, self._exactly(size), file

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                part = self.end.recv(min(size - len(data), 1 << 20))
            except ConnectionError as error:
                raise Gone from error
            if not part:
                raise Gone
            data += part
        return bytes(data)


def packed(value: Any) -> bytes:
    """What the runner sends; never what a process answers."""
    return pickle.dumps(value, protocol=5)


def unpacked(payload: bytes) -> Any:
    """In an isolated process: what the runner sent."""
    return pickle.loads(payload)
