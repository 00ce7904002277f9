"""What one move does to the engine's own columns, worked out per edge."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, MetaData, String, Table

from interlock import Axis, Done, Machine, Work, Workflow
from interlock.workflow.columns.effects import effects, failed_from, is_failure
from tests.kinds import CURATION, EXTRACTION, UPLOAD, domains, plain, uploads


def told(
    workflow: Workflow, axis: str, old: str | None, new: str | None, origin: str = "move"
) -> tuple[set[str], dict[str, Any], set[str]]:
    change = effects(workflow, workflow.axis(axis), old, new, origin)
    return set(change.now), dict(change.constants), set(change.counted)


def test_an_axis_that_nobody_works_on_needs_only_its_since() -> None:
    assert told(domains(), "curation_status", "New", "Selected") == ({"curation_since"}, {}, set())


def test_what_waits_is_ready_now_and_starts_counting_anew() -> None:
    now, constants, _ = told(uploads(), "status", "parsing", "parsed")
    assert now == {"updated_at", "since", "ready_at"}
    assert constants == {"tries": 0, "error_code": None, "error_message": None, "failed_from": None}


def test_what_runs_is_not_ready_and_keeps_its_last_error() -> None:
    now, constants, _ = told(uploads(), "status", "queued_for_parse", "parsing")
    assert now == {"updated_at", "since"}
    assert constants == {"ready_at": None}


def test_what_failed_says_from_where() -> None:
    for old, waiting in (
        ("parsing", "queued_for_parse"),
        ("normalizing", "parsed"),
        ("queued_for_parse", "queued_for_parse"),
        ("parsed", "parsed"),
    ):
        assert told(uploads(), "status", old, "error")[1]["failed_from"] == waiting


def test_a_retry_is_counted_and_dated() -> None:
    now, constants, counted = told(uploads(), "status", "error", "parsed", "retry")
    assert counted == {"retry_count"}
    assert {"last_retry_at", "ready_at"} <= now
    assert constants["failed_from"] is None


def test_the_count_of_retries_is_reset_where_declared() -> None:
    constants = told(uploads(), "status", "normalizing", "normalized")[1]
    assert (constants["retry_count"], constants["last_retry_at"]) == (0, None)


def test_a_retry_counts_even_where_a_success_would_reset_the_count() -> None:
    now, constants, counted = told(uploads(), "status", "error", "normalized", "retry")
    assert (counted, "last_retry_at" in now) == ({"retry_count"}, True)
    assert not {"retry_count", "last_retry_at"} & set(constants)


def test_staying_enters_nothing() -> None:
    assert told(uploads(), "status", "parsing", "parsing", "amend") == ({"updated_at"}, {}, set())


def test_what_waits_is_looked_at_again_when_it_is_amended() -> None:
    assert told(uploads(), "status", "parsed", "parsed", "amend") == ({"updated_at", "ready_at"}, {}, set())


def test_from_one_failed_state_to_another_the_row_still_says_which_stage_failed() -> None:
    workflow = plain(
        Machine(
            "patient",
            initial="pending",
            moves={"pending": ["busy"], "busy": ["done", "failed", "dead"], "failed": ["busy", "dead"]},
        )
    )
    workflow.stage(
        waiting=("pending", "failed"), running="busy", done="done", failed="failed", terminal="dead"
    )(lambda work: Done())
    assert "failed_from" not in told(workflow, "status", "failed", "dead")[1]
    assert told(workflow, "status", "busy", "dead")[1]["failed_from"] == "pending"


def test_admission_enters_the_first_state() -> None:
    now, constants, counted = told(uploads(), "status", None, "queued_for_parse", "admit")
    assert {"since", "ready_at"} <= now
    assert (constants["tries"], counted) == (0, set())


def test_null_is_left_and_entered_like_any_state() -> None:
    now, constants, _ = told(domains(), "processing_status", "Queued", None)
    assert now == {"processing_since", "processing_updated_at"}
    assert constants["processing_ready_at"] is None
    assert "queued_at" in told(domains(), "processing_status", None, "Queued")[0]


def test_a_failed_state_in_which_it_waits_does_not_restart_the_count() -> None:
    table = Table("t", MetaData(), Column("id", String(9), primary_key=True))
    workflow = Workflow("t", records=table, axes=[Axis("status", EXTRACTION)])

    @workflow.stage(
        waiting=["pending", "failed_retryable"],
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["1s"],
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    now, constants, _ = told(workflow, "status", "in_progress", "failed_retryable")
    assert "ready_at" in now
    assert "tries" not in constants
    assert constants["failed_from"] == "pending"
    assert told(workflow, "status", "processed", "pending")[1]["tries"] == 0


def test_a_failure_is_what_a_stage_or_a_retry_says() -> None:
    workflow = uploads()
    axis, stages = workflow.axis("status"), list(workflow.stages.values())
    assert [state for state in UPLOAD.states if is_failure(axis, stages, state)] == ["error"]
    assert failed_from(stages, "parsing", "parsed") is None
    assert not is_failure(domains().axis("curation_status"), [], CURATION.initial)
