"""The page about the house says how many files one move and one upload pass; it is counted here."""

from __future__ import annotations

import re
from pathlib import Path

from tests.statements.files_passed import counts

TOLERANCE = 4
"""Files. A page that is off by more tells another story than the code."""
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "the-house.md"


def test_the_figures_of_the_page_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| ([a-z ,]+) \| \d+ \| (\d+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    page = {what: int(count) for what, count in rows}
    off = {
        what: (page.get(what), count) for what, count in counts().items() if not near(page.get(what), count)
    }
    assert off == {}, "correct the page: python -m tests.statements.files_passed"


def near(on_the_page: int | None, counted: int) -> bool:
    return on_the_page is not None and abs(on_the_page - counted) <= TOLERANCE
