"""Hooks run inside the move's transaction, once per batch; what they do stands or falls with the move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DBAPIError

from interlock import App, Move, Workflow
from interlock.errors import (
    BadInput,
    HookFailed,
    ImmutabilityViolation,
    InterlockError,
    RefusedByDatabase,
    StoreError,
)
from tests.kinds import content, domains, uploads


def watched(workflow: Workflow, *states: str | None, axis: str | None = None) -> list[list[Move]]:
    seen: list[list[Move]] = []

    @workflow.on_move(*states, axis=axis)
    def watch(tx: Connection, moves: Sequence[Move]) -> None:
        seen.append(list(moves))

    return seen


def test_a_hook_sees_all_moves_of_a_batch_at_once(opened: Any) -> None:
    workflow = uploads()
    seen = watched(workflow, "parsing")
    app: App = opened(workflow)
    app.admit_many("statements", [{"id": f"u{number}"} for number in range(5)])
    app.move_many(
        "statements",
        [f"u{number}" for number in range(5)],
        actor="ann",
        reason="go",
        facts={"pages": 2},
        status="parsing",
    )
    (moves,) = seen
    assert [move.id for move in moves] == [f"u{number}" for number in range(5)]
    first = moves[0]
    assert (
        first.kind,
        first.axis,
        first.old,
        first.new,
        first.version,
        first.actor,
        first.reason,
        first.facts,
    ) == ("statements", "status", "queued_for_parse", "parsing", 1, "ann", "go", {"pages": 2})


def test_a_hook_is_called_for_its_own_states_only(opened: Any) -> None:
    workflow = uploads()
    seen = watched(workflow, "parsed", "error")
    every = watched(workflow)
    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    for state in ("parsing", "parsing", "parsed", "normalizing", "error"):
        app.move("statements", "u1", actor="ann", status=state)
    assert [moves[0].new for moves in seen] == ["parsed", "error"]
    assert [moves[0].new for moves in every] == [
        "queued_for_parse",
        "parsing",
        "parsed",
        "normalizing",
        "error",
    ]


def test_a_hook_on_the_first_state_runs_at_admission(opened: Any) -> None:
    workflow = uploads()
    seen = watched(workflow, "queued_for_parse")
    app: App = opened(workflow)
    app.admit_many("statements", [{"id": "u1"}, {"id": "u2"}], actor="ann", reason="found")
    assert [
        (move.id, move.version, move.old, move.new, move.actor, move.reason, move.cause) for move in seen[0]
    ] == [(id, 0, None, "queued_for_parse", "ann", "found", "upload.created") for id in ("u1", "u2")]
    app.admit("statements", {"id": "u1"})
    assert len(seen) == 1


def test_a_hook_sees_driven_moves(opened: Any) -> None:
    workflow = domains()
    seen = watched(workflow, "Queued", axis="processing_status")
    app: App = opened(workflow)
    app.admit("domains", {"id": 1, "host": "a"})
    app.move("domains", 1, actor="ann", curation_status="Selected")
    assert [(move.axis, move.new, move.origin, move.cause) for move in seen[0]] == [
        ("processing_status", "Queued", "rule", "rule.entering.curation_status.Selected")
    ]


def test_a_hook_sees_the_row_as_moved_and_writes_with_it(opened: Any, whole: Any) -> None:
    workflow = uploads()
    states: list[Any] = []

    @workflow.on_move("parsing")
    def look(tx: Connection, moves: Sequence[Move]) -> None:
        table = workflow.records
        states.append(tx.execute(select(table.c.status).where(table.c.id == moves[0].id)).scalar())
        tx.execute(table.update().values(canonicals_count=7).where(table.c.id == moves[0].id))

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    app.move("statements", "u1", actor="ann", status="parsing")
    assert states == ["parsing"]
    assert app.get("statements", "u1")["canonicals_count"] == 7
    whole(app)


def test_a_failing_hook_takes_the_move_back(opened: Any, whole: Any, hand: Any) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def fail(tx: Connection, moves: Sequence[Move]) -> None:
        tx.execute(workflow.records.update().values(canonicals_count=7))
        raise ValueError("no ink")

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    before = {name: rows for name, rows in hand.everything().items() if name != "interlock_verdict"}
    with pytest.raises(HookFailed) as refusal:
        app.move("statements", "u1", actor="ann", reason="go", status="parsing")
    assert (refusal.value.code, "no ink" in refusal.value.message, refusal.value.facts["hook"]) == (
        "ILK-214",
        True,
        "fail",
    )
    assert {name: rows for name, rows in hand.everything().items() if name != "interlock_verdict"} == before
    whole(app)


def test_a_hook_that_fails_at_admission_takes_the_record_back(opened: Any, whole: Any) -> None:
    workflow = uploads()

    @workflow.on_move("queued_for_parse")
    def picky(tx: Connection, moves: Sequence[Move]) -> None:
        if any(move.id == "u2" for move in moves):
            raise ValueError("not this one")

    app: App = opened(workflow)
    answers = app.admit_many("statements", [{"id": "u1"}, {"id": "u2"}, {"id": "u3"}])
    assert [answer.outcome for answer in answers] == ["admitted", "refused", "admitted"]
    assert app.counts() == {("statements", "status", None, "queued_for_parse"): 2}
    whole(app)


def test_a_hook_may_not_touch_what_is_frozen(opened: Any, whole: Any) -> None:
    workflow = content()

    @workflow.on_move("CANDIDATE")
    def forge(tx: Connection, moves: Sequence[Move]) -> None:
        tx.execute(text("INSERT INTO approved_items(item_id) VALUES ('x')"))
        tx.execute(text("UPDATE approved_items SET approved_by = 'eve'"))

    app: App = opened(workflow)
    app.admit("content", {"item_id": "c1"})
    with pytest.raises((ImmutabilityViolation, RefusedByDatabase)) as refusal:
        app.move("content", "c1", actor="ann", state="CANDIDATE")
    assert (
        refusal.value.code == "ILK-210" or "permission denied" in refusal.value.message
    )  # a role without the right never meets the guard
    whole(app)


def test_a_hook_may_not_move_a_record_by_hand(opened: Any, whole: Any) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def cheat(tx: Connection, moves: Sequence[Move]) -> None:
        tx.execute(workflow.records.update().values(status="parsed", version=workflow.records.c.version + 1))

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    with pytest.raises(RefusedByDatabase):
        app.move("statements", "u1", actor="ann", status="parsing")
    assert app.get("statements", "u1")["version"] == 0
    whole(app)


@pytest.mark.postgresql_only
@pytest.mark.parametrize("key", [None, "k1"])
def test_a_constraint_that_waits_for_the_commit_stops_only_the_record_that_breaks_it(
    opened: Any, whole: Any, hand: Any, key: str | None
) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def note(tx: Connection, moves: Sequence[Move]) -> None:
        for move in moves:
            tx.execute(
                text("INSERT INTO notes(id, owner) VALUES (:id, :owner)"), {"id": move.id, "owner": move.id}
            )
            if move.id != "u2":  # mended later in the same transaction, as a constraint that waits allows
                tx.execute(text("INSERT INTO owners(id) VALUES (:id)"), {"id": move.id})

    app: App = opened(workflow)
    hand.run("CREATE TABLE owners (id text PRIMARY KEY)")
    hand.run("CREATE TABLE notes (id text, owner text REFERENCES owners DEFERRABLE INITIALLY DEFERRED)")
    hand.run("GRANT ALL ON owners, notes TO public")
    app.admit_many("statements", [{"id": f"u{number}"} for number in range(4)])
    answers = app.move_many(
        "statements", [f"u{number}" for number in range(4)], actor="ann", key=key, status="parsing"
    )
    assert [answer.outcome for answer in answers] == ["moved", "moved", "refused", "moved"]
    assert isinstance(answers[2].error, RefusedByDatabase)
    assert hand.one("SELECT count(*) FROM notes") == 3
    whole(app)


def test_a_hook_that_names_no_table_refuses_its_move_and_stops_no_coordinator(boxed: Any, whole: Any) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def mistyped(tx: Connection, moves: Sequence[Move]) -> None:
        tx.execute(text("INSERT INTO no_such_table(id) VALUES (1)"))

    box = boxed(workflow)
    box.admit("statements", {"id": "u1"})
    with pytest.raises(HookFailed, match="hook mistyped failed"):
        box.move("statements", "u1", actor="ann", status="parsing")
    box.drain()
    assert box.get("statements", "u1")["status"] == "queued_for_parse"
    assert [move.new for move in box.ledger.history("statements", "u1")] == ["queued_for_parse"]
    with box.database.read() as tx:
        codes = tx.execute(text("SELECT DISTINCT code FROM interlock_verdict WHERE record_id = 'u1'"))
        assert codes.scalars().all() == [HookFailed.code]
    whole(box)


@pytest.mark.postgresql_only
def test_a_hook_that_goes_on_after_the_database_refused_it_stops_only_its_own_record(
    boxed: Any, whole: Any
) -> None:
    """PostgreSQL takes no further statement then, and the move that would go on would say that the database is away."""
    workflow = uploads()

    @workflow.on_move("parsing")
    def swallowing(tx: Connection, moves: Sequence[Move]) -> None:
        if any(move.id == "u2" for move in moves):
            with suppress(DBAPIError):
                tx.execute(text("SELECT 1 / 0"))

    box = boxed(workflow)
    box.admit_many("statements", [{"id": id} for id in ("u1", "u2", "u3")])
    with pytest.raises(RefusedByDatabase, match="a statement of hook swallowing, which went on"):
        box.move("statements", "u2", actor="ann", status="parsing")
    box.drain()
    assert [box.get("statements", id)["status"] for id in ("u1", "u2", "u3")] == [
        "normalized",
        "queued_for_parse",
        "normalized",
    ]
    assert [move.new for move in box.ledger.history("statements", "u2")] == ["queued_for_parse"]
    whole(box)


ENDINGS: dict[str, Callable[[Connection], Any]] = {
    "commit": lambda tx: tx.commit(),
    "rollback": lambda tx: tx.rollback(),
    "close": lambda tx: tx.close(),
    "COMMIT": lambda tx: tx.execute(text("  commit")),
    "END": lambda tx: tx.exec_driver_sql("END"),
    "ROLLBACK": lambda tx: tx.exec_driver_sql("ROLLBACK"),
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("then_raises", [True, False])
def test_a_hook_that_would_end_the_transaction_is_refused_with_its_move(
    opened: Any, ending: str, then_raises: bool
) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def ending_it(tx: Connection, moves: Sequence[Move]) -> None:
        try:
            ENDINGS[ending](tx)
        finally:
            if then_raises:
                raise RuntimeError("after that")

    app: App = opened(workflow)
    app.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    answers = app.move_many("statements", ["u1", "u2"], actor="ann", status="parsing")
    assert [answer.outcome for answer in answers] == ["refused", "refused"]
    assert {type(answer.error) for answer in answers} == {HookFailed if then_raises else BadInput}
    for id in ("u1", "u2"):
        assert app.get("statements", id)["status"] == "queued_for_parse"
        assert [move.new for move in app.ledger.history("statements", id)] == ["queued_for_parse"]


def test_a_hook_may_use_savepoints_of_its_own(opened: Any) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def saving(tx: Connection, moves: Sequence[Move]) -> None:
        tx.exec_driver_sql("SAVEPOINT mine")
        tx.exec_driver_sql("ROLLBACK TO SAVEPOINT mine")
        with tx.begin_nested() as nested:
            nested.rollback()

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    assert app.move("statements", "u1", actor="ann", status="parsing").outcome == "moved"
    assert app.get("statements", "u1")["status"] == "parsing"


def test_a_hook_that_ends_the_transaction_all_the_same_is_answered_truthfully(opened: Any) -> None:
    """Past everything that is refused: what it committed stands, and nobody is told `unchanged`."""
    workflow = uploads()

    @workflow.on_move("parsing")
    def ending_it(tx: Any, moves: Sequence[Move]) -> None:
        tx._transaction.commit()
        raise RuntimeError("after that")

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    with pytest.raises(StoreError, match="hook ending_it ended the transaction of its move"):
        app.move("statements", "u1", actor="ann", status="parsing")
    # psycopg's connection takes the refusal itself, so nothing is kept there; that of sqlite3 takes none.
    states = ["queued_for_parse", *(["parsing"] if app.database.name == "sqlite" else [])]
    assert app.get("statements", "u1")["status"] == states[-1]
    assert [move.new for move in app.ledger.history("statements", "u1")] == states


@pytest.mark.parametrize("ending", ["commit", "rollback", "COMMIT"])
def test_a_hook_that_ends_the_transaction_through_the_driver_is_refused_or_named(
    opened: Any, ending: str, hand: Any
) -> None:
    workflow = uploads()

    @workflow.on_move("parsing")
    def ending_it(tx: Connection, moves: Sequence[Move]) -> None:
        raw: Any = tx.connection.driver_connection
        raw.execute(ending) if ending.isupper() else getattr(raw, ending)()

    app: App = opened(workflow)
    app.admit("statements", {"id": "u1"})
    with pytest.raises(InterlockError) as refused:
        app.move("statements", "u1", actor="ann", status="parsing")
    assert refused.value.code == (BadInput.code if app.database.name == "postgresql" else StoreError.code)
    kept = app.database.name == "sqlite" and ending != "rollback"
    states = ["queued_for_parse", *(["parsing"] if kept else [])]
    assert app.get("statements", "u1")["status"] == states[-1]
    assert [move.new for move in app.ledger.history("statements", "u1")] == states
    assert app.check().findings == []
