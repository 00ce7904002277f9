"""Uploads, rows, transactions, timelines, events and logs are answered in pages, in UTC, and without the store's own references."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update
from starlette.applications import Starlette

from interlock import Failed, Work
from interlock.extension import OpenAttempt
from interlock.workflows.statements import workflow
from interlock.workflows.statements.tables import statement_events
from interlock.workflows.statements.uploads import viewing
from interlock.workflows.statements.uploads.acting import Acts
from tests.service.asking import Asker, problem
from tests.statements.api.place import CSV, KIND, Place

PARSE_LOG = {
    "upload_id",
    "parser_id",
    "parser_version",
    "started_at",
    "completed_at",
    "duration_ms",
    "success",
    "rows_extracted",
    "rows_skipped",
    "warnings",
    "errors",
    "file_size_bytes",
    "file_hash",
    "mime_type",
}
NORMALIZATION_LOG = {
    "upload_id",
    "normalizer_version",
    "rule_set_version",
    "started_at",
    "completed_at",
    "duration_ms",
    "observations_processed",
    "canonicals_created",
    "failures",
    "warnings",
    "failure_details",
    "validation_summary",
}


def every(place: Place, path: str, name: str, **query: Any) -> list[dict[str, Any]]:
    """All pages of a list."""
    found, cursor = [], None
    while True:
        page = place.asker.get(
            path, params={**query, **({} if cursor is None else {"cursor": cursor})}
        ).json()
        found += page[name]
        cursor = page["next"]
        if cursor is None:
            return found


def made(place: Place, number: int = 5) -> list[str]:
    ids = []
    for one in range(number):
        ids.append(place.upload(CSV + f"01/17/2024,SHOP {one},-1.00\n".encode(), f"{one}.csv"))
        place.app.advance("1s")
    place.app.drain()
    return ids


def test_uploads_come_newest_first_in_pages(place: Place) -> None:
    ids = made(place)
    bad = place.upload(b"nonsense\n", "bad.csv")
    place.app.drain()
    assert [one["upload_id"] for one in every(place, "/uploads", "uploads", limit=2)] == [bad, *reversed(ids)]
    assert [
        one["upload_id"] for one in every(place, "/uploads", "uploads", limit=2, status="normalized")
    ] == list(reversed(ids))
    (only,) = every(place, "/uploads", "uploads", status="error")
    assert (only["upload_id"], only["file_name"], only["error_code"]) == (bad, "bad.csv", "LAYOUT_MISMATCH")


def test_uploads_of_the_same_moment_are_all_listed_once(place: Place) -> None:
    ids = {place.upload(CSV + b"\n" * number) for number in range(7)}
    listed = [one["upload_id"] for one in every(place, "/uploads", "uploads", limit=2)]
    assert (len(listed), set(listed)) == (7, ids)


def test_a_status_that_does_not_exist_is_refused_with_those_that_do(place: Place) -> None:
    said = problem(place.asker.get("/uploads", params={"status": "done"}), 422, "ILK-422")
    assert "normalized" in said["facts"]["allowed"]


@pytest.mark.parametrize("cursor", ["x", "!!!", "MQ", "ImEi", "eyJhIjoxfQ", "IjIwMjYtMDEtMDEgVUxfMSI"])
def test_a_cursor_that_is_none_is_refused(cursor: str, place: Place) -> None:
    problem(place.asker.get("/uploads", params={"cursor": cursor}), 400, "ILK-102")
    if cursor != "MQ":
        problem(place.asker.get("/transactions", params={"cursor": cursor}), 400, "ILK-102")


def test_rows_are_as_printed_and_in_their_order(place: Place) -> None:
    (upload_id,) = made(place, 1)
    rows = every(place, f"/uploads/{upload_id}/observations", "observations", limit=2)
    assert [row["row_id"] for row in rows] == [0, 1, 2]
    assert rows[1]["amount"] == "1,234.56"
    assert set(rows[0]) == {
        "upload_id",
        "row_id",
        "date",
        "description",
        "amount",
        "currency",
        "account",
        "source_type",
        "parser_id",
        "parser_version",
        "extracted_at",
        "warnings",
        "posted_date",
        "reference",
        "source_category",
        "kind",
        "trade",
    }


def test_transactions_come_in_the_order_they_were_made_and_amounts_are_texts(place: Place) -> None:
    ids = made(place, 3)
    found = every(place, "/transactions", "transactions", limit=4)
    numbers = [one["insertion_sequence"] for one in found]
    assert (len(found), numbers) == (9, sorted(numbers))
    of_one = every(place, f"/uploads/{ids[1]}/transactions", "transactions", limit=2)
    assert [one["amount"] for one in of_one] == ["-4.50", "1234.56", "-1.00"]
    assert [one["observation_id"] for one in of_one] == [f"{ids[1]}:{number}" for number in range(3)]
    assert (of_one[0]["date"], of_one[0]["merchant"], of_one[0]["currency"]) == (
        "2024-01-15",
        "Starbucks",
        "USD",
    )


def test_the_timeline_says_what_led_where_and_who(place: Place) -> None:
    (upload_id,) = made(place, 1)
    lines = place.show(upload_id, "timeline")["timeline"]
    assert [(one["old_status"], one["new_status"], one["trigger"]) for one in lines] == [
        (None, "queued_for_parse", "upload.created"),
        ("queued_for_parse", "parsing", "upload.created"),
        ("parsing", "parsed", "parse.completed"),
        ("parsed", "normalizing", "coordinator"),
        ("normalizing", "normalized", "normalize.completed"),
    ]
    assert [one["actor"] for one in lines] == ["local", *["coordinator"] * 4]
    assert all(one["timestamp"].endswith("Z") for one in lines)


def test_events_say_what_each_kind_says(place: Place) -> None:
    (upload_id,) = made(place, 1)
    created, parsed, normalized = place.show(upload_id, "events")["events"]
    log = f"/logs/parse/{upload_id}.log.json"
    assert len({one["id"] for one in (created, parsed, normalized)}) == 3
    assert (
        created.items()
        >= {"event_type": "upload.created", "upload_id": upload_id, "source_type": "auto"}.items()
    )
    assert created["file_hash"].startswith("sha256:")
    assert (
        parsed.items()
        >= {"event_type": "parse.completed", "observations_count": 3, "parse_log_ref": log}.items()
    )
    assert (
        normalized.items()
        >= {
            "event_type": "normalize.completed",
            "normalizer_version": "1.0.0",
            "canonicals_count": 3,
            "failed_count": 0,
            "normalizer_log_ref": f"/logs/normalize/{upload_id}.log.json",
        }.items()
    )


def test_events_are_what_was_stored_when_it_happened(place: Place) -> None:
    (upload_id,) = made(place, 1)
    before = place.show(upload_id, "events")["events"]
    with place.app.database.write() as tx:
        tx.execute(
            update(statement_events)
            .where(statement_events.c.event_type == "upload.created")
            .values(content={"source_type": "as it was", "file_hash": "sha256:1"})
        )
    after = place.show(upload_id, "events")["events"]
    assert (after[0]["source_type"], after[1:]) == ("as it was", before[1:])
    history = place.app.ledger.history(KIND, upload_id)
    assert [one["timestamp"][:19] for one in before] == [
        history[version].at.isoformat()[:19] for version in (0, 2, 4)
    ]


def test_an_event_stands_or_falls_with_its_move(place: Place) -> None:
    upload_id = place.upload()
    with place.app.database.write() as tx:
        tx.execute(
            insert(statement_events).values(
                id=f"{upload_id}:2",
                upload_id=upload_id,
                version=2,
                event_type="an obstacle",
                happened_at=place.app.clock.now(),
                content={},
            )
        )
    place.app.drain()
    assert place.app.get(KIND, upload_id)["status"] != "parsed"
    assert [move.new for move in place.app.ledger.history(KIND, upload_id)][:2] == [
        "queued_for_parse",
        "parsing",
    ]
    with place.app.database.read() as tx:
        names = list(
            tx.execute(select(statement_events.c.event_type).order_by(statement_events.c.version)).scalars()
        )
    assert "parse.completed" not in names


def test_erasing_an_upload_removes_its_events_and_keeps_its_ledger(place: Place) -> None:
    (upload_id,) = made(place, 1)
    Acts(place.app, place.app.workflows[KIND]).erase(
        upload_id, actor="ann", role="admin", reason="the person asked for it"
    )
    with place.app.database.read() as tx:
        assert tx.execute(select(func.count()).select_from(statement_events)).scalar_one() == 0
    assert place.asker.get(f"/uploads/{upload_id}/events").status_code == 404
    assert len(place.app.ledger.history(KIND, upload_id)) == 6


def test_a_failed_parse_is_one_event_with_its_code(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    _, failed = place.show(upload_id, "events")["events"]
    assert set(failed) == {
        "event_type",
        "id",
        "upload_id",
        "error_code",
        "error_message",
        "parse_log_ref",
        "timestamp",
    }
    assert (failed["event_type"], failed["error_code"]) == ("parse.failed", "LAYOUT_MISMATCH")


def test_every_reference_that_is_shown_leads_to_its_log(place: Place) -> None:
    (upload_id,) = made(place, 1)
    shown = place.show(upload_id)
    root = Asker(place.asgi, prefix="")
    texts = {
        name: root.get(shown[name]) for name in ("upload_log_ref", "parse_log_ref", "normalizer_log_ref")
    }
    assert {name: answer.headers["content-type"].partition(";")[0] for name, answer in texts.items()} == {
        "upload_log_ref": "text/plain",
        "parse_log_ref": "application/json",
        "normalizer_log_ref": "application/json",
    }
    assert set(texts["parse_log_ref"].json()) == PARSE_LOG
    assert set(texts["normalizer_log_ref"].json()) == NORMALIZATION_LOG
    assert place.show(upload_id, "parse-log") == texts["parse_log_ref"].json()
    assert place.show(upload_id, "normalization-log") == texts["normalizer_log_ref"].json()
    root.close()


def test_references_resolve_under_a_mount_too(place: Place) -> None:
    (upload_id,) = made(place, 1)
    outer = Starlette()
    outer.mount("/interlock", place.asgi)
    asker = Asker(outer, prefix="/interlock")
    assert asker.get(f"/logs/parse/{upload_id}.log.json").json()["rows_extracted"] == 3
    assert asker.get(f"/api/v1/uploads/{upload_id}").json()["status"] == "normalized"
    asker.close()


def test_a_log_that_is_not_there_yet_is_not_found(place: Place) -> None:
    upload_id = place.upload()
    said = problem(place.asker.get(f"/uploads/{upload_id}/parse-log"), 404, "ILK-201")
    assert f"`interlock statements show {upload_id}`" in said["hint"]
    problem(place.asker.get(f"/uploads/{upload_id}/normalization-log"), 404, "ILK-201")
    place.dispatch()
    log = place.show(upload_id, "parse-log")
    assert (set(log), log["success"], log["completed_at"]) == (PARSE_LOG, False, None)


@pytest.mark.parametrize("code", ["TIMEOUT", "CRASHED"])
def test_a_parse_that_was_cut_off_has_a_log_all_the_same(code: str, place: Place) -> None:
    upload_id = place.upload()
    place.app.place(KIND, upload_id, status="parsing")
    place.app.report(KIND, upload_id, Failed(code, "it took longer than 30 seconds", final=True))
    log = place.show(upload_id, "parse-log")
    assert set(log) == PARSE_LOG
    assert (log["success"], log["errors"]) == (
        False,
        [{"error_code": code, "message": "it took longer than 30 seconds"}],
    )
    assert (log["file_size_bytes"], log["mime_type"]) == (len(CSV), "text/csv")


def test_the_log_of_a_parse_that_was_cut_off_has_its_true_start_and_duration(place: Place) -> None:
    upload_id = place.upload()
    place.dispatch()
    began = place.show(upload_id, "timeline")["timeline"][-1]["timestamp"]
    place.app.advance("20s")
    place.app.report(KIND, upload_id, Failed("TIMEOUT", "it took longer than 30 seconds", final=True))
    log = place.show(upload_id, "parse-log")
    assert (log["started_at"][:19], log["duration_ms"]) == (began[:19], 20_000)
    assert log["completed_at"] > log["started_at"]


def test_the_runners_own_tries_are_in_the_parse_log(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([ConnectionError("the file store is away"), OSError("a disk is full")])
    really = workflow.content_of

    def content_of(work: Work) -> bytes:
        if (fault := next(answers, None)) is not None:
            raise fault
        return really(work)

    monkeypatch.setattr(workflow, "content_of", content_of)
    upload_id = place.upload()
    place.app.drain()
    log = place.show(upload_id, "parse-log")
    tries = [one["message"] for one in log["warnings"] if one["message"].startswith("try ")]
    assert [message.split(" at ")[0] for message in tries] == [
        "try 1 of the runner failed",
        "try 2 of the runner failed",
    ]
    assert "ConnectionError: the file store is away" in tries[0]
    assert "OSError: a disk is full" in tries[1]
    assert (log["success"], log["rows_extracted"], set(log)) == (True, 2, PARSE_LOG)
    assert place.app.get(KIND, upload_id)["status"] == "normalized"
    assert len(place.app.ledger.history(KIND, upload_id)) == 5


def test_the_log_of_a_parse_that_failed_at_last_has_the_tries_before(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def content_of(work: Work) -> bytes:
        raise ConnectionError("the file store is away")

    monkeypatch.setattr(workflow, "content_of", content_of)
    upload_id = place.upload()
    place.app.drain()
    log = place.show(upload_id, "parse-log")
    assert [one["error_code"] for one in log["errors"]] == ["ConnectionError"]
    assert len([one for one in log["warnings"] if one["message"].startswith("try ")]) == 3
    assert log["duration_ms"] >= 12_000  # 2, 4 and 8 seconds, less the jitter
    row = place.app.get(KIND, upload_id)
    assert (row["status"], row["error_code"], row["version"]) == ("error", "ConnectionError", 2)
    failed = place.app.ledger.history(KIND, upload_id)[-1]
    assert len(failed.facts["runner_tries"]) == 3


def test_the_error_of_a_try_before_does_not_stand_beside_a_live_second_one(place: Place) -> None:
    upload_id = place.upload()
    place.dispatch()
    row = {
        **place.app.get(KIND, upload_id),
        "error_code": "LEASE_EXPIRED",
        "error_message": "the runner went away",
    }
    now = place.app.clock.now()
    live = OpenAttempt(upload_id, "status", None, "parse", 2, "runner-2", now)
    waiting = OpenAttempt(upload_id, "status", None, "parse", 2, None, None)
    shown, idle = viewing.upload(row, live), viewing.upload(row, waiting)
    assert (shown["error_code"], shown["status_metadata"]["worker_id"]) == (None, "runner-2")
    assert idle["error_code"] == "LEASE_EXPIRED"


def test_the_log_of_an_earlier_attempt_is_not_taken_for_that_of_the_last(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    assert place.show(upload_id, "parse-log")["errors"][0]["error_code"] == "LAYOUT_MISMATCH"
    place.app.retry(KIND, upload_id, actor="ann", reason="again")
    place.dispatch()
    place.app.place(KIND, upload_id, status="parsing")
    place.app.report(KIND, upload_id, Failed("TIMEOUT", "too long", final=True))
    assert [one["error_code"] for one in place.show(upload_id, "parse-log")["errors"]] == ["TIMEOUT"]


def test_in_error_before_normalizing_its_log_says_that_it_has_not_begun(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    log = place.show(upload_id, "normalization-log")
    assert (set(log), log["started_at"], log["canonicals_created"]) == (NORMALIZATION_LOG, None, 0)


def test_monitoring_counts_by_status_and_errors_by_code_and_message(place: Place) -> None:
    made(place, 2)
    for number in range(3):
        place.upload(b"nonsense\n" * (number + 1))
    place.app.drain()
    said = place.asker.get("/monitoring/uploads").json()
    assert said["counts"] == {
        "queued_for_parse": 0,
        "parsing": 0,
        "parsed": 0,
        "normalizing": 0,
        "normalized": 2,
        "error": 3,
    }
    (group,) = said["errors"]
    assert (group["error_code"], group["count"]) == ("LAYOUT_MISMATCH", 3)


def test_the_stores_own_references_never_leave(place: Place) -> None:
    (upload_id,) = made(place, 1)
    ref = str(place.files()[0].relative_to(place.folder))
    addresses = [
        f"/uploads/{upload_id}",
        "/uploads",
        f"/statements/records/{upload_id}",
        f"/uploads/{upload_id}/events",
        f"/uploads/{upload_id}/timeline",
        f"/uploads/{upload_id}/parse-log",
        f"/statements/records/{upload_id}/timeline",
        "/statements/records",
        "/ledger",
        f"/statements/records/{upload_id}/why",
    ]
    for path in addresses:
        answer = place.asker.get(path)
        assert answer.status_code == 200
        assert "storage_ref" not in answer.text, path
        assert ref not in answer.text, path
        assert str(place.folder) not in answer.text, path


@pytest.mark.parametrize("unknown", ["UL_nobody", "x" * 300, "%2e%2e%2fpasswd"])
def test_what_is_not_there_is_not_found(unknown: str, place: Place) -> None:
    for path in (
        "",
        "/observations",
        "/transactions",
        "/timeline",
        "/events",
        "/parse-log",
        "/normalization-log",
    ):
        assert place.asker.get(f"/uploads/{unknown}{path}").status_code == 404
    assert json.loads(place.asker.get(f"/logs/uploads/{unknown}.log").text)["status"] == 404
