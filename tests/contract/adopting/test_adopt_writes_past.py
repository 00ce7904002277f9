"""What a team's own code writes while its table is adopted in place is followed, entry by entry, and whatever disagrees is found."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text

from interlock import Adopt, Axis, Done, Machine, Workflow
from interlock.errors import AdoptionNotReady
from interlock.observe.invariants import replay
from tests.contract.adopting.tickets import begun, clean, entries, legacy, statuses
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.contract.worked import work_rows
from tests.contract.working import Boxed, claim, dispatch, finish

__all__ = ["legacy"]


def test_a_write_past_interlock_becomes_an_entry_while_the_table_is_backfilled(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    assert legacy.run("UPDATE tickets SET status = 'FINISHED' WHERE id = 1") == 1
    assert legacy.run("UPDATE tickets SET status = 'odd' WHERE id = 2") == 1
    assert legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 6") == 1  # not adopted, and theirs
    clean(box)
    box.adoptions.compare("tickets")
    assert [entry[:5] for entry in entries(legacy, 1)] == [
        (0, None, "new", "backfill", "adopt.tickets-1.value"),
        (1, "new", "done", "legacy", "adopt.tickets-1"),
    ]
    assert statuses(legacy)[1] == ("done", 1)
    assert box.ledger.history("tickets", 1)[-1].facts == {"raw": "FINISHED"}
    assert statuses(legacy)[2] == ("odd", 1)
    assert [entry[2] for entry in entries(legacy, 2)] == ["new", "odd"]
    assert statuses(legacy)[6] == ("dropped", None)
    clean(box)


@pytest.mark.parametrize(
    ("spelled", "state"),
    [
        ("DONE\n", "done"),
        ("\tFinished \r\n", "done"),
        ("Working", "working"),
        ("", None),
        (" \n", None),
        ("NULL", "NULL"),
        ("o'dd", "o'dd"),
    ],
)
def test_however_a_write_past_interlock_is_spelled_it_means_what_a_backfill_takes_it_for(
    boxed: Boxed, hand: Hand, spelled: str, state: str | None
) -> None:
    hand.run("CREATE TABLE tickets (id integer PRIMARY KEY, status text)")
    hand.run("INSERT INTO tickets VALUES (1, 'working'), (2, NULL)")
    machine = Machine(
        "idle",
        initial=None,
        moves={None: ["working"], "working": ["done", None]},
        aliases={"finished": "done"},
    )
    table = Table(
        "tickets",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", Text),
    )
    adopt = Adopt("tickets-1", quiet="0s")
    box = boxed(Workflow("tickets", records=table, axes=[Axis("status", machine, adopt=adopt)]))
    box.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="begin")
    assert box.adoptions.backfill("tickets", actor="ann").written == 2
    hand.run("UPDATE tickets SET status = ?", spelled)
    box.adoptions.follow("tickets", actor="ann")
    assert [status for status, _ in statuses(hand).values()] == [state, state]
    for id, began in ((1, "working"), (2, None)):  # another spelling of the same state may have an entry, too
        assert list(dict.fromkeys(entry[2] for entry in entries(hand, id))) == list(
            dict.fromkeys((began, state))
        )
    differing = box.adoptions.compare("tickets").differences
    assert differing == (0 if state in machine.states else 2)
    clean(box)


def test_the_engines_move_is_caught_up_first(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 2")
    legacy.run("UPDATE tickets SET status = 'new' WHERE id = 2")
    box.move("tickets", 2, actor="bob", status="dropped")
    assert [(entry[0], entry[1], entry[2], entry[3]) for entry in entries(legacy, 2)] == [
        (0, None, "new", "backfill"),
        (1, "new", "dropped", "legacy"),
        (2, "dropped", "new", "legacy"),
        (3, "new", "dropped", "move"),
    ]
    clean(box)


def test_a_write_of_many_rows_past_interlock_follows_each_of_them(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    assert legacy.run("UPDATE tickets SET status = 'done', note = 'all'") == 7
    box.adoptions.follow("tickets", actor="ann")
    assert {id: version for id, (_, version) in statuses(legacy).items()} == {
        1: 1, 2: 1, 3: 0, 4: 2, 5: 1, 6: None, 7: None,
    }  # fmt: skip
    assert [entry[2:4] for entry in entries(legacy, 4)] == [
        ("failed", "backfill"), ("done", "legacy"), ("failed", "legacy"),
    ]  # fmt: skip
    assert statuses(legacy)[4][0] == "failed"  # it is broken still, and its rule decides
    clean(box)


def test_flags_that_rules_ask_are_followed_where_the_status_was_written_or_they_changed(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    legacy.run("UPDATE tickets SET status = 'DROPPED' WHERE id = 4")  # still broken, so its rule says failed
    legacy.run("UPDATE tickets SET broken = 1 WHERE id = 3")
    assert box.adoptions.compare("tickets").differences == 2
    with pytest.raises(AdoptionNotReady, match="2 rows differ"):
        box.adoptions.cutover("tickets", 3, actor="ann", role="operator", reason="on", accept_left=True)
    assert box.adoptions.follow("tickets", actor="ann") == 2
    assert statuses(legacy)[3] == ("failed", 1)
    assert statuses(legacy)[4] == ("failed", 2)
    assert [entry[:5] for entry in entries(legacy, 4)] == [
        (0, None, "failed", "backfill", "adopt.tickets-1.broken"),
        (1, "failed", "dropped", "legacy", "adopt.tickets-1"),
        (2, "dropped", "failed", "legacy", "adopt.tickets-1"),
    ]
    kept = legacy.rows(
        "SELECT error_code, note, failed_from, timer_at FROM tickets WHERE id IN (3, 4) ORDER BY id"
    )
    assert kept == [("legacy", "done", "new", None), ("legacy", "dropped", "new", None)]
    assert box.adoptions.follow("tickets", actor="ann") == 0
    assert box.adoptions.compare("tickets").differences == 0
    clean(box)
    assert (
        box.adoptions.cutover("tickets", 3, actor="ann", role="operator", reason="on", accept_left=True).phase
        == "eligibility"
    )


def test_a_row_removed_past_interlock_closes_its_history_and_never_begins_again(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 2")
    assert legacy.run("DELETE FROM tickets WHERE id IN (1, 2, 6)") == 3
    clean(box)
    box.adoptions.follow("tickets", actor="ann")
    assert [entry[1:5] for entry in entries(legacy, 1)] == [
        (None, "new", "backfill", "adopt.tickets-1.value"),
        ("new", None, "deletion", "adopt.tickets-1"),
    ]
    assert entries(legacy, 2)[-1][2:4] == (None, "deletion")
    assert entries(legacy, 6) == []
    clean(box)
    legacy.run("INSERT INTO tickets(id, status, attempt, tries, retry_count) VALUES (1, 'new', 0, 0, 0)")
    preview = box.adoptions.preview("tickets", actor="ann")
    assert (preview.written, preview.left_over) == (0, 2)
    assert ("new", "a record of this id has a closed history; it never begins a second time", 1) in [
        (one.value, one.why, one.rows) for one in preview.left
    ]
    progress = box.adoptions.backfill("tickets", actor="ann")
    assert (progress.written, progress.left_over) == (0, 2)
    assert legacy.rows("SELECT record_id, why FROM interlock_adoption_left ORDER BY record_id")[0] == (
        "1",
        "a record of this id has a closed history; it never begins a second time",
    )
    box.adoptions.cutover("tickets", 1, actor="ann", role="operator", reason="back")
    legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 3")
    assert legacy.run("DELETE FROM tickets WHERE id = 3") == 1
    clean(box)
    box.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="on")
    assert [entry[1:4] for entry in entries(legacy, 3)] == [
        (None, "done", "backfill"),
        ("done", None, "deletion"),
    ]
    clean(box)


@pytest.mark.parametrize("reported", ["before", "after"])
def test_a_write_past_interlock_ends_the_attempt_and_its_late_result_changes_nothing(
    boxed: Boxed, legacy: Hand, reported: str
) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    box.adoptions.cutover("tickets", 3, accept_left=True, actor="ann", role="operator", reason="on")
    assert dispatch(box) == 2
    attempts = {attempt.record_id: attempt for attempt in claim(box)}
    if reported == "before":
        assert finish(box, attempts["1"], Done()) == 1
    assert legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 1") == 1
    if reported == "after":
        box.coordinates.follow_strays()
        assert finish(box, attempts["1"], Done()) == 0
    for _ in range(3):
        box.coordinates.step()
    assert [entry[1:4] for entry in entries(legacy, 1)] == [
        (None, "new", "backfill"),
        ("new", "working", "move"),
        ("working", "dropped", "legacy"),
    ]
    assert statuses(legacy)[1] == ("dropped", 2)
    assert [row["record_id"] for row in work_rows(box)] == ["2"]
    clean(box)


def test_both_verifiers_and_a_replay_know_what_an_adoption_writes(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    legacy.run("UPDATE tickets SET status = 'odd' WHERE id IN (1, 2)")
    legacy.run("DELETE FROM tickets WHERE id = 3")
    workflows = list(box.workflows.values())
    assert replay(box.database, workflows) == []  # also while a write has no entry yet
    box.adoptions.follow("tickets", actor="ann")
    assert replay(box.database, workflows) == []
    assert {entry[3] for id in (1, 2, 3) for entry in entries(legacy, id)} == {
        "backfill",
        "legacy",
        "deletion",
    }
    assert checked(box.ledger.export()) == []
    clean(box)


def test_compare_finds_every_planted_disagreement_and_nothing_else(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    assert box.adoptions.compare("tickets").differences == 0
    legacy.run("UPDATE tickets SET broken = 1 WHERE id = 1")
    legacy.run("UPDATE tickets SET status = 'odd' WHERE id = 3")
    found = box.adoptions.compare("tickets")
    assert {(one.record_id, one.expected, one.actual) for one in found.examples} == {
        ("1", "failed", "new"),
        ("3", "(no state or alias has this name)", "odd"),
    }
    assert (found.compared, found.differences, found.as_backfilled) == (5, 2, 1)
    legacy.run("UPDATE tickets SET broken = 0 WHERE id = 1")
    legacy.run("UPDATE tickets SET status = 'done' WHERE id = 3")
    assert box.adoptions.compare("tickets").differences == 0
