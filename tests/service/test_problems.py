"""Every error has a status, and no answer tells what is nobody's business."""

from __future__ import annotations

import inspect
import logging
from typing import Any

import pytest

from interlock import App, InterlockError, errors
from interlock.service.application import build
from interlock.service.http.problems import STATUS, problem, status_of
from tests.kinds import open_app, uploads
from tests.service.asking import Asker
from tests.service.asking import problem as told
from tests.service.conftest import WIDE, Ask

CLASSES = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, InterlockError)
]
SECRET = "postgresql://owner:hunter2@db.internal/shop"
LOOKS = [
    "/kinds",
    "/statements/records",
    "/statements/records/u1",
    "/statements/records/u1/timeline",
    "/statements/records/u1/why",
    "/ledger",
    "/ledger/verify",
    "/counts",
    "/errors",
    "/statements/counts",
    "/statements/errors",
    "/live",
    "/keys",
]


def test_every_error_has_a_status_of_its_own() -> None:
    assert set(STATUS) == set(CLASSES)
    assert all(400 <= status < 600 for status in STATUS.values())


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_faults_do_not_quote_what_others_said(
    kind: type[InterlockError], caplog: pytest.LogCaptureFixture
) -> None:
    error = kind.__new__(kind)
    InterlockError.__init__(error, f"cannot open {SECRET}", url=SECRET)
    with caplog.at_level(logging.ERROR):
        body = bytes(problem(error).body).decode()
    quoted = "hunter2" in body
    assert quoted == (status_of(error) < 500 or kind is errors.RequestTimedOut)
    assert quoted or "hunter2" in caplog.text, "what is not told must be in the log"


@pytest.mark.parametrize("path", LOOKS)
def test_when_the_database_is_away_every_route_says_so_and_nothing_else(
    path: str, app: App, local: Asker
) -> None:
    assert local.get("/kinds").status_code == 200
    app.database.close()
    if path == "/kinds":
        path = "/statements/records/u1"
    said = told(local.get(path), 503, "ILK-301")
    assert said["facts"] == {}
    assert said["instance"].startswith("urn:uuid:")


def test_a_database_that_goes_away_in_the_middle_is_told_and_comes_back(
    database_url: str, ask: Ask, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(database_url, uploads())
    asker = ask(build(app, limits=WIDE))
    assert asker.get("/statements/records").status_code == 200

    def gone(*_: Any, **__: Any) -> Any:
        raise app.database.engine.dialect.loaded_dbapi.OperationalError(
            f"unable to open database file {SECRET}"
        )

    app.database.forget_connections()
    with monkeypatch.context() as away:
        away.setattr(app.database.engine.pool, "connect", gone)
        for answer in (
            asker.get("/statements/records"),
            asker.get("/health"),
            asker.post("/statements/records/u1/moves", {"to": "parsing"}),
        ):
            said = told(answer, 503, "ILK-301")
            assert "hunter2" not in answer.text
            assert "Traceback" not in answer.text
            assert answer.headers["retry-after"]
            assert said["hint"]
    assert asker.get("/health").status_code == 200
    app.close()


@pytest.mark.sqlite_only
def test_what_nobody_foresaw_is_a_number_in_the_log(
    app: App, local: Asker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(app, "counts", broken)
    said = told(local.get("/counts"), 500, "ILK-000")
    assert "hunter2" not in str(said)
    assert said["instance"] in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.sqlite_only
def test_health_is_for_everybody_and_says_when_the_schema_is_another(sqlite_url: str, ask: Ask) -> None:
    app = App([uploads()], database=sqlite_url)
    asker = ask(build(app), client=("192.0.2.7", 1), host="anywhere.example")
    told(asker.get("/health"), 503, "ILK-304")
    app.migrate()
    assert asker.get("/health").json()["status"] == "ok"
    app.close()


@pytest.mark.sqlite_only
def test_no_record_is_served_from_a_schema_that_does_not_fit(sqlite_url: str, ask: Ask) -> None:
    app = App([uploads()], database=sqlite_url)
    asker = ask(build(app))
    told(asker.get("/statements/records"), 503, "ILK-304")
    app.migrate()
    assert asker.get("/statements/records").status_code == 200
    app.close()


@pytest.mark.sqlite_only
@pytest.mark.parametrize("path", ["/health", "/kinds", "/nowhere", "/openapi.json"])
def test_every_answer_carries_the_headers_that_keep_browsers_careful(path: str, local: Asker) -> None:
    headers = local.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers
