"""Asks the Linux kernel about one TCP socket by netlink: the same facts as /proc/net/tcp, without reading the table of all sockets."""

from __future__ import annotations

import errno
import socket
import struct
from ipaddress import IPv4Address, IPv6Address

NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, NLMSG_ERROR = 4, 20, 1, 2
HEADER = struct.Struct("=IHHII")
ENDS = struct.Struct("!HH16s16s")
REQUEST = struct.Struct("=BBBxI36sIII")
ANSWER = struct.Struct("=BBBB36sIIIIIIII")
ANY_STATE, NO_COOKIE = 0xFFFFFFFF, 0xFFFFFFFF
SECONDS = 1.0
Ip = IPv4Address | IPv6Address
End = tuple[Ip, int]


class NotSupported(Exception):
    """The kernel does not answer such questions here."""


def find_socket(own: End, other: End) -> tuple[int, int] | None:
    """The user id and inode of the socket with these ends, both IPv4 or both IPv6; None where there is none.

    An inode of 0 means that no process holds it any more. Raises `NotSupported` when nothing can be learnt.
    """
    ends = ENDS.pack(own[1], other[1], own[0].packed.ljust(16, b"\0"), other[0].packed.ljust(16, b"\0"))
    family = socket.AF_INET if own[0].version == 4 else socket.AF_INET6
    body = REQUEST.pack(family, socket.IPPROTO_TCP, 0, ANY_STATE, ends, 0, NO_COOKIE, NO_COOKIE)
    kind, answer = exchange(
        HEADER.pack(HEADER.size + len(body), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 1, 0) + body
    )
    if kind == NLMSG_ERROR:
        (code,) = struct.unpack_from("=i", answer)
        if -code == errno.ENOENT:
            return None
        raise NotSupported(errno.errorcode.get(-code, str(code)))
    if kind != SOCK_DIAG_BY_FAMILY or len(answer) < ANSWER.size:
        raise NotSupported(f"answer {kind}")
    values = ANSWER.unpack_from(answer)
    if values[4] != ends:  # where no connection has these ends, the kernel answers with a listening socket
        return None
    return values[11], values[12]


def exchange(message: bytes) -> tuple[int, bytes]:
    """The kind of the kernel's answer, and what is behind its header."""
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as asking:
            asking.settimeout(SECONDS)
            asking.sendto(message, (0, 0))
            answer, sender = asking.recvfrom(4096)
    except (OSError, AttributeError) as error:
        raise NotSupported(str(error)) from error
    if sender[0] != 0 or len(answer) < HEADER.size:
        raise NotSupported("the kernel did not answer")
    return HEADER.unpack_from(answer)[1], answer[HEADER.size :]
