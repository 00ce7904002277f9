"""Whoever ends a bulk command with Ctrl-C wants the operation to rest, and is told how it goes on."""

from __future__ import annotations

import pytest

from interlock import App
from interlock.cli.render.progress import Bar
from interlock.service.application import build
from interlock.service.connections.taking_over import Takeover
from interlock.service.resources.operations import Turns
from tests.acceptance.conftest import Run
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

RUN = ("bulk", "run", "domains", "curation_status=Maybe", "--all", "--reason", "so", "--ramp", "2", "--yes")


@pytest.fixture(autouse=True)
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody presses Ctrl-C when the bar shows the first chunk."""

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "draw", pressed)


@pytest.fixture
def full(app: App) -> App:
    app.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 6)])
    return app


def test_what_is_interrupted_here_is_paused_and_no_service_goes_on_with_it(full: App, shop_run: Run) -> None:
    ended = shop_run(*RUN)
    (left,) = full.operations.newest()
    assert (ended.exit_code, left.status, left.reached) == (130, "paused", 2)
    assert f"interlock bulk resume {left.id}" in ended.stderr
    assert Takeover(full, Turns()).look() == []
    assert full.operations.resume(left.id).status == "finished"


@pytest.mark.sqlite_only
def test_a_service_goes_on_with_what_it_runs_and_that_is_said(full: App, run: Run) -> None:
    key = make_key(full, "operator", "olga")
    application = build(full, limits=WIDE)
    with served(application) as address:
        ended = run("--url", address, "--api-key", key, *RUN)
    (left,) = full.operations.newest()
    assert (ended.exit_code, "the service goes on with it" in ended.stderr) == (130, True)
    assert f"interlock bulk pause {left.id}" in ended.stderr
