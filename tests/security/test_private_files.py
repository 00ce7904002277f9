"""Whatever Interlock creates, only the user who ran it can read: by its modes, and tried as another user."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table

from interlock import App, Axis, Machine, Workflow
from interlock.cli.commands.upkeep.doctor import rights
from interlock.cli.processes.up import greet
from interlock.store.files.file_store import FileStore
from tests.acceptance.upped import up
from tests.security.other_user import needs_another_user, public_folder, run_as_nobody

STATEMENT = b"Date,Description,Amount\n2026-01-02,COFFEE,-3.50\n2026-01-03,SALARY,1000.00\n"
READ_ALL = """
read, folders = [], []
for folder in sys.argv[1:]:
    for place, _, names in os.walk(folder, onerror=lambda error: None):
        folders.append(place)
        for name in names:
            try:
                with open(os.path.join(place, name), "rb") as file:
                    file.read(1)
                read.append(os.path.join(place, name))
            except PermissionError:
                pass
print(json.dumps({"read": read, "folders": folders}))
"""


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """As most machines have it: whoever does not care creates files that everybody can read."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def app_in(folder: Path) -> App:
    orders = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("order", initial="placed", moves={"placed": ["sent"]})
    app = App(
        [Workflow("orders", records=orders, axes=[Axis("status", machine)])],
        database=f"sqlite:///{folder / 'shop.db'}",
    )
    app.migrate()
    app.admit("orders", {"id": 1})
    return app


def modes(folder: Path) -> dict[str, str]:
    """The rights of a folder and of everything in it that others have any on."""
    return {
        str(path.relative_to(folder.parent)): f"{path.stat().st_mode & 0o777:04o}"
        for path in (folder, *folder.rglob("*"))
        if path.stat().st_mode & 0o077
    }


def test_a_database_that_an_app_makes_is_its_owners_alone(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    names = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    app.close()
    assert names == {"shop.db": 0o600, "shop.db-wal": 0o600, "shop.db-shm": 0o600}


def test_a_database_that_was_there_keeps_the_rights_that_its_owner_chose(tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    sqlite3.connect(file).close()
    file.touch()
    file.chmod(0o640)
    app_in(tmp_path).close()
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_data_folder_with_the_folders_above_it_is_its_owners_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "a" / "b"
    monkeypatch.setenv("INTERLOCK_DATA", str(data))
    monkeypatch.chdir(tmp_path)
    orders = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("order", initial="placed", moves={"placed": ["sent"]})
    app = App([Workflow("orders", records=orders, axes=[Axis("status", machine)])])
    app.migrate()
    assert modes(tmp_path / "a") == {}
    app.close()


def test_files_and_logs_are_their_owners_alone(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "files")
    store.put(STATEMENT)
    store.write_log("/logs/parse/1.json", b"{}")
    with store.receive() as file:
        file.write(b"another")
        file.keep()
    assert len([path for path in (tmp_path / "files").rglob("*") if path.is_file()]) == 3
    assert modes(tmp_path / "files") == {}


def test_archives_and_exports_are_their_owners_alone(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    app.ledger.seal()
    assert app.ledger.archive("9999-01", tmp_path / "archive") != []
    app.close()
    assert modes(tmp_path / "archive") == {}


def test_the_doctor_and_up_say_that_others_can_read_an_old_database(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with public_folder() as folder:
        app = app_in(folder)
        assert rights(app.database).verdict == "ok"
        (folder / "shop.db").chmod(0o644)
        answer = rights(app.database)
        assert (answer.verdict, "0644" in answer.finding, "chmod" in answer.hint) == ("warn", True, True)
        greet(app, "http://127.0.0.1:8700")
        app.close()
    assert "warning    other users" in capsys.readouterr().err


@needs_another_user
def test_another_user_reads_nothing_that_up_has_made() -> None:
    with public_folder() as folder:
        (folder / "open.txt").write_text("everybody may read this")
        (folder / "data").mkdir()  # made beforehand by somebody who left it open
        with up(folder / "data") as running:
            running.ended(running.upload("january.csv", STATEMENT))
            assert running.files() != []
            seen = json.loads(run_as_nobody(READ_ALL, str(folder)))
    assert seen["read"] == [str(folder / "open.txt")]
    assert seen["folders"] == [str(folder), str(folder / "data")]
