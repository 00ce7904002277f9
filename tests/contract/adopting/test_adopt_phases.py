"""A table is adopted in place by phases, forward and back: each holds what it promises, and the status column stays."""

from __future__ import annotations

import pytest

from interlock.errors import AdoptionNotReady
from tests.contract.adopting.tickets import begun, clean, entries, legacy, statuses, tickets
from tests.contract.hand import Hand
from tests.contract.working import Boxed

__all__ = ["legacy"]


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
