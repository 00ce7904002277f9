"""Writes the reference pages that the code itself can tell; run by `make docs`, and held against the code by a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs import api_page, commands_page, layers_table, threats_page, tree_table
from interlock.service.application import document
from interlock.workflows import bundled

FOLDER = Path(__file__).parent / "reference"
ARCHITECTURE = Path(__file__).parents[1] / "ARCHITECTURE.md"
HOUSE = Path(__file__).parent / "explanation" / "the-house.md"


def pages() -> dict[Path, str]:
    """Every generated page, by the file it belongs into."""
    return {
        FOLDER / "commands.md": commands_page.page(),
        FOLDER / "api.md": api_page.page(),
        FOLDER / "threats.md": threats_page.page(),
        FOLDER / "openapi.json": shown(document()),
        FOLDER / "openapi-statements.json": shown(document(bundled)),
    }


def shown(described: Any) -> str:
    return json.dumps(described, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> None:
    tables = {
        ARCHITECTURE: layers_table.with_table(ARCHITECTURE.read_text(encoding="utf-8")),
        HOUSE: tree_table.with_table(HOUSE.read_text(encoding="utf-8")),
    }
    for file, text in {**pages(), **tables}.items():
        changed = not file.exists() or file.read_text(encoding="utf-8") != text
        file.write_text(text, encoding="utf-8")
        print(f"{'written' if changed else 'as it was'}: {file.parent.name}/{file.name}")


if __name__ == "__main__":
    main()
