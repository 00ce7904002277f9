"""`check` on a live system: attempts that are not current, work that nobody ends, reports that nobody applies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, String, Table, text

from interlock import Axis, Done, Machine, Work, Workflow
from interlock.store.work.attempts import Issue
from interlock.testing import Sandbox
from tests.kinds import prepare

MACHINE = Machine(
    "job", initial="new", moves={"new": ["busy"], "busy": ["done", "broken"], "broken": ["new"]}
)


@pytest.fixture
def box(database_url: str) -> Iterator[Sandbox]:
    table = Table("jobs", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow("jobs", records=table, axes=[Axis("status", MACHINE)])

    @workflow.stage(waiting="new", running="busy", done="done", failed="broken", deadline="10m")
    def work(work: Work) -> Done[None]:
        return Done()

    prepare(database_url, [workflow])
    made = Sandbox([workflow], database_url)
    yield made
    made.close()


def broken(box: Sandbox) -> list[str]:
    return [f"{finding.invariant} {finding.id}" for finding in box.check().findings]


def run(box: Sandbox, sql: str) -> None:
    with box.database.write() as tx:
        tx.execute(text(sql))


def test_work_that_goes_its_way_breaks_nothing(box: Sandbox) -> None:
    box.admit("jobs", {"id": "one"})
    assert broken(box) == []
    box.place("jobs", "two", status="busy")
    assert broken(box) == []
    box.drain()
    assert broken(box) == []


def test_an_attempt_that_is_not_the_records_current_one_is_told(box: Sandbox, hand: Any) -> None:
    box.place("jobs", "one", status="busy")
    work = box.coordinates.work
    with hand.without_guards_of("interlock_work"), box.database.write() as tx:
        (attempt,) = work.of(tx, "jobs", ["status"], ["one"])
        again = Issue("one", attempt.attempt + 1, "f" * 32, version=attempt.version)
        work.rewrite(tx, [attempt.position], [again], [timedelta()])
    assert broken(box) == ["I4 one"]


def test_a_record_that_runs_without_work_is_told_once_a_sweep_should_have_found_it(box: Sandbox) -> None:
    box.place("jobs", "one", status="busy")
    run(box, "DELETE FROM interlock_work")
    assert broken(box) == []
    box.advance("2m")
    assert broken(box) == ["I5 one"]


def test_a_record_that_waits_unseen_is_told(box: Sandbox) -> None:
    box.admit("jobs", {"id": "one"})
    run(box, "UPDATE jobs SET ready_at = NULL")
    box.advance("2m")
    assert broken(box) == ["I5 one"]


def test_a_deadline_that_nobody_enforces_is_told(box: Sandbox) -> None:
    box.place("jobs", "one", status="busy")
    box.advance("10m")
    assert broken(box) == []
    box.advance("2m")
    assert broken(box) == ["I10 one"]


def test_a_report_that_nobody_applies_is_told(box: Sandbox) -> None:
    box.place("jobs", "one", status="busy")
    run(box, "UPDATE interlock_work SET reported_at = claimed_at, outcome = 'done'")
    box.advance("2m")
    assert broken(box) == ["I7 one"]
