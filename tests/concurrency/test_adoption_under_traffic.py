"""A table is adopted while its own writers go on and the backfill is killed: no write is refused, nothing is lost, and history is whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager

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


def test_a_table_is_adopted_while_its_writers_go_on_and_the_backfill_is_killed(database_url: str) -> None:
    rows, chunk = 1500, 100
    fill(database_url, rows)
    with closing(open_letters(database_url)) as app:
        app.migrate()
        with writers_at_work(database_url, rows) as took:
            app.adoptions.cutover(KIND, 2, **LEAD)
            first = backfill_until(database_url, chunk, killed_after=3)
            assert first > 0
            backfill_until(database_url, chunk, killed_after=None)
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
            origins = dict(
                tx.execute(
                    text(
                        "SELECT origin, count(*) FROM interlock_ledger WHERE kind = 'letters' GROUP BY origin"
                    )
                ).all()
            )
        assert (least, states) == (0, set(STATES))
        assert origins["backfill"] - origins.get("deletion", 0) == number
        assert origins.get("legacy", 0) >= moved
        for phase in (3, 4):
            app.adoptions.cutover(KIND, phase, **LEAD)
            is_sound(app)
