"""Commands against a service say what they say against its database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock import App
from interlock.service.application import build
from tests.acceptance import shop
from tests.acceptance.conftest import Run, parsed
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

SAME = [
    "record list statements -o json",
    "record list domains --where curation_status=Selected -o csv",
    "record list statements --limit 2",
    "record list statements --after u1 --limit 1 -o json",
    "record list themes -o json",
    "record list statements --error BROKEN -o json",
    "record show statements u1",
    "record why domains 1 -o json",
    "record why domains 1",
    "ledger tail -o jsonl",
    "ledger tail --kind domains -n 2 -o json",
    "ledger tail --after 0.2 -n 3 -o csv",
    "machine show",
    "machine show domains",
    "machine show themes -o json",
    "machine show content -o csv",
    "record why statements nobody",
    "record show statements nobody",
    "record list nothing",
    "record list statements --where status=lost",
    "record move statements u2 status=normalized --reason no",
    "record move statements u2 status=parsing --reason no --version 7",
    "record retry statements u2 --reason no",
]


@pytest.fixture
def full(app: App) -> App:
    return filled(app)


def filled(app: App) -> App:
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(4)])
    app.admit_many("domains", [{"id": 1, "host": "a"}, {"id": 2, "host": "b"}])
    app.admit("themes", {"id": 1, "title": "Rates rise"})
    app.move("domains", 2, actor="ann", curation_status="Selected")
    app.move(
        "statements",
        "u1",
        actor="ann",
        status="error",
        facts={"error_code": "BROKEN", "error_message": "page 3"},
    )
    return app


@pytest.fixture(scope="module")
def both_ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[str], list[str]]]:
    """The flags that lead to one shop here and from afar: for commands that only look, or are refused."""
    url = f"sqlite:///{tmp_path_factory.mktemp('afar') / 'shop.db'}"
    app = filled(shop.make_app(url))
    key = make_key(app, "admin", "ann")
    with served(build(app, limits=WIDE)) as address:
        yield (
            ["--app", "tests.acceptance.shop:workflows", "--database", url],
            ["--url", address, "--api-key", key],
        )
    app.close()


@pytest.mark.parametrize("line", SAME)
def test_a_command_says_the_same_from_afar(
    line: str, run: Run, both_ways: tuple[list[str], list[str]]
) -> None:
    here, there = (run(*way, *line.split()) for way in both_ways)
    assert (there.exit_code, settled(there.stdout)) == (here.exit_code, settled(here.stdout)), there.stderr
    assert re.findall(r"error\[ILK-\d{3}\]", there.stderr) == re.findall(r"error\[ILK-\d{3}\]", here.stderr)


def settled(text: str) -> str:
    """Ages move on between two questions, and bytes have no type in JSON."""
    return re.sub(r"for \d+ \w+", "for a while", text)


def test_a_move_and_a_retry_are_made_there(remote: Run, full: App) -> None:
    moved = parsed(
        remote(
            "record",
            "move",
            "domains",
            "1",
            "curation_status=Selected",
            "--reason",
            "good",
            "--key",
            "k",
            "-o",
            "json",
        )
    )
    again = parsed(
        remote(
            "record",
            "move",
            "domains",
            "1",
            "curation_status=Selected",
            "--reason",
            "good",
            "--key",
            "k",
            "-o",
            "json",
        )
    )
    assert moved == again
    assert [one["to"] for one in moved["driven"]] == ["Queued"]
    assert full.ledger.history("domains", 1)[-1].actor == "ann"
    retried = remote("record", "retry", "statements", "u1", "--reason", "again", "--actor", "bob")
    assert (retried.exit_code, "--actor is left aside" in retried.stderr) == (0, True)
    assert full.ledger.history("statements", "u1")[-1].actor == "ann"
    assert full.ledger.history("statements", "u1")[-1].new == "queued_for_parse"
    assert (
        remote(
            "record", "move", "statements", "u2", "status=parsing", "--reason", "so", "--dry-run"
        ).exit_code
        == 2
    )


def test_status_and_check_ask_the_service(remote: Run) -> None:
    status = remote()
    assert "1 of statements with the error BROKEN: page 3" in status.stdout
    assert parsed(remote("check", "-o", "json"))["ok"] is True


@pytest.mark.sqlite_only
def test_a_service_that_is_not_there_or_not_ours_is_said(run: Run, full: App) -> None:
    nowhere = run("--url", "http://127.0.0.1:9", "record", "list", "statements")
    assert (nowhere.exit_code, "ILK-301" in nowhere.stderr) == (1, True)
    assert run("--url", "file:///etc/passwd", "ledger", "tail").exit_code == 2
    make_key(full, "admin", "ann")
    with served(build(full, limits=WIDE, require_key=True)) as address:
        assert run("--url", address, "ledger", "tail").exit_code == 4
        assert run("--url", f"{address}/elsewhere", "--api-key", "ilk_x", "ledger", "tail").exit_code == 3


@pytest.mark.sqlite_only
def test_the_key_comes_from_a_file_from_stdin_or_from_the_environment(
    run: Run, full: App, tmp_path: Path
) -> None:
    key = make_key(full, "viewer", "vera")
    file = tmp_path / "key"
    file.write_text(f"{key}\n")
    with served(build(full, limits=WIDE, require_key=True)) as address:
        asked = ("--url", address, "ledger", "tail")
        for told in (
            run("--api-key-file", file, *asked),
            run("--api-key-file", "-", *asked, input=f"{key}\n"),
            run(*asked, env={"INTERLOCK_KEY": key}),
        ):
            assert (told.exit_code, "warning" in told.stderr) == (0, False)
        warned = run("--api-key", key, *asked)
        assert (warned.exit_code, "every user of this machine" in warned.stderr) == (0, True)
        assert key not in warned.stderr
        assert run("--api-key-file", tmp_path / "nothing", *asked).exit_code == 2
        assert run("--api-key-file", "-", *asked, input="\n").exit_code == 2
