"""`interlock key` and `interlock serve`, as people type them."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
import threading
from typing import Any

import httpx
import pytest

from interlock import App
from interlock.cli.processes.up import work
from tests.acceptance.conftest import Run, parsed
from tests.acceptance.started import started


def test_a_key_is_made_listed_and_revoked(shop_run: Run) -> None:
    made = shop_run("key", "create", "nightly", "--scope", "operator", "--expires", "90d")
    assert re.fullmatch(r"ilk_[\w-]{43}\n", made.stdout)
    (listed,) = parsed(shop_run("key", "list", "-o", "json"))
    assert (listed["name"], listed["scope"], listed["state"]) == ("nightly", "operator", "valid")
    assert made.stdout.strip() not in json.dumps(listed)
    assert shop_run("key", "revoke", "nightly").stdout == "revoked: nightly\n"
    assert parsed(shop_run("key", "list", "-o", "json"))[0]["state"] == "revoked"
    assert shop_run("key", "revoke", "nobody").exit_code == 3
    assert shop_run("key", "create", "nightly", "--scope", "viewer").exit_code == 2
    assert shop_run("key", "create", "other", "--scope", "viewer", "--expires", "soon").exit_code == 2
    assert shop_run("key", "create", "other", "--scope", "king").exit_code == 2


@pytest.mark.sqlite_only
def test_a_public_address_without_a_key_is_refused(app: App, shop_run: Run) -> None:
    refused = shop_run("serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.exit_code == 2
    assert "without any key" in refused.stderr
    assert "interlock key create" in refused.stderr
    shop_run("key", "create", "old", "--scope", "admin")
    shop_run("key", "revoke", "old")
    assert shop_run("serve", "--host", "0.0.0.0", "--port", "0").exit_code == 2


@pytest.mark.sqlite_only
def test_a_database_that_is_not_ready_is_not_served(run: Run, sqlite_url: str) -> None:
    refused = run(
        "--app", "tests.acceptance.shop:workflows", "--database", sqlite_url, "serve", "--port", "0"
    )
    assert (refused.exit_code, "ILK-304" in refused.stderr) == (1, True)


@pytest.mark.sqlite_only
def test_it_serves_until_it_is_told_to_end(app: App, sqlite_url: str) -> None:
    app.admit("statements", {"id": "u1"})
    command = [
        sys.executable,
        "-m",
        "interlock",
        "--app",
        "tests.acceptance.shop:workflows",
        "--database",
        sqlite_url,
        "serve",
        "--port",
        "0",
    ]
    with started(command, {**os.environ, "NO_COLOR": "1"}) as running:
        address = running.line(r"http://127\.0\.0\.1:\d+")[0]
        assert httpx.get(f"{address}/health", timeout=30).json()["status"] == "ok"
        answer = httpx.get(f"{address}/api/v1/statements/records", timeout=30)
        assert [record["id"] for record in answer.json()["records"]] == ["u1"]
        assert "server" not in answer.headers


def test_ctrl_c_while_up_begins_ends_its_work_too() -> None:
    """The thread of the work is not a daemon: one that nobody stops would keep the process for ever."""

    class Working:
        def __init__(self) -> None:
            self.stopped = threading.Event()
            self.stop = self.stopped.set

        def run(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            assert self.stopped.wait(30)

    class Answering:
        should_exit = False

        def run(self, sockets: list[Any]) -> None:
            """Nobody asks it anything."""

    working: Any = Working()
    with socket.socket() as listening:
        work(working, Answering(), listening)
    assert working.stopped.is_set()
