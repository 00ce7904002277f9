"""The page of statements in the console: what was read, whether it adds up, and what a role may not do."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from lxml import html

from interlock.workflows.statements.doubt.fixing import Fixes
from interlock.workflows.statements.uploads import reading, storing
from tests.console.conftest import PAGE, text
from tests.service.asking import Asker
from tests.service.conftest import make_key
from tests.statements.api.place import Place

HERE = "/workflows/statements/uploads"
BALANCED = b"""Date,Description,Amount,Balance
01/15/2024,<b>STARBUCKS</b> #1234,-4.50,95.50
01/16/2024,SALARY ORCHARD LABS,"1,234.56","1,330.06"
"""


def page_of(place: Place, path: str = HERE, key: str | None = None, status: int = 200) -> html.HtmlElement:
    asker = Asker(place.asgi, key, prefix="")
    try:
        answer = asker.get(path, headers=PAGE)
        assert answer.status_code == status, answer.text
        return html.fromstring(answer.text)
    finally:
        asker.close()


def test_without_an_upload_the_page_says_what_to_do(place: Place) -> None:
    page = page_of(place)
    assert "No statement is here yet." in text(page.find(".//main"))
    assert page.xpath("//label[@data-drop]/@data-drop") == ["/api/v1/uploads"]


def test_an_upload_is_seen_with_its_rows_transactions_and_doubts(place: Place) -> None:
    first = place.upload(BALANCED, "october.csv")
    page = page_of(place)
    assert "queued_for_parse" in text(page.xpath("//section[@id='summary']")[0])
    place.app.drain()
    page = page_of(place)
    assert text(page.xpath("//h1")[0]) == "october.csv"
    assert "normalized" in text(page.xpath("//section[@id='summary']")[0])
    amounts = [text(one) for one in page.xpath("//section[@id='read']//td[contains(@class,'l-amt')]")]
    assert amounts == ["−4.50", "+1,234.56", "+1,230.06"], "the sum is the last line"
    assert "Money in +1,234.56, money out −4.50" in text(page.xpath("//section[@id='read']//tfoot")[0])
    assert page.xpath("//main//tbody//b/b") == []
    printed = page_of(place, f"{HERE}?id={first}&show=observations")
    assert "<b>STARBUCKS</b> #1234" in text(printed.xpath("//section[@id='read']")[0])
    assert place.show(first)["status"] == "normalized"


def test_a_file_that_cannot_be_read_says_why_and_leads_to_its_record(place: Place) -> None:
    broken = place.upload(b"this is\nnot a bank\n", "broken.csv")
    place.app.drain()
    page = page_of(place, f"{HERE}?id={broken}")
    summary = page.xpath("//section[@id='summary']")[0]
    assert "LAYOUT_MISMATCH" in text(summary)
    assert f"/records/statements/{broken}" in summary.xpath(".//a/@href")
    page_of(place, f"{HERE}?id=UL_nobody", status=404)


def test_whoever_may_not_upload_sees_why(place: Place) -> None:
    page = page_of(place, key=make_key(place.app, "viewer"))
    (zone,) = page.xpath("//label[@data-drop]")
    assert zone.get("aria-disabled") == "true"
    assert "Needs the role curator; yours is viewer." in text(zone)


def test_a_file_that_can_be_read_in_two_ways_offers_both_with_their_balances(place: Place) -> None:
    head = "Orchard Card,,\nOpening balance,,-100.00\nClosing balance,,-145.00\n\nDate,Description,Amount (GBP)\n"
    upload_id = place.upload((head + "13/01/2024,A,20.00\n14/01/2024,B,26.00\n").encode(), "card.csv")
    place.app.drain()
    page = page_of(place, f"{HERE}?id={upload_id}")
    (form,) = page.xpath("//div[@id='readings']//form")
    assert form.get("data-method") == "PATCH"
    assert form.get("data-api") == f"/api/v1/uploads/{upload_id}/interpretation"
    offered = {
        json.loads(one.get("value"))["signs"]: text(one.getparent())
        for one in form.xpath(".//*[@role='radiogroup']//input[@type='radio']")
    }
    assert set(offered) == {"as_read", "turned"}
    assert offered["as_read"].endswith("−54.00off by 91.00"), (
        "what it leads to, and how far that is from −145.00"
    )
    assert offered["turned"].endswith("−146.00off by 1.00")
    assert form.xpath("count(.//label//*[local-name()='use'][@href='#m-differs'])") == 2
    viewer = page_of(place, f"{HERE}?id={upload_id}", key=make_key(place.app, "viewer"))
    assert "Needs the role operator; yours is viewer." in text(viewer.xpath("//div[@id='readings']")[0])
    turned = place.asker.ask(
        "PATCH",
        f"/uploads/{upload_id}/interpretation",
        json={"signs": "turned", "apply": True, "reason": "a card"},
    )
    assert turned.status_code == 200
    place.app.drain()
    assert place.show(upload_id)["status"] == "normalized"


def test_a_file_whose_rows_could_not_all_be_read_offers_the_columns_by_which_they_can(place: Place) -> None:
    head = "Date,Description,Amount,Booked (GBP)\n"
    upload_id = place.upload(
        (head + "13/04/2024,Cafe,n/a?9,-60.00\n14/04/2024,Pay,12.00,1000.00\n").encode(), "partial.csv"
    )
    place.app.drain()
    assert place.show(upload_id)["error_code"] == "PARTIAL_PARSE"
    (panel,) = page_of(place, f"{HERE}?id={upload_id}").xpath("//div[@id='readings']")
    assert "Not every row could be read as it is" in text(panel)
    (other,) = panel.xpath(".//label[contains(., '“Booked (GBP)” as the amount')]")
    (choice,) = other.xpath(".//input")
    decided = {**json.loads(choice.get("value")), "apply": True, "reason": "the booked value"}
    answer = place.asker.ask("PATCH", f"/uploads/{upload_id}/interpretation", json=decided)
    assert answer.status_code == 200, answer.text
    place.app.drain()
    assert place.show(upload_id)["status"] == "normalized"
    assert [one["amount"] for one in place.show(upload_id, "transactions")["transactions"]] == [
        "-60.00",
        "1000.00",
    ]


def test_a_table_of_which_nothing_was_recognised_asks_what_its_columns_are(place: Place) -> None:
    content = "Mizar Trust,,\n\nBooking dae,Whoto,Monee\n13/04/2024,Cafe,-4.00\n14/04/2024,Pay,20.00\n"
    upload_id = place.upload(content.encode(), "unknown.csv")
    place.app.drain()
    assert place.show(upload_id)["error_code"] == "LAYOUT_MISMATCH"
    (panel,) = page_of(place, f"{HERE}?id={upload_id}").xpath("//div[@id='readings']")
    assert "say what its columns are" in text(panel)
    (fold,) = panel.xpath(".//details[@id='otherwise'][@open]")
    names = [option.get("value") for option in fold.xpath(".//select[@name='columns.amount']/option")]
    assert names == ["", "Booking dae", "Whoto", "Monee"]


def test_a_file_that_cannot_be_read_at_all_offers_no_reading(place: Place) -> None:
    upload_id = place.upload(b"%PDF-1.4 not a pdf", "one.pdf")
    place.app.drain()
    assert place.show(upload_id)["status"] == "error"
    assert page_of(place, f"{HERE}?id={upload_id}").xpath("//div[@id='readings']//form") == []


def test_other_columns_that_were_tried_are_offered_with_what_comes_out_by_them(place: Place) -> None:
    head = "Opening balance,,100.00\nClosing balance,,110.00\n\nDate,Description,Booked <GBP>,Amount (GBP)\n"
    content = head + "13/04/2024,Cafe,-4.00,-5.00\n14/04/2024,Pay,20.00,25.00\n15/04/2024,Shop,-6.00,-7.00\n"
    upload_id = place.upload(content.encode(), "two.csv")
    place.app.drain()
    page = page_of(place, f"{HERE}?id={upload_id}")
    (other,) = page.xpath("//div[@id='readings']//label[contains(., '“')]")
    assert text(other) == "“Booked <GBP>” as the amount110.00agrees"
    (choice,) = other.xpath(".//input")
    assert json.loads(choice.get("value")) == {"columns": {"amount": "Booked <GBP>"}}
    assert choice.get("data-cli") == "--column 'amount=Booked <GBP>'"


def test_currency_account_dates_and_columns_can_be_decided_on_the_page(place: Place) -> None:
    content = "Date,Description,Value,Odd <b>|Name\n03/04/2024,Cafe,4.00,5.00\n05/04/2024,Pay,20.00,25.00\n"
    upload_id = place.upload(content.encode(), "open.csv")
    place.app.drain()
    (form,) = page_of(place, f"{HERE}?id={upload_id}").xpath("//div[@id='readings']//form")
    (fold,) = form.xpath(".//details[@id='otherwise']")
    assert "Something else…" in text(fold.xpath("./summary")[0])
    chosen = {
        one.get("name"): [option.get("value") for option in one.xpath("./option")]
        for one in fold.xpath(".//select")
    }
    assert chosen["date_order"] == ["", "dmy", "mdy", "ymd"]
    assert {"", "EUR", "SGD"} <= set(chosen["currency"])
    assert "credit_card" in chosen["account_type"]
    assert chosen["columns.amount"] == ["", "Date", "Description", "Value", "Odd <b>/Name"]
    assert fold.xpath(".//input[@name='account']/@data-cli") == [" --account"]
    assert fold.xpath(".//option[@value='Odd <b>/Name']/@data-cli")[0].startswith(" --column date='Odd")
    shown = {one.get("data-cli-of") for one in form.xpath(".//*[@data-cli-of]")}
    assert shown == {"reading", "account", *chosen}
    (only,) = fold.xpath(".//input[@type='radio']")
    decided = {
        **json.loads(only.get("value")),
        "account": "Joint",
        "date_order": "dmy",
        "currency": "SGD",
        "columns": {"amount": "Odd <b>/Name"},
    }
    answer = place.asker.ask(
        "PATCH",
        f"/uploads/{upload_id}/interpretation",
        json={**decided, "apply": True, "reason": "as the branch says"},
    )
    assert answer.status_code == 200, answer.text
    place.app.drain()
    found = place.show(upload_id, "transactions")["transactions"]
    assert [(one["date"], one["amount"], one["currency"], one["account"]) for one in found] == [
        ("2024-04-03", "5.00", "SGD", "Joint"),
        ("2024-04-05", "25.00", "SGD", "Joint"),
    ]
    assert place.app.ledger.history("statements", upload_id)[5].reason == "as the branch says"


def test_an_empty_statement_is_not_asked_how_it_should_be_read(place: Place) -> None:
    upload_id = place.upload(b"Date,Description,Amount\n", "empty.csv")
    place.app.drain()
    assert place.show(upload_id)["status"] == "parsed"
    assert page_of(place, f"{HERE}?id={upload_id}").xpath("//div[@id='readings']/*") == []


def test_balances_are_called_what_was_read_and_a_file_may_contradict_itself(place: Place) -> None:
    """What a card prints as owed has no minus there, and is read with one: it is not called printed."""
    upload_id = place.upload(BALANCED.replace(b"1,330.06", b"1,430.06"))
    place.app.drain()
    summary = text(page_of(place, f"{HERE}?id={upload_id}").xpath("//section[@id='summary']")[0])
    assert "Closing balance, as read" in summary
    assert "balance, as printed" not in summary
    assert "Something was read wrongly, or the file contradicts itself." in summary
    assert place.show(upload_id)["reconciled"] == "no"


def test_a_page_of_many_rows_reads_only_those_that_it_shows_and_its_readings_once_for_each_version(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(
        f"2024-{1 + number // 200:02}-{1 + number % 28:02},SHOP {number},-{number % 90 + 1}.25\n"
        for number in range(2_000)
    )
    upload_id = place.upload(f"Date,Description,Amount (GBP)\n{rows}".encode())
    place.app.drain()
    fetched: list[int] = []
    pages, readings = storing.transactions_page, Fixes.readings
    asked: list[str] = []

    def counted_page(*args: Any, **options: Any) -> list[dict[str, Any]]:
        found = pages(*args, **options)
        fetched.append(len(found))
        return found

    def counted_readings(self: Fixes, upload_id: str) -> dict[str, Any]:
        asked.append(upload_id)
        return readings(self, upload_id)

    monkeypatch.setattr(reading, "transactions_page", counted_page)
    monkeypatch.setattr(Fixes, "readings", counted_readings)
    first, second = (page_of(place, f"{HERE}?id={upload_id}") for _ in range(2))
    assert (fetched, asked) == ([301, 301], [upload_id]), (
        "300 are shown, and one more shows that there are others"
    )
    total = sum(Decimal(one["amount"]) for one in every(place, upload_id))
    for page in (first, second):
        assert f"money out −{abs(total):,}" in text(page.xpath("//section[@id='read']//tfoot")[0])
        assert "2,000 transactions" in text(page.xpath("//section[@id='summary']")[0])
    checks = text(page_of(place, f"{HERE}?id={upload_id}&show=checks").xpath("//section[@id='read']")[0])
    assert "No row is in the future" in checks
    assert (
        place.asker.ask("POST", f"/uploads/{upload_id}/reparse", json={"reason": "newer parser"}).status_code
        == 200
    )
    place.app.drain()
    page_of(place, f"{HERE}?id={upload_id}")
    assert asked == [upload_id, upload_id]
    assert place.show(upload_id)["status"] == "normalized"


def every(place: Place, upload_id: str) -> list[dict[str, Any]]:
    return list(
        reading.Uploads(place.app, place.app.workflows["statements"]).every_transaction(upload_id=upload_id)
    )
