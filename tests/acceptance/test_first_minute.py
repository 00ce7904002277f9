"""The first minute: one command, few lines, and a board that says how to begin."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import httpx

from tests.acceptance.started import started


def test_up_prints_at_most_eight_lines_and_its_board_says_how_to_begin(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interlock", "up", "--data", str(tmp_path / "data"), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
    with started([*command, "--no-browser"], environment, says_all_at_once=True) as running:
        running.line("Ctrl-C")
        found = re.search(r"http://127\.0\.0\.1:\d+", "".join(running.printed))
        assert found is not None, running.printed
        page = httpx.get(found[0], headers={"Accept": "text/html"}, timeout=30)
        assert page.status_code == 200
        assert "Nothing has arrived yet" in page.text
        assert "/workflows/statements/uploads" in page.text
    assert len(running.printed) <= 8, running.printed
