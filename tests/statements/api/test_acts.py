"""Retry, reparse and erase: what a person does to an upload, in the row, in its rows and in the ledger."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import func, select

from interlock.extension import Incoming
from interlock.workflows.statements.parsers import registry
from interlock.workflows.statements.parsers.csv import generic
from interlock.workflows.statements.tables import observations, statement_logs, transactions
from interlock.workflows.statements.uploads.acting import Acts
from tests.statements.api.place import KIND, Place
from tests.statements.ofx.files import bank, sgml, transaction

HEAD = b"Date,Description,Amount (GBP),Balance (GBP)\n"
FILE = HEAD + b"13/04/2024,Cafe,-60.00,940.00\n14/04/2024,Pay,1000.00,1940.00\n"


def states(place: Place, upload_id: str) -> list[Any]:
    return [move.new for move in place.app.ledger.history(KIND, upload_id)]


def test_a_retry_needs_no_body_and_is_done_once_per_key(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    path = f"/uploads/{upload_id}/retry"
    first = place.asker.ask("POST", path, headers={"Idempotency-Key": "again"})
    second = place.asker.ask("POST", path, headers={"Idempotency-Key": "again"})
    assert (first.status_code, second.status_code) == (200, 200), first.text
    assert (first.json()["status"], first.json()["retry_count"]) == ("queued_for_parse", 1)
    assert place.app.get(KIND, upload_id)["retry_count"] == 1
    assert states(place, upload_id).count("queued_for_parse") == 2
    assert "without a reason" in str(place.app.ledger.history(KIND, upload_id)[-1].reason)


def test_a_retry_at_another_version_or_of_what_has_not_failed_changes_nothing(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    assert place.asker.ask("POST", f"/uploads/{upload_id}/retry").status_code == 409
    place.app.drain()
    tag = place.asker.get(f"/uploads/{upload_id}").headers["etag"]
    old = place.asker.ask("POST", f"/uploads/{upload_id}/retry", headers={"If-Match": '"1"'})
    assert (old.status_code, place.app.get(KIND, upload_id)["status"]) == (412, "error")
    done = place.asker.ask("POST", f"/uploads/{upload_id}/retry", headers={"If-Match": tag})
    assert (done.status_code, place.app.get(KIND, upload_id)["status"]) == (200, "queued_for_parse")
    assert len(states(place, upload_id)) == 4


def test_a_file_is_parsed_again_by_the_parser_of_today_and_equal_rows_keep_their_ids(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_id = place.upload(FILE)
    place.app.drain()
    before = {one["description"]: one for one in place.show(upload_id, "transactions")["transactions"]}
    with monkeypatch.context() as patched:
        read = generic.GenericCsv.parse

        def without_first(self: Any, document: Any) -> Any:
            parsed = read(self, document)
            parsed.rows[0] = generic.replace(parsed.rows[0], description="Cafe Central")
            parsed.rows.reverse()
            return parsed

        patched.setattr(generic.GenericCsv, "parse", without_first)
        assert registry.bundled_parsers().parser_for("csv") is not None
        answer = place.asker.ask("POST", f"/uploads/{upload_id}/reparse", json={"reason": "newer parser"})
        assert (answer.status_code, answer.json()["status"]) == (200, "queued_for_parse"), answer.text
        place.app.drain()
    after = {one["description"]: one for one in place.show(upload_id, "transactions")["transactions"]}
    assert place.app.get(KIND, upload_id)["status"] == "normalized"
    assert after["Pay"]["canonical_id"] == before["Pay"]["canonical_id"]
    assert after["Pay"]["observation_id"] == before["Pay"]["observation_id"]
    assert set(after) == {"Cafe Central", "Pay"}
    assert after["Cafe Central"]["canonical_id"] != before["Cafe"]["canonical_id"]
    assert states(place, upload_id) == [
        *("queued_for_parse", "parsing", "parsed", "normalizing", "normalized"),
        *("queued_for_parse", "parsing", "parsed", "normalizing", "normalized"),
    ]
    move = place.app.ledger.history(KIND, upload_id)[5]
    assert (move.origin, move.reason) == ("operator", "newer parser")


def test_a_file_that_waits_or_failed_is_not_parsed_again_but_retried(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    assert place.asker.ask("POST", f"/uploads/{upload_id}/reparse").status_code == 409
    place.app.drain()
    assert place.asker.ask("POST", f"/uploads/{upload_id}/reparse").status_code == 409
    assert states(place, upload_id) == ["queued_for_parse", "parsing", "error"]


def test_an_erased_upload_leaves_no_row_no_log_and_no_file_and_its_history_verifies(place: Place) -> None:
    upload_id = place.upload(FILE)
    place.app.drain()
    answer = place.asker.ask("POST", f"/uploads/{upload_id}/erase", json={"reason": "asked by the customer"})
    assert (answer.status_code, answer.json()["outcome"]) == (200, "erased"), answer.text
    with place.app.database.read() as tx:
        counts = [
            tx.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (observations, transactions, statement_logs)
        ]
    assert (counts, place.files()) == ([0, 0, 0], [])
    assert place.asker.get(f"/uploads/{upload_id}").status_code == 404
    assert place.app.ledger.verify().ok
    again = place.upload(FILE)
    place.app.drain()
    assert place.app.get(KIND, again)["status"] == "normalized"


def test_an_upload_of_bytes_that_are_just_being_erased_never_loses_its_file(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second upload has kept its file when the first one's is deleted, and is admitted after that."""
    upload_id = place.upload(FILE)
    place.app.drain()
    kept = Event()
    keep, delete = Incoming.keep, place.app.files.delete
    second: list[Any] = []
    uploads_again = Thread(target=lambda: second.append(place.post(FILE)))

    def signalled_keep(incoming: Incoming) -> str:
        ref = keep(incoming)
        kept.set()
        return ref

    def delayed_delete(ref: str) -> None:
        uploads_again.start()
        assert kept.wait(30)
        delete(ref)

    monkeypatch.setattr(Incoming, "keep", signalled_keep)
    monkeypatch.setattr(place.app.files, "delete", delayed_delete)
    Acts(place.app, place.app.workflows[KIND]).erase(
        upload_id, actor="ann", role="admin", reason="asked by the customer"
    )
    uploads_again.join(30)
    assert (second[0].status_code, second[0].json()["code"]) == (409, "ILK-208")
    with place.app.database.read() as tx:
        assert (
            tx.execute(select(func.count()).select_from(place.app.workflows[KIND].records)).scalar_one() == 0
        )
    assert place.files() == []
    assert len(place.app.ledger.history(KIND, upload_id)) == 6


def test_ofx_in_a_file_called_csv_is_read_by_its_content(place: Place) -> None:
    upload_id = place.upload(sgml(bank(transaction("-42.50", "1"))).encode(), "export.csv")
    place.app.drain()
    row = place.app.get(KIND, upload_id)
    assert (row["status"], row["parser_source"], row["mime_type"]) == (
        "normalized",
        "ofx",
        "application/x-ofx",
    )
    assert place.show(upload_id, "parse-log")["mime_type"] == "application/x-ofx"
