"""The page on governing content, followed as a newcomer does: each line of its shell blocks is typed, and answers as the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.upped import ROOT, Up, up

pytestmark = pytest.mark.sqlite_only
PAGE = (ROOT / "docs" / "how-to" / "govern-content.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def typed(commands: str, folder: Path) -> str:
    """What the commands print, typed at a prompt in this folder."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    command = tools / "interlock"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m interlock "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
    environment |= {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["/bin/sh", "-e", "-c", commands],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def settled(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def test_the_page_can_be_followed_line_by_line(tmp_path: Path) -> None:
    blocks = BLOCK.findall(PAGE)
    by_commands = [block for block in blocks if "curl" not in block[0]]
    assert len(by_commands) >= 6
    for commands, answer in by_commands:
        printed = typed(commands, tmp_path)
        if answer:
            assert settled(printed) == settled(answer), commands
    (by_http,) = [commands for commands, _ in blocks if "curl" in commands]
    with up(tmp_path / "interlock-data") as running:
        answers = []
        for line in by_http.strip().splitlines():
            if "/approve" in line:
                wait_for(running, "fox", "VALIDATED")
            answers.append(json.loads(typed(line.replace("http://127.0.0.1:8700", running.url), tmp_path)))
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
