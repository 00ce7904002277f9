"""A table is adopted while its own writers go on and the backfill is killed: no write is refused, nothing is lost, and history is whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import text

from interlock import App
from interlock.observe.invariants import check_counters
from tests.concurrency.crowd import PATIENCE, start
from tests.concurrency.legacy import KIND, STATES, carry_out_backfill, fill, keep_writing, open_letters

LEAD = {"actor": "ann", "role": "operator", "reason": "on"}


@contextmanager
def writers_at_work(url: str, rows: int, writers: int = 2) -> Iterator[list[float]]:
    """Processes of the team's own write until the block ends; then how long each of their writes took."""
    took: list[float] = []
    crowd = [start(keep_writing, url, rows, seed) for seed in range(1, writers + 1)]
    try:
        for _, connection in crowd:
            assert connection.recv() == "ready"
            connection.send("go")
        for _, connection in crowd:
            assert connection.recv() == "written"
        yield took
        for _, connection in crowd:
            connection.send("stop")
        for _, connection in crowd:
            answer = connection.recv()
            if isinstance(answer, BaseException):
                raise answer
            took += answer
    finally:
        for process, connection in crowd:
            connection.close()
            process.kill()
            process.join(PATIENCE)


def backfill_until(url: str, chunk: int, killed_after: int | None) -> int:
    """The backfill in a process of its own, killed after some chunks or left to end; how many rows it wrote."""
    process, connection = start(carry_out_backfill, url, chunk)
    chunks = 0
    with closing(connection):
        while True:
            sent = connection.recv()
            if isinstance(sent, BaseException):
                raise sent
            if sent < 0:
                process.join(PATIENCE)
                return -int(sent) - 1
            chunks += 1
            if chunks == killed_after:
                process.kill()
                process.join(PATIENCE)
                assert process.exitcode == -signal.SIGKILL
                return int(sent)


def is_sound(app: App) -> None:
    assert app.check().findings == []
    assert check_counters(app.database, list(app.workflows.values())) == []


def adopt_under_traffic(url: str, rows: int, chunk: int, killed_after: int) -> list[float]:
    """Adopt a table while writers go on; how long each of their writes took, in seconds, ascending."""
    fill(url, rows)
    with closing(open_letters(url)) as app:
        app.migrate()
        with writers_at_work(url, rows) as took:
            app.adoptions.cutover(KIND, 2, **LEAD)
            first = backfill_until(url, chunk, killed_after=killed_after)
            assert first > 0
            backfill_until(url, chunk, killed_after=None)
            app.adoptions.cutover(KIND, 1, **LEAD)
            app.adoptions.cutover(KIND, 2, **LEAD)
        assert len(took) > 10  # and none of them was refused: that would have been raised
        app.adoptions.backfill(KIND, actor="eve")
        again = app.adoptions.backfill(KIND, actor="eve")
        assert (again.written, again.left_over) == (0, 0)
        assert app.adoptions.compare(KIND).differences == 0
        is_sound(app)
        with app.database.read() as tx:
            asked = text("SELECT count(*), min(version), sum(version) FROM letters")
            number, least, moved = tx.execute(asked).one()
            states = set(tx.execute(text("SELECT DISTINCT status FROM letters")).scalars())
            entries = text(
                "SELECT origin, count(*) FROM interlock_ledger WHERE kind = 'letters' GROUP BY origin"
            )
            origins = {row[0]: row[1] for row in tx.execute(entries)}
        assert (least, states) == (0, set(STATES))
        assert origins["backfill"] - origins.get("deletion", 0) == number
        assert origins.get("legacy", 0) >= moved
        for phase in (3, 4, 3, 2, 3, 4):
            app.adoptions.cutover(KIND, phase, **LEAD)
            is_sound(app)
        app.adoptions.compare(KIND)
        app.adoptions.cutover(KIND, 5, no_readers=True, **LEAD)
        is_sound(app)
    return sorted(took)


def test_a_table_is_adopted_while_its_writers_go_on_and_the_backfill_is_killed(database_url: str) -> None:
    adopt_under_traffic(database_url, rows=1500, chunk=100, killed_after=3)


@pytest.mark.soak
def test_a_large_table_is_adopted_under_traffic(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    is_sqlite = database_url.startswith("sqlite")
    rows = 200_000 if is_sqlite else 1_000_000
    took = adopt_under_traffic(database_url, rows, chunk=2_000, killed_after=20)
    p99 = took[int(len(took) * 0.99)]
    with capsys.disabled():
        print(f"\n{rows:,} rows, {len(took):,} writes past Interlock, p99 {p99 * 1000:.1f} ms")  # noqa: T201  a soak is read by people
    assert is_sqlite or p99 < 0.05
