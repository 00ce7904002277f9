"""Stages over HTTP: looked at by viewers, paused and resumed by operators, in one scope or in all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interlock import App, Done, Work
from interlock.service.application import build
from tests.kinds import open_app, themes, uploads
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key


@pytest.fixture
def operator(app: App, ask: Ask) -> Asker:
    return ask(build(app, limits=WIDE), make_key(app, "operator", "olga"))


def paused(asker: Asker) -> list[tuple[Any, ...]]:
    return [
        (one["kind"], one["stage"], one["scope"], one["reason"], one["actor"])
        for one in asker.get("/stages").json()["stages"]
        if one["paused"]
    ]


def test_a_stage_is_paused_for_a_while_and_resumed(app: App, operator: Asker) -> None:
    assert {(one["kind"], one["stage"]) for one in operator.get("/stages").json()["stages"]} == {
        ("statements", "parse"),
        ("statements", "normalize"),
        ("domains", "domain"),
    }
    before = app.clock.now()
    answer = operator.post(
        "/statements/stages/parse/pause", {"reason": "a new layout", "length": "1h"}
    ).json()
    assert (answer["paused"], answer["stage"]) == (True, "parse")
    (held,) = app.paused()
    assert held.until is not None
    assert timedelta(minutes=59) < held.until - before < timedelta(minutes=61)
    assert paused(operator) == [("statements", "parse", None, "a new layout", "olga")]
    assert operator.post("/statements/stages/parse/resume", {}).json()["ended"] == 1
    assert operator.post("/statements/stages/parse/resume", {}).json()["ended"] == 0
    assert paused(operator) == []


def test_a_scope_is_paused_by_itself(database_url: str, ask: Ask) -> None:
    workflow = themes()

    @workflow.stage(
        waiting="pending", running="in_progress", done="processed", failed="failed_retryable", axis="status"
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    app = open_app(database_url, workflow)
    asker = ask(build(app, limits=WIDE))
    assert (
        asker.post("/themes/stages/extract/pause", {"reason": "quota", "scope": "technical"}).status_code
        == 200
    )
    assert paused(asker) == [("themes", "extract", "technical", "quota", "local")]
    assert asker.post("/themes/stages/extract/pause", {"reason": "all of it"}).status_code == 200
    assert [one[2] for one in paused(asker)] == ["technical", "fundamental"]
    assert asker.post("/themes/stages/extract/resume", {"scope": "technical"}).json()["ended"] == 1
    assert asker.post("/themes/stages/extract/resume", {}).json()["ended"] == 1
    problem(asker.post("/themes/stages/extract/pause", {"reason": "no", "scope": "north"}), 400, "ILK-102")
    app.close()


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/nothing/stages/parse/pause", {"reason": "no"}, 404, "ILK-103"),
        ("/statements/stages/nothing/pause", {"reason": "no"}, 404, "ILK-103"),
        ("/statements/stages/nothing/resume", {}, 404, "ILK-103"),
        ("/statements/stages/parse/pause", {}, 400, "ILK-102"),
        ("/statements/stages/parse/pause", {"reason": "no", "length": "soon"}, 400, "ILK-102"),
        ("/statements/stages/parse/resume", {"scope": "north"}, 400, "ILK-102"),
    ],
)
def test_what_is_not_there_cannot_be_paused(
    app: App, operator: Asker, path: str, body: Any, status: int, code: str
) -> None:
    problem(operator.post(path, body), status, code)
    assert app.paused() == []


@pytest.mark.sqlite_only
def test_the_ledger_of_one_record_is_verified(app: App, operator: Asker) -> None:
    assert operator.get("/ledger/verify", params={"kind": "statements", "id": "u1"}).json() == {
        "ok": True,
        "entries": 1,
        "chains": 1,
        "seals": 0,
        "findings": [],
    }
    problem(operator.get("/ledger/verify", params={"kind": "statements", "id": "nobody"}), 404, "ILK-201")
    problem(operator.get("/ledger/verify", params={"kind": "domains", "id": "no number"}), 404, "ILK-201")
    problem(operator.get("/ledger/verify", params={"id": "u1"}), 400, "ILK-102")


def test_a_service_with_the_rights_of_a_coordinator_pauses_too(coordinator_url: str, ask: Ask) -> None:
    app = open_app(coordinator_url, uploads())
    asker = ask(build(app, limits=WIDE))
    assert asker.post("/statements/stages/parse/pause", {"reason": "so"}).status_code == 200
    assert asker.post("/statements/records", {"row": {"id": "u9"}}).status_code == 201
    app.close()
