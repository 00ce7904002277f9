"""A file of many items goes through eight gates into review: each item once, each verdict stored, nothing left behind."""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from interlock.testing import Sandbox
from interlock.workflows.content.commands.importing import read_file
from interlock.workflows.content.commands.source import Local
from interlock.workflows.content.gates.checks import Item
from interlock.workflows.content.reading import review_queue
from interlock.workflows.content.tables import STATE_TABLES
from interlock.workflows.content.workflow import declare
from tests.content.items import walked
from tests.content.sample_items import sample_item, write_file

CHUNK = 500
GATES = 8


def agree(item: Item) -> None:
    """An outside gate that passes everything."""


def import_file(url: str, path: Path, count: int) -> None:
    """Import the file, let the gates run, and hold the database against what must be there."""
    with closing(Sandbox([declare(external={"provider": agree})], database=url)) as box:
        source, items = Local(box, "ann"), read_file(path)
        while part := list(islice(items, CHUNK)):
            new = [row["item_id"] for row in source.submit(part)]
            assert [row["outcome"] for row in source.validate(new)] == ["moved"] * len(part)
        box.drain()
        assert box.counts()["content", "state", None, "VALIDATED"] == count
        with box.database.read() as tx:
            rows = {
                state: tx.execute(select(func.count()).select_from(table)).scalar_one()
                for state, table in STATE_TABLES.items()
            }
            passed = tx.execute(text("SELECT count(*) FROM interlock_gate_verdict WHERE passed")).scalar_one()
            verdicts = tx.execute(text("SELECT count(*) FROM interlock_gate_verdict")).scalar_one()
            entries = tx.execute(
                text("SELECT count(*) FROM state_transition_events WHERE to_state = 'VALIDATED'")
            ).scalar_one()
        assert rows == {"DRAFT": 0, "CANDIDATE": 0, "VALIDATED": count}
        assert (passed, verdicts, entries) == (GATES * count, GATES * count, count)
        last = sample_item(count - 1)["item_id"]
        assert walked(box, last) == ["DRAFT", "CANDIDATE", "VALIDATED"]
        queued, after = 0, None
        while (page := review_queue(box, after=after, limit=CHUNK)).rows:
            queued, after = queued + len(page.rows), page.rows[-1]["item_id"]
        assert queued == count
        assert box.check().findings == []
        assert box.ledger.verify().ok


def test_a_file_of_items_passes_eight_gates_into_review(content_url: str, tmp_path: Path) -> None:
    import_file(content_url, write_file(tmp_path / "items.jsonl", 30), 30)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_ten_thousand_items_pass_eight_gates_into_review(content_url: str, tmp_path: Path) -> None:
    import_file(content_url, write_file(tmp_path / "items.jsonl", 10_000), 10_000)
