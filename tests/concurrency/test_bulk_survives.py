"""A bulk operation whose process is killed is taken over where it was; several that try to run it never move a record twice."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import text

from interlock import App
from interlock.clock import FrozenClock
from interlock.observe.invariants import check_counters
from interlock.operations.describe import describe_operation
from tests.concurrency.bulking import LIGHT, run_until, take_turns
from tests.concurrency.crowd import PATIENCE, start, together
from tests.kinds import open_app, plain

RECORDS, CHUNK = 40, 10
A_FEW = 6


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(open_app(database_url, plain(LIGHT))) as app:
        app.admit_many("things", [{"id": f"r{number}"} for number in range(RECORDS)])
        yield app


def planned(app: App, records: int = RECORDS) -> str:
    """An operation that turns every light over."""
    state = app.get("things", "r0")["status"]
    made = app.operations.create(
        "things",
        to="green" if state == "red" else "red",
        where={},
        actor="ann",
        reason="to see whether it holds",
    )
    assert made.records == records
    return made.id


def run_elsewhere(url: str, id: str, chosen: int, chunk: int = CHUNK) -> int | None:
    """How many statements another process needed for it; None if that was killed."""
    process, connection = start(run_until, url, id, chunk, chosen)
    with closing(connection):
        process.join(PATIENCE)
        if process.exitcode == -signal.SIGKILL:
            return None
        answer = connection.recv()
        if isinstance(answer, BaseException):
            raise answer
        return int(answer)


def moves_of(app: App, id: str) -> Counter[str]:
    """How often each record was moved by the operation, as the ledger says."""
    asked = text("SELECT record_id FROM interlock_ledger WHERE cause = :cause")
    with app.database.read() as tx:
        return Counter(tx.execute(asked, {"cause": f"operation.{id}"}).scalars())


def killed_and_taken_over(app: App, url: str, chosen: int) -> int:
    """How many records were done when it was killed; afterwards another process, later, goes on with the others."""
    id = planned(app)
    assert run_elsewhere(url, id, chosen) is None, f"nobody died at statement {chosen}"
    left = app.operations.get(id)
    assert len(moves_of(app, id)) == left.reached, f"killed at statement {chosen}: items and moves disagree"
    assert app.check().findings == []
    if left.status != "finished":
        with closing(
            App([plain(LIGHT)], database=url, clock=FrozenClock(app.clock.now() + timedelta(hours=1)))
        ) as later:
            assert later.operations.run(id, chunk=CHUNK).status == "finished"
    assert describe_operation(app.operations.get(id))["outcomes"]["moved"] == RECORDS
    assert set(moves_of(app, id).values()) == {1}
    assert len(moves_of(app, id)) == RECORDS
    assert check_counters(app.database, list(app.workflows.values())) == []
    return left.reached


def test_an_operation_that_is_killed_is_taken_over_where_it_was(app: App, database_url: str) -> None:
    count = run_elsewhere(database_url, planned(app), 0) or 0
    points = [*range(1, count, max(1, count // A_FEW)), count]
    reached = [killed_and_taken_over(app, database_url, point) for point in points]
    assert reached == sorted(reached)
    assert {0, RECORDS} < set(reached), (
        "it was killed before the first chunk, between chunks, and after the last"
    )


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_an_operation_that_is_killed_at_any_statement_is_taken_over_where_it_was(
    app: App, database_url: str
) -> None:
    count = run_elsewhere(database_url, planned(app), 0) or 0
    assert {killed_and_taken_over(app, database_url, point) for point in range(1, count + 1)} == {
        0,
        10,
        20,
        30,
        40,
    }


def test_several_processes_that_run_one_operation_move_each_record_once(app: App, database_url: str) -> None:
    id = planned(app)
    answered = together(take_turns, [(database_url, id, 2)] * 3)
    assert sum(answered) == RECORDS
    assert moves_of(app, id) == Counter(f"r{number}" for number in range(RECORDS))
    assert describe_operation(app.operations.get(id))["outcomes"]["moved"] == RECORDS
    assert app.check().findings == []
