"""Stage logs: lines of JSON, small, without secrets, under names that are safe as paths."""

from __future__ import annotations

import json
import logging
import weakref
from pathlib import Path
from typing import Any

import pytest

from interlock import Done, Work
from interlock.clock import FrozenClock
from interlock.runner.call.redaction import redacted
from interlock.runner.call.stage_log import LARGEST_LOG, LONGEST_LINE, StageLog, StageLogs, log_ref, safe
from interlock.runner.executors.tasks import Task
from interlock.store.files.file_store import FileStore
from interlock.workflow import Stage

STAGE = Stage("parse", "status", lambda work: Done(), ("waiting",), "done")


def lines(log: StageLog) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.content().splitlines()]


@pytest.fixture
def log() -> StageLog:
    return StageLog(2, FrozenClock().now)


def test_a_line_says_when_how_grave_and_what(log: StageLog) -> None:
    log.info("%d rows", 3, extra={"page": 1, "at": "never", "parts": [1, {"token": "x"}]})
    log.debug("not kept")
    assert lines(log) == [
        {
            "at": "2026-01-01T00:00:00.000Z",
            "level": "info",
            "message": "3 rows",
            "attempt": 2,
            "page": 1,
            "parts": [1, {"token": "***"}],
        }
    ]


def test_it_is_a_logger_in_every_other_way(log: StageLog) -> None:
    assert isinstance(log, logging.Logger)
    log.setLevel(logging.DEBUG)
    log.debug("kept")
    log.log(logging.WARNING, "bad format %d", "x")
    try:
        raise ValueError("no")
    except ValueError:
        log.exception("oh")
    assert [line["message"] for line in lines(log)] == ["kept", "bad format %d", "oh"]
    assert "ValueError: no" in lines(log)[2]["traceback"]


def test_a_log_stays_small(log: StageLog) -> None:
    for _ in range(5000):
        log.info("x" * 100)
    assert len(log.content()) < LARGEST_LOG + 200
    assert lines(log)[-1]["message"].endswith("more lines were left out")


def test_a_long_line_is_cut(log: StageLog) -> None:
    log.info("y" * 100_000, extra={"page": "z" * 100_000})
    assert lines(log)[0]["cut"] is True
    assert len(log.content()) < LONGEST_LINE


@pytest.mark.parametrize(
    "value",
    [object(), {1: object()}, "\ud800", b"bytes", float("nan")],
    ids=lambda value: type(value).__name__,
)
def test_any_value_can_be_logged(log: StageLog, value: Any) -> None:
    log.info("with", extra={"value": value})
    assert lines(log)[0]["message"] == "with"


def test_the_next_attempt_replaces_the_log(tmp_path: Path) -> None:
    files = FileStore(tmp_path)
    logs = StageLogs(files, FrozenClock())
    for attempt in (1, 2):
        task = Task("t", STAGE, Work("UL_7", attempt=attempt))
        logs.attach(task)
        task.work.log.info("said")
        logs.write(task)
    assert [
        json.loads(line)["attempt"] for line in files.read_log("/logs/parse/UL_7.log.json").splitlines()
    ] == [2]


def test_a_log_that_cannot_be_written_fails_no_work(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "logs").write_text("in the way")
    logs, task = StageLogs(FileStore(tmp_path), FrozenClock()), Task("t", STAGE, Work("UL_7"))
    logs.attach(task)
    task.work.log.info("said")
    logs.write(task)
    assert "the log /logs/parse/UL_7.log.json could not be written" in caplog.text


@pytest.mark.parametrize(
    ("id", "name"),
    [
        (7, "7"),
        ("UL_7", "UL_7"),
        ("a-b.c", "a-b.c"),
        ("..", "%2E%2E"),
        ("a/b", "a%2Fb"),
        (".x", "%2Ex"),
        ("ü", "%C3%BC"),
        ("a%2Fb", "a%252Fb"),
        ("-", "-"),
    ],
)
def test_an_id_becomes_a_safe_name(id: Any, name: str) -> None:
    assert safe(id) == name


def test_long_ids_stay_apart() -> None:
    first, second = safe("ü" * 200 + "1"), safe("ü" * 200 + "2")
    assert first != second
    assert len(first) < 200


def test_scopes_have_logs_of_their_own() -> None:
    assert log_ref("extract", Work(7, scope="technical")) == "/logs/extract/7@technical.log.json"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("postgresql://ann:pw@db/x", "postgresql://***@db/x"),
        ("https://example.test/a:b@c", "https://example.test/a:b@c"),
        ("Authorization: Bearer abcdefgh12345", "Authorization: Bearer ***"),
        ("api_key=abc&x=1", "api_key=***&x=1"),
        ("{'password': 'a b', 'x': 1}", "{'password': ***, 'x': 1}"),
        ("key ilk_abcdefgh1234 used", "key *** used"),
        ("the token was refused", "the token was refused"),
        ("keyboard", "keyboard"),
    ],
)
def test_secrets_are_taken_out(text: str, kept: str) -> None:
    assert redacted(text) == kept


def test_work_that_nobody_holds_any_more_is_gone_without_a_search_for_circles() -> None:
    work = Work("a")
    StageLogs(None, FrozenClock()).attach(Task("t", STAGE, work))
    work.log.info("one line")
    assert work.log_ref == "/logs/parse/a.log.json"
    held = weakref.ref(work)
    del work
    assert held() is None
