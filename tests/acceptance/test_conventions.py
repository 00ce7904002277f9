"""What is the same for every command: help with examples, four shapes of output, colour, settings, errors."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from interlock import App
from interlock.cli.context import Session
from interlock.cli.program import interlock
from interlock.cli.render.output import FORMATS
from interlock.cli.render.table import squeezed, table
from interlock.cli.render.text import cell, fitted, width
from tests.acceptance.conftest import Run


def every_command(
    command: click.Command = interlock, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from every_command(below, (*path, name))


COMMANDS = list(every_command())


def command_at(path: tuple[str, ...]) -> click.Command:
    found: click.Command = interlock
    for name in path:
        assert isinstance(found, click.Group)
        found = found.commands[name]
    return found


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "interlock")
def test_every_help_has_a_sentence_and_examples(path: tuple[str, ...], run: Run) -> None:
    told = run(*path, "--help")
    assert told.exit_code == 0
    assert "Examples:\n  interlock " in told.stdout
    assert (command_at(path).help or "").endswith(".")


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "interlock")
def test_every_example_is_a_command_line_that_is_understood(path: tuple[str, ...]) -> None:
    for example in command_at(path).examples:  # type: ignore[attr-defined]
        words = shlex.split(example.partition(" | ")[0].partition(" > ")[0].partition(" < ")[0])
        assert words[0] == "interlock"
        understood(interlock, words[1:])


def understood(command: click.Command, words: list[str], parent: click.Context | None = None) -> None:
    """Parse a command line down to its last command without running it; click raises where it does not fit."""
    context = command.make_context(
        command.name, list(words), parent=parent, **({} if parent else {"obj": Session()})
    )
    if isinstance(command, click.Group) and (rest := [*context._protected_args, *context.args]):
        _, below, left = command.resolve_command(context, rest)
        assert below is not None
        understood(below, left, context)


def test_every_command_takes_the_shared_options_before_and_after_its_name(
    app: App, run: Run, database_url: str
) -> None:
    flags = ("--app", "tests.acceptance.shop:workflows", "--database", database_url, "-o", "json")
    for words in (
        ("record", "list", "statements"),
        ("machine", "show"),
        ("ledger", "tail"),
        ("check",),
        ("db", "check"),
    ):
        before, after = run(*flags, *words), run(*words, *flags)
        assert json.loads(before.stdout) == json.loads(after.stdout)


READING = [
    ("machine", "show"),
    ("machine", "show", "domains"),
    ("machine", "lint"),
    ("record", "list", "domains"),
    ("record", "show", "domains", "1"),
    ("record", "why", "domains", "1"),
    ("ledger", "tail"),
    ("ledger", "verify"),
    ("check",),
    ("db", "check"),
    ("db", "upgrade"),
    ("doctor",),
    (),
]


def test_every_answer_comes_in_every_shape(app: App, shop_run: Run) -> None:
    app.admit("domains", {"id": 1, "host": "a"})
    for words in READING:
        told = {form: shop_run(*words, "-o", form) for form in FORMATS}
        assert {result.exit_code for result in told.values()} == {0}, words
        json.loads(told["json"].stdout)
        assert all(isinstance(json.loads(line), dict) for line in told["jsonl"].stdout.splitlines()), words
        rows = list(csv.reader(io.StringIO(told["csv"].stdout)))
        assert {len(row) for row in rows} == {len(rows[0])}, words


def test_without_an_app_commands_mean_the_bundled_workflows(run: Run, empty_folder: Path) -> None:
    told = run("record", "list", "statements")
    assert told.exit_code == 2
    assert told.stderr.startswith("error[ILK-102]: there is no Interlock database in interlock-data")
    assert "`interlock up` starts the bundled workflows here" in told.stderr
    alone = run()
    assert (alone.exit_code, "interlock up" in alone.stdout) == (0, True)
    assert list(empty_folder.iterdir()) == []
    assert "statements" in run("machine", "show", "-o", "json").stdout
    assert run("db", "upgrade").exit_code == 0
    listed = run("record", "list", "statements", "-o", "json")
    assert (listed.exit_code, json.loads(listed.stdout)) == (0, [])
    assert "Nothing needs a person." in run().stdout


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("shop", "does not name an app"),
        ("no_such_module:app", "cannot import no_such_module"),
        ("tests.acceptance.shop:nothing", "has no attribute"),
        ("tests.acceptance.shop:nonsense", "neither an App nor a list"),
        ("broken:app", "importing broken failed: ZeroDivisionError"),
        ("typo:app", "importing typo failed: SyntaxError"),
    ],
)
def test_an_app_that_cannot_be_had(named: str, said: str, run: Run, empty_folder: Path) -> None:
    (empty_folder / "broken.py").write_text("app = 1 / 0\n")
    (empty_folder / "typo.py").write_text("app = (\n")
    told = run("--app", named, "machine", "show")
    assert told.exit_code == 2
    assert said in told.stderr


def test_settings_come_from_flag_then_variable_then_file(
    run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_folder / "interlock.toml").write_text('app = "tests.acceptance.shop:alone"\n')
    assert "lights" in run("machine", "show").stdout
    monkeypatch.setenv("INTERLOCK_APP", "tests.acceptance.shop:doubtful")
    assert "doubts" in run("machine", "show").stdout
    assert "domains" in run("machine", "show", "--app", "tests.acceptance.shop:workflows").stdout
    (empty_folder / "interlock.toml").write_text("colour = 'red'\n")
    assert "unknown settings: colour" in run("machine", "show").stderr


def test_debug_shows_where_an_error_comes_from(shop_run: Run) -> None:
    with pytest.raises(AssertionError, match="Traceback"):
        shop_run("--debug", "record", "show", "statements", "U9")


def test_colour_is_for_terminals_and_no_color_is_obeyed(
    shop_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("machine", "show", "domains")
    assert "\x1b[" not in shop_run(*words).stdout
    assert "\x1b[" in shop_run(*words, color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in shop_run(*words, color=True).stdout


def test_a_table_fits_the_terminal_and_is_whole_when_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": "x" * 60, "reason": "y" * 90, "n": 7}]
    assert max(map(width, table(rows, ("id", "reason", "n")))) > 150
    monkeypatch.setattr("interlock.cli.render.table.terminal_width", lambda: 80)
    cut = table(rows, ("id", "reason", "n"))
    assert max(width(click.unstyle(line)) for line in cut) <= 80
    assert "…" in cut[-1]


def test_columns_shrink_from_the_widest() -> None:
    assert squeezed([10, 90, 20], 60) == [10, 30, 20]
    assert squeezed([3, 4], 60) == [3, 4]
    assert sum(squeezed([50, 50, 50], 60)) <= 60
    assert squeezed([19, 50, 50], 60, {0})[0] == 19
    assert sum(squeezed([19, 50, 50], 30, {0})) <= 30


def test_text_of_a_record_cannot_steer_the_terminal() -> None:
    assert cell("a\x1b[2Jb\nc\u202e") == "a\\x1b[2Jb\\nc\\u202e"
    assert width("日本") == 4
    assert fitted("日本語", 4) == "日…"
