"""kill -9 in the middle of a batch leaves the whole batch or nothing of it, and everybody else goes on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import text

from interlock import App
from interlock.observe.invariants import check_counters
from tests.concurrency.crowd import PATIENCE, start
from tests.concurrency.dying import RECORDS, move_until
from tests.kinds import domains, open_app

A_FEW = 8


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(open_app(database_url, domains())) as app:
        app.admit_many("domains", [{"id": id} for id in RECORDS])
        yield app


def standing(app: App) -> set[tuple[str, int, str | None, int]]:
    """Where the records stand; one place for all of them, if batches are whole."""
    with app.database.read() as tx:
        found = tx.execute(
            text(
                "SELECT curation_status, curation_version, processing_status, processing_version FROM domains"
            )
        )
        return {tuple(row) for row in found}


def batch(url: str, app: App, chosen: int) -> int | None:
    """Move everything to and fro in another process; None if that was killed."""
    ((state, *_),) = standing(app)
    process, connection = start(move_until, url, "Maybe" if state == "Selected" else "Selected", chosen)
    with closing(connection):
        process.join(PATIENCE)
        if process.exitcode == -signal.SIGKILL:
            return None
        answer = connection.recv()
        if isinstance(answer, BaseException):
            raise answer
        return int(answer)


def kill_at(app: App, url: str, points: list[int]) -> None:
    for point in points:
        before = standing(app)
        assert batch(url, app, point) is None, f"nobody died at statement {point}"
        after = standing(app)
        assert len(after) == 1, f"killed at statement {point}: half a batch"
        assert app.check().findings == [], f"killed at statement {point}"
        assert check_counters(app.database, list(app.workflows.values())) == []
        assert after == before or point == points[-1], (
            f"killed at statement {point}, before the commit, and yet it moved"
        )
    assert standing(app) != before, "killed after the commit, and yet it did not move"
    assert batch(url, app, 0) is not None


def test_a_batch_that_is_killed_is_whole_or_nothing(app: App, database_url: str) -> None:
    count = batch(database_url, app, 0) or 0
    assert batch(database_url, app, 0), "the second batch goes the other way"
    kill_at(app, database_url, sorted({*range(1, count, max(1, count // A_FEW)), count - 1, count}))


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_batch_that_is_killed_at_any_statement_is_whole_or_nothing(app: App, database_url: str) -> None:
    count = batch(database_url, app, 0) or 0
    assert batch(database_url, app, 0), "the second batch goes the other way"
    kill_at(app, database_url, list(range(1, count + 1)))
