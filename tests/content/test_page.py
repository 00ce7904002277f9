"""The page on governing content, followed as a newcomer does: each line of its shell blocks is typed, and answers as the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interlock.cli.program import interlock
from interlock.store.engines import sqlite_driver
from tests.acceptance.upped import ROOT, Up, up

pytestmark = pytest.mark.sqlite_only
PAGE = (ROOT / "docs" / "how-to" / "govern-content.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def typed(commands: str) -> str:
    """What the commands print, typed at a prompt in this folder. The program is called within this process, which is much faster."""
    printed, others = [], []
    for line in [*commands.splitlines(), ""]:
        if line.startswith(("interlock ", "sqlite3 ")) or not line:
            subprocess.run(["/bin/sh", "-e", "-c", "\n".join(others)], check=True)
            others.clear()
        if line.startswith("sqlite3 "):
            printed.append(ask_sqlite(*shlex.split(line.partition(" || ")[0])[1:]))
        elif line.startswith("interlock "):
            done = CliRunner().invoke(interlock, shlex.split(line)[1:])
            assert done.exit_code == 0, f"{line}\n{done.output}"
            printed.append(done.stdout)
        else:
            others.append(line)
    return "".join(printed)


def ask_sqlite(file: str, sql: str) -> str:
    """What SQLite's own shell prints, for machines that have none; of a refusal, what the page has it print."""
    with closing(sqlite_driver()[0].connect(file)) as connection:
        try:
            rows = connection.execute(sql).fetchall()
        except sqlite_driver()[0].IntegrityError:
            return "refused\n"
    return "".join("|".join(map(str, row)) + "\n" for row in rows)


def asked(line: str, running: Up) -> Any:
    """What a line with curl answers, as JSON; the service of the test has another port than the page says."""
    words = iter(shlex.split(line)[1:])
    method, body, url = "", None, ""
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-d":
            body = next(words)
        elif word == "-H":
            assert next(words) == "Content-Type: application/json"
        elif word != "-s":
            url = word.removeprefix("http://127.0.0.1:8700")
    headers = {} if body is None else {"Content-Type": "application/json"}
    default = "GET" if body is None else "POST"
    return running.client.request(method or default, url, content=body, headers=headers).json()


def settled(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def test_the_page_can_be_followed_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("INTERLOCK_")]:
        monkeypatch.delenv(name)
    blocks = BLOCK.findall(PAGE)
    by_commands = [block for block in blocks if "curl" not in block[0]]
    assert len(by_commands) >= 6
    for commands, answer in by_commands:
        printed = typed(commands)
        if answer:
            assert settled(printed) == settled(answer), commands
    (by_http,) = [commands for commands, _ in blocks if "curl" in commands]
    with up(tmp_path / "interlock-data") as running:
        answers = []
        for line in by_http.strip().splitlines():
            if "/approve" in line:
                wait_for(running, "fox", "VALIDATED")
            answers.append(asked(line, running))
    assert_answers(answers)


def wait_for(running: Up, item_id: str, state: str) -> None:
    """Wait until the ledger says that the item has entered the state."""
    with running.client.stream("GET", "/api/v1/live", params={"kind": "content", "after": "0.0"}) as stream:
        for line in stream.iter_lines():
            entry = json.loads(line[6:]) if line.startswith("data: {") else {}
            if (entry.get("id"), entry.get("new_status")) == (item_id, state):
                return


def assert_answers(answers: list[Any]) -> None:
    """What the last paragraph of the section says of each line."""
    made, promoted, validating, item, approval, replacement, change = answers
    assert (made["outcome"], promoted["to_state"], validating["item_id"]) == ("admitted", "CANDIDATE", "fox")
    assert item["state"] in ("CANDIDATE", "VALIDATED")
    assert (approval["status"], approval["facts"]["rule_code"]) == (409, "OWN_WORK")
    assert replacement == {"item_id": "dog", "active_replacement": "dog2"}
    assert change["code"] == "ILK-210"
