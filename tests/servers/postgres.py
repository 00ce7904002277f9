"""A real PostgreSQL on a free loopback port, gone without a trace when whoever started it stops, exits or is killed."""

from __future__ import annotations

import atexit
import os
import random
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy.engine import URL, make_url

from tests.servers import watchdog
from tests.servers.binaries import Programs, new_data_folder, new_home, programs_for

T = TypeVar("T")

FOR_TESTS = {"fsync": "off", "max_connections": "200"}
"""Nothing here outlives the machine, so nothing needs the disk. Measurements give `{"fsync": "on"}`, and their data is on it."""

ALWAYS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "dynamic_shared_memory_type": "mmap",  # in the data folder: a killed server leaves nothing elsewhere
}


LOWEST_PORT, TRIES = 20_000, 100
GIVEN = Path("/proc/sys/net/ipv4/ip_local_port_range")


class PortTaken(RuntimeError):
    """Another process listens there."""


class NotOurs(RuntimeError):
    """The server of INTERLOCK_TEST_POSTGRES_URL is somebody's: it is neither killed nor restarted."""


@dataclass
class Server:
    """A running PostgreSQL; `url` is its maintenance database."""

    url: str
    port: int
    data: Path | None = None
    home: Path | None = None
    programs: Programs | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    _owner: int = field(default_factory=os.getpid)
    _process: subprocess.Popen[bytes] | None = None
    _guard: subprocess.Popen[bytes] | None = None
    _admin: psycopg.Connection[Any] | None = None
    _retired: list[str] = field(default_factory=list)

    def create_database(self, name: str, like: str = "template0") -> str:
        """A copy of another, or empty; answers its URL. Copying files takes half the time of writing them to the log."""
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, like)
        return self.url_of(name)

    def url_of(self, name: str) -> str:
        return _text(make_url(self.url).set(database=name))

    def drop_database(self, name: str) -> None:
        """Drop it under whoever is still connected."""
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def retire_database(self, name: str) -> None:
        """Throw out whoever is still connected, and drop it when the next one retires: a drop looks only every 100 ms whether they left."""
        self._connected().execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        self.drop_retired()
        self._retired.append(name)

    def drop_retired(self) -> None:
        """Drop those that are left, which nobody is connected to any more."""
        while self._retired:
            self.drop_database(self._retired.pop())

    def program(self, name: str) -> str | None:
        """The path of `pgbench`, `psql`… if they came with it."""
        return self.programs.path(name) if self.programs else None

    def log(self) -> str:
        return (self._own(self.home) / "log").read_text(errors="replace")

    def stop(self) -> None:
        """Stop the server and remove its folder; a second call does nothing, nor does one in a forked child."""
        if os.getpid() != self._owner:
            return
        if self.data is None:
            self.drop_retired()  # a server that is not ours lives on
        self._forget_admin()
        if self.home and self.data:
            watchdog.remove(self.home, self.data)
        for child in filter(None, (self._guard, self._process)):
            if child.stdin:
                child.stdin.close()
            child.wait()
        atexit.unregister(self.stop)

    def kill(self) -> None:
        """Cut it off as a power failure would; `restart()` brings it back with what was committed."""
        self._forget_admin()
        watchdog.kill(self._own(self.data))
        self._own(self._process).wait()

    def restart(self) -> None:
        """Stop it if it runs, and start it on the same port and data."""
        self._forget_admin()
        watchdog.stop(self._own(self.data))
        self._own(self._process).wait()
        self.launch()

    def launch(self) -> None:
        """Start the server process and wait until it takes connections."""
        data, home, programs = self._own(self.data), self._own(self.home), self._own(self.programs)
        options = {**FOR_TESTS, **self.settings, **ALWAYS, "port": str(self.port)}
        command = [
            str(programs.folder / "postgres"),
            "-D",
            str(data),
            *(f"--{name}={value}" for name, value in options.items()),
        ]
        with (home / "log").open("ab") as log:
            self._process = _start(programs, command, home, log)
        while not _ready(data, self._process.pid):
            try:
                self._process.wait(0.01)
            except subprocess.TimeoutExpired:
                continue
            kind = PortTaken if "Address already in use" in self.log() else RuntimeError
            raise kind(f"PostgreSQL did not start:\n{self.log()}")

    def watch(self) -> None:
        """Also when we are killed, which no handler of ours survives, the server shall go."""
        command = [sys.executable, watchdog.__file__, str(os.getpid()), str(self.home), str(self.data)]
        self._guard = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        atexit.register(self.stop)

    def _execute(self, statement: str, *names: str) -> None:
        self._connected().execute(SQL(statement).format(*map(Identifier, names)))

    def _connected(self) -> psycopg.Connection[Any]:
        if self._admin is None or self._admin.closed:
            self._admin = psycopg.connect(
                _text(make_url(self.url).set(drivername="postgresql")), autocommit=True
            )
        return self._admin

    def _forget_admin(self) -> None:
        if self._admin is not None:
            self._admin.close()
            self._admin = None

    def _own(self, part: T | None) -> T:
        if part is None:
            raise NotOurs(NotOurs.__doc__)
        return part


