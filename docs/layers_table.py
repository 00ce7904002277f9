"""The table of layers in ARCHITECTURE.md: their order from the import contracts, what each is for from its own docstring."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- layers: written by make docs -->", "<!-- end of layers -->"


def layers() -> list[list[str]]:
    """The modules of each layer, from the highest to the lowest."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (contract,) = [one for one in contracts if one["id"] == "layers"]
    return [re.findall(r"\w+", layer) for layer in contract["layers"]]


def purpose(module: str) -> str:
    """The first sentence of a module's docstring."""
    folder = ROOT / "src" / "interlock"
    file = folder / module / "__init__.py"
    file = file if file.exists() else folder / f"{module}.py"
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def table() -> str:
    rows = [
        f"| {number} | `{module}` | {purpose(module)} |"
        for number, layer in enumerate(layers(), 1)
        for module in layer
    ]
    return "\n".join(["| layer | module | what it is for |", "|---|---|---|", *rows])


def with_table(page: str) -> str:
    """The page with its table of layers as it is now."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"
