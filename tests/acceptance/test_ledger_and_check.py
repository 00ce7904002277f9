"""`interlock ledger` and `interlock check`: history is read in order, and a change of it is located."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import text

from interlock import App
from tests.acceptance.conftest import Run, parsed


@pytest.fixture
def moved(app: App) -> App:
    for id in ("U1", "U2"):
        app.admit("statements", {"id": id, "file_hash": id}, actor="ann")
        app.move("statements", id, status="parsing", actor="ann", reason="begun")
    app.admit("domains", {"id": 1, "host": "a"})
    return app


def tamper(app: App, table: str, change: str) -> None:
    """Do what no guard allows: as the owner of the database, with the guards taken away."""
    with app.database.write() as tx:
        if app.database.name == "sqlite":
            for (name,) in tx.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all():
                tx.execute(text(f'DROP TRIGGER "{name}"'))
        else:
            tx.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        tx.execute(text(change))


def test_the_tail_is_in_commit_order_and_goes_on_behind_a_cursor(moved: App, shop_run: Run) -> None:
    everything = parsed(shop_run("ledger", "tail", "-o", "json"))
    assert [(entry["id"], entry["to"]) for entry in everything[:4]] == [
        ("U1", "queued_for_parse"),
        ("U1", "parsing"),
        ("U2", "queued_for_parse"),
        ("U2", "parsing"),
    ]
    rest = shop_run("ledger", "tail", "--after", everything[2]["cursor"], "-n", "1", "-o", "jsonl")
    assert json.loads(rest.stdout) == everything[3]
    assert [
        entry["kind"] for entry in parsed(shop_run("ledger", "tail", "--kind", "domains", "-o", "json"))
    ] == ["domains", "domains"]


def test_whole_history_verifies(moved: App, shop_run: Run) -> None:
    assert parsed(shop_run("ledger", "verify", "-o", "json")) == {
        "ok": True,
        "entries": 6,
        "chains": 4,
        "findings": [],
        "seals": 0,
    }
    assert (
        shop_run("ledger", "verify", "statements", "U1").stdout
        == "ok: 2 entries in 1 chains verify, and every row equals its tail\n"
    )
    assert shop_run("check").stdout.startswith("ok: I1 to I7, I9, I10 and the counters hold")


def test_a_changed_entry_is_located(moved: App, shop_run: Run) -> None:
    tamper(
        moved,
        "interlock_ledger",
        "UPDATE interlock_ledger SET actor = 'eve' WHERE record_id = 'U2' AND version = 1",
    )
    for words in (
        ("ledger", "verify"),
        ("ledger", "verify", "statements"),
        ("ledger", "verify", "statements", "U2"),
        ("check",),
    ):
        told = shop_run(*words, "-o", "json")
        assert told.exit_code == 7
        located = [(one["invariant"], one["id"], one["version"]) for one in parsed(told)["findings"]]
        assert [one for one in located if one[0] != "guards"] == [("I9", "U2", 1)]
        assert (("guards", "*", None) in located) is (
            words == ("check",)
        )  # whoever changed it took the guards down
    assert "U2" in shop_run("check").stdout
    assert shop_run("ledger", "verify", "statements", "U1").exit_code == 0


def test_a_changed_row_and_a_wrong_counter_are_found(moved: App, shop_run: Run) -> None:
    tamper(moved, "uploads", "UPDATE uploads SET status = 'normalized' WHERE id = 'U1'")
    findings = parsed(shop_run("check", "-o", "json"))["findings"]
    assert ("I2", "U1") in {(one["invariant"], one["id"]) for one in findings}
    assert "counters" in {one["invariant"] for one in findings}
    assert shop_run("check", "domains").exit_code == 0
