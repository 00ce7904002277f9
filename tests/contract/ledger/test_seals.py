"""Seals: roots over what was committed, chained and signed; whatever they cover can no longer change unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import InvalidStateTransition
from interlock.independent_verifier import check_proof
from interlock.observe.invariants import HELD_BACK_LONG, held_back
from interlock.store.ledger.seals import seals
from interlock.store.ledger.seals.merkle import fold
from interlock.store.ledger.seals.seal import FIRST, LAST_TRANSACTION, Seal, entry_leaves, verdict_leaves
from interlock.store.ledger.seals.signing import Signer
from interlock.store.postgresql.history import PostgresqlHistory
from interlock.workflow.columns.instant import instant_text
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.kinds import uploads


@pytest.fixture
def app(opened: Any) -> App:
    made: App = opened(uploads(), clock=FrozenClock())
    made.admit_many("statements", [{"id": f"u{number}"} for number in range(5)], reason="found")
    return made


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "key.pem"
    file.write_bytes(
        Ed25519PrivateKey.from_private_bytes(b"k" * 32).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
    )
    return file


def refused(app: App, id: str) -> None:
    with pytest.raises(InvalidStateTransition):
        app.move("statements", id, actor="eve", status="normalized")


def sealed(app: App, **options: Any) -> Seal:
    made = app.ledger.seal(**options)
    assert made is not None
    return made


def problems(app: App, **options: Any) -> list[tuple[str, str]]:
    return [
        (finding.id, finding.problem)
        for finding in app.ledger.verify(**options).findings
        if finding.kind == "seal"
    ]


def test_a_seal_covers_what_is_new_and_only_that(app: App) -> None:
    refused(app, "u1")
    first = sealed(app)
    assert (first.number, first.entries, first.verdicts, first.previous, first.at) == (
        1,
        5,
        1,
        FIRST,
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    assert app.ledger.seal() is None
    app.move("statements", "u1", actor="ann", status="parsing")
    second = sealed(app)
    assert (second.number, second.entries, second.verdicts, second.previous) == (2, 1, 0, first.hash)
    assert app.ledger.seals() == [first, second]
    assert app.ledger.seals(after=1) == [second]
    assert app.ledger.seals(limit=1) == [first]
    report = app.ledger.verify()
    assert (report.ok, report.seals) == (True, 2)


def test_nothing_to_seal_is_no_seal(opened: Any) -> None:
    assert opened(uploads()).ledger.seal() is None


def test_the_root_is_that_of_all_leaves_in_commit_order(app: App) -> None:
    refused(app, "u1")
    one = sealed(app)
    with app.database.read() as tx:
        leaves = [
            leaf for rows in seals.leaf_rows(tx, "interlock_ledger", one.reach) for leaf in entry_leaves(rows)
        ]
        leaves += [
            leaf
            for rows in seals.leaf_rows(tx, "interlock_verdict", one.reach)
            for leaf in verdict_leaves(rows)
        ]
    assert (len(leaves), fold(leaves)) == (6, one.root)
    assert one.expected_hash() == one.hash
    assert Seal.from_row(one.row()) == one


def test_a_verdict_alone_is_sealed_too(app: App) -> None:
    sealed(app)
    refused(app, "u1")
    assert (sealed(app).entries, app.ledger.seals()[-1].verdicts) == (0, 1)
    assert app.ledger.verify().ok


def test_a_seal_is_signed_by_a_key_that_is_not_in_the_database(app: App, key: Path, hand: Hand) -> None:
    one = sealed(app, key=key)
    assert one.public_key is not None
    assert one.signature is not None
    assert app.ledger.verify().ok
    hand.drop_guards()
    hand.run("UPDATE interlock_seal SET signature = ?", b"s" * 64)
    assert problems(app) == [("1", f"its signature is not that of the key {one.public_key.hex()}")]
    hand.run("UPDATE interlock_seal SET signature = NULL")
    assert problems(app) == [("1", "its signature is missing")]
    hand.run("UPDATE interlock_seal SET signature = ?, public_key = NULL", one.signature)
    assert {"it has a signature, but names no key", "its hash does not follow from its text"} == {
        said for _, said in problems(app)
    }


@pytest.mark.parametrize("change", ["UPDATE interlock_seal SET entries = 4", "DELETE FROM interlock_seal"])
def test_seals_are_frozen(app: App, hand: Hand, change: str) -> None:
    sealed(app)
    hand.refused("ILK-210", change)


@pytest.mark.sqlite_only
def test_a_seal_is_not_replaced(app: App, hand: Hand) -> None:
    sealed(app)
    hand.refused("ILK-210", "INSERT OR REPLACE INTO interlock_seal SELECT * FROM interlock_seal")


@pytest.mark.postgresql_only
def test_seals_are_not_truncated(app: App, hand: Hand) -> None:
    sealed(app)
    hand.refused("ILK-210", "TRUNCATE interlock_seal")


def test_a_changed_removed_or_exchanged_seal_is_located(app: App, hand: Hand) -> None:
    for state in ("parsing", "parsed", "normalizing"):
        sealed(app)
        app.move("statements", "u1", actor="ann", status=state)
    hand.drop_guards()
    hand.run("UPDATE interlock_seal SET root = ? WHERE number = 2", b"r" * 32)
    assert [id for id, _ in problems(app)] == ["2", "2"]
    hand.run("DELETE FROM interlock_seal WHERE number = 2")
    assert ("3", "seal 2 is missing before it") in problems(app)
    hand.run("UPDATE interlock_seal SET number = 2 WHERE number = 3")
    assert ("2", "it does not follow from the seal before it") in problems(app)


def test_a_cut_tail_behind_which_the_rows_were_made_to_fit_is_found_by_the_seal(app: App, hand: Hand) -> None:
    before = hand.rows("SELECT status, version, head FROM uploads WHERE id = 'u1'")[0]
    app.move("statements", "u1", actor="ann", status="parsing")
    sealed(app)
    hand.drop_guards()
    hand.run("DELETE FROM interlock_ledger WHERE record_id = 'u1' AND version = 1")
    hand.run("UPDATE uploads SET status = ?, version = ?, head = ? WHERE id = 'u1'", *before)
    assert [str(finding) for finding in app.ledger.verify().findings] == [
        "I9 seal 1: 1 of its 6 entries are missing"
    ]


def test_a_record_that_vanished_with_its_history_is_found_by_the_seal(app: App, hand: Hand) -> None:
    sealed(app)
    hand.drop_guards()
    hand.run("DELETE FROM interlock_ledger WHERE record_id = 'u3'")
    hand.run("DELETE FROM uploads WHERE id = 'u3'")
    assert problems(app) == [("1", "1 of its 5 entries are missing")]


def test_an_entry_slipped_in_below_the_seal_is_found(app: App, hand: Hand) -> None:
    sealed(app)
    hand.drop_guards()
    columns = "kind, record_id, axis, scope, version, from_state, to_state, at, actor, origin, machine, hash"
    other = "kind, 'ghost', axis, scope, version, from_state, to_state, at, actor, origin, machine, hash"
    place, numbers = ("position", "-5") if hand.is_sqlite else ("position, txid", "900, '4'::xid8")
    always = "" if hand.is_sqlite else "OVERRIDING SYSTEM VALUE "
    hand.run(
        f"INSERT INTO interlock_ledger({place}, {columns}) {always}"
        f"SELECT {numbers}, {other} FROM interlock_ledger WHERE record_id = 'u1'"
    )
    assert [said for _, said in problems(app)] == [
        "1 entries are in no seal, though they stand before its end"
    ]


def test_a_changed_verdict_is_located_by_its_seal(app: App, hand: Hand) -> None:
    for id in ("u1", "u2"):
        refused(app, id)
        sealed(app)
    hand.drop_guards()
    hand.run("UPDATE interlock_verdict SET actor = 'nobody' WHERE record_id = 'u2'")
    assert [id for id, _ in problems(app)] == ["2"]
    hand.run("DELETE FROM interlock_verdict WHERE record_id = 'u2'")
    assert problems(app) == [("2", "1 of its 1 verdicts are missing")]


def test_seals_that_were_kept_elsewhere_tell_when_history_was_written_anew(
    app: App, hand: Hand, tmp_path: Path
) -> None:
    kept = tmp_path / "seals.jsonl"
    sealed(app)
    app.move("statements", "u1", actor="ann", status="parsing")
    sealed(app)
    kept.write_text("".join(f"{json.dumps(one.row())}\n" for one in app.ledger.seals()))
    assert app.ledger.verify(seals=kept).ok
    hand.drop_guards()
    hand.run("DELETE FROM interlock_seal WHERE number = 2")
    assert problems(app) == []
    assert [id for id, _ in problems(app, seals=kept)] == ["2"]
    app.clock.sleep(60)
    sealed(app)
    assert problems(app) == []
    ((id, said),) = problems(app, seals=str(kept))
    assert (id, said.startswith("it is not the seal that was kept elsewhere")) == ("2", True)


@pytest.mark.sqlite_only
def test_values_that_no_column_should_hold_are_findings_and_no_crash(app: App, hand: Hand) -> None:
    refused(app, "u1")
    sealed(app)
    hand.drop_guards()
    hand.run("UPDATE interlock_ledger SET actor = ? WHERE record_id = 'u1'", b"\x00\xff")
    hand.run("UPDATE interlock_verdict SET message = ?", b"\x00\xff")
    assert {
        "I9 statements u1 status version 0: it holds values that no entry can hold",
        "I9 seal 1: its verdicts hold values that cannot be theirs",
    } == set(map(str, app.ledger.verify().findings))


@pytest.mark.postgresql_only
def test_a_transaction_that_still_runs_is_left_for_the_next_seal(app: App, hand: Hand) -> None:
    hand.connection.execute(
        "INSERT INTO interlock_meta(key, value) VALUES ('open', 'transaction')"
    )  # takes a number, and does not commit
    app.move("statements", "u1", actor="ann", status="parsing")
    assert sealed(app).entries == 5
    assert app.ledger.seal() is None
    hand.connection.commit()
    assert sealed(app).entries == 1
    assert app.ledger.verify().ok


@pytest.mark.postgresql_only
def test_whoever_keeps_a_transaction_open_keeps_entries_out_of_seals_and_a_check_says_so(
    app: App, hand: Hand
) -> None:
    """A reader may do that: it needs no right to write for a number of its own."""
    hand.connection.execute("SELECT pg_current_xact_id()")
    app.move("statements", "u1", actor="ann", status="parsing")
    sealed(app)
    assert app.ledger.seal() is None
    assert held_back(app.database, app.clock) == []
    assert isinstance(app.clock, FrozenClock)
    app.clock.advance(HELD_BACK_LONG)
    assert sum("are in no seal and on no tail" in note for note in app.check().notes) == 1
    hand.connection.commit()
    assert held_back(app.database, app.clock) == []
    assert sealed(app).entries == 1


@pytest.mark.postgresql_only
def test_a_dump_restored_into_another_cluster_is_sealed_on(
    app: App, monkeypatch: pytest.MonkeyPatch, hand: Hand
) -> None:
    """Transaction ids of the old cluster were far ahead: its rows and its seal are made to look so."""
    hand.run(
        "SET session_replication_role = replica"
    )  # no guard sees what this hand does; the app's moves meet all of them
    hand.run("UPDATE interlock_ledger SET txid = (txid::text::bigint + 1000000)::text::xid8")
    with monkeypatch.context() as older:
        older.setattr(PostgresqlHistory, "settled", lambda _, tx: 1_500_000)
        sealed(app)
    app.move("statements", "u1", actor="ann", status="parsing")
    hand.run(
        "UPDATE interlock_ledger SET txid = '1600000' WHERE record_id = 'u1' AND version = 1"
    )  # left unsealed by the old cluster
    app.move("statements", "u2", actor="ann", status="parsing")
    assert app.ledger.verify().ok
    old, new = sealed(app), sealed(app)
    assert (old.entries, old.to_transaction, new.entries, new.from_transaction) == (1, LAST_TRANSACTION, 1, 0)
    app.move("statements", "u3", actor="ann", status="parsing")
    assert app.ledger.verify().ok
    assert (sealed(app).entries, app.ledger.seal()) == (1, None)
    assert app.ledger.verify().ok
    assert checked(app.ledger.export(), app.ledger.seals()) == []


def test_what_is_too_much_for_one_seal_becomes_several(app: App, key: Path) -> None:
    for number in range(5):
        app.move("statements", f"u{number}", actor="ann", status="parsing")
        refused(app, f"u{number}")
    made = list(seals.make(app.database, app.clock.now, Signer(key), most=3))
    assert sum(one.entries for one in made) == 10
    assert sum(one.verdicts for one in made) == 5
    assert len(made) >= 3
    assert (
        max(one.entries for one in made[1:]) <= 3
    )  # the first transaction holds five entries; PostgreSQL's seals never part one
    assert app.ledger.seals() == made
    assert app.ledger.seal() is None
    assert app.ledger.verify().ok
    assert checked(app.ledger.export(), made) == []
    for number in range(5):
        assert check_proof(app.ledger.prove("statements", f"u{number}"), [one.row() for one in made]) == (
            [],
            0,
        )


def test_what_is_written_between_two_seals_is_in_one_of_them(app: App) -> None:
    making = seals.make(app.database, app.clock.now, most=2)
    next(making)
    app.move("statements", "u1", actor="ann", status="parsing")
    list(making)
    app.ledger.seal()
    assert sum(one.entries for one in app.ledger.seals()) == 6
    assert app.ledger.verify().ok


@pytest.mark.postgresql_only
@pytest.mark.parametrize("table", ["interlock_ledger", "interlock_verdict"])
def test_a_login_that_was_exchanged_is_told_by_the_seal_that_covers_it(
    app: App, hand: Hand, table: str
) -> None:
    refused(app, "u1")
    made = sealed(app)
    assert made.logins is not None
    assert problems(app, seals=app.ledger.seals()) == []
    assert checked(app.ledger.export(), app.ledger.seals()) == []
    hand.drop_guards()
    hand.run(f"UPDATE {table} SET login = 'somebody' WHERE position = (SELECT max(position) FROM {table})")
    assert problems(app) == [("1", "the logins of what it covers are not those that were sealed")]
    hand.run(f"UPDATE {table} SET login = NULL WHERE position = (SELECT max(position) FROM {table})")
    assert problems(app) == [("1", "the logins of what it covers are not those that were sealed")]


def test_a_seal_from_before_logins_were_sealed_holds_as_it_was_made(app: App, hand: Hand) -> None:
    made = sealed(app)
    before = replace(made, logins=None).hashed()
    assert "logins" not in before.row()
    assert Seal.from_row(before.row()) == before
    hand.drop_guards()
    values = (before.hash, instant_text(before.at) if hand.is_sqlite else before.at)
    hand.run("UPDATE interlock_seal SET logins = NULL, hash = ?, at = ?", *values)
    assert problems(app) == []
