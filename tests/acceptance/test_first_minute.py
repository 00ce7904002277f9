"""The first minute: one command, few lines, and a board that says how to begin."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]


def test_up_prints_at_most_eight_lines_and_its_board_says_how_to_begin(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interlock", "up", "--data", str(tmp_path / "data"), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
    with subprocess.Popen(
        [*command, "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        try:
            while not lines or "Ctrl-C" not in lines[-1]:
                lines.append(process.stdout.readline())
                assert lines[-1], "".join(lines)
            found = re.search(r"http://127\.0\.0\.1:\d+", "".join(lines))
            assert found is not None, lines
            page = httpx.get(found[0], headers={"Accept": "text/html"}, timeout=30)
            assert page.status_code == 200
            assert "Nothing has arrived yet" in page.text
            assert "/workflows/statements/uploads" in page.text
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
    assert len([*lines, *rest.splitlines()]) <= 8, [*lines, rest]
