"""A route of an extension that moves one axis, made in a line: versions, keys, roles and rules hold as they do everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interlock import App, Extension, Workflow
from interlock.errors import BadInput
from interlock.http import API, patch_axis
from interlock.service.application import build, document
from tests.kinds import domains, open_app, themes
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, make_key

HINT = "It is selected already; POST …/retry runs it again."
Ask = Callable[[str], Asker]


def patched() -> list[Workflow]:
    curated, scoped = domains(), themes()
    curated.extension = Extension(
        routes=lambda app, workflow, limits: [
            patch_axis(app, workflow, "curation_status", path=f"{API}/domains/{{id}}", unchanged=HINT)
        ],
        private=["title"],
    )
    scoped.extension = Extension(
        routes=lambda app, workflow, limits: [patch_axis(app, workflow, "status", least="operator")]
    )
    return [curated, scoped]


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    app = open_app(database_url, *patched())
    app.admit("domains", {"id": 1, "host": "example.org"})
    app.admit("themes", {"id": 1, "title": "Rates rise"})
    yield app
    assert app.check().findings == []
    app.close()


@pytest.fixture
def ask(app: App) -> Iterator[Ask]:
    opened: list[Asker] = []

    def by(scope: str) -> Asker:
        opened.append(Asker(build(app, limits=WIDE), make_key(app, scope, f"{scope} {len(opened)}")))
        return opened[-1]

    yield by
    for one in opened:
        one.close()


def patch(asker: Asker, path: str, body: dict[str, Any], **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return asker.ask("PATCH", path, json=body, headers=named)


def history(app: App) -> list[tuple[str, Any, Any, str]]:
    return [(move.axis, move.old, move.new, move.actor) for move in app.ledger.history("domains", 1)[2:]]


def test_the_answer_is_the_whole_record_with_what_rules_drove(app: App, ask: Ask) -> None:
    answer = patch(ask("curator"), "/domains/1", {"curation_status": "Selected", "reason": "good"})
    said = answer.json()
    assert (answer.status_code, said["outcome"], said["hint"], answer.headers["etag"]) == (
        200,
        "moved",
        "",
        '"1.1"',
    )
    for answered in (said, said["record"]):
        assert (answered["curation_status"], answered["processing_status"]) == ("Selected", "Queued")
    assert "title" not in said["record"]
    assert [(place["axis"], place["state"]) for place in said["where"]] == [
        ("curation_status", "Selected"),
        ("processing_status", "Queued"),
    ]
    assert [(one["axis"], one["new_status"]) for one in said["driven"]] == [("processing_status", "Queued")]
    assert history(app) == [
        ("curation_status", "New", "Selected", "curator 0"),
        ("processing_status", None, "Queued", "curator 0"),
    ]
    assert app.get("domains", 1)["curation_status"] == "Selected"


def test_if_match_and_keys_are_obeyed(app: App, ask: Ask) -> None:
    curator = ask("curator")
    body = {"curation_status": "Selected"}
    first, again = (
        patch(curator, "/domains/1", body, If_Match='"0.0"', Idempotency_Key="k").json() for _ in range(2)
    )
    assert (first["outcome"], again["outcome"], len(history(app))) == ("moved", "moved", 2)
    stale = patch(curator, "/domains/1", {"curation_status": "Maybe"}, If_Match='"0"')
    problem(stale, 412, "ILK-208")
    problem(patch(curator, "/domains/1", {"curation_status": "Maybe"}, Idempotency_Key="k"), 422, "ILK-212")
    same = patch(curator, "/domains/1", body, If_Match='"1.1"').json()
    assert (same["outcome"], same["hint"]) == ("unchanged", HINT)
    assert (len(history(app)), app.get("domains", 1)["curation_status"]) == (2, "Selected")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "ILK-102"),
        ({"curation_status": "Lost"}, 422, "ILK-203"),
        ({"curation_status": "Selected", "processing_status": "Queued"}, 400, "ILK-102"),
        ({"curation_status": 7}, 400, "ILK-102"),
        ({"curation_status": None}, 422, "ILK-203"),
        ({"curation_status": "Selected", "version": 3}, 409, "ILK-208"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    app: App, ask: Ask, body: dict[str, Any], status: int, code: str
) -> None:
    problem(patch(ask("curator"), "/domains/1", body), status, code)
    assert (history(app), app.get("domains", 1)["curation_status"]) == ([], "New")


def test_it_lets_in_whom_it_names_and_serves_one_scope(app: App, ask: Ask) -> None:
    problem(patch(ask("viewer"), "/domains/1", {"curation_status": "Selected"}), 403, "ILK-403")
    problem(patch(ask("curator"), "/domains/99", {"curation_status": "Selected"}), 404, "ILK-201")
    problem(patch(ask("curator"), "/themes/1", {"status": "in_progress"}), 403, "ILK-403")
    moved = patch(ask("operator"), "/themes/1", {"status": "in_progress", "scope": "technical"}).json()
    assert [(place["scope"], place["state"]) for place in moved["where"][1:]] == [
        ("technical", "in_progress"),
        ("fundamental", "pending"),
    ]
    assert app.ledger.history("themes", 1, scope="technical")[-1].new == "in_progress"
    assert app.get("themes", 1, scope="technical")["status"] == "in_progress"


def test_it_is_described_and_needs_an_axis_to_be_named(app: App) -> None:
    said = document(patched())["paths"]["/api/v1/domains/{id}"]["patch"]
    assert (said["x-least-scope"], "412" in said["responses"]) == ("curator", True)
    assert "curation_status" in said["summary"]
    with pytest.raises(BadInput, match="several axes"):
        patch_axis(app, app.workflow("domains"))
