"""Whoever names a record writes into the terminals and logs of others: no name begins a line of its own there, or is obeyed."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Column, MetaData, Table, Text

from interlock import App, Axis, Machine, Workflow
from interlock.cli.processes.logs import LINES, Named
from interlock.cli.program import interlock

FORGED = "\x1b]0;title\x07\x1b[2J\r\n12:00:00 forged \x9b31m\u202e\u2028"
OBEYED = ("\x1b", "\x07", "\r", "\x9b", "\u202e", "\u2028")


def notes() -> Workflow:
    table = Table("notes", MetaData(), Column("id", Text, primary_key=True))
    machine = Machine("note", initial="new", moves={"new": ["read"]})
    return Workflow("notes", records=table, axes=[Axis("status", machine)])


workflows = [notes()]
pytestmark = pytest.mark.sqlite_only


@pytest.fixture
def url(tmp_path: Path) -> str:
    address = f"sqlite:///{tmp_path / 'notes.db'}"
    with closing(App(workflows, database=address)) as app:
        app.migrate()
        app.admit("notes", {"id": f"n{FORGED}"}, actor=f"eve{FORGED}", reason=f"so{FORGED}")
    return address


@pytest.fixture
def run(url: str) -> Callable[..., str]:
    def typed(*words: str) -> str:
        app = ("--app", f"{__name__}:workflows", "--database", url)
        return CliRunner().invoke(interlock, [*app, *words]).output

    return typed


@pytest.mark.parametrize(
    "words",
    [
        ("record", "list", "notes"),
        ("record", "show", "notes", f"n{FORGED}"),
        ("record", "why", "notes", f"n{FORGED}"),
        ("record", "show", "notes", f"m{FORGED}"),
        ("ledger", "tail"),
        ("ledger", "tail", "-o", "json"),
        ("ledger", "tail", "-o", "jsonl"),
    ],
    ids=lambda words: " ".join(words).partition("\x1b")[0],
)
def test_a_command_shows_a_name_as_text(run: Callable[..., str], words: tuple[str, ...]) -> None:
    shown = run(*words)
    assert "forged" in shown
    assert [sign for sign in OBEYED if sign in shown] == []
    assert [line for line in shown.splitlines() if line.startswith("12:00:00 forged")] == []


def test_json_still_says_exactly_what_it_is_called(run: Callable[..., str]) -> None:
    rows = json.loads(run("ledger", "tail", "-o", "json"))
    assert [(row["id"], row["actor"]) for row in rows] == [(f"n{FORGED}", f"eve{FORGED}")]


def test_a_line_of_a_log_is_one_line(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with closing(App(workflows, database=url)) as app, caplog.at_level(logging.INFO, "interlock.authority"):
        app.move("notes", f"n{FORGED}", actor=f"ann{FORGED}", status="read")
    (record,) = caplog.records
    line = Named(LINES, "%H:%M:%S").format(record)
    assert line.count("forged") == 2
    assert [sign for sign in (*OBEYED, "\n") if sign in line] == []
