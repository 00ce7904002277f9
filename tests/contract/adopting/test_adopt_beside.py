"""A table with flags is adopted beside its records: each target gets a state row by rules over the flags, which go on being written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    Uuid,
    bindparam,
    exists,
    func,
    inspect,
    literal,
    select,
    union,
)

from interlock import Adopt, App, Axis, Done, Machine, Workflow, retry
from interlock.adopt import backfill, follow
from interlock.adopt.cutover import Cutover
from interlock.clock import SystemClock
from interlock.errors import AdoptionNotReady, BadDeclaration
from interlock.observe.invariants import check_counters
from interlock.testing import Sandbox
from tests.contract.hand import Hand
from tests.contract.working import Boxed, dispatch

MACHINE = Machine(
    "reading",
    initial="pending",
    moves={
        "pending": ["running"],
        "running": ["processed", "failed"],
        "failed": [retry("pending")],
    },
)
LEAD: dict[str, Any] = {"actor": "ann", "role": "operator", "reason": "on"}


def items() -> Workflow:
    metadata = MetaData()
    records = Table(
        "items",
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("is_processed", Boolean, nullable=False, server_default="0"),
        Column("error", Text),
    )
    pipelines = Table("item_pipelines", metadata, Column("item", Integer), Column("pipeline", String(20)))
    mentions = Table("mentions", metadata, Column("item", Integer), Column("pipeline", String(20)))
    states = Table(
        "item_states",
        metadata,
        Column("item", ForeignKey("items.id"), primary_key=True),
        Column("scope", String(20), primary_key=True),
        Column("attempt_count", Integer),
    )
    has_mention = exists().where(
        mentions.c.item == records.c.id, mentions.c.pipeline == bindparam("scope", required=True)
    )
    adopt = Adopt(
        "items-1",
        targets=union(
            select(pipelines.c.item, pipelines.c.pipeline), select(mentions.c.item, mentions.c.pipeline)
        ),
        rules=[
            ("mention", has_mention, "processed", {"attempt_count": 1}),
            (
                "error",
                records.c.error.is_not(None),
                "failed",
                {"error_code": "legacy", "error_message": func.lower(records.c.error), "attempt_count": 1},
            ),
            ("rest", ~records.c.is_processed, "pending"),
        ],
        quiet="0s",
    )
    axis = Axis("status", MACHINE, scope=("technical", "financial"), table=states, adopt=adopt)
    made = Workflow("items", records=records, axes=[axis], tables=[pipelines, mentions])

    @made.stage(waiting="pending", running="running", done="processed", failed="failed")
    def read(work: Any) -> Done[None]:
        return Done()

    @made.mirror("is_processed", axis="status")
    def flags(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        return {"is_processed": all(row["status"] == "processed" for row in rows.values())}

    return made


@pytest.fixture
def legacy(hand: Hand) -> Hand:
    """The team's tables: three items, two of them in both pipelines, so five targets."""
    hand.run(
        "CREATE TABLE items (id integer PRIMARY KEY, is_processed boolean NOT NULL DEFAULT false, error text)"
    )
    hand.run("CREATE TABLE item_pipelines (item integer, pipeline varchar(20))")
    hand.run("CREATE TABLE mentions (item integer, pipeline varchar(20))")
    for row in ((1, True, None), (2, False, "BROKEN"), (3, False, None)):
        hand.run("INSERT INTO items VALUES (?, ?, ?)", *row)
    for pair in ((1, "technical"), (1, "financial"), (2, "technical"), (3, "technical"), (3, "financial")):
        hand.run("INSERT INTO item_pipelines VALUES (?, ?)", *pair)
    for pair in ((1, "technical"), (1, "financial")):
        hand.run("INSERT INTO mentions VALUES (?, ?)", *pair)
    return hand


def begun(boxed: Boxed) -> Sandbox:
    box = boxed(items())
    box.advance(SystemClock().now() - box.clock.now())
    box.adoptions.cutover("items", 2, **LEAD)
    return box


