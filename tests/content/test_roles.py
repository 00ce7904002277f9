"""With the rights of the database roles only: the coordinator's are enough for every hook, and a runner writes no payload."""

from __future__ import annotations

from contextlib import closing

import pytest
from sqlalchemy import text

from interlock import App
from interlock.errors import RefusedByDatabase
from interlock.workflows.content.acts import approve, deprecate, erase, promote, reject, submit
from interlock.workflows.content.tables import (
    SIDE_TABLES,
    approved_meanings,
    content_spine,
    rejected_items,
)
from interlock.workflows.content.types import CONTENT_TYPES
from interlock.workflows.content.workflow import declare
from tests.content.items import ADMIN, OPERATOR
from tests.kinds import open_app
from tests.servers.logins import Logins

DEFINITIONS = {
    "a": "a friendly animal that barks",
    "b": "it purrs and it sleeps",
    "c": "wears antlers in winter",
}


def test_the_coordinators_rights_are_enough_for_every_act(coordinator_url: str) -> None:
    with closing(open_app(coordinator_url, declare())) as app:
        for id, definition in DEFINITIONS.items():
            payload = {"word": id, "definition": definition}
            submit(
                app, item_id=id, item_type="meaning", language="EN", level="A1", payload=payload, actor="ann"
            )
            promote(app, id, actor="ann")
            for gate in app.workflow("content").gates:
                app.judge_gate("content", id, gate.name, passed=True, actor="gate")
            app.move("content", id, actor="ann", state="VALIDATED")
        approve(app, "a", **OPERATOR)
        approve(app, "b", **OPERATOR)
        reject(app, "c", **OPERATOR, reason="no such animal here")
        deprecate(app, "a", **OPERATOR, reason="outdated", replacement_id="b")
        for id in DEFINITIONS:
            erase(app, id, **ADMIN, reason="asked for")
        with app.database.read() as tx:
            assert tx.execute(approved_meanings.select()).all() == []
            assert [row.reason for row in tx.execute(rejected_items.select())] == ["erased"]
        assert [app.ledger.history("content", id)[-1].origin for id in DEFINITIONS] == ["erase"] * 3
        assert app.check().findings == []


def test_every_role_reads_the_views(postgres_url: str, logins: Logins) -> None:
    logins.prepare(postgres_url, [declare()])
    for role in ("coordinator", "runner", "reader"):
        with (
            closing(App([declare()], database=logins.url(postgres_url, role))) as app,
            app.database.read() as tx,
        ):
            for view in app.workflow("content").views:
                assert tx.execute(text(f"SELECT count(*) FROM {view.name}")).scalar() == 0


def test_a_runner_reads_every_payload_and_writes_none(postgres_url: str, logins: Logins) -> None:
    logins.prepare(postgres_url, [declare()])
    tables = [content_spine, *SIDE_TABLES, *(kind.table for kind in CONTENT_TYPES.values())]
    with closing(App([declare()], database=logins.url(postgres_url, "runner"))) as app:
        for table in tables:
            with app.database.read() as tx:
                assert tx.execute(text(f"SELECT count(*) FROM {table.name}")).scalar() == 0
            for statement in (
                f"INSERT INTO {table.name} (item_id) VALUES ('x')",
                f"UPDATE {table.name} SET item_id = 'y'",
                f"DELETE FROM {table.name}",
                f"TRUNCATE {table.name}",
            ):
                with pytest.raises(RefusedByDatabase, match="permission denied"), app.database.write() as tx:
                    tx.execute(text(statement))
