"""`interlock record`: where records are, why, and what moves them."""

from __future__ import annotations

import csv
import io
import json

import pytest

from interlock import App
from interlock.errors import UnknownRecord
from tests.acceptance.conftest import Run, parsed


@pytest.fixture
def five(app: App) -> App:
    """Five uploads; the fourth is parsing, the fifth has failed."""
    app.admit_many(
        "statements", [{"id": f"U{number}", "file_hash": str(number)} for number in range(1, 6)], actor="ann"
    )
    for id in ("U4", "U5"):
        app.move("statements", id, status="parsing", actor="ann", reason="begun")
    app.move(
        "statements", "U5", status="error", actor="ann", reason="no luck", facts={"error_code": "BAD_FILE"}
    )
    return app


def test_records_are_listed_page_by_page(five: App, shop_run: Run) -> None:
    first = shop_run("record", "list", "statements", "--limit", "3", "-o", "jsonl")
    assert [json.loads(line)["id"] for line in first.stdout.splitlines()] == ["U1", "U2", "U3"]
    assert "--after U3" in first.stderr
    second = parsed(shop_run("record", "list", "statements", "--limit", "3", "--after", "U3", "-o", "json"))
    assert [(row["id"], row["status"]) for row in second] == [("U4", "parsing"), ("U5", "error")]


def test_a_list_can_be_narrowed_by_several_axes_and_null_is_a_state(app: App, shop_run: Run) -> None:
    app.admit_many("domains", [{"id": number, "host": str(number)} for number in (1, 2, 3)])
    app.move("domains", 2, curation_status="Selected", actor="ann")
    app.move("domains", 3, curation_status="Maybe", actor="ann")
    narrowed = shop_run(
        "record",
        "list",
        "domains",
        "--where",
        "processing_status=null",
        "--where",
        "curation_status=Maybe",
        "-o",
        "json",
    )
    assert [(row["id"], row["processing_status"]) for row in parsed(narrowed)] == [(3, None)]
    assert " null " in shop_run("record", "list", "domains").stdout


def test_a_scoped_axis_is_listed_by_scope(app: App, shop_run: Run) -> None:
    app.admit_many("themes", [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}])
    app.move("themes", 2, status="in_progress", scope="technical", actor="ann")
    rows = parsed(shop_run("record", "list", "themes", "--where", "status=in_progress", "-o", "json"))
    assert [(row["id"], row["status[technical]"], row["status[fundamental]"]) for row in rows] == [
        (2, "in_progress", "pending")
    ]
    assert (
        parsed(
            shop_run(
                "record",
                "list",
                "themes",
                "--where",
                "status=in_progress",
                "--scope",
                "fundamental",
                "-o",
                "json",
            )
        )
        == []
    )
    assert (
        shop_run("record", "list", "themes", "--where", "status=pending", "--scope", "moral").exit_code == 2
    )


def test_csv_is_whole_and_no_spreadsheet_runs_it(app: App, shop_run: Run) -> None:
    app.admit("statements", {"id": "=cmd()", "file_hash": "1"})
    rows = list(csv.DictReader(io.StringIO(shop_run("record", "list", "statements", "-o", "csv").stdout)))
    assert [(row["id"], row["status"], row["status.version"]) for row in rows] == [
        ("'=cmd()", "queued_for_parse", "0")
    ]


def test_a_record_is_shown_with_its_row_and_its_history(five: App, shop_run: Run) -> None:
    shown = parsed(shop_run("record", "show", "statements", "U5", "-o", "json"))
    assert shown["record"]["error_code"] == "BAD_FILE"
    assert len(shown["record"]["head"]) == 64
    assert [(move["from"], move["to"], move["actor"]) for move in shown["history"]] == [
        (None, "queued_for_parse", "ann"),
        ("queued_for_parse", "parsing", "ann"),
        ("parsing", "error", "ann"),
    ]
    assert all(move["timestamp"].endswith("Z") for move in shown["history"])
    table = shop_run("record", "show", "statements", "U5").stdout
    assert "BAD_FILE" in table
    assert "no luck" in table


def test_an_erased_record_still_shows_its_history(five: App, shop_run: Run) -> None:
    five.erase("statements", "U1", actor="ann", role="admin", reason="asked to")
    assert "its history remains" in shop_run("record", "show", "statements", "U1").stdout


