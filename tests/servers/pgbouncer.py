"""pgbouncer in transaction mode before a test's PostgreSQL; run as a program it installs Debian's package where that can be had."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from tests.servers.binaries import Programs, new_folder, run_by
from tests.servers.postgres import PortTaken, Server, _text, free_port

MISSING = (
    "pgbouncer is not installed, so nothing was run through it; on Debian and Ubuntu: apt-get install pgbouncer, "
    "which `make test` does by itself for root"
)
PREPARES = (1, 21)
"""From this version on pgbouncer can carry prepared statements from one server process to another."""


def program() -> str | None:
    return shutil.which(
        "pgbouncer",
        path=os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin")),
    )


def version() -> tuple[int, ...]:
    said = subprocess.run([str(program()), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"PgBouncer (\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


@dataclass
class Bouncer:
    """A running pgbouncer; `server` is the PostgreSQL behind it."""

    server: Server
    port: int
    home: Path
    _process: subprocess.Popen[bytes]

    def url(self, direct: str) -> str:
        """The same database, through the pooler."""
        return _text(make_url(direct).set(port=self.port))

    def log(self) -> str:
        return (self.home / "log").read_text(errors="replace")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
        atexit.unregister(self.stop)


def start_pgbouncer(server: Server, users: Mapping[str, str] | None = None, **settings: Any) -> Bouncer:
    """In transaction mode, with few server connections, so that clients really take turns on them."""
    for _ in range(3):  # somebody may take the port between our looking and the pooler's binding it
        try:
            return _start_on(free_port(), server, users, settings)
        except PortTaken:
            continue
    raise PortTaken("three free ports were taken before pgbouncer could bind them")


def _start_on(
    port: int, server: Server, users: Mapping[str, str] | None, settings: Mapping[str, Any]
) -> Bouncer:
    home = new_folder(tempfile.gettempdir(), "/tmp", "/var/tmp")
    address = make_url(server.url)
    chosen = {
        "listen_addr": "127.0.0.1",
        "listen_port": port,
        "unix_socket_dir": "",
        "auth_type": "trust",
        "auth_file": home / "users",
        "pool_mode": "transaction",
        "default_pool_size": 4,
        "max_client_conn": 500,
        "server_idle_timeout": 5,
        **settings,
    }
    secrets = {str(address.username): str(address.password or ""), **(users or {})}
    (home / "users").write_text("".join(f'"{user}" "{secret}"\n' for user, secret in secrets.items()))
    (home / "ini").write_text(
        f"[databases]\n* = host={address.host} port={server.port}\n[pgbouncer]\n"
        + "".join(f"{name} = {value}\n" for name, value in chosen.items())
    )
    for name in ("users", "ini"):
        (home / name).chmod(0o644)  # whatever the umask is: another user reads them
    identity: Any = Programs(home, run_by()).identity()  # it refuses root, as PostgreSQL does
    with (home / "log").open("ab") as log:
        command = [*_until_we_die(), str(program()), str(home / "ini")]
        process = subprocess.Popen(
            command, cwd=home, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **identity
        )
    bouncer = Bouncer(server, port, home, process)
    atexit.register(bouncer.stop)
    while not _listens(bouncer):
        try:
            process.wait(0.01)
        except subprocess.TimeoutExpired:
            continue
        log = bouncer.log()
        bouncer.stop()
        kind = PortTaken if "already in use" in log else RuntimeError
        raise kind(f"pgbouncer did not start:\n{log}")
    return bouncer


def _listens(bouncer: Bouncer) -> bool:
    """It says so itself: who answers at its port may be somebody else."""
    return f"listening on 127.0.0.1:{bouncer.port}" in bouncer.log() and _answers(bouncer.port)


def _until_we_die() -> list[str]:
    """Also when we are killed, which no handler of ours survives, the pooler shall go."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL"] if setpriv else []


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def install() -> str:
    """What came of trying to have it."""
    if program():
        return ""
    apt = shutil.which("apt-get")
    if os.geteuid() == 0 and apt:
        wanted = [apt, "install", "-qq", "-y", "--no-install-recommends", "pgbouncer"]
        if not _quietly(wanted) and _quietly([apt, "update", "-qq"]):
            _quietly(wanted)
    return "pgbouncer: installed for the tests" if program() else f"WARNING: {MISSING}"


def _quietly(command: list[str]) -> bool:
    nobody_is_asked = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return (
        subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=False, env=nobody_is_asked
        ).returncode
        == 0
    )


if __name__ == "__main__":
    if said := install():
        sys.stderr.write(f"{said}\n")
