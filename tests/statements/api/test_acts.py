"""Retry, reparse and erase: what a person does to an upload, in the row, in its rows and in the ledger."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from interlock.client import LocalClient
from interlock.extension import Incoming
from interlock.workflows.statements.parsers import registry
from interlock.workflows.statements.parsers.csv import generic
from interlock.workflows.statements.tables import (
    observations,
    statement_files_left,
    statement_logs,
    transactions,
)
from interlock.workflows.statements.uploads import left_files, receiving
from interlock.workflows.statements.uploads.acting import Acts
from interlock.workflows.statements.uploads.receiving import receive
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


def test_a_body_without_a_reason_is_like_no_body(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    assert place.asker.post(f"/uploads/{upload_id}/retry", {}).status_code == 200
    assert place.app.get(KIND, upload_id)["status"] == "queued_for_parse"
    assert "without a reason" in str(place.app.ledger.history(KIND, upload_id)[-1].reason)
    assert place.asker.post(f"/uploads/{upload_id}/erase", {}).status_code == 400
    assert place.app.get(KIND, upload_id)["status"] == "queued_for_parse"


@pytest.mark.parametrize("tag", ["3", '"three"', '"1.0"', 'W/"1"'])
def test_a_tag_that_is_none_is_refused_in_words(tag: str, place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    place.app.drain()
    answer = place.asker.ask("POST", f"/uploads/{upload_id}/retry", headers={"If-Match": tag})
    said = answer.json()
    assert (answer.status_code, "[0-9" in answer.text) == (400, False)
    assert "with its quotes" in said["detail"] + said["hint"]
    assert place.app.get(KIND, upload_id)["status"] == "error"


def test_an_upload_that_is_not_there_is_refused_with_a_command_that_lists_those_that_are(
    place: Place,
) -> None:
    for path in ("/uploads/UL_nobody", "/uploads/x-y/timeline"):
        assert place.asker.get(path).json()["hint"].startswith("`interlock record list statements` lists")
    answer = place.asker.ask("POST", "/uploads/UL_nobody/retry")
    assert "`interlock record list statements`" in answer.json()["hint"]


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


def test_while_a_file_is_read_again_its_transactions_stay_and_are_outdated_and_nothing_stale_is_said_of_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_id = place.upload(FILE.replace(b"1940.00", b"1950.00"))
    place.app.drain()
    before = place.show(upload_id, "transactions")["transactions"]
    assert ([one["is_outdated"] for one in before], place.show(upload_id)["reconciled"]) == (
        [False] * 2,
        "no",
    )
    place.asker.ask("POST", f"/uploads/{upload_id}/reparse", json={"reason": "newer parser"})
    for _ in range(2):  # while it is queued, and while somebody works on it
        rows = place.show(upload_id, "transactions")["transactions"]
        assert rows == [{**one, "is_outdated": True} for one in before]
        assert place.asker.get("/transactions").json()["transactions"] == rows
        doubts = place.show(upload_id, "warnings")
        assert (doubts["reconciled"], doubts["warnings_count"], doubts["errors"]) == (None, None, [])
        assert "reconciled" not in place.show(upload_id)
        place.dispatch()
    place.app.place(KIND, upload_id, status="error")
    assert place.show(upload_id)["reconciled"] is None
    assert [one["is_outdated"] for one in place.show(upload_id, "transactions")["transactions"]] == [True] * 2


def erased(place: Place, upload_id: str) -> list[Any]:
    """How its history ended, and what is left of all uploads: files, and files that are still to be deleted."""
    with place.app.database.read() as tx:
        noted = tx.execute(select(func.count()).select_from(statement_files_left)).scalar_one()
    return [place.app.ledger.history(KIND, upload_id)[-1].origin, len(place.files()), noted]


@pytest.mark.parametrize("by", ["erase", "delete", "http", "client"])
def test_the_file_of_an_upload_goes_by_whatever_way_the_upload_is_removed(place: Place, by: str) -> None:
    upload_id = place.upload(FILE)
    place.app.drain()
    if by == "http":
        body = {"reason": "asked by the customer", "role": "admin"}
        answer = place.asker.ask("POST", f"/{KIND}/records/{upload_id}/erase", json=body)
        assert answer.status_code == 200, answer.text
    elif by == "client":
        LocalClient(place.app, actor="ann").erase(KIND, upload_id, reason="asked by the customer")
    else:
        getattr(place.app, by)(KIND, upload_id, actor="ann", role="admin", reason="asked by the customer")
    assert erased(place, upload_id) == ["deletion" if by == "delete" else "erase", 0, 0]


def test_a_file_that_a_crash_left_behind_an_erasure_is_deleted_by_the_next_sweep(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_id, other = place.upload(FILE), place.upload()
    place.app.drain()

    def dies(ref: str) -> None:
        raise OSError("the machine goes down")

    with monkeypatch.context() as patched:
        patched.setattr(place.app.files, "delete", dies)
        place.app.erase(KIND, upload_id, actor="ann", role="admin", reason="asked by the customer")
        assert erased(place, upload_id) == ["erase", 2, 1]
    place.app.advance("20m")
    place.app.drain()
    assert erased(place, upload_id) == ["erase", 1, 0]
    with place.app.files.open(place.app.get(KIND, other)["storage_ref"]) as file:
        assert file.read()


def test_a_file_that_was_left_is_not_deleted_once_the_same_bytes_are_an_upload_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_id = place.upload(FILE)
    with monkeypatch.context() as patched:
        patched.setattr(left_files, "lock_file", lambda tx, file_hash: 1 / 0)
        place.app.erase(KIND, upload_id, actor="ann", role="admin", reason="asked by the customer")
    again = place.upload(FILE)
    assert left_files.delete_left_files(place.app) == 0
    assert erased(place, upload_id) == ["erase", 1, 0]
    place.app.drain()
    assert place.app.get(KIND, again)["status"] == "normalized"


def test_an_erasure_that_the_caller_undoes_keeps_the_file(place: Place) -> None:
    upload_id = place.upload(FILE)
    with suppress(LookupError), place.app.database.write() as tx:
        place.app.erase(KIND, upload_id, actor="ann", role="admin", reason="asked by the customer", tx=tx)
        raise LookupError("changed my mind")
    assert left_files.delete_left_files(place.app) == 0
    assert erased(place, upload_id) == ["admit", 1, 0]


def test_an_upload_is_erased_only_at_the_version_that_was_seen_and_once_per_key(place: Place) -> None:
    upload_id = place.upload(FILE)
    tag = place.asker.get(f"/uploads/{upload_id}").headers["etag"]
    place.app.drain()
    path, body = f"/uploads/{upload_id}/erase", {"reason": "asked by the customer"}
    old = place.asker.ask("POST", path, json=body, headers={"If-Match": tag})
    assert (old.status_code, erased(place, upload_id)[1:]) == (412, [1, 0]), old.text
    assert states(place, upload_id)[-1] == "normalized"
    assert len(place.show(upload_id, "transactions")["transactions"]) == 2
    now = place.asker.get(f"/uploads/{upload_id}").headers["etag"]
    named = {"If-Match": now, "Idempotency-Key": "once"}
    first, second = (place.asker.ask("POST", path, json=body, headers=named) for _ in range(2))
    assert (first.status_code, second.status_code, first.json()) == (200, 200, second.json()), second.text
    assert erased(place, upload_id) == ["erase", 0, 0]
    assert place.asker.ask("POST", path, json=body, headers={"If-Match": now}).status_code == 404


def test_an_upload_of_bytes_that_are_just_being_erased_never_loses_its_file(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second upload waits with its file until the first one's is deleted."""
    upload_id = place.upload(FILE)
    place.app.drain()
    delete = place.app.files.delete
    second: list[Any] = []
    uploads_again = Thread(target=lambda: second.append(place.post(FILE)))

    def delayed_delete(ref: str) -> None:
        uploads_again.start()
        uploads_again.join(0.5)
        delete(ref)

    monkeypatch.setattr(place.app.files, "delete", delayed_delete)
    Acts(place.app, place.app.workflows[KIND]).erase(
        upload_id, actor="ann", role="admin", reason="asked by the customer"
    )
    uploads_again.join(30)
    assert second[0].status_code == 201, second[0].text
    again = second[0].json()["upload_id"]
    assert erased(place, again) == ["admit", 1, 0]
    assert len(place.app.ledger.history(KIND, upload_id)) == 6
    place.app.drain()
    assert place.app.get(KIND, again)["status"] == "normalized"


