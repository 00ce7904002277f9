"""A migration of tables in use: locks are brief, indexes of large tables are built while others write, natural keys are looked at first."""

from __future__ import annotations

import logging
import threading
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table

from interlock import Adopt, App, Axis, Done, Machine, Workflow, after
from interlock.errors import SchemaOutdated
from interlock.store.migrations import migrate
from tests.contract.hand import Hand

MACHINE = Machine("host", initial="new", moves={"new": ["working"], "working": ["done"]})


def hosts(**more: Any) -> Workflow:
    table = Table(
        "hosts",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("host", String(40)),
        Column("status", String(20)),
    )
    axis = Axis("status", MACHINE, adopt=Adopt("hosts-1"))
    made = Workflow("hosts", records=table, axes=[axis], **more)

    @made.stage(waiting="new", running="working", done="done")
    def visit(work: Any) -> Done[None]:
        return Done()

    return made


@pytest.fixture
def legacy(hand: Hand) -> Hand:
    hand.run("CREATE TABLE hosts (id integer PRIMARY KEY, host varchar(40), status varchar(20))")
    for row in ((1, "a.example", "new"), (2, "b.example", "new"), (3, "a.example", "done")):
        hand.run("INSERT INTO hosts VALUES (?, ?, ?)", *row)
    return hand


def test_rows_that_share_a_natural_key_are_named_before_anything_changes(
    database_url: str, legacy: Hand
) -> None:
    before = legacy.everything()
    app = App([hosts(unique=["host"])], database=database_url)
    with pytest.raises(SchemaOutdated, match=r"share a natural key \(host\): a.example: ids 1, 3") as refusal:
        app.migrate()
    assert refusal.value.facts["duplicates"] == [["1", "3"]]
    assert legacy.everything() == before
    assert app.adoptions.scan("hosts").duplicates[0].ids == ("1", "3")
    legacy.run("UPDATE hosts SET host = 'c.example' WHERE id = 3")
    app.migrate()
    assert legacy.rows("SELECT id, version FROM hosts ORDER BY id") == [(1, None), (2, None), (3, None)]
    assert app.check().findings == []
    app.close()


@pytest.mark.postgresql_only
def test_a_table_that_somebody_holds_is_tried_again_and_nobody_waits_behind_it(
    database_url: str, legacy: Hand, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(migrate, "TRIES", ((0.05, 0.0),) * 1_000)
    tried = threading.Event()

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "could not lock a table" in record.getMessage():
                tried.set()

    watch = Watch()
    logging.getLogger("interlock.store").addHandler(watch)
    app, done = App([hosts()], database=database_url), list[list[str]]()
    worker = threading.Thread(target=lambda: done.append(app.migrate()))
    legacy.connection.execute("SELECT id FROM hosts LIMIT 1")  # a transaction that stays open
    try:
        worker.start()
        assert tried.wait(20)
    finally:
        legacy.connection.commit()
        worker.join(30)
        logging.getLogger("interlock.store").removeHandler(watch)
    assert "column hosts.version" in done[0]
    assert app.check().findings == []
    app.close()


@pytest.mark.postgresql_only
def test_indexes_of_a_large_table_are_built_while_others_write(
    database_url: str, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "LARGE", 1)
    app = App([hosts()], database=database_url)
    done = app.migrate()
    assert "index interlock_hosts_status_due" in done
    valid = (
        "SELECT x.indisvalid FROM pg_index x WHERE x.indexrelid = to_regclass('interlock_hosts_status_due')"
    )
    assert legacy.rows(valid) == [(True,)]
    legacy.run(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('interlock_hosts_status_due')"
    )
    assert app.migrate() == ["index interlock_hosts_status_due"]  # what a killed migration left is made anew
    assert legacy.rows(valid) == [(True,)]
    assert app.migrate() == []
    assert app.check().findings == []
    app.close()


@pytest.mark.postgresql_only
def test_rows_of_a_large_table_get_their_dates_slice_by_slice_and_a_killed_migration_goes_on(
    database_url: str, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits(*timers: Any) -> Workflow:
        machine = Machine("wait%", initial="new", moves={"new": ["done", *timers]})
        table = Table("waits", MetaData(), Column("id", Integer, primary_key=True, autoincrement=False))
        return Workflow("waits", records=table, axes=[Axis("status", machine)])

    with closing(App([waits()], database=database_url)) as app:
        app.migrate()
        app.admit_many("waits", [{"id": id} for id in range(10)])
    monkeypatch.setattr(migrate, "LARGE", 1)
    monkeypatch.setattr(migrate, "SLICE", 3)
    with closing(App([waits(after("7d", "late"))], database=database_url)) as app:
        monkeypatch.setattr(migrate, "fill_apart", lambda database, fill: None)
        app.migrate()  # as if it had been killed before the dates were set
        monkeypatch.undo()
        assert legacy.rows("SELECT count(*) FROM waits WHERE timer_at IS NOT NULL") == [(0,)]
        monkeypatch.setattr(migrate, "LARGE", 1)
        monkeypatch.setattr(migrate, "SLICE", 3)
        assert "timers: waits.status" in app.migrate()
        assert legacy.rows("SELECT count(*) FROM waits WHERE timer_at > since") == [(10,)]
        assert app.migrate() == []
        assert app.check().findings == []
