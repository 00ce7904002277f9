"""The public kit: a whole system in one object, for tests of runners alone, of coordinators alone, and of both."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from interlock import Again, Done, Failed, Work
from interlock.errors import BadInput, InvalidStateTransition, UnknownState
from interlock.testing import FrozenClock, Sandbox, assert_history
from tests.contract.worked import said_of
from tests.contract.working import Boxed, jobs, still
from tests.kinds import content, domains, uploads


def test_a_runner_alone_is_a_plain_function() -> None:
    """Seed: `No database, no coordinator needed`."""
    parse = uploads().stages["parse"]
    outcome = parse(Work("UL_test", {"file_hash": "h"}))
    assert isinstance(outcome, Done)
    assert outcome.facts == {"observations_count": 1}


def test_a_coordinator_alone_is_told_what_a_runner_said(boxed: Boxed) -> None:
    """Seed: an upload that is parsing, an event that it was parsed; its state, its facts, and what is queued next."""
    box = boxed(uploads())
    box.place("statements", "UL_test", status="parsing")
    box.report("statements", "UL_test", Done(observations_count=42))
    row = box.get("statements", "UL_test")
    assert (row["status"], row["observations_count"]) == ("parsed", 42)
    assert box.waiting("normalize") == ["UL_test"]


def test_a_coordinator_ignores_an_event_that_was_processed_before(boxed: Boxed) -> None:
    """Seed: idempotent, for the event is already processed."""
    box = boxed(uploads())
    box.place("statements", "UL_test", status="parsing")
    box.report("statements", "UL_test", Done(observations_count=42))
    with pytest.raises(BadInput, match="no running attempt"):
        box.report("statements", "UL_test", Done(observations_count=42))
    assert len(box.ledger.history("statements", "UL_test")) == 3


def test_nothing_extracted_is_not_normalized(boxed: Boxed) -> None:
    """Seed: `0 observations, skipping normalization`."""
    box = boxed(uploads())
    box.place("statements", "UL_test", status="parsing")
    box.report("statements", "UL_test", Done(observations_count=0, empty=True))
    assert box.waiting("normalize") == []
    box.drain()
    assert box.get("statements", "UL_test")["status"] == "parsed"


def test_a_failure_is_told_with_its_error(boxed: Boxed) -> None:
    box = boxed(uploads())
    box.place("statements", "UL_test", status="parsing")
    box.report("statements", "UL_test", Failed("PDF_CORRUPT", "Unable to extract text from pages 3-5"))
    row = box.get("statements", "UL_test")
    assert (row["status"], row["error_code"], row["error_message"]) == (
        "error",
        "PDF_CORRUPT",
        "Unable to extract text from pages 3-5",
    )


def test_end_to_end_and_its_log_reads_like_a_train_register(
    boxed: Boxed, caplog: pytest.LogCaptureFixture
) -> None:
    workflow = uploads()
    workflow.stages["parse"].function = lambda work: Done(observations_count=42)
    workflow.stages["normalize"].function = lambda work: Done(canonicals_count=42)
    box = boxed(workflow)
    box.admit("statements", {"id": "UL_abc123"})
    with caplog.at_level(logging.INFO, "interlock.coordinator"):
        box.drain()
    assert [record.getMessage() for record in caplog.records if record.name == "interlock.coordinator"] == [
        "Upload UL_abc123: queued_for_parse → parsing (triggered by upload.created)",
        "Upload UL_abc123: parsing → parsed (triggered by parse.completed, 42 observations)",
        "Upload UL_abc123: parsed → normalizing (triggered by coordinator)",
        "Upload UL_abc123: normalizing → normalized (triggered by normalize.completed, 42 canonicals)",
    ]
    assert_history(
        box, "statements", "UL_abc123", ["queued_for_parse", "parsing", "parsed", "normalizing", "normalized"]
    )


def test_the_log_names_the_error_the_scope_and_null(boxed: Boxed, caplog: pytest.LogCaptureFixture) -> None:
    box = boxed(jobs(lambda work: Failed("BROKEN", "page 3", pages_count=2, final=True)))
    box.admit("jobs", {"id": "a"})
    with caplog.at_level(logging.INFO, "interlock.coordinator"):
        box.drain()
    assert "Job a: running → failed (triggered by work.failed, 2 pages, BROKEN)" in caplog.messages


def test_time_passes_only_when_told_to(boxed: Boxed) -> None:
    answers = [Failed("BUSY"), Again("5m"), Done()]
    box = boxed(jobs(lambda work: answers.pop(0), retry=["1m"]))
    box.admit("jobs", {"id": "a"})
    box.drain()
    assert (box.get("jobs", "a")["status"], len(answers)) == ("failed", 2)
    box.drain()
    assert len(answers) == 2
    box.advance("67s")
    box.drain()
    assert (box.get("jobs", "a")["status"], len(answers)) == ("running", 1)
    box.advance("5m")
    box.drain()
    assert box.get("jobs", "a")["status"] == "done"


def test_a_record_is_placed_by_its_machines_own_moves(boxed: Boxed) -> None:
    box = boxed(domains(), content())
    box.place("domains", 7, curation_status="Selected", record={"host": "h"})
    assert box.get("domains", 7)["processing_status"] == "Queued"
    box.place("domains", 7, processing_status="Failed")
    assert [move.new for move in box.ledger.history("domains", 7, axis="processing_status")] == [
        None,
        "Queued",
        "Processing",
        "Failed",
    ]
    before = box.get("domains", 7), box.ledger.history("domains", 7)
    with pytest.raises(UnknownState, match="curation has no state 'Nowhere'; it has New, Selected"):
        box.place("domains", 7, curation_status="Nowhere")
    box.admit("content", {"item_id": "x"})
    box.place("content", "x", state="CANDIDATE")
    with pytest.raises(BadInput, match="no moves lead from CANDIDATE to DRAFT"):
        box.place("content", "x", state="DRAFT")
    assert (box.get("domains", 7), box.ledger.history("domains", 7)) == before
    assert box.get("content", "x")["state"] == "CANDIDATE"


def test_what_is_asked_for_and_cannot_be_is_told(boxed: Boxed) -> None:
    box = boxed(content())
    with pytest.raises(BadInput, match="no stages"):
        box.report("content", "x", Done())
    with pytest.raises(BadInput, match="no workflow has a stage"):
        box.waiting("nothing")
    box.admit("content", {"item_id": "x"})
    with pytest.raises(InvalidStateTransition):
        box.move("content", "x", actor="ann", state="VALIDATED")


def test_work_that_asks_for_itself_for_ever_is_noticed(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlock.testing.sandbox.STEPS", 20)
    box = boxed(still(lambda work: Again("0s")))
    box.admit("jobs", {"id": "a"})
    with pytest.raises(AssertionError, match="again and again"):
        box.drain()


def test_without_a_database_it_has_one_of_its_own_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    box = Sandbox([uploads()])
    assert isinstance(box.clock, FrozenClock)
    box.admit("statements", {"id": "u1"})
    assert box.drain() > 0
    assert_history(
        box, "statements", "u1", ["queued_for_parse", "parsing", "parsed", "normalizing", "normalized"]
    )
    assert said_of(box, "u1", "statements") == []
    assert len(list(tmp_path.iterdir())) == 1
    box.close()
    assert list(tmp_path.iterdir()) == []


def test_two_sandboxes_know_nothing_of_each_other() -> None:
    first, second = Sandbox([uploads()]), Sandbox([uploads()])
    first.admit("statements", {"id": "u1"})
    first.drain()
    assert second.drain() == 0
    assert second.counts() == {}
    first.close()
    second.close()


def test_an_app_without_stages_is_drained_at_once(boxed: Boxed) -> None:
    box: Any = boxed(content())
    assert (box.runs, box.drain()) == (None, 0)
