"""Names to network addresses: by the system's resolver, or by one nameserver that the settings name."""

from __future__ import annotations

import asyncio
import socket
from typing import Literal

import dns.asyncresolver
import dns.exception
import dns.rdatatype
import dns.resolver

from .addresses import Address, as_address
from .faults import FetchFault

Nameserver = tuple[str, int]
Kind = Literal["A", "AAAA", "MX"]


class NoAnswer(Exception):
    """Nobody answered the question; nothing is known about the name."""


class NoSuchName(Exception):
    """The name does not exist."""


class Resolver:
    """Resolves names within one event loop. With `nameserver` only that server is asked."""

    def __init__(self, nameserver: Nameserver | None = None) -> None:
        self._nameserver = nameserver
        self._asked: dns.asyncresolver.Resolver | None = None

    async def addresses(self, host: str, port: int, seconds: float | None) -> list[Address]:
        """The addresses of a host, each once; FetchFault DNS_FAILED where there are none."""
        literal = _literal(host)
        if literal is not None:
            return [literal]
        try:
            async with asyncio.timeout(seconds):
                if self._nameserver is None:
                    return await _by_system(host, port)
                return await self._by_nameserver(host, seconds or 10.0)
        except TimeoutError as error:
            raise FetchFault("DNS_FAILED", f"{host} was not resolved in time") from error
        except (OSError, UnicodeError, NoAnswer, NoSuchName) as error:
            raise FetchFault("DNS_FAILED", f"{host} cannot be resolved: {error}") from error

    async def _by_nameserver(self, host: str, seconds: float) -> list[Address]:
        answers = [
            as_address(text) for kind in ("A", "AAAA") for text in await self.records(host, kind, seconds)
        ]
        if not answers:
            raise NoAnswer("it has no address")
        return list(dict.fromkeys(answers))

    async def records(self, name: str, kind: Kind, seconds: float) -> list[str]:
        """The records of a name as text, those of a kind MX by preference; empty where it has none of this kind. Raises NoSuchName, or
        NoAnswer where no nameserver gave an answer."""
        try:
            answer = await self._server().resolve(
                f"{name.rstrip('.')}.", dns.rdatatype.from_text(kind), lifetime=seconds, search=False
            )
        except dns.resolver.NoAnswer:
            return []
        except dns.resolver.NXDOMAIN as error:
            raise NoSuchName(f"there is no name {name}") from error
        except (dns.exception.DNSException, OSError, ValueError, UnicodeError) as error:
            raise NoAnswer(f"{type(error).__name__}") from error
        if kind == "MX":
            ordered = sorted(answer, key=lambda one: int(one.preference))
            return [str(one.exchange) for one in ordered]
        return [str(one.address) for one in answer]

    def _server(self) -> dns.asyncresolver.Resolver:
        """Who is asked; raises NoAnswer's cause where the system names no nameserver."""
        if self._asked is None:
            self._asked = dns.asyncresolver.Resolver(configure=self._nameserver is None)
            if self._nameserver is not None:
                self._asked.nameservers, self._asked.port = [self._nameserver[0]], self._nameserver[1]
        return self._asked


def _literal(host: str) -> Address | None:
    try:
        return as_address(host.strip("[]"))
    except ValueError:
        return None


async def _by_system(host: str, port: int) -> list[Address]:
    loop = asyncio.get_running_loop()
    answers = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(as_address(str(answer[4][0])) for answer in answers))
