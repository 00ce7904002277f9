"""A machine changes while records live by it: what it strands is counted, a plan moves it on, and history says who, why and how."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, text

from interlock import App, Axis, Machine, Move, Workflow, entering, operator, retry
from interlock.errors import (
    BadInput,
    InterlockError,
    NotPermitted,
    SchemaOutdated,
    StrandedRecords,
    UnknownState,
)
from interlock.machine import Line
from interlock.observe.declared.machine_versions import changes, strandings
from interlock.observe.invariants import replay
from tests.contract.hand import Hand
from tests.contract.subjects import Subject
from tests.kinds import plain

OLD = Machine(
    "thing",
    initial="new",
    moves={"new": ["review", "done"], "review": ["done", "spoilt"], "spoilt": [retry("review")]},
)
NEW = Machine(
    "thing",
    initial="new",
    moves={
        "new": ["checking", "done"],
        "checking": ["done", "spoilt"],
        "spoilt": [retry("checking")],
        "done": [operator("checking")],
    },
)
PLAN = [Line("review", "checking", "reviews are part of the check now")]
THING = Subject(lambda: plain(OLD), "things", "status", "things", "t0", "new", "review", "spoilt", NEW, ())


@pytest.fixture
def old(opened: Any) -> App:
    """Seven things are in review, three are done."""
    app: App = opened(plain(OLD))
    app.admit_many("things", [{"id": f"t{number}"} for number in range(10)])
    app.move_many("things", [f"t{number}" for number in range(7)], actor="ann", status="review")
    app.move_many("things", ["t7", "t8", "t9"], actor="ann", status="done")
    return app


@pytest.fixture
def new(old: App, opened: Any) -> App:
    """The same database under code that has lost `review`."""
    app: App = opened(plain(NEW))
    return app


def relocate(app: App, plan: Sequence[Line] = PLAN, **said: Any) -> list[tuple[int, int, int]]:
    outcomes = app.relocate("things", plan, **{"actor": "eve", "role": "operator", **said})
    return [(one.moved, one.refusals, one.left) for one in outcomes]


def states(app: App) -> dict[Any, int]:
    return {state: number for (_, _, _, state), number in app.counts("things").items()}


def sound(app: App, whole: Any) -> None:
    whole(app)
    assert replay(app.database, list(app.workflows.values())) == []


def test_a_diff_counts_what_it_strands_with_examples(new: App) -> None:
    (change,) = changes(new.database, new.workflow("things"))
    assert "state review is gone; records still in it are stranded" in change.evolution.describe()
    assert change.before.fingerprint == OLD.fingerprint
    (lost,) = change.stranded
    assert (lost.state, lost.records, lost.examples) == ("review", 7, ("t0", "t1", "t2"))
    assert strandings(new.database, new.workflow("things")) == [lost]
    assert [
        one.evolution.unchanged for one in changes(new.database, new.workflow("things"), NEW.fingerprint[:12])
    ] == [True]


def test_a_restart_of_old_code_beside_new_changes_no_guard(old: App, new: App) -> None:
    assert (old.migrate(), new.migrate(), old.migrate()) == ([], [], [])


def test_old_code_is_told_to_be_replaced_once_its_machine_is_retired(
    old: App, new: App, whole: Any, hand: Hand
) -> None:
    old.ready()  # both versions run side by side until then
    new.relocate("things", PLAN, actor="ann", role="operator")
    new.migrate(contract=True)
    before = hand.everything()
    with pytest.raises(SchemaOutdated) as refused:
        old.ready()
    assert "machine thing: this version of it was retired by a later one" in refused.value.message
    assert refused.value.hint.startswith("This code is older than the database: start the newer one.")
    assert hand.everything() == before
    new.ready()
    whole(new)


def test_contracting_is_refused_while_it_strands_records(old: App, new: App, whole: Any) -> None:
    with pytest.raises(StrandedRecords) as refusal:
        new.migrate(contract=True)
    assert "7 of things.status in review (t0, t1, t2, …)" in refusal.value.message
    assert "machine migrate" in refusal.value.hint
    assert old.move("things", "t0", actor="ann", status="done").outcome == "moved"  # nothing was narrowed
    assert relocate(new) == [(6, 0, 0)]
    assert new.migrate(contract=True) != []
    sound(new, whole)


def test_records_stranded_by_force_can_still_be_moved_on(old: App, new: App, whole: Any) -> None:
    assert new.migrate(contract=True, force=True) != []
    with pytest.raises(InterlockError):
        old.move("things", "t0", actor="ann", status="spoilt")
    assert relocate(new) == [(7, 0, 0)]
    assert new.move("things", "t0", actor="ann", status="done").outcome == "moved"
    sound(new, whole)


def test_a_plan_is_previewed_applied_in_chunks_and_written_into_history(new: App, whole: Any) -> None:
    before = states(new)
    (foreseen,) = new.relocate("things", PLAN, actor="eve", role="admin", dry_run=True)
    assert (foreseen.records, foreseen.refusals, states(new)) == (7, 0, before)
    told: list[int] = []
    assert relocate(new, chunk=3, tell=lambda outcome: told.append(outcome.moved)) == [(7, 0, 0)]
    assert told == [3, 6, 7]
    assert states(new) == {"checking": 7, "done": 3}
    last = new.ledger.history("things", "t3")[-1]
    assert (last.old, last.new, last.actor, last.role, last.origin, last.reason) == (
        "review",
        "checking",
        "eve",
        "operator",
        "migration",
        PLAN[0].reason,
    )
    assert last.cause is not None
    assert last.cause.startswith("plan.")
    sound(new, whole)
    assert relocate(new) == [(0, 0, 0)]


def test_a_plan_that_broke_off_is_begun_again_and_goes_on(new: App, whole: Any) -> None:
    def tell(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        relocate(new, chunk=3, tell=tell)
    assert states(new)["checking"] == 3
    assert relocate(new, chunk=3) == [(4, 0, 0)]
    causes = {new.ledger.history("things", f"t{number}")[-1].cause for number in range(7)}
    assert len(causes) == 1, "it was the same plan"
    sound(new, whole)


BAD_PLANS: dict[str, tuple[list[Line], str]] = {
    "nothing": ([], "no line"),
    "a state that is still there": ([Line("new", "done", "faster")], "still has the state new"),
    "a state that never was": (
        [Line("reviewed", "checking", "because")],
        "ever had the state reviewed. Did you mean 'review'?",
    ),
    "to nowhere": (
        [Line("review", "chekking", "because")],
        "has no state chekking. Did you mean 'checking'?",
    ),
    "to another lost state": ([Line("review", "review", "because")], "has no state review"),
    "without a reason": ([Line("review", "checking", " ")], "gives no reason"),
    "in two directions": ([*PLAN, Line("review", "done", "or this")], "left by two lines"),
}


@pytest.mark.parametrize("what", BAD_PLANS)
def test_a_plan_that_cannot_be_is_refused_before_anything_moves(new: App, what: str) -> None:
    lines, said = BAD_PLANS[what]
    before = states(new)
    with pytest.raises(BadInput) as refusal:
        relocate(new, lines)
    assert said in refusal.value.message
    assert states(new) == before


def test_a_plan_needs_a_role_that_may(new: App) -> None:
    with pytest.raises(NotPermitted):
        relocate(new, role="curator")


def test_rules_are_asked_and_what_they_refuse_is_told(old: App, opened: Any, whole: Any) -> None:
    workflow = plain(NEW)
    bound = plain(NEW, rules=[entering(status="checking").requires(workflow.records.c.note == "signed")])
    app: App = opened(bound)
    with app.database.write() as tx:
        tx.execute(text("UPDATE things SET note = 'signed' WHERE id IN ('t1', 't2')"))
    (foreseen,) = app.relocate("things", PLAN, actor="eve", role="operator", dry_run=True)
    assert (foreseen.records, foreseen.refusals) == (7, 5)
    assert relocate(app) == [(2, 5, 0)]
    (refused,) = app.relocate("things", PLAN, actor="eve", role="operator")[0].refused.values()
    assert (refused.code, refused.records, refused.examples) == ("ILK-205", 5, ["t0", "t3", "t4"])
    assert app.explain("things", "t0").waits_for[0].what.startswith("a migration plan out of review")
    sound(app, whole)


def scoped(machine: Machine) -> Workflow:
    """One status per record and pipeline, in a state table; the first state is null."""
    metadata = MetaData()
    items = Table("articles", metadata, Column("id", Integer, primary_key=True))
    state = Table(
        "article_states",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
    )
    return Workflow(
        "articles",
        records=items,
        axes=[
            Axis("shelf", Machine("shelf", initial="open", moves={"open": ["shut"]}), prefix="shelf_"),
            Axis("status", machine, table=state, scope=("long", "short"), scope_column="pipeline"),
        ],
    )


def test_each_scope_is_counted_and_moved_on_and_null_is_a_state_that_can_be_lost(
    opened: Any, whole: Any
) -> None:
    before: App = opened(scoped(Machine("work", initial=None, moves={None: ["busy"], "busy": ["over"]})))
    before.admit_many("articles", [{"id": number} for number in range(1, 5)])
    before.move_many("articles", [1, 2, 3], actor="ann", scope="long", status="busy")
    app: App = opened(scoped(Machine("work", initial="todo", moves={"todo": ["busy"], "busy": ["over"]})))
    assert [
        (one.scope, one.state, one.records) for one in strandings(app.database, app.workflow("articles"))
    ] == [("long", None, 1), ("short", None, 4)]
    outcomes = app.relocate(
        "articles", [Line(None, "todo", "nothing is null any more")], actor="eve", role="admin", axis="status"
    )
    assert [(one.scope, one.moved, one.left) for one in outcomes] == [("long", 1, 0), ("short", 4, 0)]
    assert app.migrate(contract=True) != []
    assert app.move("articles", 4, actor="ann", scope="short", status="busy").outcome == "moved"
    sound(app, whole)


def test_a_plan_for_several_axes_must_say_which(opened: Any) -> None:
    app: App = opened(scoped(NEW))
    with pytest.raises(BadInput, match="several axes"):
        app.relocate("articles", PLAN, actor="eve", role="admin")


def test_hooks_see_the_records_that_a_plan_moves(old: App, opened: Any) -> None:
    workflow = plain(NEW)
    seen: list[str] = []

    @workflow.on_move("checking")
    def keep(tx: Connection, moves: Sequence[Move]) -> None:
        seen.extend(move.id for move in moves)

    assert relocate(opened(workflow)) == [(7, 0, 0)]
    assert sorted(seen) == [f"t{number}" for number in range(7)]


def test_each_code_is_told_that_a_record_stands_where_it_knows_no_state(old: App, new: App) -> None:
    with pytest.raises(UnknownState) as refusal:
        new.move("things", "t0", actor="ann", status="done")
    assert "stands in review" in refusal.value.message
    relocate(new)
    with pytest.raises(UnknownState) as refusal:
        old.move("things", "t0", actor="ann", status="done")
    assert "machine diff" in refusal.value.hint
    assert old.explain("things", "t0").where[0].state == "checking"


@pytest.mark.parametrize("missing", ["role", "reason"])
def test_an_entry_of_a_plan_needs_role_and_reason(new: App, hand: Hand, missing: str) -> None:
    cause = hand.plan(THING, "migration", ("review", "checking"))
    said = {
        "origin": "migration",
        "cause": cause,
        "role": "operator",
        "detail": hand.detail("a good one"),
    } | ({"role": "curator"} if missing == "role" else {"detail": None})
    sql, values = hand.move(THING, "checking", **said)
    hand.refused("ILK-213", sql, *values)


def test_an_entry_of_a_plan_leads_only_into_a_state_that_is_there(new: App, hand: Hand, whole: Any) -> None:
    cause = hand.plan(THING, "migration", ("review", "checking"), ("review", "nowhere"))
    said = {"origin": "migration", "cause": cause, "role": "operator", "detail": hand.detail("a good one")}
    sql, values = hand.move(THING, "nowhere", **said)
    message = hand.refused("", sql, *values)
    assert "ILK-204" in message or "states" in message
    hand.refused("ILK-2", "UPDATE things SET status = 'checking', version = version + 1 WHERE id = 't0'")
    sql, values = hand.move(THING, "checking", **said)
    hand.run(sql, *values)
    if hand.is_sqlite:  # there the counters are the authority's own
        hand.run(
            "INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) "
            "VALUES ('things', 'status', '', 'review', -1), ('things', 'status', '', 'checking', 1)"
        )
    sound(new, whole)


def test_an_origin_that_does_not_exist_is_refused(new: App, hand: Hand) -> None:
    sql, values = hand.move(THING, "done", origin="whim")
    hand.refused("origin", sql, *values)


def planned_move(hand: Hand, cause: str, to: str = "checking") -> tuple[str, list[Any]]:
    """A move of a plan, typed with role and reason."""
    reason = hand.detail(f"typed, behind {hand.one('SELECT count(*) FROM interlock_detail')} others")
    return hand.move(THING, to, origin="migration", cause=cause, role="admin", detail=reason)


def test_an_entry_of_a_plan_is_refused_without_an_open_plan_that_has_its_move(new: App, hand: Hand) -> None:
    hand.refused("ILK-213", *flat(planned_move(hand, "plan.000000000000")))
    other = hand.plan(THING, "migration", ("spoilt", "checking"))
    hand.refused("ILK-213", *flat(planned_move(hand, other)))
    adopting = hand.plan(THING, "backfill", (None, "checking"))
    hand.refused("ILK-213", *flat(planned_move(hand, adopting)))
    mine = hand.plan(THING, "migration", ("review", "checking"))
    hand.run("UPDATE interlock_plan SET closed_at = at WHERE id = ?", mine.removeprefix("plan."))
    hand.refused("ILK-213", *flat(planned_move(hand, mine)))
    hand.run("UPDATE interlock_plan SET closed_at = NULL WHERE id = ?", mine.removeprefix("plan."))
    sql, values = planned_move(hand, mine)
    assert hand.run(sql, *values) == 1
    last = new.ledger.history("things", "t0")[-1]
    assert (last.old, last.new, last.cause, last.origin) == ("review", "checking", mine, "migration")
    assert new.check().findings == []


def flat(typed: tuple[str, list[Any]]) -> list[Any]:
    return [typed[0], *typed[1]]


def test_a_plan_never_changes_and_is_kept(new: App, hand: Hand) -> None:
    cause = hand.plan(THING, "migration", ("review", "checking"))
    for change in ("lines = '[]'", "actor = 'eve'", "machine = 'x'", "id = 'x'", "origin = 'backfill'"):
        hand.refused("ILK-210", f"UPDATE interlock_plan SET {change}")
    hand.refused("ILK-210", "DELETE FROM interlock_plan")
    assert f"plan {cause.removeprefix('plan.')} of things.status is open" in " ".join(new.check().notes)


def test_a_plan_is_open_while_it_is_carried_out_and_closed_after_it(new: App, hand: Hand) -> None:
    relocate(new)
    ((id, closed, actor),) = hand.rows("SELECT id, closed_at, actor FROM interlock_plan")
    assert closed is not None
    assert actor == "eve"
    assert {move.cause for move in new.ledger.history("things", "t0") if move.origin == "migration"} == {
        f"plan.{id}"
    }
    hand.refused("ILK-213", *flat(planned_move(hand, f"plan.{id}", "new")))
    (note,) = new.check().notes  # no plan is open; the reason of the refused move was typed, and is left
    assert note.startswith("reasons that no entry names: 1")


@pytest.mark.postgresql_only
def test_a_transaction_that_saw_a_plan_open_does_not_carry_it_out_once_it_is_closed(
    new: App, hand: Hand, database_url: str
) -> None:
    """A snapshot may be kept for days: the guard, which looked into tables with it, saw the plan as it was."""
    cause = hand.plan(THING, "migration", ("review", "checking"))
    sql, values = planned_move(hand, cause)
    late = Hand(database_url)
    late.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    late.connection.execute("SELECT count(*) FROM interlock_plan")
    hand.run("UPDATE interlock_plan SET closed_at = at WHERE id = ?", cause.removeprefix("plan."))
    before = hand.everything()
    with pytest.raises(psycopg.errors.SerializationFailure):
        late.run(sql, *values)
    late.connection.close()
    assert hand.everything() == before
    assert new.ledger.history("things", "t0")[-1].new == "review"


def test_entries_without_their_plan_are_located(new: App, hand: Hand) -> None:
    relocate(new)
    hand.drop_guards()
    hand.run("DELETE FROM interlock_plan")
    located = {
        (one.invariant, one.id, one.version) for one in new.check().findings if "names no plan" in one.problem
    }
    assert located == {("I1", f"t{number}", 2) for number in range(7)}


def test_a_plan_whose_text_was_changed_is_located(new: App, hand: Hand) -> None:
    relocate(new)
    hand.drop_guards()
    hand.run("UPDATE interlock_plan SET lines = ?", '[["review", "checking", "another reason"]]')
    assert [one.problem for one in new.check().findings if one.id == "*" and one.invariant == "I9"]


def test_entries_from_before_plans_were_kept_still_verify(new: App, hand: Hand, opened: Any) -> None:
    relocate(new)
    hand.run("DROP TABLE interlock_plan")
    hand.run("UPDATE interlock_meta SET value = 'of an older version' WHERE key = 'own tables'")
    app: App = opened(plain(NEW))
    assert hand.rows("SELECT actor, lines FROM interlock_plan")[0][0] == "eve"
    assert app.check().findings == []
    assert app.migrate() == []


def test_a_machine_that_no_migration_registered_widens_no_guard(new: App, hand: Hand, opened: Any) -> None:
    forged = Machine("thing", initial="new", moves={"new": ["spoilt"], "review": ["spoilt", "new"]})
    hand.run(
        "INSERT INTO interlock_machine(kind, axis, fingerprint, definition, active) VALUES ('things', 'status', ?, ?, true)",
        forged.fingerprint,
        json.dumps(forged.definition()),
    )
    app: App = opened(plain(NEW))
    hand.refused("ILK-204", *flat(hand.move(THING, "new", machine=forged.fingerprint[:16])))
    problems = [one.problem for one in app.check().findings]
    assert problems == ["no migration registered this version of things.status"]
    with pytest.raises(SchemaOutdated, match="no migration registered"):
        app.ready()


def test_a_plan_to_where_the_machine_has_no_state_is_found_in_history(new: App, hand: Hand) -> None:
    relocate(new)
    hand.drop_guards()
    sql, values = hand.insert_entry(hand.entry(THING, "elsewhere", origin="migration", role="operator"))
    hand.run(sql, *values)
    assert ("I1", 3) in {(finding.invariant, finding.version) for finding in new.check().findings}


def test_a_database_made_before_origins_grew_is_upgraded(
    old: App, new: App, hand: Hand, opened: Any, whole: Any
) -> None:
    """What was there is kept, guards go on working, and the new origin is taken."""
    made_before(hand)
    app: App = opened(plain(NEW))
    assert relocate(app) == [(7, 0, 0)]
    hand.refused("ILK-204", "UPDATE things SET status = 'new' WHERE id = 't0'")
    sql, values = hand.move(THING, "done", origin="whim")
    hand.refused("origin", sql, *values)
    sound(app, whole)
    assert app.migrate() == []


def made_before(hand: Hand) -> None:
    """The ledger as the first version of Interlock made it: a CHECK that does not know `migration`."""
    check = "CHECK (origin IN ('admit', 'move', 'operator', 'retry', 'rule', 'amend', 'backfill', 'deletion', 'erase'))"
    if hand.is_sqlite:
        hand.run("PRAGMA writable_schema = ON")
        hand.run(
            "UPDATE sqlite_master SET sql = replace(sql, 'origin TEXT NOT NULL', ?) WHERE name = 'interlock_ledger'",
            f"origin TEXT NOT NULL {check}",
        )
        hand.run(f"PRAGMA schema_version = {hand.one('PRAGMA schema_version') + 1}")
        hand.run("PRAGMA writable_schema = RESET")
    else:
        hand.run(f"ALTER TABLE interlock_ledger ADD CONSTRAINT interlock_ledger_origin_check {check}")
    hand.run("UPDATE interlock_meta SET value = 'of an older version' WHERE key = 'own tables'")
    cause = hand.plan(THING, "migration", ("review", "checking"))
    sql, values = hand.move(
        THING,
        "checking",
        origin="migration",
        cause=cause,
        role="operator",
        detail=hand.detail("too early"),
    )
    hand.refused("constraint", sql, *values)


@pytest.mark.sqlite_only
def test_triggers_of_earlier_versions_go_when_others_do_their_work(opened: Any) -> None:
    app: App = opened(plain(OLD))
    old = [
        "interlock_things_status_history",
        "interlock_things_status_legal",
        "interlock_things_status_closing",
        "interlock_things_status_begins",
        "interlock_ledger_known",
        "interlock_ledger_origin",
        "interlock_ledger_migration",
        "interlock_ledger_replace",
    ]
    with app.database.write() as tx:
        for name in old:
            tx.execute(
                text(
                    f"CREATE TRIGGER {name} BEFORE INSERT ON interlock_ledger BEGIN SELECT RAISE(ABORT, 'an old one'); END"
                )
            )
        tx.execute(text("UPDATE interlock_meta SET value = 'of an older version' WHERE key <> 'version'"))
    app.migrate()
    with app.database.read() as tx:
        there = set(tx.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars())
    assert not there & set(old)
    app.admit("things", {"id": "t"})