def start_postgres(settings: Mapping[str, str] | None = None) -> Server:
    """Start one, or use the one that INTERLOCK_TEST_POSTGRES_URL names; `settings` are PostgreSQL's own, as in `-c`."""
    theirs = os.environ.get("INTERLOCK_TEST_POSTGRES_URL")
    if theirs:
        url = make_url(theirs).set(drivername="postgresql+psycopg")
        return Server(_text(url), url.port or 5432)
    for _ in range(3):  # somebody may take the port between our looking and the server's binding it
        try:
            return _start_on(free_port(), dict(settings or {}))
        except PortTaken:
            continue
    raise PortTaken("three free ports were taken before PostgreSQL could bind them")


def _start_on(port: int, settings: Mapping[str, str]) -> Server:
    home = new_home()
    data = new_data_folder(home, in_memory={**FOR_TESTS, **settings}["fsync"] == "off")
    server = Server(
        f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres", port, data, home, None, settings
    )
    server.watch()
    try:
        server.programs = programs_for(home)
        _initialise(server.programs, home, data)
        server.launch()
    except BaseException:
        server.stop()
        raise
    return server


def _initialise(programs: Programs, home: Path, data: Path) -> None:
    command = [
        str(programs.folder / "initdb"),
        "-D",
        str(data),
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
        "--no-instructions",
    ]
    with (home / "log").open("ab") as log:
        if _start(programs, command, home, log).wait() != 0:
            raise RuntimeError(f"initdb failed:\n{(home / 'log').read_text(errors='replace')}")


def _start(programs: Programs, command: list[str], home: Path, log: Any) -> subprocess.Popen[bytes]:
    """A session of its own: Ctrl-C in the terminal is for the tests, which then stop the server in order."""
    identity: Any = programs.identity()
    return subprocess.Popen(
        command,
        cwd=home,
        env={"LC_ALL": "C", "PATH": os.defpath},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        **identity,
    )


def _ready(data: Path, pid: int) -> bool:
    """The server writes its own pid and, on the eighth line, that it is ready."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() == "ready"


def free_port() -> int:
    """A port that nobody has, and that nobody is given by chance while its server is away: below those that the system gives to whoever
    connects. A client that asks again and again at one of those may even meet itself there."""
    for _ in range(TRIES):
        port = random.SystemRandom().randrange(LOWEST_PORT, _lowest_given())
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise PortTaken(f"{TRIES} ports between {LOWEST_PORT} and {_lowest_given()} were taken")


def _lowest_given() -> int:
    """The lowest port that the system gives to a connection."""
    try:
        return max(LOWEST_PORT + 1000, int(GIVEN.read_text().split()[0]))
    except (OSError, ValueError):
        return 32_768


def _text(url: URL) -> str:
    return url.render_as_string(hide_password=False)