def states(hand: Hand) -> dict[tuple[int, str], tuple[Any, ...]]:
    return {
        (row[0], row[1]): row[2:]
        for row in hand.rows(
            "SELECT item, scope, status, version, attempt_count, error_message FROM item_states"
        )
    }


def entries(hand: Hand, id: int, scope: str) -> list[tuple[Any, ...]]:
    asked = (
        "SELECT version, from_state, to_state, origin, cause FROM interlock_ledger WHERE kind = 'items' AND record_id = ? "
        "AND scope = ? ORDER BY version"
    )
    return list(hand.rows(asked, str(id), scope))


def clean(box: Sandbox) -> None:
    assert box.check().findings == []
    assert check_counters(box.database, list(box.workflows.values())) == []


def test_each_target_gets_its_state_row_and_the_flags_stay(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed)
    flags = legacy.rows("SELECT id, is_processed, error FROM items ORDER BY id")
    assert box.adoptions.preview("items", actor="ann").written == 5
    assert states(legacy) == {}
    progress = box.adoptions.backfill("items", actor="ann", chunk=2)
    assert (progress.written, progress.conflicts, progress.left_over) == (5, 0, 0)
    assert states(legacy) == {
        (1, "technical"): ("processed", 0, 1, None),
        (1, "financial"): ("processed", 0, 1, None),
        (2, "technical"): ("failed", 0, 1, "broken"),
        (3, "technical"): ("pending", 0, None, None),
        (3, "financial"): ("pending", 0, None, None),
    }
    assert entries(legacy, 2, "technical") == [(0, None, "failed", "backfill", "adopt.items-1.error")]
    assert legacy.rows("SELECT failed_from FROM item_states WHERE item = 2") == [("pending",)]
    assert legacy.rows("SELECT id, is_processed, error FROM items ORDER BY id") == flags
    clean(box)
    again = box.adoptions.backfill("items", actor="ann")
    assert (again.written, again.conflicts, again.left_over) == (0, 5, 0)
    assert box.adoptions.compare("items").differences == 0


def test_a_preview_counts_as_the_backfill_does_and_names_what_is_left_over(
    boxed: Boxed, legacy: Hand
) -> None:
    box = begun(boxed)
    legacy.run("INSERT INTO items VALUES (4, ?, NULL)", True)
    for pair in ((2, "sideways"), (3, "sideways"), (2, None), (4, "technical"), (3, "technical")):
        legacy.run("INSERT INTO item_pipelines VALUES (?, ?)", *pair)
    before = legacy.everything()
    preview = box.adoptions.preview("items", actor="ann")
    assert legacy.everything() == before
    assert [(one.value, one.scope, one.why, one.rows) for one in preview.left] == [
        (None, "sideways", "the axis has no such scope", 2),
        (None, "", "the axis has no such scope", 1),
        (None, "technical", "no rule matches", 1),
    ]
    progress = box.adoptions.backfill("items", actor="ann", chunk=2)
    assert (preview.written, preview.conflicts, preview.left_over) == (5, 0, 4)
    assert (progress.written, progress.conflicts, progress.left_over) == (5, 0, 4)
    assert len(states(legacy)) == 5
    again = box.adoptions.preview("items", actor="ann")
    assert (again.written, again.conflicts, again.left_over) == (0, 5, 4)


def test_an_adoption_that_is_withdrawn_takes_its_state_table_with_it_and_can_begin_again(
    boxed: Boxed, legacy: Hand
) -> None:
    box = boxed(items())
    box.adoptions.cutover("items", 0, **LEAD)
    names = {column["name"] for column in inspect(box.database.engine).get_columns("items")}
    assert names == {"id", "is_processed", "error"}
    assert not inspect(box.database.engine).has_table("item_states")
    assert legacy.run("UPDATE items SET error = NULL WHERE id = 3") == 1
    again = begun(boxed)
    assert again.adoptions.backfill("items", actor="ann").written == 5
    clean(again)


