"""The ledger streamed over HTTP: the bytes that the ledger itself gives, and nothing held for a reader who has gone."""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import Connection, text

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import InvalidStateTransition, StoreUnavailable
from interlock.service.application import build
from interlock.service.resources import exports as exporting
from tests.contract.exported import checked
from tests.kinds import four_kinds
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, filled
from tests.service.serving import served

WAIT = 30
EXPORT = "/api/v1/ledger/export"


@pytest.fixture
def app(shop_url: str) -> Iterator[App]:
    made = App(four_kinds(), database=shop_url, clock=FrozenClock())
    made.migrate()
    filled(made)
    with pytest.raises(InvalidStateTransition):
        made.move("statements", "u1", actor="eve", status="normalized")
    made.ledger.seal()
    made.move("statements", "u1", actor="ann", reason="dué", status="parsing")
    yield made
    made.close()


@pytest.mark.parametrize("asked", [{}, {"kind": "statements"}, {"after_seal": 1}, {"detail": False}])
def test_an_export_has_the_bytes_that_the_ledger_gives(app: App, local: Asker, asked: dict[str, Any]) -> None:
    answer = local.get("/ledger/export", params=asked)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    assert answer.content == "".join(f"{line}\n" for line in app.ledger.export(**asked)).encode()


def test_an_export_of_many_pieces_is_accepted_by_the_second_verifier(
    app: App, local: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "LINES", 2)
    assert checked(local.get("/ledger/export").text.splitlines(), app.ledger.seals()) == []


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"after_seal": 9}, 400, "ILK-102"),
        ({"after_seal": -1}, 400, "ILK-102"),
        ({"kind": "nothing"}, 404, "ILK-103"),
        ({"detail": "perhaps"}, 400, "ILK-102"),
        ({"from": "x"}, 400, "ILK-102"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_takes_no_turn(
    local: Asker, asked: dict[str, Any], status: int, code: str
) -> None:
    for _ in range(WIDE.exports + 1):
        problem(local.get("/ledger/export", params=asked), status, code)
    assert local.get("/ledger/export").status_code == 200


class Watched:
    """The ledger's exports without an end, each in a snapshot of its own; says when one was closed."""

    def __init__(self, app: App, line: Callable[[int], str]) -> None:
        self.app, self.line, self.closed = app, line, Event()
        self.connections: list[Connection] = []

    def held(self) -> int:
        """Connections that an export has in hand."""
        return sum(not one.closed for one in self.connections)

    def export(self, **_: Any) -> Generator[str, None, None]:
        try:
            with self.app.database.read() as tx:
                tx.execute(text("SELECT 1"))
                self.connections.append(tx)
                number = 0
                while True:
                    number += 1
                    yield self.line(number)
        finally:
            self.closed.set()


@pytest.fixture
def endless(app: App, monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched(app, lambda number: "x" * 1000)
    monkeypatch.setattr(app.ledger, "export", watched.export)
    return watched


@contextmanager
def begun(address: str) -> Iterator[None]:
    """Somebody who has read the beginning of an export."""
    with httpx.stream("GET", f"{address}{EXPORT}", timeout=WAIT) as answer:
        assert answer.status_code == 200
        pieces = answer.iter_raw()  # while it is kept, so is the connection
        assert next(pieces)
        yield


def test_an_export_that_its_reader_cuts_off_leaves_no_connection_open(app: App, endless: Watched) -> None:
    with served(build(app, limits=WIDE)) as address:
        with begun(address):
            assert (endless.held(), endless.closed.is_set()) == (1, False)
        assert endless.closed.wait(WAIT)
        assert endless.held() == 0


def test_a_reader_who_takes_nothing_any_more_is_let_go(
    app: App, endless: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "STALLED_SECONDS", 0.2)
    with served(build(app, limits=WIDE)) as address:
        place = urlsplit(address)
        with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=WAIT) as silent:
            silent.sendall(f"GET {EXPORT} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert endless.closed.wait(WAIT)
            assert (len(endless.connections), endless.held()) == (1, 0)


@pytest.mark.sqlite_only
def test_only_so_many_exports_are_under_way_at_once(app: App, endless: Watched) -> None:
    with served(build(app, limits=WIDE)) as address:
        with begun(address), begun(address):
            with httpx.stream("GET", f"{address}{EXPORT}", timeout=WAIT) as refused:
                assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
                refused.read()
            problem(refused, 429, "ILK-429")
            assert not endless.closed.is_set()
        assert endless.closed.wait(WAIT)
        with begun(address):
            pass


@pytest.mark.sqlite_only
def test_an_export_whose_database_goes_away_ends_without_an_end(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def line(number: int) -> str:
        if number > 2 * exporting.LINES:
            raise StoreUnavailable("the database is away")
        return "{}"

    watched = Watched(app, line)
    monkeypatch.setattr(app.ledger, "export", watched.export)
    with served(build(app, limits=WIDE)) as address:
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{address}{EXPORT}", timeout=WAIT)
        assert watched.closed.wait(WAIT)
    assert watched.held() == 0


@pytest.mark.sqlite_only
def test_a_service_that_stops_lets_its_exports_go(app: App, endless: Watched) -> None:
    reading = Event()
    with ThreadPoolExecutor(1) as pool:
        with served(build(app, limits=WIDE)) as address:
            reader = pool.submit(read_on, address, reading)
            assert reading.wait(WAIT)
        assert endless.closed.wait(WAIT)
        assert endless.held() == 0
        with pytest.raises(httpx.TransportError):
            reader.result(WAIT)


def read_on(address: str, reading: Event) -> None:
    with httpx.stream("GET", f"{address}{EXPORT}", timeout=WAIT) as answer:
        for _ in answer.iter_raw():
            reading.set()
