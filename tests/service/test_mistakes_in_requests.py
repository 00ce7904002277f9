"""Mistakes in requests: each is a problem with a code, a sentence and a hint, and neither row nor history changes."""

from __future__ import annotations

from typing import Any

from interlock import App
from tests.service.asking import Asker, problem

MOVES = "/statements/records/u1/moves"
MISTAKES: dict[str, tuple[str, str, Any, int, str, str, str]] = {
    "a kind that is a typo": (
        "GET",
        "/statemnts/records",
        None,
        404,
        "ILK-103",
        "no workflow 'statemnts'",
        "'statements'?",
    ),
    "an address that is a typo": (
        "GET",
        "/statements/record/u1",
        None,
        404,
        "ILK-404",
        "nothing at this address",
        "openapi.json",
    ),
    "no body": (
        "POST",
        MOVES,
        None,
        400,
        "ILK-102",
        "the body must be JSON",
        "Content-Type: application/json",
    ),
    "text instead of an object": (
        "POST",
        MOVES,
        "status=parsing",
        400,
        "ILK-102",
        "valid dictionary",
        "openapi.json",
    ),
    "a state as an object": (
        "POST",
        MOVES,
        {"to": {"status": "parsing"}},
        400,
        "ILK-102",
        "body.to",
        "openapi.json",
    ),
    "a state that is a typo": (
        "POST",
        MOVES,
        {"axis": "status", "to": "parsng"},
        422,
        "ILK-203",
        "no state 'parsng'",
        "Did you mean 'parsing'?",
    ),
    "a move that is not legal": (
        "POST",
        MOVES,
        {"axis": "status", "to": "normalized"},
        409,
        "ILK-204",
        "legal from queued_for_parse: parsing, error",
        "record why",
    ),
    "an axis that is a typo": (
        "POST",
        MOVES,
        {"axis": "stats", "to": "parsing"},
        404,
        "ILK-103",
        "no axis 'stats'",
        "Did you mean 'status'?",
    ),
    "a method that is not taken": ("PUT", MOVES, {}, 405, "ILK-405", "does not take PUT", "Allow"),
    "a record that is not there": (
        "GET",
        "/statements/records/u99",
        None,
        404,
        "ILK-201",
        "no record 'u99'",
        "record list",
    ),
    "a limit as a word": (
        "GET",
        "/statements/records?limit=many",
        None,
        400,
        "ILK-102",
        "query.limit",
        "openapi.json",
    ),
    "a limit of nothing": (
        "GET",
        "/statements/records?limit=0",
        None,
        400,
        "ILK-102",
        "query.limit",
        "openapi.json",
    ),
    "a field that is a typo": (
        "POST",
        MOVES,
        {"axis": "status", "to": "parsing", "reson": "x"},
        400,
        "ILK-102",
        "body.reson: Extra inputs are not permitted",
        "openapi.json",
    ),
    "a move that does not name one of several axes": (
        "POST",
        "/domains/records/1/moves",
        {"to": "Selected"},
        400,
        "ILK-102",
        "domains has several axes: say which of curation_status, processing_status",
        'Such as "axis": "curation_status"',
    ),
    "a move without a state": ("POST", MOVES, {"axis": "status"}, 400, "ILK-102", "body.to", "openapi.json"),
    "a filter without its state": (
        "GET",
        "/statements/records?where=status",
        None,
        400,
        "ILK-102",
        "'status' is not axis=state",
        "where=status=parsed",
    ),
    "a cursor that is none": (
        "GET",
        "/statements/records?cursor=!!",
        None,
        400,
        "ILK-102",
        "'!!' is not a cursor",
        "`next` of the page before",
    ),
    "a sort by a column that is a typo": (
        "GET",
        "/statements/records?sort=stats",
        None,
        404,
        "ILK-103",
        "no axis or column 'stats'",
        "Did you mean 'status'?",
    ),
    "a retry of what has not failed": (
        "POST",
        "/statements/records/u1/retry",
        {"reason": "x"},
        400,
        "ILK-102",
        "nothing to retry",
        "record why",
    ),
    "an operation that is not there": (
        "GET",
        "/operations/9",
        None,
        404,
        "ILK-201",
        "there is no bulk operation '9'",
        "bulk list",
    ),
    "a parameter twice": (
        "GET",
        "/statements/records?limit=1&limit=2",
        None,
        400,
        "ILK-102",
        "limit is given more than once",
        "once",
    ),
    "a parameter that is a typo": (
        "GET",
        "/statements/records?stats=parsed",
        None,
        400,
        "ILK-102",
        "there is no parameter 'stats' here",
        "There is axis, columns, cursor",
    ),
}


def content(app: App) -> tuple[Any, Any]:
    return app.get("statements", "u1"), [(move.id, move.new) for _, move in app.ledger.tail()]


def test_a_mistake_in_a_request_is_a_problem_with_a_hint_and_changes_nothing(local: Asker, app: App) -> None:
    before = content(app)
    for name, (method, path, body, status, code, detail, hint) in MISTAKES.items():
        answer = problem(local.ask(method, path, **({} if body is None else {"json": body})), status, code)
        assert detail in answer["detail"], name
        assert hint, name
        assert hint in answer["hint"], name
        assert content(app) == before, name
