"""Verification: once the guards are gone, whatever was done to history is found, and found where it was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interlock import App
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS
from tests.kinds import themes, uploads

UPLOADED = SUBJECTS["one axis"]
ENTRY = "UPDATE interlock_ledger SET {} WHERE record_id = 'u1' AND version = {}"


@pytest.fixture
def app(opened: Any, hand: Hand) -> App:
    """u1 and u2 have each been admitted and moved three times; then somebody took the guards away."""
    made: App = opened(uploads())
    made.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    for state in ("parsing", "parsed", "normalizing"):
        for id in ("u1", "u2"):
            made.move("statements", id, actor="ann", reason=f"{id} is due", facts={"pages": 1}, status=state)
    assert made.check().findings == []
    hand.drop_guards()
    return made


def found(app: App, *asked: Any) -> set[tuple[str, str, str, int | None]]:
    report = app.ledger.verify(*asked)
    assert report.ok is (not report.findings)
    return {(finding.invariant, finding.id, finding.axis, finding.version) for finding in report.findings}


CHANGES: dict[str, tuple[str, int]] = {
    "actor": ("actor = 'eve'", 2),
    "time": ("at = '2020-01-01T00:00:00.000000Z'", 1),
    "cause": ("cause = 'x'", 0),
    "role": ("role = 'admin'", 2),
    "machine": ("machine = 'another'", 2),
    "token": ("token = 't'", 2),
    "detail": ("detail = NULL", 2),
    "origin": ("origin = 'amend'", 2),
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_edited_entry_is_located(app: App, hand: Hand, what: str) -> None:
    change, version = CHANGES[what]
    assert hand.run(ENTRY.format(change, version)) == 1
    assert ("I9", "u1", "status", version) in found(app)
    assert {id for _, id, _, _ in found(app)} == {"u1"}
    assert found(app, "statements", "u2") == set()
    assert found(app, "statements", "u1") == found(app)


def test_an_edited_state_is_located(app: App, hand: Hand) -> None:
    hand.run(ENTRY.format("to_state = 'error'", 1))
    assert {("I9", "u1", "status", 1), ("I1", "u1", "status", 2)} <= found(app)


def test_an_edited_hash_breaks_the_chain_on_both_sides(app: App, hand: Hand) -> None:
    hand.run("UPDATE interlock_ledger SET hash = ? WHERE record_id = 'u1' AND version = 1", b"h" * 32)
    assert found(app) == {("I9", "u1", "status", 1), ("I9", "u1", "status", 2)}


def test_an_edited_reason_or_fact_is_located(app: App, hand: Hand) -> None:
    digest = "(SELECT detail FROM interlock_ledger WHERE record_id = 'u1' AND version = 2)"
    hand.run(f"UPDATE interlock_detail SET reason = 'another' WHERE digest = {digest}")
    assert found(app) == {("I9", "u1", "status", 2)}
    hand.run(
        f"UPDATE interlock_detail SET reason = 'u1 is due', facts = '{{\"pages\":2}}' WHERE digest = {digest}"
    )
    assert found(app) == {("I9", "u1", "status", 2)}


def test_a_removed_detail_is_located(app: App, hand: Hand) -> None:
    hand.run(
        "DELETE FROM interlock_detail WHERE digest = (SELECT detail FROM interlock_ledger WHERE record_id = 'u1' AND version = 3)"
    )
    assert found(app) == {("I9", "u1", "status", 3)}


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_removed_entry_is_located(app: App, hand: Hand, version: int) -> None:
    hand.run("DELETE FROM interlock_ledger WHERE record_id = 'u1' AND version = ?", version)
    assert {("I1", "u1", "status", version + 1), ("I9", "u1", "status", version + 1)} <= found(app)


def test_a_removed_last_entry_is_located_by_its_row(app: App, hand: Hand) -> None:
    hand.run("DELETE FROM interlock_ledger WHERE record_id = 'u1' AND version = 3")
    assert found(app) == {("I2", "u1", "status", 3)}


def test_a_history_that_is_gone_is_located_by_its_row(app: App, hand: Hand) -> None:
    hand.run("DELETE FROM interlock_ledger WHERE record_id = 'u1'")
    assert found(app) == {("I2", "u1", "status", 3)}


def test_entries_that_changed_places_are_located(app: App, hand: Hand) -> None:
    for old, new in ((1, 99), (2, 1), (99, 2)):
        hand.run("UPDATE interlock_ledger SET version = ? WHERE record_id = 'u1' AND version = ?", new, old)
    assert {("I9", "u1", "status", 1), ("I9", "u1", "status", 2)} <= found(app)


def test_an_entry_given_to_another_record_is_located(app: App, hand: Hand) -> None:
    hand.run("UPDATE interlock_ledger SET record_id = 'u3' WHERE record_id = 'u1' AND version = 3")
    assert {
        ("I2", "u1", "status", 3),
        ("I9", "u3", "status", 3),
        ("I1", "u3", "status", 3),
        ("I2", "u3", "status", 3),
    } <= found(app)


def forged(hand: Hand, **changed: Any) -> None:
    sql, values = hand.insert_entry(hand.entry(UPLOADED, "normalized", **changed))
    hand.run(sql, *values)


FORGERIES: dict[str, tuple[Callable[[Hand], None], str]] = {
    "a forged entry that fits the chain": (forged, "I2"),
    "a forged entry that does not": (lambda hand: forged(hand, hash=b"f" * 32), "I9"),
    "an illegal one": (lambda hand: forged(hand, to_state="queued_for_parse"), "I1"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_entry_is_located(app: App, hand: Hand, what: str) -> None:
    forge, invariant = FORGERIES[what]
    forge(hand)
    assert (invariant, "u1", "status", 4) in found(app) or (invariant, "u1", "status", 3) in found(app)


@pytest.mark.parametrize("change", ["status = 'error'", "version = 2", "head = NULL"])
def test_a_row_that_was_changed_is_located(app: App, hand: Hand, change: str) -> None:
    hand.run(f"UPDATE uploads SET {change} WHERE id = 'u1'")
    assert {(invariant, id) for invariant, id, _, _ in found(app)} == {("I2", "u1")}


def test_a_row_that_was_removed_is_located(app: App, hand: Hand) -> None:
    hand.run("DELETE FROM uploads WHERE id = 'u1'")
    assert found(app) == {("I2", "u1", "status", 3)}


@pytest.mark.sqlite_only
def test_what_sqlite_cannot_refuse_is_located(opened: Any, hand: Hand) -> None:
    """Its triggers cannot wait for a later statement: a first entry whose row never comes, and a closing entry whose row stays."""
    app: App = opened(uploads())
    app.admit("statements", {"id": "u1"})
    hand.run("INSERT INTO interlock_detail(digest, salt, reason, facts) VALUES (x'00', x'00', 'why', '{}')")
    lone = hand.entry(
        UPLOADED, "queued_for_parse", record_id="u9", version=0, from_state=None, origin="admit"
    )
    closing = hand.entry(UPLOADED, None, origin="deletion", role="admin", detail=b"\0")
    for entry in (lone, closing):
        sql, values = hand.insert_entry(entry)
        hand.run(sql, *values)
    assert {("I2", "u9", "status", 0), ("I2", "u1", "status", 0)} <= found(app)
    assert ("I2", "u9", "status", 0) in found(app, "statements", "u9")
    assert ("I2", "u1", "status", 0) in found(app, "statements", "u1")


def test_a_change_in_one_scope_is_located_by_its_scope(opened: Any, hand: Hand) -> None:
    app: App = opened(themes())
    app.admit("themes", {"id": 1})
    hand.drop_guards()
    hand.run("UPDATE interlock_ledger SET actor = 'eve' WHERE scope = 'technical'")
    (finding,) = app.check("themes", 1).findings
    assert (finding.kind, finding.id, finding.axis, finding.scope, finding.version) == (
        "themes",
        "1",
        "status",
        "technical",
        0,
    )
    assert all(part in str(finding) for part in ("I9", "themes", "1", "status", "technical", "version 0"))


def test_a_report_says_how_much_was_looked_at(app: App) -> None:
    assert (app.ledger.verify().entries, app.ledger.verify().records) == (8, 2)
    assert (app.ledger.verify("statements", "u1").entries, app.ledger.verify("statements", "u1").records) == (
        4,
        1,
    )
