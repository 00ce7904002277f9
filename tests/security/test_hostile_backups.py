"""Backups that somebody else has made or changed: nothing that such a file says becomes SQL, and nothing of it is kept that a check would
find fault with."""

from __future__ import annotations

import itertools
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, inspect, text

from interlock import App, Axis, Machine, Workflow
from interlock.errors import BadInput
from interlock.observe.proofs.backups import back_up, restore
from interlock.store.engines import sqlite_driver
from interlock.store.verify.verify import Report
from tests.servers.postgres import Server

_numbers = itertools.count(1)
SQL = "interlock_ledger DISABLE TRIGGER USER; CREATE TABLE typed AS SELECT 1 AS one; COMMIT; ALTER TABLE interlock_ledger"
"""What a name becomes in `ALTER TABLE name DISABLE TRIGGER USER`: it was carried out, with the rights of the owner."""
STRANGE = b"7\n"
STRANGE_PART = {"part": "tables/strange.copy", "columns": ["id"], "sha256": sha256(STRANGE).hexdigest()}

Change = Callable[[dict[str, Any]], None]


def shop() -> Workflow:
    orders = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("order", initial="placed", moves={"placed": ["sent"]})
    return Workflow("orders", records=orders, axes=[Axis("status", machine)])


@pytest.fixture
def file(database_url: str, tmp_path: Path) -> Path:
    """A backup as it should be."""
    with closing(App([shop()], database=database_url)) as app:
        app.migrate()
        app.admit_many("orders", [{"id": 1}, {"id": 2}])
        app.move("orders", 1, actor="ann", status="sent")
        app.ledger.seal()
        path = tmp_path / "shop.backup"
        back_up(app.database, list(app.workflows.values()), path, app.clock.now(), lambda *_: None)
    return path


@pytest.fixture
def fresh(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[App]:
    """A database of the same kind, with tables of somebody else in it where that is possible."""
    if database_url.startswith("sqlite"):
        with closing(App([shop()], database=f"sqlite:///{tmp_path / 'fresh.db'}")) as app:
            yield app
        return
    server: Server = request.getfixturevalue("postgres_server")
    name = f"interlock_hostile_{os.getpid()}_{next(_numbers)}"
    with closing(App([shop()], database=server.create_database(name, "template0"))) as app:
        with app.database.write() as tx:
            tx.execute(text("CREATE TABLE theirs (id serial)"))
        yield app
    server.retire_database(name)


def restored(app: App, file: Path) -> Report:
    return restore(app.database, list(app.workflows.values()), file, lambda *_: None)[1]


def forged(file: Path, change: Change) -> Path:
    """The backup of a PostgreSQL with another list of contents, and a table more among its parts."""
    path = file.with_name("forged.backup")
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(path, "w") as into:
        manifest = json.loads(archive.read("manifest.json"))
        change(manifest)
        for name in archive.namelist():
            if name != "manifest.json":
                into.writestr(name, archive.read(name))
        into.writestr("tables/strange.copy", STRANGE)
        into.writestr("manifest.json", json.dumps(manifest))
    return path


def add_table(name: str) -> Change:
    def add(manifest: dict[str, Any]) -> None:
        manifest["tables"][name] = 1
        manifest["loading"]["parts"][name] = STRANGE_PART

    return add


def loading(**changed: Any) -> Change:
    return lambda manifest: manifest["loading"].update(changed)


def ledger(**changed: Any) -> Change:
    return lambda manifest: manifest["loading"]["parts"]["interlock_ledger"].update(changed)


CONTENTS: dict[str, Change] = {
    "SQL as the name of a table": lambda manifest: manifest["tables"].update({SQL: 0}),
    "SQL as the name of a table that it has": add_table(SQL),
    "a table of somebody else": add_table("theirs"),
    "a table of the server": add_table("pg_catalog.pg_authid"),
    "a number of somebody else's table": lambda manifest: manifest["loading"]["sequences"].append(
        ["theirs", "id", 9_000_000, True]
    ),
    "SQL as the name of a column": ledger(columns=["position) FROM PROGRAM 'true' --"]),
    "columns that are no names": ledger(columns=[7]),
    "no columns": ledger(columns=[]),
    "a part that is no name": ledger(part=7),
    "a part that is not there": ledger(part="../../etc/passwd"),
    "a part that is a list": loading(parts=[]),
    "no parts": loading(parts={}),
    "numbers that are none": loading(sequences=[[1]]),
    "rows that are no number": lambda manifest: manifest["tables"].update(interlock_ledger="many"),
    "tables that are a list": lambda manifest: manifest.update(tables=[1, 2]),
    "an instant that is none": lambda manifest: manifest.update(at={}),
    "a list of contents without end": lambda manifest: manifest.update(left_out=["x" * (1 << 25)]),
}


@pytest.mark.postgresql_only
def test_nothing_that_a_list_of_contents_names_becomes_sql_or_reaches_other_tables(
    file: Path, fresh: App
) -> None:
    for name, change in CONTENTS.items():
        with pytest.raises(BadInput):
            print(name, restored(fresh, forged(file, change)))  # noqa: T201 which one was taken
    with fresh.database.read() as tx:
        assert not inspect(tx).has_table("typed")
        assert tx.execute(text("SELECT count(*) FROM theirs")).scalar() == 0
        assert tx.execute(text("SELECT last_value FROM theirs_id_seq")).scalar() == 1
    assert restored(fresh, file).findings == []
    assert [move.new for move in fresh.ledger.history("orders", 1)] == ["placed", "sent"]


BROUGHT = {
    "a trigger of its own on the ledger": "CREATE TRIGGER helper AFTER INSERT ON interlock_ledger BEGIN DELETE FROM interlock_work; END",
    "a trigger of its own in the name of a guard that no axis has": "CREATE TRIGGER interlock_orders_status_follows AFTER INSERT ON "
    "interlock_ledger BEGIN DELETE FROM interlock_work; END",
    "a list of contents with SQL in it": "UPDATE interlock_meta SET value = json_set(value, '$.tables.nothing', 0, '$.loading', "
    "json('{\"parts\": {\"nothing\": 1}}')) WHERE key = 'backup'",
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("name", BROUGHT)
def test_what_a_file_brings_along_is_found_before_it_is_kept(name: str, file: Path, fresh: App) -> None:
    with closing(sqlite_driver()[0].connect(str(file))) as connection:
        connection.execute(BROUGHT[name])
        connection.commit()
    with suppress(BadInput):
        assert restored(fresh, file).findings != []
    assert not Path(str(fresh.database.engine.url.database)).exists()