def test_flags_that_change_after_the_backfill_are_followed(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed)
    box.adoptions.backfill("items", actor="ann")
    legacy.run("UPDATE items SET error = 'Late' WHERE id = 3")
    legacy.run("INSERT INTO mentions VALUES (2, 'technical')")
    found = box.adoptions.compare("items")
    assert {(one.record_id, one.scope, one.expected, one.actual) for one in found.examples} == {
        ("2", "technical", "processed", "failed"),
        ("3", "technical", "failed", "pending"),
        ("3", "financial", "failed", "pending"),
    }
    assert (found.differences, found.as_backfilled) == (3, 3)
    with pytest.raises(AdoptionNotReady, match="3 rows differ"):
        box.adoptions.cutover("items", 3, **LEAD)
    assert box.adoptions.follow("items", actor="ann") == 3
    assert states(legacy)[3, "financial"] == ("failed", 1, 1, "late")
    assert entries(legacy, 3, "financial")[1:] == [(1, "pending", "failed", "legacy", "adopt.items-1")]
    assert box.adoptions.follow("items", actor="ann") == 0
    assert box.adoptions.compare("items").differences == 0
    clean(box)


def test_many_flags_are_followed_by_few_statements(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlock.adopt.follow.CHUNK", 7)
    for id in range(10, 30):
        legacy.run("INSERT INTO items VALUES (?, ?, NULL)", id, False)
        for scope in ("technical", "financial"):
            legacy.run("INSERT INTO item_pipelines VALUES (?, ?)", id, scope)
    box = begun(boxed)
    box.adoptions.backfill("items", actor="ann")
    for id in range(10, 30):
        legacy.run("UPDATE items SET error = ? WHERE id = ?", f"Error {id}", id)
    batches: list[int] = []
    move = type(box.authority.engine).move

    def counted(engine: Any, tx: Any, group: Any) -> Any:
        batches.append(len(group.rows))
        return move(engine, tx, group)

    monkeypatch.setattr(type(box.authority.engine), "move", counted)
    assert box.adoptions.follow("items", actor="ann") == sum(batches) == 40
    assert len(batches) <= 2 * 7
    for id in range(10, 30):
        for scope in ("technical", "financial"):
            assert states(legacy)[id, scope] == ("failed", 1, 1, f"error {id}")
            assert entries(legacy, id, scope)[1:] == [(1, "pending", "failed", "legacy", "adopt.items-1")]
    assert box.adoptions.compare("items").differences == 0
    clean(box)


def test_guards_are_not_tightened_while_somebody_still_writes_flags(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed)
    box.adoptions.backfill("items", actor="ann")
    box.adoptions.compare("items")
    box.adoptions.cutover("items", 3, **LEAD)
    legacy.run("UPDATE items SET error = 'from a worker that was forgotten' WHERE id = 3")
    with pytest.raises(AdoptionNotReady, match="flags of 2 rows were written past Interlock"):
        box.adoptions.cutover("items", 4, **LEAD)
    legacy.run("UPDATE items SET error = NULL WHERE id = 3")
    box.drain()
    legacy.run("UPDATE items SET is_processed = ? WHERE id = 3", False)
    with pytest.raises(AdoptionNotReady, match="1 rows differ from their mirror"):
        box.adoptions.cutover("items", 4, **LEAD)
    box.repair_mirrors("items")
    assert box.adoptions.cutover("items", 4, **LEAD).guard == "enforce"
    clean(box)


def test_a_target_that_no_rule_matches_is_left_over(boxed: Boxed, legacy: Hand) -> None:
    legacy.run("INSERT INTO items VALUES (4, true, NULL)")
    legacy.run("INSERT INTO item_pipelines VALUES (4, 'technical')")
    box = begun(boxed)
    progress = box.adoptions.backfill("items", actor="ann")
    assert (progress.written, progress.left_over) == (5, 1)
    assert legacy.rows("SELECT record_id, scope, why FROM interlock_adoption_left") == [
        ("4", "technical", "no rule matches")
    ]
    assert box.adoptions.compare("items").differences == 0  # it is counted as left over, not twice
    legacy.run("DELETE FROM item_states WHERE item = 1 AND scope = 'financial'")
    assert box.adoptions.compare("items").differences == 1
    assert box.adoptions.backfill("items", actor="ann").left_over == 2  # its history was closed
    with pytest.raises(AdoptionNotReady, match="2 rows were left over"):
        box.adoptions.cutover("items", 3, **LEAD)
    assert box.adoptions.cutover("items", 3, accept_left=True, **LEAD).phase == "eligibility"
    clean(box)


def test_the_mirror_speaks_of_records_that_have_moved_since(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed)
    legacy.run("UPDATE items SET is_processed = true WHERE id = 2")  # what legacy did after a failure
    box.adoptions.backfill("items", actor="ann")
    box.adoptions.cutover("items", 3, **LEAD)
    clean(box)
    compared = box.adoptions.compare("items")
    assert (compared.differences, compared.as_backfilled) == (0, 1)
    box.drain()
    assert states(legacy)[3, "technical"][:2] == ("processed", 2)
    assert legacy.rows("SELECT id, is_processed FROM items ORDER BY id") in (
        [(1, True), (2, True), (3, True)],
        [(1, 1), (2, 1), (3, 1)],
    )
    assert box.adoptions.compare("items").differences == 0
    legacy.run("UPDATE items SET is_processed = false WHERE id = 3")
    (one,) = box.adoptions.compare("items").examples
    assert (one.record_id, one.expected, one.actual) == (
        "3",
        '{"is_processed":true}',
        '{"is_processed":false}',
    )
    legacy.run("UPDATE items SET is_processed = true WHERE id = 3")
    clean(box)


def test_what_runs_fails_with_its_own_code_when_the_adoption_goes_back(boxed: Boxed, legacy: Hand) -> None:
    box = begun(boxed)
    box.adoptions.backfill("items", actor="ann")
    box.adoptions.cutover("items", 3, **LEAD)
    assert dispatch(box)
    running = [key for key, row in states(legacy).items() if row[0] == "running"]
    assert running
    box.adoptions.cutover("items", 2, **LEAD)
    assert legacy.rows(
        "SELECT DISTINCT status, error_code FROM item_states WHERE error_code = 'cutover_back'"
    ) == [("failed", "cutover_back")]
    assert legacy.rows("SELECT count(*) FROM interlock_work") == [(0,)]
    box.drain()
    assert not [key for key, row in states(legacy).items() if row[0] == "running"]
    clean(box)


def test_work_that_a_killed_step_back_left_is_taken_back_by_the_same_command(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = begun(boxed)
    box.adoptions.backfill("items", actor="ann")
    box.adoptions.cutover("items", 3, **LEAD)
    issued = dispatch(box)
    assert issued
    with monkeypatch.context() as killed:
        killed.setattr(Cutover, "take_work_back", end_the_process)
        with pytest.raises(KeyboardInterrupt):
            box.adoptions.cutover("items", 2, **LEAD)
    assert box.adoptions.status()[0].phase == "backfill"
    assert [row[0] for row in states(legacy).values()].count("running") == issued
    assert box.adoptions.cutover("items", 2, **LEAD).phase == "backfill"
    assert legacy.rows("SELECT count(*) FROM item_states WHERE error_code = 'cutover_back'") == [(issued,)]
    assert legacy.rows("SELECT count(*) FROM interlock_work") == [(0,)]
    with pytest.raises(AdoptionNotReady, match="is in phase 2"):
        box.adoptions.cutover("items", 2, **LEAD)
    clean(box)


def end_the_process(*_: Any, **__: Any) -> int:
    """Somebody ends the command after its transaction, before the work is taken back."""
    raise KeyboardInterrupt


def test_a_rule_into_a_running_state_is_refused_unless_it_takes_over() -> None:
    def declared(**more: Any) -> Workflow:
        table = Table("jobs", MetaData(), Column("id", Integer, primary_key=True), Column("busy", Boolean))
        adopt = Adopt("jobs-1", rules=[("busy", table.c.busy, "running")], **more)
        made = Workflow("jobs", records=table, axes=[Axis("status", MACHINE, adopt=adopt)])

        @made.stage(waiting="pending", running="running", done="processed", failed="failed")
        def read(work: Any) -> Done[None]:
            return Done()

        return made

    with pytest.raises(BadDeclaration, match="leads into the running state running") as refused:
        App([declared()], database="sqlite://")
    assert "take_over=True" in (refused.value.hint or "")
    App([declared(take_over=True)], database="sqlite://").close()


def test_a_later_pass_walks_the_records_in_slices_and_meets_what_came_behind_it(
    boxed: Boxed, legacy: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "WALKED", 2)
    box, cursors = begun(boxed), list[str | None]()

    def insert_behind(one: backfill.BackfillProgress) -> None:
        cursors.append(one.cursor)
        if len(cursors) == 1:
            legacy.run("INSERT INTO items VALUES (0, ?, NULL)", False)
            legacy.run("INSERT INTO item_pipelines VALUES (0, 'technical')")

    done = box.adoptions.backfill("items", actor="ann", chunk=2, tell=insert_behind)
    assert (done.finished, cursors[:4]) == (True, ["2", None, "1", "3"])
    assert legacy.rows("SELECT status, version FROM item_states WHERE item = 0") == [("pending", 0)]
    first = "SELECT origin, cause FROM interlock_ledger WHERE kind = 'items' AND record_id = '0'"
    assert legacy.rows(first) == [("backfill", "adopt.items-1.rest")]
    assert box.check().findings == []


def test_records_with_ids_of_every_type_get_state_rows_in_slices_and_are_followed(
    boxed: Boxed, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "WALKED", 2)
    ids = [UUID(int=number << 64) for number in range(1, 6)]
    hand.run(
        f"CREATE TABLE notes (id {'char(32)' if hand.is_sqlite else 'uuid'} PRIMARY KEY, is_read integer)"
    )
    for id in ids:
        hand.run("INSERT INTO notes VALUES (?, 0)", id.hex if hand.is_sqlite else id)
    metadata = MetaData()
    notes = Table("notes", metadata, Column("id", Uuid(), primary_key=True), Column("is_read", Integer))
    beside = Table(
        "note_states",
        metadata,
        Column("note", ForeignKey("notes.id"), primary_key=True),
        Column("scope", String(20), primary_key=True),
    )
    machine = Machine("note", initial="open", moves={"open": ["read"], "read": ["open"]})
    adopt = Adopt(
        "notes-1",
        targets=select(notes.c.id, literal("all")),
        rules=[("read", notes.c.is_read == 1, "read"), ("rest", notes.c.is_read == 0, "open")],
        quiet="0s",
    )
    axis = Axis("status", machine, scope=("all",), table=beside, adopt=adopt)
    box = boxed(Workflow("notes", records=notes, axes=[axis]))
    box.adoptions.cutover("notes", 2, **LEAD)
    assert box.adoptions.backfill("notes", actor="ann", chunk=2).written == 5
    hand.run("UPDATE notes SET is_read = 1")
    assert box.adoptions.follow("notes", actor="ann") == 5
    assert [move.new for move in box.ledger.history("notes", ids[4])] == ["open", "read"]
    assert box.adoptions.compare("notes").differences == 0
    clean(box)


def notes_beside(machine: Machine, hand: Hand, *, limit: int | None = None) -> Workflow:
    """Notes with a flag that may be null, and targets that a table names which nobody keeps tidy."""
    hand.run("CREATE TABLE notes (id integer PRIMARY KEY, is_read integer, code text)")
    hand.run("CREATE TABLE wanted (note integer, region varchar(20))")
    metadata = MetaData()
    notes = Table(
        "notes",
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("is_read", Integer),
        Column("code", Text),
    )
    wanted = Table("wanted", metadata, Column("note", Integer), Column("region", String(20)))
    beside = Table(
        "note_states",
        metadata,
        Column("note", ForeignKey("notes.id"), primary_key=True),
        Column("scope", String(20), primary_key=True),
        Column("tag", Integer, *([] if limit is None else [CheckConstraint(f"tag < {limit}")])),
    )
    adopt = Adopt(
        "notes-1",
        targets=select(wanted.c.note, wanted.c.region),
        rules=[
            ("read", notes.c.is_read == 1, "read", {"tag": notes.c.id}),
            ("rest", notes.c.is_read == 0, machine.initial, {"tag": notes.c.id}),
        ],
        quiet="0s",
    )
    axis = Axis("status", machine, scope=("all", "some"), table=beside, adopt=adopt)
    return Workflow("notes", records=notes, axes=[axis], tables=[wanted])


NULLABLE = Machine("note", initial=None, moves={None: ["read"], "read": [None]})


def test_a_state_of_null_beside_is_compared_like_any_other(boxed: Boxed, hand: Hand) -> None:
    workflow = notes_beside(NULLABLE, hand)
    for row in ((1, 1), (2, 0), (3, 0)):
        hand.run("INSERT INTO notes(id, is_read) VALUES (?, ?)", *row)
        hand.run("INSERT INTO wanted VALUES (?, 'all')", row[0])
    box = boxed(workflow)
    box.adoptions.cutover("notes", 2, **LEAD)
    assert box.adoptions.backfill("notes", actor="ann").written == 3
    assert hand.rows("SELECT note, status FROM note_states ORDER BY note") == [
        (1, "read"),
        (2, None),
        (3, None),
    ]
    assert box.adoptions.compare("notes").differences == 0
    hand.run("UPDATE notes SET is_read = 1 WHERE id = 2")
    (one,) = box.adoptions.compare("notes").examples
    assert (one.record_id, one.expected, one.actual) == ("2", "read", None)
    assert box.adoptions.follow("notes", actor="ann") == 1
    hand.run("INSERT INTO notes(id, is_read) VALUES (4, 0)")
    hand.run("INSERT INTO wanted VALUES (4, 'all')")
    (one,) = box.adoptions.compare("notes").examples
    assert (one.record_id, one.expected, one.actual) == ("4", None, None), "it has no state row"
    clean(box)


def test_targets_that_are_odd_are_left_over_and_the_others_are_adopted(boxed: Boxed, hand: Hand) -> None:
    """One of no scope, one of a scope that the axis does not have, one twice, one that its table refuses, and a flag that is null."""
    workflow = notes_beside(NULLABLE, hand, limit=5)
    for row in ((1, 1), (2, 0), (3, None), (4, 0), (9, 1)):
        hand.run("INSERT INTO notes(id, is_read) VALUES (?, ?)", *row)
    targets = [
        (1, "all"),
        (1, "all"),
        (2, "abroad"),
        (2, None),
        (3, "some"),
        (3, "some"),
        (4, "some"),
        (9, "all"),
    ]
    for pair in targets:
        hand.run("INSERT INTO wanted VALUES (?, ?)", *pair)
    box = boxed(workflow)
    box.adoptions.cutover("notes", 2, **LEAD)
    progress = box.adoptions.backfill("notes", actor="ann", chunk=2)
    assert (progress.written, progress.left_over, progress.finished) == (2, 4, True)
    assert hand.rows("SELECT note, scope, status FROM note_states ORDER BY note") == [
        (1, "all", "read"),
        (4, "some", None),
    ]
    left = hand.rows("SELECT record_id, scope, why FROM interlock_adoption_left ORDER BY record_id, scope")
    assert [row[:2] for row in left] == [("2", ""), ("2", "abroad"), ("3", "some"), ("9", "all")]
    assert [row[2].partition(":")[0] for row in left] == [
        "the axis has no such scope",
        "the axis has no such scope",
        "no rule matches",
        "the database refused",
    ]
    again = box.adoptions.backfill("notes", actor="ann")
    assert (again.written, again.left_over) == (0, 4)
    clean(box)
