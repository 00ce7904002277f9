"""A table that has rows and writers already is adopted in place: its status column stays, and every phase holds what it promises."""

from __future__ import annotations

from contextlib import closing
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table, Text, Uuid

from interlock import Adopt, App, Axis, Done, Machine, Workflow, after, retry
from interlock.clock import SystemClock
from interlock.errors import AdoptionNotReady, BadInput, UnknownState
from interlock.machine import Line
from interlock.observe.invariants import check_counters, replay
from interlock.testing import Sandbox
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.contract.worked import work_rows
from tests.contract.working import Boxed, claim, dispatch, finish

MACHINE = Machine(
    "ticket",
    initial="new",
    moves={
        "new": ["working", "dropped"],
        "working": ["done", "failed"],
        "failed": [retry("new"), "dropped"],
        "done": [],
        "dropped": [after("7d", "done")],
    },
    aliases={"finished": "done", "todo": "new"},
)


def tickets(**adopt: Any) -> Workflow:
    table = Table(
        "tickets",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", Text),
        Column("note", String(40)),
        Column("broken", Integer),
    )
    declared = Adopt(
        "tickets-1",
        rules=[("broken", table.c.broken == 1, "failed", {"error_code": "legacy", "note": table.c.status})],
        **{"quiet": "0s", **adopt},
    )
    made = Workflow("tickets", records=table, axes=[Axis("status", MACHINE, adopt=declared)])

    @made.stage(waiting="new", running="working", done="done", failed="failed")
    def work(work: Any) -> Done[None]:
        return Done()

    return made


ROWS = [
    (1, "new", None, 0),
    (2, " TODO ", None, 0),
    (3, "Finished", None, 0),
    (4, "new", None, 1),
    (5, "dropped", None, 0),
    (6, "nonsense", None, 0),
    (7, None, None, 0),
]


@pytest.fixture
def legacy(hand: Hand) -> Hand:
    """The team's table, with rows."""
    hand.run("CREATE TABLE tickets (id integer PRIMARY KEY, status text, note varchar(40), broken integer)")
    for row in ROWS:
        hand.run("INSERT INTO tickets VALUES (?, ?, ?, ?)", *row)
    return hand


def begun(boxed: Boxed, hand: Hand, **adopt: Any) -> Sandbox:
    box = boxed(tickets(**adopt))
    box.advance(
        SystemClock().now() - box.clock.now()
    )  # the database dates writes past Interlock by its own clock
    box.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="begin")
    return box


def statuses(hand: Hand) -> dict[int, tuple[str | None, int | None]]:
    return {
        id: (status, version) for id, status, version in hand.rows("SELECT id, status, version FROM tickets")
    }


def entries(hand: Hand, id: int) -> list[tuple[Any, ...]]:
    return list(
        hand.rows(
            "SELECT version, from_state, to_state, origin, cause, actor, role FROM interlock_ledger "
            "WHERE kind = 'tickets' AND record_id = ? ORDER BY version",
            str(id),
        )
    )


def clean(box: App) -> None:
    assert box.check().findings == []
    assert check_counters(box.database, list(box.workflows.values())) == []


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


def test_while_the_schema_is_prepared_writes_pass_and_the_engine_is_refused(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    box.adoptions.cutover("tickets", 1, actor="ann", role="operator", reason="not yet")
    assert legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 1") == 1
    (answer,) = box.move_many("tickets", [2], actor="bob", status="dropped")
    assert answer.outcome == "refused"
    assert statuses(legacy)[2] == ("new", 0)
    clean(box)
    with pytest.raises(AdoptionNotReady):
        box.adoptions.backfill("tickets", actor="ann")
    box.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="again")
    assert [(entry[1], entry[2], entry[3]) for entry in entries(legacy, 1)] == [
        (None, "new", "backfill"),
        ("new", "dropped", "legacy"),
    ]
    assert statuses(legacy)[1] == ("dropped", 1)
    clean(box)


