"""Journeys of those who bring statements to the console and say how they are read: seen on the page, in the rows and in the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from interlock.workflows.statements.uploads.reading import Uploads
from tests.console.browser.test_journeys import wait_live
from tests.service.serving import served
from tests.statements.api.place import CSV, Place

pytestmark = [pytest.mark.timeout(180)]
STATEMENTS = "/workflows/statements/uploads"


@pytest.fixture
def place(sqlite_url: str, tmp_path: Path) -> Iterator[Place]:
    made = Place(sqlite_url, tmp_path)
    yield made
    made.app.close()


@contextmanager
def opened(browser: Any, place: Place, path: str) -> Iterator[tuple[Any, str]]:
    """A page of the console and the address at which it is served."""
    with served(place.asgi) as address:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        try:
            page.goto(address + path)
            wait_live(page)
            yield page, address
        finally:
            page.close()


@contextmanager
def dropped(browser: Any, place: Place, file: Path) -> Iterator[Any]:
    """The page of a file that was dropped on that of statements, parsed and normalized meanwhile."""
    with opened(browser, place, STATEMENTS) as (page, _address):
        page.set_input_files(".drop input[type=file]", file)
        page.wait_for_selector(f"#summary h1:has-text('{file.name}')")
        page.wait_for_selector("#summary .state:has-text('queued_for_parse')")
        wait_live(page)
        place.app.drain()
        page.wait_for_selector("#summary .state:has-text('normalized')")
        yield page


def test_a_statement_is_dropped_watched_and_its_reading_fixed(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    head = "Orchard Card,,\n\nDate,Description,Amount (GBP)\n"
    file = tmp_path / "card.csv"
    file.write_text(head + "13/01/2024,Shop A,20.00\n14/01/2024,Shop B,25.00\n")
    with dropped(browser, place, file) as page:
        page.wait_for_selector("#read .l-amt:has-text('+20.00')")
        page.check("#readings label:has-text('Signs turned round') input")
        assert "--signs turned" in page.locator("#readings .cli").inner_text()
        page.fill("#readings textarea", "a card prints charges without a sign")
        page.click("#readings button[type=submit]")
        page.wait_for_selector(
            "#readings form[data-state=done], #summary .state:has-text('queued_for_parse')"
        )
        place.app.drain()
        page.wait_for_selector("#read .l-amt:has-text('−20.00')")
    uploads = Uploads(place.app, place.app.workflows["statements"])
    (upload_id,) = [one["upload_id"] for one in uploads.uploads().rows]
    assert [str(one["amount"]) for one in uploads.transactions().rows] == ["-20.00", "-25.00"]
    reasons = [one.reason for one in place.app.ledger.history("statements", upload_id)]
    assert "a card prints charges without a sign" in reasons


def test_a_reading_that_was_chosen_before_its_script_came_is_previewed_all_the_same(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    file = tmp_path / "card.csv"
    file.write_text(
        "Orchard Card,,\n\nDate,Description,Amount (GBP)\n13/01/2024,A,20.00\n14/01/2024,B,25.00\n"
    )
    held: list[Any] = []
    with dropped(browser, place, file) as page:
        page.route("**/readings.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
        with page.expect_request("**/readings.js"):
            page.goto(page.url, wait_until="commit")
        page.check("#readings label:has-text('Signs turned round') input")
        assert page.inner_text("[data-changes]") == ""
        held[0].continue_()
        page.wait_for_selector("[data-changes][data-ready]:has-text('2 rows would change.')")
        assert "--signs turned" in page.locator("#readings .cli").inner_text()
    assert place.app.counts()["statements", "status", None, "normalized"] == 1, "nothing has moved"


def test_an_account_and_a_currency_are_decided_on_the_page_beside_the_readings(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    file = tmp_path / "shops.csv"
    file.write_text("Date,Details,Amount\n13/01/2024,Shop A,20.00\n14/01/2024,Shop B,25.00\n")
    with dropped(browser, place, file) as page:
        page.wait_for_selector("#read .l-amt:has-text('+20.00')")
        page.click("#otherwise summary")
        page.check("#otherwise input[type=radio]")
        page.select_option("#otherwise select[name=account_type]", "credit_card")
        page.select_option("#otherwise select[name='columns.description']", "Details")
        page.select_option("#otherwise select[name='columns.description']", "")
        page.fill("#otherwise input[name=account]", "Orchard")
        page.press("#otherwise input[name=account]", "Tab")
        page.select_option("#otherwise select[name=currency]", "SGD")
        page.wait_for_selector("[data-changes]:has-text('2 rows would change.')")
        assert "Type of account: none credit_card" in page.inner_text("[data-changes]")
        command = " ".join(page.inner_text("#readings .cli").split())
        assert '--account "Orchard" --currency SGD --account-type credit_card --apply' in command
        page.fill("#readings textarea", "the branch is in Singapore")
        page.click("#readings button[type=submit]")
        page.wait_for_selector(
            "#readings form[data-state=done], #summary .state:has-text('queued_for_parse')"
        )
    place.app.drain()
    uploads = Uploads(place.app, place.app.workflows["statements"])
    (upload_id,) = [one["upload_id"] for one in uploads.uploads().rows]
    row = place.app.get("statements", upload_id)
    assert (row["currency"], row["account"], row["account_type"]) == ("SGD", "Orchard", "credit_card")
    reasons = [move.reason for move in place.app.ledger.history("statements", upload_id) if move.reason]
    assert reasons == ["the branch is in Singapore"]


def test_an_empty_board_is_not_left_while_files_are_sent_nor_over_one_that_was_not_taken(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    files = [tmp_path / "card.csv", tmp_path / "letter.xyz"]
    for file in files:
        file.write_bytes(CSV if file.suffix == ".csv" else b"")
    with opened(browser, place, "/") as (page, address):
        page.set_input_files(".drop input[type=file]", files)
        page.wait_for_selector("[data-drop-log] li:has-text('card.csv is here')")
        page.wait_for_selector("[data-drop-log] li:has-text('letter.xyz was not taken')")
        page.wait_for_function(
            "async () => (await (await fetch('/')).text()).includes('data-shape=\"board\"')"
        )
        with page.expect_response(f"{address}/"):
            page.evaluate("document.dispatchEvent(new Event('interlock:acted'))")
        page.evaluate("fetch('/').then((answer) => answer.text())")  # a page that is left answers no more
        assert page.inner_text("h1") == "Nothing has arrived yet", "what was not taken can still be read"
        page.click("[data-drop-log] a:has-text('card.csv')")
        page.wait_for_selector("#summary h1:has-text('card.csv')")
    assert place.app.counts()["statements", "status", None, "queued_for_parse"] == 1


def test_a_statement_that_does_not_add_up_says_by_how_much_and_is_read_in_the_way_that_agrees(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    head = "Bank,,\nOpening balance,,100.00\nClosing balance,,98.75\n\nDate,Description,Amount (EUR)\n"
    file = tmp_path / "giro.csv"
    file.write_text(head + '13/02/2024,A,"1,250"\n14/02/2024,B,"-2,500"\n')
    with opened(browser, place, "/") as (page, address):
        assert page.inner_text("h1") == "Nothing has arrived yet", "the empty board takes the first one"
        page.set_input_files(".drop input[type=file]", file)
        page.wait_for_selector("#summary h1:has-text('giro.csv')")
        wait_live(page)
        place.app.drain()
        page.wait_for_selector("#summary .is-differs:has-text('The sum does not agree')")
        assert "1,248.75" in page.inner_text("#summary .gap")
        page.goto(f"{address}/")
        page.click(
            "#needs a:has-text('1 statement in doubt')", timeout=60_000
        )  # counts are kept for a moment
        page.wait_for_selector("#uploads a[aria-current]:has-text('giro.csv')")
        wait_live(page)
        assert "only=in-doubt" in page.url, "the list of what is in doubt, and of nothing else"
        assert "id=UL_" in page.url, "what the page chose is in its address"
        assert "off by 1,248.75" in page.inner_text("#readings .reading:has(input:checked)")
        page.check(
            "#readings label:has-text('decimals behind “,”'):has-text('agrees'):has-text('98.750') input"
        )
        page.wait_for_selector("[data-changes][data-ready]")
        changes = page.locator("[data-changes] tr .l-amt").all_inner_texts()
        assert [" ".join(one.split()) for one in changes] == ["+1,250+1.250", "−2,500−2.500"]
        assert "2 rows would change." in page.inner_text("[data-changes]")
        assert place.app.counts()["statements", "status", None, "normalized"] == 1, "nothing has moved yet"
        page.fill("#readings textarea", "this bank writes decimals behind a comma")
        page.click("#readings button[type=submit]")
        page.wait_for_selector(
            "#readings form[data-state=done], #summary .state:has-text('queued_for_parse')"
        )
        place.app.drain()
        page.wait_for_selector("#summary .is-done:has-text('It adds up.')")
        page.wait_for_selector(".rail a:has-text('Statements') .due", state="detached")
    (upload,) = Uploads(place.app, place.app.workflows["statements"]).uploads().rows
    assert upload["reconciled"] == "yes"
    reasons = [one.reason for one in place.app.ledger.history("statements", upload["upload_id"])]
    assert "this bank writes decimals behind a comma" in reasons
