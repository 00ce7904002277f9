"""What differs between databases is behind the contract: nothing outside their two folders asks which database it works on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

DATABASES = ("sqlite", "postgresql")
FOLDERS = tuple(f"interlock/store/{name}/" for name in DATABASES)
CHOOSES = "interlock/store/engines.py"
COLUMN_TYPE = "interlock/workflow/columns/instant.py"
"""A column type is handed SQLAlchemy's dialect to look at: that is SQLAlchemy's own seam."""


def questions(source: str) -> Iterator[str]:
    """Every place in the source that asks which database it is, or knows one of them by its own folder or SQLAlchemy's."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and any(is_name(part) for part in (node.left, *node.comparators)):
            yield f"line {node.lineno}: compares with the name of a database"
        elif (isinstance(node, ast.Dict) and any(key is not None and is_name(key) for key in node.keys)) or (
            isinstance(node, ast.Subscript) and is_dialect_name(node.slice)
        ):
            yield f"line {node.lineno}: looks something up by the name of a database"
        elif (
            isinstance(node, ast.Attribute)
            and node.attr.startswith("is_")
            and node.attr.removeprefix("is_") in DATABASES
        ):
            yield f"line {node.lineno}: asks {node.attr}"
        elif isinstance(node, ast.arg) and node.arg in DATABASES:
            yield f"line {node.lineno}: takes a flag {node.arg}"
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("startswith", "endswith")
            and any(is_name(part) for part in node.args)
        ):
            yield f"line {node.lineno}: compares with the name of a database"
        elif isinstance(node, ast.MatchValue) and is_name(node.value):
            yield f"line {node.lineno}: matches the name of a database"
        elif isinstance(node, ast.ImportFrom | ast.Import):
            yield from (
                f"line {node.lineno}: imports {name}"
                for name in imported(node)
                if {*name.split(".")} & {*DATABASES}
            )


def is_name(node: ast.expr) -> bool:
    """The literal name of a database, or a collection with one in it."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(is_name, node.elts))
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.partition("+")[0].partition(":")[0] in DATABASES
    )


def is_dialect_name(node: ast.expr) -> bool:
    """`….dialect.name`"""
    if not isinstance(node, ast.Attribute) or node.attr != "name":
        return False
    return getattr(node.value, "attr", getattr(node.value, "id", "")) == "dialect"


def imported(node: ast.ImportFrom | ast.Import) -> list[str]:
    start = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
    return [f"{start}{alias.name}" for alias in node.names]


def test_nothing_outside_the_two_folders_asks_which_database_it_is(sources: list[Path], root: Path) -> None:
    asking = {}
    for path in sources:
        name = path.relative_to(root / "src").as_posix()
        if not name.startswith(FOLDERS) and name not in (CHOOSES, COLUMN_TYPE):
            asking[name] = list(questions(path.read_text(encoding="utf-8")))
    assert {name: found for name, found in asking.items() if found} == {}


def test_the_column_type_asks_nothing_but_the_dialect_it_is_handed(root: Path) -> None:
    found = list(questions((root / "src" / COLUMN_TYPE).read_text(encoding="utf-8")))
    assert all(one.endswith("compares with the name of a database") for one in found)


@pytest.mark.parametrize(
    "source",
    [
        "if database.is_sqlite: pass",
        'x = 1 if tx.dialect.name == "sqlite" else 2',
        'WORDS = {"sqlite": "IS", "postgresql": "="}',
        "BATCH[tx.dialect.name]",
        "def among(column, *, sqlite): pass",
        "from sqlalchemy.dialects import postgresql",
        "import sqlalchemy.dialects.sqlite",
        "from .postgresql.roles import Roles",
        'if name in ("postgresql", "mysql"): pass',
        'url.startswith("sqlite:")',
        'match name:\n    case "sqlite": pass',
    ],
)
def test_a_question_is_noticed_however_it_is_asked(source: str) -> None:
    assert list(questions(source)) != []


@pytest.mark.parametrize(
    "source",
    [
        "sql_of(tx.dialect).history.stream(tx, sql, {})",
        'App([], database="sqlite://")',
        'Integer().with_variant(Integer(), "sqlite")',
        'Table("t", metadata, sqlite_autoincrement=True)',
        'database.sql.among("token", "tokens")',
    ],
)
def test_the_contract_may_be_asked_and_tables_declared(source: str) -> None:
    assert list(questions(source)) == []
