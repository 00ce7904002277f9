"""Every exit code is reached, says what the table says, and comes with a code and a hint, never with a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock import App, InterlockError, errors
from interlock.cli import exit_codes as exits
from tests.acceptance.conftest import Run

MOVE = ("record", "move", "statements")


@pytest.fixture
def upload(app: App) -> App:
    app.admit("statements", {"id": "U1", "file_hash": "1"})
    return app


def test_0_when_it_is_done(upload: App, shop_run: Run) -> None:
    assert shop_run(*MOVE, "U1", "status=parsing", "--reason", "x").exit_code == exits.OK


def test_1_when_the_database_is_not_set_up(run: Run, database_url: str) -> None:
    for words in (("record", "list", "statements"), ("ledger", "tail"), ("check",), ("ledger", "verify"), ()):
        told = run("--app", "tests.acceptance.shop:workflows", "--database", database_url, *words)
        assert told.exit_code == exits.ERROR, words
        assert "error[ILK-304]" in told.stderr
        assert "or run `interlock db upgrade`" in told.stderr


MISWRITTEN = (
    ("--no-such-option",),
    ("nonsense",),
    ("record",),
    ("record", "list", "statements", "-o", "xml"),
    (*MOVE, "U1"),
    (*MOVE, "U1", "status=parsing"),
    (*MOVE, "U1", "parsing", "--reason", "x"),
    (*MOVE, "U1", "status=parsing", "--reason", "x" * 5000),
    (*MOVE, "U1", "status=parsing", "--reason", ""),
    (*MOVE, "U1", "status=parsing", "--reason", "x", "--fact", "nothing"),
    (*MOVE, "U1", "status=parsing", "--reason", "x", "--version", "-1"),
    (*MOVE, "U1", "status=parsing", "--reason", "x", "--scope", "y"),
    (*MOVE, "", "status=parsing", "--reason", "x"),
    ("record", "why", "statements", ""),
    ("record", "list", "statements", "--where", "status"),
    ("record", "list", "statements", "--limit", "0"),
    ("ledger", "tail", "--after", "yesterday"),
    ("ledger", "tail", "--follow", "-o", "json"),
    ("machine", "graph", "domains"),
)


def test_2_when_it_is_not_written_as_it_must_be(upload: App, shop_run: Run) -> None:
    for words in MISWRITTEN:
        told = shop_run(*words)
        assert told.exit_code == exits.USAGE, (words, told.stderr)
        assert told.stdout == "" or words == ("record",)
    assert upload.get("statements", "U1")["version"] == 0


NOT_THERE = (
    ("record", "show", "domains", "not-a-number"),
    ("record", "show", "statements", "U9"),
    ("record", "why", "statements", "U9"),
    ("record", "retry", "statements", "U9", "--reason", "x"),
    (*MOVE, "U9", "status=parsing", "--reason", "x"),
    (*MOVE, "U1", "colour=red", "--reason", "x"),
    ("ledger", "verify", "statements", "U9"),
    ("record", "list", "nothing"),
    ("record", "list", "statements", "--where", "colour=red"),
    ("machine", "show", "nothing"),
    ("machine", "graph", "statements", "--axis", "nothing"),
    ("ledger", "tail", "--kind", "nothing"),
    ("check", "nothing"),
)


def test_3_when_there_is_no_such_thing(upload: App, shop_run: Run) -> None:
    for words in NOT_THERE:
        told = shop_run(*words)
        assert told.exit_code == exits.NOT_FOUND, (words, told.stderr)
        assert told.stderr.startswith("error[ILK-")


def test_4_when_the_move_needs_another_role(app: App, shop_run: Run) -> None:
    app.admit("content", {"item_id": "C1", "author": "ann", "level": "A1"})
    app.move("content", "C1", state="CANDIDATE", actor="ann")
    app.judge_gate("content", "C1", "level", passed=True, actor="runner")
    app.move("content", "C1", state="VALIDATED", actor="ann")
    words = ("record", "move", "content", "C1", "state=APPROVED", "--actor", "eve", "--reason", "good")
    assert shop_run(*words).exit_code == exits.NOT_ALLOWED
    assert shop_run(*words, "--role", "operator").exit_code == exits.OK


def test_5_when_the_machine_a_rule_or_a_gate_says_no(upload: App, shop_run: Run) -> None:
    told = shop_run(*MOVE, "U1", "status=normalized", "--reason", "x")
    assert told.exit_code == exits.REFUSED
    assert told.stderr.startswith("error[ILK-204]: ")
    assert told.stdout == ""
    upload.admit("domains", {"id": 1, "host": "a"})
    assert (
        "error[ILK-205]"
        in shop_run("record", "move", "domains", "1", "processing_status=Queued", "--reason", "x").stderr
    )
    upload.admit("content", {"item_id": "C1", "author": "ann", "level": "A1"})
    upload.move("content", "C1", state="CANDIDATE", actor="ann")
    gated = shop_run("record", "move", "content", "C1", "state=VALIDATED", "--reason", "x")
    assert (gated.exit_code, "error[ILK-206]" in gated.stderr) == (exits.REFUSED, True)


def test_6_when_somebody_else_was_first(upload: App, shop_run: Run) -> None:
    upload.move("statements", "U1", status="parsing", actor="eve", reason="first")
    told = shop_run(*MOVE, "U1", "status=parsed", "--reason", "x", "--version", "0")
    assert told.exit_code == exits.CONFLICT
    assert "error[ILK-208]" in told.stderr


def test_7_when_there_are_findings(run: Run, sqlite_url: str) -> None:
    told = run("--app", "tests.acceptance.shop:doubtful", "--database", sqlite_url, "machine", "lint")
    assert told.exit_code == exits.FINDINGS
    assert "forgotten" in told.stdout


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nonsense", 2),
        ("mysql://here/shop", 2),
        ("postgresql://here:port/shop", 2),
        ("postgresql://127.0.0.1:1/shop", 1),
        ("sqlite:////no/such/folder/shop.db", 1),
    ],
)
def test_a_database_that_cannot_be(url: str, code: int, run: Run) -> None:
    told = run("--app", "tests.acceptance.shop:workflows", "--database", url, "record", "list", "statements")
    assert told.exit_code == code, told.stderr
    assert "hint: " in told.stderr


def test_a_file_that_is_no_database(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.db"
    file.write_text("Dear all, " * 1000)
    told = run(
        "--app",
        "tests.acceptance.shop:workflows",
        "--database",
        f"sqlite:///{file}",
        "record",
        "list",
        "statements",
    )
    assert told.exit_code == exits.ERROR
    assert told.stderr.startswith(f"error[ILK-301]: {file} is not a SQLite database")
    assert "server" not in told.stderr


def test_every_error_has_an_exit_code_and_every_exit_code_a_meaning() -> None:
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, InterlockError)
    ]
    assert {exits.exit_code(kind.__new__(kind)) for kind in kinds} == {1, 2, 3, 4, 5, 6, 7}
    assert set(exits.EXIT_CODES.values()) | {exits.OK, exits.INTERRUPTED} == set(exits.MEANINGS)
