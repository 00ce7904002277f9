"""`interlock bulk` as people type it: look, do, look again, undo; here and from afar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interlock import App
from interlock.cli.commands.records import bulk
from interlock.cli.render import progress
from tests.acceptance.conftest import Run, parsed

MOVE = ("domains", "curation_status=Selected")
BECAUSE = ("--reason", "good ones", "--actor", "ann")


@pytest.fixture
def full(app: App) -> App:
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 8)])
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": str(number)} for number in range(3)])
    app.move("domains", 7, actor="ann", curation_status="Discarded")
    return app


def done(run: Run, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = parsed(run("bulk", *words, "-o", "json"))
    return answer


def test_look_do_and_undo(way: Run, full: App) -> None:
    assert done(way, "preview", *MOVE, "--where", "curation_status=New")["outcomes"]["moved"] == 6
    made = done(way, "run", *MOVE, "--where", "curation_status=New", *BECAUSE, "--yes")
    assert (made["status"], made["outcomes"]["moved"], made["actor"]) == ("finished", 6, "ann")
    assert full.ledger.history("domains", 1, axis="curation_status")[-1].cause == f"operation.{made['id']}"
    assert done(way, "undo", made["id"], "--reason", "no", "--dry-run")["outcomes"]["moved"] == 6
    assert done(way, "undo", made["id"], "--reason", "no", "--yes")["outcomes"]["moved"] == 6
    assert done(way, "status", made["id"])["status"] == "undone"
    assert [one["status"] for one in parsed(way("bulk", "list", "-o", "json"))] == ["finished", "undone"]
    assert full.get("domains", 1)["curation_status"] == "New"


def test_a_ramp_is_resumed_and_the_refused_are_listed(way: Run, full: App) -> None:
    first = way("bulk", "run", "statements", "cancel", "u0", "u1", "nobody", "--ramp", "1", *BECAUSE, "--yes")
    assert (first.exit_code, "2 of 3 done" in first.stdout) == (7, True)
    id = first.stdout.split()[0]
    assert f"interlock bulk resume {id}" in first.stderr
    assert full.operations.get(id).status == "paused"
    assert way("bulk", "run", id).exit_code == 2
    ended = way("bulk", "resume", id)
    assert (ended.exit_code, "unknown 1 (nobody): [ILK-201]" in ended.stdout) == (7, True)
    listed = way("bulk", "status", id, "--outcome", "unknown", "-o", "csv").stdout.splitlines()
    assert listed[1].startswith("1,nobody,unknown,ILK-201")
    assert way("bulk", "pause", id).exit_code == 5
    assert way("bulk", "status", "op_none").exit_code == 3


def test_a_preview_is_read_by_people(shop_run: Run, full: App) -> None:
    said = shop_run("bulk", "preview", *MOVE, "--all").stdout.splitlines()
    assert said == [
        "7 records of domains: would move 7",
        "  curation_status New → Selected: 6",
        "  curation_status Discarded → Selected: 1",
        "  driven by a rule: processing_status null → Queued: 7",
    ]
    refused = shop_run("bulk", "preview", "domains", "processing_status=Queued", "--all")
    assert (refused.exit_code, "[ILK-205]" in refused.stdout) == (7, True)


def test_nothing_is_done_unless_somebody_says_so(shop_run: Run, full: App) -> None:
    unasked = shop_run("bulk", "run", *MOVE, "--all", *BECAUSE)
    assert (unasked.exit_code, "--yes" in unasked.stderr) == (2, True)
    assert shop_run("bulk", "run", *MOVE, "--all", *BECAUSE, "--dry-run").stdout.startswith(
        "7 records of domains: would move 7"
    )
    assert shop_run("bulk", "run", *MOVE, "--all", "--yes").exit_code == 2, "no reason was given"
    assert shop_run("bulk", "run", *MOVE, *BECAUSE, "--yes").exit_code == 2, "no records were named"
    assert shop_run("bulk", "run", *MOVE, "1", "--all", *BECAUSE, "--yes").exit_code == 2, (
        "ids or all, not both"
    )
    assert shop_run("bulk", "run", "domains", "Selected", "1", *BECAUSE, "--yes").exit_code == 2
    assert shop_run("bulk", "list").stdout == "no operations yet\n"


def test_status_names_what_waits_for_somebody(shop_run: Run, full: App) -> None:
    id = full.operations.create(
        "domains", axis="curation_status", to="Maybe", where={}, actor="ann", reason="so", ramp=2
    ).id
    full.operations.run(id)
    assert f"operation {id} is paused at 2 of 7 records" in shop_run().stdout


def test_ids_come_from_a_file_or_a_pipe(shop_run: Run, full: App, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("1\n2\n\n", encoding="utf-8")
    assert done(shop_run, "preview", *MOVE, "--ids", str(tmp_path / "ids.txt"))["records"] == 2
    assert (
        parsed(shop_run("bulk", "preview", *MOVE, "--ids", "-", "-o", "json", input="3\n4\n5\n"))["records"]
        == 3
    )


def test_a_person_at_a_terminal_is_shown_and_asked_and_sees_a_bar(
    shop_run: Run, full: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "is_terminal", lambda: True)
    monkeypatch.setattr(bulk, "somebody_is_there", lambda: True)
    no = shop_run("bulk", "run", *MOVE, "--all", *BECAUSE, input="n\n")
    assert ("would move 7" in no.stderr, no.exit_code, full.operations.newest()) == (True, 0, [])
    yes = shop_run("bulk", "run", *MOVE, "--all", *BECAUSE, input="y\n")
    assert ("Do it?" in yes.stderr, "[##############################] 7 of 7" in yes.stderr) == (True, True)
    assert full.get("domains", 1)["curation_status"] == "Selected"