def test_why_says_where_why_and_what_next(five: App, shop_run: Run) -> None:
    said = shop_run("record", "why", "statements", "U5").stdout
    assert "status is error because ann moved it from parsing" in said
    assert "with the reason “no luck”" in said
    known = parsed(shop_run("record", "why", "statements", "U5", "-o", "json"))
    assert known["where"][0]["state"] == "error"
    assert {one["to"]: one["allowed"] for one in known["next"]}["normalized"] is False
    assert all(one["code"] and one["reason"] for one in known["next"] if not one["allowed"])


def test_a_move_is_made_with_its_reason_and_facts(five: App, shop_run: Run) -> None:
    moved = shop_run(
        "record",
        "move",
        "statements",
        "U4",
        "status=parsed",
        "--reason",
        "by hand",
        "--actor",
        "eve",
        "--fact",
        "observations_count=7",
        "--fact",
        "note=not json",
        "--version",
        "1",
    )
    assert moved.exit_code == 0, moved.stderr
    assert "parsing → parsed, version 2" in moved.stdout
    assert five.get("statements", "U4")["observations_count"] == 7
    last = five.ledger.history("statements", "U4")[-1]
    assert (last.actor, last.reason, last.facts) == (
        "eve",
        "by hand",
        {"observations_count": 7, "note": "not json"},
    )


def test_a_rehearsed_move_says_what_would_be_and_leaves_nothing(five: App, shop_run: Run) -> None:
    would = shop_run("record", "move", "statements", "U1", "status=parsing", "--reason", "x", "--dry-run")
    assert would.stdout.startswith("would be moved: ")
    refused = shop_run(
        "record", "move", "statements", "U1", "status=normalized", "--reason", "x", "--dry-run"
    )
    assert refused.exit_code == 5
    assert five.get("statements", "U1")["version"] == 0
    assert "wanted" not in shop_run("record", "why", "statements", "U1").stdout


def test_a_move_to_null_and_what_it_drives(app: App, shop_run: Run) -> None:
    app.admit("domains", {"id": 1, "host": "a"})
    driven = parsed(
        shop_run(
            "record", "move", "domains", "1", "curation_status=Selected", "--reason", "good", "-o", "json"
        )
    )
    assert [(one["axis"], one["from"], one["to"]) for one in driven["driven"]] == [
        ("processing_status", None, "Queued")
    ]
    assert (
        shop_run("record", "move", "domains", "1", "processing_status=null", "--reason", "stop").exit_code
        == 0
    )
    assert app.get("domains", 1)["processing_status"] is None


def test_the_same_key_is_answered_again(five: App, shop_run: Run) -> None:
    words = (
        "record",
        "move",
        "statements",
        "U1",
        "status=parsing",
        "--reason",
        "x",
        "--key",
        "k1",
        "-o",
        "json",
    )
    assert parsed(shop_run(*words)) == parsed(shop_run(*words))
    assert five.get("statements", "U1")["version"] == 1


def test_a_move_that_is_already_made_is_unchanged(five: App, shop_run: Run) -> None:
    assert shop_run(
        "record", "move", "statements", "U4", "status=parsing", "--reason", "x"
    ).stdout.startswith("unchanged")


def test_a_failed_record_is_retried(five: App, shop_run: Run) -> None:
    assert (
        "would be moved"
        in shop_run("record", "retry", "statements", "U5", "--reason", "again", "--dry-run").stdout
    )
    done = shop_run("record", "retry", "statements", "U5", "--reason", "again")
    assert done.exit_code == 0, done.stderr
    assert five.get("statements", "U5")["status"] == "queued_for_parse"


def test_a_record_is_amended_and_erased_with_a_reason(app: App, shop_run: Run) -> None:
    app.admit("content", {"item_id": "C1", "author": "ann"})
    amended = shop_run("record", "amend", "content", "C1", "--set", "author=bob", "--reason", "typed wrong")
    assert amended.exit_code == 0, amended.stderr
    assert app.get("content", "C1")["author"] == "bob"
    last = app.ledger.history("content", "C1")[-1]
    assert (last.old == last.new, last.reason) == (True, "typed wrong")
    erase = ("record", "erase", "content", "C1", "--reason", "asked to be forgotten")
    assert shop_run(*erase, input="n\n").exit_code != 0
    assert app.get("content", "C1")["author"] == "bob"
    erased = shop_run(*erase, "--yes")
    assert erased.exit_code == 0, erased.stderr
    with pytest.raises(UnknownRecord):
        app.get("content", "C1")
    assert app.ledger.verify().ok
