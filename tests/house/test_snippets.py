"""Docs cannot drift: every Python snippet runs, says what the page says it says, and every command and path on a page exists.

A page's ```python blocks run in order, in one namespace and an empty folder, on SQLite or on what `<!-- runs on: … -->` names. A ```text
block after one is what it prints; with a database's name (```text sqlite) it holds there only. `<!-- not run: why -->` leaves one out.
In a ```console block, `$ interlock …` is run through the real command line, and what follows it is what it prints.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner

from interlock.cli.program import interlock

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
BLOCK = re.compile(
    r"^(?P<skip><!-- not run: [^\n]+ -->\n)?```(?P<language>\w*)(?P<note>[^\n]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
VARIES = (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( UTC|Z)?", r"\b[0-9a-f]{64}\b", r"\b[0-9a-f]{16}\b")


class Block(NamedTuple):
    language: str
    note: str
    body: str
    line: int
    skipped: bool


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            found["language"],
            found["note"].strip(),
            found["body"],
            text.count("\n", 0, found.start("body")) + 1,
            bool(found["skip"]),
        )
        for found in BLOCK.finditer(text)
    ]


def runs() -> Iterator[Any]:
    """Every page that has something to run, once for each database it names."""
    for page in PAGES:
        found = blocks(page)
        if any(block.language == "python" and not block.skipped for block in found):
            named = re.search(r"<!-- runs on: ([a-z, ]+) -->", page.read_text(encoding="utf-8"))
            for database in named[1].split(", ") if named else ["sqlite"]:
                yield pytest.param(page, database, id=f"{page.relative_to(ROOT)}-{database}")


def settled(text: str) -> str:
    """What differs from run to run made equal."""
    for pattern in VARIES:
        text = re.sub(pattern, "<varies>", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def expected(following: list[Block], database: str) -> str | None:
    """What the page says a block prints: the text blocks right after it."""
    for block in following:
        if block.language != "text":
            return None
        if block.note in ("", database):
            return block.body
    return None


def run(block: Block, page: Path, namespace: dict[str, Any]) -> str:
    """What the block prints; a fault points at the page's own line."""
    said = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.body, str(page), "exec", dont_inherit=True)
    with contextlib.redirect_stdout(said):
        exec(code, namespace)
    return said.getvalue()


def dialogue(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it is said to print."""
    for said in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        command, _, output = said.partition("\n")
        command = command.strip()
        if command.startswith("interlock "):
            yield command.removeprefix("interlock "), output


def answer_to(command: str) -> str:
    return CliRunner().invoke(interlock, shlex.split(command)).output


@pytest.mark.parametrize(("page", "database"), list(runs()))
def test_every_snippet_does_what_its_page_says(
    page: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as at a prompt
    url = (
        f"sqlite:///{tmp_path / 'page.sqlite'}"
        if database == "sqlite"
        else request.getfixturevalue("postgres_url")
    )
    monkeypatch.setenv("DATABASE_URL", url)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    found = blocks(page)
    try:
        for number, block in enumerate(found):
            if block.language == "python" and not block.skipped:
                said, wanted = run(block, page, namespace), expected(found[number + 1 :], database)
                if wanted is not None:
                    assert settled(said) == settled(wanted), f"{page.name}:{block.line}"
            for command, printed in dialogue(block) if block.language == "console" else ():
                assert settled(answer_to(command)) == settled(printed), f"{page.name}:{block.line} {command}"
    finally:
        for value in namespace.values():
            if type(value).__name__ == "App":
                value.close()


def test_make_up_runs_everything(root: Path) -> None:
    assert "@$(BIN)/interlock up" in (root / "Makefile").read_text(encoding="utf-8")


def test_the_example_in_the_readme_is_the_one_in_examples() -> None:
    kept = (ROOT / "examples" / "work_that_survives.py").read_text(encoding="utf-8")
    bare = "".join(line for line in kept.splitlines(keepends=True) if not line.startswith("# ruff:"))
    shown = next(block.body for block in blocks(ROOT / "README.md") if block.language == "python")
    assert shown.strip() == bare.strip()
    assert len(shown.strip().splitlines()) <= 35


PATHS = re.compile(r"`((?:tests|docs|src|examples|bench)/[\w./-]+)`")
LINKS = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_and_link_on_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    missing = [path for path in PATHS.findall(text) if not (ROOT / path).exists()]
    missing += [link for link in LINKS.findall(text) if not (page.parent / link).exists()]
    assert missing == []


def test_every_page_or_its_folder_is_listed_in_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    listed = {(index.parent / link).resolve() for link in LINKS.findall(index.read_text(encoding="utf-8"))}
    pages = {page for page in PAGES if page.is_relative_to(index.parent) and page != index}
    assert {str(page.relative_to(ROOT)) for page in pages - listed if page.parent not in listed} == set()


def spoken_commands() -> dict[tuple[str, ...], str]:
    """Every `interlock …` on a page, as the words before its arguments, with the page it stands on."""
    found = {}
    for page in PAGES:
        for said in re.findall(
            r"(?:^|`|\$ )interlock ((?:-\S+ \S+ )*[a-z][a-z -]*)",
            page.read_text(encoding="utf-8"),
            re.MULTILINE,
        ):
            words = tuple(
                word
                for word in re.sub(r"(?<!\S)-\S+ \S+ ", "", said).split()
                if re.fullmatch(r"[a-z-]+", word)
            )
            found[words] = page.name
    return found


def test_every_command_on_a_page_exists() -> None:
    unknown = []
    for words, page in spoken_commands().items():
        command: click.Command | None = interlock
        for word in words:
            if not isinstance(command, click.Group):
                break
            command = command.commands.get(word)
            if command is None:
                unknown.append(f"{page}: interlock {' '.join(words)}")
    assert unknown == []


def test_a_block_that_says_something_else_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n", encoding="utf-8")
    first, second = blocks(page)
    assert settled(run(first, page, {})) == "1"
    assert expected([second], "sqlite") == "2\n"


def test_the_flask_page_imports_what_it_uses_of_flask() -> None:
    pieces = [
        block.body for block in blocks(ROOT / "docs/how-to/django-and-flask.md") if "from flask" in block.body
    ]
    (tree,) = (ast.parse(piece) for piece in pieces)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "flask"]
    uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    known = {"Flask", "abort", "g", "jsonify", "request", "session"}
    assert {alias.name for node in imports for alias in node.names} == uses & known
