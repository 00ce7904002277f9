"""What a statement says of its moves reaches history, row by row, and is heard by no other statement."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from interlock import App
from interlock.authority.command import command
from interlock.store.postgresql.triggers import history as writing
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS
from tests.kinds import uploads

UPLOADED = SUBJECTS["one axis"]


@pytest.fixture
def app(opened: Any) -> App:
    found: App = opened(uploads())
    UPLOADED.admit(found)
    return found


@pytest.mark.postgresql_only
def test_what_one_statement_said_is_not_heard_by_the_next(app: App, hand: Hand) -> None:
    sql, values = hand.move(UPLOADED, "parsing")
    hand.connection.execute(hand.spelled(sql), values)
    with pytest.raises(Exception, match="ILK-213"):
        hand.connection.execute(
            "UPDATE uploads SET status = 'parsed', version = 2, head = sha256('') WHERE id = 'u1'"
        )
    hand.connection.rollback()
    assert app.get("statements", "u1")["version"] == 0


@pytest.mark.postgresql_only
def test_a_statement_typed_behind_a_move_in_the_same_transaction_is_refused(app: App) -> None:
    with app.database.engine.connect() as tx:
        app.move("statements", "u1", actor="ann", status="parsing", tx=tx)
        with pytest.raises(DBAPIError, match="ILK-213"):
            tx.execute(
                text("UPDATE uploads SET status = 'parsed', version = 2, head = sha256('') WHERE id = 'u1'")
            )
    assert app.get("statements", "u1")["version"] == 0


def token_of(id: str) -> str:
    return f"the token of {id}".ljust(32, "-")


def test_each_row_of_a_group_has_its_own_token(app: App) -> None:
    mover = app.authority.mover
    workflow = app.workflow("statements")
    order = command(workflow, workflow.axis("status"), "parsing", actor="coordinator")
    plan = mover.plan(order)
    for ids in (["u1", "u2"], ["u3"]):
        with app.database.write() as tx:
            rows = mover.read_rows(tx, order, plan, ids)
            group = mover.make_batch(
                order, plan, mover.judge_row(order, plan, rows[0]), rows, app.clock.now()
            )
            group.tokens = [token_of(row.key) for row in rows]
            assert mover.engine.move(tx, group) == set(ids)
    with app.database.read() as tx:
        found = tx.execute(
            text("SELECT record_id, token FROM interlock_ledger WHERE version = 1 ORDER BY 1")
        ).all()
    assert [tuple(row) for row in found] == [(id, token_of(id)) for id in ("u1", "u2", "u3")]
    assert app.check().findings == []


@pytest.mark.postgresql_only
def test_large_updates_of_other_columns_pass_and_of_states_do_not(
    monkeypatch: pytest.MonkeyPatch, opened: Any, hand: Hand
) -> None:
    monkeypatch.setattr(writing, "_LARGE", 2)
    app: App = opened(uploads())
    UPLOADED.admit(app)
    assert hand.run("UPDATE uploads SET observations_count = 7") == 3
    hand.refused("ILK-213", "UPDATE uploads SET status = 'parsing', version = 1")
    hand.refused("ILK-204", "UPDATE uploads SET status = CASE id WHEN 'u2' THEN 'normalized' ELSE status END")
    hand.refused("ILK-210", "UPDATE uploads SET id = id || '2'")


@pytest.mark.postgresql_only
def test_a_move_passes_when_what_was_prepared_is_gone(app: App) -> None:
    for id in ("u1", "u2"):
        assert app.move("statements", id, actor="ann", status="parsing").version == 1
        with app.database.single() as bare:
            bare.cursor.execute("DEALLOCATE ALL")
    assert app.move("statements", "u1", actor="ann", status="parsed").version == 2
    assert app.check().findings == []
