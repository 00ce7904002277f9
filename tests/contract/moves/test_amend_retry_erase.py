"""amend, retry and erase: facts where the record stands, the way back after an error, and the end of a record."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Column, Date, ForeignKey, Integer, MetaData, Numeric, String, Table

from interlock import App, Axis, Done, Workflow
from interlock.clock import FrozenClock
from interlock.errors import (
    BadDeclaration,
    BadInput,
    ConcurrentModificationError,
    GateRejected,
    InterlockError,
    MaxRetriesExceeded,
    NotPermitted,
    UnknownRecord,
)
from tests.kinds import CURATION, UPLOAD, content, domains, themes, uploads


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads(), clock=FrozenClock())
    made.admit("statements", {"id": "u1", "file_hash": "f1"})
    return made


def walk(app: App, id: str, *states: str, **said: Any) -> None:
    for state in states:
        app.move("statements", id, actor="ann", status=state, **said)


def test_an_amendment_steps_the_version_and_stays(app: App, whole: Any) -> None:
    since = app.get("statements", "u1")["since"]
    app.clock.sleep(30)
    answer = app.amend(
        "statements", "u1", facts={"observations_count": 2, "pages": 4}, actor="ann", reason="a better scan"
    )
    assert (answer.outcome, answer.old, answer.new, answer.version) == (
        "moved",
        "queued_for_parse",
        "queued_for_parse",
        1,
    )
    row = app.get("statements", "u1")
    assert (row["observations_count"], row["since"], row["status"]) == (2, since, "queued_for_parse")
    last = app.ledger.history("statements", "u1")[-1]
    assert (last.origin, last.old, last.new, last.reason, last.facts, last.cause) == (
        "amend",
        "queued_for_parse",
        "queued_for_parse",
        "a better scan",
        {"observations_count": 2, "pages": 4},
        "upload.amended",
    )
    whole(app)


@pytest.mark.parametrize(
    "facts",
    [
        {"file_hash": "f2"},
        {"id": "u2"},
        {"status": "parsed"},
        {"version": 9},
        {"max_retries": 9, "file_hash": "f"},
        {"observations_count": "two"},
        {"observations_count": True},
        {"observations_count": 2.5},
        {"observations_count": [2]},
        {"head": b"x"},
    ],
    ids=str,
)
def test_an_amendment_changes_only_amendable_columns_and_by_values_of_their_type(
    app: App, whole: Any, facts: dict[str, Any]
) -> None:
    before = app.get("statements", "u1")
    with pytest.raises(BadInput) as refusal:
        app.amend("statements", "u1", facts=facts, actor="ann", reason="a slip")
    assert refusal.value.code == "ILK-102"
    assert app.get("statements", "u1") == before
    assert [move.origin for move in app.ledger.history("statements", "u1")] == ["admit"]
    whole(app)


def declared(amendable: Any) -> Workflow:
    table = Table(
        "papers",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("title", String(10)),
        Column("due", Date),
        Column("price", Numeric(10, 2)),
        Column("size", Integer, nullable=False, server_default="1"),
    )
    axes = [Axis("status", UPLOAD, prefix="s_"), Axis("review", CURATION, prefix="r_")]
    return Workflow("papers", records=table, axes=axes, amendable=amendable)


def test_a_workflow_says_which_columns_can_be_amended(opened: Any, whole: Any) -> None:
    app: App = opened(declared(["title", "due", "size"]))
    app.admit("papers", {"id": 1, "title": "a", "size": 3})
    for wrong in (
        {"price": "1.00"},
        {"title": "longer than ten"},
        {"size": None},
        {"due": "tomorrow"},
        {"title": 5},
    ):
        with pytest.raises(BadInput):
            app.amend("papers", 1, facts=wrong, actor="ann", reason="r")
    answer = app.amend(
        "papers",
        1,
        facts={"title": None, "due": "2026-03-01"},
        actor="ann",
        role="editor",
        reason="r",
        version=0,
        key="k",
        axis="review",
    )
    assert (answer.new, answer.version) == ("New", 1)
    row = app.get("papers", 1)
    assert (row["title"], row["due"], row["size"], row["s_version"], row["r_version"]) == (
        None,
        date(2026, 3, 1),
        3,
        0,
        1,
    )
    assert (
        app.amend(
            "papers",
            1,
            facts={"title": None, "due": "2026-03-01"},
            actor="ann",
            role="editor",
            reason="r",
            version=0,
            key="k",
            axis="review",
        )
        == answer
    )
    with pytest.raises(ConcurrentModificationError):
        app.amend("papers", 1, facts={"title": "b"}, actor="ann", reason="r", version=0, axis="review")
    last = app.ledger.history("papers", 1, axis="review")
    assert [(move.origin, move.role, move.version) for move in last] == [
        ("admit", None, 0),
        ("amend", "editor", 1),
    ]
    whole(app)


@pytest.mark.parametrize("names", [["nothing"], ["id"], ["s_version"], ["review"]])
def test_what_can_never_be_amended_is_refused_when_it_is_declared(names: list[str]) -> None:
    with pytest.raises(BadDeclaration, match="amendable names"):
        App([declared(names)], database="sqlite://")


def test_an_amendment_needs_facts(app: App) -> None:
    with pytest.raises(BadInput):
        app.amend("statements", "u1", facts={}, actor="ann", reason="nothing")


def test_an_amendment_of_nobody_is_told(app: App) -> None:
    with pytest.raises(UnknownRecord):
        app.amend("statements", "nobody", facts={"observations_count": 1}, actor="ann", reason="why not")


def test_after_an_amendment_gates_must_pass_anew(opened: Any) -> None:
    app: App = opened(content())
    app.admit("content", {"item_id": "c1", "level": "A1", "state": "CANDIDATE"})
    app.judge_gate("content", "c1", "level", passed=True, actor="gate")
    app.amend("content", "c1", facts={"level": "B2"}, actor="ann", reason="was wrong")
    with pytest.raises(GateRejected) as refusal:
        app.move("content", "c1", actor="ann", state="VALIDATED")
    assert (refusal.value.code, "has not run" in refusal.value.message) == ("ILK-206", True)
    app.judge_gate("content", "c1", "level", passed=True, actor="gate")
    assert app.move("content", "c1", actor="ann", state="VALIDATED").outcome == "moved"


def test_a_retry_goes_back_to_the_state_before_the_stage_that_failed(app: App, whole: Any) -> None:
    walk(app, "u1", "parsing")
    walk(app, "u1", "error", facts={"error_code": "TORN", "error_message": "page 2"})
    row = app.get("statements", "u1")
    assert (row["failed_from"], row["error_code"], row["error_message"], row["retry_count"]) == (
        "queued_for_parse",
        "TORN",
        "page 2",
        0,
    )
    app.clock.sleep(5)
    answer = app.retry("statements", "u1", actor="bob", reason="scanned again")
    assert (answer.outcome, answer.old, answer.new) == ("moved", "error", "queued_for_parse")
    row = app.get("statements", "u1")
    assert (row["retry_count"], row["failed_from"], row["error_code"], row["error_message"]) == (
        1,
        None,
        None,
        None,
    )
    assert row["last_retry_at"] == app.clock.now()
    last = app.ledger.history("statements", "u1")[-1]
    assert (last.origin, last.actor, last.cause) == ("retry", "bob", "command.retry")
    whole(app)


def test_a_retry_after_the_second_stage_goes_back_to_its_own_waiting_state(app: App) -> None:
    walk(app, "u1", "parsing", "parsed", "normalizing", "error")
    assert app.retry("statements", "u1", actor="bob", reason="again").new == "parsed"


def test_retries_are_bounded_per_record_and_reset_where_declared(app: App, hand: Any) -> None:
    hand.run("UPDATE uploads SET max_retries = 2")
    for _ in range(2):
        walk(app, "u1", "parsing", "error")
        app.retry("statements", "u1", actor="bob", reason="again")
    walk(app, "u1", "error")
    with pytest.raises(MaxRetriesExceeded) as refusal:
        app.retry("statements", "u1", actor="bob", reason="again")
    assert refusal.value.code == "ILK-207"
    assert (refusal.value.facts["retries"], refusal.value.facts["allowed"]) == (2, 2)
    hand.run("UPDATE uploads SET max_retries = 3")
    app.retry("statements", "u1", actor="bob", reason="again")
    walk(app, "u1", "parsing", "parsed", "normalizing", "normalized")
    row = app.get("statements", "u1")
    assert (row["retry_count"], row["last_retry_at"]) == (0, None)


def test_what_has_not_failed_is_not_retried(app: App) -> None:
    with pytest.raises(BadInput, match="not failed"):
        app.retry("statements", "u1", actor="bob", reason="again")
    with pytest.raises(UnknownRecord):
        app.retry("statements", "nobody", actor="bob", reason="again")


def test_a_retry_edge_is_taken_by_retry_only(app: App) -> None:
    walk(app, "u1", "parsing", "error")
    for state in ("queued_for_parse", "parsed"):
        with pytest.raises(NotPermitted) as refusal:
            app.move("statements", "u1", actor="ann", role="admin", reason="please", status=state)
        assert "retry" in refusal.value.hint


def test_what_waits_is_ready_and_what_does_not_is_not(app: App) -> None:
    assert app.get("statements", "u1")["ready_at"] == app.clock.now()
    walk(app, "u1", "parsing")
    assert app.get("statements", "u1")["ready_at"] is None
    app.clock.sleep(9)
    walk(app, "u1", "parsed")
    assert app.get("statements", "u1")["ready_at"] == app.clock.now()
    walk(app, "u1", "error")
    assert app.get("statements", "u1")["ready_at"] is None


def test_a_stamp_is_set_on_entering_and_stays(opened: Any) -> None:
    app: App = opened(domains(), clock=FrozenClock())
    app.admit("domains", {"id": 1, "host": "a", "curation_status": "Selected"})
    queued = app.get("domains", 1)["queued_at"]
    assert queued == app.clock.now()
    app.clock.sleep(60)
    app.move("domains", 1, actor="ann", processing_status="Processing")
    assert app.get("domains", 1)["queued_at"] == queued
    app.move(
        "domains", 1, actor="ann", processing_status="Failed", facts={"error_code": "E", "error_message": "m"}
    )
    assert app.get("domains", 1)["processing_error"] == "m"
    app.move("domains", 1, actor="ann", processing_status="Queued")
    row = app.get("domains", 1)
    assert (row["queued_at"] - queued, row["processing_error"], row["processing_error_code"]) == (
        timedelta(seconds=60),
        None,
        None,
    )


def test_an_erased_record_is_gone_and_its_chain_still_verifies(app: App, whole: Any, hand: Any) -> None:
    walk(app, "u1", "parsing", reason="private words", facts={"observations_count": 3})
    answer = app.erase("statements", "u1", actor="ann", role="admin", reason="asked for it")
    assert (answer.outcome, answer.old, answer.version) == ("erased", "parsing", 2)
    with pytest.raises(UnknownRecord):
        app.get("statements", "u1")
    history = app.ledger.history("statements", "u1")
    assert [(move.version, move.origin, move.reason) for move in history] == [
        (0, "admit", None),
        (1, "move", None),
        (2, "erase", "asked for it"),
    ]
    assert hand.rows("SELECT reason FROM interlock_detail") == [("asked for it",)]
    assert app.counts() == {}
    whole(app)


def test_an_erasure_keeps_the_columns_that_the_workflow_names_and_nothing_else(
    opened: Any, whole: Any, hand: Any
) -> None:
    table = Table(
        "papers",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("kind", String(20)),
        Column("author", String(20)),
    )
    papers = Workflow("papers", records=table, axes=[Axis("status", UPLOAD)], kept_when_erased=[table.c.kind])
    app: App = opened(papers)
    for id in (1, 2):
        app.admit("papers", {"id": id, "kind": "invoice", "author": "ann"}, reason="private words")
    app.erase("papers", 1, actor="eve", role="admin", reason="asked for it")
    app.delete("papers", 2, actor="eve", role="admin", reason="sent twice")
    assert [move.facts for move in app.ledger.history("papers", 1)] == [{}, {"kind": "invoice"}]
    assert [move.facts for move in app.ledger.history("papers", 2)] == [{}, {}]
    assert sorted(hand.rows("SELECT reason, facts FROM interlock_detail")) == [
        ("asked for it", '{"kind":"invoice"}'),
        ("private words", "{}"),
        ("sent twice", "{}"),
    ]
    assert hand.one("SELECT count(*) FROM papers") == 0
    whole(app)


def test_gate_verdicts_leave_with_an_erased_record_and_with_no_other(
    opened: Any, whole: Any, hand: Any
) -> None:
    table = Table("papers", MetaData(), Column("id", Integer, primary_key=True))
    papers = Workflow("papers", records=table, axes=[Axis("status", UPLOAD)])

    @papers.gate("parsed")
    def is_legible(work: Any) -> Done[None]:
        return Done()

    app: App = opened(papers)
    for id in (1, 2, 3):
        app.admit("papers", {"id": id})
        app.judge_gate(
            "papers", id, "is_legible", passed=False, reason=f"private words of {id}", actor="gate"
        )
    hand.refused("ILK-210", "DELETE FROM interlock_gate_verdict WHERE record_id = '1'")
    app.erase("papers", 1, actor="eve", role="admin", reason="asked for it")
    app.delete("papers", 2, actor="eve", role="admin", reason="sent twice")
    assert sorted(hand.rows("SELECT record_id, reason FROM interlock_gate_verdict")) == [
        ("2", "private words of 2"),
        ("3", "private words of 3"),
    ]
    assert app.ledger.history("papers", 1)[-1].origin == "erase"
    hand.refused("ILK-210", "DELETE FROM interlock_gate_verdict")
    hand.refused("ILK-210", "UPDATE interlock_gate_verdict SET passed = true")
    whole(app)


def test_a_column_kept_when_erased_must_exist(opened: Any) -> None:
    table = Table("papers", MetaData(), Column("id", Integer, primary_key=True))
    with pytest.raises(BadDeclaration, match="kept_when_erased names 'colour'"):
        opened(Workflow("papers", records=table, axes=[Axis("status", UPLOAD)], kept_when_erased=["colour"]))


def test_a_deleted_record_is_gone_and_its_whole_history_stays(opened: Any, whole: Any, hand: Any) -> None:
    app: App = opened(uploads(), domains())
    app.admit("statements", {"id": "u1"}, reason="found")
    app.move("statements", "u1", actor="bob", reason="said of u1", status="parsing")
    answer = app.delete("statements", "u1", actor="ann", role="admin", reason="sent twice")
    assert (answer.outcome, answer.old, answer.version) == ("deleted", "parsing", 2)
    assert hand.one("SELECT count(*) FROM uploads") == 0
    told = [(move.origin, move.cause, move.reason) for move in app.ledger.history("statements", "u1")]
    assert told[1:] == [("move", "command.move", "said of u1"), ("deletion", "upload.deleted", "sent twice")]
    app.admit("domains", {"host": "a"})
    app.delete("domains", 1, actor="ann", role="admin", reason="sent twice")
    assert app.admit("domains", {"host": "b"}).id == 2
    whole(app)


def test_the_id_of_an_erased_record_is_never_used_again(app: App, whole: Any) -> None:
    app.erase("statements", "u1", actor="ann", role="admin", reason="asked for it")
    with pytest.raises(InterlockError) as refusal:
        app.admit("statements", {"id": "u1"})
    assert refusal.value.code.startswith("ILK-2")
    whole(app)


def test_erasing_one_of_several_moved_together_keeps_what_was_said_of_the_others(
    opened: Any, whole: Any
) -> None:
    app: App = opened(uploads())
    app.admit_many(
        "statements", [{"id": "u1"}, {"id": "u2", "observations_count": 1}], reason="found together"
    )
    walk(app, "u2", "parsing")
    app.move_many("statements", ["u1", "u2"], actor="ann", reason="both are torn", status="error")
    app.erase("statements", "u1", actor="ann", role="admin", reason="asked for it")
    assert [move.reason for move in app.ledger.history("statements", "u2")] == [
        "found together",
        None,
        "both are torn",
    ]
    whole(app)


def test_erasing_needs_the_role_and_a_reason(app: App) -> None:
    for role, reason in (("operator", "x"), ("", "x")):
        with pytest.raises(InterlockError):
            app.erase("statements", "u1", actor="ann", role=role, reason=reason)
    with pytest.raises(InterlockError):
        app.erase("statements", "u1", actor="ann", role="admin", reason="")
    with pytest.raises(UnknownRecord):
        app.erase("statements", "nobody", actor="ann", role="admin", reason="x")
    assert app.get("statements", "u1")["version"] == 0


def test_erasing_closes_every_axis_and_every_scope(opened: Any, whole: Any) -> None:
    app: App = opened(themes(), domains())
    app.admit("themes", {"id": 1})
    app.admit("domains", {"id": 1, "host": "a"})
    app.erase("themes", 1, actor="ann", role="admin", reason="asked for it")
    app.erase("domains", 1, actor="ann", role="admin", reason="asked for it")
    closed = {
        (move.axis, move.scope)
        for kind in ("themes", "domains")
        for move in app.ledger.history(kind, 1)
        if move.origin == "erase"
    }
    assert closed == {
        ("curation_status", None),
        ("processing_status", None),
        ("status", "technical"),
        ("status", "fundamental"),
    }
    assert app.admit("themes", {}).id > 1
    whole(app)


@pytest.mark.parametrize("act", ["erase", "delete"])
def test_a_record_that_is_nothing_but_its_key_is_removed_with_its_scoped_states(
    opened: Any, whole: Any, hand: Any, act: str
) -> None:
    metadata = MetaData()
    papers = Table("papers", metadata, Column("id", Integer, primary_key=True))
    readings = Table(
        "readings",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("paper", ForeignKey("papers.id"), nullable=False),
        Column("scope", String(20), nullable=False),
    )
    axis = Axis("status", UPLOAD, table=readings, scope=("fast", "slow"))
    removed: list[Any] = []
    workflow = Workflow("papers", records=papers, axes=[axis])
    workflow.on_remove(lambda tx, moves: removed.extend(move.id for move in moves))
    app: App = opened(workflow)
    for number in (1, 2):
        app.admit("papers", {"id": number})
    app.move("papers", 1, actor="ann", scope="fast", status="parsing")
    gone = getattr(app, act)("papers", 1, actor="ann", role="admin", reason="asked for")
    assert gone.outcome == ("erased" if act == "erase" else "deleted")
    assert removed == [1]
    assert hand.rows("SELECT id FROM papers") == [(2,)]
    assert hand.rows("SELECT paper, scope FROM readings ORDER BY scope") == [(2, "fast"), (2, "slow")]
    last = hand.rows(
        "SELECT scope, version, from_state, to_state, origin FROM interlock_ledger WHERE record_id = '1' AND origin <> 'admit' "
        "AND origin <> 'move' ORDER BY scope"
    )
    origin = "erase" if act == "erase" else "deletion"
    assert last == [("fast", 2, "parsing", None, origin), ("slow", 1, "queued_for_parse", None, origin)]
    with pytest.raises(UnknownRecord):
        getattr(app, act)("papers", 1, actor="ann", role="admin", reason="again")
    whole(app)


def test_a_stale_version_beats_where_it_already_is(app: App) -> None:
    walk(app, "u1", "parsing")
    with pytest.raises(ConcurrentModificationError):
        app.move("statements", "u1", version=0, actor="ann", status="parsing")
