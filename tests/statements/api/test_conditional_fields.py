"""An upload has, at every status, exactly the fields that exist by then."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import Failed
from interlock.workflows.statements.doubt.reconcile import FIELDS
from tests.statements.api.place import EMPTY_TABLE, KIND, Place

ALWAYS = {
    "upload_id",
    "status",
    "version",
    "error_code",
    "error_message",
    "retry_count",
    "last_retry_at",
    "max_retries",
    "upload_log_ref",
    "status_metadata",
    "file_name",
    "source_type",
    "file_size_bytes",
    "file_hash",
    "created_at",
}
PARSED = {"parse_log_ref", "observations_count", *FIELDS}


def fields(place: Place, upload_id: str) -> tuple[str, set[str]]:
    shown = place.show(upload_id)
    assert set(shown) >= ALWAYS
    assert set(shown["status_metadata"]) == {"started_at", "worker_id", "retry_count"}
    return shown["status"], set(shown) - ALWAYS


def test_every_status_has_its_fields_and_no_others(place: Place) -> None:
    upload_id = place.upload()
    assert fields(place, upload_id) == ("queued_for_parse", set())
    place.dispatch()
    assert fields(place, upload_id) == ("parsing", {"parse_log_ref"})
    place.app.pause(KIND, "normalize", actor="test", reason="to look")
    place.app.drain()
    assert fields(place, upload_id) == ("parsed", PARSED)
    place.app.resume(KIND, "normalize")
    place.dispatch()
    assert fields(place, upload_id) == ("normalizing", PARSED | {"normalizer_log_ref"})
    place.app.drain()
    assert fields(place, upload_id) == ("normalized", PARSED | {"normalizer_log_ref", "canonicals_count"})
    shown = place.show(upload_id)
    assert (shown["version"], shown["observations_count"], shown["canonicals_count"]) == (4, 2, 2)


def test_in_error_the_logs_and_the_count_of_rows_are_there(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    assert fields(place, upload_id) == ("error", PARSED | {"normalizer_log_ref"})
    shown = place.show(upload_id)
    assert (shown["error_code"], shown["observations_count"], shown["version"]) == ("LAYOUT_MISMATCH", 0, 2)
    assert shown["error_message"]


def test_rows_that_were_read_are_counted_in_error_too(place: Place) -> None:
    upload_id = place.upload(
        b"Date,Description,Amount\n01/15/2024,ONE,-4.50\n01/16/2024,TWO,not money\n01/17/2024,THREE,-1.00\n"
    )
    place.app.drain()
    shown = place.show(upload_id)
    assert (shown["status"], shown["error_code"], shown["observations_count"]) == (
        "error",
        "PARTIAL_PARSE",
        2,
    )
    assert "canonicals_count" not in shown


def test_a_file_without_rows_rests_in_parsed_and_is_counted_as_empty(place: Place) -> None:
    upload_id = place.upload(EMPTY_TABLE)
    place.app.drain()
    place.app.advance("3h")
    place.app.drain()
    assert fields(place, upload_id) == ("parsed", PARSED)
    assert place.show(upload_id)["observations_count"] == 0
    assert place.asker.get("/monitoring/uploads").json()["empty_successes"] == 1


def test_who_works_on_it_is_said_while_they_do(place: Place) -> None:
    upload_id = place.upload()
    place.app.advance("1m")
    assert place.show(upload_id)["status_metadata"] == {
        "started_at": "2026-01-01T00:00:00.000000Z",
        "worker_id": None,
        "retry_count": 0,
    }
    place.app.place(KIND, upload_id, status="parsing")
    said = place.show(upload_id)["status_metadata"]
    assert said == {"started_at": "2026-01-01T00:01:00.000000Z", "worker_id": "sandbox", "retry_count": 0}


@pytest.mark.parametrize("retries", [1, 3])
def test_retries_are_counted_where_people_look(place: Place, retries: int) -> None:
    upload_id = place.upload(b"nonsense\n")
    for number in range(retries):
        place.app.drain()
        answer = place.asker.post(f"/uploads/{upload_id}/retry", {"reason": f"try {number}"})
        assert (answer.status_code, answer.json()["status"]) == (200, "queued_for_parse"), answer.text
    shown: dict[str, Any] = place.show(upload_id)
    assert (shown["retry_count"], shown["status_metadata"]["retry_count"], shown["max_retries"]) == (
        retries,
        retries,
        3,
    )
    assert shown["last_retry_at"].endswith("Z")


def test_beyond_the_maximum_a_retry_is_refused(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    for _ in range(3):
        assert place.asker.post(f"/uploads/{upload_id}/retry", {"reason": "again"}).status_code == 200
        place.app.drain()
    refused = place.asker.post(f"/uploads/{upload_id}/retry", {"reason": "again"})
    assert (refused.status_code, refused.json()["code"], refused.json()["facts"]["allowed"]) == (
        409,
        "ILK-207",
        3,
    )
    assert place.show(upload_id)["version"] == 2 + 3 * 3


def test_a_retry_with_a_body_that_is_none_is_refused(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    for body in ({"reason": ""}, {"reason": 7}, {"why": "again"}, []):
        assert place.asker.post(f"/uploads/{upload_id}/retry", body).status_code == 400, body
    assert place.asker.post(f"/uploads/{upload_id}/retry", {"reason": " "}).status_code == 400


def test_what_failed_at_normalizing_is_not_parsed_again_and_success_resets_the_count(place: Place) -> None:
    upload_id = place.upload()
    place.app.pause(KIND, "normalize", actor="test", reason="to look")
    place.app.drain()
    place.app.resume(KIND, "normalize")
    place.dispatch()
    place.app.report(KIND, upload_id, Failed("normalization_failed", "0 of 2 rows", final=True))
    assert place.show(upload_id)["status"] == "error"
    assert (
        place.asker.post(f"/uploads/{upload_id}/retry", {"reason": "rules are back"}).json()["status"]
        == "parsed"
    )
    place.app.drain()
    shown = place.show(upload_id)
    assert (shown["status"], shown["retry_count"], shown["last_retry_at"], shown["error_code"]) == (
        "normalized",
        0,
        None,
        None,
    )
    states = [one["new_status"] for one in place.show(upload_id, "timeline")["timeline"]]
    assert states == [
        "queued_for_parse",
        "parsing",
        "parsed",
        "normalizing",
        "error",
        "parsed",
        "normalizing",
        "normalized",
    ]
