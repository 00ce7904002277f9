"""Every route, asked by everybody: the table of access is what the service does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interlock import App, Extension, Machine, Workflow, workflows
from interlock.http import Json, Route
from interlock.service.application import api_of, build
from interlock.service.http.access import LEAST, OPEN, RANKS, reaches
from interlock.service.http.limits import Limits
from interlock.service.http.route import brought, table_of
from interlock.store.records.api_keys import SCOPES
from tests.kinds import open_app, plain
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key

pytestmark = pytest.mark.sqlite_only
BODIES: dict[str, Any] = {
    "erase": {"reason": "asked to"},
    "records": {"row": {"id": "new"}},
    "moves": {"to": "parsing"},
    "retry": {"reason": "again"},
    "amend": {"facts": {"note": 1}, "reason": "so"},
    "reset": {"reason": "anew"},
    "cancel": {"reason": "no more"},
    "keys": {"name": "another", "scope": "viewer"},
}
EXPECTED = {
    OPEN: {"viewer", "curator", "operator", "admin", "runner"},
    "viewer": {"viewer", "curator", "operator", "admin"},
    "curator": {"curator", "operator", "admin"},
    "operator": {"operator", "admin"},
    "admin": {"admin"},
}
ALSO_RUNNERS = {"/api/v1/kinds", "/api/v1/machines", "/api/v1/{kind}/machines", "/api/v1/runners"}


@pytest.fixture
def askers(app: App, ask: Ask) -> dict[str, Asker]:
    application = build(app, limits=WIDE)
    made = {scope: ask(application, make_key(app, scope), prefix="") for scope in SCOPES}
    return {**made, "nobody": ask(application, prefix="", client=NO_SOCKET)}


def asked(asker: Asker, method: str, path: str) -> Any:
    filled = path.format(kind="statements", id="u1", axis="status", name="viewer", version="0")
    body = BODIES.get(path.rpartition("/")[2]) if method == "POST" else None
    return asker.ask(method, filled, **({} if body is None else {"json": body}))


NO_SOCKET = ("127.0.0.1", 50_000)
"""An address of this machine behind which nobody's socket is."""
ENDLESS = "/api/v1/live"


@pytest.mark.parametrize(
    ("method", "path"), [pytest.param(*route, id=" ".join(route)) for route in LEAST if route[1] != ENDLESS]
)
def test_a_route_lets_in_whom_the_table_says_and_nobody_else(
    method: str, path: str, askers: dict[str, Asker]
) -> None:
    allowed = EXPECTED[LEAST[method, path]] | ({"runner"} if path in ALSO_RUNNERS else set())
    for scope in (*SCOPES, "nobody"):
        if scope == "admin" and method == "DELETE":
            continue  # last: it would take the viewer's key away
        answer = asked(askers[scope], method, path)
        if scope == "nobody" and LEAST[method, path] != OPEN:
            problem(answer, 401, "ILK-401")
            assert answer.headers["www-authenticate"].startswith("Bearer")
        elif scope in allowed or scope == "nobody":
            assert answer.status_code not in (401, 403) or answer.json()["code"] == "ILK-211", (
                scope,
                answer.text,
            )
        else:
            assert problem(answer, 403, "ILK-403")["facts"]["needs"] == LEAST[method, path], scope
    assert {scope for scope in SCOPES if reaches(scope, method, path)} == allowed


def test_the_live_stream_is_closed_to_those_who_may_not_see(askers: dict[str, Asker]) -> None:
    problem(asked(askers["runner"], "GET", "/api/v1/live"), 403, "ILK-403")
    problem(asked(askers["nobody"], "GET", "/api/v1/live"), 401, "ILK-401")


def test_every_route_that_is_served_is_in_the_table_and_the_other_way_round(app: App) -> None:
    served = {
        (method, route.path_format)
        for route in api_of(app, None, Limits()).routes
        for method in getattr(route, "methods", None) or ()
    }
    assert served == set(LEAST)


def test_a_route_that_is_not_in_the_table_cannot_be_built(app: App) -> None:
    api = api_of(app, None, Limits())
    with pytest.raises(KeyError):
        api.add_api_route("/api/v1/forgotten", lambda: None, methods=["GET"])


