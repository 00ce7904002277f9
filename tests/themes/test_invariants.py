"""Each invariant of the spec passes a clean database and names the item of a planted violation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, Engine, StaticPool, create_engine, insert, text

from interlock.cli.program import interlock
from interlock.testing import Sandbox
from interlock.workflows.themes.invariants import QUERIES, RESETS, SPEC, TRANSITIONS, read_spec
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.tables import STATUSES, content_sources
from interlock.workflows.themes.workflow import EXTRACTION, declare

IDS = [f"E1-INV-00{number}" for number in range(1, 8)]
ROW = "content_item_pipeline_state"
LEDGER = "interlock_ledger"
TABLES = {
    "content_sources": "",
    "content_items": "",
    ROW: "",
    LEDGER: "",
    "interlock_adoption": "",
    "interlock_counter": "count",
    "interlock_count_delta": "delta",
}
"""What a check reads; of tables that may be empty, the column with the number."""


@pytest.fixture(scope="module")
def clean_rows() -> dict[str, list[dict[str, Any]]]:
    """The rows of a clean database with three processed items, by table."""
    with closing(Sandbox([declare(Options())])) as box:
        fill(box)
        with box.database.read() as tx:
            return {
                name: [dict(row) for row in tx.execute(text(f"SELECT * FROM {name}")).mappings()]
                for name in TABLES
            }


def fill(box: Sandbox) -> None:
    """Process three items in both pipelines."""
    with box.database.engine.begin() as tx:
        values = {"name": "n", "source_type": "news", "pipelines": ["technical", "fundamental"]}
        tx.execute(insert(content_sources).values(is_active=True, **values))
    item = {"source_id": 1, "source_type": "news", "title": "Gold rises", "content": "Gold."}
    box.admit_many("themes", [{**item, "external_id": str(number)} for number in range(3)])
    box.drain()
    assert not box.check().findings


@pytest.fixture
def unguarded(clean_rows: dict[str, list[dict[str, Any]]]) -> Iterator[Engine]:
    """The clean rows in plain tables: nothing refuses what a test plants."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as tx:
        for name, rows in clean_rows.items():
            columns = list(rows[0]) if rows else ["kind", "axis", "scope", "state", TABLES[name]]
            tx.execute(text(f"CREATE TABLE {name} ({', '.join(columns)})"))
            for row in rows:
                tx.execute(
                    text(f"INSERT INTO {name} VALUES ({', '.join(f':{one}' for one in columns)})"), row
                )
    yield engine
    engine.dispose()


def offending(engine: Engine, id: str) -> list[str]:
    with engine.begin() as tx:
        return sorted(str(row[0]) for row in tx.execute(QUERIES[id]()))


def test_the_spec_has_the_seven_ids_and_its_copy_in_the_documentation_is_equal() -> None:
    spec = read_spec()
    assert [one["id"] for one in spec["invariants"]] == IDS == list(QUERIES)
    assert spec["version"] == 1
    assert all(one["rationale"] and one["issue"] for one in spec["deviations"])
    root = Path(__file__).parents[2]
    package = root / "src/interlock/workflows/themes" / SPEC
    assert package.read_bytes() == (root / "docs/theme_identity" / SPEC).read_bytes()


def test_the_transitions_of_the_invariant_are_those_of_the_machine() -> None:
    declared = {(str(old), str(edge.to)) for old, edge in EXTRACTION.pairs()}
    assert declared == {*TRANSITIONS, *RESETS}
    assert set(STATUSES) == set(EXTRACTION.states)


@pytest.mark.parametrize("id", IDS)
def test_a_clean_database_passes(unguarded: Engine, id: str) -> None:
    assert offending(unguarded, id) == []


SECOND = "content_item_id = 2 AND pipeline = 'technical'"


