"""`interlock` alone, `machine` and `doctor`: what may happen, where things stand, and is everything here?"""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from interlock import App
from tests.acceptance.conftest import Run, parsed


def test_alone_it_counts_every_state_and_says_what_needs_a_person(app: App, shop_run: Run) -> None:
    app.admit_many("statements", [{"id": f"U{number}", "file_hash": str(number)} for number in range(3)])
    app.move("statements", "U1", status="error", actor="ann")
    refused = app.move_many("statements", ["U2"], status="normalized", actor="ann")
    assert refused[0].outcome == "refused"
    told = parsed(shop_run("-o", "json"))
    held = {(row["kind"], row["axis"], row["scope"], row["state"]): row["records"] for row in told["counts"]}
    assert held["statements", "status", None, "queued_for_parse"] == 2
    assert held["themes", "status", "technical", "pending"] == 0
    assert [need["what"] for need in told["needs"]] == [
        "1 command was refused in the last 24 hours: statements, ILK-204",
        "1 of statements in error: only a person can move it on",
    ]
    assert "Needs a person" in shop_run().stdout


def test_a_kind_is_also_called_by_its_noun_and_its_table(app: App, shop_run: Run) -> None:
    app.admit("statements", {"id": "U1", "file_hash": "1"})
    names = ("statements", app.workflow("statements").noun, app.workflow("statements").table_name)
    assert len(set(names)) > 1
    for name in names:
        assert parsed(shop_run("record", "list", name, "-o", "json"))[0]["id"] == "U1", name
        assert parsed(shop_run("record", "why", name, "U1", "-o", "json"))["kind"] == "statements", name


def test_rows_that_nobody_adopted_are_mentioned(run: Run, sqlite_url: str, empty_folder: Path) -> None:
    (empty_folder / "legacy.py").write_text(
        "from interlock import *\nlight = Machine('light', initial='red', moves={'red': ['green'], 'green': ['red']})\n"
        "workflows = [Workflow('lights', records='lights', axes=[Axis('status', light)])]\n"
    )
    words = ("--app", "legacy:workflows", "--database", sqlite_url)
    app = App([], database=sqlite_url)
    with app.database.read():  # the file is there
        missing = run(*words)
    assert (missing.exit_code, "the database has no table 'lights'" in missing.stderr) == (1, True)
    with app.database.write() as tx:
        tx.execute(text("CREATE TABLE lights (id INTEGER PRIMARY KEY, status TEXT)"))
        tx.execute(text("INSERT INTO lights (status) VALUES ('red'), ('green')"))
    app.close()
    assert run(*words, "db", "upgrade").exit_code == 0
    assert "2 rows of lights have no history on status" in run(*words).stdout
    assert run(*words, "machine", "show", "lights").exit_code == 0


def test_a_quiet_house_says_so(shop_run: Run) -> None:
    assert "Nothing needs a person." in shop_run().stdout


def test_a_machine_is_shown_with_everything_around_it(shop_run: Run) -> None:
    told = shop_run("machine", "show", "domains").stdout
    for words in (
        "begins in null",
        "Queued",
        "entering(processing_status=Processing|Queued).requires(curation_status=Selected)",
        "domain",
    ):
        assert words in told
    whole = parsed(shop_run("machine", "show", "content", "-o", "json"))
    assert whole["gates"] == [{"gate": "level", "axis": "state", "before": "VALIDATED", "tier": 1}]
    moves = {(move["from"], move["to"]): move for move in whole["axes"][0]["moves"]}
    assert moves["CANDIDATE", "VALIDATED"]["needs"] == ["gate level"]
    assert moves["VALIDATED", "APPROVED"]["needs"][0] == "operator only"
    assert shop_run("machine", "lint").exit_code == 0


def test_a_machine_is_drawn_with_counts(app: App, shop_run: Run) -> None:
    app.admit("domains", {"id": 1, "host": "a"})
    assert shop_run("machine", "graph", "statements").stdout.startswith("stateDiagram-v2\n")
    drawn = shop_run("machine", "graph", "domains", "--axis", "curation_status", "--counts").stdout
    assert "New (1)" in drawn
    assert shop_run("machine", "graph", "content", "--format", "svg").stdout.startswith("<svg ")


def test_the_doctor_finds_everything_well(app: App, shop_run: Run) -> None:
    told = parsed(shop_run("doctor", "-o", "json"))
    assert {one["about"]: one["verdict"] for one in told["checks"]} == {
        "python": "ok",
        "sqlite": "ok",
        "psycopg": "ok",
        "isolation": "ok",
        "database": "ok",
        "clock": "ok",
        "schema": "ok",
        "rights": "ok",
        "disk": "ok",
        "files": "ok",
    }


def test_the_doctor_needs_no_app_and_no_database(run: Run) -> None:
    told = run("doctor")
    assert told.exit_code == 0
    assert "does not exist yet" in told.stdout


def test_without_an_app_the_doctor_looks_at_the_schema_of_the_bundled_workflows(
    run: Run, tmp_path: Path
) -> None:
    database = ("--database", f"sqlite:///{tmp_path / 'bundled.sqlite'}")
    assert run(*database, "db", "upgrade").exit_code == 0
    told = parsed(run(*database, "doctor", "-o", "json"))
    assert {one["about"]: one["verdict"] for one in told["checks"]}["schema"] == "ok"


@pytest.mark.parametrize("url", ["postgresql://ann:secret@127.0.0.1:1/shop", "nonsense"])
def test_the_doctor_says_what_is_wrong_with_a_database_and_no_secret(url: str, run: Run) -> None:
    told = run("doctor", "--database", url)
    assert told.exit_code == 7
    assert "fail  " in told.stdout
    assert "secret" not in told.stdout


def test_the_doctor_sees_a_schema_that_was_never_made(run: Run, database_url: str) -> None:
    if database_url.startswith("sqlite"):
        Path(database_url.removeprefix("sqlite:///")).touch()
    told = run("--app", "tests.acceptance.shop:workflows", "--database", database_url, "doctor")
    assert told.exit_code == 7
    assert "none of Interlock's tables" in told.stdout


def test_the_doctor_notices_a_library_that_is_missing_or_unsafe(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    monkeypatch.setattr("interlock.store.sqlite.connect.sqlite_driver", lambda: (sqlite3.dbapi2, False))
    told = run("doctor").stdout
    assert "warn  psycopg" in told
    assert "warn  sqlite" in told
    assert "pysqlite3-binary" in told
