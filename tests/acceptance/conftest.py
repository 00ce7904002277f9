"""Runs commands as people type them, in an empty folder, on a database of the test's own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock import App
from interlock.cli.program import interlock
from tests.acceptance import shop

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings of whoever runs the tests reach the commands."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in [name for name in os.environ if name.startswith("INTERLOCK_") and not name.startswith("INTERLOCK_TEST")]:
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


def parsed(result: Result) -> Any:
    """What a command answered as JSON."""
    assert result.exit_code in (0, 7), result.stderr
    return json.loads(result.stdout)
