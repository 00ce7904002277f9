"""Runs commands as people type them, in an empty folder, on a database of the test's own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock import App
from interlock.cli.program import interlock
from interlock.service.application import build
from tests.acceptance import shop
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings of whoever runs the tests reach the commands."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in [
        name for name in os.environ if name.startswith("INTERLOCK_") and not name.startswith("INTERLOCK_TEST")
    ]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder


@pytest.fixture
def run() -> Run:
    """Any command line; no error may show a traceback."""

    def typed(*words: str, **options: Any) -> Result:
        result = CliRunner().invoke(interlock, [str(word) for word in words], **options)
        assert "Traceback" not in result.output + result.stderr
        return result

    return typed


@pytest.fixture
def app(shop_url: str) -> Iterator[App]:
    """The shop on a database of each kind, ready, and empty."""
    app = App(shop.workflows, database=shop_url)
    yield app
    app.close()


@pytest.fixture
def shop_run(run: Run, app: App, database_url: str) -> Run:
    """A command about the shop."""

    def typed(*words: str, **options: Any) -> Result:
        return run("--app", "tests.acceptance.shop:workflows", "--database", database_url, *words, **options)

    return typed


@contextmanager
def from_afar(run: Run, app: App, scope: str = "admin", name: str = "ann") -> Iterator[Run]:
    """Commands to a service of the app, with a key of this scope; they know neither the shop nor its database."""
    key = make_key(app, scope, name)
    with served(build(app, limits=WIDE)) as address:
        yield lambda *words, **options: run(
            "--url", address, *words, **{**options, "env": {"INTERLOCK_KEY": key, **options.get("env", {})}}
        )


@pytest.fixture
def full(app: App) -> App:
    """The shop with what a test wants in it; most say it themselves."""
    return app


@pytest.fixture
def remote(full: App, run: Run) -> Iterator[Run]:
    """A command to the service, as an admin."""
    with from_afar(run, full) as asked:
        yield asked


@pytest.fixture(params=["here", "there"])
def way(request: pytest.FixtureRequest, full: App) -> Run:
    """The same command on the database itself, and asked of a service."""
    found: Run = request.getfixturevalue({"here": "shop_run", "there": "remote"}[request.param])
    return found


def parsed(result: Result) -> Any:
    """What a command answered as JSON."""
    assert result.exit_code in (0, 7), result.stderr
    return json.loads(result.stdout)
