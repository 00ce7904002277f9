"""Exports, proofs and archives: what leaves the database can be checked by anybody, and says when it is not whole."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from interlock import App
from interlock.clock import FrozenClock
from interlock.errors import BadInput, InvalidStateTransition, LedgerBroken, UnknownKind, UnknownRecord
from interlock.independent_verifier import check_proof
from tests.contract.exported import checked
from tests.contract.hand import Hand
from tests.kinds import domains, themes, uploads


@pytest.fixture
def app(opened: Any) -> App:
    """Two seals, in January and in February, over several kinds, a refusal and an erased record; and a tail."""
    made: App = opened(uploads(), domains(), themes(), clock=FrozenClock(datetime(2026, 1, 20, tzinfo=UTC)))
    made.admit_many(
        "statements",
        [{"id": f"u{number}"} for number in range(3)],
        reason='"quoted"\n and ünïcode \U0001f600',
    )
    made.admit("themes", {"id": 1})
    with pytest.raises(InvalidStateTransition):
        made.move("statements", "u0", actor="eve", status="normalized")
    made.ledger.seal()
    made.clock.sleep(20 * 86_400)
    made.move("statements", "u0", actor="ann", reason="due", facts={"n": 1.5}, status="parsing")
    made.admit("domains", {"id": 7, "host": "a"})
    made.erase("statements", "u2", actor="dpo", role="admin", reason="request 7")
    made.ledger.seal()
    made.move("statements", "u1", actor="ann", status="parsing")
    return made


def lines(app: App, **options: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in app.ledger.export(**options)]


def found(*exports: list[dict[str, Any]], seals: Any = ()) -> list[str]:
    return checked([line for export in exports for line in export], seals)


def test_an_export_says_everything_and_holds(app: App) -> None:
    whole = lines(app)
    counts = {"machine": 5, "seal": 2, "entry": 11, "verdict": 1}
    assert whole[-1] == {"end": counts}
    assert {name: sum(name in line for line in whole) for name in counts} == counts
    assert (whole[0]["interlock"], whole[0]["database"], whole[0]["kind"]) == (
        "ledger 1",
        app.database.name,
        None,
    )
    assert found(whole, seals=app.ledger.seals()) == []
    moved = next(
        line
        for line in whole
        if "entry" in line and line["entry"]["version"] == 1 and line["entry"]["id"] == "u0"
    )
    assert (moved["said"]["reason"], json.loads(moved["said"]["facts"])) == ("due", {"n": 1.5})


def test_what_was_erased_is_not_exported_and_its_absence_is_no_finding(app: App) -> None:
    app.admit("statements", {"id": "u9"}, reason="the name of a person")
    app.erase("statements", "u9", actor="dpo", role="admin", reason="request 8")
    assert "the name of a person" not in json.dumps(lines(app))
    assert found(lines(app)) == []


def test_an_export_without_detail_holds_too(app: App) -> None:
    bare = lines(app, detail=False)
    assert all(line["said"] is None for line in bare if "entry" in line)
    assert found(bare) == []


def test_one_kind_can_be_exported_and_its_chains_hold(app: App) -> None:
    only = lines(app, kind="statements")
    assert {line["entry"]["kind"] for line in only if "entry" in line} == {"statements"}
    assert found(only) == []
    with pytest.raises(UnknownKind):
        list(app.ledger.export(kind="nothing"))


def test_what_stands_behind_a_seal_continues_what_stands_before_it(app: App) -> None:
    rest = lines(app, after_seal=1)
    assert [line["seal"]["number"] for line in rest if "seal" in line] == [2]
    assert sum("entry" in line for line in rest) == 5
    assert found(rest) == []
    with pytest.raises(BadInput, match="no seal 9"):
        list(app.ledger.export(after_seal=9))


@pytest.mark.parametrize("place", range(1, 16, 2))
def test_a_line_that_is_missing_is_noticed(app: App, place: int) -> None:
    whole = lines(app)
    assert found(whole[:place] + whole[place + 1 :]) != []


def test_a_file_that_was_cut_off_is_noticed(app: App) -> None:
    assert found(lines(app)[:-1]) == ["the file has no end: it was cut off"]


def test_an_entry_of_a_long_transaction_may_stand_before_the_one_it_follows(app: App) -> None:
    """Transactions are numbered when they first write, so a later number may hold an earlier version."""
    whole = lines(app)
    first, second = [
        place for place, line in enumerate(whole) if "entry" in line and line["entry"]["id"] == "u1"
    ]
    whole[first], whole[second] = whole[second], whole[first]
    assert [said for said in found(whole) if "u1" in said] == []


def test_a_proof_holds_offline_and_only_for_what_it_proves(app: App) -> None:
    proof = app.ledger.prove("statements", "u0")
    kept = [one.row() for one in app.ledger.seals()]
    assert check_proof(json.loads(json.dumps(proof)), kept) == ([], 0)
    assert [line["seal"] for line in proof["entries"]] == [1, 2]
    assert check_proof(app.ledger.prove("statements", "u1"), kept) == ([], 1)
    for change in ({"actor": "mallory"}, {"id": "u1"}, {"version": 5}, {"to": "parsed"}):
        forged = json.loads(json.dumps(proof))
        forged["entries"][1]["entry"] |= change
        assert check_proof(forged, kept)[0] != []
    for name in ("position", "transaction"):
        forged = json.loads(json.dumps(proof))
        forged["entries"][1][name] += 1
        assert [said for said in check_proof(forged, kept)[0] if "its path does not lead to seal 2" in said]
    forged = json.loads(json.dumps(proof))
    forged["seals"][0]["entries"] = 99
    assert check_proof(forged, kept)[0] == ["seal 1: its hash does not follow from its text"]


def test_a_proof_against_other_seals_does_not_hold(app: App) -> None:
    other = [{**one.row(), "hash": "00" * 32} for one in app.ledger.seals()]
    assert check_proof(app.ledger.prove("statements", "u0"), other)[0] == [
        f"seal {number}: it is not the seal that was kept elsewhere" for number in (1, 2)
    ]


def test_every_axis_and_scope_is_proven(app: App) -> None:
    proof = app.ledger.prove("themes", 1)
    assert {(line["entry"]["axis"], line["entry"]["scope"]) for line in proof["entries"]} == {
        ("curation_status", ""),
        ("status", "technical"),
        ("status", "fundamental"),
    }
    assert check_proof(proof, []) == ([], 0)


def test_nothing_is_proven_by_a_seal_that_does_not_hold(app: App, hand: Hand) -> None:
    hand.drop_guards()
    hand.run("DELETE FROM interlock_ledger WHERE record_id = 'u1' AND version = 0")
    with pytest.raises(LedgerBroken, match="what seal 1 covers is not what was sealed"):
        app.ledger.prove("statements", "u0")


def test_what_was_never_there_cannot_be_proven(app: App) -> None:
    with pytest.raises(UnknownRecord):
        app.ledger.prove("statements", "nobody")


def test_sealed_months_become_files_that_hold_one_after_the_other(app: App, tmp_path: Path) -> None:
    assert app.ledger.archive("2026-01", tmp_path) == []
    january, february = app.ledger.archive("2026-03", tmp_path)
    assert ([january.month, february.month], [january.entries, february.entries]) == (
        ["2026-01", "2026-02"],
        [6, 4],
    )
    parts = [
        [json.loads(line) for line in Path(one.file).read_text(encoding="utf-8").splitlines()]
        for one in (january, february)
    ]
    assert (found(*parts), found(parts[1]), found(parts[0])) == ([], [], [])
    assert Path(f"{january.file}.sha256").read_text() == f"{january.sha256}  ledger-2026-01.jsonl\n"
    assert app.ledger.archive("2026-03", tmp_path / "again")[0].sha256 == january.sha256
    assert "due" not in Path(february.file).read_text()
    assert "due" in Path(app.ledger.archive("2026-03", tmp_path, detail=True)[1].file).read_text()


def test_a_month_that_has_changed_since_it_was_archived_is_noticed(
    app: App, hand: Hand, tmp_path: Path
) -> None:
    app.ledger.archive("2026-03", tmp_path)
    hand.drop_guards()
    hand.run("UPDATE interlock_ledger SET actor = 'mallory' WHERE record_id = 'u1' AND version = 0")
    with pytest.raises(LedgerBroken, match="2026-01 was archived before"):
        app.ledger.archive("2026-03", tmp_path / "again")


def test_a_month_is_written_as_a_month(app: App, tmp_path: Path) -> None:
    for wrong in ("2026", "2026-13", "01-2026", "2026-1"):
        with pytest.raises(BadInput, match="is not a month"):
            app.ledger.archive(wrong, tmp_path)
