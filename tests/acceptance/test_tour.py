"""`interlock tour`: everybody's first minute, as often as they like."""

from __future__ import annotations

from pathlib import Path

from interlock import App
from interlock.cli.sample import workflows
from tests.acceptance.conftest import Run, parsed


def test_the_tour_runs_again_and_again(run: Run, empty_folder: Path) -> None:
    first, second = run("tour"), run("tour")
    assert (first.exit_code, second.exit_code) == (0, 0), first.stderr + second.stderr
    assert "16 entries were written" in first.stdout
    assert "they are where an earlier tour left them" in second.stdout
    for told in (first.stdout, second.stdout):
        assert told.count("refused by ") == 3
        assert "ok: 16 entries in 8 chains verify" in told
        assert len(told.splitlines()) <= 25
    assert (empty_folder / "interlock-data" / "interlock.sqlite").exists()


def test_what_the_tour_points_at_works(run: Run) -> None:
    for line in run("tour").stdout.splitlines()[-3:]:
        assert run(*line.split()[1:]).exit_code == 0


def test_the_tour_takes_another_folder_and_visitors_may_move_things(run: Run, empty_folder: Path) -> None:
    told = run("tour", "--data", "there", "-o", "json")
    assert [one["by"] for one in parsed(told)["refused"]] == ["the machine", "a rule", "the database"]
    app = App(workflows, database=f"sqlite:///{empty_folder / 'there' / 'interlock.sqlite'}")
    app.move("parcels", "P-3", payment="paid", actor="ann")
    app.move("parcels", "P-2", status="lost", actor="ann")
    app.move("parcels", "P-4", status="cancelled", actor="ann")
    app.close()
    again = parsed(run("tour", "--data", "there", "-o", "json"))
    assert again["ok"]
    assert [one["by"] for one in again["refused"]] == ["the machine", "the database"]


def test_a_tour_that_cannot_write_says_so(run: Run, empty_folder: Path) -> None:
    (empty_folder / "interlock-data").write_text("a file where the folder should be")
    told = run("tour")
    assert told.exit_code == 1
    assert told.stderr.startswith("error: ")
