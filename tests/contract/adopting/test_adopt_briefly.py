"""A team's own writers go on while their table is adopted: what locks it is brief, and what one of their statements costs does not grow."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import event, text

from interlock import App
from interlock.adopt import catch_up
from interlock.store.migrations import migrate
from interlock.store.sqlite import strays
from tests.contract.adopting.tickets import begun, clean, entries, legacy
from tests.contract.hand import Hand
from tests.contract.working import Boxed

__all__ = ["legacy"]
LEAD = {"actor": "ann", "role": "operator", "reason": "on"}
MANY = range(100, 140)


def with_many(boxed: Boxed, hand: Hand) -> App:
    """The table with some more rows, all adopted but those that no rule matches."""
    for id in MANY:
        hand.run("INSERT INTO tickets VALUES (?, 'new', NULL, 0)", id)
    box = begun(boxed, hand)
    box.adoptions.backfill("tickets", actor="ann")
    return box


@pytest.mark.postgresql_only
def test_a_guard_that_begins_to_follow_reads_what_was_noted_and_no_other_row(
    boxed: Boxed, legacy: Hand
) -> None:
    box = with_many(boxed, legacy)
    box.adoptions.cutover("tickets", 1, **LEAD)
    legacy.run("UPDATE tickets SET status = 'Finished' WHERE id IN (100, 101)")
    place = box.adoptions.place("tickets")
    asked = text(
        "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'tickets'"
    )
    with box.database.write() as tx:
        before = tx.execute(asked).scalar_one()  # by this connection, until now
        box.authority.engine.begin_following(tx, place, lambda: None)
        assert tx.execute(asked).scalar_one() - before <= 6, "two rows, looked at, set back, and set again"
        tx.rollback()
    box.adoptions.cutover("tickets", 2, **LEAD)
    assert [entry[:4] for entry in entries(legacy, 100)] == [
        (0, None, "new", "backfill"),
        (1, "new", "done", "legacy"),
    ]
    clean(box)


@pytest.mark.postgresql_only
def test_what_one_statement_past_interlock_says_does_not_grow_with_its_rows(
    boxed: Boxed, legacy: Hand
) -> None:
    box = with_many(boxed, legacy)
    said = "SELECT length(current_setting('interlock.said_tickets_status', true))"
    with legacy.connection.transaction():
        legacy.connection.execute("UPDATE tickets SET status = 'Finished' WHERE id >= 100")
        ((length,),) = legacy.connection.execute(said).fetchall()
    assert 100 < length < 1000
    spelled = (
        "SELECT count(DISTINCT l.detail) FROM interlock_ledger l JOIN interlock_detail d ON d.digest = l.detail "
        "WHERE l.origin = 'legacy' AND l.kind = 'tickets' AND d.facts = '{\"raw\":\"Finished\"}' AND d.record_id = l.record_id"
    )
    assert legacy.rows(spelled) == [(len(MANY),)]
    clean(box)


@pytest.mark.postgresql_only
def test_statements_in_one_block_past_interlock_have_each_the_details_of_their_own(
    boxed: Boxed, legacy: Hand
) -> None:
    box = with_many(boxed, legacy)
    legacy.run(
        "DO $$ BEGIN UPDATE tickets SET status = 'Finished' WHERE id IN (100, 101); "
        "UPDATE tickets SET status = CASE id WHEN 100 THEN 'new' ELSE ' TODO' END WHERE id IN (100, 101); "
        "UPDATE tickets SET status = 'dropped' WHERE id = 101; END $$"
    )
    facts = (
        "SELECT l.record_id, l.to_state, d.facts FROM interlock_ledger l JOIN interlock_detail d ON d.digest = l.detail "
        "WHERE l.kind = 'tickets' AND l.origin = 'legacy' ORDER BY l.record_id, l.version"
    )
    spelled = [(id, state, facts) for id, state, facts in legacy.rows(facts)]
    assert spelled == [
        ("100", "done", '{"raw":"Finished"}'),
        ("100", "new", "{}"),
        ("101", "done", '{"raw":"Finished"}'),
        ("101", "new", '{"raw":" TODO"}'),
        ("101", "dropped", "{}"),
    ]
    clean(box)


def test_a_backfill_locks_only_the_rows_that_it_has_found(boxed: Boxed, legacy: Hand) -> None:
    box, locking = begun(boxed, legacy), list[str]()

    def keep(_: Any, __: Any, statement: str, *___: Any) -> None:
        if "SKIP LOCKED" in statement and "tickets" in statement:
            locking.append(statement)

    event.listen(box.database.engine, "before_cursor_execute", keep)
    assert box.adoptions.backfill("tickets", actor="ann").written == 5
    assert all("= ANY (" in one for one in locking)
    assert bool(locking) == box.database.sql.has_row_locks
    assert [entry[:4] for entry in entries(legacy, 1)] == [(0, None, "new", "backfill")]
    clean(box)


@contextmanager
def hearing(words: str) -> Any:
    """An event that is set when the store logs these words."""
    heard, log = threading.Event(), logging.getLogger("interlock.store")

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                heard.set()

    watch = Watch()
    log.addHandler(watch)
    yield heard
    log.removeHandler(watch)


@pytest.mark.postgresql_only
def test_a_step_that_cannot_lock_the_table_gives_way_and_is_tried_again(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = with_many(boxed, legacy)
    monkeypatch.setattr(migrate, "TRIES", ((0.05, 0.0),) * 1_000)
    legacy.connection.execute("SELECT id FROM tickets LIMIT 1")  # a reader whose transaction stays open
    step = threading.Thread(target=lambda: box.adoptions.cutover("tickets", 1, **LEAD))
    try:
        with hearing("could not lock a table") as tried:
            step.start()
            assert tried.wait(20)
        with box.database.engine.begin() as tx:  # somebody writes meanwhile
            tx.execute(text("UPDATE tickets SET note = 'passed' WHERE id = 100"))
    finally:
        legacy.connection.commit()
        step.join(30)
    assert legacy.rows("SELECT note FROM tickets WHERE id = 100") == [("passed",)]
    assert box.adoptions.status()[0].number == 1
    clean(box)


def test_nobody_waits_a_second_behind_the_first_tries_of_a_migration() -> None:
    waits = [wait for wait, _ in migrate.TRIES]
    assert max(waits[:5]) <= 0.2
    assert max(waits) <= 1 < 2


@pytest.mark.sqlite_only
def test_noted_writes_get_their_entries_in_slices_with_turns_for_others_between(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, counted = with_many(boxed, legacy), [0]
    monkeypatch.setattr(strays, "BATCH", 6)
    monkeypatch.setattr(catch_up, "FEW", 5)
    asked = text("SELECT count(*) FROM interlock_ledger WHERE kind = 'tickets' AND origin = 'legacy'")
    event.listen(box.database.engine, "commit", lambda tx: counted.append(tx.execute(asked).scalar_one()))
    box.adoptions.cutover("tickets", 1, **LEAD)
    legacy.run("UPDATE tickets SET status = 'Finished' WHERE id BETWEEN 100 AND 119")
    box.adoptions.cutover("tickets", 2, **LEAD)
    legacy.run("UPDATE tickets SET status = 'dropped' WHERE id BETWEEN 110 AND 129")
    assert box.adoptions.compare("tickets").differences == 0
    assert counted[-1] == 40
    assert max(now - before for before, now in pairwise(counted)) <= 6
    assert [entry[1:4] for entry in entries(legacy, 110)][1:] == [
        ("new", "done", "legacy"),
        ("done", "dropped", "legacy"),
    ]
    clean(box)


def test_a_record_that_is_removed_between_two_slices_is_counted_once(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = with_many(boxed, legacy)
    monkeypatch.setattr(strays, "BATCH", 1)
    for status in ("Finished", " TODO", "FINISHED"):
        legacy.run(f"UPDATE tickets SET status = '{status}' WHERE id IN (100, 101)")
    clean(box)
    for _ in range(2):
        box.coordinates.follow_strays()
        clean(box)
    legacy.run("DELETE FROM tickets WHERE id = 100")
    clean(box)
    assert box.adoptions.compare("tickets").differences == 0
    assert legacy.rows("SELECT status, version FROM tickets WHERE id = 101") == [("done", 3)]
    assert entries(legacy, 100)[-1][2:4] == (None, "deletion")
    assert legacy.rows("SELECT count(*) FROM interlock_stray WHERE version IS NULL") == [(0,)]
    clean(box)


def test_a_slice_of_removed_records_only_is_not_taken_for_the_last_one(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = with_many(boxed, legacy)
    monkeypatch.setattr(strays, "BATCH", 2)
    legacy.run("UPDATE tickets SET status = 'Finished' WHERE id BETWEEN 100 AND 105")
    legacy.run("DELETE FROM tickets WHERE id BETWEEN 100 AND 105")
    assert box.adoptions.compare("tickets").differences == 0
    assert [entries(legacy, id)[-1][2:4] for id in range(100, 106)] == [(None, "deletion")] * 6
    assert legacy.rows("SELECT count(*) FROM interlock_stray WHERE version IS NULL") == [(0,)]
    clean(box)


def test_a_move_waits_for_the_entries_of_all_that_was_noted_of_its_record(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = with_many(boxed, legacy)
    box.adoptions.cutover("tickets", 3, accept_left=True, **LEAD)
    monkeypatch.setattr(strays, "BATCH", 1)
    for status in ("Finished", "failed"):
        legacy.run(f"UPDATE tickets SET status = '{status}' WHERE id = 100")
    assert box.move("tickets", 100, actor="ann", status="dropped").version == 3
    assert [entry[1:4] for entry in entries(legacy, 100)][1:] == [
        ("new", "done", "legacy"),
        ("done", "failed", "legacy"),
        ("failed", "dropped", "move"),
    ]
    clean(box)
