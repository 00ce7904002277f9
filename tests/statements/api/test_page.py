"""The page of statements in the console: what was read, whether it adds up, and what a role may not do."""

from __future__ import annotations

import json

from lxml import html

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
        for one in form.xpath(".//input[@type='radio']")
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
