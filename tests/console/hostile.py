"""A console with statements and content in which whatever people name is hostile, and too long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interlock.testing import Sandbox
from interlock.workflows.content import acts
from interlock.workflows.content.workflow import declare as declare_content
from interlock.workflows.statements.uploads.receiving import receive
from interlock.workflows.statements.workflow import declare as declare_statements
from tests.console.test_govern import RULE, validated
from tests.console.test_pages import HOSTILE

LONG = "without-any-place-to-break" * 6
HEAD = "Orchard Card,,\nOpening balance,,-100.00\nClosing balance,,-145.00\n\nDate,Description,Amount (GBP)\n"
FILES = {
    f"{HOSTILE} {LONG}.csv": f"Date,Description,Amount,Balance\n01/15/2024,{LONG} <img src=x onerror=alert(1)>,-4.50,95.50\n",
    "card.csv": f"{HEAD}13/01/2024,<img src=x onerror=alert(2)>,20.00\n14/01/2024,B,26.00\n",
    "letter.csv": "Dear customer\nwe write to you\n",
}


@pytest.fixture
def box(sqlite_url: str, tmp_path: Path) -> Iterator[Sandbox]:
    """Three uploads and three items; whatever people name is hostile, and too long."""
    kinds = [declare_statements(), declare_content()]
    with closing(Sandbox(kinds, database=sqlite_url, files=str(tmp_path / "files"))) as made:
        made.migrate()
        for name, content in FILES.items():
            with made.files.receive() as file:
                file.write(content.encode())
                receive(made, made.workflow("statements"), file, name, None, actor=HOSTILE)
        validated(made, "R1", RULE)
        acts.approve(made, "R1", actor="luca", role="operator", notes="read")
        validated(made, "R2", {**RULE, "title": "Il passato prossimo con essere"}, replaces="R1")
        payload = {**RULE, "title": HOSTILE + LONG, "explanation": HOSTILE}
        acts.submit(
            made,
            actor=HOSTILE[:60],
            item_id="R3",
            item_type="rule",
            language="IT",
            level="A2",
            payload=payload,
        )
        made.drain()
        yield made