PLANTS = [
    ("E1-INV-001", f"INSERT INTO {ROW} (id, content_item_id, pipeline) VALUES (99, 2, 'technical')"),
    ("E1-INV-001", f"UPDATE {ROW} SET pipeline = 'astrological' WHERE {SECOND}"),
    ("E1-INV-001", "DELETE FROM content_items WHERE id = 2"),
    ("E1-INV-002", f"UPDATE {ROW} SET status = 'done' WHERE {SECOND}"),
    (
        "E1-INV-002",
        f"UPDATE {LEDGER} SET from_state = 'pending' WHERE record_id = '2' AND to_state = 'processed'",
    ),
    (
        "E1-INV-002",
        f"UPDATE {LEDGER} SET from_state = 'processed', to_state = 'pending' WHERE record_id = '2' AND version = 2",
    ),
    ("E1-INV-002", f"UPDATE {LEDGER} SET to_state = 'processed' WHERE record_id = '2' AND version = 0"),
    ("E1-INV-003", f"UPDATE {ROW} SET error_code = 'x' WHERE {SECOND}"),
    ("E1-INV-003", f"UPDATE {ROW} SET processed_at = NULL WHERE {SECOND}"),
    (
        "E1-INV-003",
        f"UPDATE {ROW} SET status = 'failed_retryable', processed_at = NULL, error_code = 'provider_rejected' WHERE {SECOND}",
    ),
    ("E1-INV-004", f"UPDATE {ROW} SET attempt_count = 6 WHERE {SECOND}"),
    ("E1-INV-004", f"UPDATE {ROW} SET attempt_count = 0 WHERE {SECOND}"),
    ("E1-INV-004", f"UPDATE {ROW} SET last_attempt_at = NULL WHERE {SECOND}"),
    ("E1-INV-004", f"UPDATE {ROW} SET status = 'failed_terminal' WHERE {SECOND}"),
    ("E1-INV-005", "UPDATE content_items SET is_processed = 0 WHERE id = 2"),
    ("E1-INV-005", "UPDATE content_items SET extraction_error = 'x' WHERE id = 2"),
    ("E1-INV-005", f"UPDATE {ROW} SET status = 'pending' WHERE {SECOND}"),
    ("E1-INV-005", f"UPDATE {ROW} SET status = 'failed_retryable' WHERE {SECOND}"),
    ("E1-INV-007", f"UPDATE {ROW} SET status = 'pending' WHERE {SECOND}"),
    ("E1-INV-007", f"UPDATE {ROW} SET version = 7 WHERE {SECOND}"),
    ("E1-INV-007", f"DELETE FROM {LEDGER} WHERE record_id = '2' AND version = 2"),
]


@pytest.mark.parametrize(("id", "plant"), PLANTS)
def test_a_planted_violation_is_named(unguarded: Engine, id: str, plant: str) -> None:
    with unguarded.begin() as tx:
        assert tx.execute(text(plant)).rowcount
    assert offending(unguarded, id) == ["2"]


@pytest.mark.postgresql_only
def test_each_planted_violation_is_named_on_a_server(database_url: str) -> None:
    """On PostgreSQL in plain copies of the tables, which nothing guards; each plant is undone before the next."""
    with closing(Sandbox([declare(Options())], database=database_url)) as box:
        fill(box)
        with box.database.engine.connect() as tx:
            tx.execute(text("CREATE SCHEMA plain"))
            for name in TABLES:
                tx.execute(text(f"CREATE TABLE plain.{name} AS TABLE public.{name}"))
            tx.execute(text("SET LOCAL search_path TO plain"))
            assert {id: broken_by(tx, id) for id in IDS} == {id: [] for id in IDS}
            for id, plant in PLANTS:
                nested = tx.begin_nested()
                assert tx.execute(text(plant.replace("is_processed = 0", "is_processed = false"))).rowcount
                assert broken_by(tx, id) == ["2"], plant
                nested.rollback()


def broken_by(tx: Connection, id: str) -> list[str]:
    return sorted(str(row[0]) for row in tx.execute(QUERIES[id]()))


