"""The API within a user's own application: one line, under any prefix, with the application's own users."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from types import MethodType
from typing import Any

import pytest
from fastapi import FastAPI

from interlock import App
from interlock.errors import BadInput
from interlock.service.application import build
from interlock.service.http import routing
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_app

pytestmark = pytest.mark.sqlite_only


def who(request: Any) -> Any:
    return ("ann", "operator") if request.headers.get("cookie") == "session=ann" else None


@pytest.fixture
def mounted(app: App, ask: Ask) -> Asker:
    api = FastAPI()
    api.mount("/tools/interlock", app.asgi(who))
    return ask(api, host="shop.example", client=("192.0.2.7", 1), prefix="/tools/interlock/api/v1")


def test_it_answers_under_the_prefix_to_the_application_s_users(mounted: Asker, app: App) -> None:
    problem(mounted.get("/kinds"), 401, "ILK-401")
    ann = {"Cookie": "session=ann"}
    assert len(mounted.get("/kinds", headers=ann).json()["kinds"]) == 4
    app.admit("statements", {"id": "a/b"})
    assert mounted.post("/statements/records/a%2Fb/moves", {"to": "parsing"}, headers=ann).status_code == 200
    assert app.ledger.history("statements", "a/b")[-1].actor == "ann"
    problem(mounted.get("/keys", headers=ann), 403, "ILK-403")
    problem(mounted.get("/nowhere", headers=ann), 404, "ILK-404")


def test_health_is_under_the_prefix_too(mounted: Asker) -> None:
    assert mounted.runner.run(mounted.client.get("/tools/interlock/health")).json()["status"] == "ok"


def test_services_of_one_process_answer_each_for_its_own_app(tmp_path: Path, ask: Ask) -> None:
    apps = [make_app(f"sqlite:///{tmp_path / name}") for name in ("one.db", "two.db")]
    one, two = (ask(build(app, limits=WIDE)) for app in apps)
    assert two.post("/statements/records/u1/moves", {"to": "parsing"}).status_code == 200
    assert [len(asked.get("/statements/records/u1/timeline").json()["entries"]) for asked in (one, two)] == [
        1,
        2,
    ]
    assert [app.get("statements", "u1")["status"] for app in apps] == ["queued_for_parse", "parsing"]
    assert [len(app.ledger.history("statements", "u1")) for app in apps] == [1, 2]
    for app in apps:
        app.close()


def test_what_is_known_of_a_route_holds_no_object_of_a_service(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routing, "_analyses", {})
    build(app, limits=WIDE)
    assert len(routing._analyses) > 50
    for one in routing._analyses.values():
        assert one.dependant.call is None
        assert not {"endpoint", "app", "dependant", "dependency_overrides_provider"} & one.state.keys()
        assert not any(isinstance(value, MethodType | FastAPI) for value in one.state.values())


def test_an_identify_that_fails_lets_nobody_in_and_tells_nothing(app: App, ask: Ask) -> None:
    def broken(_: Any) -> Any:
        raise RuntimeError("secret")

    answer = ask(app.asgi(broken)).get("/kinds")
    assert "secret" not in answer.text
    problem(answer, 500, "ILK-000")


def test_without_its_packages_it_says_which_extra_has_them(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("fastapi"):
            raise ModuleNotFoundError("No module named 'fastapi'", name="fastapi")
        return real(name, *rest, **more)

    for name in [name for name in sys.modules if name.startswith(("fastapi", "interlock.service"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(BadInput) as refused:
        app.asgi()
    assert refused.value.hint == "pip install 'interlock[service]'"
