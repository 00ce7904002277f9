"""Mistakes at the prompt, in settings and in the environment: each is answered with what is wrong and what to type, never a traceback."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from interlock.cli import exit_codes as exits
from interlock.cli import main
from interlock.errors import BadInput
from interlock.settings import load
from tests.acceptance.conftest import Run

MODULE = """
from sqlalchemy import Column, Integer, MetaData, Table, Text
from interlock import App, Axis, Machine, Workflow

machine = Machine("order", initial="placed", moves={"placed": ["packing"], "packing": ["packed"]})
table = Table("orders", MetaData(), Column("id", Integer, primary_key=True), Column("customer", Text))
orders = Workflow("orders", noun="order", records=table, axes=[Axis("status", machine)])
app = App([orders], database="sqlite:///stall.sqlite")
number = 3
"""
MOVE = ("record", "move", "orders")
TYPED: dict[tuple[str, ...], tuple[int, str, str]] = {
    ("recrd", "list", "orders"): (2, "No such command 'recrd'", "Did you mean 'record'?"),
    ("record", "lst", "orders"): (2, "No such command 'lst'", "Did you mean 'list'?"),
    ("record", "list"): (2, "Missing argument 'KIND'", "record list --help"),
    ("record", "list", "oders"): (3, "no workflow 'oders'; it has orders", "Did you mean 'orders'?"),
    ("record", "list", "orders", "-o", "xml"): (2, "'xml' is not one of 'table'", "record list --help"),
    ("record", "list", "orders", "--where", "status"): (
        2,
        "'status' is not axis=state",
        "record list --help",
    ),
    ("record", "list", "orders", "--where", "stats=a"): (
        3,
        "no axis or column 'stats'",
        "Did you mean 'status'?",
    ),
    ("record", "list", "orders", "--where", "status=plced"): (
        5,
        "no state 'plced'",
        "Did you mean 'placed'?",
    ),
    ("record", "list", "orders", "--sort", "custmer"): (
        3,
        "no axis or column 'custmer'",
        "Did you mean 'customer'?",
    ),
    (*MOVE, "1", "packing", "--reason", "x"): (2, "write axis=state", "record move --help"),
    (*MOVE, "1", "status=packng", "--reason", "x"): (5, "no state 'packng'", "Did you mean 'packing'?"),
    (*MOVE, "1", "status=packed", "--reason", "x"): (5, "legal from placed: packing", "record why"),
    (*MOVE, "1", "state=packing", "--reason", "x"): (3, "no axis 'state'", "Did you mean 'status'?"),
    (*MOVE, "1", "status=packing"): (2, "Missing option '--reason'", "record move --help"),
    (*MOVE, "99", "status=packing", "--reason", "x"): (3, "orders has no record 99", "record list"),
    ("record", "why", "orders", "99"): (3, "orders has no record 99", "record list"),
    ("record", "retry", "orders", "1"): (2, "Missing option '--reason'", "record retry --help"),
    ("machine", "show", "oders"): (3, "no workflow 'oders'", "Did you mean 'orders'?"),
    ("machine", "graph", "orders", "--format", "pdf"): (2, "'pdf' is not one of", "machine graph --help"),
    ("key", "create", "bob", "--scope", "boss"): (2, "'boss' is not one of 'viewer'", "key create --help"),
    ("key", "revoke", "nobody"): (3, "there is no API key 'nobody'", "interlock key list"),
    ("ledger", "tail", "--after", "yesterday"): (2, "'yesterday' is not a cursor", "looks like 0.1500"),
    ("db", "restore", "nothing"): (2, "there is no file nothing", "interlock db backup"),
    ("serve", "--port", "99999"): (2, "99999 is not in the range", "serve --help"),
    ("simulate", "--histories", "0"): (2, "0 is not in the range", "simulate --help"),
    ("record", "show", "orders"): (2, "Missing argument 'ID'", "record show --help"),
    ("record", "amend", "orders", "1", "customer=Bo", "--reason", "x"): (
        2,
        "Missing option '--set'",
        "record amend --help",
    ),
    ("record", "admit", "orders", "custmer=Ann"): (2, "no column 'custmer'", "It has customer"),
    ("record", "cancel", "orders", "1", "--reason", "x"): (2, "orders has no stages", "app.move()"),
    (*MOVE, "1", "status=packing", "--reason", ""): (2, "reason is empty", "say why"),
    ("check", "oders"): (3, "no workflow 'oders'", "Did you mean 'orders'?"),
    ("stage", "pause", "pack", "--reason", "x"): (3, "'pack' does not name a stage", "orders.pack"),
    ("stage", "pause", "orders.pack", "--reason", "x"): (3, "no stage 'pack'", "interlock stage list"),
    ("schedule", "runs", "nightly"): (3, "'nightly' does not name a schedule", "orders.nightly"),
    ("bulk", "preview", "orders"): (2, "Missing argument", "bulk preview --help"),
    ("bulk", "status", "9"): (3, "there is no bulk operation '9'", "interlock bulk list"),
    ("ledger", "verify", "--against", "no.jsonl"): (2, "No such file", "ledger seals -o jsonl > FILE"),
    ("ledger", "verify", "--against", "stall.py"): (
        2,
        "stall.py has no seal in it",
        "ledger seals -o jsonl > FILE",
    ),
    ("record", "admit", "orders", "id=nine"): (2, "'id' takes a whole number", "a column of type INTEGER"),
    ("key", "create", "bob", "--scope", "viewer", "--expires", "soon"): (
        2,
        "'soon' is not a span of time; write 30s",
        "key create --help",
    ),
    ("runner", "--lease", "soon"): (2, "'soon' is not a span of time; write 30s", "runner --help"),
    ("coordinator", "--seal-every", "-5m"): (2, "'-5m' is not a span", "coordinator --help"),
    ("ledger", "seal", "--every", "5"): (2, "'5' is not a span of time", "ledger seal --help"),
    ("ledger", "as-of"): (2, "Missing option '--at'", "ledger as-of --help"),
    ("machine", "diff", "--from", "zzz"): (3, "begins with 'zzz'", "machine show KIND"),
    ("runner",): (2, "there is nothing to run", "@orders.stage(waiting=…, done=…)"),
    ("adopt", "scan", "orders"): (2, "that declares adopt=…", "adopt=Adopt(…)"),
    ("completion",): (2, "Choose from: bash, zsh, fish", "completion --help"),
    ("ledger", "show", "orders", "1"): (2, "No such command 'show'", "`interlock record show`"),
    ("record", "pause", "orders"): (2, "No such command 'pause'", "`interlock stage pause`"),
    ("stage", "pause", "orders", "pack", "--reason", "x"): (
        2,
        "extra argument (pack)",
        "Such as `interlock stage pause statements.parse",
    ),
    ("stage", "pause", "orders.pack", "--reason", "x", "--for", "soon"): (
        2,
        "'soon' is not a span of time; write 30s",
        "stage pause --help",
    ),
    ("--app",): (2, "Option '--app' requires an argument", "interlock --help"),
    ("record", "list", "orders", "--after", "zz"): (2, "'zz' is not an id", "the page before"),
    ("ledger", "export", "--to", "/nowhere/l.jsonl"): (
        1,
        "No such file or directory: /nowhere/l.jsonl",
        "parent folder",
    ),
    ("completion", "tcsh"): (2, "'tcsh' is not one of 'bash'", "completion --help"),
    ("--database", "nonsense", "check"): (
        2,
        "'nonsense' is not a database URL",
        "postgresql://user@host/name",
    ),
    ("--database", "mysql://a/b", "check"): (2, "not mysql", "sqlite:///file.sqlite"),
    ("--database", "postgres://a/b", "check"): (2, "not postgres", "postgresql://, not postgres://"),
    ("--database", "postgresql://a@127.0.0.1:1/b", "check"): (1, "is not available", "interlock doctor"),
    ("--database", "sqlite:////nowhere/at/all", "check"): (
        1,
        "the database /nowhere/at/all cannot be opened: there is no folder /nowhere/at",
        "Make the folder",
    ),
    ("--database", "sqlite://stall.sqlite", "check"): (2, "is not a database URL", "(three slashes)"),
    ("--database", "sqlite:///other.sqlite", "record", "list", "orders"): (
        1,
        "there is no database other.sqlite",
        "run `interlock db upgrade`, which makes it",
    ),
    ("status",): (2, "No such command 'status'", "`interlock` alone"),
    ("help",): (2, "No such command 'help'", "interlock --help"),
    ("start",): (2, "No such command 'start'", "interlock up"),
    ("worker", "--stage", "pack"): (2, "No such command 'worker'", "interlock runner"),
    ("migrate",): (2, "No such command 'migrate'", "interlock db upgrade"),
    ("upload", "add", "may.pdf"): (2, "No such command 'upload'", "interlock statements import FILE"),
    ("admit", "orders", "customer=Ann"): (2, "No such command 'admit'", "`interlock record admit`"),
    ("list", "orders"): (2, "No such command 'list'", "`interlock record list`, `interlock bulk list`"),
    ("orders", "list"): (2, "No such command 'orders'", "`interlock record list orders`"),
    ("record", "list", "orders", "status=placed"): (
        2,
        "extra argument (status=placed)",
        "--where status=error",
    ),
    ("record", "history", "orders", "1"): (2, "No such command 'history'", "`interlock record show KIND ID`"),
    ("record", "delete", "orders", "1"): (2, "No such command 'delete'", "app.delete(…)"),
    ("bulk", "move", "orders"): (2, "No such command 'move'", "`interlock bulk preview"),
    ("schedule", "run", "orders.nightly"): (2, "No such command 'run'", "`interlock schedule runs`"),
    ("db", "init"): (2, "No such command 'init'", "`interlock db upgrade`"),
    ("serve", "--port", "http"): (2, "'http' is not a whole number", "serve --help"),
    ("record", "list", "orders", "--limit", "all"): (2, "'all' is not a whole number", "record list --help"),
    ("--url", "http://127.0.0.1:1", "runners"): (1, "does not answer", "interlock serve"),
    ("--url", "127.0.0.1:8700", "runners"): (2, "is not the address of a service", "http://127.0.0.1:8700"),
}
PLACES = {
    ("up", "--no-browser", "--data", "stall.py"): ("File exists: stall.py", "where a folder is needed"),
    ("up", "--no-browser", "--data", "stall.py/here"): ("Not a directory: stall.py/here", "A file is there"),
    ("up", "--no-browser", "--data", "/proc/here"): (
        "No such file or directory: /proc/here",
        "parent folder",
    ),
}
NAMED: dict[str, tuple[str, str]] = {
    "stall": ("'stall' does not name an app", "module:attribute"),
    "stal:app": ("cannot import stal", "The folder you are in is searched first"),
    "stall:ap": ("has no attribute 'ap'", "It has orders, app"),
    "stall:number": ("neither an App nor a list of Workflows, but int", "--app shop.workflows:app"),
    "stall.py:app": (
        "does not name an app",
        "Write the module without .py, and the attribute behind it: stall:app",
    ),
    "./shop/stall.py": ("does not name an app", "shop.stall:app"),
    "failing:app": ("importing failing failed: ValueError: no", "--debug shows where"),
    "lacking:app": ("cannot import lacking", "lacking imports nowhere_to_be_had; it has to be installed"),
    "broken:app": ("importing broken failed: SyntaxError", "--debug shows where"),
}
SETTINGS: dict[str, tuple[str, str]] = {
    'ap = "stall:app"': ("unknown settings: ap", "Known are app"),
    "app = stall:app": ("cannot be read", 'Texts stand in quotes: app = "shop.workflows:app"'),
    "app = 3": ("app in interlock.toml is 3, and has to be text", 'app = "…"'),
    '[app]\nname = "x"': ("app in interlock.toml is {'name': 'x'}", "above any [table]"),
}
VARIABLES = {
    "INTERLOCK_DATABSE": "INTERLOCK_DATABASE",
    "INTERLOCK_DATABASE_URL": "INTERLOCK_DATABASE",
    "INTERLOCK_FILE": "INTERLOCK_FILES",
    "INTERLOCK_URI": "INTERLOCK_URL",
}
PACKAGES = {
    "psycopg": (("--database", "postgresql://a@127.0.0.1:1/b", "check"), "interlock[postgres]"),
    "uvicorn": (("serve", "--port", "0"), "interlock[service]"),
}


@pytest.fixture
def stall(run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A command about an app of one record, whose module is in the folder."""
    monkeypatch.syspath_prepend(str(empty_folder))
    for name in ("stall", "failing", "lacking", "broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    Path("stall.py").write_text(MODULE)
    Path("failing.py").write_text("raise ValueError('no')")
    Path("lacking.py").write_text("import nowhere_to_be_had")
    Path("broken.py").write_text("def x(:")
    assert run("--app", "stall:app", "db", "upgrade").exit_code == exits.OK
    assert run("--app", "stall:app", "record", "admit", "orders", "customer=Ann").exit_code == exits.OK
    return lambda *words: run("--app", "stall:app", *words)


def test_a_command_that_is_mistyped_says_what_to_type(stall: Any) -> None:
    for words, (code, message, hint) in TYPED.items():
        answer = stall(*words)
        assert (words, answer.exit_code) == (words, code), answer.stderr
        assert message in answer.stderr, words
        assert hint, words
        assert hint in answer.stderr, words
        assert "\\t" not in answer.stderr, words
    assert not Path("other.sqlite").exists()
    assert stall("record", "list", "orders").stdout.split()[3:5] == ["1", "placed"]
    assert stall("ledger", "tail", "-o", "jsonl").stdout.count("\n") == 1


@pytest.mark.usefixtures("stall")
def test_a_folder_that_cannot_be_made_says_which_to_name(run: Run) -> None:
    for words, (message, hint) in PLACES.items():
        answer = run(*words)
        assert (words, answer.exit_code) == (words, exits.ERROR), answer.stderr
        assert message in answer.stderr, words
        assert hint in answer.stderr, words


def test_an_app_that_is_named_wrongly_is_answered_with_how_it_is_named(stall: Any, run: Run) -> None:
    for named, (message, hint) in NAMED.items():
        answer = run("--app", named, "machine", "show")
        assert (named, answer.exit_code) == (named, exits.USAGE), answer.stderr
        assert message in answer.stderr, named
        assert hint in answer.stderr, named


def test_settings_that_cannot_be_read_say_how_they_are_written(empty_folder: Path) -> None:
    for text, (message, hint) in SETTINGS.items():
        Path("interlock.toml").write_text(text)
        with pytest.raises(BadInput) as refused:
            load({}, {}, empty_folder)
        assert message in str(refused.value), text
        assert hint in refused.value.hint, text


LEVELS = {
    'within = 60\nshare = 99\nleave = "placed"': "service level 'parse' has within = 60, which is not a span of time",
    'within = "60s"\nshare = 99\nleave = "plced"': "service level 'parse' leaves 'plced', which no axis knows",
}


def test_a_level_that_cannot_be_meant_is_named_with_an_example(stall: Any) -> None:
    for words, message in LEVELS.items():
        Path("interlock.toml").write_text(f'[levels.parse]\nkind = "orders"\n{words}\n')
        answer = stall("check")
        assert (answer.exit_code, message in answer.stderr) == (exits.ERROR, True), answer.stderr
        assert 'within = "60s", share = 99' in answer.stderr


def test_a_setting_of_seals_that_is_no_span_is_named(stall: Any) -> None:
    Path("interlock.toml").write_text('seal_every = "soon"')
    answer = stall("coordinator")
    assert (answer.exit_code, "seal_every is 'soon'" in answer.stderr) == (exits.USAGE, True), answer.stderr
    assert 'seal_every = "10m"' in answer.stderr


def test_an_amendment_says_what_it_changed_and_what_is_no_column(stall: Any) -> None:
    amended = stall("record", "amend", "orders", "1", "--set", "custmer=Bo", "--reason", "typo")
    assert amended.exit_code == exits.OK
    assert "custmer is no column of orders: it is kept with the entry, and changes nothing" in amended.stderr
    assert "Did you mean 'customer'?" in amended.stderr
    amended = stall("record", "amend", "orders", "1", "--set", "customer=Bo", "--reason", "typo")
    assert (amended.stdout, amended.stderr) == ("amended: orders 1: customer, version 2\n", "")
    assert "Bo" in stall("record", "show", "orders", "1").stdout


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_variable_that_is_almost_a_setting_is_refused(variable: str, empty_folder: Path) -> None:
    with pytest.raises(BadInput) as refused:
        load({}, {variable: "x"}, empty_folder)
    assert (str(refused.value), refused.value.hint) == (
        f"{variable} is not a setting",
        f"Did you mean {VARIABLES[variable]}?",
    )


def test_variables_of_workflows_and_of_actors_are_left_alone(empty_folder: Path) -> None:
    others = {
        "INTERLOCK_ACTOR": "eve",
        "INTERLOCK_SHOP_RATE": "1/s",
        "INTERLOCK_THEMES_KEY": "k",
        "HOME": "/",
    }
    assert load({}, others, empty_folder).app is None


def test_a_noun_without_a_verb_prints_its_help_and_no_error(run: Run) -> None:
    for noun in ("record", "statements", "ledger"):
        answer = run(noun)
        assert answer.exit_code == exits.USAGE
        assert answer.stderr.startswith(f"Usage: interlock {noun}")
        assert "error" not in answer.stderr.partition("\n")[0]


def test_a_closed_output_is_no_reason_to_fail(stall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "argv", ["interlock", "--app", "stall:app", "record", "list", "orders"])
    with pytest.raises(SystemExit) as ended:
        main()
    for stream in (sys.stdout, sys.stderr):
        stream.close()
    assert ended.value.code == exits.OK


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_that_is_not_installed_names_the_extra(
    stall: Any, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stands for an environment without it: a module that is None in sys.modules cannot be imported."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    words, extra = PACKAGES[package]
    answer = stall(*words)
    assert answer.exit_code != exits.OK
    assert f"pip install '{extra}'" in answer.stderr
    assert package in answer.stderr
