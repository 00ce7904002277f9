"""`interlock db backup` and `restore`: one snapshot while others write, nothing restored that does not verify, nothing overwritten."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from pysqlite3 import dbapi2
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from interlock import App
from interlock.errors import InvalidStateTransition
from interlock.store.records import api_keys as keys
from tests.acceptance import shop
from tests.acceptance.conftest import Run, parsed
from tests.acceptance.upped import up
from tests.servers.postgres import Server
from tests.service.conftest import make_key

_numbers = itertools.count(1)
SHOP = ("--app", "tests.acceptance.shop:workflows")


@pytest.fixture
def fresh_url(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of the same kind in which there is nothing at all."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'fresh.db'}"
        return
    server: Server = request.getfixturevalue("postgres_server")
    name = f"interlock_fresh_{os.getpid()}_{next(_numbers)}"
    yield server.create_database(name, "template0")
    server.retire_database(name)


@pytest.fixture
def full(app: App) -> App:
    """Records of every kind, refusals, details, seals and a key."""
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h\t{number}"} for number in range(50)])
    app.admit_many("domains", [{"id": number, "host": f"höst{number}\\n.example"} for number in range(1, 4)])
    app.admit("content", {"item_id": "c1", "author": "bob"})
    app.admit("themes", {"id": 1, "title": "Rates rise"})
    app.move_many(
        "statements", [f"u{number}" for number in range(10)], actor="ann", status="parsing", reason="so"
    )
    app.ledger.seal()
    with pytest.raises(InvalidStateTransition):
        app.move("statements", "u1", actor="eve", status="normalized")
    app.move("domains", 1, actor="ann", curation_status="Selected", reason="good")
    app.ledger.seal()
    make_key(app, "viewer", "vera")
    return app


def on(run: Run, url: str, *words: str | Path) -> tuple[int, str, str]:
    result = run(*SHOP, "--database", url, *map(str, words))
    return result.exit_code, result.stdout, result.stderr


def typed(url: str, sql: str) -> None:
    engine = create_engine(url)
    try:
        with engine.begin() as tx:
            tx.execute(text(sql))
    finally:
        engine.dispose()


def test_a_backup_is_restored_whole_and_life_goes_on_in_it(
    full: App, run: Run, database_url: str, fresh_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.backup"
    code, _, answer = on(run, database_url, "db", "backup", file)
    assert code == 0, answer
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if "backup" in path.name) == ["shop.backup"]
    before = {kind: len(full.ledger.tail(limit=1000, kind=kind)) for kind in full.workflows}
    full.move("statements", "u20", actor="ann", status="parsing", reason="after the backup")

    code, printed, answer = on(run, fresh_url, "db", "restore", file)
    assert (code, printed.startswith("ok: ")) == (0, True), (printed, answer)
    restored = App(shop.workflows, database=fresh_url)
    restored.ready()
    assert restored.check().findings == []
    assert [seal.hash for seal in restored.ledger.seals()] == [seal.hash for seal in full.ledger.seals()]
    for id in ("u1", "u20", "u49"):
        assert restored.ledger.history("statements", id) == [
            move for move in full.ledger.history("statements", id) if move.reason != "after the backup"
        ]
    assert restored.get("domains", 2)["host"] == "höst2\\n.example"
    assert restored.get("statements", "u20")["status"] == "queued_for_parse"
    assert sum(before.values()) == restored.ledger.verify().entries
    with restored.database.read() as tx:
        assert [key.name for key in keys.every(tx)] == ["vera"]

    restored.admit("domains", {"host": "new.example"})
    restored.move("statements", "u20", actor="ann", status="parsing")
    with pytest.raises(DBAPIError, match="ILK-"):
        typed(fresh_url, "UPDATE uploads SET status = 'normalized' WHERE id = 'u3'")
    with pytest.raises(DBAPIError, match="ILK-210"):
        typed(fresh_url, "UPDATE interlock_ledger SET actor = 'mallory'")
    assert restored.ledger.seal() is not None
    assert restored.check().findings == []
    assert restored.get("statements", "u3")["status"] == "parsing"
    restored.close()


@pytest.mark.sqlite_only
def test_after_a_clean_end_the_file_alone_is_whole(full: App, database_url: str, tmp_path: Path) -> None:
    file = Path(make_url(database_url).database or "")
    entries = full.ledger.verify().entries
    full.close()
    assert not file.with_name(f"{file.name}-wal").exists()
    copy = tmp_path / "copied.db"
    shutil.copy(file, copy)
    copied = App(shop.workflows, database=f"sqlite:///{copy}")
    assert copied.ledger.verify().entries == entries > 0
    assert copied.check().findings == []
    copied.close()


def test_a_backup_is_one_snapshot_while_others_write(
    full: App, run: Run, database_url: str, fresh_url: str, tmp_path: Path
) -> None:
    stop, wrote = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            full.admit_many("statements", [{"id": f"w{number}-{part}"} for part in range(20)])
            full.move_many(
                "statements", [f"w{number}-{part}" for part in range(20)], actor="ann", status="parsing"
            )
            wrote.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert wrote.wait(30)
        code, _, answer = on(run, database_url, "db", "backup", tmp_path / "busy.backup")
    finally:
        stop.set()
        writer.join(30)
    assert code == 0, answer
    code, printed, answer = on(run, fresh_url, "db", "restore", tmp_path / "busy.backup")
    assert code == 0, (printed, answer)
    assert full.check().findings == []


def test_nothing_is_overwritten_and_nothing_restored_into_a_database_that_is_used(
    full: App, run: Run, database_url: str, fresh_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.backup"
    assert on(run, database_url, "db", "backup", file)[0] == 0
    kept = file.read_bytes()
    assert on(run, database_url, "db", "backup", file)[0] == 2
    assert file.read_bytes() == kept
    entries = full.ledger.verify().entries
    code, _, answer = on(run, database_url, "db", "restore", file)
    assert (code, "not empty" in answer) == (2, True)
    assert full.ledger.verify().entries == entries
    assert on(run, database_url, "db", "backup", tmp_path / "no" / "where.backup")[0] == 2
    assert on(run, fresh_url, "db", "restore", tmp_path / "nothing.backup")[0] == 2


def test_a_file_that_is_damaged_cut_or_no_backup_restores_nothing(
    full: App, run: Run, database_url: str, fresh_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.backup"
    assert on(run, database_url, "db", "backup", file)[0] == 0
    whole = file.read_bytes()
    middle = len(whole) // 2
    for damaged in (
        whole[:middle],
        whole[:middle] + bytes(8192) + whole[middle + 8192 :],
        b"nonsense",
        b"",
    ):
        file.write_bytes(damaged)
        code, printed, answer = on(run, fresh_url, "db", "restore", file)
        assert code == 2, (printed, answer)
    if fresh_url.startswith("sqlite"):
        assert not Path(str(make_url(fresh_url).database)).exists()
    else:
        app = App(shop.workflows, database=fresh_url)
        assert app.migrate() != []  # there was nothing at all
        app.close()


@pytest.mark.sqlite_only
def test_a_history_that_was_changed_in_the_file_is_found_and_not_kept(
    full: App, run: Run, database_url: str, fresh_url: str, tmp_path: Path
) -> None:
    file, target = tmp_path / "shop.backup", Path(str(make_url(fresh_url).database))
    assert on(run, database_url, "db", "backup", file)[0] == 0
    with dbapi2.connect(str(file)) as tampering:
        for (name,) in tampering.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            tampering.execute(f'DROP TRIGGER "{name}"')
        tampering.execute(
            "UPDATE interlock_ledger SET actor = 'mallory' WHERE record_id = 'u1' AND version = 1"
        )
        tampering.execute("DELETE FROM interlock_verdict")
    tampering.close()
    code, printed, answer = on(run, fresh_url, "db", "restore", file)
    assert code == 7, answer
    assert ("its hash does not follow" in printed, "nothing of it was kept" in answer) == (True, True)
    assert "0 rows were restored of 1" in printed
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("fresh")] == []
    code, printed, answer = on(run, fresh_url, "db", "restore", file, "--even-if-broken")
    assert (code, target.exists(), "although it is broken" in answer) == (7, True, True)


@pytest.mark.postgresql_only
def test_a_history_that_was_changed_in_the_archive_is_found_and_not_kept(
    full: App, run: Run, database_url: str, fresh_url: str, tmp_path: Path
) -> None:
    file, forged = tmp_path / "shop.backup", tmp_path / "forged.backup"
    assert on(run, database_url, "db", "backup", file)[0] == 0
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(forged, "w") as into:
        manifest = json.loads(archive.read("manifest.json"))
        part = manifest["loading"]["parts"]["interlock_ledger"]
        for name in archive.namelist():
            content = archive.read(name)
            if name == part["part"]:
                content = content.replace(b"\tann\t", b"\tmallory\t", 1)
                part["sha256"] = sha256(content).hexdigest()
            if name != "manifest.json":
                into.writestr(name, content)
        into.writestr("manifest.json", json.dumps(manifest))
    code, printed, answer = on(run, fresh_url, "db", "restore", forged)
    assert (code, "its hash does not follow" in printed, "nothing of it was kept" in answer) == (
        7,
        True,
        True,
    )
    emptied = App(shop.workflows, database=fresh_url)
    with emptied.database.read() as tx:
        assert tx.execute(text("SELECT count(*) FROM uploads")).scalar() == 0
    assert emptied.ledger.verify().entries == 0
    emptied.ready()
    emptied.close()
    assert on(run, fresh_url, "db", "restore", file)[0] == 0


@pytest.mark.postgresql_only
def test_tables_that_no_workflow_names_are_told_of(
    full: App, run: Run, database_url: str, tmp_path: Path
) -> None:
    typed(database_url, "CREATE TABLE invoices (id int)")
    code, printed, answer = on(run, database_url, "db", "backup", tmp_path / "x.backup", "-o", "json")
    assert (code, json.loads(printed)["left_out"], "invoices" in answer) == (0, ["invoices"], True)


def test_beside_a_running_up_a_backup_needs_no_app(run: Run, tmp_path: Path) -> None:
    statement = b"Date,Description,Amount\n2026-01-02,COFFEE,-3.50\n"
    file = tmp_path / "up.backup"
    with up(tmp_path / "data") as running:
        upload = running.upload("january.csv", statement)
        running.ended(upload)
        result = parsed(run("db", "backup", file, "-o", "json", env={"INTERLOCK_DATA": str(running.data)}))
        assert result["last_position"] >= 4
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["files", "interlock.sqlite"]
    copied = tmp_path / "copied.sqlite"
    shutil.copy(
        tmp_path / "data" / "interlock.sqlite", copied
    )  # ended in good order, the file alone is whole
    for database in (copied, file):
        with dbapi2.connect(str(database)) as looking:
            assert looking.execute("SELECT status FROM uploads").fetchall() == [("normalized",)]
            assert looking.execute("SELECT count(*) FROM interlock_ledger").fetchone()[0] >= 4
        looking.close()
    again = run("db", "restore", file, "--database", f"sqlite:///{tmp_path / 'again.sqlite'}")
    assert again.exit_code == 0, again.stderr
