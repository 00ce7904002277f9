"""The rows of a table are adopted in place: a scan says what each becomes, a backfill gives each its first entry, once."""

from __future__ import annotations

from contextlib import closing
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table, Text, Uuid

from interlock import Adopt, App, Axis, Workflow
from interlock.errors import AdoptionNotReady, BadInput, UnknownState
from interlock.machine import Line
from interlock.observe.invariants import replay
from tests.contract.adopting.tickets import MACHINE, begun, clean, entries, legacy, statuses, tickets
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.contract.working import Boxed

__all__ = ["legacy"]


def test_a_scan_lists_what_each_value_becomes_and_writes_nothing(boxed: Boxed, legacy: Hand) -> None:
    box = boxed(tickets())
    before = legacy.everything()
    found = box.adoptions.scan("tickets")
    assert {(one.value, one.rule, one.state, one.rows) for one in found.values} == {
        ("new", "value", "new", 1),
        (" TODO ", "value", "new", 1),
        ("Finished", "value", "done", 1),
        ("new", "broken", "failed", 1),
        ("dropped", "value", "dropped", 1),
        ("nonsense", None, None, 1),
        (None, None, None, 1),
    }
    assert (found.rows, found.unmatched, found.running, found.missing_columns) == (7, 2, 0, ())
    assert legacy.everything() == before


def test_a_scan_before_any_migration_names_what_hinders_the_adoption(database_url: str, legacy: Hand) -> None:
    legacy.run("UPDATE tickets SET note = 'same' WHERE id IN (2, 5)")
    legacy.run("UPDATE tickets SET broken = 1, status = 'working' WHERE id IN (3, 5)")
    table = Table(
        "tickets",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", Text),
        Column("note", String(40)),
        Column("broken", Integer),
    )
    rules = [("broken", table.c.broken == 1, "failed"), ("noted", table.c.note == "same", "done")]
    axis = Axis("status", MACHINE, adopt=Adopt("tickets-1", rules=rules))
    workflow = Workflow("tickets", records=table, axes=[axis], unique=[table.c.note])
    before = legacy.everything()
    with closing(App([workflow], database=database_url)) as app, closing(Hand(database_url)) as other:
        other.connection.execute("SELECT count(*) FROM tickets")  # a transaction that stays open
        found = app.adoptions.scan("tickets")
    assert (found.rows, found.unmatched, found.ambiguous, found.running) == (7, 2, 1, 0)
    assert [(one.key, one.ids) for one in found.duplicates] == [(("same",), ("2", "5"))]
    assert {"tickets.version", "tickets.head", "tickets.since"} <= set(found.missing_columns)
    assert (found.longest_transaction is None) == database_url.startswith("sqlite")
    assert legacy.everything() == before


