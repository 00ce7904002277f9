"""`interlock ledger seal, seals, export, prove, archive, as-of` as people type them, checked by the second verifier as strangers would."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from interlock import App, independent_verifier
from tests.acceptance.conftest import Run, parsed
from tests.acceptance.test_ledger_and_check import tamper


@pytest.fixture
def moved(app: App) -> App:
    for id in ("U1", "U2"):
        app.admit("statements", {"id": id, "file_hash": id}, actor="ann")
        app.move("statements", id, status="parsing", actor="ann", reason="begun")
    return app


def alone(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The second verifier in a Python of its own, from a folder where Interlock cannot be imported."""
    command = [sys.executable, "-I", independent_verifier.__file__, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_seals_are_made_listed_and_kept(moved: App, shop_run: Run, empty_folder: Path) -> None:
    made = shop_run("ledger", "seal", "-o", "jsonl")
    assert (json.loads(made.stdout)["number"], json.loads(made.stdout)["entries"]) == (1, 4)
    assert shop_run("ledger", "seal").stdout == "nothing new to seal\n"
    listed = shop_run("ledger", "seals", "-o", "jsonl")
    assert listed.stdout == made.stdout
    (empty_folder / "seals.jsonl").write_text(listed.stdout)
    assert shop_run("ledger", "verify", "--seals", "seals.jsonl").stdout.endswith(
        "every row equals its tail; 1 seals hold\n"
    )
    tamper(moved, "interlock_seal", "DELETE FROM interlock_seal")
    told = shop_run("ledger", "verify", "--seals", "seals.jsonl", "-o", "json")
    assert (told.exit_code, parsed(told)["findings"][0]["kind"], parsed(told)["findings"][0]["id"]) == (
        7,
        "seal",
        "1",
    )


@pytest.mark.sqlite_only
def test_the_key_that_signs_may_be_a_setting(
    moved: App, shop_run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    (empty_folder / "k.pem").write_bytes(
        private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    monkeypatch.setenv("INTERLOCK_SEAL_KEY", "lost.pem")
    assert shop_run("ledger", "seal").exit_code == 2
    (empty_folder / "interlock.toml").write_text('seal_key = "k.pem"\n')
    monkeypatch.delenv("INTERLOCK_SEAL_KEY")
    (made,) = parsed(shop_run("ledger", "seal", "-o", "json"))
    assert made["public_key"] == private.public_key().public_bytes_raw().hex()


def test_an_export_is_checked_by_a_python_without_interlock(moved: App, shop_run: Run) -> None:
    shop_run("ledger", "seal")
    assert shop_run("ledger", "export", "--to", "ledger.jsonl").stdout == ""
    told = alone("ledger.jsonl")
    assert (told.stdout, told.stderr, told.returncode) == ("ok: 2 chains and 1 seals hold\n", "", 0)
    text = Path("ledger.jsonl").read_text(encoding="utf-8")
    only = json.loads(shop_run("ledger", "export", "--kind", "statements").stdout.splitlines()[-1])
    assert only == {"end": {"entry": 4, "machine": 1, "seal": 1, "verdict": 0}}
    Path("ledger.jsonl").write_text(text.replace('"actor":"ann"', '"actor":"eve"', 1), encoding="utf-8")
    told = alone("ledger.jsonl")
    assert (told.returncode, "its hash does not follow" in told.stdout) == (7, True)


def test_a_proof_is_checked_offline(moved: App, shop_run: Run, empty_folder: Path) -> None:
    shop_run("ledger", "seal")
    Path("seals.jsonl").write_text(shop_run("ledger", "seals", "-o", "jsonl").stdout)
    moved.move("statements", "U1", status="parsed", actor="ann")
    told = shop_run("ledger", "prove", "statements", "U1", "--to", "u1.json")
    assert "1 of 3 entries are in no seal yet" in told.stderr
    told = alone("--proof", "u1.json", "--seals", "seals.jsonl")
    assert told.stdout == "ok: statements U1: 3 entries hold, 1 of them in no seal yet\n"
    proof = json.loads(Path("u1.json").read_text())
    proof["entries"][1]["path"][0][1] = "00" * 32
    Path("u1.json").write_text(json.dumps(proof))
    told = alone("--proof", "u1.json")
    assert (told.returncode, told.stdout) == (
        7,
        "statements U1 status version 1: its path does not lead to seal 1\n",
    )
    assert shop_run("ledger", "prove", "statements", "nobody").exit_code == 3


def test_months_are_archived_with_their_hashes(moved: App, shop_run: Run) -> None:
    assert (
        shop_run("ledger", "archive", "--before", "2999-01", "--to", "archive").stdout
        == "nothing was sealed before 2999-01\n"
    )
    shop_run("ledger", "seal")
    (done,) = parsed(shop_run("ledger", "archive", "--before", "2999-01", "--to", "archive", "-o", "json"))
    assert (done["entries"], done["first_seal"], done["last_seal"]) == (4, 1, 1)
    assert alone(done["file"]).stdout == "ok: 2 chains and 1 seals hold\n"
    assert "begun" not in Path(done["file"]).read_text()
    assert shop_run("ledger", "archive", "--before", "soon", "--to", "archive").exit_code == 2


def test_the_past_is_asked_for_by_an_instant(moved: App, shop_run: Run) -> None:
    assert parsed(shop_run("ledger", "as-of", "--at", "2999-01-01T00:00:00Z", "-o", "json")) == [
        {"kind": "statements", "axis": "status", "scope": None, "state": "parsing", "records": 2}
    ]
    (stood,) = parsed(
        shop_run("ledger", "as-of", "--at", "2999-01-01T00:00:00Z", "statements", "U1", "-o", "json")
    )
    assert (stood["state"], stood["reason"], stood["version"]) == ("parsing", "begun", 1)
    assert shop_run("ledger", "as-of", "--at", "1999-01-01T00:00:00Z").stdout == "there was nothing\n"
    assert (
        shop_run("ledger", "as-of", "--at", "1999-01-01T00:00:00Z", "statements", "U1").stdout
        == "statements U1 was not there\n"
    )
    for wrong in ("yesterday", "2026-01-31T09:00:00"):
        assert shop_run("ledger", "as-of", "--at", wrong).exit_code == 2


def test_the_second_verifier_says_when_a_file_cannot_be_read(empty_folder: Path) -> None:
    Path("nonsense.jsonl").write_text("{}\nnonsense\n")
    assert [alone(*words).returncode for words in (("nonsense.jsonl",), ("missing.jsonl",), ())] == [2, 2, 2]
