"""Stages, keys, proof and following, asked of a service as they are asked of its database; what only a database can do is said."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from interlock import App
from interlock.service.application import build
from tests.acceptance import shop
from tests.acceptance.conftest import Run, from_afar, parsed
from tests.acceptance.test_ledger_and_check import tamper
from tests.servers.postgres import free_port
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

ROOT = Path(__file__).parents[2]
SAME = [
    "stage list",
    "stage list -o json",
    "stage list -o csv",
    "key list -o json",
    "ledger verify -o json",
    "ledger verify statements",
    "ledger verify statements u1",
    "ledger verify statements nobody",
    "ledger verify nothing",
    "db check",
    "db check -o json",
    "machine graph statements",
    "machine graph domains",
    "machine graph domains --axis curation_status --format svg",
    "machine graph themes --axis status --counts --scope technical",
    "stage pause nothing.here --reason no",
    "stage pause statements",
    "stage pause statements.nothing --reason no",
    "stage pause statements.parse --scope north --reason no",
    "stage resume statements.parse --scope north",
    "stage resume statements.parse",
    "key revoke nobody",
    "key create admin --scope viewer",
    "record follow statements nobody",
    "record follow nothing u1",
    "record follow statements u1 -o json",
    "record follow statements u1 --until error -o jsonl",
    "record follow statements u1 --until error",
]
ONLY_HERE = [
    "ledger archive --before 2026-01 --to x",
    "ledger seal --key seal-key.pem",
    "db upgrade",
    "db sql",
    "db roles",
    "coordinator",
    "runner",
    "serve",
    "up",
    "machine diff",
]


@pytest.fixture
def full(app: App) -> App:
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(3)])
    app.move("statements", "u1", actor="ann", status="error", facts={"error_code": "BROKEN"})
    make_key(app, "admin")
    return app


def settled(text: str) -> str:
    """The key that asks from afar is noted as used meanwhile."""
    return re.sub(r'"last_used_at": "[^"]+"', '"last_used_at": null', text)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("line", SAME)
def test_a_command_says_the_same_from_afar(line: str, remote: Run, shop_run: Run) -> None:
    there = remote(*line.split())
    here = shop_run(*line.split())
    assert (there.exit_code, settled(there.stdout)) == (here.exit_code, settled(here.stdout)), there.stderr
    assert re.findall(r"error\[ILK-\d{3}\]", there.stderr) == re.findall(r"error\[ILK-\d{3}\]", here.stderr)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("line", ONLY_HERE)
def test_what_only_a_database_can_do_is_said_and_not_done(line: str, run: Run) -> None:
    """Nobody answers at that address: whatever asked it would say so, and whatever passed it by would want an app."""
    refused = run("--url", "http://127.0.0.1:9", *line.split())
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("error[ILK-102]: ")
    assert "the database itself" in refused.stderr


@pytest.mark.sqlite_only
def test_a_service_in_the_environment_is_not_passed_by_either(
    shop_run: Run, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_URL", "http://127.0.0.1:9")
    refused = shop_run("ledger", "archive", "--before", "2026-01", "--to", "x")
    assert (refused.exit_code, "INTERLOCK_URL" in refused.stderr) == (2, True)
    assert shop_run("machine", "lint").exit_code in (0, 7), "what is declared can be looked at all the same"
    assert shop_run("metrics", "rules").exit_code == 0
    assert shop_run("doctor").exit_code in (0, 7)


def test_a_stage_is_paused_and_resumed_there(remote: Run, full: App) -> None:
    paused = parsed(
        remote("stage", "pause", "statements.parse", "--reason", "a new layout", "--for", "1h", "-o", "json")
    )
    (held,) = full.paused()
    assert (held.kind, held.stage, held.reason, held.actor) == ("statements", "parse", "a new layout", "ann")
    assert paused["until"] is not None
    (row,) = [one for one in parsed(remote("stage", "list", "-o", "json")) if one["paused"]]
    assert (row["stage"], row["reason"], row["actor"], row["until"]) == (
        "statements.parse",
        "a new layout",
        "ann",
        paused["until"],
    )
    assert remote("stage", "resume", "statements.parse").stdout == "statements.parse is dispatched again\n"
    assert full.paused() == []


def test_a_key_is_made_and_revoked_there(remote: Run, full: App, run: Run) -> None:
    made = remote("key", "create", "night/ly", "--scope", "viewer", "--expires", "90d")
    assert re.fullmatch(r"ilk_[\w-]{43}\n", made.stdout), made.stderr
    listed = {one["name"]: one for one in parsed(remote("key", "list", "-o", "json"))}
    assert (listed["night/ly"]["scope"], listed["night/ly"]["created_by"], listed["night/ly"]["state"]) == (
        "viewer",
        "ann",
        "valid",
    )
    assert remote("key", "revoke", "night/ly").stdout == "revoked: night/ly\n"
    assert remote("key", "create", "other", "--scope", "viewer", "--expires", "soon").exit_code == 2


@pytest.mark.sqlite_only
def test_a_viewer_may_look_at_stages_and_at_nothing_more(full: App, run: Run) -> None:
    with from_afar(run, full, "viewer", "vera") as asked:
        assert asked("stage", "list").exit_code == 0
        for line in (
            "stage pause statements.parse --reason no",
            "stage resume statements.parse",
            "key list",
            "ledger verify",
        ):
            refused = asked(*line.split())
            assert (refused.exit_code, "ILK-403" in refused.stderr) == (4, True)


@pytest.mark.sqlite_only
def test_a_service_whose_schema_is_another_says_so(run: Run, sqlite_url: str) -> None:
    app = App(shop.workflows, database=sqlite_url)
    with served(build(app, limits=WIDE)) as address:
        told = run("--url", address, "db", "check", "-o", "json")
    assert (told.exit_code, [one["what"] for one in parsed(told)]) == (7, ["schema"])
    app.close()


def test_a_changed_entry_is_located_there(full: App, remote: Run) -> None:
    assert remote("ledger", "verify").exit_code == 0
    tamper(
        full,
        "interlock_ledger",
        "UPDATE interlock_ledger SET actor = 'eve' WHERE record_id = 'u1' AND version = 1",
    )
    for words in ((), ("statements",), ("statements", "u1")):
        told = remote("ledger", "verify", *words, "-o", "json")
        assert told.exit_code == 7
        assert [(one["invariant"], one["id"], one["version"]) for one in parsed(told)["findings"]] == [
            ("I9", "u1", 1)
        ]
    assert remote("ledger", "verify", "statements", "u2").exit_code == 0


def test_a_record_is_followed_there_as_it_moves_until_it_is_where_it_was_waited_for(full: App) -> None:
    key = make_key(full, "viewer", "vera")
    with served(build(full, limits=WIDE)) as address, following(address, key, "u2", "parsed") as process:
        assert read(process)["to"] == "queued_for_parse"
        full.move("statements", "u0", actor="ann", status="parsing")
        full.move("statements", "u2", actor="ann", status="parsing", reason="seen at once")
        assert read(process)["reason"] == "seen at once"
        full.move("statements", "u2", actor="ann", status="parsed", facts={"observations_count": 1})
        assert read(process)["to"] == "parsed"
        rest, err = process.communicate(timeout=30)
    assert (process.returncode, rest, err) == (0, "", "")


@pytest.mark.sqlite_only
def test_who_follows_misses_nothing_while_the_service_restarts(full: App) -> None:
    key = make_key(full, "viewer", "vera")
    port = free_port()
    with ExitStack() as opened:
        with served(build(full, limits=WIDE), port=port) as address:
            process = opened.enter_context(following(address, key, "u2", "parsed"))
            assert read(process)["to"] == "queued_for_parse"
        full.move("statements", "u2", actor="ann", status="parsing", reason="nobody was there to tell")
        opened.enter_context(served(build(full, limits=WIDE), port=port))
        assert read(process)["reason"] == "nobody was there to tell"
        full.move("statements", "u2", actor="ann", status="parsed", facts={"observations_count": 1})
        assert read(process)["to"] == "parsed"
        assert process.wait(30) == 0


@contextmanager
def following(address: str, key: str, id: str, until: str) -> Iterator[subprocess.Popen[str]]:
    command = [
        sys.executable,
        "-m",
        "interlock",
        "--url",
        address,
        "record",
        "follow",
        "statements",
        id,
        "--until",
        until,
        "-o",
        "jsonl",
    ]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "INTERLOCK_KEY": key},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    found: dict[str, Any] = json.loads(line)
    return found
