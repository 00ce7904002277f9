"""The pytest plugin: a fixture that makes sandboxes, and closes them."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

USED = """
from tests.kinds import uploads

made = []

def test_it_runs_stages(sandbox):
    box = sandbox(uploads())
    box.admit("statements", {"id": "one"})
    box.drain()
    assert box.get("statements", "one")["status"] == "normalized"
    made.append(box)

def test_it_is_closed_afterwards():
    assert made[0].database.closed
"""


def test_the_fixture_makes_sandboxes_and_closes_them(tmp_path: Path) -> None:
    (tmp_path / "test_used.py").write_text(USED)
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_plugin_is_declared_so_that_pytest_finds_it_by_itself() -> None:
    declared = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"][
        "pytest11"
    ]
    assert declared == {"interlock": "interlock.testing.plugin"}
