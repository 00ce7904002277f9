"""What people, hooks and used-up tries leave in the log."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from interlock import App, Done, Failed, Work
from interlock.errors import InvalidStateTransition
from tests.contract.working import Boxed, jobs
from tests.kinds import domains, uploads

Caught = pytest.LogCaptureFixture


def lines(caught: Caught, name: str, level: int) -> list[str]:
    return [
        record.getMessage() for record in caught.records if record.name == name and record.levelno == level
    ]


def test_every_act_of_a_person_leaves_a_line(opened: Any, caplog: Caught) -> None:
    app: App = opened(uploads(), domains())
    app.admit("statements", {"id": "u1"})
    app.admit("domains", {"id": 1, "host": "h"})
    with caplog.at_level(logging.INFO, "interlock"):
        app.move("statements", "u1", actor="ann", status="parsing")
        app.move(
            "statements",
            "u1",
            actor="ann",
            status="error",
            key="k",
            facts={"error_code": "X"},
            reason="by hand",
        )
        app.move(
            "statements",
            "u1",
            actor="ann",
            status="error",
            key="k",
            facts={"error_code": "X"},
            reason="by hand",
        )
        app.retry("statements", "u1", actor="bob", reason="again")
        app.amend("statements", "u1", facts={"observations_count": 1}, actor="bob", reason="a slip")
        app.cancel("statements", "u1", actor="bob", reason="no more")
        app.move_many("domains", [1], actor="ann", curation_status="Selected")
        with pytest.raises(InvalidStateTransition):
            app.move("statements", "u1", actor="eve", status="normalized")
        app.delete("statements", "u1", actor="root", role="admin", reason="asked for")
    assert lines(caplog, "interlock.authority", logging.INFO) == [
        "Upload u1: queued_for_parse → parsing (triggered by command.move of ann)",
        "Upload u1: parsing → error (triggered by command.move of ann)",
        "Upload u1: error → queued_for_parse (triggered by command.retry of bob)",
        "Upload u1: queued_for_parse → queued_for_parse (triggered by upload.amended of bob)",
        "Upload u1: queued_for_parse → error (triggered by command.cancel of bob)",
        "Domain 1: New → Selected (triggered by command.move of ann)",
        "Domain 1: null → Queued (triggered by rule.entering.curation_status.Selected of ann)",
        "Upload u1: deleted (triggered by upload.deleted of root)",
    ]
    assert len(app.ledger.history("statements", "u1")) == 7


def test_a_line_of_a_move_in_the_callers_transaction_says_so(opened: Any, caplog: Caught) -> None:
    app: App = opened(uploads())
    app.admit("statements", {"id": "u1"})
    with caplog.at_level(logging.INFO, "interlock"), app.database.write() as tx:
        app.move("statements", "u1", actor="ann", status="parsing", tx=tx)
    assert lines(caplog, "interlock.authority", logging.INFO) == [
        "Upload u1: queued_for_parse → parsing (triggered by command.move of ann, in the caller's transaction)"
    ]


def test_a_hook_that_raises_in_a_coordinator_is_an_error_with_its_traceback(
    boxed: Boxed, caplog: Caught
) -> None:
    workflow = jobs()

    @workflow.on_move("done")
    def notify(tx: Any, moves: Any) -> None:
        raise LookupError("nobody to notify")

    box = boxed(workflow)
    box.admit("jobs", {"id": "a"})
    with caplog.at_level(logging.WARNING, "interlock"):
        box.drain()
    errors = [
        record
        for record in caplog.records
        if record.levelno == logging.ERROR and "hook notify failed" in record.getMessage()
    ]
    assert errors
    assert errors[0].exc_info is not None
    assert "nobody to notify" in (
        logging.Formatter().formatException(errors[0].exc_info) if errors[0].exc_info else ""
    )
    assert box.get("jobs", "a")["status"] != "done"
    assert "done" not in [move.new for move in box.ledger.history("jobs", "a")]


def test_tries_that_run_out_are_a_warning_and_final_failures_are_not(boxed: Boxed, caplog: Caught) -> None:
    def work(given: Work) -> Any:
        if given.id == "good":
            return Done()
        return Failed("BROKEN", "no luck", None, final=given.id == "final")

    box = boxed(jobs(work, retry=["1m"], retry_in="running"))
    box.admit_many("jobs", [{"id": "good"}, {"id": "bad"}, {"id": "final"}])
    with caplog.at_level(logging.WARNING, "interlock"):
        box.drain()
        assert lines(caplog, "interlock.coordinator", logging.WARNING) == []
        box.advance("5m")
        box.drain()
    assert lines(caplog, "interlock.coordinator", logging.WARNING) == [
        "Job bad: no try of work is left, it rests with BROKEN: no luck"
    ]
    assert [box.get("jobs", id)["status"] for id in ("good", "bad", "final")] == ["done", "failed", "failed"]


def test_a_hook_that_raises_in_a_persons_move_is_one_error_with_its_traceback(
    opened: Any, caplog: Caught
) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def notify(tx: Any, moves: Any) -> None:
        raise LookupError("nobody to notify")

    app: App = opened(workflow)
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": str(number)} for number in range(3)])
    with caplog.at_level(logging.WARNING, "interlock"):
        answers = app.move_many("statements", ["u0", "u1", "u2"], actor="ann", status="parsing")
    assert {answer.error.code for answer in answers if answer.error is not None} == {"ILK-214"}
    errors = [record for record in caplog.records if record.name == "interlock.authority"]
    assert [record.getMessage() for record in errors] == [
        "hook notify failed: LookupError: nobody to notify; it refused upload u0 and 2 more"
    ]
    assert errors[0].exc_info is not None
    assert "raise LookupError" in logging.Formatter().formatException(errors[0].exc_info)
    assert {app.get("statements", f"u{number}")["status"] for number in range(3)} == {"queued_for_parse"}
    assert len(app.ledger.tail()) == 3


def test_a_gate_that_raises_is_an_error_with_its_traceback(boxed: Boxed, caplog: Caught) -> None:
    workflow = jobs()

    @workflow.gate("done")
    def weigh(work: Work) -> Any:
        raise LookupError("no scales")

    box = boxed(workflow)
    box.admit("jobs", {"id": "a"})
    with caplog.at_level(logging.WARNING, "interlock"):
        box.drain()
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage() for record in errors] == ["gate weigh crashed on jobs a"]
    assert errors[0].exc_info is not None
    assert "no scales" in logging.Formatter().formatException(errors[0].exc_info)
    assert box.get("jobs", "a")["status"] != "done"
    assert "done" not in [move.new for move in box.ledger.history("jobs", "a")]
