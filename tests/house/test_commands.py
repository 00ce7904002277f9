"""One word per command, each with one sentence; `make` alone lists them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

COMMANDS = ["up", "test", "check", "bench", "soak", "docs"]


@pytest.mark.skipif(shutil.which("make") is None, reason="installed without make")
def test_make_alone_lists_the_commands(root: Path) -> None:
    listed = subprocess.run(["make", "--no-print-directory"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    described = {line.split()[1]: line.split(maxsplit=2)[2] for line in listed}
    assert [name for name in described if name in COMMANDS] == COMMANDS
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in described.values())


def test_the_pipeline_runs_what_people_run(root: Path) -> None:
    script = root / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().rstrip().endswith("make test")
