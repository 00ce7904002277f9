"""What a runner and its isolated processes say to each other: frames over a socket, and which values may come back.

A process that reads untrusted files may have been taken over by one, so the runner unpickles only plain values and users' own classes.
"""

from __future__ import annotations

import io
import pickle
import socket
import struct
import sys
import threading
from typing import Any

LARGEST = 64 * 1024 * 1024
_HEADER = struct.Struct("!cI")

READY, TASK, RESULT, LAST_RESULT, LOG, OPEN, FILE, NO_FILE, BEAT = (
    bytes([letter]) for letter in b"YTRELOFNB"
)

_PLAIN = {
    "builtins": {
        "bool",
        "bytearray",
        "bytes",
        "complex",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "object",
        "range",
        "set",
        "slice",
        "str",
        "tuple",
    },
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "types": {"SimpleNamespace"},
    "uuid": {"SafeUUID", "UUID"},
    "ipaddress": {"IPv4Address", "IPv4Network", "IPv6Address", "IPv6Network"},
    "pathlib": {"Path", "PosixPath", "PurePath", "PurePosixPath"},
}
_MAKERS = {"_reconstruct", "scalar", "_frombuffer"}
"""Functions by which numpy builds its values."""


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
                head, given, _, _ = socket.recv_fds(self.end, _HEADER.size, 1)
                file = given[0] if given else None
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


class _Careful(pickle.Unpickler):
    """Makes plain values and instances of users' classes; never calls a function, nor a class of the standard library that does things."""

    def find_class(self, module: str, name: str) -> Any:
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names and name not in _PLAIN.get(module, ()):
            raise pickle.UnpicklingError(f"a {module}.{name} may not leave an isolated process")
        found = super().find_class(module, name)
        if not isinstance(found, type) and not (top == "numpy" and name in _MAKERS):
            raise pickle.UnpicklingError(f"{module}.{name} may not leave an isolated process")
        return found


def packed(value: Any) -> bytes:
    return pickle.dumps(value, protocol=5)


def unpacked_carefully(payload: bytes) -> Any:
    return _Careful(io.BytesIO(payload)).load()


def unpacked(payload: bytes) -> Any:
    """For what comes from the runner itself."""
    return pickle.loads(payload)
