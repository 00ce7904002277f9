"""A check finds what a row belongs to by an index: SQLite has no hash join, and would read a whole table for each row without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from interlock import App
from interlock.store.connect import driver_connection
from tests.concurrency.legacy import letters, notices
from tests.contract.queue.test_queue_plans import articles
from tests.contract.working import jobs
from tests.kinds import domains

SHORT = {"json_each", "interlock_meta", "interlock_plan", "interlock_adoption", "sqlite_master"}
"""What may be read whole for each row: values of the statement itself, and tables that hold a handful of rows."""


@pytest.fixture
def asked(sqlite_url: str) -> Iterator[list[str]]:
    """Every statement that connections made from now on are asked, with its values."""
    statements: list[str] = []

    def listen(connection: Any, record: Any) -> None:
        connection.set_trace_callback(statements.append)

    event.listen(Engine, "connect", listen)
    yield statements
    event.remove(Engine, "connect", listen)


def scans_for_each_row(connection: Any, statement: str) -> list[str]:
    """The tables that a statement reads whole inside of a subquery that depends on the row outside of it."""
    inside: set[int] = set()
    found = []
    for id, parent, _, detail in connection.execute(f"EXPLAIN QUERY PLAN {statement}"):
        if parent in inside or detail.startswith("CORRELATED"):
            inside.add(id)
        if parent in inside and detail.startswith("SCAN ") and detail.split()[1] not in SHORT:
            found.append(detail)
    return found


def test_no_question_of_a_check_reads_a_whole_table_for_each_row(sqlite_url: str, asked: list[str]) -> None:
    with closing(App([jobs(), domains(), articles(), letters(), notices()], database=sqlite_url)) as app:
        app.migrate()
        app.admit_many("jobs", [{} for _ in range(3)])
        app.database.forget_connections()
        asked.clear()
        assert app.check().findings == []
        questions = [
            one for one in dict.fromkeys(asked) if one.lstrip().upper().startswith(("SELECT", "WITH"))
        ]
        assert len(questions) > 100, "the questions of the check were heard"
        with app.database.read() as tx:
            connection = driver_connection(tx)
            scanned = {one: found for one in questions if (found := scans_for_each_row(connection, one))}
    assert scanned == {}
