"""What can be told from the code is told by the code: the reference pages are what `make docs` would write."""

from __future__ import annotations

from pathlib import Path

import pytest

import interlock
from docs import generate, layers_table, tree_table

PAGES = generate.pages()


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_the_page_is_what_the_code_says(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == PAGES[file], "run `make docs`"


def test_the_layers_on_the_page_of_the_architecture_are_those_of_the_import_contracts() -> None:
    page = generate.ARCHITECTURE.read_text(encoding="utf-8")
    assert layers_table.with_table(page) == page, "run `make docs`"


def test_the_folders_on_the_page_of_the_house_are_those_there_are() -> None:
    page = generate.HOUSE.read_text(encoding="utf-8")
    assert tree_table.with_table(page) == page, "run `make docs`"


def test_every_public_name_has_its_section() -> None:
    page = next(text for file, text in PAGES.items() if file.name == "api.md")
    headings = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert headings == [*interlock.__all__, "App.ledger", "When"]


def test_no_page_depends_on_the_machine_it_was_written_on() -> None:
    assert [file.name for file, text in PAGES.items() if " at 0x" in text or "site-packages" in text] == []


def test_writing_twice_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = tmp_path / "ARCHITECTURE.md"
    page.write_text(f"# Any\n\n{layers_table.BEGIN}\nold\n{layers_table.END}\n", encoding="utf-8")
    house = tmp_path / "the-house.md"
    house.write_text(f"# Any\n\n{tree_table.BEGIN}\nold\n{tree_table.END}\n", encoding="utf-8")
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    monkeypatch.setattr(generate, "HOUSE", house)
    monkeypatch.setattr(generate, "ARCHITECTURE", page)
    generate.main()
    generate.main()
    assert capsys.readouterr().out.count("as it was") == len(PAGES) + 2
