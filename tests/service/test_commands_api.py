"""Acting: moves, retries, amendments; once under a key, and only at the version that was seen."""

from __future__ import annotations

import pytest

from interlock import App
from tests.service.asking import Asker, problem

MOVES = "/statements/records/u1/moves"


def test_a_move_answers_what_it_did_and_what_it_drove(local: Asker) -> None:
    answer = local.post(
        "/domains/records/1/moves", {"axis": "curation_status", "to": "Selected", "reason": "looks good"}
    )
    said = answer.json()
    assert (said["outcome"], said["old_status"], said["new_status"], said["version"]) == (
        "moved",
        "New",
        "Selected",
        1,
    )
    assert answer.headers["etag"] == '"1"'
    assert [(move["axis"], move["new_status"]) for move in said["driven"]] == [
        ("processing_status", "Queued")
    ]
    assert (
        local.post("/domains/records/1/moves", {"axis": "curation_status", "to": "Selected"}).json()[
            "outcome"
        ]
        == "unchanged"
    )


def test_null_is_a_state_one_can_move_to(local: Asker) -> None:
    local.post("/domains/records/1/moves", {"axis": "curation_status", "to": "Selected"})
    assert (
        local.post("/domains/records/1/moves", {"axis": "processing_status", "to": None}).json()["new_status"]
        is None
    )


def test_the_same_command_under_the_same_key_is_done_once(local: Asker, app: App) -> None:
    headers = {"Idempotency-Key": "k1"}
    first = local.post(MOVES, {"to": "parsing"}, headers=headers)
    app.move("statements", "u1", actor="bob", status="parsed")
    again = local.post(MOVES, {"to": "parsing"}, headers=headers)
    assert first.json() == again.json()
    assert len(app.ledger.history("statements", "u1")) == 3
    problem(local.post(MOVES, {"to": "error"}, headers=headers), 422, "ILK-212")


def test_a_conflict_says_who_was_faster_and_when(local: Asker, app: App) -> None:
    app.move("statements", "u1", actor="bob", status="parsing")
    seen = problem(local.post(MOVES, {"to": "parsing"}, headers={"If-Match": '"0"'}), 412, "ILK-208")
    body = problem(local.post(MOVES, {"to": "parsing", "version": 0}), 409, "ILK-208")
    assert seen["facts"] == body["facts"]
    assert (seen["facts"]["actor"], seen["facts"]["version"], seen["facts"]["state"]) == ("bob", 1, "parsing")
    assert seen["facts"]["at"].endswith("Z")
    assert local.post(MOVES, {"to": "parsed"}, headers={"If-Match": '"1"'}).status_code == 200


def test_the_tag_of_a_record_with_two_axes_is_taken_for_the_one_that_moves(local: Asker, app: App) -> None:
    tag = local.get("/domains/records/1").headers["etag"]
    body = {"axis": "curation_status", "to": "Maybe"}
    assert local.post("/domains/records/1/moves", body, headers={"If-Match": tag}).status_code == 200
    problem(
        local.post("/domains/records/1/moves", {**body, "to": "New"}, headers={"If-Match": tag}),
        412,
        "ILK-208",
    )
    problem(local.post("/domains/records/1/moves", body, headers={"If-Match": '"0.0.0"'}), 400, "ILK-102")
    problem(
        local.post("/domains/records/1/moves", {**body, "version": 0}, headers={"If-Match": '"1"'}),
        400,
        "ILK-102",
    )
    assert (
        local.post("/domains/records/1/moves", {**body, "to": "New"}, headers={"If-Match": "*"}).status_code
        == 200
    )


def test_a_retry_under_a_key_is_answered_again(local: Asker, app: App) -> None:
    path, body = "/statements/records/u1/retry", {"reason": "the bank answers again"}
    problem(local.post(path, body, headers={"Idempotency-Key": "k"}), 400, "ILK-102")
    app.move("statements", "u1", actor="ann", status="error")
    answers = [local.post(path, body, headers={"Idempotency-Key": "k"}).json() for _ in range(3)]
    assert answers[0]["new_status"] == "queued_for_parse"
    assert answers[1:] == answers[:1] * 2
    assert len(app.ledger.history("statements", "u1")) == 3
    problem(local.post(path, {"reason": "another"}, headers={"Idempotency-Key": "k"}), 422, "ILK-212")
    problem(local.post(path, body), 400, "ILK-102")


def test_an_amendment_under_a_key_is_made_once(local: Asker, app: App) -> None:
    for _ in range(2):
        answer = local.post(
            "/statements/records/u1/amend",
            {"facts": {"observations_count": 7}, "reason": "recounted"},
            headers={"Idempotency-Key": "k"},
        )
        assert answer.json()["version"] == 1
    assert app.get("statements", "u1")["observations_count"] == 7


def test_a_reset_takes_the_way_that_the_machine_has(local: Asker, app: App) -> None:
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    app.move("themes", 1, actor="ann", scope="technical", status="processed")
    path, body = (
        "/themes/records/1/reset",
        {"axis": "status", "scope": "technical", "reason": "the model was changed"},
    )
    assert local.post(path, body).json()["new_status"] == "pending"
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    problem(local.post(path, body), 409, "ILK-204")


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        (MOVES, {"to": "normalized"}, 409, "ILK-204"),
        (MOVES, {"to": "Parsed"}, 422, "ILK-203"),
        (MOVES, {}, 400, "ILK-102"),
        (MOVES, {"to": "parsing", "colour": "red"}, 400, "ILK-102"),
        (MOVES, {"to": "parsing", "version": "0"}, 400, "ILK-102"),
        (MOVES, {"to": "parsing", "axis": "actor"}, 404, "ILK-103"),
        (MOVES, {"to": "parsing", "facts": {"version": 9}}, 400, "ILK-102"),
        (MOVES, {"to": "parsing", "reason": " "}, 400, "ILK-102"),
        (MOVES, [], 400, "ILK-102"),
        ("/domains/records/1/moves", {"to": "Selected"}, 400, "ILK-102"),
        ("/statements/records/nobody/moves", {"to": "parsing"}, 404, "ILK-201"),
        ("/domains/records/1/moves", {"axis": "processing_status", "to": "Queued"}, 409, "ILK-205"),
        ("/statements/records/u1/retry", {}, 400, "ILK-102"),
        ("/statements/records/u1/amend", {"facts": {}, "reason": "x"}, 400, "ILK-102"),
    ],
)
def test_a_command_that_cannot_be_is_refused_with_a_code(
    path: str, body: object, status: int, code: str, local: Asker, app: App
) -> None:
    problem(local.post(path, body), status, code)
    assert len(app.ledger.history("statements", "u1")) == 1
