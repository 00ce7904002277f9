"""Without a key only the user who runs the service comes in: real servers, real sockets, and a real other user where root can be one."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from interlock import App
from interlock.service.application import build
from interlock.service.browser.sign_in import SignIn
from interlock.service.connections import peers
from interlock.store.records import api_keys as keys
from tests.acceptance.started import started
from tests.acceptance.upped import ROOT, up
from tests.security.other_user import needs_another_user, public_folder, run_as_nobody, running_as_nobody
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key
from tests.service.serving import served

only_where_peers_are_known = pytest.mark.skipif(
    not peers.are_known(), reason="NOT TESTED: this system does not say whose a socket is"
)
MOVES = "/api/v1/statements/records/u1/moves"
ASK = """
port, host, method, path, sent, headers = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port))
connection.request(method, path, sent or None, {"Host": host, "Content-Type": "application/json", **json.loads(headers)})
answer = connection.getresponse()
print(answer.status, answer.read().decode())
"""
SEND_AND_CLOSE = """
body = b'{"name": "mine", "scope": "admin"}'
for _ in range(50):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as sending:
        sending.sendall(b"POST /api/v1/keys HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nContent-Type: application/json\\r\\n"
                        b"Content-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
"""
RELAY = """
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
def pump(source, target):
    while data := source.recv(65536):
        target.sendall(data)
    target.shutdown(socket.SHUT_WR)
while True:
    inside, _ = listening.accept()
    outside = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    for ends in ((inside, outside), (outside, inside)):
        threading.Thread(target=pump, args=ends, daemon=True).start()
"""


@pytest.fixture(autouse=True)
def known_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is known by a name here."""
    monkeypatch.setattr(App, "local_clients", frozenset())


@pytest.fixture
def address(app: App) -> Iterator[str]:
    with served(build(app, limits=WIDE)) as url:
        yield url


def as_nobody(address: str, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    """The status and text that another user of this machine is answered."""
    place = urlsplit(address)
    printed = run_as_nobody(ASK, str(place.port), place.netloc, method, path, body, json.dumps(headers))
    status, _, text = printed.partition(" ")
    return int(status), text


def made_keys(app: App) -> list[str]:
    with app.database.read() as tx:
        return [key.name for key in keys.every(tx)]


@only_where_peers_are_known
def test_the_user_who_runs_it_is_admin_without_a_key_also_once_keys_were_made(app: App, address: str) -> None:
    with httpx.Client(base_url=address, timeout=30) as client:
        assert client.post("/api/v1/keys", json={"name": "first", "scope": "viewer"}).status_code == 201
        assert client.post(MOVES, json={"to": "parsing"}).status_code == 200
    last = app.ledger.history("statements", "u1")[-1]
    assert (last.actor, last.role, last.new) == ("local", "admin", "parsing")
    assert app.get("statements", "u1")["status"] == "parsing"


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Proto": "https"},
        {"X-Forwarded-Anything": "x"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "127.0.0.1"},
        {"Host": "evil.example"},
    ],
    ids=lambda headers: next(iter(headers)),
)
def test_a_proxy_and_a_name_that_was_bent_to_this_machine_are_never_local(
    headers: dict[str, str], address: str, app: App
) -> None:
    problem(
        httpx.post(f"{address}/api/v1/keys", json={"name": "x", "scope": "admin"}, headers=headers),
        401,
        "ILK-401",
    )
    assert made_keys(app) == []


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    "host",
    [
        "localhost, evil",
        "localhost:evil",
        "127.0.0.1 evil",
        "[::1]x",
        "localhost\r\nHost: evil",
        "evil@localhost",
    ],
)
def test_a_host_that_is_not_one_name_is_refused(host: str, address: str, app: App) -> None:
    """Written by hand: a client of good manners would not send it."""
    place = urlsplit(address)
    with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=30) as sending:
        sending.sendall(f"GET /api/v1/kinds HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = http.client.HTTPResponse(sending)
        answer.begin()
        assert answer.status == 400


@pytest.mark.sqlite_only
def test_who_cannot_be_learnt_is_nobody(app: App, ask: Ask) -> None:
    """From another machine, and from an address behind which there is no socket."""
    for client in (("192.0.2.7", 1), ("127.0.0.1", 1), ("::1", 1), ("nonsense", 1)):
        problem(ask(build(app, limits=WIDE), client=client).get("/kinds"), 401, "ILK-401")


@pytest.mark.sqlite_only
def test_with_require_key_the_user_who_runs_it_needs_one_too(app: App) -> None:
    secret = make_key(app, "viewer")
    with served(build(app, limits=WIDE, require_key=True)) as address:
        problem(httpx.get(f"{address}/api/v1/kinds"), 401, "ILK-401")
        assert (
            httpx.get(f"{address}/api/v1/kinds", headers={"Authorization": f"Bearer {secret}"}).status_code
            == 200
        )


@needs_another_user
@only_where_peers_are_known
@pytest.mark.sqlite_only
def test_another_user_of_this_machine_gets_nothing_and_the_owner_is_not_locked_out(
    app: App, address: str
) -> None:
    body = json.dumps({"name": "mine", "scope": "admin"})
    assert as_nobody(address, "GET", "/health")[0] == 200
    assert as_nobody(address, "POST", "/api/v1/keys", body)[0] == 401
    assert as_nobody(address, "GET", "/api/v1/statements/records")[0] == 401
    assert as_nobody(address, "POST", MOVES, json.dumps({"to": "parsing"}))[0] == 401
    assert made_keys(app) == []
    assert len(app.ledger.history("statements", "u1")) == 1
    secret = make_key(app, "viewer")
    assert as_nobody(address, "GET", "/api/v1/kinds", Authorization=f"Bearer {secret}")[0] == 200
    assert httpx.get(f"{address}/api/v1/keys").status_code == 200


@needs_another_user
@only_where_peers_are_known
@pytest.mark.sqlite_only
def test_another_user_who_sends_and_closes_at_once_is_not_taken_for_root(app: App, address: str) -> None:
    """A socket without a process is root's in the kernel's table."""
    run_as_nobody(SEND_AND_CLOSE, str(urlsplit(address).port))
    assert httpx.get(f"{address}/api/v1/keys").json() == {"keys": []}
    assert made_keys(app) == []


@needs_another_user
@only_where_peers_are_known
@pytest.mark.sqlite_only
def test_a_plain_proxy_of_another_user_is_refused_however_silent_it_is(app: App, address: str) -> None:
    with running_as_nobody(RELAY, str(urlsplit(address).port)) as relay:
        assert relay.stdout is not None
        port = int(relay.stdout.readline())
        problem(httpx.get(f"http://127.0.0.1:{port}/api/v1/kinds", timeout=30), 401, "ILK-401")
        secret = make_key(app, "viewer")
        answer = httpx.get(
            f"http://127.0.0.1:{port}/api/v1/kinds", headers={"Authorization": f"Bearer {secret}"}, timeout=30
        )
        assert answer.status_code == 200


LINE = "   7: 0100007F:C350 0100007F:21FC {state} 00000000:00000000 00:00000000 00000000 {user:5d}        0 {inode} 1 0\n"
CLIENT, SERVER = ("127.0.0.1", 50_000), ("127.0.0.1", 8_700)


@pytest.mark.parametrize(
    ("lines", "owner"),
    [
        ([("01", 1000, 77)], 1000),
        ([("05", 1000, 77)], 1000),
        ([("06", 0, 0)], None),
        ([("05", 0, 0)], None),
        ([("06", 0, 0), ("01", 1000, 77)], 1000),
        ([("01", 1000, 77), ("01", 1001, 78)], None),
        ([], None),
    ],
    ids=["its own", "half closed", "left behind", "closed", "a new one", "two owners", "none"],
)
@pytest.mark.skipif(sys.byteorder != "little", reason="the lines below are those of a little-endian machine")
def test_the_owner_is_that_of_the_one_socket_that_a_process_still_holds(
    lines: list[tuple[str, int, int]], owner: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "tcp"
    other = LINE.replace("C350", "C351").format(state="01", user=5, inode=9)
    table.write_text(
        other
        + "".join(LINE.format(state=state, user=user, inode=inode) for state, user, inode in lines)
        + other
    )
    monkeypatch.setattr(peers, "TABLES", (table, tmp_path / "nothing"))
    assert peers.owner_in_tables(CLIENT, SERVER) == owner
    assert peers.owner_in_tables(("::ffff:127.0.0.1", 50_000), ("::ffff:127.0.0.1", 8_700)) == owner


@only_where_peers_are_known
@pytest.mark.parametrize("ask", [peers.owner_of, peers.owner_in_tables], ids=["the kernel", "the tables"])
@pytest.mark.parametrize(("host", "family"), [("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6)])
def test_the_owner_of_a_real_socket_is_whoever_opened_it(
    host: str, family: socket.AddressFamily, ask: Callable[..., int | None]
) -> None:
    try:
        listening = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip(f"this machine has no {host}")
    with listening, socket.create_connection(listening.getsockname()[:2]) as client:
        ends = client.getsockname()[:2], listening.getsockname()[:2]
        assert ask(*ends) == os.getuid()
        assert ask(ends[1], ("127.0.0.1", 1)) is None  # a listening socket is nobody's connection
        client.close()
        assert ask(*ends) is None  # the kernel still has it, and no process


@pytest.mark.sqlite_only
def test_a_printed_address_signs_one_browser_in_once(
    app: App, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "TABLES", (Path("/nowhere"), Path("/nowhere")))
    sign_in = SignIn()
    path = sign_in.address("")
    with (
        served(build(app, limits=WIDE, sign_in=sign_in)) as address,
        httpx.Client(base_url=address, timeout=30) as browser,
        httpx.Client(base_url=address) as other,
    ):
        problem(browser.get("/api/v1/kinds"), 401, "ILK-401")
        problem(browser.get("/sign-in?once=guess"), 401, "ILK-401")
        answer = browser.get(path)
        assert answer.status_code == 200
        assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]
        assert browser.post(MOVES, json={"to": "parsing"}).status_code == 200
        problem(other.get(path), 401, "ILK-401")
        problem(other.get("/api/v1/kinds"), 401, "ILK-401")
        problem(browser.get("/api/v1/kinds", headers={"X-Forwarded-For": "192.0.2.7"}), 401, "ILK-401")
        problem(browser.get("/api/v1/kinds", headers={"Host": "evil.example"}), 401, "ILK-401")
        problem(
            browser.post(MOVES, json={"to": "error"}, headers={"Origin": "http://127.0.0.1:1"}),
            403,
            "ILK-403",
        )
    assert app.ledger.history("statements", "u1")[-1].actor == "local"
    assert app.get("statements", "u1")["status"] == "parsing"


@pytest.mark.sqlite_only
def test_without_a_printed_address_there_is_nothing_to_sign_in_with(app: App, ask: Ask) -> None:
    asker: Asker = ask(build(app, limits=WIDE), prefix="")
    problem(asker.get("/sign-in?once=x"), 401, "ILK-401")
    problem(asker.get("/sign-in"), 400, "ILK-102")


def test_up_prints_the_address_where_the_system_says_nothing_of_sockets(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from interlock.service.connections import peers; peers.TABLES = (Path('/nowhere'),) * 2; "
        "from interlock.cli import main; main()"
    )
    command = [
        sys.executable,
        "-c",
        program,
        "up",
        "--data",
        str(tmp_path / "data"),
        "--port",
        "0",
        "--no-browser",
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
    with started(command, environment) as running:
        printed = running.line(r"sign in\s+(http://\S+)(/sign-in\S+)")
        with httpx.Client(base_url=printed[1], timeout=30) as browser:
            assert browser.get("/api/v1/kinds").status_code == 401
            assert browser.get(printed[2]).status_code == 200
            assert browser.get("/api/v1/kinds").status_code == 200


@needs_another_user
@only_where_peers_are_known
def test_beside_a_running_up_its_user_makes_a_key_and_another_user_cannot() -> None:
    with public_folder() as folder, up(folder / "data") as running:
        command = [
            sys.executable,
            "-m",
            "interlock",
            "key",
            "create",
            "nightly",
            "--scope",
            "viewer",
            "-o",
            "json",
        ]
        environment = {"INTERLOCK_DATA": str(running.data), "PATH": os.environ["PATH"]}
        made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        secret = json.loads(made.stdout)["key"]
        headers = {"Authorization": f"Bearer {secret}"}
        assert httpx.get(f"{running.url}/api/v1/kinds", headers=headers).status_code == 200
        assert as_nobody(running.url, "GET", "/api/v1/kinds")[0] == 401
        assert [key["name"] for key in running.get("/api/v1/keys")["keys"]] == ["nightly"]
        opened = "try: open(sys.argv[1], 'rb')\nexcept PermissionError: print('denied')"
        assert run_as_nobody(opened, str(running.data / "interlock.sqlite")) == "denied\n"
