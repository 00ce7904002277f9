"""The routes that the workflow brings stand in one table of access with all others, and in the document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs import generate
from interlock import App
from interlock.errors import BadDeclaration
from interlock.service.application import api_of, document
from interlock.service.http.access import OPEN, RANKS, reaches
from interlock.service.http.limits import Limits
from interlock.service.http.route import Route, brought, table_of
from interlock.store.records.api_keys import SCOPES
from interlock.workflows import bundled
from interlock.workflows.statements.workflow import declare
from tests.service.asking import Asker, problem
from tests.service.conftest import make_key
from tests.statements.api.place import Place

pytestmark = pytest.mark.sqlite_only
NOTHING = App([declare()], database="sqlite://")
OURS = [(way.method, way.path, way.least) for way in brought(NOTHING, Limits())]
NOTHING.close()
WRITES = {
    ("POST", "/api/v1/uploads"): "curator",
    ("POST", "/api/v1/uploads/{id}/retry"): "operator",
    ("POST", "/api/v1/uploads/{id}/reparse"): "operator",
    ("POST", "/api/v1/uploads/{id}/erase"): "admin",
    ("PATCH", "/api/v1/uploads/{id}/interpretation"): "operator",
    ("DELETE", "/api/v1/interpretations/{key}"): "operator",
}


@pytest.fixture
def askers(place: Place) -> Iterator[dict[str, Asker]]:
    made = {scope: Asker(place.asgi, make_key(place.app, scope), prefix="") for scope in SCOPES}
    made["nobody"] = Asker(place.asgi, prefix="", client=("127.0.0.1", 1))
    yield made
    for one in made.values():
        one.close()


def asked(asker: Asker, method: str, path: str) -> Any:
    return asker.ask(
        method,
        path.format(id="UL_nobody", key="0123456789"),
        **({"json": {"reason": "again"}} if path.endswith("retry") else {}),
    )


def test_a_route_lets_in_whom_it_says_and_nobody_else(askers: dict[str, Asker]) -> None:
    for method, path, least in OURS:
        assert least == WRITES.get((method, path), "viewer")
        allowed = {scope for scope in RANKS if RANKS[scope] >= RANKS[least]}
        for scope in SCOPES:
            answer = asked(askers[scope], method, path)
            if scope in allowed:
                assert answer.status_code in (200, 400, 404), (scope, path, answer.text)
            else:
                assert problem(answer, 403, "ILK-403")["facts"]["needs"] == least
        problem(asked(askers["nobody"], method, path), 401, "ILK-401")


def test_every_route_is_in_the_table(place: Place) -> None:
    api = api_of(place.app, None, Limits())
    served = {
        (method, route.path_format)
        for route in api.routes
        for method in getattr(route, "methods", None) or ()
    }
    assert served == set(api.state.table)
    assert {scope for scope in SCOPES if reaches(scope, "POST", "/api/v1/uploads", api.state.table)} == {
        "curator",
        "operator",
        "admin",
    }


@pytest.mark.parametrize("least", ["", "everybody"])
def test_a_route_that_does_not_say_who_may_ask_cannot_be_brought(least: str) -> None:
    with pytest.raises(BadDeclaration, match="does not say who may ask"):
        table_of([Route("GET", "/api/v1/mine", lambda: None, None, "mine", least=least)])


def test_a_route_that_is_there_already_cannot_be_brought() -> None:
    way = Route("GET", "/api/v1/mine", lambda: None, None, "mine", least=OPEN)
    with pytest.raises(BadDeclaration, match="there already"):
        table_of([way, way])
    with pytest.raises(BadDeclaration, match="there already"):
        table_of([Route("GET", "/api/v1/kinds", lambda: None, None, "mine", least="viewer")])


def test_the_document_has_every_route_once_and_the_page_is_what_the_code_says() -> None:
    described = document(bundled)
    names = [
        operation["operationId"] for methods in described["paths"].values() for operation in methods.values()
    ]
    assert len(names) == len(set(names))
    shown = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    assert {(method, path) for method, path, _ in OURS if not path.startswith("/api/v1/logs")} <= shown
    form = described["paths"]["/api/v1/uploads"]["post"]["requestBody"]["content"]["multipart/form-data"][
        "schema"
    ]
    assert (set(form["required"]), set(form["properties"])) == ({"file"}, {"file", "source_type", "account"})
    page = next(file for file in generate.pages() if file.name == "openapi-statements.json")
    assert Path(page).read_text(encoding="utf-8") == generate.pages()[page], "run `make docs`"
