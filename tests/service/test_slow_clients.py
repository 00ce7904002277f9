"""Clients that send their request slowly, or go away in the midst of it, hold nothing and leave no traceback."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from interlock import App
from interlock.cli.processes.serve import server_config
from interlock.service.application import build
from interlock.service.http.limits import Limits
from tests.service.asking import problem
from tests.service.conftest import make_key
from tests.service.serving import served

pytestmark = pytest.mark.sqlite_only
MOVES = "/api/v1/statements/records/u1/moves"
HEAD = (
    f"POST {MOVES} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Authorization: Bearer KEY\r\nContent-Length: 20\r\n\r\n"
)
WHOLE = '{"to":    "parsing"}'


@pytest.fixture
def key(app: App) -> str:
    return make_key(app, "operator")


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    place = urlsplit(address)
    with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=30) as sending:
        yield sending


def rest_of(sending: socket.socket) -> bytes:
    """Everything until the server ends the connection; a server that never does fails by the socket's own limit."""
    parts = []
    while part := sending.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def drip(sending: socket.socket, ended: threading.Event) -> None:
    """One more byte again and again, as whoever wants to hold a connection does."""
    try:
        while not ended.wait(0.05):
            sending.sendall(b"x")
    except OSError:
        return


@contextmanager
def dripping(sending: socket.socket) -> Iterator[None]:
    ended = threading.Event()
    thread = threading.Thread(target=drip, args=(sending, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(30)


@pytest.mark.parametrize(
    "sent", ["", "GET / HTTP/1.1\r\nHost: 12", "GET / HT"], ids=["nothing", "half a head", "a word"]
)
def test_a_head_that_does_not_arrive_is_not_waited_for(sent: str, app: App) -> None:
    with served(build(app), head_seconds=0.3) as address, connected(address) as sending:
        sending.sendall(sent.encode())
        assert rest_of(sending) == b""


def test_a_head_that_arrives_byte_by_byte_gains_no_time(app: App) -> None:
    with served(build(app), head_seconds=0.5) as address, connected(address) as sending:
        sending.sendall(b"GET / HTTP/1.1\r\nHost: ")
        # Bytes may be under way when the server closes.
        with dripping(sending), suppress(ConnectionResetError):
            assert rest_of(sending) == b""


def test_the_second_request_of_a_connection_has_no_more_time_than_the_first(app: App) -> None:
    with served(build(app), head_seconds=0.5, idle_seconds=1) as address, connected(address) as sending:
        sending.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT")
        answered = rest_of(sending)
        assert answered.startswith(b"HTTP/1.1 200")
        assert answered.count(b"HTTP/1.1") == 1


def test_a_connection_that_is_used_again_and_again_is_not_ended(app: App, key: str) -> None:
    ends = set()
    with (
        served(build(app, limits=Limits(rate=0)), head_seconds=0.5) as address,
        httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=30) as client,
    ):
        for _ in range(40):
            with client.stream("GET", "/api/v1/kinds") as answer:
                assert answer.status_code == 200
                ends.add(answer.extensions["network_stream"].get_extra_info("client_addr"))
                answer.read()
    assert len(ends) == 1


def test_a_body_that_stops_is_refused_and_nothing_is_done(app: App, key: str) -> None:
    limits = Limits(rate=0, idle_seconds=0.3)
    with (
        served(build(app, limits=limits), head_seconds=0.3, idle_seconds=1) as address,
        connected(address) as sending,
    ):
        sending.sendall(HEAD.replace("KEY", key).encode() + b'{"to":')
        answered = rest_of(sending)
    assert answered.startswith(b"HTTP/1.1 408")
    assert b"ILK-408" in answered
    assert app.get("statements", "u1")["status"] == "queued_for_parse"
    assert len(app.ledger.history("statements", "u1")) == 1


def test_a_body_that_drips_is_ended_with_the_time_for_an_answer(app: App, key: str) -> None:
    limits = Limits(rate=0, seconds=0.5, idle_seconds=5)
    with served(build(app, limits=limits), head_seconds=0.3) as address, connected(address) as sending:
        sending.sendall(HEAD.replace("KEY", key).replace("20", "900000").encode())
        answered = b""
        with dripping(sending), suppress(ConnectionResetError):
            while part := sending.recv(65_536):
                answered += part
    assert answered.startswith(b"HTTP/1.1 504")
    assert len(app.ledger.history("statements", "u1")) == 1


def test_a_slow_body_that_goes_on_arrives(app: App, key: str) -> None:
    limits = Limits(rate=0, idle_seconds=5)
    with served(build(app, limits=limits), head_seconds=0.3) as address, connected(address) as sending:
        pause = threading.Event()
        for piece in (HEAD.replace("KEY", key), WHOLE[:8], WHOLE[8:14], WHOLE[14:]):
            sending.sendall(piece.encode())
            pause.wait(0.2)  # together longer than a head may take
        assert sending.recv(65_536).startswith(b"HTTP/1.1 200")
    assert app.get("statements", "u1")["status"] == "parsing"
    assert app.ledger.history("statements", "u1")[-1].new == "parsing"


def test_whoever_goes_away_leaves_no_traceback(app: App, key: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "interlock.service")
    with served(build(app, limits=Limits(rate=0))) as address:
        for _ in range(20):
            with connected(address) as sending:
                sending.sendall(HEAD.replace("KEY", key).encode() + b'{"to":')
        with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=30) as client:
            assert client.get("/api/v1/kinds").status_code == 200
    noted = [record for record in caplog.records if record.exc_info or record.levelno >= logging.WARNING]
    assert noted == []
    assert len(app.ledger.history("statements", "u1")) == 1


def test_serve_and_up_end_slow_clients_too(app: App) -> None:
    config = server_config(build(app))
    assert config.http.__name__ == "EndingSlowClients"
    assert (config.proxy_headers, config.server_header) == (False, False)


def test_guesses_from_one_address_starve_no_key_holder_behind_it(app: App) -> None:
    first, second = make_key(app, "viewer", "first"), make_key(app, "viewer", "second")
    with (
        served(build(app, limits=Limits(rate=0.001, burst=3), require_key=True)) as address,
        httpx.Client(base_url=address, timeout=30) as client,
    ):

        def asked(key: str | None) -> httpx.Response:
            headers = {} if key is None else {"Authorization": f"Bearer {key}"}
            return client.get("/api/v1/kinds", headers=headers)

        assert [asked(f"ilk_{number}").status_code for number in range(5)] == [401] * 3 + [429] * 2
        problem(asked(None), 429, "ILK-429")
        assert [asked(first).status_code for _ in range(3)] == [200] * 3
        assert asked(second).status_code == 200
        problem(asked(first), 429, "ILK-429")
        assert asked(second).status_code == 200


def test_a_request_with_two_lengths_is_refused_and_nothing_behind_it_is_heard(app: App, key: str) -> None:
    hidden = f"GET /api/v1/kinds HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n"
    head = HEAD.replace("KEY", key).replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n")
    body = f"{len(WHOLE):x}\r\n{WHOLE}\r\n0\r\n\r\n"
    with served(build(app)) as address, connected(address) as sending:
        sending.sendall(f"{head}{body}{hidden}".encode())
        answer = rest_of(sending)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert [move.new for move in app.ledger.history("statements", "u1")] == ["queued_for_parse"]