class Killed(BaseException):
    """The process is gone: nothing that stands behind it is done."""


def test_a_file_that_was_kept_and_never_admitted_is_deleted_by_the_next_sweep(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    kind = place.app.workflows[KIND]
    with monkeypatch.context() as patched, place.app.files.receive() as file:
        file.write(FILE)
        patched.setattr(place.app, "admit", killed)
        with pytest.raises(Killed):
            receive(place.app, kind, file, "january.csv", "auto", actor="ann")
    assert place.left() == (1, 1), "the file, and the note that it is of no upload"
    assert left_files.delete_left_files(place.app) == 1
    assert place.left() == (0, 0)
    again = place.upload(FILE)
    place.app.drain()
    assert erased(place, again)[1:] == [1, 0]
    assert place.app.ledger.history(KIND, again)[-1].new == "normalized"


def test_an_import_whose_note_was_swept_notes_its_file_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, swept = receiving.note_file, []

    def note_and_sweep(tx: Any, file: Incoming) -> None:
        note(tx, file)
        if not swept:
            swept.append(tx.execute(delete(statement_files_left)).rowcount)

    monkeypatch.setattr(receiving, "note_file", note_and_sweep)
    upload_id = place.upload(FILE)
    assert (swept, erased(place, upload_id)) == ([1], ["admit", 1, 0])
    place.app.drain()
    assert place.app.get(KIND, upload_id)["status"] == "normalized"


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
