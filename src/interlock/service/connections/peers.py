"""Whose process is at the other end of a loopback connection: Linux keeps the owner of every socket in /proc/net/tcp and tcp6.

Reading these tables takes milliseconds on a large machine, so the kernel is asked for the one socket first.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

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


Address = tuple[str, int]
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
IDENTITY_MAP = ["0", "0", "4294967295"]
OVERFLOW_USER = 65_534


def are_known() -> bool:
    """Whether this system has the tables that say which user a socket belongs to."""
    return TABLES[0].exists()


def is_own_user(client: Address, server: Address) -> bool:
    """Whether the client's end of this connection belongs to the user who runs the service, or to root.

    Anything that cannot be learnt is answered with no.
    """
    owner = owner_of(client, server) if are_known() else None
    return owner is not None and owner in own_users()


def own_users() -> set[int]:
    users = {0, os.geteuid()}
    # Within a user namespace every user of outside that it does not know has this one number.
    return users if in_first_namespace() else users - {OVERFLOW_USER}


def in_first_namespace() -> bool:
    try:
        return Path("/proc/self/uid_map").read_text(encoding="ascii").split() == IDENTITY_MAP
    except OSError:
        return False


def owner_of(client: Address, server: Address) -> int | None:
    """The user id of the socket whose own address is `client` and whose other end is `server`; None where there is no such socket."""
    try:
        ends = plain_end(*client), plain_end(*server)
    except ValueError:
        return None
    if ends[0][0].version != ends[1][0].version:
        return None
    try:
        asked = find_socket(*ends)
    except NotSupported:
        return owner_in_tables(client, server)
    if asked is None:  # also the answer of a kernel without that module
        return None if kernel_answers() else owner_in_tables(client, server)
    return asked[0] if asked[1] else None


def plain_end(host: str, port: int) -> tuple[IPv4Address | IPv6Address, int]:
    """An end as an address; one of IPv4 as such, also where it stands in an IPv6 socket."""
    address = ip_address(host)
    return (address.ipv4_mapped or address if isinstance(address, IPv6Address) else address), port


@cache
def kernel_answers() -> bool:
    """Whether the kernel finds a socket that is certainly there: one of our own."""
    try:
        with (
            socket.create_server(("127.0.0.1", 0)) as listening,
            socket.create_connection(listening.getsockname()) as client,
        ):
            ends = (plain_end(*one.getsockname()) for one in (client, listening))
            return find_socket(*ends) is not None
    except (OSError, NotSupported):
        return False


def owner_in_tables(client: Address, server: Address) -> int | None:
    """The same from the tables of all sockets."""
    owners: set[int] = set()
    for table in TABLES:
        try:
            text = table.read_bytes()
        except OSError:
            continue
        for pair in pairs(client, server):
            owners.update(owners_in(text, pair))
    return owners.pop() if len(owners) == 1 else None


def owners_in(table: bytes, pair: bytes) -> Iterator[int]:
    """The owners of the sockets with this pair of addresses.

    A socket that its process has closed is no longer anybody's: the table calls it root's, with inode 0, and it is passed over. Whoever
    sends a request and closes at once would pass for root otherwise.
    """
    start = 0
    while (place := table.find(pair, start)) >= 0:
        end = table.find(b"\n", place)
        fields = table[place : end if end >= 0 else len(table)].split()
        # After both addresses come the state, queues, a timer, retransmits, the user, timeouts and the inode.
        if len(fields) > 8 and fields[8] != b"0":
            yield int(fields[6])
        start = place + len(pair)


def pairs(client: Address, server: Address) -> Iterator[bytes]:
    """Both addresses as the tables write them; an IPv4 address may stand in an IPv6 socket."""
    try:
        ends = [(ip_address(host), port) for host, port in (client, server)]
    except ValueError:
        return
    forms = [[*spellings(host)] for host, _ in ends]
    for one, other in zip(*forms, strict=False):
        yield f" {one}:{ends[0][1]:04X} {other}:{ends[1][1]:04X} ".encode("ascii")


def spellings(host: IPv4Address | IPv6Address) -> Iterable[str]:
    """The address as the kernel's tables of sockets write it; one that is IPv4 mapped into IPv6 in both forms, IPv4 first."""
    plain = host.ipv4_mapped or host if isinstance(host, IPv6Address) else host
    if isinstance(plain, IPv4Address):
        return words(plain.packed), words(IPv6Address(f"::ffff:{plain}").packed)
    return (words(plain.packed),)


def words(packed: bytes) -> str:
    """The address as 32-bit numbers of this machine's byte order, in hexadecimal digits."""
    return "".join(f"{number:08X}" for number in struct.unpack(f"={len(packed) // 4}I", packed))
