"""A site that offers HTTP/2 is visited by it; one that does not, by HTTP/1.1."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived

from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.web.faults import FetchFault
from interlock.workflows.scraping.web.fetching import Fetched, Fetcher


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that nobody vouches for, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    made, key = folder / "site.pem", folder / "site.key"
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .sign(private, hashes.SHA256())
    )
    made.write_bytes(signed.public_bytes(Encoding.PEM))
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return made, key


class Site:
    """Answers every request with the protocol by which it came."""

    def __init__(self, certificate: tuple[Path, Path], offered: list[str]) -> None:
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(*certificate)
        self.context.set_alpn_protocols(offered)
        self.requests: list[str] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        chosen = writer.get_extra_info("ssl_object").selected_alpn_protocol() or "http/1.1"
        self.requests.append(chosen)
        try:
            await (self._second(reader, writer) if chosen == "h2" else self._first(reader, writer))
        finally:
            writer.close()

    async def _first(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nhttp/1.1")
        await writer.drain()

    async def _second(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = H2Connection(H2Configuration(client_side=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await reader.read(65_536):
            for event in connection.receive_data(data):
                if isinstance(event, RequestReceived):
                    connection.send_headers(event.stream_id, [(":status", "200")])
                    connection.send_data(event.stream_id, b"h2", end_stream=True)
            writer.write(connection.data_to_send())
            await writer.drain()


async def visit(site: Site, *, verify: bool) -> Fetched:
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0, ssl=site.context)
    fetcher = Fetcher(interval=0.0, allowed=read_networks("127.0.0.1"), verify=verify)
    try:
        return await fetcher.get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    finally:
        await fetcher.close()
        server.close()


@pytest.mark.parametrize(("offered", "used"), [(["h2", "http/1.1"], "h2"), (["http/1.1"], "http/1.1")])
def test_the_best_protocol_that_a_site_offers_is_used(
    certificate: tuple[Path, Path], offered: list[str], used: str
) -> None:
    site = Site(certificate, offered)
    fetched = asyncio.run(visit(site, verify=False))
    assert (fetched.status, fetched.content.decode(), site.requests) == (200, used, [used])


def test_a_certificate_that_nobody_vouches_for_is_refused_for_good(certificate: tuple[Path, Path]) -> None:
    with pytest.raises(FetchFault) as caught:
        asyncio.run(visit(Site(certificate, ["h2"]), verify=True))
    assert (caught.value.code, caught.value.is_final) == ("TLS_FAILED", True)
