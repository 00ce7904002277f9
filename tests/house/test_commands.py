"""One word per command, each with one sentence; `make` alone lists them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from interlock.cli.program import interlock

COMMANDS = ["up", "test", "check", "bench", "soak", "docs"]


@pytest.mark.skipif(shutil.which("make") is None, reason="installed without make")
def test_make_alone_lists_the_commands(root: Path) -> None:
    listed = subprocess.run(
        ["make", "--no-print-directory"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    described = {line.split()[1]: line.split(maxsplit=2)[2] for line in listed}
    assert [name for name in described if name in COMMANDS] == COMMANDS
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in described.values())


def test_the_pipeline_runs_what_people_run(root: Path) -> None:
    script = root / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().rstrip().endswith("make test")


def test_make_runs_commands_that_exist(root: Path) -> None:
    recipes = (root / "Makefile").read_text()
    assert "$(BIN)/interlock up" in recipes
    assert "$(BIN)/python -m docs.generate" in recipes
    assert "tour" in interlock.commands


def test_every_command_that_a_page_or_a_hint_names_exists(files: list[Path], root: Path) -> None:
    """`interlock record why KIND ID` in a text is a promise."""
    told = [
        path
        for path in files
        if path.suffix == ".md" or (path.suffix == ".py" and path.is_relative_to(root / "src"))
    ]
    unknown = []
    for path in told:
        named = re.findall(r"`interlock ((?:[a-z-]+ ?)+)", path.read_text(encoding="utf-8"))
        unknown += [
            f"{path.relative_to(root)}: interlock {words}" for words in named if not exists(words.split())
        ]
    assert unknown == []


def exists(words: list[str]) -> bool:
    command: click.Command = interlock
    for word in words:
        if not isinstance(command, click.Group):
            return True  # what follows is an argument
        if word.startswith("--"):
            return any(word in one.opts for one in command.get_params(click.Context(command)))
        if word not in command.commands:
            return False
        command = command.commands[word]
    return True
