"""The page about the house says how many files one move and one upload pass; it is counted here."""

from __future__ import annotations

import re
from pathlib import Path

from tests.statements.files_passed import counts

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "the-house.md"


def test_the_figures_of_the_page_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| ([a-z ,]+) \| \d+ \| (\d+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    page = {what: int(count) for what, count in rows}
    measured = counts()
    assert {what: page.get(what) for what in measured} == measured, (
        "correct the page: python -m tests.statements.files_passed"
    )
