"""Names are words of the field: a function is a verb with an object, a value is a noun, and nobody has to translate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

NOT_AS_NAMES = {
    "careful",
    "foresight",
    "found",
    "front",
    "given",
    "lane",
    "letter",
    "listed",
    "outlook",
    "passage",
    "quick",
    "said",
    "saying",
    "shown",
    "speech",
    "spoken",
    "standing",
    "stranger",
    "strangers",
    "swift",
    "taken",
    "told",
    "trail",
    "way",
    "written",
}
MEANT = {
    "Found": "a public value that stages return; its meaning is documented",
    "ListedRecord": "a public value of lists",
    "Listed": "the schema of a listed record in the HTTP API",
    "StandingRules": "rules that hold for as long as a state lasts: a standing rule is a term of the field",
    "standing_rules": "rules that hold for as long as a state lasts: a standing rule is a term of the field",
}


def words(name: str) -> set[str]:
    return {part.lower() for part in re.split(r"_|(?<=[a-z])(?=[A-Z])", name)}


def names(path: Path) -> Iterator[str]:
    """The names of a module, its classes and its functions."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def engine(sources: list[Path]) -> list[Path]:
    """The engine's own files. Bundled workflows speak of letters and of what was found on a page in their domain's words."""
    return [path for path in sources if "workflows" not in path.parts]


def test_no_module_class_or_function_has_a_name_that_must_be_translated(
    sources: list[Path], root: Path
) -> None:
    assert [
        f"{path.relative_to(root)}: {name}"
        for path in engine(sources)
        for name in names(path)
        if words(name) & NOT_AS_NAMES and name not in MEANT
    ] == []


def test_what_is_meant_is_still_there(sources: list[Path]) -> None:
    assert set(MEANT) - {name for path in sources for name in names(path)} == set()