def test_a_backfill_gives_every_row_its_first_entry_and_a_rerun_writes_nothing(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    before = legacy.everything()
    preview = box.adoptions.preview("tickets", actor="ann")
    assert legacy.everything() == before
    assert [(one.value, one.why, one.rows) for one in preview.left] == [
        ("nonsense", "no state or alias has this name", 1),
        (None, "it has no status", 1),
    ]
    progress = box.adoptions.backfill("tickets", actor="ann", chunk=2)
    assert (progress.written, progress.conflicts, progress.left_over, progress.finished) == (5, 0, 2, True)
    assert (preview.written, preview.conflicts, preview.left_over) == (5, 0, 2)
    assert statuses(legacy) == {
        1: ("new", 0),
        2: ("new", 0),
        3: ("done", 0),
        4: ("failed", 0),
        5: ("dropped", 0),
        6: ("nonsense", None),
        7: (None, None),
    }
    assert entries(legacy, 3) == [(0, None, "done", "backfill", "adopt.tickets-1.value", "ann", "operator")]
    assert entries(legacy, 4) == [
        (0, None, "failed", "backfill", "adopt.tickets-1.broken", "ann", "operator")
    ]
    history = box.ledger.history("tickets", 3)
    assert (history[0].reason, history[0].facts) == (
        "adopted by rule value of tickets-1",
        {"raw": "Finished", "rule": "value"},
    )
    row = box.get("tickets", 4)
    assert (row["failed_from"], row["error_code"], row["note"], row["ready_at"]) == (
        "new",
        "legacy",
        "new",
        None,
    )
    assert box.get("tickets", 1)["ready_at"] is not None
    assert box.get("tickets", 5)["timer_at"] is not None
    assert legacy.rows("SELECT record_id, value, why FROM interlock_adoption_left ORDER BY record_id") == [
        ("6", "nonsense", "no state or alias has this name"),
        ("7", None, "it has no status"),
    ]
    clean(box)
    assert "2 rows of tickets.status are not adopted yet" in box.check().notes
    again = box.adoptions.backfill("tickets", actor="ann")
    assert (again.written, again.conflicts, again.left_over) == (0, 5, 2)
    assert len(entries(legacy, 1)) == 1


def test_a_row_that_its_table_refuses_is_left_over_and_the_others_are_adopted(
    boxed: Boxed, hand: Hand
) -> None:
    hand.run(
        "CREATE TABLE tickets (id integer PRIMARY KEY, status text, note varchar(40) CHECK (note <> ' new'), broken integer)"
    )
    for row in ((1, "new", None, 1), (2, " new", None, 1), (3, "new", None, 1), (4, "new", None, 0)):
        hand.run("INSERT INTO tickets VALUES (?, ?, ?, ?)", *row)
    box = begun(boxed, hand)
    progress = box.adoptions.backfill("tickets", actor="ann", chunk=3)
    assert (progress.written, progress.left_over, progress.finished) == (3, 1, True)
    assert statuses(hand) == {1: ("failed", 0), 2: (" new", None), 3: ("failed", 0), 4: ("new", 0)}
    ((id, raw, why),) = hand.rows("SELECT record_id, value, why FROM interlock_adoption_left")
    assert (id, raw) == ("2", " new")
    assert why.startswith("the database refused")
    assert entries(hand, 2) == []
    hand.run("UPDATE tickets SET broken = 0 WHERE id = 2")
    again = box.adoptions.backfill("tickets", actor="ann")
    assert (again.written, again.left_over) == (1, 0)
    clean(box)


def test_a_row_mended_behind_the_cursor_is_adopted_by_the_last_pass(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    for _ in range(3):
        box.adoptions.backfill_step("tickets", actor="ann", runner="r", chunk=3)
    legacy.run("UPDATE tickets SET status = 'done' WHERE id IN (6, 7)")
    while not (progress := box.adoptions.backfill_step("tickets", actor="ann", runner="r", chunk=3)).finished:
        pass
    assert (progress.written, progress.left_over) == (7, 0)
    assert all(version == 0 for _, version in statuses(legacy).values())
    clean(box)


@pytest.mark.parametrize(
    ("type_", "on_server", "in_file", "ids"),
    [
        (String(40), "varchar(40)", "varchar(40)", ["a'b", "Ä 50%", "z"]),
        (BigInteger(), "bigint", "bigint", [-5, 0, 2**53 + 1]),
        (Uuid(), "uuid", "char(32)", [UUID(int=n) for n in (1, 2**64, 2**127)]),
    ],
    ids=["text", "integer", "uuid"],
)
def test_rows_with_ids_of_every_type_are_adopted_one_by_one_and_followed(
    boxed: Boxed, hand: Hand, type_: Any, on_server: str, in_file: str, ids: list[Any]
) -> None:
    stored = [id.hex if hand.is_sqlite and isinstance(id, UUID) else id for id in ids]
    hand.run(f"CREATE TABLE tickets (id {in_file if hand.is_sqlite else on_server} PRIMARY KEY, status text)")
    for id in stored:
        hand.run("INSERT INTO tickets VALUES (?, 'todo')", id)
    table = Table(
        "tickets",
        MetaData(),
        Column("id", type_, primary_key=True, autoincrement=False),
        Column("status", Text),
    )
    adopt = Adopt("tickets-1", quiet="0s")
    box = boxed(Workflow("tickets", records=table, axes=[Axis("status", MACHINE, adopt=adopt)]))
    box.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="begin")
    assert box.adoptions.backfill("tickets", actor="ann", chunk=1).written == 3
    hand.run("UPDATE tickets SET status = 'dropped' WHERE id = ?", stored[1])
    hand.run("DELETE FROM tickets WHERE id = ?", stored[2])
    box.adoptions.follow("tickets", actor="ann")
    assert [move.new for move in box.ledger.history("tickets", ids[1])] == ["new", "dropped"]
    assert [move.origin for move in box.ledger.history("tickets", ids[2])] == ["backfill", "deletion"]
    assert (box.get("tickets", ids[0])["status"], box.get("tickets", ids[1])["status"]) == ("new", "dropped")
    again = box.adoptions.backfill("tickets", actor="ann")
    assert (again.written, again.conflicts, again.left_over) == (0, 2, 0)
    assert box.adoptions.compare("tickets").differences == 0
    clean(box)


def test_a_value_that_no_machine_has_is_left_by_a_plan(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    legacy.run("UPDATE tickets SET status = 'odd' WHERE id IN (1, 2)")
    box.adoptions.follow("tickets", actor="ann")
    with pytest.raises(UnknownState):
        box.move("tickets", 1, actor="bob", status="dropped")
    plan, lead = [Line("odd", "new", "nobody knows what odd meant")], {"actor": "ann", "role": "operator"}
    (foreseen,) = box.relocate("tickets", plan, dry_run=True, **lead)
    assert (foreseen.records, statuses(legacy)[1]) == (2, ("odd", 1))
    (outcome,) = box.relocate("tickets", plan, **lead)
    assert (outcome.moved, outcome.refusals, outcome.left) == (2, 0, 0)
    assert (statuses(legacy)[1], statuses(legacy)[2]) == (("new", 2), ("new", 2))
    assert entries(legacy, 1)[-1][1:4] == ("odd", "new", "migration")
    assert box.adoptions.compare("tickets").differences == 0
    with pytest.raises(BadInput, match="no version of ticket ever had the state weird"):
        box.relocate("tickets", [Line("weird", "new", "never seen")], **lead)
    assert replay(box.database, list(box.workflows.values())) == []
    assert checked(box.ledger.export()) == []
    clean(box)


def test_a_row_that_is_left_over_and_a_write_that_is_only_noted_are_explained(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    (calm,) = box.explain("tickets", 2).why
    assert calm.startswith("status is new since it was adopted (adopt.tickets-1.value) at ")
    left = box.explain("tickets", 6)
    assert left.why == ["status is nonsense: the row was never adopted"]
    assert left.waits_for[0].what == (
        "its first entry: the row of tickets is not adopted yet, and nothing moves it; the backfill left it over: "
        "no state or alias has this name"
    )
    assert {one.code for one in left.next} == {"ILK-202"}
    box.adoptions.cutover("tickets", 1, actor="ann", role="operator", reason="wait")
    legacy.run("UPDATE tickets SET status = ' TODO' WHERE id = 3")
    noted = box.explain("tickets", 3)
    assert "which is noted; its entry follows before anything else happens to the record" in noted.why[0]
    assert "The history ends with done (version 0)." in noted.why[0]
    assert not any("migration plan" in one.what for one in noted.waits_for)
    assert [one.to for one in noted.next if one.allowed] == ["working", "dropped"]


def test_whoever_carries_out_a_backfill_holds_a_lease_until_somebody_takes_it_over(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    step = box.adoptions.backfill_step
    step("tickets", actor="ann", runner="first", chunk=1)
    with pytest.raises(AdoptionNotReady, match="first carries out"):
        step("tickets", actor="bob", runner="second", chunk=1)
    assert step("tickets", actor="bob", runner="second", chunk=1, take_over=True).written == 2
    box.adoptions.pause("tickets")
    with pytest.raises(AdoptionNotReady, match="paused"):
        step("tickets", actor="bob", runner="second", chunk=1)
    box.adoptions.pause("tickets", paused=False)
    box.advance("1m")
    assert step("tickets", actor="ann", runner="first", chunk=1).written == 3
