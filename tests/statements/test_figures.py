"""What people who watch statements are told beside the rest: rows per parse, possible duplicates, transactions with a category."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import insert

from interlock import App
from interlock.observe.metrics.collector import Watch
from interlock.workflows.statements.tables import transactions
from interlock.workflows.statements.workflow import declare
from tests.kinds import open_app


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    made = open_app(database_url, declare())
    yield made
    made.close()


def figures(app: App) -> dict[str, dict[tuple[str, ...], float]]:
    return {
        one.name: one.samples for one in Watch(app.database, app.clock, app.workflows, kept_for=0).figures()
    }


def upload(app: App, number: int, parser: str | None, rows: int | None) -> str:
    id = f"UL_{number}"
    app.admit(
        "statements",
        {
            "upload_id": id,
            "file_hash": f"sha256:{number:064x}",
            "storage_ref": "x",
            "source_type": "csv",
            "file_name": "a.csv",
            "file_size_bytes": 1,
            "mime_type": "text/csv",
            "upload_log_ref": "y",
            "created_at": app.clock.now(),
            "parser_id": parser,
            "observations_count": rows,
        },
    )
    return id


def transaction(app: App, upload_id: str, number: int, category: str, *flags: str) -> dict[str, Any]:
    now = app.clock.now()
    return {
        "canonical_id": f"{number:036d}",
        "upload_id": upload_id,
        "observation_id": f"{upload_id}:{number}",
        "date": now.date(),
        "amount": "1.00",
        "currency": "USD",
        "description": "x",
        "merchant": "x",
        "category": category,
        "account": "a",
        "flags": list(flags),
        "confidence_score": 1.0,
        "applied_rules": [],
        "normalized_at": now,
        "normalizer_version": "1",
        "rule_set_version": "1",
        "attempt": 1,
    }


def test_an_empty_database_has_figures_of_nothing(app: App) -> None:
    found = figures(app)
    assert found["interlock_statements_transactions"] == {("statements",): 0}
    assert found["interlock_statements_parses"] == {}
    assert found["interlock_metrics_failed"]["statements",] == 0


def test_rows_per_parse_duplicates_and_categories_are_counted(app: App) -> None:
    first = upload(app, 1, "csv", 3)
    upload(app, 2, "csv", 5)
    upload(app, 3, "ofx", 0)
    upload(app, 4, None, None)
    with app.database.write() as tx:
        tx.execute(
            insert(transactions),
            [
                transaction(app, first, 1, "groceries"),
                transaction(app, first, 2, "", "uncategorized"),
                transaction(app, first, 3, "rent", "possible_duplicate", "large_amount"),
            ],
        )
    found = figures(app)
    assert found["interlock_statements_parses"] == {("statements", "csv"): 2, ("statements", "ofx"): 1}
    assert found["interlock_statements_rows"] == {("statements", "csv"): 8, ("statements", "ofx"): 0}
    assert found["interlock_statements_transactions"] == {("statements",): 3}
    assert found["interlock_statements_duplicate_transactions"] == {("statements",): 1}
    assert found["interlock_statements_categorized_transactions"] == {("statements",): 2}


def test_uploads_are_counted_by_status_and_by_the_code_of_their_error(app: App) -> None:
    for number in (1, 2, 3):
        upload(app, number, None, None)
    app.move(
        "statements",
        "UL_1",
        status="error",
        actor="test",
        role="operator",
        reason="by hand",
        override=True,
        facts={"error_code": "PDF_CORRUPT"},
    )
    assert figures(app)["interlock_statements_uploads"] == {
        ("statements", "queued_for_parse", ""): 2,
        ("statements", "error", "PDF_CORRUPT"): 1,
    }
