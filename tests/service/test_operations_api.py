"""Bulk operations over HTTP: looked at, made, run beside the requests, paused, resumed and undone, by operators."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import App
from interlock.service.application import build
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key

SELECT = {
    "kind": "domains",
    "axis": "curation_status",
    "to": "Selected",
    "ids": [1, "2", 99],
    "reason": "good ones",
}


@pytest.fixture
def application(app: App) -> Any:
    return build(app, limits=WIDE)


@pytest.fixture
def operator(app: App, ask: Ask, application: Any) -> Asker:
    return ask(application, make_key(app, "operator", "olga"))


def finished(application: Any, asker: Asker, id: str, act: str = "run") -> dict[str, Any]:
    """The operation after the service has run it."""
    answer = asker.post(f"/operations/{id}/{act}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] in ("running", "paused", "finished")
    assert application.inner.inner.state.turns.wait()
    found: dict[str, Any] = asker.get(f"/operations/{id}").json()
    return found


def made(asker: Asker, body: dict[str, Any], **options: Any) -> dict[str, Any]:
    answer = asker.post("/operations", body, **options)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["operation"]
    return found


def test_it_is_looked_at_made_run_and_undone(app: App, application: Any, operator: Asker) -> None:
    foreseen = operator.post("/operations", {**SELECT, "preview": True}).json()
    assert foreseen["operation"] is None
    assert foreseen["preview"]["outcomes"] == {
        "moved": 2,
        "unchanged": 0,
        "refused": 0,
        "conflict": 0,
        "unknown": 1,
    }
    planned = made(operator, SELECT)
    assert (planned["status"], planned["actor"], planned["role"], planned["records"]) == (
        "planned",
        "olga",
        "operator",
        3,
    )
    done = finished(application, operator, planned["id"])
    assert (done["status"], done["done"], done["outcomes"]["moved"], done["outcomes"]["unknown"]) == (
        "finished",
        3,
        2,
        1,
    )
    assert {move.cause for move in app.ledger.history("domains", 1, axis="curation_status")} >= {
        f"operation.{done['id']}"
    }
    assert (
        operator.post(f"/operations/{done['id']}/undo", {"reason": "no", "preview": True}).json()["preview"][
            "outcomes"
        ]["moved"]
        == 2
    )
    undo = operator.post(f"/operations/{done['id']}/undo", {"reason": "no"}).json()["operation"]
    assert finished(application, operator, undo["id"])["outcomes"]["moved"] == 2
    assert app.get("domains", 1)["curation_status"] == "New"
    assert [(one["id"], one["status"]) for one in operator.get("/operations").json()["operations"]] == [
        (undo["id"], "finished"),
        (done["id"], "undone"),
    ]


def test_a_ramp_pauses_and_is_resumed(application: Any, operator: Asker) -> None:
    planned = made(
        operator, {"kind": "statements", "act": "cancel", "filter": {}, "reason": "all of them", "ramp": 2}
    )
    paused = finished(application, operator, planned["id"])
    assert (paused["status"], paused["done"], paused["records"]) == ("paused", 2, 5)
    problem(operator.post(f"/operations/{planned['id']}/run"), 400, "ILK-102")
    assert operator.post(f"/operations/{planned['id']}/pause").json()["status"] == "paused"
    assert finished(application, operator, planned["id"], "resume")["outcomes"]["moved"] == 5
    problem(operator.post(f"/operations/{planned['id']}/resume"), 409, "ILK-204")


def test_its_records_are_listed_with_what_came_of_each(application: Any, operator: Asker) -> None:
    id = made(operator, SELECT)["id"]
    finished(application, operator, id)
    page = operator.get(f"/operations/{id}/items", params={"limit": 2}).json()
    assert [(one["id"], one["outcome"], one["from"], one["to"], one["version"]) for one in page["items"]] == [
        ("99", "unknown", None, None, None),
        ("1", "moved", "New", "Selected", 1),
    ]
    rest = operator.get(f"/operations/{id}/items", params={"after": page["next"]}).json()
    assert ([(one["id"], one["outcome"], one["code"]) for one in rest["items"]], rest["next"]) == (
        [("2", "moved", None)],
        None,
    )
    assert [
        one["id"]
        for one in operator.get(f"/operations/{id}/items", params={"outcome": "unknown"}).json()["items"]
    ] == ["99"]


def test_one_idempotency_key_makes_one_operation(operator: Asker) -> None:
    key = {"Idempotency-Key": "k"}
    assert made(operator, SELECT, headers=key)["id"] == made(operator, SELECT, headers=key)["id"]
    problem(operator.post("/operations", {**SELECT, "to": "Maybe"}, headers=key), 422, "ILK-212")


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"reason": ""}, 400, "ILK-102"),
        ({"reason": None}, 400, "ILK-102"),
        ({"kind": "nothing"}, 404, "ILK-103"),
        ({"to": "Lost"}, 422, "ILK-203"),
        ({"ids": None}, 400, "ILK-102"),
        ({"filter": {}}, 400, "ILK-102"),
        ({"ids": []}, 400, "ILK-102"),
        ({"role": "admin"}, 403, "ILK-403"),
        ({"filter": {"where": ["nonsense"]}, "ids": None}, 400, "ILK-102"),
        ({"ramp": 0}, 400, "ILK-102"),
        ({"act": "undo"}, 400, "ILK-102"),
    ],
)
def test_what_is_not_asked_as_it_must_be_is_refused_and_nothing_is_made(
    operator: Asker, change: dict[str, Any], status: int, code: str
) -> None:
    problem(operator.post("/operations", {**SELECT, **change}), status, code)
    assert operator.get("/operations").json() == {"operations": []}


@pytest.mark.sqlite_only
def test_a_move_says_where_to_and_an_operation_that_is_not_there_is_said(operator: Asker) -> None:
    problem(
        operator.post("/operations", {name: value for name, value in SELECT.items() if name != "to"}),
        400,
        "ILK-102",
    )
    for way in ("", "/items"):
        problem(operator.get(f"/operations/op_none{way}"), 404, "ILK-201")
    for way in ("run", "pause", "resume"):
        problem(operator.post(f"/operations/op_none/{way}"), 404, "ILK-201")
    problem(operator.post("/operations/op_none/undo", {"reason": "no"}), 404, "ILK-201")


@pytest.mark.sqlite_only
def test_a_curator_may_look_but_not_act(app: App, ask: Ask, application: Any, operator: Asker) -> None:
    curator = ask(application, make_key(app, "curator", "carl"))
    id = made(operator, SELECT)["id"]
    assert curator.get(f"/operations/{id}").json()["status"] == "planned"
    problem(curator.post("/operations", SELECT), 403, "ILK-403")
    problem(curator.post(f"/operations/{id}/run"), 403, "ILK-403")


@pytest.mark.sqlite_only
def test_a_service_that_stops_leaves_its_operations_to_others(
    app: App, application: Any, operator: Asker
) -> None:
    """The chunk at hand is finished; nobody holds the operation then."""
    turns = application.inner.inner.state.turns
    turns.stopping.set()
    id = made(operator, SELECT)["id"]
    assert finished(application, operator, id)["stalled"] is True
    turns.close()
    assert app.operations.run(id).status == "finished"
