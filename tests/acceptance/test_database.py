"""`interlock db`: what it prints runs as it is, what it does is done once, and what is missing is found."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest
from pysqlite3 import dbapi2
from sqlalchemy import text
from sqlalchemy.engine import make_url

from interlock import App
from tests.acceptance import shop
from tests.acceptance.conftest import Run, parsed

SHOP = ("--app", "tests.acceptance.shop:workflows")


def written(run: Run, url: str) -> str:
    """The SQL as it is printed; the database it is for is never asked."""
    dialect = "sqlite" if url.startswith("sqlite") else "postgresql"
    told = run(*SHOP, "--database", "postgresql://127.0.0.1:1/nobody", "db", "sql", "--dialect", dialect)
    assert told.exit_code == 0, told.stderr
    return told.stdout


def spoken_by_drivers(url: str) -> str:
    """The URL as psql and psycopg write it."""
    return url.replace("postgresql+psycopg://", "postgresql://")


def run_script(url: str, script: str) -> None:
    if url.startswith("sqlite"):
        connection = dbapi2.connect(make_url(url).database)
        connection.executescript(script)
        connection.close()
    else:
        with psycopg.connect(spoken_by_drivers(url), autocommit=True) as connection:
            connection.execute(script.encode())


def test_the_printed_sql_runs_as_it_is_and_leaves_nothing_to_do(run: Run, database_url: str) -> None:
    script = written(run, database_url)
    run_script(database_url, script)
    checked = run(*SHOP, "--database", database_url, "db", "check")
    assert (checked.exit_code, checked.stdout) == (
        0,
        "ok: tables, columns and guards are what this code needs\n",
    )
    app = App(shop.workflows, database=database_url)
    assert app.migrate() == []
    app.admit("statements", {"id": "U1", "file_hash": "1"})
    app.move("statements", "U1", status="parsing", actor="ann")
    run_script(database_url, script)
    assert app.check().ok
    app.close()


def test_the_printed_sql_runs_in_the_tools_of_a_dba(run: Run, database_url: str, tmp_path: Path) -> None:
    tool = "sqlite3" if database_url.startswith("sqlite") else "psql"
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    file = tmp_path / "interlock.sql"
    file.write_text(written(run, database_url))
    command = [tool, "-bail", str(make_url(database_url).database)]
    if tool == "psql":
        command = [tool, "-qX", "-v", "ON_ERROR_STOP=1", spoken_by_drivers(database_url)]
    with file.open() as script:
        done = subprocess.run(command, stdin=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert run(*SHOP, "--database", database_url, "db", "check").exit_code == 0


def test_without_an_app_the_tables_of_the_bundled_workflows_are_printed_too(run: Run) -> None:
    told = run("db", "sql", "--dialect", "postgresql")
    for table in ("interlock_ledger", "uploads", "content_items", "domains"):
        assert f"CREATE TABLE IF NOT EXISTS {table}" in told.stdout
    assert told.stderr == ""


def test_an_upgrade_is_done_once(run: Run, database_url: str) -> None:
    words = (*SHOP, "--database", database_url, "db")
    missing = run(*words, "check")
    assert (missing.exit_code, "none of Interlock's tables" in missing.stdout) == (7, True)
    assert "own tables" in run(*words, "upgrade").stdout
    assert run(*words, "upgrade").stdout == "ok: the database was up to date\n"
    assert run(*words, "upgrade", "--contract").exit_code == 0
    assert run(*words, "check").exit_code == 0


def test_a_guard_that_was_taken_away_is_missed(app: App, shop_run: Run) -> None:
    with app.database.write() as tx:
        if app.database.name == "sqlite":
            tx.execute(text("DROP TRIGGER interlock_uploads_status_update"))
        else:
            tx.execute(text("ALTER TABLE uploads DISABLE TRIGGER interlock_history_update"))
    found = parsed(shop_run("db", "check", "-o", "json"))
    assert [one["what"] for one in found] == ["guards: uploads"]
    assert "was removed or switched off" in found[0]["problem"]


def test_a_missing_column_and_a_machine_nobody_knows_are_found(app: App, shop_run: Run) -> None:
    with app.database.write() as tx:
        tx.execute(text("DELETE FROM interlock_machine WHERE kind = 'content'"))
        tx.execute(text("ALTER TABLE domains RENAME COLUMN title TO heading"))
    found = {one["what"]: one["problem"] for one in parsed(shop_run("db", "check", "-o", "json"))}
    assert found["table domains"] == "lacks title"
    assert found["machine content"] == "the database does not know this version of it"
