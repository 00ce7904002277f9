"""Seals, proofs and the past over HTTP: what the ledger itself says, in a shape that the second verifier accepts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from interlock import App
from interlock.clock import FrozenClock
from interlock.independent_verifier import check_proof
from interlock.observe.proofs.proof import text_of
from interlock.service.application import build
from interlock.service.http.limits import Limits
from tests.acceptance.test_ledger_and_check import tamper
from tests.kinds import four_kinds, open_app, uploads
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, filled, make_key

START = datetime(2026, 1, 1, tzinfo=UTC)
LATER = "2026-01-01T00:01:00Z"


@pytest.fixture
def app(shop_url: str) -> Iterator[App]:
    """u1 is moved a minute after all were admitted."""
    made = App(four_kinds(), database=shop_url, clock=FrozenClock(START))
    made.migrate()
    filled(made)
    made.clock.sleep(60)
    made.move("statements", "u1", actor="ann", reason="due", status="parsing")
    yield made
    made.close()


def past(asker: Asker, **asked: Any) -> dict[str, Any]:
    answer = asker.get("/ledger/as-of", params=asked)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def test_what_is_new_is_sealed_once_and_listed_in_pages(app: App, local: Asker) -> None:
    assert local.get("/ledger/seals").json() == {"seals": [], "next": None}
    made = local.post("/ledger/seals").json()["seals"]
    assert local.post("/ledger/seals").json() == {"seals": []}
    app.move("statements", "u1", actor="ann", status="parsed", facts={"observations_count": 1})
    made += local.post("/ledger/seals").json()["seals"]
    assert made == [one.row() for one in app.ledger.seals()]
    assert [one["number"] for one in made] == [1, 2]
    first = local.get("/ledger/seals", params={"limit": 1}).json()
    assert (first["seals"], first["next"]) == (made[:1], 1)
    assert local.get("/ledger/seals", params={"after": first["next"]}).json() == {
        "seals": made[1:],
        "next": None,
    }
    assert app.ledger.verify().ok


@pytest.mark.sqlite_only
def test_a_page_of_seals_is_no_longer_than_the_service_allows(app: App, ask: Ask) -> None:
    asker = ask(build(app, limits=Limits(rate=0, page=1)))
    asker.post("/ledger/seals")
    assert asker.get("/ledger/seals", params={"limit": 500}).json()["next"] == 1
    assert asker.get("/ledger/seals", params={"limit": 500, "after": 1}).json() == {"seals": [], "next": None}


@pytest.mark.parametrize("detail", [True, False])
def test_a_proof_is_what_the_ledger_gives_and_the_second_verifier_accepts_it(
    app: App, local: Asker, detail: bool
) -> None:
    local.post("/ledger/seals")
    app.move("statements", "u1", actor="ann", status="parsed", facts={"observations_count": 1})
    answer = local.get("/statements/records/u1/proof", params={"detail": detail})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.text == text_of(app.ledger.prove("statements", "u1", detail=detail))
    kept = local.get("/ledger/seals").json()["seals"]
    assert check_proof(answer.json(), kept) == ([], 1)
    assert ("due" in answer.text) is detail
    forged = answer.json()
    forged["entries"][1]["entry"]["actor"] = "eve"
    assert check_proof(forged, kept)[0] != []


def test_a_number_in_an_address_is_the_record_that_has_it(app: App, local: Asker) -> None:
    said = local.get("/domains/records/2/proof").json()
    assert (said["id"], {line["entry"]["axis"] for line in said["entries"]}) == (
        "2",
        {"curation_status", "processing_status"},
    )


@pytest.mark.sqlite_only
def test_a_seal_that_no_longer_fits_gives_no_proof_and_tells_nothing_else(app: App, local: Asker) -> None:
    local.post("/ledger/seals")
    tamper(app, "interlock_ledger", "UPDATE interlock_ledger SET hash = zeroblob(32) WHERE record_id = 'u2'")
    assert problem(local.get("/statements/records/u1/proof"), 500, "ILK-220")["facts"] == {}


def test_the_past_is_counted_and_one_record_is_found_in_it(app: App, local: Asker) -> None:
    before, after = (
        past(local, at="2026-01-01T00:00:30Z", kind="statements"),
        past(local, at="2026-01-01T01:01:00+01:00"),
    )
    assert [(one["state"], one["records"]) for one in before["counts"]] == [("queued_for_parse", 5)]
    assert (after["at"], after["where"]) == ("2026-01-01T00:01:00.000000Z", None)
    counts = app.ledger.counts_as_of(START + timedelta(minutes=1))
    assert {tuple(one.values())[:4]: one["records"] for one in after["counts"]} == counts
    (stood,) = past(local, at=LATER, kind="statements", id="u1")["where"]
    assert stood == {
        "kind": "statements",
        "id": "u1",
        "axis": "status",
        "scope": None,
        "version": 1,
        "state": "parsing",
        "since": "2026-01-01T00:01:00.000000Z",
        "actor": "ann",
        "reason": "due",
    }
    assert past(local, at="2025-12-31T00:00:00Z", kind="statements", id="u1")["where"] == []
    assert past(local, at=LATER, kind="statements", id="nobody")["where"] == []
    assert past(local, at="0001-01-01T00:00:00Z")["counts"] == []


def test_the_past_is_narrowed_to_an_axis_and_a_scope(local: Asker) -> None:
    assert {
        one["axis"] for one in past(local, at=LATER, kind="domains", axis="curation_status")["counts"]
    } == {"curation_status"}
    (stood,) = past(local, at=LATER, kind="domains", id="2", axis="curation_status")["where"]
    assert stood["state"] == "New"
    assert {one["scope"] for one in past(local, at=LATER, kind="themes", scope="technical")["counts"]} == {
        "technical"
    }
    assert [
        one["scope"] for one in past(local, at=LATER, kind="themes", id="1", scope="technical")["where"]
    ] == ["technical"]


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/ledger/as-of", 400, "ILK-102"),
        ("/ledger/as-of?at=yesterday", 400, "ILK-102"),
        ("/ledger/as-of?at=2026-01-01T00:00:00", 400, "ILK-102"),
        ("/ledger/as-of?at=0001-01-01T00:00:00%2B14:00", 400, "ILK-102"),
        (f"/ledger/as-of?at={LATER}&id=u1", 400, "ILK-102"),
        (f"/ledger/as-of?at={LATER}&axis=status", 400, "ILK-102"),
        (f"/ledger/as-of?at={LATER}&kind=nothing", 404, "ILK-103"),
        (f"/ledger/as-of?at={LATER}&kind=statements&axis=nothing", 404, "ILK-103"),
        (f"/ledger/as-of?at={LATER}&at={LATER}", 400, "ILK-102"),
        (f"/ledger/as-of?at={LATER}&kind=statements&scope=north", 400, "ILK-102"),
        (f"/ledger/as-of?at={LATER}&kind=themes&axis=status&scope=north", 400, "ILK-102"),
        (f"/ledger/as-of?at={LATER}&kind=domains&id=two", 404, "ILK-201"),
        ("/ledger/seals?after=-1", 400, "ILK-102"),
        ("/ledger/seals?after=2147483648", 400, "ILK-102"),
        ("/ledger/seals?limit=0", 400, "ILK-102"),
        ("/ledger/seals?kind=x", 400, "ILK-102"),
        ("/statements/records/nobody/proof", 404, "ILK-201"),
        ("/domains/records/two/proof", 404, "ILK-201"),
        ("/nothing/records/u1/proof", 404, "ILK-103"),
        ("/statements/records/u1/proof?detail=perhaps", 400, "ILK-102"),
    ],
)
def test_what_cannot_be_meant_is_refused(local: Asker, path: str, status: int, code: str) -> None:
    problem(local.get(path), status, code)


@pytest.mark.sqlite_only
def test_a_service_signs_with_the_key_that_it_was_given(
    app: App, local: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "key.pem"
    private = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    file.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    monkeypatch.setenv("INTERLOCK_SEAL_KEY", str(file))
    (made,) = local.post("/ledger/seals").json()["seals"]
    public = private.public_key().public_bytes_raw().hex()
    assert made["public_key"] == public
    assert check_proof(local.get("/statements/records/u1/proof").json(), [made], public) == ([], 0)


@pytest.mark.sqlite_only
def test_a_key_that_cannot_be_used_seals_nothing_and_where_it_lies_is_not_told(
    app: App, local: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_SEAL_KEY", str(tmp_path / "lost.pem"))
    answer = local.post("/ledger/seals")
    problem(answer, 500, "ILK-101")
    assert "lost.pem" not in answer.text
    assert app.ledger.seals() == []


def test_a_service_with_the_rights_of_a_coordinator_seals_and_proves_too(
    coordinator_url: str, ask: Ask
) -> None:
    app = open_app(coordinator_url, uploads())
    app.admit("statements", {"id": "u1"})
    asker = ask(build(app, limits=WIDE), make_key(app, "admin"))
    assert len(asker.post("/ledger/seals").json()["seals"]) == 1
    assert check_proof(
        asker.get("/statements/records/u1/proof").json(), asker.get("/ledger/seals").json()["seals"]
    ) == ([], 0)
    assert (
        asker.get("/ledger/export").text.splitlines()[-1]
        == '{"end":{"entry":1,"machine":1,"seal":1,"verdict":0}}'
    )
    app.close()
