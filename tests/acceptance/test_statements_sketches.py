"""The runner alone and the coordinator alone, as the seed sketches them: each is tested without the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock import Done, Failed, Work
from interlock.clock import FrozenClock
from interlock.testing import Sandbox, assert_history
from interlock.workflows.statements.tables import uploads
from interlock.workflows.statements.workflow import ParseResult, declare
from tests.statements.pdf.layouts import boa as boa_layouts

RECORD = {
    "file_hash": f"sha256:{'0' * 64}",
    "storage_ref": "ab/cd/x",
    "source_type": "auto",
    "file_name": "bofa.pdf",
    "file_size_bytes": 1,
    "mime_type": "application/pdf",
    "upload_log_ref": "/logs/uploads/UL_test.log",
}


def test_parse_runner(tmp_path: Path) -> None:
    """No database, no coordinator: a file goes in, rows come out."""
    file = tmp_path / "bofa_statement.pdf"
    file.write_bytes(boa_layouts.checking().pdf())
    parse = declare(clock=FrozenClock()).stages["parse"]
    outcome = parse(Work("UL_test", {**RECORD, "storage_ref": str(file)}))
    assert isinstance(outcome, Done)
    assert isinstance(outcome.result, ParseResult)
    assert outcome.result.parsed is not None
    rows = outcome.result.parsed.rows
    assert [(row.date, row.description) for row in rows] == [
        (date, text) for date, text, _ in boa_layouts.CHECKING
    ]
    assert outcome.facts["observations_count"] == len(rows)
    assert outcome.result.log["success"] is True


@pytest.fixture
def system(database_url: str) -> Sandbox:
    made = Sandbox([declare(clock=FrozenClock())], database=database_url)
    record = {**RECORD, uploads.c.created_at.name: made.time.now()}
    made.place("statements", "UL_test", status="parsing", record=record)
    return made


def test_coordinator_parse_completed(system: Sandbox) -> None:
    """No domain logic: a report becomes a move, and the next stage waits."""
    system.pause("statements", "normalize", actor="test", reason="to look")
    system.report(
        "statements", "UL_test", Done(observations_count=42, parse_log_ref="/logs/parse/UL_test.log.json")
    )
    record = system.get("statements", "UL_test")
    assert (record["status"], record["observations_count"]) == ("parsed", 42)
    assert system.waiting("normalize") == ["UL_test"]
    system.close()


def test_coordinator_starts_nothing_for_a_file_without_rows(system: Sandbox) -> None:
    system.report("statements", "UL_test", Done(observations_count=0, empty=True))
    assert system.get("statements", "UL_test")["status"] == "parsed"
    assert system.waiting("normalize") == []
    system.close()


def test_coordinator_parse_failed_is_one_move_with_the_code(system: Sandbox) -> None:
    system.report(
        "statements", "UL_test", Failed("PDF_CORRUPT", "Unable to extract text from pages 3-5", final=True)
    )
    record = system.get("statements", "UL_test")
    assert (record["status"], record["error_code"], record["failed_from"]) == (
        "error",
        "PDF_CORRUPT",
        "queued_for_parse",
    )
    assert_history(system, "statements", "UL_test", ["queued_for_parse", "parsing", "error"])
    assert system.ledger.history("statements", "UL_test")[-1].cause == "parse.failed"
    system.close()
