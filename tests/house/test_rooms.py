"""The rooms of the house stay small, finished, and named for one ability; time comes from one clock."""

from __future__ import annotations

import ast
import re
from pathlib import Path

LONGEST = 680
"""Lines. A file holds one idea; this is where it certainly holds two."""
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
UNFINISHED = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|raise NotImplementedErro[r])\b")
CLOCK_CALLS = {
    ("time", "time"),
    ("time", "sleep"),
    ("time", "monotonic"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
}


def calls(path: Path) -> set[tuple[str, str]]:
    """Every `owner.name(…)` in a file; `datetime.datetime.now()` counts as `datetime.now`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            found.add(
                (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", ""), node.func.attr)
            )
    return found


def imported_names(path: Path, module: str) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == module]
    return {alias.name for node in froms for alias in node.names}


def test_no_source_file_is_long(sources: list[Path], root: Path) -> None:
    sizes = {
        str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines()) for path in sources
    }
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}


def test_every_source_file_says_what_it_is_for(sources: list[Path]) -> None:
    assert [
        path.name for path in sources if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ] == []


def test_no_module_has_a_name_that_says_nothing(files: list[Path], root: Path) -> None:
    names = {part for path in files for part in (*path.relative_to(root).parent.parts, path.stem)}
    assert names & NAMES_THAT_SAY_NOTHING == set()


def test_nothing_in_the_source_is_left_for_later(sources: list[Path]) -> None:
    assert [path.name for path in sources if UNFINISHED.search(path.read_text(encoding="utf-8"))] == []


def test_only_the_clock_asks_the_time(sources: list[Path]) -> None:
    others = [path for path in sources if path.name != "clock.py"]
    assert {
        path.name: sorted(calls(path) & CLOCK_CALLS) for path in others if calls(path) & CLOCK_CALLS
    } == {}
    assert [
        path.name for path in others if imported_names(path, "time") & {"time", "sleep", "monotonic"}
    ] == []


def test_tests_wait_on_signals_and_never_sleep(files: list[Path], root: Path) -> None:
    tests = [path for path in files if path.suffix == ".py" and path.is_relative_to(root / "tests")]
    assert [
        path.name
        for path in tests
        if ("time", "sleep") in calls(path) or "sleep" in imported_names(path, "time")
    ] == []
