"""Four processes end pipelines of the same records: the mirrored columns agree with the state rows, and without the lock they do not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import text

from interlock import App
from tests.concurrency.crowd import barrier, together
from tests.concurrency.mirroring import end_pipelines, workflow
from tests.contract.rules.test_mirrors import SCOPES

PAIRS = 2


@contextmanager
def opened(url: str) -> Iterator[App]:
    with closing(App([workflow()], database=url)) as app:
        app.migrate()
        with app.database.engine.begin() as tx:
            for pipeline in SCOPES:
                tx.execute(text("INSERT INTO feeds VALUES ('f', :pipeline)"), {"pipeline": pipeline})
        yield app


def play(app: App, url: str, moves: int, *, locked: bool = True) -> list[str]:
    """Two pairs of processes, each over records of its own, one process for each pipeline; the ids of records whose mirror disagrees.
    Everything else holds in any case."""
    records = moves // (2 * len(SCOPES))
    app.admit_many("themes", [{"id": id, "feed": "f"} for id in range(records)])
    starts = [barrier(len(SCOPES)) for _ in range(PAIRS)]
    made = together(
        end_pipelines,
        [
            (url, 2 * pair + number, list(range(pair, records, PAIRS)), starts[pair], locked)
            for pair in range(PAIRS)
            for number in range(len(SCOPES))
        ],
    )
    report = app.check("themes")
    assert sum(made) == moves
    assert report.entries == records * 3 + moves
    assert {one.invariant for one in report.findings} <= {"mirror"}
    return [one.id for one in report.findings]


def test_four_processes_leave_no_mirror_that_disagrees(database_url: str) -> None:
    with opened(database_url) as app:
        assert play(app, database_url, 1_000) == []


@pytest.mark.soak
def test_ten_thousand_moves_leave_no_mirror_that_disagrees(database_url: str) -> None:
    with opened(database_url) as app:
        assert play(app, database_url, 10_000) == []


def test_without_the_lock_some_mirrors_disagree(postgres_url: str) -> None:
    """On SQLite a writer is alone, and there is no lock to leave out."""
    with opened(postgres_url) as app:
        wrong = play(app, postgres_url, 1_000, locked=False)
        assert wrong
        assert app.repair_mirrors() == len(wrong)
        assert app.check("themes").findings == []