def test_every_phase_is_entered_forward_and_back_with_its_entry_and_its_guard(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed, legacy)
    lead = {"actor": "ann", "role": "operator", "reason": "on"}
    with pytest.raises(AdoptionNotReady, match="backfill has not come to its end"):
        box.adoptions.cutover("tickets", 3, **lead)
    box.adoptions.backfill("tickets", actor="ann")
    with pytest.raises(AdoptionNotReady, match="2 rows were left over"):
        box.adoptions.cutover("tickets", 3, **lead)
    assert box.adoptions.cutover("tickets", 3, accept_left=True, **lead).guard == "follow"
    clean(box)
    assert box.adoptions.cutover("tickets", 4, **lead).guard == "enforce"
    legacy.refused("ILK-204", "UPDATE tickets SET status = 'dropped' WHERE id = 3")
    assert legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 7") == 1
    clean(box)
    assert box.adoptions.cutover("tickets", 3, **lead).guard == "follow"
    assert legacy.run("UPDATE tickets SET status = 'dropped' WHERE id = 3") == 1
    box.adoptions.compare("tickets")
    clean(box)
    assert box.adoptions.cutover("tickets", 2, **lead).guard == "follow"
    clean(box)
    legacy.run("UPDATE tickets SET status = 'done' WHERE id = 6")
    progress = box.adoptions.backfill("tickets", actor="ann")
    assert (progress.written, progress.left_over) == (2, 0)
    box.advance("1m")
    for phase in (3, 4):
        box.adoptions.cutover("tickets", phase, **lead)
        clean(box)
    with pytest.raises(AdoptionNotReady, match="no reader of the flags"):
        box.adoptions.cutover("tickets", 5, **lead)
    box.adoptions.compare("tickets")
    assert box.adoptions.cutover("tickets", 5, no_readers=True, **lead).guard == "closed"
    legacy.refused("ILK-213", "INSERT INTO tickets(id, status, attempt, tries) VALUES (99, 'new', 0, 0)")
    legacy.refused("ILK-204", "UPDATE tickets SET status = 'dropped' WHERE id = 4")
    assert box.move("tickets", 1, actor="bob", status="dropped").outcome == "moved"
    clean(box)
    with pytest.raises(AdoptionNotReady):
        box.adoptions.cutover("tickets", 4, **lead)
    with pytest.raises(AdoptionNotReady, match="compared no more"):
        box.adoptions.compare("tickets")
    assert box.adoptions.status()[0].differences == 0
    phases = [move.new for move in box.ledger.history("adoptions", "tickets.status")]
    assert phases == [
        "schema", "backfill", "eligibility", "compat_writes", "eligibility", "backfill", "eligibility",
        "compat_writes", "done",
    ]  # fmt: skip


def test_an_adoption_that_is_withdrawn_leaves_the_table_as_the_team_had_it(
    boxed: Boxed, legacy: Hand
) -> None:
    before = list(legacy.rows("SELECT * FROM tickets ORDER BY id"))
    box = boxed(tickets())
    state = box.adoptions.cutover("tickets", 0, actor="ann", role="operator", reason="not this year")
    assert (state.phase, state.number, state.guard) == ("withdrawn", 0, "off")
    assert list(legacy.rows("SELECT * FROM tickets ORDER BY id")) == before
    assert legacy.run("INSERT INTO tickets VALUES (8, 'anything', NULL, 0)") == 1
    assert legacy.run("UPDATE tickets SET status = 'whatever' WHERE id = 8") == 1
    assert legacy.run("DELETE FROM tickets WHERE id = 8") == 1
    (entry,) = [one for one in box.ledger.history("adoptions", "tickets.status") if one.new == "withdrawn"]
    assert (entry.actor, entry.reason) == ("ann", "not this year")

    for act in (box.adoptions.preview, box.adoptions.backfill):
        with pytest.raises(AdoptionNotReady):
            act("tickets", actor="ann")
    with pytest.raises(AdoptionNotReady, match="has not begun"):
        box.adoptions.compare("tickets")
    assert box.adoptions.notes() == []

    again = boxed(tickets())
    (state,) = again.adoptions.status()
    assert (state.phase, state.guard, state.unadopted) == ("schema", "off", 7)
    again.adoptions.cutover("tickets", 2, actor="ann", role="operator", reason="this year after all")
    assert again.adoptions.backfill("tickets", actor="ann").written == 5
    clean(again)