def test_items_of_which_only_a_backfill_is_known_keep_the_flags_that_they_had(unguarded: Engine) -> None:
    with unguarded.begin() as tx:
        tx.execute(text("UPDATE content_items SET is_processed = 0 WHERE id = 2"))
        tx.execute(text(f"DELETE FROM {LEDGER} WHERE record_id = '2' AND version > 0"))
        tx.execute(text(f"UPDATE {LEDGER} SET origin = 'backfill' WHERE record_id = '2'"))
    assert offending(unguarded, "E1-INV-005") == []


def test_a_check_that_people_type_names_invariant_and_item_and_ends_with_seven(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ["--app", "tests.themes.shop:workflows", "--database", database_url]
    with closing(Sandbox([declare(Options())], database=database_url)) as box:
        fill(box)
        clean = CliRunner().invoke(interlock, [*typed, "check", "themes", "-o", "json"])
        assert clean.exit_code == 0, clean.output
        assert set(IDS) <= set(json.loads(clean.stdout)["invariants"])
        with box.database.engine.begin() as tx:
            tx.execute(text("UPDATE content_items SET extraction_error = 'by hand' WHERE id = 2"))
        broken = CliRunner().invoke(interlock, [*typed, "check", "themes", "-o", "json"])
        assert broken.exit_code == 7
        answer = json.loads(broken.stdout)
        assert ("E1-INV-005", "2") in {(one["invariant"], one["id"]) for one in answer["findings"]}
        assert answer["repairs"] == [
            {
                "command": "interlock mirror repair themes",
                "kind": "themes",
                "invariants": ["E1-INV-005", "mirror"],
                "records": 1,
            }
        ]
        read = CliRunner().invoke(interlock, [*typed, "check", "themes"])
        plan = "repair: interlock mirror repair themes   mends E1-INV-005, mirror of 1 themes"
        assert (read.exit_code, plan in read.stdout) == (7, True)
        health = CliRunner().invoke(interlock, [*typed, "themes", "health"])
        assert (health.exit_code, "repair: interlock mirror repair themes" in health.stdout) == (7, True)
        assert CliRunner().invoke(interlock, [*typed, "mirror", "repair", "themes"]).exit_code == 0
        assert CliRunner().invoke(interlock, [*typed, "check", "themes"]).exit_code == 0


def test_a_wrong_count_is_named_by_its_pipeline_and_status(unguarded: Engine) -> None:
    with unguarded.begin() as tx:
        tx.execute(text(f"UPDATE {ROW} SET status = 'pending' WHERE {SECOND}"))
    assert offending(unguarded, "E1-INV-006") == ["technical:pending", "technical:processed"]


def test_a_row_in_progress_that_its_source_does_not_feed_is_named(unguarded: Engine) -> None:
    with unguarded.begin() as tx:
        tx.execute(text(f"UPDATE {ROW} SET status = 'in_progress' WHERE {SECOND}"))
        tx.execute(
            text(
                f"UPDATE {LEDGER} SET to_state = 'in_progress' WHERE record_id = '2' AND scope = 'technical' AND version = 2"
            )
        )
        assert offending_in(tx) == []
        tx.execute(text("UPDATE content_sources SET pipelines = '[\"fundamental\"]'"))
        assert offending_in(tx) == [2]


def offending_in(tx: Any) -> list[Any]:
    return [row[0] for row in tx.execute(QUERIES["E1-INV-007"]())]


def test_a_check_of_the_app_names_the_invariant_and_the_item(database_url: str) -> None:
    with closing(Sandbox([declare(Options())], database=database_url)) as box:
        box.migrate()
        with box.database.engine.begin() as tx:
            tx.execute(
                insert(content_sources).values(
                    name="n", source_type="news", pipelines=["technical"], is_active=True
                )
            )
        item = {
            "source_id": 1,
            "source_type": "news",
            "external_id": "1",
            "title": "Gold rises",
            "content": "Gold.",
        }
        id = box.admit("themes", item).id
        box.drain()
        assert not box.check().findings
        with box.database.engine.begin() as tx:
            tx.execute(text("UPDATE content_items SET extraction_error = 'by hand'"))
        named = {(one.invariant, one.id) for one in box.check().findings}
        assert ("E1-INV-005", str(id)) in named
        box.repair_mirrors("themes")
        assert not box.check().findings
