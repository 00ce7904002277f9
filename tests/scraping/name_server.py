"""A nameserver on loopback whose records a test decides; it counts what it was asked."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

Records = dict[str, list[str]]
"""By kind: `{"A": ["127.1.0.1"], "MX": ["10 mail.firma.de."]}`."""
Answering = Callable[[str, int], Records | None]
"""Records of a name, from the name and how often it was asked before; None where the name does not exist."""


@dataclass
class NameServer:
    """Answers from `names`, or by `answering` where a name is in neither; `is_silent` answers nothing at all."""

    names: dict[str, Records | Callable[[int], Records]] = field(default_factory=dict)
    answering: Answering | None = None
    is_silent: bool = False
    fails: set[str] = field(default_factory=set)
    asked: Counter[str] = field(default_factory=Counter)
    port: int = 0

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", self.port

    def __enter__(self) -> NameServer:
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        transport, _ = self._loop.run_until_complete(
            self._loop.create_datagram_endpoint(lambda: _Questions(self), local_addr=("127.0.0.1", 0))
        )
        self.port = transport.get_extra_info("sockname")[1]
        ready.set()
        self._loop.run_forever()
        transport.close()
        self._loop.run_until_complete(asyncio.sleep(0))  # the transport closes its socket in a further round
        self._loop.close()

    def answer(self, question: dns.message.Message) -> dns.message.Message:
        asked = question.question[0]
        name, kind = asked.name.to_text().rstrip(".").lower(), dns.rdatatype.to_text(asked.rdtype)
        before = self.asked[f"{name} {kind}"]
        self.asked[f"{name} {kind}"] += 1
        response = dns.message.make_response(question)
        response.flags |= dns.flags.RA
        if name in self.fails:
            response.set_rcode(dns.rcode.SERVFAIL)
            return response
        records = self.names.get(name)
        if callable(records):
            records = records(before)
        if records is None and self.answering is not None:
            records = self.answering(name, before)
        if records is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        elif kind in records:
            response.answer.append(dns.rrset.from_text(asked.name, 1, "IN", kind, *records[kind]))
        return response


class _Questions(asyncio.DatagramProtocol):
    def __init__(self, server: NameServer) -> None:
        self._server = server

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        if self._server.is_silent:
            return
        try:
            question = dns.message.from_wire(data)
        except dns.exception.DNSException:
            return
        self._transport.sendto(self._server.answer(question).to_wire(), address)  # type: ignore[attr-defined]
