"""The PostgreSQL that tests run on: it starts, comes back after a crash with what was committed, and never outlives its parent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.servers import watchdog
from tests.servers.postgres import Server, start_postgres

pytestmark = pytest.mark.skipif(
    "INTERLOCK_TEST_POSTGRES_URL" in os.environ, reason="the server is somebody's: it is not ours to kill"
)

ROOT = Path(__file__).parents[2]
PARENT = """
from tests.servers.postgres import start_postgres
server = start_postgres()
print(server.home, server.data, flush=True)
input()
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = start_postgres({"work_mem": "5MB"})
    yield server
    server.stop()


def ask(url: str, question: str) -> object:
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        cursor = connection.execute(question)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def test_it_answers_and_has_the_settings_it_was_given(server: Server) -> None:
    assert ask(server.url, "SELECT 1") == 1
    assert ask(server.url, "SHOW work_mem") == "5MB"
    assert ask(server.url, "SHOW server_encoding") == "UTF8"


def test_it_does_not_run_as_root(server: Server) -> None:
    assert server.data is not None
    running = watchdog.postmaster(server.data)
    assert running is not None
    assert running.uids().effective != 0


def test_what_was_committed_survives_a_restart_and_a_kill(server: Server) -> None:
    url = server.create_database("survivor")
    ask(url, "CREATE TABLE kept AS SELECT 7 AS number")
    server.restart()
    assert ask(url, "SELECT number FROM kept") == 7
    server.kill()
    with pytest.raises(psycopg.OperationalError):
        ask(url, "SELECT 1")
    server.restart()
    assert ask(url, "SELECT number FROM kept") == 7


def test_a_database_is_dropped_under_whoever_is_still_connected(server: Server) -> None:
    url = server.create_database("short_lived").replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        connection.execute("SELECT 1")
        server.drop_database("short_lived")
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_the_programs_for_measuring_came_with_it(server: Server) -> None:
    for name in ("psql", "pgbench"):
        program = server.program(name)
        assert program
        assert subprocess.run([program, "--version"], capture_output=True, check=True).stdout


def test_stopping_leaves_nothing_behind_even_after_a_kill() -> None:
    server = start_postgres()
    assert server.home
    assert server.data
    server.kill()
    server.stop()
    server.stop()
    assert not server.home.exists()
    assert not server.data.exists()


def test_what_is_durable_is_on_a_disk() -> None:
    server = start_postgres({"fsync": "on"})
    assert server.home
    assert server.data
    assert server.data.is_relative_to(server.home)
    server.stop()


@pytest.mark.parametrize("death", ["killed", "exits"])
def test_it_dies_with_its_parent(death: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    home, data = map(Path, parent.stdout.readline().split())
    running = watchdog.postmaster(data)
    assert running is not None
    guards = [
        child for child in psutil.Process(parent.pid).children() if watchdog.__file__ in child.cmdline()
    ]
    if death == "killed":
        parent.kill()
    parent.communicate()
    assert watchdog.ended([running, *guards], within=30)
    assert not home.exists()
    assert not data.exists()
