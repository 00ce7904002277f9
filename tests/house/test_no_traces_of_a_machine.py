"""What is tracked would be the same had it been written on any other machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

# Each pattern has a class in brackets, so that this file does not match itself.
TRACES = {
    "a folder of one machine": r"(?<![\w.<>*-])/(?:wor[k]|roo[t]|hom[e]/\w+|User[s]/\w+)(?:/|\b(?![-\w]))",
    "a session's scratch folder": r"/tmp/(?:bash_job[s]|prob[e])",
    "a package registry": r"(?i)files\.pythonhoste[d]\.org|pypi\.or[g]/simple|\w+\.jfro[g]\.io",
    "a setting of pip": r"--(?:extra-)?index-ur[l]|--find-link[s]|--trusted-hos[t]",
    "a package by address": r"(?m)^\S+ @ (?:file|https?):/[/]",
    "the number of an issue": r"(?i)\bissue[s]? (?:no\. ?|#)?\d",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KE[Y]",
}


@pytest.mark.parametrize("trace", TRACES)
def test_no_file_names(trace: str, files: list[Path], root: Path) -> None:
    found = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [
            f"{path.relative_to(root)}: {match.group()!r}" for match in re.finditer(TRACES[trace], text)
        ]
    assert found == []


@pytest.mark.parametrize(
    ("trace", "example"),
    [
        ("a folder of one machine", "see /wor" + "k/main/x"),
        ("a folder of one machine", "'/roo" + "t/.cache'"),
        ("a folder of one machine", "file:///hom" + "e/ann/src"),
        ("a setting of pip", "--index-ur" + "l https://example.test"),
        ("a package by address", "interlock @ file:/" + "/somewhere"),
        ("the number of an issue", "as issue" + "s 4 and 6 ask"),
    ],
)
def test_the_patterns_see(trace: str, example: str) -> None:
    assert re.search(TRACES[trace], example)


@pytest.mark.parametrize(
    "innocent",
    ["framework/main", "src/work/x", "/api/v1/home", "a/workflow", "/workflows/x", "GET /workrows"],
)
def test_the_patterns_let_pass(innocent: str) -> None:
    assert not any(re.search(pattern, innocent) for pattern in TRACES.values())


def test_constraints_are_exact_pins_and_nothing_else(root: Path) -> None:
    lines = (root / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.+]*", pin)] == []
    assert pins == sorted(pins)
