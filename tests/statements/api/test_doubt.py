"""What is in doubt about an upload is in its row, in every answer about it, and survives an older database."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from interlock.observe import activity
from interlock.workflows.statements.doubt.reconcile import FIELDS
from interlock.workflows.statements.tables import uploads
from interlock.workflows.statements.uploads.doubtful import FACT
from tests.statements.api.place import KIND, Place
from tests.statements.api.test_page import HERE, page_of

HEAD = b"Date,Description,Amount (GBP),Balance (GBP)\n"
PROVED = HEAD + b"13/04/2024,Cafe,-60.00,940.00\n14/04/2024,Pay,1000.00,1940.00\n"
BROKEN = HEAD + b"13/04/2024,Cafe,-60.00,940.00\n14/04/2024,Pay,1000.00,1950.00\n"
ASSUMED = b"Date,Description,Amount\n13/04/2024,Cafe,-60.00\n14/04/2024,Pay,1000.00\n"


def row(place: Place, upload_id: str) -> dict[str, object]:
    stored = place.app.get(KIND, upload_id)
    return {name: stored[name] for name in FIELDS}


def test_a_file_that_its_balances_prove_is_reconciled_in_the_row_and_in_every_answer(place: Place) -> None:
    upload_id = place.upload(PROVED)
    place.app.drain()
    stored = row(place, upload_id)
    assert stored | {} == {
        "reconciled": "yes",
        "opening_balance": "1000.00",
        "closing_balance": "1940.00",
        "statement_from": None,
        "statement_to": None,
        "currency": "GBP",
        "account": None,
        "account_type": None,
        "institution": None,
        "rows_skipped": 0,
        "warnings_count": 0,
    }
    shown = place.show(upload_id)
    assert {name: shown[name] for name in FIELDS} == stored
    listed = place.asker.get("/uploads").json()["uploads"][0]
    assert {name: listed[name] for name in FIELDS} == stored
    assert place.show(upload_id, "warnings") == {
        "upload_id": upload_id,
        "reconciled": "yes",
        "warnings_count": 0,
        "warnings": [],
        "errors": [],
    }


def test_balances_that_contradict_the_rows_are_a_no_with_the_reason(place: Place) -> None:
    upload_id = place.upload(BROKEN)
    place.app.drain()
    answer = place.show(upload_id, "warnings")
    assert (row(place, upload_id)["reconciled"], answer["reconciled"]) == ("no", "no")
    assert answer["warnings_count"] == row(place, upload_id)["warnings_count"] > 0
    assert "does not follow" in answer["warnings"][0]["message"]
    moves = place.app.ledger.history(KIND, upload_id)
    assert next(move for move in moves if move.new == "parsed").facts["reconciled"] == "no"


def test_what_is_in_doubt_needs_a_person_and_what_failed_or_is_proved_is_not_among_it(place: Place) -> None:
    doubtful = place.upload(BROKEN)
    place.upload(PROVED)
    failed = place.upload(b"Dear customer\nwe write to you\n")
    place.app.drain()
    assert place.app.get(KIND, failed)["status"] == "error"
    answer = place.asker.get("/uploads", params={"in_doubt": "true"}).json()
    assert [one["upload_id"] for one in answer["uploads"]] == [doubtful]
    (need,) = place.asker.get("/activity").json()["needs"]
    assert need == {
        "kind": KIND,
        "records": 1,
        "what": "statement in doubt",
        "fact": FACT,
        "page": "uploads?only=in-doubt",
        "sign": "differs",
    }
    wanted = {"what": f"1 statement in doubt: {FACT}"}
    wanted["hint"] = "interlock statements list --in-doubt"
    assert wanted in place.asker.get("/attention").json()["attention"]
    place.app.move(KIND, doubtful, actor="ann", role="operator", reason="again", status="queued_for_parse")
    assert place.asker.get("/uploads", params={"in_doubt": "true"}).json()["uploads"] == [], (
        "it is read again"
    )
    assert place.app.ledger.history(KIND, doubtful)[-1].new == "queued_for_parse"


def test_warnings_that_nobody_settled_are_a_doubt_for_the_list_the_board_and_the_page_until_somebody_does(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "LONGEST", 0)  # counts are kept for a moment
    assumed, broken = place.upload(ASSUMED), place.upload(BROKEN)
    place.upload(PROVED)
    place.app.drain()

    def doubtful() -> tuple[list[str], list[int], list[str]]:
        listed = place.asker.get("/uploads", params={"in_doubt": "true"}).json()["uploads"]
        needs = [one["records"] for one in place.asker.get("/activity").json()["needs"]]
        page = page_of(place, f"{HERE}?only=in-doubt")
        tab = " ".join(page.xpath("//a[@data-focus='only-doubt']")[0].text_content().split())
        assert len(page.xpath("//ul[@id='uploads']//a[@data-row]")) == len(listed)
        return [one["upload_id"] for one in listed], needs, [tab]

    assert doubtful() == ([broken, assumed], [2], ["In doubt 2"])
    entries = page_of(place).xpath("//ul[@id='uploads']//a[@data-row]")
    words = [" ".join(one.text_content().split()) for one in entries]
    assert [("warning" in one) for one in words] == [False, True, True]
    assert "not proven 2 warnings" in words[2]
    body = {"signs": "as_read", "currency": "GBP", "apply": True, "reason": "I know it"}
    answer = place.asker.ask("PATCH", f"/uploads/{assumed}/interpretation", json=body)
    assert answer.status_code == 200, answer.text
    place.app.drain()
    assert (row(place, assumed)["reconciled"], row(place, assumed)["warnings_count"]) == ("unknown", 0)
    assert doubtful() == ([broken], [1], ["In doubt 1"])
    assert [move.new for move in place.app.ledger.history(KIND, assumed)].count("normalized") == 2


def test_what_was_assumed_is_unknown_and_each_assumption_is_a_warning(place: Place) -> None:
    upload_id = place.upload(ASSUMED)
    place.app.drain()
    answer = place.show(upload_id, "warnings")
    messages = "\n".join(one["message"] for one in answer["warnings"])
    assert answer["reconciled"] == row(place, upload_id)["reconciled"] == "unknown"
    assert "GBP is assumed" in messages  # day first, and a point before the cents
    assert "no balances" in messages
    assert answer["warnings_count"] == 2


def test_a_row_that_becomes_no_transaction_is_a_no_although_the_balances_agree(place: Place) -> None:
    ahead = (
        HEAD
        + b"13/04/2024,Cafe,-60.00,940.00\n14/04/2099,Pay,1000.00,1940.00\n15/04/2024,Shop,-40.00,1900.00\n"
    )
    upload_id = place.upload(ahead)
    place.app.drain()
    stored = place.app.get(KIND, upload_id)
    assert (stored["status"], stored["canonicals_count"], stored["failed_count"]) == ("normalized", 2, 1)
    assert (stored["reconciled"], stored["warnings_count"]) == ("no", 1)
    answer = place.show(upload_id, "warnings")
    assert (answer["reconciled"], answer["warnings_count"]) == ("no", 1)
    assert [(one["row_id"], one["error_code"]) for one in answer["errors"]] == [(1, "DATE_OUT_OF_RANGE")]
    kept = place.show(upload_id, "transactions")["transactions"]
    assert all("unreconciled" in one["flags"] for one in kept)
    moves = place.app.ledger.history(KIND, upload_id)
    assert next(move for move in moves if move.new == "normalized").facts["reconciled"] == "no"


def test_a_file_none_of_whose_rows_becomes_a_transaction_is_a_no_although_its_balances_agree(
    place: Place,
) -> None:
    upload_id = place.upload(PROVED.replace(b"2024", b"2567"))  # years of Thailand
    place.app.drain()
    stored = place.app.get(KIND, upload_id)
    assert (stored["status"], stored["error_code"]) == ("error", "normalization_failed")
    assert (stored["reconciled"], stored["warnings_count"]) == ("no", 2)
    assert place.app.ledger.history(KIND, upload_id)[-1].facts["reconciled"] == "no"
    assert place.show(upload_id, "warnings")["reconciled"] == "no"


def test_balances_that_miss_by_a_cent_prove_nothing(place: Place) -> None:
    upload_id = place.upload(PROVED.replace(b"1940.00", b"1940.01"))
    place.app.drain()
    assert row(place, upload_id)["reconciled"] == "unknown"
    assert "differ by 0.01" in place.show(upload_id, "warnings")["warnings"][0]["message"]


def test_a_file_that_cannot_be_read_is_a_no_and_its_fault_is_among_the_errors(place: Place) -> None:
    upload_id = place.upload(b"nonsense\n")
    assert place.show(upload_id, "warnings")["reconciled"] is None
    place.app.drain()
    answer = place.show(upload_id, "warnings")
    assert (answer["reconciled"], answer["warnings_count"]) == ("no", 0)
    assert answer["errors"][0]["error_code"] == "LAYOUT_MISMATCH"


def test_an_older_database_gets_the_columns_and_keeps_its_uploads(place: Place, statements_url: str) -> None:
    before = place.upload(PROVED)
    place.app.drain()
    with place.app.database.write() as tx:
        tx.execute(text("DROP INDEX uploads_doubtful"))
        for name in (*FIELDS, "issuer", "date_order"):
            tx.execute(text(f"ALTER TABLE {uploads.name} DROP COLUMN {name}"))
    place.app.migrate()
    assert set(row(place, before).values()) == {None}
    assert place.show(before)["status"] == "normalized"
    after = place.upload(BROKEN)
    place.app.drain()
    assert row(place, after)["reconciled"] == "no"
