"""A stage without a failed state: what fails rests where it ran, and everybody who looks is told; a retry gets it out."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, MetaData, String, Table, select

from interlock import App, Axis, Done, Extension, Invariant, Machine, Outcome, Work, Workflow
from interlock.client import connect
from interlock.errors import BadDeclaration
from interlock.store.finding import Repair
from interlock.workflow.checks.lint import findings
from tests.contract.working import Boxed

LINE = Machine("line", initial="waiting", moves={"waiting": ["running"], "running": ["done"]})


def declared(broken: list[str]) -> Workflow:
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", LINE)])

    @workflow.stage(waiting="waiting", running="running", done="done")
    def work(given: Work) -> Outcome[None]:
        if given.id in broken:
            raise LookupError("no such page")
        return Done()

    return workflow


def test_what_fails_without_a_failed_state_is_visible_and_a_retry_gets_it_out(boxed: Boxed) -> None:
    broken = ["a"]
    box = boxed(declared(broken))
    box.admit_many("jobs", [{"id": "a"}, {"id": "b"}])
    box.drain()
    row = box.get("jobs", "a")
    assert (row["status"], row["error_code"], box.get("jobs", "b")["status"]) == (
        "running",
        "LookupError",
        "done",
    )
    box.advance("2h")
    box.drain()
    assert box.get("jobs", "a")["attempt"] == row["attempt"]  # it rests: nobody tries it again by himself
    report = box.check()
    assert report.ok
    assert report.notes == [
        "1 of jobs rest in running with an error: stage work has no failed state, and only a retry gets them out"
    ]
    (waits,) = [one.what for one in box.explain("jobs", "a").waits_for]
    assert (
        waits == "a person's retry: stage work failed with LookupError: no such page "
        "and has no failed state, so it stays here (`interlock record retry jobs a --reason …`)"
    )
    broken.clear()
    assert box.retry("jobs", "a", actor="ann", reason="the page is there").outcome == "moved"
    box.advance("10m")
    box.drain()
    assert box.get("jobs", "a")["status"] == "done"
    assert [(move.old, move.new, move.cause) for move in box.ledger.history("jobs", "a")][-1] == (
        "running",
        "done",
        "work.completed",
    )
    assert box.check().notes == []


def test_lint_tells_that_a_stage_has_no_failed_state() -> None:
    (finding,) = [one for one in findings(declared([])) if "failed state" in one]
    assert finding == (
        "jobs: stage work has no failed state: a record whose work fails rests in running with its error, "
        "until somebody retries it"
    )


def test_check_looks_for_what_breaks_the_invariants_that_a_workflow_declares(opened: object) -> None:
    workflow = declared([])
    table = workflow.records
    workflow.extension = Extension(
        invariants=[
            Invariant(
                "J1",
                "no id begins with x",
                select(table.c.id).where(table.c.id.like("x%")),
                repair="jobs rename",
            ),
            Invariant(
                "J2", "ids are short", select(table.c.id).where(table.c.id.like("%long%")), severity="warning"
            ),
        ]
    )
    app: App = opened(workflow)  # type: ignore[operator]
    app.admit_many("jobs", [{"id": "x1"}, {"id": "long"}, {"id": "c"}])
    report = app.check()
    (broken,) = report.findings
    assert (broken.invariant, broken.kind, broken.id, broken.problem) == (
        "J1",
        "jobs",
        "x1",
        "broken: no id begins with x",
    )
    assert report.notes == ["J2: ids are short; not so for jobs long"]
    assert app.check("jobs", "c").findings == []
    assert connect(app).check("jobs").repairs == [Repair("jobs rename", "jobs", ["J1"], 1)]
    with pytest.raises(BadDeclaration, match="severity"):
        Invariant("J3", "…", select(table.c.id), severity="fatal")  # type: ignore[arg-type]
