"""Rows that are not adopted yet are nobody's work: no coordinator begins them, repairs them, or records a verdict on them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from interlock import Adopt
from interlock.testing import Sandbox
from tests.contract.worked import counted, moves, said_of, work_rows
from tests.contract.working import Boxed, admit, dispatch, jobs


@pytest.fixture
def box(boxed: Boxed, hand: Any) -> Sandbox:
    """One record of Interlock's, and two rows that were there before it."""
    made = boxed(
        jobs(
            axis={"adopt": Adopt("jobs-1", rules=[("every", text("true"), "waiting")])},
            retry=["1m"],
            only_if=lambda table: table.c.rank > 0,
        )
    )
    hand.run("DELETE FROM interlock_meta WHERE key = 'guards: jobs'")
    unguarded(
        made,
        "INSERT INTO jobs(id, rank, status, attempt, tries) VALUES ('old', 1, 'waiting', 0, 0), ('ran', 1, 'running', 0, 0), "
        "('broke', 1, 'failed', 0, 0)",
    )
    unguarded(made, "UPDATE jobs SET failed_from = 'waiting' WHERE id = 'broke'")
    made.migrate()
    return made


def unguarded(box: Sandbox, sql: str) -> None:
    """As the table was before guards stood on it."""
    with box.database.engine.begin() as tx:
        if box.database.name == "sqlite":
            for (name,) in tx.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'jobs'"
            ).all():
                tx.exec_driver_sql(f"DROP TRIGGER {name}")
        else:
            tx.exec_driver_sql("ALTER TABLE jobs DISABLE TRIGGER USER")
        tx.exec_driver_sql(sql)
        if box.database.name != "sqlite":
            tx.exec_driver_sql("ALTER TABLE jobs ENABLE TRIGGER USER")


def rows(box: Sandbox) -> dict[str, tuple[Any, ...]]:
    with box.database.read() as tx:
        asked = text("SELECT id, status, version, ready_at FROM jobs WHERE id IN ('old', 'ran', 'broke')")
        return {row[0]: tuple(row[1:]) for row in tx.execute(asked)}


@pytest.mark.parametrize("due", [False, True])
def test_rows_that_are_not_adopted_are_never_begun_repaired_or_refused(box: Sandbox, due: bool) -> None:
    if due:  # whoever copied the table may have filled in a date
        unguarded(box, "UPDATE jobs SET ready_at = '2020-01-01T00:00:00.000000Z' WHERE version IS NULL")
        box.migrate()
    before = rows(box)
    admit(box, "new", rank=1)
    assert dispatch(box) == 1
    box.drain()
    for _ in range(3):
        box.advance("6s")
        assert box.coordinates.sweep() == 0
        dispatch(box)
    assert rows(box) == before
    assert [before[id][:2] for id in ("old", "ran", "broke")] == [
        ("waiting", None),
        ("running", None),
        ("failed", None),
    ]
    assert [(moves(box, id), said_of(box, id)) for id in before] == [([], [])] * 3
    assert work_rows(box) == []
    assert counted(box, "repaired") == 0
    assert moves(box, "new")[-1][1] == "done"
