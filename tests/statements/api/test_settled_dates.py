"""Rows whose order of day and month the file proves or a person decided carry no flag that doubts it."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.workflows.statements.exports import beancount, ledger_cli
from tests.statements.api.place import KIND, Place
from tests.statements.pdf.layouts.sheets import Sheet

DOUBTS = {"ambiguous_date", "low_confidence", "manual_review_required"}
ROWS = "03/04/2024,SALARY ORCHARD LABS,1234.56\n05/04/2024,QWXZ HTTP,-4.50\n"
OPEN = f"Date,Description,Amount (GBP)\n{ROWS}".encode()


def shown(place: Place, upload_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = place.show(upload_id, "transactions")["transactions"]
    return found


def doubts(place: Place, upload_id: str) -> list[set[str]]:
    return [DOUBTS & set(one["flags"]) for one in shown(place, upload_id)]


def test_an_order_that_nothing_shows_is_doubted_in_every_row(place: Place) -> None:
    upload_id = place.upload(OPEN)
    place.app.drain()
    assert place.app.get(KIND, upload_id)["date_order"] == "open"
    assert all({"ambiguous_date", "manual_review_required"} <= one for one in doubts(place, upload_id))


@pytest.mark.parametrize("order", ["dmy", "mdy"])
def test_an_order_that_a_person_decided_ends_the_flags_and_the_marks_of_exports(
    place: Place, order: str
) -> None:
    upload_id = place.upload(OPEN)
    place.app.drain()
    before = [one["confidence_score"] for one in shown(place, upload_id)]
    body = {"date_order": order, "apply": True, "reason": "the bank is in Leeds"}
    answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=body)
    assert answer.status_code == 200, answer.text
    place.app.drain()
    rows = shown(place, upload_id)
    assert [one["date"] for one in rows] == (
        ["2024-04-03", "2024-04-05"] if order == "dmy" else ["2024-03-04", "2024-05-04"]
    )
    assert [set(one["flags"]) & {"ambiguous_date", "manual_review_required"} for one in rows] == [
        set(),
        set(),
    ]
    assert all(one["confidence_score"] > score for one, score in zip(rows, before, strict=True))
    assert place.app.get(KIND, upload_id)["date_order"] == "settled"
    assert [move.new for move in place.app.ledger.history(KIND, upload_id)].count("normalized") == 2
    for export in (beancount, ledger_cli):
        assert not [line for line in "".join(export(rows)).splitlines() if line[10:13] == " ! "]


@pytest.mark.parametrize(
    ("start", "end", "day"), [("01/04", "30/04", "2024-04-03"), ("03/01", "03/31", "2024-03-04")]
)
def test_an_order_that_the_period_of_the_file_proves_ends_them_too(
    place: Place, start: str, end: str, day: str
) -> None:
    sheet = Sheet()
    sheet.row((40, "Zephyrine Savings House"), size=14, step=20)
    sheet.row((40, f"Statement period {start}/2024 to {end}/2024"), step=20)
    sheet.row((40, "Date"), (140, "Description"), (400, "Amount", "right"))
    sheet.row((40, "03/04/2024"), (140, "STARBUCKS"), (400, "-20.00", "right"))
    sheet.row((40, "03/04/2024"), (140, "QWXZ HTTP"), (400, "60.00", "right"))
    upload_id = place.upload(sheet.pdf(), "april.pdf")
    place.app.drain()
    assert [one["date"] for one in shown(place, upload_id)] == [day, day]
    assert place.app.get(KIND, upload_id)["date_order"] == "settled"
    assert not set().union(*doubts(place, upload_id)) & {"ambiguous_date", "manual_review_required"}
