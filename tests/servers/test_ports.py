"""Ports of test servers: one that is taken meanwhile is left to whoever took it, and none is given to a client by chance."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import psycopg
import pytest

from tests.servers import pgbouncer
from tests.servers.pgbouncer import MISSING, program, start_pgbouncer
from tests.servers.postgres import GIVEN, Server, free_port


@pytest.fixture
def taken() -> Iterator[int]:
    """The port of somebody who answers everybody, and is no database."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as somebody:
        yield int(somebody.getsockname()[1])


@pytest.mark.skipif(program() is None, reason=MISSING)
def test_a_pooler_leaves_a_port_that_somebody_took_first(
    taken: int, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = iter([taken, taken, free_port()])
    monkeypatch.setattr(pgbouncer, "free_port", lambda: next(ports))
    bouncer = start_pgbouncer(postgres_server)
    try:
        url = bouncer.url(postgres_server.url).replace("+psycopg", "")
        with psycopg.connect(url, connect_timeout=10) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert bouncer.port != taken
    finally:
        bouncer.stop()


def test_no_client_is_given_the_port_of_a_server_while_it_is_away() -> None:
    ports = {free_port() for _ in range(20)}
    assert len(ports) > 1
    if GIVEN.exists():
        assert max(ports) < int(GIVEN.read_text().split()[0])
