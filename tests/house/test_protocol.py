"""Every rule of the protocol names the tests that keep it, and they exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PAGE = "docs/reference/protocol.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def rows(root: Path) -> list[str]:
    lines = (root / PAGE).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("| ") and not line.startswith("| rule |")]


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_names_a_test(root: Path) -> None:
    found = rows(root)
    assert len(found) >= 19
    assert [row for row in found if not NAMED.search(row)] == []


def test_every_test_that_is_named_exists(root: Path) -> None:
    named = {(file, name) for row in rows(root) for file, name in NAMED.findall(row)}
    known = {file: functions_of(root / file) for file in {file for file, _ in named}}
    assert sorted(f"{file}::{name}" for file, name in named if name not in known[file]) == []