def test_a_table_whose_rows_are_adopted_is_not_withdrawn(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    lead = {"actor": "ann", "role": "operator", "reason": "back"}
    with pytest.raises(AdoptionNotReady, match="is in phase 2"):
        box.adoptions.cutover("tickets", 0, **lead)
    box.adoptions.cutover("tickets", 1, **lead)
    with pytest.raises(AdoptionNotReady, match="5 rows are adopted, and a history is never taken back"):
        box.adoptions.cutover("tickets", 0, **lead)
    assert {version for _, version in statuses(legacy).values()} == {0, None}
    clean(box)


def test_a_database_without_legacy_rows_starts_where_guards_refuse(boxed: Boxed, hand: Hand) -> None:
    box = boxed(tickets())
    (state,) = box.adoptions.status()
    assert (state.phase, state.number, state.guard, state.unadopted) == ("compat_writes", 4, "enforce", 0)
    box.admit("tickets", {"id": 1})
    hand.refused("ILK-204", "UPDATE tickets SET status = 'done' WHERE id = 1")
    clean(box)


def test_nothing_is_dispatched_before_the_phase_eligibility(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    box.advance("8d")
    box.drain()
    box.coordinates.sweep()
    assert {id: version for id, (_, version) in statuses(legacy).items() if version} == {}
    waits = [one.what for one in box.explain("tickets", 1).waits_for]
    assert any("the adoption of tickets.status to reach the phase eligibility" in what for what in waits)
    lead = {"actor": "ann", "role": "operator", "reason": "on"}
    box.adoptions.cutover("tickets", 3, accept_left=True, **lead)
    box.drain()
    box.coordinates.sweep()
    assert statuses(legacy)[1] == ("done", 2)
    assert statuses(legacy)[5] == ("done", 1)  # by its timer
    assert statuses(legacy)[6] == ("nonsense", None)


def test_a_phase_changes_by_no_move_of_its_own(boxed: Boxed, legacy: Hand) -> None:
    box = boxed(tickets())
    (answer,) = box.move_many(
        "adoptions",
        ["tickets.status"],
        actor="eve",
        role="operator",
        reason="past the guards",
        phase="backfill",
    )
    assert answer.outcome == "refused"
    assert box.adoptions.status()[0].phase == "schema"


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


def test_a_check_asks_nobody_to_work_on_what_is_still_the_teams_own(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed, legacy)
    box.adoptions.backfill("tickets", actor="ann")
    legacy.run("UPDATE tickets SET status = 'working' WHERE id = 1")  # a worker of the team's own
    legacy.run("UPDATE tickets SET status = 'new' WHERE id = 3")
    box.advance("2m")
    report = box.check()
    assert (report.findings, [note for note in report.notes if "no runner" in note]) == ([], [])
    box.adoptions.cutover("tickets", 1, actor="ann", role="operator", reason="wait")
    legacy.run("UPDATE tickets SET status = 'working' WHERE id = 2")
    legacy.run("UPDATE tickets SET status = 'new' WHERE id = 5")
    box.advance("2m")
    assert box.check().findings == []
    assert entries(legacy, 2)[-1][2] == "new"  # noted, not entered
    assert entries(legacy, 5)[-1][2] == "dropped"
    legacy.run("UPDATE tickets SET status = 'done' WHERE version IS NOT NULL AND broken = 0")
    for phase in (2, 3):
        box.adoptions.cutover("tickets", phase, actor="ann", role="operator", reason="on", accept_left=True)
    box.advance("2m")
    legacy.run("UPDATE tickets SET status = 'new' WHERE id = 2")
    assert box.check().findings == []  # on SQLite it is noted, and entered by the next sweep
    box.drain()


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
