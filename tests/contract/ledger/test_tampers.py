"""Tampers at random, with the guards out of the way: each is found and located, by both verifiers, on both databases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import Connection

from interlock import App
from interlock.errors import InvalidStateTransition
from interlock.store.finding import Finding
from interlock.store.ledger import export
from interlock.store.ledger.seals.seal import Seal
from interlock.store.placement import Placement
from interlock.store.verify.seals import verify_seals
from interlock.store.verify.verify import verify_chains, verify_rows
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.contract.tampering import Tamperer, Touched
from tests.kinds import uploads

WAY = ("parsing", "parsed", "normalizing", "normalized")


@pytest.fixture
def app(opened: Any, hand: Hand, tmp_path: Path) -> App:
    """Three signed seals over moved, refused and erased records, and a tail that is not sealed yet; then the guards go."""
    made: App = opened(uploads())
    key = tmp_path / "key.pem"
    key.write_bytes(
        Ed25519PrivateKey.from_private_bytes(b"k" * 32).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
    )
    made.admit("statements", {"id": "gone"}, reason="a name")
    made.erase("statements", "gone", actor="dpo", role="admin", reason="request 7")
    for round in range(3):
        made.admit_many("statements", [{"id": f"r{round}u{number}"} for number in range(4)], reason="found")
        for number, states in enumerate(WAY[:length] for length in (1, 2, 4)):
            for state in states:
                made.move(
                    "statements",
                    f"r{round}u{number}",
                    actor="ann",
                    reason=f"due {number}",
                    facts={"n": number},
                    status=state,
                )
            with pytest.raises(InvalidStateTransition):
                made.move("statements", f"r{round}u{number}", actor="eve", status="queued_for_parse")
        made.ledger.seal(key)
    made.admit("statements", {"id": "late"})
    hand.drop_guards()
    return made


def first_verifier(app: App, tx: Connection, kept: list[Seal]) -> list[Finding]:
    found = verify_chains(tx).findings
    for workflow in app.workflows.values():
        for axis in workflow.axes.values():
            found += verify_rows(tx, Placement(workflow, axis, app.database.dialect))
    return found + verify_seals(tx, kept)[1]


def second_verifier(app: App, tx: Connection, kept: list[Seal]) -> list[str]:
    return checked(export.lines(tx, app.clock.now()), kept)


def strays(found: list[Finding], touched: Touched) -> list[Finding]:
    """Findings at places that nobody touched."""
    return [
        one
        for one in found
        if (one.kind, one.id) not in touched.records
        and not (one.kind == "seal" and int(one.id) in touched.seals)
    ]


def strange(found: list[str], touched: Touched) -> list[str]:
    records, numbers = (
        [f"{kind} {id} " for kind, id in touched.records],
        [f"seal {number}:" for number in touched.seals],
    )
    return [said for said in found if not said.startswith((*records, *numbers, "entry at ", "verdict at "))]


def all_are_found(app: App, seeds: range) -> None:
    kept = app.ledger.seals()
    with app.database.read() as tx:
        assert (first_verifier(app, tx, kept), second_verifier(app, tx, kept)) == ([], [])
    kinds = set()
    for seed in seeds:
        with app.database.write() as tx:
            touched = Tamperer(tx, seed).act()
            kinds.add(touched.what.split()[0])
            known = kept if touched.kept else []  # the database itself tells, wherever it can
            first, second = first_verifier(app, tx, known), second_verifier(app, tx, known)
            assert first, (seed, touched)
            assert second, (seed, touched)
            assert (strays(first, touched), strange(second, touched)) == ([], []), (seed, touched)
            tx.rollback()
    assert {"edit", "delete", "swap", "rewrite", "cut", "restore"} <= kinds
    assert app.ledger.verify(seals=kept).ok


def test_sixty_random_tampers_are_found_and_located_by_both_verifiers(app: App) -> None:
    all_are_found(app, range(60))


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_thousand_random_tampers_are_found_and_located_by_both_verifiers(app: App) -> None:
    all_are_found(app, range(1000, 2000))
