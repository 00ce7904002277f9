"""A table is adopted while its own writers go on and the backfill is killed: no write is refused, nothing is lost, and history is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import pytest
from sqlalchemy import text

from interlock import App
from interlock.observe.invariants import check_counters
from tests.concurrency.crowd import PATIENCE, start, until_killed
from tests.concurrency.legacy import (
    BESIDE,
    KIND,
    READERS,
    STATES,
    carry_out_backfill,
    fill,
    fill_notices,
    keep_writing,
    open_letters,
    open_notices,
)

LEAD = {"actor": "ann", "role": "operator", "reason": "on"}
ROWS = os.environ.get("INTERLOCK_ADOPTION_ROWS")
"""How many rows the soaks adopt, if not a million on PostgreSQL and 200,000 on SQLite and through pgbouncer."""


@dataclass
class Figures:
    """What people read of an adoption: seconds that each write of the team's own took, and how long each part of it went on."""

    rows: int
    writes: list[float] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        begun = perf_counter()
        yield
        self.parts[part] = self.parts.get(part, 0) + perf_counter() - begun

    @property
    def p99(self) -> float:
        return sorted(self.writes)[int(len(self.writes) * 0.99)]

    def lines(self) -> str:
        ordered = sorted(self.writes)
        parts = ", ".join(f"{name} {spent:.0f} s" for name, spent in self.parts.items())
        pace = self.rows / self.parts["backfill beside writers"]
        middle, worst = ordered[len(ordered) // 2] * 1000, ordered[-1]
        return (
            f"{self.rows:,} rows, {pace:,.0f} rows/s beside writers; {len(ordered):,} writes past Interlock, "
            f"p50 {middle:.1f} ms, p99 {self.p99 * 1000:.1f} ms, longest {worst:.2f} s; {parts}"
        )


@contextmanager
def writers_at_work(url: str, rows: int, kind: str, writers: int = 2) -> Iterator[list[float]]:
    """Processes of the team's own write until the block ends; then how long each of their writes took."""
    took: list[float] = []
    crowd = [start(keep_writing, url, rows, seed, kind) for seed in range(1, writers + 1)]
    try:
        for _, connection in crowd:
            assert connection.recv() == "ready"
            connection.send("go")
        for _, connection in crowd:
            assert connection.recv() == "written"
        yield took
        for _, connection in crowd:
            with suppress(BrokenPipeError):  # it has answered already: with what went wrong
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


def backfill_until(url: str, chunk: int, killed_after: int | None, kind: str = KIND) -> int:
    """The backfill in a process of its own, killed after some chunks or left to end; how many rows it wrote."""
    return until_killed(*start(carry_out_backfill, url, chunk, kind, killed_after), killed_after)


def is_sound(app: App) -> None:
    assert app.check().findings == []
    assert check_counters(app.database, list(app.workflows.values())) == []


def go_through_the_phases(app: App, kind: str) -> None:
    """Forward and back through every phase that has a way back, and to the last one."""
    for phase in (3, 4, 3, 2, 3, 4):
        app.adoptions.cutover(kind, phase, **LEAD)
        is_sound(app)
    app.adoptions.compare(kind)
    app.adoptions.cutover(kind, 5, no_readers=True, **LEAD)
    is_sound(app)


def counted(app: App, sql: str) -> list[tuple[Any, ...]]:
    with app.database.read() as tx:
        return [tuple(row) for row in tx.execute(text(sql))]


def write(app: App, sql: str) -> None:
    """As the team's own code does it."""
    with app.database.engine.begin() as tx:
        tx.execute(text(sql))


def ten_ids(app: App, table: str, condition: str) -> list[int]:
    """Ten rows that writers have left as the condition says, spread over them."""
    ((left,),) = counted(app, f"SELECT count(*) FROM {table} WHERE {condition}")
    numbered = f"SELECT id, row_number() OVER (ORDER BY id) AS place FROM {table} WHERE {condition}"
    spread = f"SELECT id FROM ({numbered}) AS numbered WHERE place % {left // 10} = 0 ORDER BY id LIMIT 10"
    return [row[0] for row in counted(app, spread)]


def adopt_under_traffic(url: str, rows: int, chunk: int, killed_after: int) -> Figures:
    """Adopt a table while writers go on."""
    fill(url, rows)
    figures = Figures(rows)
    with closing(open_letters(url)) as app:
        app.migrate()
        with writers_at_work(url, rows, KIND) as took:
            app.adoptions.cutover(KIND, 2, **LEAD)
            with figures.timed("backfill beside writers"):
                first = backfill_until(url, chunk, killed_after=killed_after)
                assert first > 0
                backfill_until(url, chunk, killed_after=None)
            with figures.timed("phases beside writers"):
                for phase in (1, 2, 3, 2, 3):
                    app.adoptions.cutover(KIND, phase, **LEAD)
                assert app.adoptions.compare(KIND).differences == 0
        figures.writes = took
        assert len(took) > 10  # and none of them was refused: that would have been raised
        app.adoptions.cutover(KIND, 2, **LEAD)
        app.adoptions.backfill(KIND, actor="eve")
        again = app.adoptions.backfill(KIND, actor="eve")
        assert (again.written, again.left_over) == (0, 0)
        assert app.adoptions.compare(KIND).differences == 0
        is_sound(app)
        ((number, least, moved),) = counted(app, "SELECT count(*), min(version), sum(version) FROM letters")
        states = {row[0] for row in counted(app, "SELECT DISTINCT status FROM letters")}
        entries = "SELECT origin, count(*) FROM interlock_ledger WHERE kind = 'letters' GROUP BY origin"
        origins = dict(counted(app, entries))
        assert (least, states) == (0, set(STATES))
        assert origins["backfill"] - origins.get("deletion", 0) == number
        assert origins.get("legacy", 0) >= moved
        planted = ten_ids(app, "letters", f"id < {rows}")
        chosen = ", ".join(map(str, planted))
        write(app, f"UPDATE letters SET note = 7, status = 'odd' WHERE id IN ({chosen})")
        found = app.adoptions.compare(KIND)
        assert {one.record_id for one in found.examples} == set(map(str, planted))
        assert found.differences == len(planted) == 10
        write(app, f"UPDATE letters SET status = 'draft' WHERE id IN ({chosen})")
        assert app.adoptions.compare(KIND).differences == 0
        with figures.timed("every phase and check"):
            go_through_the_phases(app, KIND)
    return figures


def adopt_beside_under_traffic(url: str, rows: int, chunk: int, killed_after: int) -> Figures:
    """Make state rows beside the records while writers change their flags."""
    fill_notices(url, rows)
    figures = Figures(rows)
    with closing(open_notices(url)) as app:
        app.migrate()
        with writers_at_work(url, rows, BESIDE) as took:
            app.adoptions.cutover(BESIDE, 2, **LEAD)
            with figures.timed("backfill beside writers"):
                assert backfill_until(url, chunk, killed_after=killed_after, kind=BESIDE) > 0
                backfill_until(url, chunk, killed_after=None, kind=BESIDE)
            with figures.timed("phases beside writers"):
                app.adoptions.follow(BESIDE, actor="eve")
                for phase in (1, 2):
                    app.adoptions.cutover(BESIDE, phase, **LEAD)
        figures.writes = took
        assert len(took) > 10
        app.adoptions.backfill(BESIDE, actor="eve")
        assert app.adoptions.backfill(BESIDE, actor="eve").written == 0
        app.adoptions.follow(BESIDE, actor="eve")
        assert app.adoptions.follow(BESIDE, actor="eve") == 0
        assert app.adoptions.compare(BESIDE).differences == 0
        is_sound(app)
        ((number,),) = counted(app, "SELECT count(*) FROM notices")
        assert counted(app, "SELECT count(*) FROM notice_states") == [(number * len(READERS),)]
        flags = "CASE WHEN r.error IS NOT NULL THEN 'failed' WHEN r.is_read THEN 'read' ELSE 'unread' END"
        joined = "FROM notices r JOIN notice_states s ON s.notice_id = r.id"
        assert counted(app, f"SELECT count(*) {joined} WHERE s.status <> {flags}") == [(0,)]
        planted = ten_ids(app, "notices", f"id < {rows} AND error IS NULL")
        ids = set(map(str, planted))
        write(app, f"UPDATE notices SET error = 'Planted' WHERE id IN ({', '.join(sorted(ids))})")
        found = app.adoptions.compare(BESIDE)
        assert {one.record_id for one in found.examples} <= ids
        assert found.differences == len(ids) * len(READERS) == 10 * len(READERS)
        assert app.adoptions.follow(BESIDE, actor="eve") == found.differences
        assert app.adoptions.compare(BESIDE).differences == 0
        with figures.timed("every phase and check"):
            go_through_the_phases(app, BESIDE)
    return figures


def test_a_table_is_adopted_while_its_writers_go_on_and_the_backfill_is_killed(database_url: str) -> None:
    adopt_under_traffic(database_url, rows=1500, chunk=100, killed_after=3)


def test_state_rows_are_made_while_writers_change_flags_and_the_backfill_is_killed(database_url: str) -> None:
    adopt_beside_under_traffic(database_url, rows=300, chunk=50, killed_after=2)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shape", ["in place", "beside"])
def test_a_large_table_is_adopted_under_traffic(
    database_url: str, shape: str, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    is_sqlite, is_pooled = database_url.startswith("sqlite"), "pgbouncer" in request.node.name
    rows = int(ROWS or (200_000 if is_sqlite or is_pooled else 1_000_000))
    run = adopt_under_traffic if shape == "in place" else adopt_beside_under_traffic
    begun = perf_counter()
    figures = run(database_url, rows, chunk=2_000, killed_after=min(20, rows // 4_000))
    with capsys.disabled():
        database = "SQLite" if is_sqlite else "pgbouncer" if is_pooled else "PostgreSQL"
        print(f"\n{database}, {shape}: {figures.lines()}; {perf_counter() - begun:.0f} s in all")  # noqa: T201  a soak is read by people
    assert is_sqlite or ROWS or figures.p99 < 0.05  # in a small table every writer meets the rows of a chunk