def test_the_key_is_the_actor_and_its_scope_the_role(app: App, askers: dict[str, Asker]) -> None:
    assert asked(askers["curator"], "POST", "/api/v1/{kind}/records/{id}/moves").status_code == 200
    last = app.ledger.history("statements", "u1")[-1]
    assert (last.actor, last.role) == ("curator", "curator")


def test_only_an_admin_may_act_in_another_role(app: App, askers: dict[str, Asker]) -> None:
    body = {"to": "parsing", "role": "reviewer"}
    problem(askers["operator"].post("/api/v1/statements/records/u1/moves", body), 403, "ILK-403")
    assert askers["admin"].post("/api/v1/statements/records/u1/moves", body).status_code == 200
    assert app.ledger.history("statements", "u1")[-1].role == "reviewer"


def test_a_move_that_needs_a_role_looks_at_the_scope_of_the_key(app: App, askers: dict[str, Asker]) -> None:
    app.move("content", "c1", actor="ann", state="CANDIDATE")
    app.judge_gate("content", "c1", "level", passed=True, actor="runner")
    app.move("content", "c1", actor="ann", state="VALIDATED")
    body = {"to": "APPROVED", "reason": "good"}
    problem(askers["curator"].post("/api/v1/content/records/c1/moves", body), 403, "ILK-211")
    assert (
        askers["operator"].post("/api/v1/content/records/c1/moves", body).json()["new_status"] == "APPROVED"
    )


def routes_of_an_extension(app: App, workflow: Workflow, limits: Limits) -> list[Route]:
    """One route for each rung, answered alike."""

    def answer() -> Json:
        return Json({"answered": True})

    return [
        Route("GET" if least == "viewer" else "POST", f"/api/v1/things/{least}", answer, least=least)
        for least in (OPEN, *RANKS)
    ]


def test_a_route_that_an_extension_brings_is_in_the_table_and_lets_in_whom_it_says(
    sqlite_url: str, ask: Ask
) -> None:
    workflow = plain(Machine("thing", initial="new", moves={"new": ["done"]}))
    workflow.extension = Extension(routes=routes_of_an_extension)
    app = open_app(sqlite_url, workflow)
    application = build(app, limits=WIDE)
    brought_in = {route: least for route, least in table_of(brought(app, WIDE)).items() if route not in LEAST}
    assert sorted(brought_in.values()) == sorted((OPEN, *RANKS))
    for scope in (*SCOPES, "nobody"):
        key = None if scope == "nobody" else make_key(app, scope)
        asker = ask(application, key, prefix="", client=NO_SOCKET)
        for (method, path), least in brought_in.items():
            answer = asker.ask(method, path)
            if least != OPEN and scope == "nobody":
                problem(answer, 401, "ILK-401")
            elif scope in EXPECTED[least] or scope == "nobody":
                assert answer.status_code == 200, (scope, path, answer.text)
            else:
                assert problem(answer, 403, "ILK-403")["facts"]["needs"] == least, scope
    app.close()


def test_every_route_of_the_bundled_workflows_is_served_to_whom_it_names_and_nobody_else(
    sqlite_url: str, ask: Ask
) -> None:
    """The routes come from the service itself: one that is added tomorrow is asked by everybody too."""
    app = open_app(sqlite_url, *workflows.bundled)
    more = brought(app, WIDE)
    api = api_of(app, None, WIDE)
    served = {
        (method, route.path_format)
        for route in api.routes
        for method in getattr(route, "methods", None) or ()
    }
    assert {one.tag for one in more} >= {"statements", "content"}
    assert {(one.method, one.path): one.least for one in more}.items() <= api.state.table.items()
    assert served == set(api.state.table)
    application = build(app, limits=WIDE)
    for scope in (*SCOPES, "nobody"):
        key = None if scope == "nobody" else make_key(app, scope)
        asker = ask(application, key, prefix="", client=NO_SOCKET)
        for one in more:
            answer = asker.ask(one.method, re.sub("{.*?}", "1", one.path))
            if one.least != OPEN and scope == "nobody":
                problem(answer, 401, "ILK-401")
            elif scope in EXPECTED[one.least] or scope == "nobody":
                assert answer.status_code not in (401, 403, 500), (scope, one.path, answer.text)
            else:
                assert problem(answer, 403, "ILK-403")["facts"]["needs"] == one.least, (scope, one.path)
    app.close()
