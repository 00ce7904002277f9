"""The real program in a process of its own: installed, piped, interrupted, on both databases."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interlock import App
from tests.acceptance import shop

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from interlock.cli import main; main()"]


def started(*words: str, **options: Any) -> subprocess.Popen[str]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT, "text": True} | options
    return subprocess.Popen([*PROGRAM, *words], **options)


def finished(*words: str, **options: Any) -> tuple[int, str, str]:
    process = started(*words, **options)
    out, err = process.communicate()
    return process.returncode, out, err


@pytest.fixture
def shop_flags(database_url: str) -> tuple[str, ...]:
    return ("--app", "tests.acceptance.shop:workflows", "--database", database_url)


@pytest.fixture
def following(shop_flags: tuple[str, ...], database_url: str) -> Iterator[tuple[App, subprocess.Popen[str]]]:
    """A process that follows the ledger of an app."""
    app = shop.make_app(database_url)
    app.admit("statements", {"id": "U1", "file_hash": "1"}, actor="ann")
    process = started(*shop_flags, "ledger", "tail", "--follow", "-o", "jsonl")
    yield app, process
    process.kill()
    process.communicate()
    app.close()


def test_from_an_empty_database_to_a_move_and_its_proof(
    shop_flags: tuple[str, ...], database_url: str
) -> None:
    assert finished(*shop_flags, "record", "list", "statements")[0] == 1
    assert finished(*shop_flags, "db", "upgrade")[0] == 0
    app = App(shop.workflows, database=database_url)
    app.admit("statements", {"id": "U1", "file_hash": "1"})
    app.close()
    code, out, err = finished(
        *shop_flags,
        "record",
        "move",
        "statements",
        "U1",
        "status=parsing",
        "--reason",
        "by hand",
        "-o",
        "json",
    )
    assert (code, json.loads(out)["to"], err) == (0, "parsing", "")
    code, out, err = finished(
        *shop_flags, "record", "move", "statements", "U1", "status=normalized", "--reason", "no"
    )
    assert (code, out, err.splitlines()[0][:15]) == (5, "", "error[ILK-204]:")
    assert finished(*shop_flags, "check")[0] == 0


def test_following_shows_each_entry_when_it_comes_and_ends_quietly_on_ctrl_c(
    following: tuple[App, subprocess.Popen[str]],
) -> None:
    app, process = following
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["to"] == "queued_for_parse"
    app.move("statements", "U1", status="parsing", actor="ann", reason="seen at once")
    assert json.loads(process.stdout.readline())["reason"] == "seen at once"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err.strip()) == (130, "", "")


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = started("db", "sql", "--dialect", "postgresql", stdout=writing)
    os.close(writing)
    _, err = process.communicate()
    assert "Error" not in err
    assert "Traceback" not in err


def test_the_example_of_the_readme_is_an_app_that_commands_find(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'orders.sqlite'}"
    flags = ("--app", "examples.first_machine:app", "--database", url)
    assert finished(*flags, "db", "upgrade")[0] == 0
    code, out, _ = finished(*flags, "machine", "show", "-o", "json")
    assert (code, json.loads(out)[0]["kind"]) == (0, "orders")


def test_the_installed_program_and_the_module_say_the_same_version() -> None:
    module = subprocess.run(
        [sys.executable, "-m", "interlock", "--version"], capture_output=True, text=True, check=True
    ).stdout
    code, out, _ = finished("--version")
    assert (code, out) == (0, module)


def test_a_terminal_without_unicode_is_served_too() -> None:
    code, out, err = finished(
        "--app",
        "interlock.cli.sample:workflows",
        "--database",
        "sqlite://",
        "record",
        "why",
        "parcels",
        "P-1",
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (code, out, "Traceback" in err) == (1, "", False)


def test_shells_can_complete_the_commands() -> None:
    environment = {
        **os.environ,
        "_INTERLOCK_COMPLETE": "bash_complete",
        "COMP_WORDS": "interlock rec",
        "COMP_CWORD": "1",
    }
    assert "record" in finished(env=environment)[1]
